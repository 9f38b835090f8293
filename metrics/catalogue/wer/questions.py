"""Ask questions on WER: cells of the table, the edits on the way back, the rates."""

from __future__ import annotations

from ...teach.asking import StepQuestions, TableValues, numeric, winner_question
from ...teach.mistakes import candidate_length_slips, longer_length_slips, reference_divisor_phrase, reference_name
from ...teach.records import Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number
from ...teach.tables import cell_kind, edit_cell_question, way_back_question
from ...types import Edit


class WERQuestions(StepQuestions):
    """A maker of questions about the steps of WER's program: cells of the tables, the edits, and the rates."""

    of_cells = frozenset(["hit", "edit", "ends", "deletion", "insertion", "diagonal"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.seen = TableValues()
        self.rates: list[float] = []
        self.begin = 0  # how many hits at the beginning are taken; they come first

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "hit" | "edit":
                return self._cell_question(step)
            case "rate":
                return self._rate_question(step)
            case "best":
                text = "Which reference is kept?"
                return winner_question(text, self.rates, lambda rate: f"the rate {number(rate)}", lowest_wins=True)
            case "ends" | "deletion" | "insertion" | "diagonal":
                return self._back_question(step)
            case "result":
                return self._result_question(step)
        if step.table:
            self.seen.read_new_cells(step.table)
        return None

    def _cell_question(self, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        values, (row, column, _, _) = self.seen.read_new_cells(step.table), step.table.cell
        k = step.table.k
        ours, theirs = self.candidate[row - 1], self.references[k][column - 1]
        if not self.is_due(cell_kind(values, row, column, ours == theirs)):
            return None
        return edit_cell_question(values, row, column, ours, theirs, k)

    def _rate_question(self, step: ProgramStep) -> Question:
        assert step.table is not None and step.table.cell is not None and step.score is not None
        self.rates.append(step.score)
        return self._error_rate_question("edits", step.table.cell.value, step.table.k, step.score)

    def _back_question(self, step: ProgramStep) -> Question | None:
        (edit,) = step.considered
        assert isinstance(edit, Edit) and step.table is not None
        if edit.op == "match" and edit.i_start == edit.j_start == self.begin and self._is_at_beginning(step):
            self.begin += 1
            return None
        values = self.seen.read_new_cells(step.table)
        ours = self.candidate[: edit.i_end]
        theirs = self.references[edit.k][: edit.j_end]
        question, ways = way_back_question(values, ours, theirs, edit, self.begin)
        return question if question and (ways > 1 or step.decision or self.is_due("way back")) else None

    def _is_at_beginning(self, step: ProgramStep) -> bool:
        """Return whether a hit is among those with which both sentences begin, which the way back takes first."""
        return len(step.taken_marks) == self.begin + 1

    def _result_question(self, step: ProgramStep) -> Question:
        kinds = [mark.op for mark in step.taken_marks if isinstance(mark, Edit)]
        edits, what = len(kinds) - kinds.count("match"), "substitutions, insertions and deletions"
        return self._error_rate_question(what, edits, self.rates.index(min(self.rates)), self.known["WER"])

    def _error_rate_question(self, what: str, edits: float, k: int, value: float) -> Question:
        """Return the question that asks for the error rate with reference `k`; `value` is the right answer.

        `edits` is the number of errors and `what` their noun."""
        n, m = len(self.candidate), len(self.references[k])
        by = reference_divisor_phrase(reference_name(self.references, k), m or 1)
        slips = [(edits, "This is their number. Divide by the reference's length.")] if m else []
        slips += [*candidate_length_slips(edits, n, by), *longer_length_slips(edits, n, m, by)]
        because = f"{number(edits)} {what}, for {m} words of the reference."
        if not m:
            because = "The reference has no words, so it counts as 1 word."
        hint = f"It is the {what}, divided by the reference's length."
        return numeric("What is the error rate?", value, because, hint, slips)
