"""Ask questions on ROUGE-L: cells of the table, a longest common subsequence to draw, the way back."""

from __future__ import annotations

from ....alignment.edits import make_comparable
from ....alignment.lcs import lcs_path
from ....teach.asking import TableValues
from ....teach.records import CellSetRule, Question
from ....teach.shared import cell_set_question, cells_of_equal_words
from ....teach.steps import ProgramStep, PseudoCode, Trace
from ....teach.tables import cell_kind, lcs_cell_question, origin_question
from ....types import Run
from ..questions import RougeQuestions
from ..tables import count_lcs
from .program import Subsequence


class RougeLQuestions(RougeQuestions):
    """A maker of questions about the steps of ROUGE-L's program: the table's cells and the way back."""

    of_cells = frozenset(["match", "other", "ends", "drop", "take"])

    kind = Subsequence

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.seen = TableValues()

    def counting(self, line: str, step: ProgramStep) -> Question | None:
        table = step.table
        if table is None or table.cell is None:
            return None
        values, (row, column, value, _) = self.seen.read_new_cells(table), table.cell
        k = table.k
        if line in ("match", "other"):
            ours, theirs = self.candidate[row - 1], self.references[k][column - 1]
            if self.is_due(cell_kind(values, row, column, ours == theirs)):
                return lcs_cell_question(values, row, column, ours, theirs, k)
        elif line == "length" and value:
            return draw_lcs(self.candidate, self.references, k)
        elif line in ("ends", "drop", "take"):
            return self._back_question(step, line)
        return None

    def _back_question(self, step: ProgramStep, line: str) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        row, column, _, ways = step.table.cell
        if len(ways) == 1 and not self.is_due("way back"):
            return None
        corner = row - 1, column - 1
        chosen_way = ways[0] if line == "drop" else corner
        return origin_question(
            f"c({row}, {column})", self.seen.read_new_cells(step.table), row, column, ways, chosen_way
        )


def draw_lcs(candidate: tuple[str, ...], references: tuple[tuple[str, ...], ...], k: int) -> Question:
    """Return the question that asks for a drawing of a longest common subsequence.

    It is that of the candidate and reference `k`, which must share at least one word."""
    reference = references[k]
    ours, (theirs,) = make_comparable(candidate, [reference])
    best = [Run(i, k, j, length) for i, j, length in lcs_path(ours, theirs)]
    of = f" with reference {k + 1}" if len(references) > 1 else ""
    rule = CellSetRule(cells_of_equal_words(candidate, {k: reference}), sum(run.length for run in best))
    text = f"Draw a longest common subsequence{of}."
    return cell_set_question(text, rule, best, (candidate, *references), count_lcs(candidate, reference))
