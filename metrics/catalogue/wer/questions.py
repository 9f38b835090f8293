"""Questions on WER: cells of the table, the edits on the way back, the rates."""

from __future__ import annotations

from ...teach.asking import Asking, TableValues, among_references, numeric
from ...teach.mistakes import by_reference, of_candidate, of_longer, who
from ...teach.records import Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number
from ...teach.tables import back, fill_edits, kind_of
from ...types import Edit


class WERQuestions(Asking):
    """Asks about the tables of edit distances and the script."""

    of_cells = frozenset(["hit", "edit", "ends", "deletion", "insertion", "diagonal"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.seen = TableValues()
        self.rates: list[float] = []
        self.begin = 0  # the hits with which both sentences begin are taken first

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "hit" | "edit":
                return self._filled(step)
            case "rate":
                return self._rate(step)
            case "best":
                best_k = self.rates.index(min(self.rates))
                text = "Which reference is kept?"
                values = dict(enumerate(self.rates))
                return among_references(text, values, best_k, lambda k: f"the rate {number(values[k])}", low=True)
            case "ends" | "deletion" | "insertion" | "diagonal":
                return self._back(step)
            case "result":
                return self._result(step)
        if step.table:
            self.seen.read(step.table)
        return None

    def _filled(self, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        values, (row, column, _, _) = self.seen.read(step.table), step.table.cell
        k = step.table.k
        ours, theirs = self.candidate[row - 1], self.references[k][column - 1]
        if not self.often(kind_of(values, row, column, ours == theirs)):
            return None
        return fill_edits(values, row, column, ours, theirs, k)

    def _rate(self, step: ProgramStep) -> Question:
        assert step.table is not None and step.table.cell is not None and step.score is not None
        edits, k = step.table.cell.value, step.table.k
        self.rates.append(step.score)
        return rate("edits", edits, len(self.candidate), len(self.references[k]), who(self.references, k), step.score)

    def _back(self, step: ProgramStep) -> Question | None:
        (edit,) = step.considered
        assert isinstance(edit, Edit) and step.table is not None
        if edit.op == "match" and edit.i_start == edit.j_start == self.begin and self._begins(step):
            self.begin += 1
            return None
        values = self.seen.read(step.table)
        ours = self.candidate[: edit.i_end]
        theirs = self.references[edit.k][: edit.j_end]
        question, ways = back(values, ours, theirs, edit, self.begin)
        return question if question and (ways > 1 or step.decision or self.often("way back")) else None

    def _begins(self, step: ProgramStep) -> bool:
        """Whether a hit is one of those at the beginning, which are taken before the others."""
        return len(step.taken_marks) == self.begin + 1

    def _result(self, step: ProgramStep) -> Question:
        kinds = [mark.op for mark in step.taken_marks if isinstance(mark, Edit)]
        k = self.rates.index(min(self.rates))
        edits = len(kinds) - kinds.count("match")
        return rate(
            "substitutions, insertions and deletions",
            edits,
            len(self.candidate),
            len(self.references[k]),
            who(self.references, k),
            self.known["WER"],
        )


def rate(what: str, edits: float, n: int, m: int, reference: str, value: float) -> Question:
    """An error rate of n words against the m of a reference, which is called `reference`."""
    by = by_reference(reference, m or 1)
    slips = [(edits, "This is how many there are. Divide by the reference's length.")] if m else []
    slips += [*of_candidate(edits, n, by), *of_longer(edits, n, m, by)]
    because = f"{number(edits)} {what}, for {m} words of the reference."
    if not m:
        because = "The reference has no words, which count as one."
    return numeric(
        "What is the error rate?", value, because, f"It is the {what}, divided by the reference's length.", slips
    )
