"""What surrounds the cells of a difference, in both outputs, new or gone: runs as blocks or as lines, neighbours,
discordant pairs, errors, shifts, numbers of rounds, and rows of words that went or came.

Rows are those of the difference. Everything is made from two results; nothing is scored or compared here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from metrics.analysis.changes import Change
from metrics.analysis.difference import Place, Row, pooled
from metrics.types import Deferred, Edit, Hit, Mark, Neighbours, Result, Run, Shift, SkipBigram

from ..pen import marks, theme
from ..pen.marks import Marks
from ..pen.shapes import Point, Shape, arrow, centre, square
from .differences import SIDES, Leads, Words, row_of


def _both(a: dict[object, Mark], b: dict[object, Mark]) -> Iterator[tuple[str, str, Mark]]:
    """Marks of A and B by what makes them the same: what became of each, its side, and the mark; of both it is B's."""
    for key in dict.fromkeys((*a, *b)):
        if key in a and key in b:
            yield "kept", "b", b[key]
        elif key in a:
            yield "lost", "a", a[key]
        else:
            yield "gained", "b", b[key]


def runs(rows: Sequence[Row], a: Result, b: Result, leads: Leads) -> list[Shape]:
    """The blocks of runs of several words whose areas are credited, in both, new or gone, each as one box. Rows of the
    other output that come between those of a run are hatched, and its length stands in the box."""
    numbers = {side: row_of(rows, side) for side in SIDES}
    found: list[dict[object, Mark]] = []
    for side, result in zip(SIDES, (a, b), strict=True):
        own = [m for m in _marks_of(result, Run, area=True) if isinstance(m, Run)]
        found.append({(numbers[side][m.i], m.k, m.j, m.length): m for m in own})
    out = []
    for fate, side, mark in _both(*found):
        assert isinstance(mark, Run)
        if mark.length > 1:
            words = math.ceil(mark.length)
            mine = [numbers[side][i] for i in range(mark.i, mark.i + words)]
            out += _box(mark, mine, fate, leads.get((side, mark), ""))
    return out


def _box(run: Run, mine: Sequence[int], fate: str, lead: str) -> list[Shape]:
    """A run whose words stand in the rows `mine`, and what shows that others come between them."""
    role: theme.Role = "kept" if fate == "kept" else "gained" if fate == "gained" else "lost"
    (top, left), (bottom, right) = (mine[0], run.j), (mine[-1] + 1 - len(mine) + run.length, run.j + run.length)
    corners = ((top, left), (top, right), (bottom, right), (bottom, left))
    out = [Shape("polygon", role, run.k, corners, lead=lead)]
    between = sorted({*range(mine[0], mine[-1])} - {*mine})
    for row in between:
        for n in range(math.ceil(right - left) * _STROKES):
            at = left + n / _STROKES
            end = min(right, at + 1 / _STROKES)
            strokes = ((row + 1.0, at), (row + 1 - (end - at) * _STROKES, end))
            out.append(Shape("line", "cut through", run.k, strokes, lead=lead))
    if between:
        length = f"{run.length:.4g}"
        out.append(Shape("digit", "length", run.k, ((top + 0.5, right - 0.5),), text=length, lead=lead))
    return out


_STROKES = 2  # of the hatching of a row, for each of its cells


def errors(rows: Sequence[Row], a: Result, b: Result, leads: Leads) -> list[Shape]:
    """The edits that are no matches: new ones, those that are gone, and those of both. A substitution is a square, an
    extra word stands before the reference word that follows it, a missing one between two rows."""
    numbers = {side: row_of(rows, side) for side in SIDES}
    found: list[dict[object, Mark]] = []
    for side, result in zip(SIDES, (a, b), strict=True):
        own: dict[object, Mark] = {}
        for mark in _marks_of(result, Edit):
            if isinstance(mark, Edit) and mark.op != "match":
                words = tuple([numbers[side][i] for i in range(mark.i_start, mark.i_end)])
                at = () if mark.op == "insertion" else (mark.j_start, mark.j_end)
                own[mark.op, words, mark.k, at] = mark
        found.append(own)
    out = []
    for fate, side, mark in _both(*found):
        assert isinstance(mark, Edit)
        role: theme.Role = "kept error" if fate == "kept" else "new error" if fate == "gained" else "gone error"
        lead = leads.get((side, mark), "")
        for i in range(mark.i_start, mark.i_end):
            row = numbers[side][i]
            if mark.op == "insertion":
                out.append(Shape("plus", role, mark.k, ((row + 0.5, float(mark.j_start)),), lead=lead))
            else:
                cell = Hit(row, mark.k, mark.j_start + i - mark.i_start)
                out.append(Shape("polygon", role, mark.k, square(cell.i, cell.j, 1, 0.2), cell, lead=lead))
        if mark.op == "deletion":
            row = numbers[side].get(mark.i_start, len(rows))
            middles = [j + 0.5 for j in range(mark.j_start, mark.j_end)]
            out += [Shape("minus", role, mark.k, ((float(row), j),), lead=lead) for j in middles]
    return out


def error_rows(rows: Sequence[Row], a: Result, b: Result) -> dict[int, set[int]]:
    """For each reference the rows of its errors that are new or gone."""
    out: dict[int, set[int]] = {}
    for shape in errors(rows, a, b, {}):
        if shape.role != "kept error" and shape.kind != "minus":
            out.setdefault(shape.k, set()).add(int(min(row for row, _ in shape.points)))
    return out


def links(rows: Sequence[Row], a: Result, b: Result, leads: Leads) -> list[Shape]:
    """A line from each cell of a run to the next one where not the area of the run is credited: n-grams, chunks, parts
    of a longest common subsequence."""
    found, lead = [], dict[tuple[str, tuple[int, int, int, int]], str]()
    for side, result in zip(SIDES, (a, b), strict=True):
        numbers, own = row_of(rows, side), set()
        for mark in _marks_of(result, Run, area=False):
            for one, next_ in pairwise(mark.cells()):
                own.add(step := (one.k, numbers[one.i], one.j, numbers[next_.i]))
                lead[side, step] = lead.get((side, step)) or leads.get((side, mark), "")
        found.append(own)
    out = []
    # Where references are pooled it says nothing in which of them a step lies.
    both = found[0] & found[1]
    if pooled(a, b):
        in_both = {(row, next_row) for _, row, _, next_row in found[0]} & {(row, last) for _, row, _, last in found[1]}
        both = {step for step in found[0] | found[1] if (step[1], step[3]) in in_both}
    for step in sorted(found[0] | found[1]):
        k, row, j, next_row = step
        role: theme.Role = "kept" if step in both else "lost" if step in found[0] else "gained"
        ends = ((row + 0.5, j + 0.5), (next_row + 0.5, j + 1.5))
        out.append(Shape("line", role, k, ends, lead=lead.get(("b", step)) or lead.get(("a", step), "")))
    return out


def neighbours(rows: Sequence[Row], a: Result, b: Result, leads: Leads) -> list[Shape]:
    """Blocks that follow one another as two triangles, in both, new or gone."""
    numbers = {side: row_of(rows, side) for side in SIDES}

    def placed(side: str, mark: Neighbours) -> tuple[tuple[Point, ...], ...]:
        def edge(row: float, last: float) -> float:
            """Where the row that begins here begins on the difference, or the last one ends."""
            of = numbers[side]
            return of[int(row) - 1] + 1.0 if row == last else float(of[int(row)])

        areas = [area.corners for area in mark.areas()]
        return tuple([tuple([(edge(r, max(r for r, _ in own)), c) for r, c in own]) for own in areas])

    found: list[dict[object, Mark]] = []
    for side, result in zip(SIDES, (a, b), strict=True):
        own = [mark for mark in _marks_of(result, Neighbours) if isinstance(mark, Neighbours)]
        found.append({(mark.first.k, placed(side, mark)): mark for mark in own})
    out = []
    for fate, side, mark in _both(*found):
        assert isinstance(mark, Neighbours)
        role: theme.Role = "kept area" if fate == "kept" else "new area" if fate == "gained" else "gone area"
        lead = leads.get((side, mark), "")
        out += [Shape("polygon", role, mark.first.k, corners, lead=lead) for corners in placed(side, mark)]
    return out


PAIRS_MOST = 60  # lines between two cells beyond which they are only a blot
PAIRS_READ = 5_000  # pairs of one output that are looked at; long texts have a million


def pairs(rows: Sequence[Row], a: Result, b: Result, leads: Leads) -> list[Shape]:
    """A line between the two cells of each pair whose order is reversed and that is new or gone; none where they are
    many, see `left_out`."""
    found = _pairs(rows, a, b)
    if found is None or sum(map(len, found)) > PAIRS_MOST:
        return []
    out = []
    roles: tuple[theme.Role, theme.Role] = ("gone pair", "new pair")
    for side, role, own in zip(SIDES, roles, found, strict=True):
        for (one, other), mark in own.items():
            ends = (centre(Hit(*one)), centre(Hit(*other)))
            out.append(Shape("line", role, one.k, ends, lead=leads.get((side, mark), "")))
    return out


def left_out(rows: Sequence[Row], a: Result, b: Result) -> str:
    """In words which pairs are too many to be drawn; "" where all are."""
    choose = "Choose their step to light their cells."
    found = _pairs(rows, a, b)
    if found is None:
        return f"The discordant pairs are too many to be drawn. {choose}"
    gone, new = map(len, found)
    if gone + new <= PAIRS_MOST:
        return ""
    counts = " and ".join([f"{count:,} are {says}" for count, says in ((new, "new"), (gone, "gone")) if count])
    return f"Of the discordant pairs {counts}, too many to be drawn. {choose}"


Pairs = dict[tuple[Place, Place], SkipBigram]


def _pairs(rows: Sequence[Row], a: Result, b: Result) -> tuple[Pairs, Pairs] | None:
    """The pairs of cells whose order is reversed in A alone and in B alone, on the rows of the difference; None where
    they are too many to be looked at."""
    found: list[Pairs] = []
    layers = [layer for result in (a, b) for _, layer in marks.counting(result, "order", cost=True)]
    if any(len(layer.marks) > PAIRS_READ for layer in layers):
        return None
    for side, result in zip(SIDES, (a, b), strict=True):
        numbers, own = row_of(rows, side), dict[tuple[Place, Place], SkipBigram]()
        for _, layer in marks.counting(result, "order", cost=True):
            for mark in layer.marks:
                if isinstance(mark, SkipBigram):
                    one, other = [Place(numbers[i], k, j) for i, k, j in mark]
                    own[one, other] = mark
        found.append(own)
    ours, theirs = found
    return (
        {key: mark for key, mark in ours.items() if key not in theirs},
        {key: mark for key, mark in theirs.items() if key not in ours},
    )


def shifts(rows: Sequence[Row], a: Marks, b: Marks, leads: Leads) -> list[Shape]:
    """An arrow from each block that is moved to where it is put, in both, new or gone."""
    ways: list[dict[object, Mark]] = []
    drawn: dict[tuple[str, Mark], tuple[float, float]] = {}  # from row to row
    for side, known in zip(SIDES, (a, b), strict=True):
        numbers, own = row_of(rows, side), dict[object, Mark]()
        for _, shift, (row, up) in known.shifts:
            top, bottom = numbers[min(shift.rows)], numbers[max(shift.rows)] + 1
            place = numbers[row] if up else numbers[row - 1] + 1
            drawn[side, shift] = (max(place, top) if up else min(place, bottom), place)
            own[tuple([numbers[i] for i in shift.rows]), shift.k, shift.j, place] = shift
        ways.append(own)
    out = []
    for fate, side, mark in _both(*ways):
        assert isinstance(mark, Shift)
        role: theme.Role = "kept shift" if fate == "kept" else "new shift" if fate == "gained" else "gone shift"
        look = Shape("line", role, mark.k, (), lead=leads.get((side, mark), ""))
        out += arrow(look, *drawn[side, mark], (mark.j, mark.j + len(mark.rows)))
    return out


def _marks_of(result: Result, kind: type, area: bool | None = None) -> Iterator[Mark]:
    """The marks of a kind; of layers whose area is credited, or not, where that is asked."""
    for layer in result.layers:
        if not isinstance(layer.marks, Deferred) and area in (None, layer.area):
            yield from (mark for mark in layer.marks if isinstance(mark, kind))


def rounds(rows: Sequence[Row], a: Marks, b: Marks) -> list[Shape]:
    """The number of the round in the corner of each cell that has one, B's where both have."""
    out: dict[Place, Shape] = {}
    for side, known in zip(SIDES, (a, b), strict=True):
        numbers = row_of(rows, side)
        for (i, k, j), number in known.covered.items():
            if number:
                row = numbers[i]
                corner = ((row + 0.78, j + 0.84),)
                says = f"{'AB'[SIDES.index(side)]}: {number}"
                before = out.get(Place(row, k, j))
                says = f"{before.says}, {says}" if before else f"round in {says}"
                out[Place(row, k, j)] = Shape("digit", "number", k, corner, Hit(row, k, j), number, says=says)
    return list(out.values())


def bands(steps: Sequence[Change], rows: Sequence[Row], references: Sequence[Words]) -> list[Shape]:
    """A line through the row of each word that went or came without a match, which leads to the step it caused."""
    out = []
    for number, step in enumerate(steps):
        for role, side, positions in (("went", "a", step.gone), ("came", "b", step.came)):
            numbers = row_of(rows, side)
            for at in positions:
                row = numbers[at] + 0.5
                for k, words in enumerate(references):
                    look: theme.Role = "went" if role == "went" else "came"
                    ends = ((row, 0.0), (row, float(len(words))))
                    out.append(Shape("line", look, k, ends, lead=f"step:{number}"))
    return out
