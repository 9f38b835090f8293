"""The option --edits, which shows what each edit from one text to another contributes, as text, JSON or TSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..analysis.deciding_references import ranked_references
from ..analysis.edit_sentence import Way as Towards
from ..analysis.edit_sentence import edit_rows, explain_row
from ..analysis.edit_shares import EditShare, edit_shares
from ..analysis.sentence import QuotedWords, plain_text
from ..text import Token, csv_cell, printable
from ..text.files import SegmentLine
from ..types import Metric, Result, Settings, signed_text


class ScoredEdits(NamedTuple):
    """The edits that turn a segment's candidate into another text, with the scores of both texts.

    Attributes:
        edits: the edits, each with its share of the difference of the scores.
        sentences: a sentence about each row of `edit_rows(edits)`, where the two edits of a move are one row.
        before: the score of the candidate.
        after: the score of the other text.
        a: the tokens of the candidate, as typed.
        b: the tokens of the other text, as typed.
        reference: if the other text is a reference, the index of its file; None if it is another output.
    """

    edits: tuple[EditShare, ...]
    sentences: tuple[str, ...]
    before: float
    after: float
    a: tuple[Token, ...]
    b: tuple[Token, ...]
    reference: int | None = None


def reference_file_index(scored_edits: ScoredEdits) -> int:
    """Return the index of the reference file whose text the edits lead to; the other text must be a reference."""
    assert scored_edits.reference is not None
    return scored_edits.reference


def find_scored_edits(
    metric: Metric, settings: Settings, line: SegmentLine, other: Sequence[Token], before: float, to: Towards
) -> ScoredEdits:
    """Return the edits that turn a line's candidate into `other`, a text over the same references.

    `before` is the candidate's score. `to` is the phrase that sentences use for the direction, such as "from A to
    B".
    """
    segment, a = line.segment.segment, line.segment.candidate
    words = tuple([token.form for token in other])
    edits = edit_shares(metric, segment, words, settings)
    after = metric.from_stats(metric.statistics(segment._replace(candidate=words), settings), settings).score
    typed = QuotedWords([token.raw for token in a], [token.raw for token in other], ())
    sentences = [
        plain_text(explain_row(metric, segment, words, settings, edits, row, typed, 4, to).parts)
        for row in edit_rows(edits)
    ]
    return ScoredEdits(edits, tuple(sentences), before, after, tuple(a), tuple(other))


def edits_to_references(metric: Metric, line: SegmentLine, result: Result) -> list[ScoredEdits]:
    """Return, for each reference of a line, the edits that turn the candidate into it.

    References that decide parts of the score come first, then the references in which the marks of `result` have the
    largest credit.
    """
    references = line.segment.references
    return [
        find_scored_edits(metric, result.settings, line, references[k], result.score, "to a reference")._replace(
            reference=line.files[k]
        )
        for k in ranked_references([(metric, result)], range(len(line.files)))
    ]


def _typed_text(tokens: Sequence[Token]) -> str:
    """Return the tokens as they were typed, joined by spaces."""
    return " ".join([printable(token.raw) for token in tokens])


def as_text(scored_edits: ScoredEdits, indent: str) -> Iterator[str]:
    """Yield a line of text for each edit, where a move is one line, with the largest absolute share first.

    A line has the share and the sentence about the edit. Where the other text is another output, the line also has that
    output's score without this edit.
    """
    rows = zip(edit_rows(scored_edits.edits), scored_edits.sentences, strict=True)
    for row, sentence in sorted(rows, key=lambda each: -abs(_row_share(each[0]))):
        share = f"{'≈ ' if row[0].orders else ''}{signed_text(_row_share(row), 4)}"
        back = "" if scored_edits.reference is not None else f" Without this edit: {row[0].back:.4f}."
        yield f"{indent}{share:>9}  {sentence}{back}"
    if not scored_edits.edits:
        yield f"{indent}no edit: the texts are the same"
    elif orders := scored_edits.edits[0].orders:
        yield f"{indent}≈ the mean over {orders} orders of the edits, not over all"


def _row_share(row: Sequence[EditShare]) -> float:
    """Return the sum of the shares of the edits in `row`, which is one edit or the two edits of a move."""
    return math.fsum([edit.share for edit in row])


def as_json(scored_edits: ScoredEdits) -> dict[str, Any]:
    """Return the edits as a JSON object, in which positions count from 0.

    `gone` and `came` are the words that an edit removes and inserts, as typed. Both edits of a move have the same
    sentence `why`.
    """
    why = {
        edit: sentence
        for row, sentence in zip(edit_rows(scored_edits.edits), scored_edits.sentences, strict=True)
        for edit in row
    }
    out: dict[str, Any] = {} if scored_edits.reference is None else {"reference": scored_edits.reference}
    return {
        **out,
        "from": scored_edits.before,
        "to": scored_edits.after,
        "edits": [
            {
                **{name: getattr(edit, name) for name in ("start", "end")},
                "words": list(edit.words),
                **{name: getattr(edit, name) for name in ("at", "move", "share", "back", "orders")},
                "gone": [token.raw for token in scored_edits.a[edit.start : edit.end]],
                "came": [token.raw for token in scored_edits.b[edit.at : edit.at + len(edit.words)]],
                "why": why[edit],
            }
            for edit in scored_edits.edits
        ],
    }


#: The columns of a table of edits. `at` is the position, from 1, of the first word that is removed, or of the word
#: before which words are inserted; `count` is how many words are removed.
COLUMNS = ("reference", "at", "count", "gone", "came", "move", "share", "back", "orders")


def edit_table_rows(scored_edits: ScoredEdits) -> Iterator[tuple[str | float, ...]]:
    """Yield a table row for each edit, with the columns `COLUMNS`."""
    for edit in scored_edits.edits:
        gone_tokens, came = scored_edits.a[edit.start : edit.end], scored_edits.b[edit.at : edit.at + len(edit.words)]
        move = "" if edit.move is None else edit.move + 1
        k = "" if scored_edits.reference is None else scored_edits.reference + 1
        words = csv_cell(_typed_text(gone_tokens)), csv_cell(_typed_text(came))
        yield (k, edit.start + 1, edit.end - edit.start, *words, move, edit.share, edit.back, edit.orders)
