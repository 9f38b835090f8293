"""ROUGE as Lin and Och (2004) and Lin (2004) print it: what is shared with each reference, P, R and F, and how several
references become one score.

Each of the four counts something else (`Shared`); all else is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..types import Hit, Mark, Result, Segment
from .lcs import lcs_cells
from .steps import (
    Cell,
    Code,
    Decision,
    Free,
    Prefix,
    Program,
    Sheet,
    Step,
    all_free,
    number,
    of_reference,
    same_cells,
    word,
)

# ---------------------------------------------------------------- what candidate and one reference share


class Shared:
    """What the candidate shares with reference `k`: how much, and the marks that show it.

    `count` gives the steps that find the amount, `draw` those that then find marks which were not found before; both
    are generators that leave what they found in `amount` and `marks`.
    """

    symbol = "matches"
    #: Lines of pseudo-code by name, the plural of what is drawn, and why there can be others that are as good.
    lines: dict[str, str] = {}
    drawn = "matches"

    def __init__(self, segment: Segment, settings: Any, k: int, code: Code) -> None:
        self.segment, self.settings, self.k, self.code = segment, settings, k, code
        self.candidate, self.reference = segment.candidate, segment.references[k]
        self.amount = 0.0
        self.marks: list[Mark] = []
        self.free = all_free(segment)
        self.of = of_reference(k, segment)

    @staticmethod
    def total(length: int, settings: Any) -> float:
        """How many of what is counted a sentence of this length has."""
        return length

    def count(self) -> Iterator[Step]:
        raise NotImplementedError

    def draw(self) -> Iterator[Step]:
        return iter(())

    def use(self, *marks: Mark) -> Free:
        """Take marks, and the words that are then free."""
        self.marks += marks
        self.free = self.free.without(*marks)
        return self.free


class Subsequence(Shared):
    """ROUGE-L: the table of the longest common subsequence, and the way back through it."""

    symbol = "LCS"
    lines = {
        "border": "c(i, 0) ← 0,  c(0, j) ← 0",
        "match": "aᵢ = bⱼ:  c(i, j) ← c(i−1, j−1) + 1",
        "other": "aᵢ ≠ bⱼ:  c(i, j) ← max(c(i−1, j), c(i, j−1))",
        "length": "LCS ← c(n, m)",
        "back": "from c(n, m) back: ↖ takes aᵢ = bⱼ",
        "up": "    ↑ drops aᵢ, ← drops bⱼ",
    }
    drawn = "LCS"

    def count(self) -> Iterator[Step]:
        a, b, code = self.candidate, self.reference, self.code
        self.sheet = sheet = Sheet("c", len(a) + 1, len(b) + 1, self.k)
        for i in range(len(a) + 1):
            sheet.fill(Cell(i, 0, 0))
        for j in range(1, len(b) + 1):
            sheet.fill(Cell(0, j, 0))
        empty = "" if a and b else f"; {'the reference' if a else 'the candidate'} has no words"
        yield Step(f"Nothing matches before the first word: all of the border is 0{empty}.", code["border"],
                   table=sheet.seen(), free=self.free)  # fmt: skip
        for cell in lcs_cells(a, b):
            sheet.fill(cell)
            yield self._filled(cell)
        self.amount = sheet[len(a), len(b)].value
        yield Step(f"The last cell is the length of the longest{self.of}: LCS = {number(self.amount)}.", code["length"],
                   table=sheet.seen((len(a), len(b))), free=self.free)  # fmt: skip

    def _filled(self, cell: Cell) -> Step:
        i, j, value, came = cell
        ours, theirs = word(self.candidate[i - 1]), word(self.reference[j - 1])
        here = f"c({i}, {j}): {ours}"
        if self.candidate[i - 1] == self.reference[j - 1]:
            (corner,) = came
            return Step(f"{here} = {theirs}, so c({corner[0]}, {corner[1]}) + 1 = {number(value)}.", self.code["match"],
                        (Hit(i - 1, self.k, j - 1),), table=self.sheet.seen((i, j)), free=self.free)  # fmt: skip
        above, left = self.sheet[i - 1, j].value, self.sheet[i, j - 1].value
        return Step(f"{here} ≠ {theirs}; above {number(above)}, left {number(left)}: {number(value)} goes on.",
                    self.code["other"], table=self.sheet.seen((i, j)), free=self.free)  # fmt: skip

    def draw(self) -> Iterator[Step]:
        i, j = len(self.candidate), len(self.reference)
        path: list[Mark] = []
        while i and j:
            came = self.sheet[i, j].came
            table = self.sheet.seen((i, j))
            taken = Prefix(self.marks)
            if self.candidate[i - 1] == self.reference[j - 1]:
                hit = Hit(i - 1, self.k, j - 1)
                free = self.use(hit)
                path.append(hit)
                text = f"↖ at c({i}, {j}): {word(self.candidate[i - 1])} is match {len(self.marks)} from the end."
                yield Step(text, self.code["back"], (hit,), Prefix(self.marks), table=table, free=free)
            else:
                up = came[0] == (i - 1, j)
                dropped = word(self.candidate[i - 1] if up else self.reference[j - 1])
                decision = None
                if len(came) > 1:
                    options = tuple(dict.fromkeys(filter(None, [self._next(*at) for at in came])))
                    decision = Decision("way back", options) if len(options) > 1 else None
                why = "both neighbours are equal, ↑ first" if len(came) > 1 else f"{'↑' if up else '←'} is larger"
                text = f"c({i}, {j}): {why}; {dropped} is dropped."
                yield Step(text, self.code["up"], (), taken, table=table, free=self.free, decision=decision)
            i, j = came[0]

    def _next(self, i: int, j: int) -> Hit | None:
        """The first match on the way back from a cell."""
        while i and j:
            if self.candidate[i - 1] == self.reference[j - 1]:
                return Hit(i - 1, self.k, j - 1)
            i, j = self.sheet[i, j].came[0]
        return None


# ---------------------------------------------------------------- precision, recall, F, and several references


class Rouge:
    """Precision, recall and F of amounts, and the rules for several references: the frame around what is counted."""

    def __init__(self, kind: type[Shared], segment: Segment, settings: Any) -> None:
        self.segment, self.settings = segment, settings
        self.code = code(kind, settings)
        candidate, references = segment
        self.each = [kind(segment, settings, k, self.code) for k in range(len(references))]
        self.n = kind.total(len(candidate), settings)
        self.ms = [kind.total(len(reference), settings) for reference in references]
        self.symbol, self.drawn = kind.symbol, kind.drawn
        self.weight = getattr(settings, "weight", 1.0)

    def ratio(self, amount: float, total: float) -> float:
        """f⁻¹(amount / total), 0 for a total of 0."""
        return float((amount / total) ** (1 / self.weight)) if total else 0.0

    def f(self, precision: float, recall: float) -> float:
        """Equation 6."""
        if not precision or not recall:
            return 0.0
        beta = precision / recall if self.settings.f_measure == "lin_och" else self.settings.beta
        return float((1 + beta**2) * precision * recall / (recall + beta**2 * precision))

    def written(self, letter: str, amount: float, total: float) -> str:
        """P or R with its numbers."""
        if not total:
            return f"{letter} = 0: nothing to divide by"
        value = number(self.ratio(amount, total))
        if self.weight == 1:
            return f"{letter} = {number(amount)}/{number(total)} = {value}"
        return f"{letter} = ({number(amount)}/{number(total)})^(1/{self.weight:g}) = {value}"

    def steps(self, score: Callable[[], Result]) -> Iterator[Step]:
        yield from self.each[0].count()
        yield from self.each[0].draw()
        taken = self.each[0].marks
        p = self.ratio(self.each[0].amount, self.n)
        r = self.ratio(self.each[0].amount, self.ms[0])
        yield from self.ratios(0, taken)
        yield self.last(score(), p, r, taken)

    def ratios(self, k: int, taken: Sequence[Mark] = ()) -> Iterator[Step]:
        """Precision and recall against one reference."""
        one = self.each[k]
        of = f"Reference {k + 1}: " if len(self.each) > 1 else ""
        for letter, total in (("P", self.n), ("R", self.ms[k])):
            text = f"{of}{self.written(letter, one.amount, total)}."
            yield Step(text, self.code[letter], taken=taken, free=one.free)

    def last(self, result: Result, p: float, r: float, taken: Sequence[Mark]) -> Step:
        value = self.f(p, r)
        text = f"P = {number(p)} and R = {number(r)}, so F = {number(value)}."
        if not same_cells(taken, result):
            text = f"F = {number(value)}; of several {self.drawn} as good, the result draws another."
        return Step(text, self.code["F"], taken=tuple(taken), free=self.free(taken), score=value, result=result)

    def free(self, taken: Sequence[Mark]) -> Free:
        return all_free(self.segment).without(*taken)


def code(kind: type[Shared], settings: Any) -> Code:
    """The pseudo-code of one of the four: how it counts, then what all share."""
    f = "F ← (1 + β²)PR / (R + β²P)"
    if settings.f_measure == "lin_och":
        f = f"β ← P/R,  {f}"
    return Code(**kind.lines, P="P ← LCS / n   (eq. 5)", R="R ← LCS / m   (eq. 4)", F=f"{f}   (eq. 6)")


def _program(kind: type[Shared]) -> Program:
    return Program(
        lambda settings: code(kind, settings),
        lambda segment, settings, score: Rouge(kind, segment, settings).steps(score),
    )


ROUGE_L = _program(Subsequence)
