"""Ask questions on NIST: which n-grams count, their information, averages, brevity, the score."""

from __future__ import annotations

import math

from ...teach.asking import numeric
from ...teach.clipping import ClippedNgramQuestions, brevity_question
from ...teach.records import Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number
from .program import reference_counts
from .slips import mean_slip


class NISTQuestions(ClippedNgramQuestions):
    """A maker of questions about the steps of NIST's program."""

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.counted_in_references = reference_counts(self.references, self.orders)

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "tells":
                return self._information_question()
            case "match" | "clip" | "other":
                return self.ngram_question(line, step)
            case "average":
                return self._average_question()
            case "brevity":
                c, r = len(self.candidate), self.known.get("r", 0.0)
                return brevity_question(c, r, self.known["BP"], "exp(β · log(c/r)²)", math.exp(1 - r / c) if c else 0.0)
            case "score":
                return self._score_question()
        return None

    def _information_question(self) -> Question | None:
        places = self.current_places()
        ngram = places.ours[self.i]
        a, b = self.counted_in_references[ngram], self.counted_in_references[ngram[:-1]]
        if not self.is_due("tells"):
            return None
        name = places.quoted_ngram(self.i)
        what = "all words" if len(ngram) == 1 else "it without its last word"
        slips = [
            (math.log2(a / b), "The fraction is upside down: a rare n-gram tells more."),
            (math.log(b / a), "This is the natural logarithm. Information is counted in bits: log₂."),
            (b / a, "Take the logarithm, log₂, of this."),
        ]
        because = f"Counts in the references: {b} for {what}, {a} for it: log₂({b}/{a})."
        hint = f"log₂(count of {what} / count of it), in all references."
        return numeric(f"How many bits does {name} tell?", math.log2(b / a), because, hint, slips)

    def _average_question(self) -> Question | None:
        order, (match, _, total) = self.order, self.ngram_step()
        bits = self.known["information of the clipped matches"]
        if not total:
            return None
        slips = [(bits, f"This is the sum. Divide it by the {total} {order}-grams of the candidate.")]
        if match:
            slips.append((bits / match, "This is divided by those that match. Divide by all of the candidate's."))
        because = f"{number(bits)} bits / {total}."
        hint = f"Divide the bits of the {order}-grams that match by the number of {order}-grams."
        return numeric(f"How many bits do {order}-grams tell on average?", self.known["I_n"], because, hint, slips)

    def _score_question(self) -> Question:
        bp, averages = self.known["BP"], [self.known[f"I_{n}"] for n in range(1, self.orders + 1)]
        total = sum(averages)
        slips = [
            (total, "This is without the brevity penalty."),
            *mean_slip(self.known["NIST"], len(averages)),
        ]
        because = f"{number(bp)} times the sum of the averages, {number(total)}."
        return numeric("What is NIST?", self.known["NIST"], because, "BP times the sum of the averages.", slips)
