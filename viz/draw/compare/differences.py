"""Compute the shapes and sizes of the grid of a difference, whose rows are the rows of a word diff of outputs A and B.

A cell is kept (both outputs use it), lost (only A), gained (only B), or one of a pair of moved cells. Nothing is scored
or compared here."""

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
from ..pen.layout import fit_single_grids
from ..pen.shapes import Point, Shape, centre
from ..pen.text import visible
from .folding import Folds, folded_labels

Words: TypeAlias = Sequence[str]
Names: TypeAlias = tuple[str, str]
#: The name of the step that a mark leads to, by the side of the mark ("a" or "b") and the mark.
StepOfMark: TypeAlias = Mapping[tuple[str, Mark], str]
A_AND_B: Names = ("A", "B")
SIDES: tuple[str, str] = ("a", "b")


def places_by_fate(diff: MatchDifference) -> dict[str, Sequence[object]]:
    """Return the cells of a difference by fate: "kept", "gained", "lost", and "moved" with (old, new) pairs."""
    return {"kept": diff.kept_places, "gained": diff.gained, "lost": diff.lost, "moved": diff.moved}


def count_cells_by_fate(diff: MatchDifference) -> dict[str, int]:
    """Return the number of cells by fate: "kept", "gained", "lost" and "moved"."""
    return {name: len(places) for name, places in places_by_fate(diff).items()}


def row_word_names(row: DiffRow) -> tuple[str, ...]:
    """Return the names of the words of a row: `a3` is word 3 of A, `b4` word 4 of B, counted from 0."""
    return tuple([f"{side}{at}" for side, at in zip(SIDES, row, strict=True) if at is not None])


def rows_by_position(rows: Sequence[DiffRow], side: str) -> dict[int, int]:
    """Return the row of the word diff for each word of one output, by the word's position; `side` is "a" or "b"."""
    return {at: number for number, row in enumerate(rows) if (at := row["ab".index(side)]) is not None}


def output_of_piece(kind: str) -> str:
    """Return the output that a mark of a step is from: "a" if its `kind` of change is "lost", else "b"."""
    return "a" if kind == "lost" else "b"


def cells_of_step(change: LedgerChange, rows: Sequence[DiffRow]) -> frozenset[DiffPlace]:
    """Return the cells of the marks of a step from A's score to B's, on the rows of the word diff.

    Extra and missing words have no cells."""
    numbers = {side: rows_by_position(rows, side) for side in SIDES}
    return frozenset(
        DiffPlace(numbers[output_of_piece(piece.kind)][i], k, j)
        for piece in change.pieces
        for i, k, j in piece.mark.cells()
    )


# ---------------------------------------------------------------- the grid


def row_labels(a_words: Words, b_words: Words, rows: Iterable[DiffRow]) -> list[str]:
    """Return the label of each row of a word diff: its word, with "+ " if only B has it and "− " if only A has it.

    Where the two words of a row differ in what was not compared, such as capitals, the label is B's word."""
    return [
        f"{'+ ' if a is None else ''}{visible(b_words[b])}" if b is not None else f"− {visible(a_words[a or 0])}"
        for a, b in rows
    ]


def cell_shapes(diff: MatchDifference, unused: Iterable[DiffPlace] = ()) -> list[Shape]:
    """Return the shapes of the cells of a difference, back to front.

    `unused` are matches that neither output uses; they are drawn as rings."""

    def marker(kind: theme.Kind, role: theme.Role, place: DiffPlace, says: str) -> Shape:
        cell = Hit(*place)
        return Shape(kind, role, place.k, (centre(cell),), cell, says=says)

    out = [Shape("ring", "unused", p.k, (centre(Hit(*p)),), Hit(*p)) for p in sorted(unused)]
    for old, new in diff.moved:
        if line := _move_line(old, new):
            out.append(Shape("line", move_kind(old, new), old.k, line))
    out += [marker("dot", "kept", place, _row_words_text(place, diff)) for place in diff.kept_places]
    out += [marker("cross", "lost", place, _row_words_text(place, diff)) for place in diff.lost]
    out += [marker("triangle", "gained", place, _row_words_text(place, diff)) for place in diff.gained]
    for old, new in diff.moved:
        role = move_kind(old, new)
        before, after = _MARKERS[role]
        out.append(
            marker(before, role, old, f"{_row_words_text(old, diff)}; now with {_reference_word_text(new, old, diff)}")
        )
        out.append(
            marker(
                after, role, new, f"{_row_words_text(new, diff)}; before with {_reference_word_text(old, new, diff)}"
            )
        )
    return [*dict.fromkeys(out)]  # where references are pooled, a cell may be in two pairs


_MARKERS: dict[theme.Role, tuple[theme.Kind, theme.Kind]] = {
    "elsewhere": ("hollow", "diamond"),
    "moved": ("ring", "hexagon"),
}


def move_kind(old: DiffPlace, new: DiffPlace) -> Literal["elsewhere", "moved"]:
    """Return how the match of a word moved from cell `old` of A to cell `new` of B.

    It is "elsewhere" where the same word of the output is matched with another reference word, and "moved" where
    another occurrence of the word is matched."""
    return "elsewhere" if old.row == new.row else "moved"


def _move_line(old: DiffPlace, new: DiffPlace) -> tuple[Point, Point] | None:
    """Return the ends of the line between two cells, where it leaves the markers in their middles.

    None where the cells belong to different references or are the same."""
    (r, c), (r2, c2) = centre(Hit(*old)), centre(Hit(*new))
    length = math.hypot(r2 - r, c2 - c)
    if old.k != new.k or not length:
        return None
    down, across = 0.3 * (r2 - r) / length, 0.3 * (c2 - c) / length
    return (r + down, c + across), (r2 - down, c2 - across)


def _row_words_text(place: DiffPlace, diff: MatchDifference) -> str:
    """Return as text which words of A and of B are in a cell's row, such as "word 3 of A and word 4 of B"."""
    a, b = diff.rows[place.row]
    return " and ".join([f"word {at + 1} of {name}" for at, name in ((a, "A"), (b, "B")) if at is not None])


def _reference_word_text(place: DiffPlace, other: DiffPlace, diff: MatchDifference) -> str:
    """Return as text which reference word a cell has, such as "word 2 of reference 1".

    Where the cell `other`, from or to which the match moved, is in another row, the words of the cell's row follow."""
    row = f", as {_row_words_text(place, diff)}" if place.row != other.row else ""
    return f"word {place.j + 1} of reference {place.k + 1}{row}"


def unused_matches(diff: MatchDifference, a_hits: Iterable[Hit], b_hits: Iterable[Hit]) -> set[DiffPlace]:
    """Return the matches of A's and of B's words that neither output uses, on the rows of the difference."""
    used = {*diff.kept_places, *diff.gained, *diff.lost, *(place for pair in diff.moved for place in pair)}
    return {
        place
        for side, hits in zip(SIDES, (a_hits, b_hits), strict=True)
        for numbers in [rows_by_position(diff.rows, side)]
        for i, k, j in hits
        if (place := DiffPlace(numbers[i], k, j)) not in used
    }


# ---------------------------------------------------------------- sizes


class DifferenceLayout(NamedTuple):
    """The sizes of the grids of a difference.

    Attributes:
        cell: size of a cell in pixels.
        folds: stretches of folded rows for each reference, or () where no rows are folded.
        over: pixels by which the grid is higher than what is visible at once, with the smallest cells."""

    cell: int
    folds: tuple[Folds, ...] = ()
    over: float = 0

    def reference_folds(self, k: int | None) -> Folds:
        """Return the folded rows for reference `k`.

        None are folded where `k` is None, because references side by side share their rows."""
        return () if k is None or not self.folds else self.folds[k]


class GridRoom(NamedTuple):
    """The width of the page, and the height up to which a grid is visible as a whole, in pixels; None for unknown."""

    width: int
    high: int | None = None


HIGH_LEAST, HIGH = 450, 0.36  # height of a grid in an unknown window: at least in pixels, and as part of the page width
HIGH_BELOW = 640  # height in pixels of a grid that is below everything else, as in narrow windows
LEGIBLE = 11  # smallest cell in pixels whose label is easy to read; before cells become smaller, rows are folded


def layout_for_room(labels: Words, references: Sequence[Words], room: GridRoom) -> DifferenceLayout:
    """Return the size of cells with which the grid of each reference fits `room`; `labels` are the labels of all rows.

    On a wide page, the grids are next to the words and the inspector, which take their share of the width."""
    return _layout_by_labels([labels] * len(references), references, room)


def _layout_by_labels(labels: Sequence[Words], references: Sequence[Words], room: GridRoom) -> DifferenceLayout:
    """Return the size of cells with which the grid of each reference fits `room`.

    `labels` has the row labels of each grid."""
    high = HIGH_BELOW
    if room.width >= WIDE:
        high = room.high or max(HIGH_LEAST, int(HIGH * room.width))
    cell, height = fit_single_grids(labels, references, figure_width(room.width), high)
    return DifferenceLayout(cell, over=max(0, height - high))


def folded_layout(
    labels: Words, references: Sequence[Words], room: GridRoom, ways: Iterable[Sequence[Folds]]
) -> DifferenceLayout:
    """Return a layout with folded rows, where cells would be too small to read or the grid too high without folds.

    `ways` are the possible choices of rows to fold, each a list with the folds for each reference. The first choice
    that solves both problems is taken, or else the last one that improves the layout."""
    best = layout_for_room(labels, references, room)
    for folds in ways:
        if best.cell >= LEGIBLE and not best.over:
            break
        tried_layout = _layout_by_labels([folded_labels(labels, row_folds) for row_folds in folds], references, room)
        if (-tried_layout.over, tried_layout.cell) > (-best.over, best.cell):
            best = tried_layout._replace(folds=tuple(folds))
    return best


DETAIL = 40  # words on each side of a window


def window_around(diff: MatchDifference, references: Sequence[Words], at: DiffPlace | None = None) -> Window:
    """Return the part of the grid of a long difference that is drawn: the one around the cell `at`.

    By default that is the first changed cell, or the first used cell where none changed."""
    changed = [*diff.gained, *diff.lost, *(place for pair in diff.moved for place in pair)]
    row, k, j = at or min(changed or diff.kept_places, default=DiffPlace(0, 0, 0))
    n, m = len(diff.rows), len(references[k])
    first, first_column = (max(0, min(middle - DETAIL // 2, count - DETAIL)) for middle, count in ((row, n), (j, m)))
    return Window(k, first, first_column, min(DETAIL, n), min(DETAIL, m))


def output_windows(rows: Sequence[DiffRow], part: Window) -> tuple[Window, Window]:
    """Return the parts of A's and of B's grid that a window of the difference shows.

    A part has 0 rows where the window contains no words of the output."""

    def side_window(words_before: Iterable[int | None], words_inside: Iterable[int | None]) -> Window:
        """Return the window on the grid of one output.

        The arguments are the output's word positions, None where it has no word, in the rows before and inside
        `part`."""
        before, inside = (sum(at is not None for at in each) for each in (words_before, words_inside))
        return part._replace(i=before, rows=inside)

    before, inside = rows[: part.i], rows[part.i : part.i + part.rows]
    a, b = (([row[side] for row in before], [row[side] for row in inside]) for side in (0, 1))
    return side_window(*a), side_window(*b)


# ---------------------------------------------------------------- references


def count_used_cells(diff: MatchDifference, k: int) -> int:
    """Return how many cells of reference `k` A or B uses."""
    moved: Collection[DiffPlace] = [place for pair in diff.moved for place in pair]
    return len({place for place in (*diff.kept_places, *diff.gained, *diff.lost, *moved) if place.k == k})
