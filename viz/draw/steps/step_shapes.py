"""Define how the marks of an algorithm's step look: shapes on the grid, cells of a table, and classes of words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from metrics.teach.steps import TableCell
from metrics.types import Edit, Hit, Mark, Neighbours, Relation, Run, Shift, SkipBigram

from ..pen.marks import shift_destination, touched_words
from ..pen.shapes import Point, Shape, centre, hexagon, square
from ..pen.theme import LOOKS, ExaminedRole, Kind, Role
from ..texts import ProcessedTexts

#: The look of a taken cell, on a grid, under a table's values and as a line, by the relation of its words.
_TAKEN: dict[Relation, tuple[Role, Kind]] = {
    "equal": ("taken", "dot"),
    "stem": ("taken stem", "diamond"),
    "synonym": ("taken synonym", "triangle"),
    "similar": ("taken similar", "polygon"),
}
#: The looks whose classes words have, by what a step does with them, except for taken words.
_WORDS: dict[str, tuple[Role, Kind]] = {
    "rejected": ("rejected", "cross"),
    "considered": ("considered", "line"),
}


class StepWord(NamedTuple):
    """A word's name and the CSS class that the word has at a step."""

    name: str
    look: str


def hit_shape(hit: Hit, tabled: bool) -> Shape:
    """Return the shape of a match: a ring, or a tinted cell where the cells contain a table's values (`tabled`)."""
    if tabled:
        return Shape("polygon", "hit", hit.k, square(hit.i, hit.j, 1, 0.04), hit)
    return Shape("ring", "hit", hit.k, (centre(hit),), hit)


def table_value_shapes(k: int, row: int, column: int, value: str, other: str) -> Iterator[Shape]:
    """Yield the shapes of a table's value in a cell, and of a second table's value `other` unless it is "".

    `row` and `column` are those of the grid with reference `k`."""
    if other:
        yield Shape("digit", "filled", k, ((row + 0.36, column + 0.44),), text=value)
        yield Shape("digit", "filled beside", k, ((row + 0.78, column + 0.72),), text=other)
    else:
        yield Shape("digit", "filled", k, ((row + 0.5, column + 0.5),), text=value)


def cell_shapes(k: int, border: int, cell: TableCell) -> Iterator[Shape]:
    """Yield the shapes of the table cell that a step fills, and arrows from the cells that its value came from.

    `border` is how many rows and columns the table has before the first word."""
    row, column = cell.row - border, cell.column - border
    for other in cell.came:
        up, left_column = other[0] - border, other[1] - border
        yield Shape("polygon", "came from", k, square(up, left_column, 1, 0.1))
        yield Shape(
            "line", "came from", k, _arrow_points((up + 0.5, left_column + 0.5), (row + 0.5, column + 0.5), 0.3)
        )
    yield Shape("polygon", "filled now", k, square(row, column, 1, 0.04))


def _arrow_points(
    start: tuple[float, float], end: tuple[float, float], away: float = 0
) -> tuple[tuple[float, float], ...]:
    """Return the points of an arrow with an open head, drawn as one line.

    Its ends keep the distance `away`, in cells, from `start` and `end`."""
    down, right = end[0] - start[0], end[1] - start[1]
    long = (down**2 + right**2) ** 0.5 or 1.0
    down, right = down / long, right / long
    tail = (start[0] + away * down, start[1] + away * right)
    tip = (end[0] - away * down, end[1] - away * right)
    head = min(0.26, long / 2)
    wings = [
        (tip[0] - head * down + side * 0.6 * head * right, tip[1] - head * right - side * 0.6 * head * down)
        for side in (1, -1)
    ]
    return tail, tip, wings[0], tip, wings[1]


def marked_words(name: str, mark: Mark, relation: Callable[[Hit], Relation]) -> Iterator[StepWord]:
    """Yield the words of a mark, each with the CSS class for what the step does with the mark (`name`).

    `name` is such as "taken", and `relation` maps a cell to why its words match."""
    if name == "taken" and isinstance(mark, Hit | Run):
        for cell in mark.cells():
            for word in touched_words(cell).names():
                for look in LOOKS[_TAKEN[relation(cell)]].word.split():
                    yield StepWord(word, look)
        return
    for word in touched_words(mark).names():
        yield StepWord(word, LOOKS[_WORDS.get(name, _TAKEN["equal"])].word)


def role_of(relation: Relation) -> Role:
    """Return the role of a taken cell whose words match by `relation`."""
    return _TAKEN[relation][0]


def taken_shapes(mark: Mark, tabled: bool, relation: Callable[[Hit], Relation]) -> Iterator[Shape]:
    """Yield the shapes of a mark that a step takes.

    `tabled` is whether the cells contain values of a table, and `relation` maps a cell to why its words match."""
    if isinstance(mark, Edit) and mark.op != "match":
        yield from _error_shapes(mark, tabled)
        return
    if isinstance(mark, Run) and len(mark.cells()) > 1 and not tabled:
        yield Shape("polygon", "taken", mark.k, square(mark.i, mark.j, mark.length))
    if isinstance(mark, Neighbours):
        for area in mark.areas():
            yield Shape("polygon", "taken", area.k, area.corners)
    for cell in mark.cells():
        role, kind = _TAKEN[relation(cell)]
        if kind == "polygon":
            yield Shape(kind, role, cell.k, hexagon(cell), cell)
        elif tabled:
            yield Shape("polygon", "taken", cell.k, square(cell.i, cell.j, 1, 0.07), cell)
        else:
            yield Shape(kind, role, cell.k, (centre(cell),), cell)


def _error_shapes(edit: Edit, tabled: bool) -> Iterator[Shape]:
    """Yield the shapes of an edit that is not a match; `tabled` is whether the cells contain values of a table."""
    if edit.op == "substitution":
        for cell in edit.cells():
            yield Shape("cross", "substituted", cell.k, (_cross_point(cell, tabled),), cell)
        return
    role: Literal["extra", "missing"] = "extra" if edit.op == "insertion" else "missing"
    ends = ((edit.i_start, edit.j_start), (edit.i_end, edit.j_end))
    middle = ((edit.i_start + edit.i_end) / 2, (edit.j_start + edit.j_end) / 2)
    yield Shape("line", role, edit.k, ends)
    yield Shape("plus" if role == "extra" else "minus", role, edit.k, (middle,))


def examined_shapes(
    mark: Mark, role: ExaminedRole, texts: ProcessedTexts, tabled: bool, order: Sequence[int]
) -> Iterator[Shape]:
    """Yield the shapes of a mark that a step considers or rejects; a rejected one is crossed out.

    `tabled` is whether the cells contain values of a table. `order` is the order of the candidate's words on which a
    shift counts."""
    yield from _outline_shapes(mark, role, order, texts)
    for cell in mark.cells() if role == "rejected" else ():
        yield Shape("cross", "rejected", cell.k, (_cross_point(cell, tabled),), cell)


def _cross_point(cell: Hit, tabled: bool) -> Point:
    """Return where a cell is crossed out: in the middle, or with `tabled` beside the value in the cell."""
    return (cell.i + 0.24, cell.j + 0.76) if tabled else centre(cell)


def _outline_shapes(mark: Mark, role: ExaminedRole, order: Sequence[int], texts: ProcessedTexts) -> Iterator[Shape]:
    """Yield the outlines of the cells, or of the row or column, that a mark covers.

    `order` is the order of the candidate's words on which a shift counts."""
    if isinstance(mark, Run):
        size = len(mark.cells())
        cell = Hit(*mark[:3]) if size == 1 else None
        yield Shape("polygon", role, mark.k, square(mark.i, mark.j, size, -0.02), cell)
        return
    if isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
        if mark.op == "insertion" and mark.j_start == 0:  # no match: the whole row was searched
            columns = max(len(texts.references[mark.k]), 0.2)
            corners = ((mark.i_start, 0), (mark.i_start, columns), (mark.i_end, columns), (mark.i_end, 0))
            yield Shape("polygon", role, mark.k, tuple([(float(r), float(c)) for r, c in corners]))
        else:
            yield Shape("line", role, mark.k, ((mark.i_start, mark.j_start), (mark.i_end, mark.j_end)))
        return
    if isinstance(mark, SkipBigram):
        yield Shape("line", role, mark.first.k, (centre(mark.first), centre(mark.second)))
    if isinstance(mark, Neighbours):
        for run in (mark.first, mark.second):
            yield Shape("polygon", role, run.k, square(run.i, run.j, run.length, -0.02))
        return
    for cell in mark.cells():
        yield Shape("polygon", role, cell.k, square(cell.i, cell.j, 1, -0.02), cell)
    if isinstance(mark, Shift):
        yield from shift_shapes(mark, role, order or range(len(texts.candidate)))


def shift_shapes(shift: Shift, role: Role, order: Sequence[int]) -> Iterator[Shape]:
    """Yield an arrow from a shifted block to its target, and a bar at the target.

    `order` is the order of the candidate's words before the shift."""
    place, up = shift_destination(shift, order)
    start = max(place, min(shift.rows)) if up else min(place, max(shift.rows) + 1)
    left_column, right = shift.j, shift.j + len(shift.rows)
    yield Shape("line", role, shift.k, ((place, left_column), (place, right)))
    if start != place:
        middle = (left_column + right) / 2
        yield Shape("line", role, shift.k, _arrow_points((start, middle), (place, middle)))
