"""Defines the steps of a program as records that are made one by one, and the wording of their sentences.

A program is a generator of `ProgramStep`. It makes each step on demand. The records of one program share what they
show: tables and taken marks are views of lists that only grow, so a step costs only what it adds. `Trace` counts this
work for all programs; each program counts the work of finding its steps."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, overload

from ..formula import format_number, plural
from ..types import AsTuple, Edit, Hit, Mark, Relation, Result, Segment, Settings, quote_text
from ..types.work import spend

T = TypeVar("T")

# ---------------------------------------------------------------- records


class Prefix(AsTuple[T]):
    """An immutable view of the items that a growing list has now; items that are appended later are not in it.

    It keeps the state of the list at the time of a step without a copy.

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
        """Return whether this is a later view of the same list as `before`."""
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
    """A cell of a program's table, with its value and the cells (row, column) that the value came from."""

    row: int
    column: int
    value: float
    came: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class StepTable:
    """A program's table at one step, with rows for candidate words and columns for words of reference `k`.

    Attributes:
        border: number of leading rows and columns without a word: cell (r, c) belongs to candidate word r − border and
            reference word c − border.
        filled: the cells that have a value, in the order in which they were filled.
        cell: the cell of this step; None if the step fills or reads none.
        second_table: the second table of a program that fills two at once, with the same size and the same cells
            filled."""

    name: str
    rows: int
    columns: int
    k: int
    filled: Sequence[TableCell]
    cell: TableCell | None = None
    border: int = 1
    second_table: StepTable | None = None


class Rejected(NamedTuple):
    """A mark that a step of a program rejects, with the reason, which is one of a few constant texts."""

    mark: Mark
    reason: str


#: Reasons for rejection that several programs share.
CONFLICT = "shares a word with one already taken"
USED_UP = "all of them in the reference are used"
NO_BETTER = "its reference is no better than the chosen one"


class FreeWords(NamedTuple):
    """The positions of the words that a program has not used yet, in the candidate and in each reference."""

    candidate: frozenset[int]
    references: tuple[frozenset[int], ...]

    def without_marks(self, *marks: Mark) -> FreeWords:
        """Return the free words that remain when the words of the given marks are used."""
        candidate, references = set(self.candidate), [*map(set, self.references)]
        spend((len(candidate) + sum(map(len, references))) // 10 + 2 * len(marks))
        for mark in marks:
            cells = mark.cells()
            spend(len(cells))
            for i, k, j in cells:
                candidate.discard(i)
                references[k].discard(j)
        return FreeWords(frozenset(candidate), tuple(map(frozenset, references)))


def all_free(segment: Segment) -> FreeWords:
    """Return the positions of all words of a segment as free, which is the state before the first step.

    >>> all_free(Segment(("a", "b"), (("a",),)))
    FreeWords(candidate=frozenset({0, 1}), references=(frozenset({0}),))
    """
    candidate, references = segment
    spend((len(candidate) + sum(map(len, references))) // 10)
    return FreeWords(frozenset(range(len(candidate))), tuple([frozenset(range(len(r))) for r in references]))


class Decision(NamedTuple):
    """A choice that a step of a program makes: what is chosen, in a word or two, and the marks to choose from."""

    name: str
    options: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """A step of a metric's program, as a page shows it.

    Attributes:
        text: one sentence with the numbers of the step, at most `TEXT_MOST` letters by their `letter_breadth`.
        line: index of the line of pseudo-code.
        considered: the marks that the step looks at. Marks are of equal (or similar) words; a cell that is no hit is
            shown by `table` only, and candidate words without a match have an `unmatched_mark`.
        taken_marks: all marks that are taken by the end of the step.
        rejected: the marks that the step rejects.
        table: the table, if the program fills one.
        free: the words that are free after the step; None if the program uses no words up.
        score: score of what is taken so far; None if it is not known.
        decision: the choice that the step makes.
        result: the result, in the last step only.
        known_values: numbers of the metric's formula that the step finds, by name; NaN for numbers that are no longer
            known."""

    text: str
    line: int
    considered: Sequence[Mark] = ()
    taken_marks: Sequence[Mark] = ()
    rejected: Sequence[Rejected] = ()
    table: StepTable | None = None
    free: FreeWords | None = None
    score: float | None = None
    decision: Decision | None = None
    result: Result | None = None
    known_values: Mapping[str, float] = field(default_factory=dict)


#: Maximum length of a step's text: two lines on a phone of 360 pixels, in letters of average breadth.
TEXT_MOST = 95


class PseudoCode:
    """The pseudo-code of a program: short lines by name, in order, with the numbers of the paper's equations.

    >>> code = PseudoCode(start="c ← 0", grow="c ← c + 1   (eq. 1)")
    >>> code.lines, code["grow"]
    (('c ← 0', 'c ← c + 1   (eq. 1)'), 1)
    """

    __slots__ = ("_at", "lines", "names")

    def __init__(self, **lines: str) -> None:
        self.names, self.lines = tuple(lines), tuple(lines.values())
        self._at = {name: number for number, name in enumerate(lines)}

    def __getitem__(self, name: str) -> int:
        """Return the index of the line of pseudo-code called `name`."""
        return self._at[name]


class Program(NamedTuple):
    """The algorithm of a metric's paper as pseudo-code and steps, both functions of the metric's settings.

    `steps(segment, settings, score)` is a generator of steps; `score()` returns the result for the last one.
    `related(settings, x, y)` returns how two different words that the program matches are related."""

    code: Callable[[Any], PseudoCode]
    steps: Callable[[Segment, Any, Callable[[], Result]], Iterator[ProgramStep]]
    related: Callable[[Any, str, str], Relation] = lambda *_: "similar"


#: Units of work that any step of a program costs: its sentence, its numbers, its record.
STEP = 10


class Trace(Iterator[ProgramStep]):
    """An iterator over the steps of a metric's program on one segment, made on demand.

    It also has the pseudo-code whose lines the steps name."""

    __slots__ = ("_related", "_steps", "code", "lines", "metric", "segment", "settings")

    def __init__(
        self, metric: str, program: Program, segment: Segment, settings: Settings, score: Callable[[], Result]
    ) -> None:
        self.metric, self.segment, self.settings = metric, segment, settings
        self.code = program.code(settings)
        self.lines = self.code.lines
        self._steps, self._related = program.steps(segment, settings, score), program.related

    def relation(self, cell: Hit) -> Relation:
        """Return how the two words of a matched cell are related: “equal”, “stem” and so on.

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


# ---------------------------------------------------------------- making steps


def add_known_values(steps: Iterator[ProgramStep], known_values: Mapping[str, float]) -> Iterator[ProgramStep]:
    """Yield the steps of a program, with `known_values` added to the known numbers of the first step."""
    first = next(steps)
    yield replace(first, known_values={**known_values, **first.known_values})
    yield from steps


def unknown(*names: str) -> dict[str, float]:
    """Return the names of numbers of a formula mapped to NaN, which marks them as no longer known in a step."""
    return dict.fromkeys(names, math.nan)


def known_values_after(steps: Iterable[ProgramStep]) -> dict[str, float]:
    """Return the numbers of the formula that are known after the given first steps of a trace, by name."""
    known_values: dict[str, float] = {}
    for step in steps:
        known_values |= step.known_values
    return {name: value for name, value in known_values.items() if not math.isnan(value)}


class GrowingTable:
    """A program's table while it is filled; reading a cell without a value raises KeyError."""

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
        """Fill row 0 and column 0 of the table with zeros."""
        for row in range(self.rows):
            self.fill(TableCell(row, 0, 0))
        for column in range(1, self.columns):
            self.fill(TableCell(0, column, 0))

    def __getitem__(self, at: tuple[int, int]) -> TableCell:
        return self.values[at]

    def snapshot(self, at: tuple[int, int] | None = None) -> StepTable:
        """Return the current state of the table for a step, whose own cell is at `at` (row, column), or None."""
        cell = None if at is None else self.values[at]
        second_table = self.beside.snapshot(at) if self.beside else None
        return StepTable(
            self.name, self.rows, self.columns, self.k, Prefix(self.cells), cell, self.border, second_table
        )


def word(text: str) -> str:
    """Return a word in quotation marks, shortened to fit into a step's sentence.

    >>> word("incomprehensibilities")
    '“incomprehen…”'
    """
    return phrase(text, 12)


def phrase(text: str, most_letters: int) -> str:
    """Return words in quotation marks, shortened if they are broader than `most_letters` letters of average breadth.

    Several words are shortened in the middle, since runs that begin alike often end differently.

    >>> phrase("the cat", 7), phrase("WWWWWWW", 7), phrase("the president of the united nations", 24)
    ('“the cat”', '“WW…”', '“the president … nations”')
    """
    ends = [*accumulate(map(letter_breadth, text[: most_letters + 1]))]
    if len(text) <= most_letters and (not ends or ends[-1] <= most_letters):
        return quote_text(text, most_letters)
    words, most = text.split(" "), ""
    for head, tail in [(1, 1), *[each for n in range(2, len(words) // 2 + 1) for each in ((n, n - 1), (n, n))]]:
        shortened = f"{' '.join(words[:head])} … {' '.join(words[-tail:])}"
        if head + tail >= len(words) or math.fsum(map(letter_breadth, shortened)) > most_letters:
            break
        most = shortened
    if most:
        return quote_text(most, most_letters)
    fits = sum(end <= most_letters - 1 for end in ends)
    return quote_text(text[: fits + 2], fits + 1)


def letter_breadth(letter: str) -> float:
    """Return the approximate printed breadth of a letter, in letters of average breadth."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    return 2.1 if letter in "WM@%—" else 1.3 if letter.isupper() else 1


def number(value: float) -> str:
    """Return a number as the page prints it; in scientific notation if it is very large or very small.

    >>> number(0.75), number(4.0), number(1e22)
    ('0.750', '4', '1.00e+22')
    """
    return format_number(value) if 1e-3 <= abs(value) < 1e6 or value == 0 else f"{value:.2e}"


def count(many: float, noun: str) -> str:
    """Return a number followed by the noun that it counts, in the singular or plural.

    >>> count(1, "run"), count(3, "run")
    ('1 run', '3 runs')
    """
    return f"{number(many)} {plural(many, noun)}"


def unmatched_mark(start: int, end: int, k: int) -> Edit:
    """Return the mark of the candidate words from `start` up to `end`, which match nothing in reference `k`."""
    return Edit("insertion", start, end, k, 0, 0)


def of_reference(k: int, segment: Segment) -> str:
    """Return the phrase “ of reference N” for index `k` if there are several references, else ""."""
    return f" of reference {k + 1}" if len(segment.references) > 1 else ""


class Choice(NamedTuple):
    """The choice of the reference that decides the score, as a step shows it.

    Attributes:
        k: index of the reference.
        text: the sentence that says so.
        considered: the marks of all references; empty if there is only one.
        rejected: the marks of the other references.
        decision: the decision; None if there is only one reference."""

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
    """Return the choice of the reference with the best of the `values`, the first of equal ones.

    `values` and `marks` have an item for each reference. `says` is the verb phrase for the chosen one, and `best` picks
    the best value: `max` or `min`.

    >>> choose_reference([0.5, 0.75], [(), ()]).text, choose_reference([0.5], [()]).text
    ('Reference 2 of 2 is best: 0.750.', 'There is one reference: 0.500.')
    """
    k = values.index(best(values))
    if len(values) == 1:
        return Choice(k, f"There is one reference: {number(values[k])}.", (), (), None)
    text = f"Reference {k + 1} of {len(values)} {says}: {number(values[k])}."
    all_marks = tuple([mark for reference_marks in marks for mark in reference_marks])
    others = [
        Rejected(mark, NO_BETTER)
        for other, reference_marks in enumerate(marks)
        if other != k
        for mark in reference_marks
    ]
    return Choice(k, text, all_marks, tuple(others), Decision("reference", all_marks))


def same_cells(marks: Iterable[Mark], result: Result) -> bool:
    """Return whether the marks cover exactly the grid cells that the result's marks cover."""
    cells = [cell for mark in marks for cell in mark.cells()]
    spend(len(cells))
    return {*cells} == result.cells()


def nearly_equal(a: float, b: float) -> bool:
    """Return whether two sums of the same numbers agree up to rounding."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
