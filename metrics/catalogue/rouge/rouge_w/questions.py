"""Ask questions on ROUGE-W: cells of both tables, the run that a cell takes, the sequence to draw, the way back."""

from __future__ import annotations

from ....alignment.bitext import indexed
from ....alignment.lcs import wlcs_optimal
from ....teach.asking import LazyVerdicts, TableValues, also, equal_up_to_rounding, no, numeric, right
from ....teach.records import AnswerValue, AnswerVerdict, CellSetRule, Question
from ....teach.shared import cell_set_question, cells_of_equal_words
from ....teach.steps import ProgramStep, PseudoCode, Trace, count, number, word
from ....teach.tables import Values, cell_kind, origin_question, table_cell_name
from ....types import Hit, Mark, Run
from ..questions import RougeQuestions
from ..tables import common_suffix_length, wlcs_maximum
from .plans import weighted_sequences
from .program import Weighted


class RougeWQuestions(RougeQuestions):
    """A maker of questions about the steps of ROUGE-W's program.

    Which tables they ask about depends on the settings: those of the printed procedure, or that of the true maximum."""

    of_cells = frozenset(["gain", "above", "left", "run", "other", "take", "drop"])

    kind = Weighted

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.weight: float = self.settings.weight
        self.optimal: bool = self.settings.variant == "optimal"
        self.seen, self.seen_w = TableValues(), TableValues()
        self.filled: set[int] = set()  # references whose table is complete

    def counting(self, line: str, step: ProgramStep) -> Question | None:
        table = step.table
        if table is None or table.cell is None:
            return None
        values = self.seen.read_new_cells(table)
        if line == "length":
            self.filled.add(table.k)
            return self._drawing_question(table.k) if self.optimal and table.cell.value else None
        if line == "take" and not self.optimal:
            (run,) = step.considered
            return self._earned_question(run) if isinstance(run, Run) and self.is_due("take") else None
        if line in ("take", "drop"):
            return self._way_back_question(values, step)
        if table.k in self.filled:  # the step on the missed maximum
            return None
        return self._maximum_question(values, step) if self.optimal else self._printed_question(values, step)

    def _run_worth(self, length: float) -> float:
        return float(length**self.weight)

    # ---------------------------------------------------------------- as printed

    def _printed_question(self, values: Values, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None and step.table.second_table is not None
        row, column = step.table.cell[:2]
        w = self.seen_w.read_new_cells(step.table.second_table)
        ours, theirs = self.candidate[row - 1], self.references[step.table.k][column - 1]
        kind, at = cell_kind(values, row, column, ours == theirs), f"({column}, {row})"
        marks = (Hit(row - 1, step.table.k, column - 1),) if ours == theirs else ()
        run = int(w[row - 1, column - 1])
        names = f"{word(theirs)} and {word(ours)}"
        if ours == theirs and run and self.is_due("w"):
            return numeric(
                f"What is w{at}, for {names}?",
                run + 1,
                f"The match continues a run of {count(run, 'word')}.",
                "It is the number of matches that follow each other on the diagonal up to this one.",
                [(1, "Words before it match too: the corner of w counts them."), (run, "This match counts too.")],
                marks,
            )
        if not self.is_due(kind):
            return None
        return self._c_cell_question(values, row, column, run, f"What is c{at}, for {names}?", marks)

    def _c_cell_question(
        self, values: Values, row: int, column: int, run: int, text: str, marks: tuple[Mark, ...]
    ) -> Question:
        corner, other, before = (values[at] for at in ((row - 1, column - 1), (row - 1, column), (row, column - 1)))
        larger = max(other, before)
        if not marks:
            return numeric(
                text,
                larger,
                f"Different words: take the larger of {number(before)} and {number(other)}.",
                "Different words: take the larger neighbour.",
                [
                    (min(other, before), "This is the smaller of the two. Take the larger one."),
                    (corner + 1, "Only equal words add something."),
                ],
            )
        gain = self._run_worth(run + 1) - self._run_worth(run)
        return numeric(
            text,
            corner + gain,
            f"{number(corner)} + f({run + 1}) − f({run}): match {run + 1} in a row.",
            "Equal words add f(k + 1) − f(k) to the corner, where k is the corner of w.",
            [
                (corner, "This is the corner. A match adds f(k + 1) − f(k)."),
                (corner + 1, f"This adds 1, but it is match {run + 1} in a row: it adds f({run + 1}) − f({run})."),
                (
                    corner + self._run_worth(run + 1),
                    f"This adds f({run + 1}). The run has f({run}) already: add the rest.",
                ),
                (larger, "The procedure takes every match, even where a neighbour has more."),
            ],
            marks,
        )

    def _earned_question(self, run: Run) -> Question:
        length, value = int(run.length), self._run_worth(run.length)
        slips: list[tuple[float, str]] = [
            (length, f"This is its length. It earns f(k), k to the power {self.weight:g}.")
        ]
        return numeric(
            f"What does the run of {count(length, 'word')} that ends here earn?",
            value,
            f"f({length}) = {length}^{self.weight:g}.",
            f"It earns f(k), its length to the power {self.weight:g}.",
            slips,
            (run,),
        )

    # ---------------------------------------------------------------- the maximum

    def _value_by_source_cell(self, values: Values, row: int, column: int, k: int) -> dict[tuple[int, int], float]:
        """Return the values that a cell of the table could get, by the cell from which each comes.

        It can come from the cell above, from the cell on the left, or from the start of a run that ends at the cell.
        `k` is the index of the reference."""
        out = {(row - 1, column): values[row - 1, column], (row, column - 1): values[row, column - 1]}
        for length in range(1, common_suffix_length(self.candidate[:row], self.references[k][:column]) + 1):
            at = row - length, column - length
            out[at] = values[at] + self._run_worth(length)
        return out

    def _maximum_question(self, values: Values, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        (row, column, value, ((up, back),)), k = step.table.cell, step.table.k
        ours, theirs = self.candidate[row - 1], self.references[k][column - 1]
        longest = common_suffix_length(self.candidate[:row], self.references[k][:column])
        if longest > 1:
            return self._run_length_question(values, step, row - up if up < row and back < column else 0, longest)
        if not self.is_due(cell_kind(values, row, column, ours == theirs)):
            return None
        larger, corner = max(values[row - 1, column], values[row, column - 1]), values[row - 1, column - 1]
        because = f"{number(value)} is the largest: from a run of 1, or from the larger neighbour."
        slips = [(larger, "A run of 1 makes more."), (corner + 1, "A neighbour has more.")]
        return numeric(
            f"What is D({row}, {column}), for {word(ours)} and {word(theirs)}?",
            value,
            because if longest else "Different words: take the larger neighbour.",
            "Take the larger neighbour, unless a run that ends here makes more."
            if longest
            else "Take the larger of the cell above and the cell on the left.",
            slips if longest else [(min(values[row - 1, column], values[row, column - 1]), "Take the larger one.")],
            (Hit(row - 1, k, column - 1),) if longest else (),
        )

    def _run_length_question(self, values: Values, step: ProgramStep, chosen: int, longest: int) -> Question:
        """Return the question that asks how long the run is that a cell takes.

        All lengths that give the largest value are right; `chosen` is the program's length, and `longest` the longest
        run's."""
        assert step.table is not None and step.table.cell is not None
        (row, column, value, _), k = step.table.cell, step.table.k
        out: list[AnswerValue] = []
        for length in range(longest + 1):
            at = row - length, column - length
            worth = (
                values[at] + self._run_worth(length)
                if length
                else max(values[row - 1, column], values[row, column - 1])
            )
            marks = (Run(row - length, k, column - length, length),) if length else ()
            makes = f"A run of {length} makes {number(worth)}" if length else f"Without a run it is {number(worth)}"
            if length == chosen:
                verdict = right(f"{makes}, the most.", *marks)
            elif equal_up_to_rounding(worth, value):
                verdict = also(f"{makes}, just as much.", *marks)
            else:
                verdict = no(f"{makes}; {number(value)} is possible.", *marks)
            out.append(AnswerValue(length, 1e-9, verdict))
        return Question(
            f"How long is the run that D({row}, {column}) takes, with w = {self.weight:g}? Type 0 for none.",
            "number",
            str(chosen),
            {},
            no(f"At most {longest} words that end here are equal."),
            values=tuple(out),
            optimal=sum(one.verdict.how != "no" for one in out),
        )

    def _drawing_question(self, k: int) -> Question:
        reference = self.references[k]
        cells = cells_of_equal_words(self.candidate, {k: reference})
        best = [Run(i, k, j, length) for i, j, length in wlcs_optimal(self.candidate, indexed(reference), self.weight)]
        rule = CellSetRule(cells, wlcs_maximum(self.candidate, reference, self.weight), power=self.weight)
        of = f" with reference {k + 1}" if self.several else ""
        text = f"Draw a common subsequence{of} that earns the most, with w = {self.weight:g}."
        count = weighted_sequences(self.candidate, reference, self.weight)[1]
        return cell_set_question(text, rule, best, (self.candidate, *self.references), count)

    # ---------------------------------------------------------------- the way back

    def _way_back_question(self, values: Values, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        (row, column, value, (chosen_cell,)), k = step.table.cell, step.table.k
        if not self.optimal:
            good = [at for at in ((row - 1, column), (row, column - 1)) if values[at] == value]
            if len(good) == 1 and not self.is_due("drop"):
                return None
            return origin_question(f"c({column}, {row})", values, row, column, good, chosen_cell)
        ways = self._value_by_source_cell(values, row, column, k)
        good = [at for at, worth in ways.items() if equal_up_to_rounding(worth, value)]
        if len(good) == 1 and not self.is_due("way back"):
            return None

        def verdicts() -> dict[str, AnswerVerdict]:
            out: dict[str, AnswerVerdict] = {}
            for at, worth in ways.items():
                verdict = no(f"That makes {number(worth)}, not {number(value)}.")
                if at == chosen_cell:
                    verdict = right(f"That makes {number(worth)}.")
                elif at in good:
                    verdict = also(f"That makes {number(worth)} as well.")
                out[table_cell_name(at)] = verdict
            return out

        otherwise = no("Click the cell above or on the left, or the one before a run that ends here.")
        text = f"From which cell did D({row}, {column}) get its value?"
        return Question(
            text, "cell", table_cell_name(chosen_cell), LazyVerdicts(verdicts), otherwise, optimal=len(good)
        )
