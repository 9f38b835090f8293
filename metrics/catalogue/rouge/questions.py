"""Ask the questions that all ROUGE metrics share: precision, recall and F, and which reference counts."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from ...teach.asking import StepQuestions, numeric, reference_question
from ...teach.places import NgramPlaces
from ...teach.records import Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number
from ...types import Edit, Hit, Run
from .program import RougeMatches, RougeProgram
from .slips import f_measure_slips


class RougeQuestions(StepQuestions):
    """A maker of questions about P, R, F and several references; a subclass for each metric asks about its matches."""

    kind: ClassVar[type[RougeMatches]]

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.rule: str = self.settings.multi_reference
        self._frame = RougeProgram(self.kind.class_for(self.settings), self.segment, self.settings)
        #: The values of P, R and F found so far, in the order of the references.
        self._found: dict[str, list[float]] = {"P": [], "R": [], "F": []}
        self._sets = 0

    def counting(self, line: str, step: ProgramStep) -> Question | None:
        """Return the question to ask before a step that finds matches; None if none is due."""
        raise NotImplementedError

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        if line in self._found and step.result is None:
            self._found[line].append(self.known[line])
            self._frame.each[len(self._found[line]) - 1].amount = self.known[self.kind.symbol]
        if line in ("P", "R"):
            return self._ratio_question(line)
        if line == "F":
            return self._f_question(step)
        if line == "several":
            return self._choice_question(step)
        return self.counting(line, step)

    def _ratio_question(self, letter: str) -> Question:
        frame, many, above = self._frame, len(self.references), self.known[self.kind.symbol]
        k = len(self._found[letter]) - 1
        totals, of = {"P": frame.n, "R": frame.ms[k]}, f" with reference {k + 1}" if self.several else ""
        if self.rule == "sum" and self.several:
            totals, of = {"P": frame.n * many, "R": sum(frame.ms)}, " over all references"
        total, other = totals[letter], totals["R" if letter == "P" else "P"]
        weight = frame.weight
        whose = "of the candidate" if letter == "P" else "of the reference"
        slips = [
            (
                frame.ratio(above, other),
                f"This is divided by the other side's total. {letter} divides by the one {whose}.",
            )
        ]
        if total and weight != 1:
            slips.append((above / total, f"This is before the root: f⁻¹ takes the power 1/{weight:g}."))
        slips.append((above, "This is not divided yet."))
        root = f", to the power 1/{weight:g}" if weight != 1 else ""
        because = f"{number(above)} / {number(total)}{root}." if total else "There is nothing to divide by, so it is 0."
        hint = f"{letter} is what matches, divided by the total {whose}{root}."
        return numeric(f"What is {letter}{of}?", self.known[letter], because, hint, slips)

    def _f_question(self, step: ProgramStep) -> Question:
        value, text = self.known["F"], "What is the score?"
        if step.result is None:
            text = f"What is F with reference {len(self._found['F'])}?"
        elif self.rule == "jackknife" and self.several:
            slips = [(max(self._found["F"]), "This is the best F of all. Take the mean over the sets.")]
            return numeric(
                text, value, "It is the mean of the best F of each set.", "Take the mean over the sets.", slips
            )
        p, r = self.known["P"], self.known["R"]
        ours, theirs = [each[1:-1] if each[0] == "(" else each for each in self._frame.kind.totals]
        if self.rule == "sum" and self.several:
            ours, theirs = "the candidate's total", "the references'"
        slips = [*f_measure_slips(p, r, (ours, theirs), self.settings)]
        beta = "β = P/R" if self.settings.f_measure == "lin_och" else f"β = {self.settings.beta:g}"
        because = f"P = {number(p)} and R = {number(r)}, with {beta}." if p and r else "Nothing matches."
        return numeric(text, value, because, f"F is (1 + β²)PR / (R + β²P), with {beta}.", slips)

    def _choice_question(self, step: ProgramStep) -> Question | None:
        if step.decision is None:
            return None
        letter, left_out = {"best precision": "P", "best recall": "R"}.get(step.decision.name, "F"), -1
        text = f"Which reference gives the best {letter}?"
        if step.decision.name == "best of a set":
            left_out, self._sets = self._sets, self._sets + 1
            text = f"Without reference {left_out + 1}, which reference gives the best F?"
        values = {k: value for k, value in enumerate(self._found[letter]) if k != left_out}
        used = self._frame.outcome().used
        best_k = {"P": used[0], "R": used[-1]}.get(letter, max(values, key=lambda k: values[k]))
        return reference_question(text, values, best_k, lambda k: f"{letter} = {number(values[k])}")


class ClippedQuestions(RougeQuestions):
    """A maker of questions about matching n-grams or pairs, which count as often as both sentences have them."""

    of_words = frozenset(["match", "clip", "none", "word"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.k = 0
        self.places: NgramPlaces | None = None

    def ngram_question(self, line: str, step: ProgramStep, order: int) -> Question | None:
        """Return the question that asks where in the reference an n-gram of the candidate matches, if it does.

        None if no question is due, because the last one was too few steps ago. `order` is the n-gram's length in
        words."""
        if self.places is None:
            self.places = NgramPlaces(self.candidate, {self.k: self.references[self.k]}, order)
        places, mark = self.places, step.considered[0]
        i = mark.i_start if isinstance(mark, Edit) else mark.i if isinstance(mark, Run | Hit) else 0
        last = step.taken_marks[-1] if line == "match" else None
        at = (last.k, last.j) if isinstance(last, Run | Hit) else None
        quota, question = places.quota(i), None
        if not quota.met and quota.ours > quota.most > 0:
            question = places.count_question(i)
        elif line == "clip" or self.is_due(f"{line} {len(places.places(i)) > 1}"):
            question = places.match_question(i, at)
        places.record_match(i, at)
        return question


def total_question(noun: str, ours: Counter[tuple[str, ...]], theirs: Counter[tuple[str, ...]]) -> Question:
    """Return the question that asks how many n-grams or pairs match in all.

    `noun` is their plural noun; `ours` and `theirs` count them in candidate and reference."""
    match = (ours & theirs).total()
    loose = sum(many for what, many in ours.items() if what in theirs)
    return numeric(
        f"How many {noun} match in all?",
        match,
        f"{match} of {ours.total()}, each counted only as often as both sides have it.",
        f"Count the {noun} that are on both sides, each only as often as both have it.",
        [
            (loose, "This counts without clipping: each counts only as often as both sides have it."),
            (
                len(ours.keys() & theirs.keys()),
                "This is the number of different ones that match. Each counts as often as both have it.",
            ),
        ],
    )
