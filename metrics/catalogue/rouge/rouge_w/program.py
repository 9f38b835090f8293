"""Run ROUGE-W step by step (Lin and Och 2004, §3.3): the weighted LCS by the printed procedure, or the true maximum.

Both fill tables cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....teach.steps import Decision, GrowingTable, ProgramStep, StepTable, TableCell, count, nearly_equal, number, word
from ....types import Hit, Mark, Run
from ..program import RougeMatches, program
from ..tables import common_suffix_length, wlcs_cells, wlcs_maximum_cells


class Weighted(RougeMatches):
    """The matches of ROUGE-W: a weighted LCS, in which a run of k words counts f(k) = k^w."""

    symbol = "WLCS"
    totals = ("f(n)", "f(m)")
    equations = ("   (eq. 11)", "   (eq. 10)", "   (eq. 12)")

    @classmethod
    def class_for(cls, settings: Any) -> type[RougeMatches]:
        return OptimalWeighted if settings.variant == "optimal" else PublishedWeighted

    @staticmethod
    def total(length: int, settings: Any) -> float:
        return float(length**settings.weight)

    def totals_known(self) -> dict[str, float]:
        return {"w": self.settings.weight, **super().totals_known()}

    def known_amounts(self) -> dict[str, float]:
        return {"Σ length^w": self.amount, **super().known_amounts()}

    def border(self) -> str:
        """Return the sentence of the first step, which sets the border of the table to 0."""
        return f"The border is 0: {self.wordless_clause() or 'nothing matches before the first word'}."

    def take_run(self, run: Run, cell: str, table: StepTable) -> ProgramStep:
        """Return the step of the way back that takes the run which ends at a cell.

        `cell` is the cell's name in the text."""
        self.take(run)
        earned = number(float(run.length**self.settings.weight))
        text = f"A run of {count(run.length, 'word')} ends at {cell}: it earns f({number(run.length)}) = {earned}."
        return self.step(text, "take", (run,), table=table)

    def skip_word_step(self, row: int, column: int, up: int, cell: str, table: StepTable) -> ProgramStep:
        """Return the step of the way back that leaves a word out: the candidate's word if `up` is above `row`.

        Otherwise the reference's word is left out. `cell` is the cell's name in the text."""
        arrow, dropped = ("↑", self.candidate[row - 1]) if up < row else ("←", self.reference[column - 1])
        return self.step(f"{cell} came from {arrow}: {word(dropped)} is left out.", "drop", table=table)


class PublishedWeighted(Weighted):
    """The weighted LCS that the printed procedure finds, which can miss the maximum.

    The procedure goes through the reference word by word, so the tables are filled column by column."""

    lines = {
        "border": "c ← 0,  w ← 0   in row 0 and column 0   (step 1)",
        "gain": "xᵢ = yⱼ:  c(i, j) ← c(i−1, j−1) + f(k + 1) − f(k)   (step 2)",
        "where": "    with k = w(i−1, j−1),  w(i, j) ← k + 1,  f(k) = kʷ",
        "above": "else if c(i−1, j) > c(i, j−1):  c(i, j) ← c(i−1, j)",
        "left": "else:  c(i, j) ← c(i, j−1),  and w(i, j) ← 0",
        "length": "WLCS ← c(m, n)   (step 3)",
        "take": "back from c(m, n):  a match takes its run of w",
        "drop": "    else to the cell it came from",
    }
    other = "the result has another path, worth the same except for rounding"

    def count(self) -> Iterator[ProgramStep]:
        n, m = len(self.candidate), len(self.reference)
        self.w = GrowingTable("w", n + 1, m + 1, self.k)
        self.c = GrowingTable("c", n + 1, m + 1, self.k, second_table=self.w)
        self.c.border_of_zeros()
        self.w.border_of_zeros()
        yield self.step(self.border(), "border", table=self.c.snapshot())
        for filled, consecutive in wlcs_cells(self.reference, self.candidate, self.settings.weight):
            self.c.fill(transposed_cell(filled))
            self.w.fill(transposed_cell(consecutive))
            self.amount = max(self.amount, filled.value)
            yield self._cell_step(filled.column, filled.row)
        self.amount = self.c[n, m].value
        text = f"The last cell is the WLCS with {self.named}: {number(self.amount)}."
        yield self.step(text, "length", table=self.c.snapshot((n, m)), known_numbers={"WLCS": self.amount})
        yield from self._back_steps(n, m)
        yield from self._missed_maximum_steps()

    def table(self) -> StepTable:
        return self.c.snapshot()

    def _cell_step(self, row: int, column: int) -> ProgramStep:
        """Return the step that fills the cell of a candidate word and a reference word."""
        ours, theirs = self.candidate[row - 1], self.reference[column - 1]
        table = self.c.snapshot((row, column))
        value = number(self.c[row, column].value)
        before, other = self.c[row, column - 1].value, self.c[row - 1, column].value
        if ours == theirs:
            k = int(self.w[row, column].value)
            corner, larger = self.c[row - 1, column - 1].value, max(before, other)
            text = f"{word(ours)}: match {k} in a row, so c = {number(corner)} + f({k}) − f({k - 1}) = {value}"
            if larger > self.c[row, column].value:
                text = f"{word(ours)}: the match is taken, c = {value}, although c would be {number(larger)} without it"
            return self.step(f"{text}.", "gain", (Hit(row - 1, self.k, column - 1),), table=table)
        line = "above" if before > other else "left"
        text = f"{word(theirs)} ≠ {word(ours)}: take the larger of {number(before)} and {number(other)}, w = 0."
        return self.step(text, line, table=table)

    def _back_steps(self, row: int, column: int) -> Iterator[ProgramStep]:
        while row and column:
            table, cell = self.c.snapshot((row, column)), f"c({column}, {row})"
            length = int(self.w[row, column].value)
            if length:
                row, column = row - length, column - length
                yield self.take_run(Run(row, self.k, column, length), cell, table)
            else:
                ((up, back),) = self.c[row, column].came
                yield self.skip_word_step(row, column, up, cell, table)
                row, column = up, back

    def _missed_maximum_steps(self) -> Iterator[ProgramStep]:
        """Yield a step at the first cell where the paper's table has a lower score than the best path to that cell.

        Nothing is yielded if the table reaches the best score at its end."""
        best = GrowingTable("D", len(self.candidate) + 1, len(self.reference) + 1, self.k)
        best.border_of_zeros()
        first = None
        for cell in wlcs_maximum_cells(self.candidate, self.reference, self.settings.weight):
            best.fill(cell)
        most = best.cells[-1].value if self.candidate and self.reference else 0.0
        if most <= self.amount or nearly_equal(most, self.amount):
            return
        for cell in self.c.cells:
            value = best[cell.row, cell.column].value
            if value > cell.value and not nearly_equal(value, cell.value):
                first = cell
                break
        assert first is not None
        runs: tuple[Mark, ...] = tuple(runs_from_table(best, len(self.candidate), len(self.reference)))
        at = (first.row, first.column)
        text = f"It misses the maximum, {number(most)}: first at c({at[1]}, {at[0]}), {number(first.value)} instead of "
        yield self.step(f"{text}{number(best[at].value)}.", "gain", runs, table=self.c.snapshot(at))


def transposed_cell(cell: TableCell) -> TableCell:
    """Return the cell with row and column exchanged.

    In the printed tables the rows are reference words, on the pages they are candidate words."""
    return TableCell(cell.column, cell.row, cell.value, tuple([(row, column) for column, row in cell.came]))


def runs_from_table(sheet: GrowingTable, row: int, column: int) -> Iterator[Run]:
    """Yield the runs of the largest weighted LCS, the last first, by going back through its table from a cell."""
    while row and column:
        ((up, back),) = sheet[row, column].came
        if up < row and back < column:
            yield Run(up, sheet.k, back, row - up)
        row, column = up, back


class OptimalWeighted(Weighted):
    """The weighted LCS that is largest: the maximum sum of f(run length) over the runs of a common subsequence."""

    lines = {
        "border": "D(i, 0) ← 0,  D(0, j) ← 0",
        "other": "D(i, j) ← max(D(i−1, j), D(i, j−1))",
        "run": "each run of L matches that ends at (i, j):",
        "gain": "    D(i, j) ← max(D(i, j), D(i−L, j−L) + Lʷ)",
        "length": "WLCS ← D(n, m)",
        "take": "back from D(n, m):  ↖ takes a run",
        "drop": "    ↑ and ← leave a word out",
    }
    other = "the result has another path, worth the same"

    def count(self) -> Iterator[ProgramStep]:
        n, m = len(self.candidate), len(self.reference)
        self.sheet = sheet = GrowingTable("D", n + 1, m + 1, self.k)
        sheet.border_of_zeros()
        yield self.step(self.border(), "border", table=sheet.snapshot())
        for cell in wlcs_maximum_cells(self.candidate, self.reference, self.settings.weight):
            sheet.fill(cell)
            self.amount = cell.value if cell.column == m else max(self.amount, cell.value)
            yield self._cell_step(cell)
        text = f"The last cell is the largest WLCS with {self.named}: {number(self.amount)}."
        yield self.step(text, "length", table=sheet.snapshot((n, m)), known_numbers={"WLCS": self.amount})
        yield from self._back_steps(n, m)

    def table(self) -> StepTable:
        return self.sheet.snapshot()

    def _cell_step(self, cell: TableCell) -> ProgramStep:
        i, j, value, ((row, column),) = cell
        ours, theirs = word(self.candidate[i - 1]), word(self.reference[j - 1])
        table = self.sheet.snapshot((i, j))
        longest = common_suffix_length(self.candidate[:i], self.reference[:j])
        runs = tuple([Run(i - length, self.k, j - length, length) for length in range(1, longest + 1)])
        decision = Decision("length of the run", runs) if longest > 1 else None
        larger = number(max(self.sheet[i - 1, j].value, self.sheet[i, j - 1].value))
        if row < i and column < j:
            text = f"D({i}, {j}): a run of {i - row} from D({row}, {column}) makes {number(value)}, more than {larger}."
            return self.step(text, "gain", runs, table=table, decision=decision)
        if runs:
            text = f"D({i}, {j}): {ours} = {theirs}, but no run makes more than {larger}."
            return self.step(text, "run", runs, table=table, decision=decision)
        return self.step(f"D({i}, {j}): {ours} ≠ {theirs}, so take {larger}.", "other", table=table)

    def _back_steps(self, i: int, j: int) -> Iterator[ProgramStep]:
        while i and j:
            table, cell = self.sheet.snapshot((i, j)), f"D({i}, {j})"
            ((row, column),) = self.sheet[i, j].came
            if row < i and column < j:
                yield self.take_run(Run(row, self.k, column, i - row), cell, table)
            else:
                yield self.skip_word_step(i, j, row, cell, table)
            i, j = row, column


PROGRAM = program(Weighted)
