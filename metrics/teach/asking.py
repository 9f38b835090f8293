"""Provides the base class of all classes that follow the steps of a trace and ask questions about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ..types import Edit, Mark
from ..types.work import spend
from .records import AnswerValue, AnswerVerdict, Question
from .steps import Prefix, ProgramStep, PseudoCode, StepTable, TableCell, Trace

#: Sums whose relative difference is smaller are equal up to rounding.
ROUNDING = 1e-12


def equal_up_to_rounding(a: float, b: float) -> bool:
    """Return whether two sums of numbers are equal up to rounding.

    >>> equal_up_to_rounding(0.1 + 0.2, 0.3), equal_up_to_rounding(1, 1.000001)
    (True, False)
    """
    return math.isclose(a, b, rel_tol=ROUNDING)


class StepQuestions:
    """The base class of questions about the steps of one trace, which are visited in order.

    Steps that make a decision are always asked about. Of repeated steps, such as filling the cells of a table, the
    first of each kind is asked about, and then one in `interval`."""

    #: Names of the lines that are about the table's cell, and of those about the words of the first mark considered.
    of_cells: ClassVar[frozenset[str]] = frozenset()
    of_words: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        self.segment, self.code, self.interval = trace.segment, code, interval
        self.settings: Any = trace.settings  # each metric's questions know the settings of their metric
        self.candidate, self.references = trace.segment
        self.several = len(self.references) > 1
        self._met: Counter[str] = Counter()
        #: The numbers of the formula that are known up to the step that is asked about, including what it finds.
        self.known: dict[str, float] = {}

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        """Return the question to ask before this step of the trace, or None.

        Subclasses implement it. `line` is the name of the step's line of pseudo-code."""
        raise NotImplementedError

    def question_before(self, line: str, step: ProgramStep) -> Question | None:
        """Return the question to ask before this step of the trace, or None, and update `known`.

        `known` has the numbers of the formula that are known by then. The numbers that the step finds are in it while
        the question is made; those that the step makes invalid are removed afterwards."""
        self.known |= {name: value for name, value in step.known_values.items() if not math.isnan(value)}
        question = self.question_at(line, step)
        for name, value in step.known_values.items():
            if math.isnan(value):
                self.known.pop(name, None)
        return question

    def about(self, line: str, step: ProgramStep) -> Sequence[str]:
        """Return the names of the cells and words that the question before a step is about, such as “t:1,2” or “c3”.

        `line` is the name of the step's line of pseudo-code."""
        if line in self.of_cells and step.table and step.table.cell:
            return (f"t:{step.table.cell.row},{step.table.cell.column}",)
        if line in self.of_words and step.considered:
            first = step.considered[0]
            edits = [mark for mark in step.considered if isinstance(mark, Edit)]
            rows = [i for mark in edits for i in range(mark.i_start, mark.i_end)] or [cell.i for cell in first.cells()]
            return [f"c{i}" for i in rows]
        return ()

    def is_due(self, kind: str) -> bool:
        """Return whether to ask about the next step of this `kind`: the first, and then one in `interval`."""
        self._met[kind] += 1
        return (self._met[kind] - 1) % self.interval == 0


def steps_with_questions(
    asks: type[StepQuestions], trace: Trace, interval: int
) -> Iterator[tuple[ProgramStep, Question | None]]:
    """Yield each step of the trace with the question to ask before it is shown, or None if nothing is asked.

    `asks` is the metric's class of questions. Of repeated steps of a kind, one in `interval` gets a question."""
    asker = asks(trace, trace.code, interval)
    for number, step in enumerate(trace):
        line = trace.code.names[step.line]
        question = asker.question_before(line, step)
        if question:
            about = () if question.kind == "cells" else tuple(asker.about(line, step))
            question = replace(question, step=number, about=about, k=step.table.k if step.table else None)
        yield step, question


class TableValues:
    """The values of the filled cells of a program's table, kept up to date from step to step."""

    __slots__ = ("_last", "values")

    def __init__(self) -> None:
        self._last: Sequence[TableCell] = ()
        self.values: dict[tuple[int, int], float] = {}

    def read_new_cells(self, table: StepTable) -> dict[tuple[int, int], float]:
        """Return all values of the filled cells, by row and column.

        Only cells that are new since the last call are read."""
        if not (isinstance(table.filled, Prefix) and table.filled.grows_from(self._last)):
            self._last, self.values = (), {}
        for number in range(len(self._last), len(table.filled)):
            row, column, value, _ = table.filled[number]
            self.values[row, column] = value
        self._last = table.filled
        return self.values


class LazyVerdicts(Mapping[str, AnswerVerdict]):
    """A mapping from answers to verdicts that calls `make` for them on first access.

    Most questions are never answered, so their verdicts are not computed."""

    __slots__ = ("_kept", "_make")

    def __init__(self, make: Callable[[], dict[str, AnswerVerdict]]) -> None:
        self._make: Callable[[], dict[str, AnswerVerdict]] | None = make
        self._kept: dict[str, AnswerVerdict] = {}

    def _all(self) -> dict[str, AnswerVerdict]:
        """Return the verdict of each answer, computing them all on the first call."""
        if self._make is not None:
            self._kept, self._make = self._make(), None
            spend(3 * len(self._kept))
        return self._kept

    def __getitem__(self, answer: str) -> AnswerVerdict:
        return self._all()[answer]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def right(because: str, *marks: Mark) -> AnswerVerdict:
    """Return the verdict that an answer is right, with the reason and the marks that show it."""
    return AnswerVerdict("right", because, marks)


def also(because: str, *marks: Mark) -> AnswerVerdict:
    """Return the verdict that an answer is as good as the right one, with the reason and the marks that show it."""
    return AnswerVerdict("also", because, marks)


def no(because: str, *marks: Mark) -> AnswerVerdict:
    """Return the verdict that an answer is not right, with the reason and the marks that show it."""
    return AnswerVerdict("no", because, marks)


def cell_name(hit: tuple[int, int, int]) -> str:
    """Return the name by which answers refer to the grid cell of hit (i, k, j).

    >>> cell_name((0, 1, 2))
    '0,1,2'
    """
    return "{},{},{}".format(*hit)


def tolerance(value: float) -> float:
    """Return how far a typed number may be from the right value to be accepted.

    It allows rounding to two decimals, or to two digits.

    >>> tolerance(3), round(tolerance(2 / 3), 4), round(tolerance(0.0042), 6)
    (1e-09, 0.0051, 5.1e-05)
    """
    size = abs(value)
    if value == round(value) and size < 1e6:
        return 1e-9
    if 0.1 <= size < 1e6:
        return 0.0051
    return float((0.051 if size < 0.1 else 0.0051) * 10.0 ** math.floor(math.log10(size)))


def format_answer(value: float) -> str:
    """Return a number as the “Show me” button types it, with enough digits to count as right.

    >>> format_answer(4.0), format_answer(2 / 3), format_answer(125200.678)
    ('4', '0.666667', '125200.68')
    """
    if value == round(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.2f}" if 1e4 <= abs(value) < 1e6 else f"{value:.6g}"


def numeric(
    text: str,
    value: float,
    because: str,
    hint: str,
    slips: Sequence[tuple[float, str]] = (),
    marks: Sequence[Mark] = (),
) -> Question:
    """Return a question that asks for a number.

    Args:
        text: the question.
        value: the right number.
        because: why it is right.
        hint: the sentence for any other number.
        slips: numbers that known slips give, each with a sentence.
        marks: marks that show why the number is right."""
    values = [AnswerValue(value, tolerance(value), right(because, *marks))]
    for slip, sentence in slips:
        if math.isfinite(slip) and not any(abs(slip - one.number) <= one.tolerance for one in values):
            values.append(AnswerValue(slip, tolerance(slip), no(sentence)))
    return Question(text, "number", format_answer(value), {}, no(hint), values=tuple(values))


def choice_question(text: str, choices: Sequence[tuple[str, AnswerVerdict]]) -> Question | None:
    """Return a question with the given choices, each with its verdict; “Show me” gives the right one.

    Returns None for fewer than two choices, since there is nothing to choose.

    >>> choice_question("Which is next?", [("the only one", right("There is no other."))])
    """
    if len(choices) < 2:
        return None
    spend(3 * len(choices))
    verdicts = {str(number): verdict for number, (_, verdict) in enumerate(choices)}
    shows = next(answer for answer, verdict in verdicts.items() if verdict.how == "right")
    good = sum(verdict.how != "no" for verdict in verdicts.values())
    otherwise = no("Choose one of these.")
    names = tuple([name for name, _ in choices])
    return Question(text, "choice", shows, verdicts, otherwise, choices=names, optimal=good)


def reference_question(
    text: str, values: Mapping[int, float], winner: int, value_text: Callable[[int], str], lowest_wins: bool = False
) -> Question | None:
    """Return the question which reference the program keeps, or None if there is only one.

    `values` has the number by which references are compared, by index; `winner` is the one that is kept. The highest
    value wins, or with `lowest_wins` the lowest; equal values are as good. `value_text` describes the value of a
    reference in words."""
    best = values[winner]
    choices = []
    for k, value in values.items():
        if k == winner:
            verdict = right(f"It has {value_text(k)}, and none has {'less' if lowest_wins else 'more'}.")
        elif equal_up_to_rounding(value, best):
            verdict = also(f"It has {value_text(k)}, the same as reference {winner + 1}, which the program keeps.")
        else:
            verdict = no(f"It has {value_text(k)}, {'more' if value > best else 'less'} than another reference.")
        choices.append((f"reference {k + 1}", verdict))
    return choice_question(text, choices)


def winner_question(
    text: str, values: Sequence[float], value_text: Callable[[float], str], lowest_wins: bool = False
) -> Question | None:
    """Return the `reference_question` for the `values` of all references, of which the first best one is kept."""
    winner = values.index(min(values) if lowest_wins else max(values))
    return reference_question(text, dict(enumerate(values)), winner, lambda k: value_text(values[k]), lowest_wins)
