"""What all askers share: they follow a trace and make a question of a step that is worth one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from ..types import Edit, Mark
from ..types.work import spend
from .records import AnswerValue, AnswerVerdict, Question
from .steps import Prefix, ProgramStep, PseudoCode, StepTable, TableCell, Trace

#: Sums that differ by less, in proportion, are equal but for rounding.
ROUNDING = 1e-12


def as_much(a: float, b: float) -> bool:
    """Whether two sums are equal but for rounding.

    >>> as_much(0.1 + 0.2, 0.3), as_much(1, 1.000001)
    (True, False)
    """
    return math.isclose(a, b, rel_tol=ROUNDING)


class Asking:
    """Asks about the steps of one trace, one after the other.

    A decision is always asked. Of what comes again and again, such as the cells of a table, the first of each kind is
    asked and then one of `interval`.
    """

    #: Lines that are about the cell of the table, and about candidate words: those of the first mark considered.
    of_cells: ClassVar[frozenset[str]] = frozenset()
    of_words: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        self.segment, self.settings, self.code, self.interval = trace.segment, trace.settings, code, interval
        self.candidate, self.references = trace.segment
        self.several = len(self.references) > 1
        self._met: Counter[str] = Counter()
        #: The numbers of the formula that are known before the step that is asked about, and those that it finds.
        self.known: dict[str, float] = {}

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        """The question before a step, given the name of its line of the pseudo-code."""
        raise NotImplementedError

    def question_before(self, line: str, step: ProgramStep) -> Question | None:
        """The question before a step, whose numbers are what it finds of the formula."""
        self.known |= {name: value for name, value in step.known_values.items() if not math.isnan(value)}
        question = self.question_at(line, step)
        for name, value in step.known_values.items():
            if math.isnan(value):
                self.known.pop(name, None)
        return question

    def about(self, line: str, step: ProgramStep) -> Sequence[str]:
        """What the question before a step is about, by the names of cells and words."""
        if line in self.of_cells and step.table and step.table.cell:
            return (f"t:{step.table.cell.row},{step.table.cell.column}",)
        if line in self.of_words and step.considered:
            first = step.considered[0]
            edits = [mark for mark in step.considered if isinstance(mark, Edit)]
            rows = [i for mark in edits for i in range(mark.i_start, mark.i_end)] or [cell.i for cell in first.cells()]
            return [f"c{i}" for i in rows]
        return ()

    def often(self, kind: str) -> bool:
        """Whether to ask this time about what comes again and again."""
        self._met[kind] += 1
        return (self._met[kind] - 1) % self.interval == 0


class TableValues:
    """The values of the cells of a table as far as it is filled, read from the steps that show it."""

    __slots__ = ("_last", "values")

    def __init__(self) -> None:
        self._last: Sequence[TableCell] = ()
        self.values: dict[tuple[int, int], float] = {}

    def read(self, table: StepTable) -> dict[tuple[int, int], float]:
        """All values of a table as it stands, by row and column."""
        if not (isinstance(table.filled, Prefix) and table.filled.grows_from(self._last)):
            self._last, self.values = (), {}
        for number in range(len(self._last), len(table.filled)):
            row, column, value, _ = table.filled[number]
            self.values[row, column] = value
        self._last = table.filled
        return self.values


class Verdicts(Mapping[str, AnswerVerdict]):
    """Verdicts by answer that are made when one is first looked up: most questions are never answered."""

    __slots__ = ("_kept", "_make")

    def __init__(self, make: Callable[[], dict[str, AnswerVerdict]]) -> None:
        self._make: Callable[[], dict[str, AnswerVerdict]] | None = make
        self._kept: dict[str, AnswerVerdict] = {}

    def _all(self) -> dict[str, AnswerVerdict]:
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
    return AnswerVerdict("right", because, marks)


def also(because: str, *marks: Mark) -> AnswerVerdict:
    return AnswerVerdict("also", because, marks)


def no(because: str, *marks: Mark) -> AnswerVerdict:
    return AnswerVerdict("no", because, marks)


def cell_name(hit: tuple[int, int, int]) -> str:
    """A cell as an answer.

    >>> cell_name((0, 1, 2))
    '0,1,2'
    """
    return "{},{},{}".format(*hit)


def tolerance(value: float) -> float:
    """How far a typed number may be from the value: as far as rounding takes it to two decimals, or two digits.

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
    """A number as "Show me" types it, so exactly that it is right.

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
    """A question for a number: why it is right, what to think of where it is not, and numbers that come out by a known
    slip, each with a sentence. `marks` show why it is right."""
    values = [AnswerValue(value, tolerance(value), right(because, *marks))]
    for slip, sentence in slips:
        if math.isfinite(slip) and not any(abs(slip - one.number) <= one.tolerance for one in values):
            values.append(AnswerValue(slip, tolerance(slip), no(sentence)))
    return Question(text, "number", format_answer(value), {}, no(hint), values=tuple(values))


def choosing(text: str, choices: Sequence[tuple[str, AnswerVerdict]]) -> Question | None:
    """A question with choices, each with its verdict; "Show me" gives the one that is right. None where there is
    nothing to choose, which is not asked.

    >>> choosing("Which is next?", [("the only one", right("There is no other."))])
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


def among_references(
    text: str, values: Mapping[int, float], winner: int, value_text: Callable[[int], str], low: bool = False
) -> Question | None:
    """Which reference is kept, where the highest or lowest of the values by reference decides: an equal one is as good.

    `value_text` says a reference's value in words.
    """
    best = values[winner]
    choices = []
    for k, value in values.items():
        if k == winner:
            verdict = right(f"It has {value_text(k)}, and none has {'less' if low else 'more'}.")
        elif as_much(value, best):
            verdict = also(f"It has {value_text(k)}, as good as reference {winner + 1}, which the program keeps.")
        else:
            verdict = no(f"It has {value_text(k)}, {'more' if value > best else 'less'} than another reference.")
        choices.append((f"reference {k + 1}", verdict))
    return choosing(text, choices)
