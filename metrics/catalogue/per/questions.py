"""Ask questions on PER: which word leaves the bags, what is left in them, the rates."""

from __future__ import annotations

from collections import Counter

from ...teach.asking import (
    LazyVerdicts,
    StepQuestions,
    also,
    choice_question,
    no,
    numeric,
    right,
    winner_question,
)
from ...teach.mistakes import candidate_length_slips, longer_length_slips, reference_divisor_phrase, reference_name
from ...teach.records import AnswerVerdict, Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number, word
from ...types import Edit, Hit, quote_text
from .slips import deletion_slip, insertion_slip


class PERQuestions(StepQuestions):
    """A maker of questions about the steps of PER's program: which words leave the bags, and the error rates."""

    of_words = frozenset(["pair", "left"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.k = 0
        self.used: dict[int, Hit] = {}  # the hits that emptied the reference's bag, by word position
        self.rates: list[float] = []

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "pair" | "left":
                return self._word_question(line, step)
            case "rate":
                self.rates.append(step.score or 0.0)
                question = self._remainder_question()
                self.k, self.used = self.k + 1, {}
                return question
            case "best":
                text = "Which reference is kept?"
                return winner_question(text, self.rates, lambda rate: f"the rate {number(rate)}", lowest_wins=True)
            case "result":
                return self._rate_question(self.rates.index(min(self.rates)))
        return None

    def _word_question(self, line: str, step: ProgramStep) -> Question | None:
        mark = step.considered[0]
        i = mark.i_start if isinstance(mark, Edit) else mark.i if isinstance(mark, Hit) else 0
        hit = step.taken_marks[-1] if line == "pair" else None
        assert hit is None or isinstance(hit, Hit)
        used, k = dict(self.used), self.k
        if hit:
            self.used[hit.j] = hit
        kind = f"{line} {len(step.considered) > 1}"
        if not (step.decision or step.rejected or self.is_due(kind)):
            return None
        name = word(self.candidate[i])
        of = f" of reference {k + 1}" if self.several else " of the reference"
        free = [j for j, other in enumerate(self.references[k]) if other == self.candidate[i] and j not in used]
        return Question(
            f"{name}, word {i + 1}: click the word{of} that leaves the bag with it, or none.",
            "word",
            f"r{k}_{hit.j}" if hit else "0",
            LazyVerdicts(lambda: self._partner_verdicts(i, k, used, free)),
            no(f"Click a word{of}, or none."),
            choices=("none: it stays",),
            optimal=max(1, len(free)),
        )

    def _partner_verdicts(self, i: int, k: int, used: dict[int, Hit], free: list[int]) -> dict[str, AnswerVerdict]:
        ours = self.candidate[i]
        name = word(ours)
        verdicts: dict[str, AnswerVerdict] = {}
        for j, theirs in enumerate(self.references[k]):
            if ours != theirs:
                verdict = no(f"{word(theirs)} is a different word from {name}.")
            elif j in used:
                verdict = no(f"This {name} is gone: it left with word {used[j].i + 1}.", used[j])
            elif j == free[0]:
                verdict = right(f"{name} is in both bags, and leaves both.", Hit(i, k, j))
            else:
                verdict = also("An equal word: it does not matter which of them goes.", Hit(i, k, j))
            verdicts[f"r{k}_{j}"] = verdict
        verdicts["0"] = right(f"No {name} is left in the reference's bag.")
        if free:
            verdicts["0"] = no(f"There is still a {name} in the reference's bag.")
        return verdicts

    def _remainder_question(self) -> Question | None:
        """Return the question that asks which words are left in the reference's bag.

        The other answers are bags that common mistakes leave. None if all answers would be equal."""
        k, reference = self.k, self.references[self.k]
        ours, theirs = Counter(self.candidate), Counter(reference)
        bags: dict[str, AnswerVerdict] = {}

        def offer(bag: Counter[str], verdict: AnswerVerdict) -> None:
            bags.setdefault(_list_words(bag), verdict)

        offer(theirs - ours, right("Each word leaves as often as the candidate has it."))
        missing = Counter({w: many for w, many in theirs.items() if w not in ours})
        offer(missing, no("A word leaves only as often as the candidate has it: equal ones can stay."))
        offer(ours - theirs, no("This is what is left of the candidate."))
        offer(theirs, no("Nothing has left this bag yet. Words that both have leave it."))
        offer(theirs & ours, no("These are the words that both have: they leave."))
        choices = sorted(bags.items())
        of = f" of reference {k + 1}" if self.several else " of the reference"
        return choice_question(f"What is left in the bag{of}?", choices)

    def _rate_question(self, k: int) -> Question:
        n, m = len(self.candidate), len(self.references[k])
        common = int(self.known["common"])
        wrong, reference = max(n, m) - common, reference_name(self.references, k)
        slips: list[tuple[float, str]] = []
        if m:
            slips.append((wrong, "This is the number of errors. Divide it by the reference's length."))
            if n != m:
                slips += (insertion_slip if n > m else deletion_slip)(n, m, common, reference)
        by = reference_divisor_phrase(reference, m or 1)
        slips += [*longer_length_slips(wrong, n, m, by), *candidate_length_slips(wrong, n, by)]
        because = f"({max(n, m)} − {common}) / {m}." if m else "The reference has no words, so it counts as 1 word."
        hint = "The longer sentence's words that are not in common, divided by the reference's length."
        return numeric("What is the error rate?", self.known["PER"], because, hint, slips)


def _list_words(bag: Counter[str]) -> str:
    """Return the words of a bag as text, sorted; "nothing" if the bag is empty."""
    return quote_text(" ".join(sorted(bag.elements())), 60) if bag else "nothing"
