"""The option --edits: what every edit from one text to another is worth, as text, JSON and TSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..analysis.deciding_references import ranked_references
from ..analysis.edit_sentence import Way as Towards
from ..analysis.edit_sentence import edit_rows, edit_sentence
from ..analysis.edit_shares import EditShare, edit_shares
from ..analysis.sentence import QuotedWords, plain
from ..text import Token, csv_cell, printable
from ..text.files import SegmentLine
from ..types import Metric, Result, Settings, signed


class EditWay(NamedTuple):
    """The edits from a segment's candidate to another text, with the scores of both texts.

    Attributes:
        edits: the edits with their shares.
        sentences: the sentence about each row of edits (`edit_rows`).
        before: the score of the candidate.
        after: the score of the other text.
        a: the candidate as typed.
        b: the other text as typed.
        reference: the index of the file of references that the other text comes from; None for another output.
    """

    edits: tuple[EditShare, ...]
    sentences: tuple[str, ...]
    before: float
    after: float
    a: tuple[Token, ...]
    b: tuple[Token, ...]
    reference: int | None = None


def reference_file_index(edit_way: EditWay) -> int:
    """Return the index of the file of references that the edits lead to."""
    assert edit_way.reference is not None
    return edit_way.reference


def find_edit_way(
    metric: Metric, settings: Settings, line: SegmentLine, other: Sequence[Token], before: float, to: Towards
) -> EditWay:
    """Return the edits from a line's candidate, which scores `before`, to another text over the same references."""
    segment, a = line.segment.segment, line.segment.candidate
    words = tuple([token.form for token in other])
    edits = edit_shares(metric, segment, words, settings)
    after = metric.from_stats(metric.statistics(segment._replace(candidate=words), settings), settings).score
    typed = QuotedWords([token.raw for token in a], [token.raw for token in other], ())
    sentences = [
        plain(edit_sentence(metric, segment, words, settings, edits, row, typed, 4, to)) for row in edit_rows(edits)
    ]
    return EditWay(edits, tuple(sentences), before, after, tuple(a), tuple(other))


def ways_to_references(metric: Metric, line: SegmentLine, result: Result) -> list[EditWay]:
    """Return the edits to each reference of a line.

    References that decide parts of the score come first, then those with the largest credit of the result's marks.
    """
    references = line.segment.references
    return [
        find_edit_way(metric, result.settings, line, references[k], result.score, "to a reference")._replace(
            reference=line.files[k]
        )
        for k in ranked_references([(metric, result)], range(len(line.files)))
    ]


def _typed_text(tokens: Sequence[Token]) -> str:
    """Return the words as they were typed, joined by spaces."""
    return " ".join([printable(token.raw) for token in tokens])


def as_text(edit_way: EditWay, indent: str) -> Iterator[str]:
    """Yield a line for each row of edits, where a move is one row, in the order of the absolute share, largest first.

    A line has the share and the sentence. Between two outputs it also has the score of the other output without this
    edit.
    """
    rows = zip(edit_rows(edit_way.edits), edit_way.sentences, strict=True)
    for row, sentence in sorted(rows, key=lambda each: -abs(_share(each[0]))):
        share = f"{'≈ ' if row[0].orders else ''}{signed(_share(row), 4)}"
        back = "" if edit_way.reference is not None else f" Without this edit: {row[0].back:.4f}."
        yield f"{indent}{share:>9}  {sentence}{back}"
    if not edit_way.edits:
        yield f"{indent}no edit: the texts are the same"
    elif orders := edit_way.edits[0].orders:
        yield f"{indent}≈ the mean over {orders} orders of the edits, not over all"


def _share(row: Sequence[EditShare]) -> float:
    """Return the sum of the shares of a row of edits."""
    return math.fsum([edit.share for edit in row])


def as_json(edit_way: EditWay) -> dict[str, Any]:
    """Return the edits as a JSON object.

    Positions count from 0. `gone` and `came` are the words as typed. Both edits of a move have the same `why`.
    """
    why = {
        edit: sentence
        for row, sentence in zip(edit_rows(edit_way.edits), edit_way.sentences, strict=True)
        for edit in row
    }
    out: dict[str, Any] = {} if edit_way.reference is None else {"reference": edit_way.reference}
    return {
        **out,
        "from": edit_way.before,
        "to": edit_way.after,
        "edits": [
            {
                **{name: getattr(edit, name) for name in ("start", "end")},
                "words": list(edit.words),
                **{name: getattr(edit, name) for name in ("at", "move", "share", "back", "orders")},
                "gone": [token.raw for token in edit_way.a[edit.start : edit.end]],
                "came": [token.raw for token in edit_way.b[edit.at : edit.at + len(edit.words)]],
                "why": why[edit],
            }
            for edit in edit_way.edits
        ],
    }


#: The columns of a table of edits. `at` is the position, from 1, of the first word that is removed, or of the word
#: before which words are inserted; `count` is how many words are removed.
COLUMNS = ("reference", "at", "count", "gone", "came", "move", "share", "back", "orders")


def cells(edit_way: EditWay) -> Iterator[tuple[str | float, ...]]:
    """Yield a row of table cells for each edit, in the order of `COLUMNS`."""
    for edit in edit_way.edits:
        gone_tokens, came = edit_way.a[edit.start : edit.end], edit_way.b[edit.at : edit.at + len(edit.words)]
        move = "" if edit.move is None else edit.move + 1
        k = "" if edit_way.reference is None else edit_way.reference + 1
        words = csv_cell(_typed_text(gone_tokens)), csv_cell(_typed_text(came))
        yield (k, edit.start + 1, edit.end - edit.start, *words, move, edit.share, edit.back, edit.orders)
