"""Run ROUGE-L step by step (Lin and Och 2004, §3.1): the table of the longest common subsequence, then the way back."""

from __future__ import annotations

from collections.abc import Iterator

from ....teach.steps import Decision, GrowingTable, ProgramStep, StepTable, TableCell, number, word
from ....types import Hit
from ....types.work import spend
from ..program import RougeMatches, program
from ..tables import common_suffix_length, lcs_cells

#: The arrows of a step back, by how many rows and columns it goes.
ARROWS = {(1, 0): "↑", (0, 1): "←", (1, 1): "↖"}


class Subsequence(RougeMatches):
    """The matches of ROUGE-L: the longest common subsequence of candidate and reference."""

    symbol = "LCS"
    lines = {
        "border": "c(i, 0) ← 0,  c(0, j) ← 0",
        "match": "aᵢ = bⱼ:  c(i, j) ← c(i−1, j−1) + 1",
        "other": "aᵢ ≠ bⱼ:  c(i, j) ← max(c(i−1, j), c(i, j−1))",
        "length": "LCS ← c(n, m)",
        "ends": "back from c(n, m):  ↖ while the last words are equal",
        "drop": "    then ↑ drops aᵢ,  else ← drops bⱼ",
        "take": "    else ↖ takes aᵢ = bⱼ",
    }
    totals = ("n", "m")
    equations = ("   (eq. 5)", "   (eq. 4)", "   (eq. 6)")
    other = "the result has another LCS of the same length"

    def count(self) -> Iterator[ProgramStep]:
        n, m = len(self.candidate), len(self.reference)
        self.sheet = sheet = GrowingTable("c", n + 1, m + 1, self.k)
        sheet.border_of_zeros()
        why = self.wordless_clause() or "nothing matches before the first word"
        yield self.step(f"The border is 0: {why}.", "border", table=sheet.snapshot())
        for cell in lcs_cells(self.candidate, self.reference):
            sheet.fill(cell)
            self.amount = max(self.amount, cell.value)
            yield self._cell_step(cell)
        text = f"The last cell is the length of the LCS with {self.named}: {number(self.amount)}."
        yield self.step(text, "length", table=sheet.snapshot((n, m)), known_numbers=self.known_amounts())
        yield from self._back_steps(n, m)

    def table(self) -> StepTable:
        return self.sheet.snapshot()

    def _cell_step(self, cell: TableCell) -> ProgramStep:
        i, j, value, _ = cell
        ours, theirs = self.candidate[i - 1], self.reference[j - 1]
        table = self.sheet.snapshot((i, j))
        if ours == theirs:
            text = f"c({i}, {j}): {word(ours)} = {word(theirs)}, so c({i - 1}, {j - 1}) + 1 = {number(value)}."
            return self.step(text, "match", (Hit(i - 1, self.k, j - 1),), table=table)
        above, left_value = (number(self.sheet[at].value) for at in ((i - 1, j), (i, j - 1)))
        text = f"c({i}, {j}): {word(ours)} ≠ {word(theirs)}; above {above}, left {left_value}, so {number(value)}."
        return self.step(text, "other", table=table)

    def _back_steps(self, i: int, j: int) -> Iterator[ProgramStep]:
        """Yield the steps of the way back from cell (i, j), which lead to the words of the subsequence.

        Of several ways the one that leaves a candidate word out is taken first, then the one that leaves a reference
        word out. But words with which both sentences end are taken at once, unless both also begin with them."""
        ends, begins = True, common_suffix_length(self.candidate[::-1], self.reference[::-1])
        while i and j:
            came = self.sheet[i, j].came
            corner = (i - 1, j - 1)
            ends = ends and corner in came and min(i, j) > begins
            to = corner if ends else came[0]
            table, decision = self.sheet.snapshot((i, j)), None
            if len(came) > 1:
                options = tuple(dict.fromkeys(filter(None, [self._next_match(i, j, at) for at in came])))
                decision = Decision("way back", options) if len(options) > 1 else None
            arrows = " and ".join([ARROWS[i - row, j - column] for row, column in came])
            text = f"c({i}, {j}) came from {arrows}"
            if to == corner:
                hit = Hit(i - 1, self.k, j - 1)
                self.take(hit)
                why = ", and both end alike" if len(came) > 1 else ""
                text += f"{why}: {word(self.candidate[i - 1])} is taken, {len(self.marks)} of {number(self.amount)}."
                yield self.step(text, "ends" if ends else "take", (hit,), table=table, decision=decision)
            else:
                dropped = word(self.candidate[i - 1] if to[0] < i else self.reference[j - 1])
                first = f"; {ARROWS[i - to[0], j - to[1]]} comes first" if len(came) > 1 else ""
                yield self.step(f"{text}{first}: {dropped} is left out.", "drop", table=table, decision=decision)
            i, j = to

    def _next_match(self, i: int, j: int, to: tuple[int, int]) -> Hit | None:
        """Return the first match on the way back that goes from cell (i, j) to cell `to`; None if no match follows."""
        while i and j and to != (i - 1, j - 1):
            spend(1)
            i, j = to
            to = self.sheet[i, j].came[0] if i and j else to
        return Hit(i - 1, self.k, j - 1) if i and j else None


PROGRAM = program(Subsequence)
