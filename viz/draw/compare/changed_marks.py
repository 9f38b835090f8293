"""Draw the marks around the cells of a difference, each as common to both outputs, new or gone.

The marks are runs (as boxes or as lines), neighbours, discordant pairs, errors, shifts, round numbers, and rows of
unmatched words that only one output has. The parameters `rows` are the rows of the word diff of A and B, `a` and `b`
the results or marks of the two outputs. `leads` maps a mark to the name of the step from A's score to B's that it
belongs to; a click on the mark selects that step. Nothing is scored or compared here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

from metrics.analysis.changes import LedgerChange
from metrics.analysis.difference import DiffPlace, DiffRow, pools_references
from metrics.types import Deferred, Edit, Hit, Mark, Neighbours, Result, Run, Shift, SkipBigram

from ..pen import marks, theme
from ..pen.marks import ResultMarks
from ..pen.shapes import Point, Shape, arrow, centre, square
from .differences import SIDES, StepOfMark, Words, rows_by_position

M = TypeVar("M", bound=Mark)
MarkFate = Literal["kept", "gained", "lost"]
_ERRORS: dict[MarkFate, theme.Role] = {"kept": "kept error", "gained": "new error", "lost": "gone error"}
_AREAS: dict[MarkFate, theme.Role] = {"kept": "kept area", "gained": "new area", "lost": "gone area"}
_SHIFTS: dict[MarkFate, theme.Role] = {"kept": "kept shift", "gained": "new shift", "lost": "gone shift"}


def _marks_with_fates(a: dict[object, M], b: dict[object, M]) -> Iterator[tuple[MarkFate, str, M]]:
    """Yield (fate, side, mark) for each mark of A or B.

    Marks with equal keys in `a` and `b` are the same mark. The fate is "kept" if both outputs have it, "lost" if only
    A, and "gained" if only B. The side is "a" or "b", the output that the mark is from; of a kept mark, B's is
    yielded."""
    for key in dict.fromkeys((*a, *b)):
        if key in a and key in b:
            yield "kept", "b", b[key]
        elif key in a:
            yield "lost", "a", a[key]
        else:
            yield "gained", "b", b[key]


def _placed_marks(
    rows: Sequence[DiffRow],
    both_marks: Sequence[Iterable[M]],
    key: Callable[[M, Mapping[int, int]], object],
    step_of_mark: StepOfMark,
) -> Iterator[tuple[MarkFate, M, Mapping[int, int], str]]:
    """Yield (fate, mark, rows of the words, step) for each of the marks of A and of B, which are `both_marks`.

    The rows are those of the word diff, by position in the output that the mark is from, and the step is the name of
    the step that a click on the mark selects. Marks of A and B for which `key`, given these rows, is equal are the same
    mark."""
    numbers = {side: rows_by_position(rows, side) for side in SIDES}
    sides = zip(SIDES, both_marks, strict=True)
    for fate, side, mark in _marks_with_fates(*({key(m, numbers[s]): m for m in own} for s, own in sides)):
        yield fate, mark, numbers[side], step_of_mark.get((side, mark), "")


def run_boxes(rows: Sequence[DiffRow], a: Result, b: Result, step_of_mark: StepOfMark) -> list[Shape]:
    """Return a box around each run of several words, in layers whose credit is an area (such as GTM's blocks).

    A run that both outputs have gets one box. Where rows with a word of only the other output come between the rows
    of a run, they are hatched, and the box shows the run's length. `step_of_mark` maps marks to the names of their
    steps."""

    def key(run: Run, numbers: Mapping[int, int]) -> object:
        return numbers[run.i], run.k, run.j, run.length

    out = []
    both_marks = [_marks_of(result, Run, area=True) for result in (a, b)]
    for fate, run, numbers, lead in _placed_marks(rows, both_marks, key, step_of_mark):
        if run.length > 1:
            out += _run_box(run, [numbers[i] for i in range(run.i, run.i + math.ceil(run.length))], fate, lead)
    return out


def _run_box(run: Run, own_rows: Sequence[int], fate: MarkFate, lead: str) -> list[Shape]:
    """Return the box of a run whose words are in `own_rows`, with hatching over other rows between them.

    `lead` is the name of the step that a click selects."""
    (top, left_edge), (bottom, right) = (
        (own_rows[0], run.j),
        (own_rows[-1] + 1 - len(own_rows) + run.length, run.j + run.length),
    )
    corners = ((top, left_edge), (top, right), (bottom, right), (bottom, left_edge))
    out = [Shape("polygon", fate, run.k, corners, lead=lead)]
    rows_between = sorted({*range(own_rows[0], own_rows[-1])} - {*own_rows})
    for row in rows_between:
        for n in range(math.ceil(right - left_edge) * _STROKES):
            at = left_edge + n / _STROKES
            end = min(right, at + 1 / _STROKES)
            strokes = ((row + 1.0, at), (row + 1 - (end - at) * _STROKES, end))
            out.append(Shape("line", "cut through", run.k, strokes, lead=lead))
    if rows_between:
        length = f"{run.length:.4g}"
        out.append(Shape("digit", "length", run.k, ((top + 0.5, right - 0.5),), text=length, lead=lead))
    return out


_STROKES = 2  # strokes of hatching for each cell of a row


def error_shapes(rows: Sequence[DiffRow], a: Result, b: Result, step_of_mark: StepOfMark) -> list[Shape]:
    """Return the shapes of all edits that are not matches, each as new, gone or common to both outputs.

    `step_of_mark` maps marks to the names of their steps. A substitution is a square. A plus for an extra word is in
    front of the reference word that follows it. A minus for a missing word is between two rows."""

    def key(edit: Edit, numbers: Mapping[int, int]) -> object:
        words = tuple([numbers[i] for i in range(edit.i_start, edit.i_end)])
        return edit.op, words, edit.k, () if edit.op == "insertion" else (edit.j_start, edit.j_end)

    out = []
    both_marks = [[edit for edit in _marks_of(result, Edit) if edit.op != "match"] for result in (a, b)]
    for fate, mark, numbers, lead in _placed_marks(rows, both_marks, key, step_of_mark):
        role = _ERRORS[fate]
        for i in range(mark.i_start, mark.i_end):
            row = numbers[i]
            if mark.op == "insertion":
                out.append(Shape("plus", role, mark.k, ((row + 0.5, float(mark.j_start)),), lead=lead))
            else:
                cell = Hit(row, mark.k, mark.j_start + i - mark.i_start)
                out.append(Shape("polygon", role, mark.k, square(cell.i, cell.j, 1, 0.2), cell, lead=lead))
        if mark.op == "deletion":
            row = numbers.get(mark.i_start, len(rows))
            middles = [j + 0.5 for j in range(mark.j_start, mark.j_end)]
            out += [Shape("minus", role, mark.k, ((float(row), j),), lead=lead) for j in middles]
    return out


def changed_error_rows(rows: Sequence[DiffRow], a: Result, b: Result) -> dict[int, set[int]]:
    """Return the rows with extra or wrong words that only one output has, as a set for each index of a reference.

    Missing words have no row."""
    out: dict[int, set[int]] = {}
    for shape in error_shapes(rows, a, b, {}):
        if shape.role != "kept error" and shape.kind != "minus":
            out.setdefault(shape.k, set()).add(int(min(row for row, _ in shape.points)))
    return out


def run_lines(rows: Sequence[DiffRow], a: Result, b: Result, step_of_mark: StepOfMark) -> list[Shape]:
    """Return a line from each cell of a run to the next cell, in layers whose credit is not an area.

    Such runs are n-grams, chunks, and stretches of a longest common subsequence. `step_of_mark` maps marks to the names
    of their steps."""
    steps_by_side, lead = [], dict[tuple[str, tuple[int, int, int, int]], str]()
    for side, result in zip(SIDES, (a, b), strict=True):
        numbers, side_steps = rows_by_position(rows, side), set()
        for mark in _marks_of(result, Run, area=False):
            for one, next_ in pairwise(mark.cells()):
                side_steps.add(step := (one.k, numbers[one.i], one.j, numbers[next_.i]))
                lead[side, step] = lead.get((side, step)) or step_of_mark.get((side, mark), "")
        steps_by_side.append(side_steps)
    out = []
    # Where references are pooled, the reference of a step has no meaning: compare rows alone.
    common_steps = steps_by_side[0] & steps_by_side[1]
    if pools_references(a, b):
        common_rows = {(row, next_row) for _, row, _, next_row in steps_by_side[0]} & {
            (row, last) for _, row, _, last in steps_by_side[1]
        }
        common_steps = {step for step in steps_by_side[0] | steps_by_side[1] if (step[1], step[3]) in common_rows}
    for step in sorted(steps_by_side[0] | steps_by_side[1]):
        k, row, j, next_row = step
        role: theme.Role = "kept" if step in common_steps else "lost" if step in steps_by_side[0] else "gained"
        ends = ((row + 0.5, j + 0.5), (next_row + 0.5, j + 1.5))
        out.append(Shape("line", role, k, ends, lead=lead.get(("b", step)) or lead.get(("a", step), "")))
    return out


def neighbour_triangles(rows: Sequence[DiffRow], a: Result, b: Result, step_of_mark: StepOfMark) -> list[Shape]:
    """Return two triangles for each pair of blocks that follow one another, as new, gone or common to both outputs.

    `step_of_mark` maps marks to the names of their steps."""

    def triangle_corners(mark: Neighbours, numbers: Mapping[int, int]) -> tuple[tuple[Point, ...], ...]:
        """Return the corners of the two triangles of a mark, whose words have the rows `numbers` of the word diff."""

        def corner_row(row: float, last: float) -> float:
            """Return the vertical position, on the word diff, of a corner at the start of row `row` of the output.

            For the lowest corners (`row` == `last`) it is the end of the row above."""
            return numbers[int(row) - 1] + 1.0 if row == last else float(numbers[int(row)])

        areas = [area.corners for area in mark.areas()]
        return tuple(
            [
                tuple([(corner_row(r, max(r for r, _ in area_corners)), c) for r, c in area_corners])
                for area_corners in areas
            ]
        )

    def key(mark: Neighbours, numbers: Mapping[int, int]) -> object:
        return mark.first.k, triangle_corners(mark, numbers)

    out = []
    both_marks = [_marks_of(result, Neighbours) for result in (a, b)]
    for fate, mark, numbers, lead in _placed_marks(rows, both_marks, key, step_of_mark):
        for corners in triangle_corners(mark, numbers):
            out.append(Shape("polygon", _AREAS[fate], mark.first.k, corners, lead=lead))
    return out


PAIRS_MOST = 60  # more lines than this could not be told apart
PAIRS_READ = 5_000  # pairs of one layer that are compared at most; long texts have a million


def discordant_pair_lines(rows: Sequence[DiffRow], a: Result, b: Result, step_of_mark: StepOfMark) -> list[Shape]:
    """Return a line between the two cells of each discordant pair (words in reversed order) that is new or gone.

    The result is empty where there are more than PAIRS_MOST such pairs; `describe_omitted_pairs` gives the sentence
    that says so. `step_of_mark` maps marks to the names of their steps."""
    pairs_by_side = _changed_pairs(rows, a, b)
    if pairs_by_side is None or sum(map(len, pairs_by_side)) > PAIRS_MOST:
        return []
    out = []
    roles: tuple[theme.Role, theme.Role] = ("gone pair", "new pair")
    for side, role, side_pairs in zip(SIDES, roles, pairs_by_side, strict=True):
        for (one, other), mark in side_pairs.items():
            ends = (centre(Hit(*one)), centre(Hit(*other)))
            out.append(Shape("line", role, one.k, ends, lead=step_of_mark.get((side, mark), "")))
    return out


def describe_omitted_pairs(rows: Sequence[DiffRow], a: Result, b: Result) -> str:
    """Return a sentence on how many new and gone discordant pairs are not drawn, or "" where all are drawn."""
    choose = "Choose their step to light their cells."
    pairs_by_side = _changed_pairs(rows, a, b)
    if pairs_by_side is None:
        return f"The discordant pairs are too many to be drawn. {choose}"
    gone_count, new = map(len, pairs_by_side)
    if gone_count + new <= PAIRS_MOST:
        return ""
    counts = " and ".join([f"{count:,} are {says}" for count, says in ((new, "new"), (gone_count, "gone")) if count])
    return f"Of the discordant pairs {counts}, too many to be drawn. {choose}"


Pairs = dict[tuple[DiffPlace, DiffPlace], SkipBigram]


def _changed_pairs(rows: Sequence[DiffRow], a: Result, b: Result) -> tuple[Pairs, Pairs] | None:
    """Return the discordant pairs that only A has and those that only B has, keyed by their two cells on the word diff.

    None where a layer has more than PAIRS_READ pairs, which would take too long to compare."""
    pairs_by_side: list[Pairs] = []
    layers = [layer for result in (a, b) for _, layer in marks.costly_layers(result, "order")]
    if any(len(layer.marks) > PAIRS_READ for layer in layers):
        return None
    for side, result in zip(SIDES, (a, b), strict=True):
        numbers, side_pairs = rows_by_position(rows, side), dict[tuple[DiffPlace, DiffPlace], SkipBigram]()
        for _, layer in marks.costly_layers(result, "order"):
            for mark in layer.marks:
                if isinstance(mark, SkipBigram):
                    one, other = [DiffPlace(numbers[i], k, j) for i, k, j in mark]
                    side_pairs[one, other] = mark
        pairs_by_side.append(side_pairs)
    ours, theirs = pairs_by_side
    return (
        {key: mark for key, mark in ours.items() if key not in theirs},
        {key: mark for key, mark in theirs.items() if key not in ours},
    )


def shift_arrows(rows: Sequence[DiffRow], a: ResultMarks, b: ResultMarks, step_of_mark: StepOfMark) -> list[Shape]:
    """Return an arrow from each block that TER shifts to its target, as new, gone or common to both outputs.

    `step_of_mark` maps marks to the names of their steps."""
    ways: list[dict[object, Shift]] = []
    drawn: dict[tuple[str, Shift], tuple[float, float]] = {}  # the rows where the arrow starts and ends
    for side, side_marks in zip(SIDES, (a, b), strict=True):
        numbers, side_shifts = rows_by_position(rows, side), dict[object, Shift]()
        for _, shift, (row, up) in side_marks.shifts:
            top, bottom = numbers[min(shift.rows)], numbers[max(shift.rows)] + 1
            place = numbers[row] if up else numbers[row - 1] + 1
            drawn[side, shift] = (max(place, top) if up else min(place, bottom), place)
            side_shifts[tuple([numbers[i] for i in shift.rows]), shift.k, shift.j, place] = shift
        ways.append(side_shifts)
    out = []
    for fate, side, mark in _marks_with_fates(*ways):
        look = Shape("line", _SHIFTS[fate], mark.k, (), lead=step_of_mark.get((side, mark), ""))
        out += arrow(look, *drawn[side, mark], (mark.j, mark.j + len(mark.rows)))
    return out


def _marks_of(result: Result, kind: type[M], area: bool | None = None) -> Iterator[M]:
    """Yield the marks of type `kind` in all layers.

    `area` restricts them to layers whose credit is an area (True), or is not (False)."""
    for layer in result.layers:
        if not isinstance(layer.marks, Deferred) and area in (None, layer.area):
            yield from (mark for mark in layer.marks if isinstance(mark, kind))


def round_numbers(rows: Sequence[DiffRow], a: ResultMarks, b: ResultMarks) -> list[Shape]:
    """Return a digit in the corner of each used cell: the number of the round that uses it.

    Where both outputs have a number, B's is drawn; the tooltip says both."""
    out: dict[DiffPlace, Shape] = {}
    for side, side_marks in zip(SIDES, (a, b), strict=True):
        numbers = rows_by_position(rows, side)
        for (i, k, j), number in side_marks.covered.items():
            if number:
                row = numbers[i]
                corner = ((row + 0.78, j + 0.84),)
                says = f"{'AB'[SIDES.index(side)]}: {number}"
                before = out.get(DiffPlace(row, k, j))
                says = f"{before.says}, {says}" if before else f"round in {says}"
                out[DiffPlace(row, k, j)] = Shape("digit", "number", k, corner, Hit(row, k, j), number, says=says)
    return list(out.values())


def unmatched_word_lines(
    steps: Sequence[LedgerChange], rows: Sequence[DiffRow], references: Sequence[Words]
) -> list[Shape]:
    """Return a line through the row of each unmatched word that only one output has, on the grid of each reference.

    A click on the line selects the step of the score's change to which the word belongs."""
    out = []
    looks: tuple[theme.Role, theme.Role] = ("went", "came")
    for number, step in enumerate(steps):
        for look, side, positions in zip(looks, SIDES, (step.gone, step.came), strict=True):
            numbers = rows_by_position(rows, side)
            for at in positions:
                row = numbers[at] + 0.5
                for k, words in enumerate(references):
                    ends = ((row, 0.0), (row, float(len(words))))
                    out.append(Shape("line", look, k, ends, lead=f"step:{number}"))
    return out
