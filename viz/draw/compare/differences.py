"""What changed between two outputs A and B as shapes on a grid whose rows are those of a word diff: cells, the runs and
the errors around them, the numbers of rounds, and rows of words that went or came.

Everything is made from two results and the values of `metrics.analysis.difference` and `changes`; nothing is scored
or compared here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from metrics.analysis.changes import LedgerChange
from metrics.analysis.difference import DiffPlace, DiffRow, MatchDifference
from metrics.types import Hit, Mark

from ..evidence.fragment import WIDE, figure_width
from ..pen import theme
from ..pen.grid import Window
from ..pen.layout import fit_one
from ..pen.shapes import Point, Shape, centre
from .folding import Folds, folded_labels

Words: TypeAlias = Sequence[str]
Names: TypeAlias = tuple[str, str]
#: The names of the steps to which marks lead, by the side of the mark, "a" or "b".
Leads: TypeAlias = Mapping[tuple[str, Mark], str]
A_AND_B: Names = ("A", "B")
SIDES: tuple[str, str] = ("a", "b")


def places_by_fate(diff: MatchDifference) -> dict[str, Sequence[object]]:
    """The cells that were kept, gained and lost, and pairs of those that moved, in words' order."""
    return {"kept": diff.kept_places, "gained": diff.gained, "lost": diff.lost, "moved": diff.moved}


def counts(diff: MatchDifference) -> dict[str, int]:
    """How many cells were kept, gained and lost, and how many moved."""
    return {name: len(places) for name, places in places_by_fate(diff).items()}


def names_of(row: DiffRow) -> tuple[str, ...]:
    """The names of the words of a row: `a3` is word 3 of A, `b4` word 4 of B, counted from 0."""
    return tuple([f"{side}{at}" for side, at in zip(SIDES, row, strict=True) if at is not None])


def row_of(rows: Sequence[DiffRow], side: str) -> dict[int, int]:
    """For the words of A or of B the numbers of their rows."""
    return {at: number for number, row in enumerate(rows) if (at := row["ab".index(side)]) is not None}


def side_of(kind: str) -> str:
    """Whose words a piece of a step is made of: A's where it was lost, else B's."""
    return "a" if kind == "lost" else "b"


def places(change: LedgerChange, rows: Sequence[DiffRow]) -> frozenset[DiffPlace]:
    """The cells of a step: those of its marks, on the rows of the difference. An extra or a missing word has none."""
    numbers = {side: row_of(rows, side) for side in SIDES}
    return frozenset(
        DiffPlace(numbers[side_of(piece.kind)][i], k, j) for piece in change.pieces for i, k, j in piece.mark.cells()
    )


# ---------------------------------------------------------------- the grid


def row_labels(a_words: Words, b_words: Words, rows: Iterable[DiffRow]) -> list[str]:
    """The words of the rows of the difference, with "+ " or "− " before those that only B or only A has.

    Where the two words of a row differ in what was not compared, as in capitals, it is B's.
    """
    return [
        f"{'+ ' if a is None else ''}{theme.visible(b_words[b])}"
        if b is not None
        else f"− {theme.visible(a_words[a or 0])}"
        for a, b in rows
    ]


def shapes(diff: MatchDifference, unused: Iterable[DiffPlace] = ()) -> list[Shape]:
    """The cells of a difference, back to front, where its rows take the place of the candidate's words.

    `unused` are the matches of which neither output uses any.
    """

    def marker(kind: theme.Kind, role: theme.Role, place: DiffPlace, says: str) -> Shape:
        cell = Hit(*place)
        return Shape(kind, role, place.k, (centre(cell),), cell, says=says)

    out = [Shape("ring", "unused", p.k, (centre(Hit(*p)),), Hit(*p)) for p in sorted(unused)]
    for old, new in diff.moved:
        if line := _move_line(old, new):
            out.append(Shape("line", move_of(old, new), old.k, line))
    out += [marker("dot", "kept", place, _where(place, diff)) for place in diff.kept_places]
    out += [marker("cross", "lost", place, _where(place, diff)) for place in diff.lost]
    out += [marker("triangle", "gained", place, _where(place, diff)) for place in diff.gained]
    for old, new in diff.moved:
        role = move_of(old, new)
        before, after = _MARKERS[role]
        out.append(marker(before, role, old, f"{_where(old, diff)}; now with {_end(new, old, diff)}"))
        out.append(marker(after, role, new, f"{_where(new, diff)}; before with {_end(old, new, diff)}"))
    return [*dict.fromkeys(out)]  # where references are pooled a cell may be in two pairs


_MARKERS: dict[theme.Role, tuple[theme.Kind, theme.Kind]] = {
    "elsewhere": ("hollow", "diamond"),
    "moved": ("ring", "hexagon"),
}


def move_of(old: DiffPlace, new: DiffPlace) -> Literal["elsewhere", "moved"]:
    """Whether the same word is matched elsewhere, or the word stands elsewhere."""
    return "elsewhere" if old.row == new.row else "moved"


def _move_line(old: DiffPlace, new: DiffPlace) -> tuple[Point, Point] | None:
    """The line from a cell to another, as far as it lies outside of their markers; None from panel to panel."""
    (r, c), (r2, c2) = centre(Hit(*old)), centre(Hit(*new))
    length = math.hypot(r2 - r, c2 - c)
    if old.k != new.k or not length:
        return None
    down, across = 0.3 * (r2 - r) / length, 0.3 * (c2 - c) / length
    return (r + down, c + across), (r2 - down, c2 - across)


def _where(place: DiffPlace, diff: MatchDifference) -> str:
    """Which word of A and of B a cell's row is, counted from 1."""
    a, b = diff.rows[place.row]
    return " and ".join([f"word {at + 1} of {name}" for at, name in ((a, "A"), (b, "B")) if at is not None])


def _end(place: DiffPlace, other: DiffPlace, diff: MatchDifference) -> str:
    """The reference word of a cell from which or to which another moved, and its row where that is another."""
    row = f", as {_where(place, diff)}" if place.row != other.row else ""
    return f"word {place.j + 1} of reference {place.k + 1}{row}"


def unused(diff: MatchDifference, a_hits: Iterable[Hit], b_hits: Iterable[Hit]) -> set[DiffPlace]:
    """The matches of A's and of B's words that neither uses, on the rows of the difference."""
    used = {*diff.kept_places, *diff.gained, *diff.lost, *(place for pair in diff.moved for place in pair)}
    return {
        place
        for side, hits in zip(SIDES, (a_hits, b_hits), strict=True)
        for numbers in [row_of(diff.rows, side)]
        for i, k, j in hits
        if (place := DiffPlace(numbers[i], k, j)) not in used
    }


# ---------------------------------------------------------------- sizes


class DifferenceLayout(NamedTuple):
    """The size of all cells, and which of the rows are folded with each reference (`()` where none are with any). The
    smallest cells may make the grid `over` pixels higher than what is seen at once."""

    cell: int
    folds: tuple[Folds, ...] = ()
    over: float = 0

    def reference_folds(self, k: int | None) -> Folds:
        """The rows that are folded with reference `k`; none where all references stand side by side."""
        return () if k is None or not self.folds else self.folds[k]


class GridRoom(NamedTuple):
    """The breadth of the page in pixels, and how high a grid may be to be seen as a whole, None where nobody knows."""

    width: int
    high: int | None = None


HIGH_LEAST, HIGH = 450, 0.36  # of a grid's height where no window is known: pixels, and its part of the page's breadth
HIGH_BELOW = 640  # pixels of a grid that stands below everything else, as in windows that are higher than broad
LEGIBLE = 11  # pixels of a cell beside which words are read well; before cells become smaller, rows are folded


def layout(labels: Words, references: Sequence[Words], room: GridRoom) -> DifferenceLayout:
    """One size of cells for the grid of each reference, whose row labels are `labels`, beside words and inspector where
    the page is broad enough."""
    return _layout([labels] * len(references), references, room)


def _layout(labels: Sequence[Words], references: Sequence[Words], room: GridRoom) -> DifferenceLayout:
    """As `layout`, with row labels for each reference."""
    high = HIGH_BELOW
    if room.width >= WIDE:
        high = room.high or max(HIGH_LEAST, int(HIGH * room.width))
    size = fit_one(labels, references, figure_width(room.width), high)
    return DifferenceLayout(size.cell, over=max(0, size.height - high))


def folded_layout(
    labels: Words, references: Sequence[Words], room: GridRoom, ways: Iterable[Sequence[Folds]]
) -> DifferenceLayout:
    """As `layout`, where cells would be smaller than is read well, or the grid too high, with the first of some ways to
    fold the rows of each reference that mends both, or else with the last that makes it better."""
    best = layout(labels, references, room)
    for folds in ways:
        if best.cell >= LEGIBLE and not best.over:
            break
        tried_layout = _layout([folded_labels(labels, row_folds) for row_folds in folds], references, room)
        if (-tried_layout.over, tried_layout.cell) > (-best.over, best.cell):
            best = tried_layout._replace(folds=tuple(folds))
    return best


DETAIL = 40  # words a side of a window


def window(diff: MatchDifference, references: Sequence[Words], at: DiffPlace | None = None) -> Window:
    """The part of a long difference around a cell: by default the first that changed, or else the first used."""
    changed = [*diff.gained, *diff.lost, *(place for pair in diff.moved for place in pair)]
    row, k, j = at or min(changed or diff.kept_places, default=DiffPlace(0, 0, 0))
    n, m = len(diff.rows), len(references[k])
    first, first_column = (max(0, min(middle - DETAIL // 2, count - DETAIL)) for middle, count in ((row, n), (j, m)))
    return Window(k, first, first_column, min(DETAIL, n), min(DETAIL, m))


def windows(rows: Sequence[DiffRow], part: Window) -> tuple[Window, Window]:
    """The parts of A's and of B's grid that a window of the difference shows; one of no rows where it has no words."""

    def side_window(words_before: Iterable[int | None], words_inside: Iterable[int | None]) -> Window:
        before, inside = (sum(at is not None for at in each) for each in (words_before, words_inside))
        return part._replace(i=before, rows=inside)

    before, inside = rows[: part.i], rows[part.i : part.i + part.rows]
    a, b = (([row[side] for row in before], [row[side] for row in inside]) for side in (0, 1))
    return side_window(*a), side_window(*b)


# ---------------------------------------------------------------- references


def used_by(diff: MatchDifference, k: int) -> int:
    """How many cells of a reference A or B uses."""
    moved: Collection[DiffPlace] = [place for pair in diff.moved for place in pair]
    return len({place for place in (*diff.kept_places, *diff.gained, *diff.lost, *moved) if place.k == k})
