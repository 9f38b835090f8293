"""ROUGE-L (Lin and Och 2004, §3.1): the table of the longest common subsequence, and the way back through it."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Hit
from .lcs import lcs_cells
from .rouge import Shared, program
from .steps import Cell, Decision, Sheet, Step, number, word


class Subsequence(Shared):
    """The longest common subsequence of candidate and reference."""

    symbol = "LCS"
    lines = {
        "border": "c(i, 0) ← 0,  c(0, j) ← 0",
        "match": "aᵢ = bⱼ:  c(i, j) ← c(i−1, j−1) + 1",
        "other": "aᵢ ≠ bⱼ:  c(i, j) ← max(c(i−1, j), c(i, j−1))",
        "length": "LCS ← c(n, m)",
        "take": "back from c(n, m):  ↖ takes aᵢ = bⱼ",
        "drop": "    ↑ drops aᵢ,  ← drops bⱼ",
    }
    totals = ("n", "m")
    equations = ("   (eq. 5)", "   (eq. 4)", "   (eq. 6)")
    other = "the result has another LCS, as long: it leaves candidate words out first"

    def count(self) -> Iterator[Step]:
        n, m = len(self.candidate), len(self.reference)
        self.sheet = sheet = Sheet("c", n + 1, m + 1, self.k)
        sheet.border_of_zeros()
        why = self.empty() or "nothing matches before the first word"
        yield self.step(f"The border is 0: {why}.", "border", table=sheet.seen())
        for cell in lcs_cells(self.candidate, self.reference):
            sheet.fill(cell)
            self.amount = max(self.amount, cell.value)
            yield self._filled(cell)
        text = f"The last cell is the length of the LCS with {self.named}: {number(self.amount)}."
        yield self.step(text, "length", table=sheet.seen((n, m)))
        yield from self._back(n, m)

    def _filled(self, cell: Cell) -> Step:
        i, j, value, came = cell
        ours, theirs = self.candidate[i - 1], self.reference[j - 1]
        table = self.sheet.seen((i, j))
        if ours == theirs:
            ((row, column),) = came
            text = f"c({i}, {j}): {word(ours)} = {word(theirs)}, so c({row}, {column}) + 1 = {number(value)}."
            return self.step(text, "match", (Hit(i - 1, self.k, j - 1),), table=table)
        above, left = (number(self.sheet[at].value) for at in ((i - 1, j), (i, j - 1)))
        text = f"c({i}, {j}): {word(ours)} ≠ {word(theirs)}; above {above}, left {left}, so {number(value)}."
        return self.step(text, "other", table=table)

    def _back(self, i: int, j: int) -> Iterator[Step]:
        while i and j:
            came = self.sheet[i, j].came
            table = self.sheet.seen((i, j))
            if came[0] == (i - 1, j - 1):
                hit = Hit(i - 1, self.k, j - 1)
                self.take(hit)
                text = f"c({i}, {j}) came from ↖: {word(self.candidate[i - 1])} is taken, "
                text += f"{len(self.marks)} of {number(self.amount)}."
                yield self.step(text, "take", (hit,), table=table)
            else:
                up = came[0] == (i - 1, j)
                dropped = word(self.candidate[i - 1] if up else self.reference[j - 1])
                why = f"{'↑' if up else '←'}"
                decision = None
                if len(came) > 1:
                    why = "↑ as well as ←, and ↑ comes first"
                    options = tuple(dict.fromkeys(filter(None, [self._next(*at) for at in came])))
                    decision = Decision("way back", options) if len(options) > 1 else None
                text = f"c({i}, {j}) came from {why}: {dropped} is left out."
                yield self.step(text, "drop", table=table, decision=decision)
            i, j = came[0]

    def _next(self, i: int, j: int) -> Hit | None:
        """The first match on the way back from a cell."""
        while i and j:
            before = self.sheet[i, j].came[0]
            if before == (i - 1, j - 1):
                return Hit(i - 1, self.k, j - 1)
            i, j = before
        return None


PROGRAM = program(Subsequence)
