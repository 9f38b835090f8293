"""Ask questions on RIBES: the partner of a word, which pairs rise, the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...teach.asking import LazyVerdicts, StepQuestions, no, numeric, right, winner_question
from ...teach.records import AnswerVerdict, Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, count, number, phrase, word
from ...types import Hit, SkipBigram
from .program import Context, contexts_of_word
from .slips import factor_slips, kendall_slips, precision_slip


class RIBESQuestions(StepQuestions):
    """A maker of questions about the steps of RIBES's program: contexts, aligned words, pairs and numbers."""

    of_words = frozenset(["once", "found", "none", "absent", "grow"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.i = self.k = 0  # the next word to align, and the reference
        self.context = 0  # how many of the word's contexts were tried
        self.values: list[float] = []

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "once" | "found" | "none" | "absent":
                self.i, self.context = self.i + 1, 0
                return self._alignment_question(self.i - 1) if line in ("found", "none") or self.is_due(line) else None
            case "grow":
                question = self._context_question(step) if self.is_due(line) else None
                self.context += 1
                return question
            case "pairs":
                return self._pairs_question(step)
            case "kendall" | "precision" | "brevity" | "each":
                question = self._number_question(line)
                if line == "each":
                    self.values.append(step.score or 0.0)
                    self.i, self.k = 0, self.k + 1
                return question
            case "score" if step.decision:
                text = "Which reference's value is the score?"
                return winner_question(text, self.values, lambda value: f"the value {number(value)}")
        return None

    def about(self, line: str, step: ProgramStep) -> Sequence[str]:
        if line == "pairs" and isinstance(step.considered[0], SkipBigram):
            return (f"c{step.considered[0].second.i}",)
        return super().about(line, step)

    # ---------------------------------------------------------------- words

    def _alignment_question(self, i: int) -> Question:
        k, reference = self.k, self.references[self.k]
        word_contexts = [*contexts_of_word(self.candidate, i, reference)]
        last = word_contexts[-1]
        (hit,) = last.cells(k) if len(last.ours) == len(last.theirs) == 1 else (None,)
        ours = word(self.candidate[i])
        of = f" of reference {k + 1}" if self.several else " of the reference"
        return Question(
            f"Which word{of} is {ours}, word {i + 1}, aligned with?",
            "word",
            f"r{k}_{hit.j}" if hit else "0",
            LazyVerdicts(lambda: self._word_verdicts(i, k, word_contexts, hit)),
            no(f"Click a word{of}, or say that there is none."),
            choices=("none: it is not aligned",),
        )

    def _word_verdicts(self, i: int, k: int, word_contexts: list[Context], hit: Hit | None) -> dict[str, AnswerVerdict]:
        """Return the verdict on each answer to which reference word candidate word `i` is aligned with.

        The key is the cell's name, or that of the answer "none". `hit` is the right answer, None if the word stays
        unaligned."""
        reference, last = self.references[k], word_contexts[-1]
        ours = word(self.candidate[i])
        name = phrase(" ".join(self.candidate[last.start : last.end]), 24)
        verdicts: dict[str, AnswerVerdict] = {}
        for j, theirs in enumerate(reference):
            if hit and j == hit.j:
                verdict = right(f"{name} occurs once in each sentence.", hit)
            elif theirs != self.candidate[i]:
                verdict = no(f"{word(theirs)} is a different word from {ours}.")
            elif hit:
                verdict = no(f"{name} occurs once in each sentence, but not at this place.", Hit(i, k, j))
            else:
                verdict = no(f"No context of {ours} that occurs once in each sentence leads here.", Hit(i, k, j))
            verdicts[f"r{k}_{j}"] = verdict
        if hit:
            verdicts["0"] = no(f"{name} occurs once in each sentence, so {ours} is aligned.")
        elif word_contexts[0].theirs:
            verdicts["0"] = right(f"No context of {ours} occurs once in each sentence.")
        else:
            verdicts["0"] = right(f"{ours} is not in this reference.")
        return verdicts

    def _context_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks how often the context that is tried next occurs in the reference."""
        considered = [mark for mark in step.considered if isinstance(mark, Hit) and mark.i == self.i]
        one = [*contexts_of_word(self.candidate, self.i, self.references[self.k])][self.context]
        name = phrase(" ".join(self.candidate[one.start : one.end]), 24)
        times, ours = len(one.theirs), len(one.ours)
        return numeric(
            f"How often does {name} occur in the reference?",
            times,
            f"It occurs there {count(times, 'time')}, and {count(ours, 'time')} in the candidate: not once in both.",
            "Look for these words side by side in the reference.",
            [(ours, "That is how often it occurs in the candidate.")],
            considered,
        )

    # ---------------------------------------------------------------- pairs and numbers

    def _pairs_question(self, step: ProgramStep) -> Question:
        pairs = [mark for mark in step.considered if isinstance(mark, SkipBigram)]
        hit = pairs[0].second
        rising = [pair for pair in pairs if pair.first.j < pair.second.j]
        falling = [pair for pair in pairs if pair.first.j >= pair.second.j]
        text = f"With how many of the aligned words before it is {word(self.candidate[hit.i])} in the right order?"
        because = f"{len(rising)} of {len(pairs)}: these are before it in the reference too."
        slips = [(len(falling), "That is the number in the wrong order: in the reference they come after it.")]
        hint = "Count the aligned words before it that are before it in the reference too."
        return numeric(text, len(rising), because, hint, slips, rising)

    def _number_question(self, line: str) -> Question:
        known_numbers, n, m = self.known, len(self.candidate), len(self.references[self.k])
        up, down = (int(known_numbers.get(name, 0)) for name in ("concordant", "discordant"))
        words, pairs, kendall = int(known_numbers["aligned"]), up + down, known_numbers["kendall"]
        if line == "kendall":
            if not pairs:
                because = "A single aligned word is in order." if words else "No word is aligned, so it is 0."
            else:
                because = f"{up} of {count(pairs, 'pair')} rise."
            hint = "Rising pairs, divided by all pairs."
            return numeric("What is kendall, (τ + 1) / 2?", kendall, because, hint, [*kendall_slips(up, down)])
        if line == "precision":
            because = f"{count(words, 'word')} of {n} {'is' if words == 1 else 'are'} aligned."
            whose = f"reference {self.k + 1}" if self.several else "the reference"
            slips = [*precision_slip(words, n, m, whose)] if m else []
            hint = "Aligned words, divided by the candidate's length."
            return numeric("What is the precision P?", known_numbers["p"], because, hint, slips)
        if line == "brevity":
            slips = [(math.exp(1 - n / m), "This has n/m in place of m/n.")] if m else []
            slips += [(n / m, "This is n/m. The penalty is exp(1 − m/n).")] if m else []
            because = f"{n} words for {m}: {'it is too short' if n < m else 'not too short, so nothing is lost'}."
            return numeric(
                "What is the brevity penalty?",
                known_numbers["BP"],
                because,
                "It is exp(1 − m/n), but at most 1.",
                slips,
            )
        slips = [*factor_slips(kendall, known_numbers["p"], known_numbers["BP"])]
        because = f"{number(kendall)} times P^α and BP^β."
        return numeric(
            "What is RIBES with this reference?", known_numbers["RIBES"], because, "kendall · P^α · BP^β", slips
        )
