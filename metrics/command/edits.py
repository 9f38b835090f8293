"""The command line's edits: what every edit from one text to another is worth, as text, JSON and TSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..analysis.edit_shares import EditShare, edit_shares
from ..text import Token, csv_cell, printable
from ..text.files import Line
from ..types import Metric, Result, Settings, signed


class Way(NamedTuple):
    """The way from a segment's candidate to another text: its edits, and the scores at its ends.

    `a` and `b` are the two texts as typed. `reference` is the number of the reference that the other text is, from 0
    on, or None.
    """

    edits: tuple[EditShare, ...]
    before: float
    after: float
    a: tuple[Token, ...]
    b: tuple[Token, ...]
    reference: int | None = None


def file_of(found: Way) -> int:
    """The number of the reference that a way leads to."""
    assert found.reference is not None
    return found.reference


def way(metric: Metric, settings: Settings, line: Line, other: Sequence[Token], before: float) -> Way:
    """The way from a line's candidate, which scores `before`, to another text over the same references."""
    segment = line.segment.segment
    words = tuple([token.form for token in other])
    edits = edit_shares(metric, segment, words, settings)
    after = metric.from_stats(metric.statistics(segment._replace(candidate=words), settings), settings).score
    return Way(edits, before, after, tuple(line.segment.candidate), tuple(other))


def ways_to_references(metric: Metric, line: Line, result: Result) -> list[Way]:
    """The way to each reference, those that decide first."""
    numbers = dict.fromkeys((*result.decides.values(), *range(len(line.files))))
    references = line.segment.references
    return [
        way(metric, result.settings, line, references[k], result.score)._replace(reference=line.files[k])
        for k in numbers
    ]


class Shown(NamedTuple):
    """An edit as it is shown: both edits of a move are one. The words as typed, "" where there are none."""

    gone: str
    came: str
    moved: bool
    share: float
    back: float
    orders: int


def shown(found: Way) -> list[Shown]:
    """The edits, in order; a move stands where its words go."""
    out = []
    for edit in found.edits:
        parts = [other for other in found.edits if edit.move is not None and other.move == edit.move]
        if parts and edit.words:
            continue
        gone = _typed(found.a[edit.start : edit.end])
        came = gone if parts else _typed(found.b[edit.at : edit.at + len(edit.words)])
        share = sum([part.share for part in parts or [edit]])
        out.append(Shown(gone, came, bool(parts), share, edit.back, edit.orders))
    return out


def _typed(tokens: Sequence[Token]) -> str:
    return " ".join([printable(token.raw) for token in tokens])


def as_text(found: Way, indent: str) -> Iterator[str]:
    """A line for each edit, the one that is worth most first: its share, what it is, and the score without it."""
    rows = sorted(shown(found), key=lambda each: -abs(each.share))
    for each in rows:
        share = f"{'≈ ' if each.orders else ''}{signed(each.share, 4)}"
        yield f"{indent}{share:>9}  {_said(each)}  (without it {each.back:.4f})"
    if not rows:
        yield f"{indent}no edit: the texts are the same"
    elif rows[0].orders:
        yield f"{indent}≈ the mean over {rows[0].orders} orders of the edits, not over all"


def _said(each: Shown) -> str:
    if each.moved:
        return f"“{each.gone}” moved"
    if not each.gone:
        return f"“{each.came}” put in"
    if not each.came:
        return f"“{each.gone}” taken out"
    return f"“{each.gone}” → “{each.came}”"


def as_json(found: Way) -> dict[str, Any]:
    """Positions count from 0; `gone` and `came` are the words as typed."""
    out: dict[str, Any] = {} if found.reference is None else {"reference": found.reference}
    return {
        **out,
        "from": found.before,
        "to": found.after,
        "edits": [
            {
                **{name: getattr(edit, name) for name in ("start", "end")},
                "words": list(edit.words),
                **{name: getattr(edit, name) for name in ("at", "move", "share", "back", "orders")},
                "gone": [token.raw for token in found.a[edit.start : edit.end]],
                "came": [token.raw for token in found.b[edit.at : edit.at + len(edit.words)]],
            }
            for edit in found.edits
        ],
    }


#: The columns of a table of edits. `at` is the position, from 1 on, of the first word that goes, or before which words
#: are put; `count` is how many go.
COLUMNS = ("reference", "at", "count", "gone", "came", "move", "share", "back", "orders")


def cells(found: Way) -> Iterator[tuple[str | float, ...]]:
    """A row for each edit, by `COLUMNS`."""
    for edit in found.edits:
        gone, came = found.a[edit.start : edit.end], found.b[edit.at : edit.at + len(edit.words)]
        move = "" if edit.move is None else edit.move + 1
        k = "" if found.reference is None else found.reference + 1
        words = csv_cell(_typed(gone)), csv_cell(_typed(came))
        yield (k, edit.start + 1, edit.end - edit.start, *words, move, edit.share, edit.back, edit.orders)
