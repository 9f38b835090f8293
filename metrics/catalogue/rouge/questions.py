"""Questions that all kinds of ROUGE share: precision, recall and F, and which reference counts."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from ...teach.asking import Asking, among_references, numeric
from ...teach.places import Places
from ...teach.records import Question
from ...teach.steps import Code, Step, Trace, number
from ...types import Edit, Hit, Run
from .program import Rouge, Shared


class Rouges(Asking):
    """Asks about P, R, F and several references; what is counted is asked by a class for each kind."""

    kind: ClassVar[type[Shared]]

    def __init__(self, trace: Trace, code: Code, every: int) -> None:
        super().__init__(trace, code, every)
        self.rule: str = self.settings.multi_reference  # type: ignore[attr-defined]
        self._rouge: Rouge | None = None
        self._asked = {"P": 0, "R": 0, "F": 0, "set": 0}

    def amount(self, k: int) -> float:
        """How much the candidate shares with reference `k`."""
        raise NotImplementedError

    def counting(self, line: str, step: Step) -> Question | None:
        """The question before a step that counts."""
        raise NotImplementedError

    def at(self, line: str, step: Step) -> Question | None:
        if line in ("P", "R"):
            return self._ratio(line)
        if line == "F":
            return self._f(step)
        if line == "several":
            return self._chosen(step)
        return self.counting(line, step)

    @property
    def rouge(self) -> Rouge:
        """The frame of P, R and F, with all amounts."""
        if self._rouge is None:
            self._rouge = Rouge(self.kind.variant(self.settings), self.segment, self.settings)
            for k, one in enumerate(self._rouge.each):
                one.amount = self.amount(k)
        return self._rouge

    def _next(self, name: str) -> int:
        self._asked[name] += 1
        return self._asked[name] - 1

    def _ratio(self, letter: str) -> Question:
        rouge, many = self.rouge, len(self.references)
        k = self._next(letter)
        if self.rule == "sum" and self.several:
            above = sum(one.amount for one in rouge.each)
            totals = {"P": rouge.n * many, "R": sum(rouge.ms)}
            of = " over all references"
        else:
            above, totals = rouge.each[k].amount, {"P": rouge.n, "R": rouge.ms[k]}
            of = f" with reference {k + 1}" if self.several else ""
        total, other = totals[letter], totals["R" if letter == "P" else "P"]
        value, weight = rouge.ratio(above, total), rouge.weight
        whose = "of the candidate" if letter == "P" else "of the reference"
        slips = [
            (rouge.ratio(above, other), f"This is divided by the other side's total. {letter} takes the one {whose}.")
        ]
        if total and weight != 1:
            slips.append((above / total, f"This is before the root: f⁻¹ takes the power 1/{weight:g}."))
        slips.append((above, "This is not divided yet."))
        root = f", to the power 1/{weight:g}" if weight != 1 else ""
        because = f"{number(above)} / {number(total)}{root}." if total else "There is nothing to divide by, so it is 0."
        hint = f"{letter} is what matches, divided by the total {whose}{root}."
        return numeric(f"What is {letter}{of}?", value, because, hint, slips)

    def _f(self, step: Step) -> Question:
        rouge = self.rouge
        if step.result is None:
            k = self._next("F")
            p, r, value, _ = rouge.against(k)
            text = f"What is F with reference {k + 1}?"
        else:
            p, r, value, _ = rouge.outcome()
            text = "What is the score?"
        if step.result is not None and self.rule == "jackknife" and self.several:
            best = max(rouge.against(k).score for k in range(len(rouge.each)))
            slips = [(best, "This is the best F of all. Take the mean over the sets.")]
            return numeric(
                text, value, "It is the mean of the best F of each set.", "Take the mean over the sets.", slips
            )
        slips = [
            ((p + r) / 2, "This is the plain mean of P and R. F is a weighted harmonic mean."),
            (p * r, "This is P times R. F is (1 + β²)PR / (R + β²P)."),
            (2 * p * r / (p + r) if p + r else 0.0, "This is F with β = 1; here β is another."),
            (p, "This is P alone. F is (1 + β²)PR / (R + β²P)."),
            (r, "This is R alone. F is (1 + β²)PR / (R + β²P)."),
        ]
        beta = "β = P/R" if self.settings.f_measure == "lin_och" else f"β = {self.settings.beta:g}"  # type: ignore[attr-defined]
        because = f"P = {number(p)} and R = {number(r)}, with {beta}." if p and r else "Nothing matches."
        return numeric(text, value, because, f"F is (1 + β²)PR / (R + β²P), with {beta}.", slips)

    def _chosen(self, step: Step) -> Question | None:
        if step.decision is None:
            return None
        rouge, name = self.rouge, step.decision.name
        ks = range(len(rouge.each))
        done = rouge.outcome()
        each = [rouge.against(k) for k in ks]
        if name == "best precision":
            values = {k: rouge.each[k].amount for k in ks}
            text = "Which reference gives the best P?"
            return among_references(text, values, done.used[0], lambda k: f"P = {number(each[k].precision)}")
        if name == "best recall":
            values = {k: rouge.share(k) for k in ks}
            text = "Which reference gives the best R?"
            return among_references(text, values, done.used[-1], lambda k: f"R = {number(each[k].recall)}")
        text, left = "Which reference gives the best F?", -1
        if name == "best of a set":
            left = self._next("set")
            text = f"Without reference {left + 1}, which reference gives the best F?"
        values = {k: each[k].score for k in ks if k != left}
        taken = max(values, key=lambda k: values[k])
        return among_references(text, values, taken, lambda k: f"F = {number(values[k])}")


class Clippings(Rouges):
    """Asks which of the things that are counted match, each as often as both sentences have it."""

    of_words = frozenset(["match", "clip", "none", "word"])

    def __init__(self, trace: Trace, code: Code, every: int) -> None:
        super().__init__(trace, code, every)
        self.k = 0
        self.places: Places | None = None

    def placed(self, line: str, step: Step, order: int) -> Question | None:
        """Where an n-gram of the candidate matches."""
        if self.places is None:
            self.places = Places(self.candidate, {self.k: self.references[self.k]}, order)
        places, mark = self.places, step.considered[0]
        i = mark.i_start if isinstance(mark, Edit) else mark.i if isinstance(mark, Run | Hit) else 0
        last = step.taken[-1] if line == "match" else None
        at = (last.k, last.j) if isinstance(last, Run | Hit) else None
        quota, question = places.quota(i), None
        if not quota.met and quota.ours > quota.most > 0:
            question = places.often(i)
        elif line == "clip" or self.often(f"{line} {len(places.places(i)) > 1}"):
            question = places.match(i, at)
        places.count(i, at)
        return question


def total(noun: str, ours: Counter[tuple[str, ...]], theirs: Counter[tuple[str, ...]]) -> Question:
    """How many match in all."""
    match = (ours & theirs).total()
    loose = sum(many for what, many in ours.items() if what in theirs)
    return numeric(
        f"How many {noun} match in all?",
        match,
        f"{match} of {ours.total()}, each no more often than both sides have it.",
        f"Count the {noun} that are on both sides, each no more often than the reference has it.",
        [
            (loose, "This counts without clipping: none counts more often than the reference has it."),
            (len(ours.keys() & theirs.keys()), "So many different ones match. Each counts as often as both have it."),
        ],
    )
