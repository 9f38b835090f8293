"""The steps of a program as records, made one by one as it runs, and how its lines are told.

A program is a generator of `ProgramStep`. It makes each step when it is asked for, and the records of one program share
what they show: tables and taken marks are views of lists that only grow, so that a step costs what it adds. That is
counted here for all programs (`Trace`); what one does to find its steps it counts itself.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, overload

from ..formula import format_number, plural
from ..types import AsTuple, Edit, Hit, Mark, Relation, Result, Segment, Settings, quoted
from ..types.work import spend

T = TypeVar("T")

# ---------------------------------------------------------------- records


class Prefix(AsTuple[T]):
    """The first items of a list that only grows, as many as it has now: what there was when a step was made.

    >>> items = [1, 2]
    >>> before = Prefix(items)
    >>> items.append(3)
    >>> before, before == (1, 2), before[-1]
    ((1, 2), True, 2)
    """

    __slots__ = ("_items", "_size")

    def __init__(self, items: list[T]) -> None:
        self._items, self._size = items, len(items)

    def __len__(self) -> int:
        return self._size

    def grows_from(self, before: object) -> bool:
        """Whether this is a later view of the same list, which has all that was in it and more behind it."""
        return isinstance(before, Prefix) and before._items is self._items and before._size <= self._size

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple([self._items[t] for t in range(*at.indices(self._size))])
        return self._items[range(self._size)[at]]


class TableCell(NamedTuple):
    """A cell of a table, its value, and the cells from which the value came."""

    row: int
    column: int
    value: float
    came: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class StepTable:
    """A table as it stands: rows for words of the candidate, columns for words of reference `k`.

    The first `border` rows and columns stand for no word: cell (r, c) belongs to candidate word r − border and
    reference word c − border. `filled` are the cells that have a value, in the order in which they got it; `cell` is
    the one of this step, None where the step fills or looks at none. A program that fills two tables at once has the
    second one as `second_table`, with the same size and the same cells filled.
    """

    name: str
    rows: int
    columns: int
    k: int
    filled: Sequence[TableCell]
    cell: TableCell | None = None
    border: int = 1
    second_table: StepTable | None = None


class Rejected(NamedTuple):
    """A mark that a step turns down, and the rule that it breaks: a constant of a textbook file, or of this one."""

    mark: Mark
    reason: str


#: Reasons that several programs share.
CONFLICT = "shares a word with one that is taken"
USED_UP = "all of them in the reference are used"
NO_BETTER = "its reference is no better than the chosen one"


class Free(NamedTuple):
    """The words that nothing has used yet, by position: of the candidate and of each reference."""

    candidate: frozenset[int]
    references: tuple[frozenset[int], ...]

    def without_marks(self, *marks: Mark) -> Free:
        """What is left when these marks have used their words."""
        candidate, references = set(self.candidate), [*map(set, self.references)]
        spend((len(candidate) + sum(map(len, references))) // 10 + 2 * len(marks))
        for mark in marks:
            cells = mark.cells()
            spend(len(cells))
            for i, k, j in cells:
                candidate.discard(i)
                references[k].discard(j)
        return Free(frozenset(candidate), tuple(map(frozenset, references)))


def all_free(segment: Segment) -> Free:
    """Every word of a segment.

    >>> all_free(Segment(("a", "b"), (("a",),)))
    Free(candidate=frozenset({0, 1}), references=(frozenset({0}),))
    """
    candidate, references = segment
    spend((len(candidate) + sum(map(len, references))) // 10)
    return Free(frozenset(range(len(candidate))), tuple([frozenset(range(len(r))) for r in references]))


class Decision(NamedTuple):
    """A step at which something is chosen: what, in a word or two, and the marks among which it is."""

    name: str
    options: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One step of a program.

    `text` is one sentence with its numbers, of at most `TEXT_MOST` letters by their `breadth`. `considered` are the
    marks that this step looks at, `taken_marks` all that are taken by the end of it, and `rejected` those that it turns
    down. Marks are of equal (or similar) words wherever they say so; a cell that is no hit is told by `table` alone,
    and words of the candidate that meet nothing have an `unmatched_mark`. `free` are the words that are still free
    after the step, None for a program that uses no words up. `score` is the score of what is taken so far, None where
    nothing can be said yet. `line` is the number of the line of the pseudo-code. `known_values` are numbers of the
    metric's formula that this step finds, by the names that they have there, and nan for what is not known any more.
    The last step, and no other, has the `result`.
    """

    text: str
    line: int
    considered: Sequence[Mark] = ()
    taken_marks: Sequence[Mark] = ()
    rejected: Sequence[Rejected] = ()
    table: StepTable | None = None
    free: Free | None = None
    score: float | None = None
    decision: Decision | None = None
    result: Result | None = None
    known_values: Mapping[str, float] = field(default_factory=dict)


#: Two lines on a phone of 360 pixels, in letters of a usual breadth.
TEXT_MOST = 95


class PseudoCode:
    """A program's pseudo-code: short lines by name, with the numbers of the paper's equations, in their order.

    >>> code = PseudoCode(start="c ← 0", grow="c ← c + 1   (eq. 1)")
    >>> code.lines, code["grow"]
    (('c ← 0', 'c ← c + 1   (eq. 1)'), 1)
    """

    __slots__ = ("_at", "lines", "names")

    def __init__(self, **lines: str) -> None:
        self.names, self.lines = tuple(lines), tuple(lines.values())
        self._at = {name: number for number, name in enumerate(lines)}

    def __getitem__(self, name: str) -> int:
        """The number of a line."""
        return self._at[name]


class Program(NamedTuple):
    """A paper's program: its pseudo-code and its steps, for settings of the metric.

    `steps(segment, settings, score)` is a generator; `score()` gives the result with which the last step ends.
    `related(settings, x, y)` says how two different words go together that the program matches.
    """

    code: Callable[[Any], PseudoCode]
    steps: Callable[[Segment, Any, Callable[[], Result]], Iterator[ProgramStep]]
    related: Callable[[Any, str, str], Relation] = lambda *_: "similar"


#: Steps of work that any step of a program takes: its sentence, its numbers, its record.
STEP = 10


class Trace(Iterator[ProgramStep]):
    """The steps of one segment, made as they are asked for, and the pseudo-code (`lines`) whose lines they name."""

    __slots__ = ("_related", "_steps", "code", "lines", "metric", "segment", "settings")

    def __init__(
        self, metric: str, program: Program, segment: Segment, settings: Settings, score: Callable[[], Result]
    ) -> None:
        self.metric, self.segment, self.settings = metric, segment, settings
        self.code = program.code(settings)
        self.lines = self.code.lines
        self._steps, self._related = program.steps(segment, settings, score), program.related

    def relation(self, cell: Hit) -> Relation:
        """How the words of a cell that is taken go together.

        >>> from metrics import trace
        >>> trace("meteor", ["cats"], [["cat"]]).relation(Hit(0, 0, 0))
        'stem'
        """
        ours, theirs = self.segment.candidate[cell.i], self.segment.references[cell.k][cell.j]
        return "equal" if ours == theirs else self._related(self.settings, ours, theirs)

    def __iter__(self) -> Trace:
        return self

    def __next__(self) -> ProgramStep:
        step = next(self._steps)
        sides = step.considered, step.taken_marks, step.rejected
        spend(STEP + sum([len(marks) for marks in sides if type(marks) is not Prefix]))
        return step


# ---------------------------------------------------------------- making them


def beginning(steps: Iterator[ProgramStep], known_values: Mapping[str, float]) -> Iterator[ProgramStep]:
    """Steps at whose beginning these numbers of the formula are known."""
    first = next(steps)
    yield replace(first, known_values={**known_values, **first.known_values})
    yield from steps


def unknown(*names: str) -> dict[str, float]:
    """Names whose numbers are not known any more."""
    return dict.fromkeys(names, math.nan)


def known_values_after(steps: Iterable[ProgramStep]) -> dict[str, float]:
    """The numbers of the formula that are known after these steps, the first ones of a trace."""
    known_values: dict[str, float] = {}
    for step in steps:
        known_values |= step.known_values
    return {name: value for name, value in known_values.items() if not math.isnan(value)}


class GrowingTable:
    """A table while it is filled. Cells that have no value yet cannot be read."""

    __slots__ = ("beside", "border", "cells", "columns", "k", "name", "rows", "values")

    def __init__(
        self, name: str, rows: int, columns: int, k: int, border: int = 1, second_table: GrowingTable | None = None
    ) -> None:
        self.name, self.rows, self.columns, self.k, self.border, self.beside = (
            name,
            rows,
            columns,
            k,
            border,
            second_table,
        )
        self.cells: list[TableCell] = []
        self.values: dict[tuple[int, int], TableCell] = {}

    def fill(self, cell: TableCell) -> None:
        self.cells.append(cell)
        self.values[cell.row, cell.column] = cell

    def border_of_zeros(self) -> None:
        """Fill row 0 and column 0."""
        for row in range(self.rows):
            self.fill(TableCell(row, 0, 0))
        for column in range(1, self.columns):
            self.fill(TableCell(0, column, 0))

    def __getitem__(self, at: tuple[int, int]) -> TableCell:
        return self.values[at]

    def snapshot(self, at: tuple[int, int] | None = None) -> StepTable:
        """The table as it stands, with a cell to look at."""
        cell = None if at is None else self.values[at]
        second_table = self.beside.snapshot(at) if self.beside else None
        return StepTable(
            self.name, self.rows, self.columns, self.k, Prefix(self.cells), cell, self.border, second_table
        )


def word(text: str) -> str:
    """A word as a step's sentence shows it, so short that there is room for others.

    >>> word("incomprehensibilities")
    '“incomprehen…”'
    """
    return phrase(text, 12)


def phrase(text: str, room: int) -> str:
    """Words in quotation marks, cut where they are broader than `room` letters of a usual breadth: in the middle where
    there are several, since runs of words that begin alike often end otherwise.

    >>> phrase("the cat", 7), phrase("WWWWWWW", 7), phrase("the president of the united nations", 24)
    ('“the cat”', '“WW…”', '“the president … nations”')
    """
    ends = [*accumulate(map(breadth, text[: room + 1]))]
    if len(text) <= room and (not ends or ends[-1] <= room):
        return quoted(text, room)
    words, most = text.split(" "), ""
    for head, tail in [(1, 1), *[each for n in range(2, len(words) // 2 + 1) for each in ((n, n - 1), (n, n))]]:
        shortened = f"{' '.join(words[:head])} … {' '.join(words[-tail:])}"
        if head + tail >= len(words) or math.fsum(map(breadth, shortened)) > room:
            break
        most = shortened
    if most:
        return quoted(most, room)
    fits = sum(end <= room - 1 for end in ends)
    return quoted(text[: fits + 2], fits + 1)


def breadth(letter: str) -> float:
    """About how broad a letter is, where 1 is a usual one."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    return 2.1 if letter in "WM@%—" else 1.3 if letter.isupper() else 1


def number(value: float) -> str:
    """A number as the page prints it; one too large or too small for that with its power of ten.

    >>> number(0.75), number(4.0), number(1e22)
    ('0.750', '4', '1.00e+22')
    """
    return format_number(value) if 1e-3 <= abs(value) < 1e6 or value == 0 else f"{value:.2e}"


def count(many: float, noun: str) -> str:
    """A number with what is counted.

    >>> count(1, "run"), count(3, "run")
    ('1 run', '3 runs')
    """
    return f"{number(many)} {plural(many, noun)}"


def unmatched_mark(start: int, end: int, k: int) -> Edit:
    """Words of the candidate that are looked at and meet nothing in reference `k`, as a mark."""
    return Edit("insertion", start, end, k, 0, 0)


def of_reference(k: int, segment: Segment) -> str:
    """Words that name a reference where there are several, to stand behind others."""
    return f" of reference {k + 1}" if len(segment.references) > 1 else ""


class Choice(NamedTuple):
    """The reference that counts: its number, the sentence that says so, the marks of all references, those that are
    turned down, and the decision; where there is one reference, there is none."""

    k: int
    text: str
    considered: tuple[Mark, ...]
    rejected: tuple[Rejected, ...]
    decision: Decision | None


def choose_reference(
    values: Sequence[float],
    marks: Sequence[Sequence[Mark]],
    says: str = "is best",
    best: Callable[[Iterable[float]], float] = max,
) -> Choice:
    """The reference whose value is best, the first of equal ones, out of values and marks by reference.

    >>> choose_reference([0.5, 0.75], [(), ()]).text, choose_reference([0.5], [()]).text
    ('Of 2 references number 2 is best: 0.750.', 'There is one reference: 0.500.')
    """
    k = values.index(best(values))
    if len(values) == 1:
        return Choice(k, f"There is one reference: {number(values[k])}.", (), (), None)
    text = f"Of {len(values)} references number {k + 1} {says}: {number(values[k])}."
    all_marks = tuple([mark for reference_marks in marks for mark in reference_marks])
    others = [
        Rejected(mark, NO_BETTER)
        for other, reference_marks in enumerate(marks)
        if other != k
        for mark in reference_marks
    ]
    return Choice(k, text, all_marks, tuple(others), Decision("reference", all_marks))


def same_cells(marks: Iterable[Mark], result: Result) -> bool:
    """Whether these marks use the cells that the result uses."""
    cells = [cell for mark in marks for cell in mark.cells()]
    spend(len(cells))
    return {*cells} == result.cells()


def close(a: float, b: float) -> bool:
    """Whether two ways to add up the same numbers agree."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
