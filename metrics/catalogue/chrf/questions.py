"""Ask questions on chrF: the n-grams of a stretch, precision and recall of an order, their means, the score."""

from __future__ import annotations

import math

from ...teach.asking import StepQuestions, numeric, reference_question
from ...teach.mistakes import beta_slips, f_slips
from ...teach.records import Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number
from ...types import Letters
from ...types.work import spend
from .program import ChrFComparison


class ChrFQuestions(StepQuestions):
    """A maker of questions about the steps of chrF's program."""

    of_words = frozenset(["match"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.k = 0
        self.against: ChrFComparison | None = None
        self.order, self.match = 1, 0
        self.scores: dict[int, float] = {}

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        if line == "letters":
            self.against = ChrFComparison(self.segment, self.settings, self.k)  # type: ignore[arg-type]
            self.k, self.order, self.match = self.k + 1, 1, 0
            return None
        against = self.against
        assert against is not None, "the letters come first"
        match line:
            case "match":
                return self._stretch_question(against, step)
            case "precision" | "recall":
                question = self._fraction_question(against, line)
                if line == "recall" and not self.settings.eps_smoothing:  # type: ignore[attr-defined]
                    self._next_order()
                return question
            case "f_n" | "out":
                self._next_order()
                return None
            case "P" | "R":
                return self._mean_question(against, line)
            case "score":
                return self._score_question(against)
            case "best":
                values = self.scores
                best_k = max(values, key=lambda k: values[k])
                text = "Which reference counts?"
                return reference_question(text, values, best_k, lambda k: f"chrF = {number(values[k])}")
        return None

    def _next_order(self) -> None:
        self.order, self.match = self.order + 1, 0

    def _reference_clause(self, against: ChrFComparison) -> str:
        """Return the clause that names the reference that is compared; empty if there is only one reference."""
        return f" against reference {against.k + 1}" if self.several else ""

    def _stretch_question(self, against: ChrFComparison, step: ProgramStep) -> Question | None:
        many, noun = int(self.known["matches"]) - self.match, against.noun(self.order)
        self.match += many
        (stretch,) = step.considered
        assert isinstance(stretch, Letters)
        if self.order == 1 or noun == "word" or not self.is_due(f"match {many > 1}"):
            return None
        spend(4 + len(stretch.pieces))
        name, letters = against.quote_stretch(stretch), stretch.length
        slips: list[tuple[float, str]] = [(many + 1, "One fewer: the last one ends where these letters end.")]
        because, hint = (
            f"{number(many)}: one begins at each word but the last.",
            "Count the words at which a pair can begin.",
        )
        if noun != "pair of words":
            slips = [
                (
                    letters,
                    f"This is the number of letters. The last {noun} begins {self.order - 1} before the last letter.",
                ),
                *slips,
            ]
            because = f"{letters} letters − {self.order} + 1."
            hint = f"A {noun} begins at each letter that has {self.order - 1} more after it."
        return numeric(
            f"How many matching {against.nouns(self.order)} does {name} contain?", many, because, hint, slips
        )

    def _fraction_question(self, against: ChrFComparison, line: str) -> Question | None:
        counts = against.counts[self.order - 1]
        if not counts.both_have_ngrams:
            return None
        letter = "P" if line == "precision" else "R"
        total, other = (counts.ours, counts.theirs) if letter == "P" else (counts.theirs, counts.ours)
        whose = "the candidate's" if letter == "P" else "the reference's"
        nouns = against.nouns(self.order)
        ours, theirs = against.grams[self.order - 1]
        spend(8 + len(ours) // 4)
        reference_grams, letters = {*theirs}, len(against.lines[letter == "R"])
        loose = sum([gram in reference_grams for gram in ours])
        slips = [
            (counts.match / other, f"This is divided by the other side's {nouns}. {letter} divides by {whose}."),
            (loose / total, "This counts without clipping: each counts only as often as both sides have it."),
            (counts.match / letters, f"This is divided by the letters. Divide by the {nouns}."),
            (counts.match, "This is not divided yet."),
        ]
        because = f"{counts.match} of {whose} {total} {nouns} match."
        hint = f"Divide the {nouns} that match by all {whose}."
        value = counts.match / total
        return numeric(
            f"What is {against.symbol(letter, self.order)}{self._reference_clause(against)}?",
            value,
            because,
            hint,
            slips,
        )

    def _mean_question(self, against: ChrFComparison, letter: str) -> Question | None:
        values = [each.precision if letter == "P" else each.recall for each in against.counts if each.both_have_ngrams]
        if len(values) < 2:
            return None
        spend(4 + len(values))
        mean, order_count = sum(values) / len(values), len(against.counts)
        slips = [
            (math.prod(values) ** (1 / len(values)), "This is the geometric mean, as in BLEU. Take the plain mean."),
            (sum(values), f"This is the sum. Divide it by the {len(values)} orders."),
            (sum(values) / order_count, f"Only {len(values)} orders count: divide by {len(values)}."),
        ]
        because = f"{number(sum(values))} / {len(values)}."
        hint = f"Add {letter} of all orders that count, and divide by the number of orders."
        return numeric(f"What is {letter}{self._reference_clause(against)}?", mean, because, hint, slips)

    def _score_question(self, against: ChrFComparison) -> Question:
        spend(20)
        score = self.known["chrF"]
        self.scores[against.k] = score
        text, beta = f"What is chrF{self._reference_clause(against)}?", self.settings.beta  # type: ignore[attr-defined]
        if self.settings.eps_smoothing:  # type: ignore[attr-defined]
            because, hint = "The sum of F over all orders, divided by the number of orders.", "Take the mean of F."
            return numeric(text, score, because, hint)
        p, r = self.known["P"], self.known["R"]
        slips = [*f_slips(p, r, ("the candidate's n-grams", "the reference's"), beta), *beta_slips(p, r, beta)]
        because = f"P = {number(p)} and R = {number(r)}, with β = {beta:g}." if p and r else "Nothing matches."
        return numeric(text, score, because, f"It is (1 + β²) · P · R / (β² · P + R), with β = {beta:g}.", slips)
