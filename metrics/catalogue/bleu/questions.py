"""Ask questions on BLEU: which n-grams count, the precisions, the brevity penalty, the score."""

from __future__ import annotations

import math

from ...teach.asking import also, choice_question, no, numeric, right
from ...teach.clipping import ClippedNgramQuestions, brevity_question
from ...teach.records import AnswerVerdict, Question
from ...teach.steps import ProgramStep, number
from .slips import mean_slips


class BLEUQuestions(ClippedNgramQuestions):
    """A maker of questions about the steps of BLEU's program."""

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "match" | "clip" | "other":
                return self.ngram_question(line, step)
            case "precision" | "smooth" | "effective":
                return self._precision_question(line)
            case "length" if step.decision:
                return self._length_question()
            case "brevity":
                return self._brevity_question()
            case "score":
                return self._score_question()
        return None

    def _precision_question(self, line: str) -> Question | None:
        order, (match, loose, total) = self.order, self.ngram_step()
        if not total or f"p_{order}" not in self.known:
            return None
        slips = [(loose / total, "This counts without clipping: no n-gram counts more often than a reference has it.")]
        if line == "smooth":
            slips.append((match / total, "This is not smoothed yet."))
        slips.append(
            (match / len(self.candidate), f"This is divided by the words. Divide by the {total} {order}-grams.")
        )
        slips.append((match, "This is not divided yet."))
        because = f"{match} of {total} {order}-grams match{', smoothed' if line == 'smooth' else ''}."
        hint = f"Divide the clipped matches by all {order}-grams of the candidate."
        if line == "smooth":
            hint = f"{match} of {total} {order}-grams match; then smooth it as the line of the program says."
        return numeric(f"What is the precision of {order}-grams?", self.known[f"p_{order}"], because, hint, slips)

    def _length_question(self) -> Question | None:
        c, r = len(self.candidate), int(self.known["r"])
        choices: list[tuple[str, AnswerVerdict]] = []
        has_choice = False
        for k, reference in enumerate(self.references):
            m = len(reference)
            if m == r:
                verdict = also(f"It has {m} words too.") if has_choice else right(f"{m} words: none is closer to {c}.")
                has_choice = True
            elif abs(m - c) == abs(r - c):
                verdict = no(f"{m} words are as close to {c} as {r}, but on ties the shorter length counts.")
            else:
                verdict = no(f"{m} words are further from {c} than {r}.")
            choices.append((f"reference {k + 1}: {m} words", verdict))
        return choice_question("Which reference's length counts?", choices)

    def _brevity_question(self) -> Question:
        c, r = len(self.candidate), self.known["r"]
        return brevity_question(c, r, self.known["BP"], "exp(1 − r/c)", math.exp(1 - c / r) if r else 1.0)

    def _score_question(self) -> Question:
        bp, precisions = self.known["BP"], [self.known[f"p_{n}"] for n in range(1, int(self.known.get("N", 0)) + 1)]
        mean = self.known["BLEU"] / bp if bp else 0.0
        because = f"{number(bp)} times the geometric mean of the precisions, {number(mean)}."
        if not mean:
            because = "One precision is 0, so the geometric mean is 0."
        plain = sum(precisions) / len(precisions) if precisions else 0.0
        slips = [
            *(mean_slips(precisions, bp) if precisions else ()),
            (mean, "This is without the brevity penalty."),
            (plain, "This is the plain mean, without the brevity penalty."),
            (math.prod(precisions), "This is the product of the precisions. Take the root of it."),
        ]
        return numeric(
            "What is BLEU?", self.known["BLEU"], because, "BP times the geometric mean of the precisions.", slips
        )
