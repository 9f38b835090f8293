"""Questions on BLEU and NIST: which n-grams count, what they tell, precisions, brevity, the score."""

from __future__ import annotations

import math

from ...teach.asking import Asking, also, choosing, no, numeric, right
from ...teach.places import Places
from ...teach.records import Question, Verdict
from ...teach.steps import Code, Step, Trace, number
from ...types import Run
from ..nist.program import penalty, reference_counts
from .program import smoothed


class Counted(Asking):
    """Asks about the n-grams, order by order."""

    of_words = frozenset(["match", "clip", "other"])

    def __init__(self, trace: Trace, code: Code, every: int) -> None:
        super().__init__(trace, code, every)
        self.orders: int = self.settings.max_order  # type: ignore[attr-defined]
        self.places: Places | None = None
        self.i = 0  # the next n-gram
        self.counts: list[tuple[int, int]] = []  # matches and all, of the orders before

    def now(self) -> Places:
        """The n-grams of the order that is counted now."""
        if self.places is None:
            self.places = Places(self.candidate, dict(enumerate(self.references)), len(self.counts) + 1)
        return self.places

    def ngram(self, line: str, step: Step) -> Question | None:
        """The question before the step of an n-gram."""
        places, i = self.now(), self.i
        self.i += 1
        last = step.taken[-1] if line == "match" else None
        at = (last.k, last.j) if isinstance(last, Run) else None
        quota = places.quota(i)
        question = None
        if not quota.met and quota.ours > quota.most > 0:
            question = places.often(i)
        elif step.decision or line == "clip" or self.often(line):
            question = places.match(i, at)
        places.count(i, at)
        return question

    def counted(self) -> tuple[int, int, int]:
        """The matches of the order, without clipping too, and how many n-grams it has; the next order begins."""
        places = self.now()
        match = sum(quota.counted for quota in places.quotas.values())
        loose = sum(quota.ours for quota in places.quotas.values() if quota.most)
        self.counts.append((match, len(places.ours)))
        self.places, self.i = None, 0
        return match, loose, len(places.ours)


class Precisions(Counted):
    """Asks about BLEU."""

    def at(self, line: str, step: Step) -> Question | None:
        match line:
            case "match" | "clip" | "other":
                return self.ngram(line, step)
            case "precision" | "smooth" | "effective":
                return self._precision(line)
            case "length" if step.decision:
                return self._length()
            case "brevity":
                return self._brevity()
            case "score":
                return self._score()
        return None

    def _precision(self, line: str) -> Question | None:
        match, loose, total = self.counted()
        value = smoothed(self.counts, self.settings)[-1]
        order = len(self.counts)
        if not total or value is None:
            return None
        slips = [(loose / total, "This counts without clipping: none counts more often than a reference has it.")]
        if line == "smooth":
            slips.append((match / total, "This is not smoothed yet."))
        slips.append((match / len(self.candidate), f"This is divided by the words. There are {total} {order}-grams."))
        slips.append((match, "This is not divided yet."))
        because = f"{match} of {total} {order}-grams match{', smoothed' if line == 'smooth' else ''}."
        hint = f"It is the {order}-grams that match, clipped, divided by all of the candidate's."
        if line == "smooth":
            hint = f"{match} of {total} {order}-grams match; then smooth it as the line of the program says."
        return numeric(f"What is the precision of {order}-grams?", float(value), because, hint, slips)

    def _r(self) -> int:
        c = len(self.candidate)
        return min(map(len, self.references), key=lambda length: (abs(length - c), length))

    def _length(self) -> Question:
        c, r = len(self.candidate), self._r()
        choices: list[tuple[str, Verdict]] = []
        taken = False
        for k, reference in enumerate(self.references):
            m = len(reference)
            if m == r:
                verdict = also(f"It has {m} words too.") if taken else right(f"{m} words: none is closer to {c}.")
                taken = True
            elif abs(m - c) == abs(r - c):
                verdict = no(f"{m} words are as close to {c} as {r}, but of two the shorter counts.")
            else:
                verdict = no(f"{m} words are further from {c} than {r}.")
            choices.append((f"reference {k + 1}: {m} words", verdict))
        return choosing("Which reference's length counts?", choices)

    def _brevity(self) -> Question:
        c, r = len(self.candidate), self._r()
        return brevity(
            c, r, math.exp(1 - r / c) if 0 < c < r else float(c >= r), "exp(1 − r/c)", math.exp(1 - c / r) if r else 1.0
        )

    def _score(self) -> Question:
        c, r = len(self.candidate), self._r()
        bp = math.exp(1 - r / c) if 0 < c < r else float(c >= r)
        kept = [float(p) for p in smoothed(self.counts, self.settings) if p is not None]
        mean = math.exp(sum(math.log(p) for p in kept) / len(kept)) if kept and all(kept) else 0.0
        because = f"{number(bp)} times the geometric mean of the precisions, {number(mean)}."
        if not mean:
            because = "One precision is 0, and so is their geometric mean."
        plain = sum(kept) / len(kept) if kept else 0.0
        slips = [
            (bp * plain, "This is the plain mean of the precisions. BLEU takes the geometric mean."),
            (mean, "This is without the brevity penalty."),
            (plain, "This is the plain mean, without the brevity penalty."),
            (math.prod(kept), "This is the product of the precisions. Take the root of it."),
        ]
        return numeric("What is BLEU?", bp * mean, because, "BP times the geometric mean of the precisions.", slips)


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


def brevity(c: float, r: float, value: float, formula: str, slip: float) -> Question:
    """The brevity penalty of c words where r are asked for; `slip` comes out by another formula."""
    slips = [(slip, f"That is another formula. It is {formula}.")]
    if r:
        slips.append((c / r, f"This is c/r. The penalty is {formula}."))
    because = f"c = {number(c)} is less than r = {number(r)}: {formula}."
    if c >= r:
        because = f"c = {number(c)} is no less than r = {number(r)}: nothing is lost."
    elif not c:
        because = "The candidate has no words."
    return numeric(
        "What is the brevity penalty?", value, because, f"It is {formula}, and 1 where c is no less than r.", slips
    )
