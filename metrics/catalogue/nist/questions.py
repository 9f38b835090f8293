"""Questions on NIST: which n-grams count, what they tell, averages, brevity, the score."""

from __future__ import annotations

import math

from ...teach.asking import numeric
from ...teach.clipping import Counted, brevity
from ...teach.records import Question
from ...teach.steps import Code, Step, Trace, number
from .program import penalty, reference_counts


class Information(Counted):
    """Asks about NIST."""

    def __init__(self, trace: Trace, code: Code, every: int) -> None:
        super().__init__(trace, code, every)
        self.known = reference_counts(self.references, self.orders)
        self.bits = 0.0
        self.averages: list[float] = []

    def at(self, line: str, step: Step) -> Question | None:
        match line:
            case "tells":
                return self._tells()
            case "match" | "clip" | "other":
                return self.ngram(line, step)
            case "average":
                return self._average()
            case "brevity":
                c, r = len(self.candidate), self._r()
                value = penalty(c, r) if c < r else 1.0
                return brevity(c, r, value, "exp(β · log(c/r)²)", math.exp(1 - r / c) if c else 0.0)
            case "score":
                return self._score()
        return None

    def _r(self) -> float:
        return sum(map(len, self.references)) / len(self.references)

    def _tells(self) -> Question | None:
        places = self.now()
        ngram = places.ours[self.i]
        a, b = self.known[ngram], self.known[ngram[:-1]]
        self.bits += math.log2(b / a)
        if not self.often("tells"):
            return None
        name = places.name(self.i)
        what = "all words" if len(ngram) == 1 else "it without its last word"
        slips = [
            (math.log2(a / b), "This is turned around: what is rare tells more."),
            (math.log(b / a), "This is the natural logarithm. Information is counted in bits: log₂."),
            (b / a, "Take the logarithm, log₂, of this."),
        ]
        because = f"The references have {what} {b} times and it {a} times: log₂({b}/{a})."
        hint = f"log₂ of how often the references have {what}, divided by how often they have it."
        return numeric(f"How many bits does {name} tell?", math.log2(b / a), because, hint, slips)

    def _average(self) -> Question | None:
        order = len(self.counts) + 1
        match, _, total = self.counted()
        bits, self.bits = self.bits, 0.0
        self.averages.append(bits / total if total else 0.0)
        if not total:
            return None
        slips = [(bits, f"This is the sum. Divide it by the {total} {order}-grams of the candidate.")]
        if match:
            slips.append((bits / match, "This is divided by those that match. Divide by all of the candidate's."))
        because = f"{number(bits)} bits / {total}."
        hint = f"It is the bits of the {order}-grams that match, divided by how many {order}-grams there are."
        return numeric(f"What do {order}-grams tell on average?", self.averages[-1], because, hint, slips)

    def _score(self) -> Question:
        c, r = len(self.candidate), self._r()
        bp, total = penalty(c, r) if c < r else 1.0, sum(self.averages)
        slips = [
            (total, "This is without the brevity penalty."),
            (bp * total / len(self.averages), "This is a mean. NIST adds the averages up."),
        ]
        because = f"{number(bp)} times the sum of the averages, {number(total)}."
        return numeric("What is NIST?", bp * total, because, "BP times the sum of the averages.", slips)
