"""Provides the steps and questions that BLEU and NIST share: clipped n-grams order by order, and the brevity penalty.

An n-gram counts at most as often as one reference has it."""

from __future__ import annotations

from collections.abc import Mapping

from ..types import Mark, Run
from ..types.work import spend
from .asking import StepQuestions, numeric
from .ngrams import PlacedNgram
from .places import NgramPlaces
from .records import Question
from .steps import Decision, Prefix, ProgramStep, PseudoCode, Rejected, Trace, number, phrase, unmatched_mark

#: The reason why an n-gram does not count although a reference has it.
CLIPPED = "no reference has it more often"


def ngram_step(
    placed_ngram: PlacedNgram,
    order: int,
    outcome: str,
    taken_marks: list[Mark],
    lines: PseudoCode,
    score: float,
    known_values: Mapping[str, float],
) -> ProgramStep:
    """Return the step of BLEU or NIST that counts one n-gram of the candidate, or says why it does not count.

    Args:
        one: the n-gram with its places in the references.
        order: its number of words.
        outcome: what follows if it counts, as the end of a sentence.
        taken_marks: the marks so far; the mark of the n-gram is appended if it counts.
        lines: the pseudo-code.
        score: the score so far.
        known_values: the numbers of the formula that are known."""
    spend(sum(map(len, placed_ngram.places)))
    places = tuple([Run(placed_ngram.i, k, j, order) for k, starts in enumerate(placed_ngram.places) for j in starts])
    name, most = phrase(" ".join(placed_ngram.ngram), 28), placed_ngram.count_limit()
    if placed_ngram.at:
        k, j = placed_ngram.at
        taken_marks.append(Run(placed_ngram.i, k, j, order))
        choice = Decision("which occurrence is drawn", places) if len(places) > 1 else None
        text = f"{name} matches{f', up to {most} times' if most > 1 else ''}: {outcome}."
        return ProgramStep(
            text, lines["match"], places, Prefix(taken_marks), score=score, decision=choice, known_values=known_values
        )
    if not places:
        words = (unmatched_mark(placed_ngram.i, placed_ngram.i + order, 0),)
        text = f"{name} is in no reference."
        return ProgramStep(text, lines["other"], words, Prefix(taken_marks), score=score, known_values=known_values)
    rejected = tuple([Rejected(place, CLIPPED) for place in places])
    times = "once" if most == 1 else f"{most} times"
    text = f"{name}: no reference has it more than {times}, and this one is clipped."
    return ProgramStep(
        text, lines["clip"], places, Prefix(taken_marks), rejected, score=score, known_values=known_values
    )


def subscript(digits: int) -> str:
    """Return a number as a string of subscript digits.

    >>> subscript(12)
    '₁₂'
    """
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(digits))


class ClippedNgramQuestions(StepQuestions):
    """The questions about the steps of BLEU and NIST that count n-grams, order by order."""

    of_words = frozenset(["match", "clip", "other"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.orders: int = self.settings.max_order
        self.places: NgramPlaces | None = None
        self.i = 0  # position of the next n-gram
        self.order = 1

    def current_places(self) -> NgramPlaces:
        """Return where the n-grams of the current order stand in the texts, and which of them have counted."""
        if self.places is None:
            self.places = NgramPlaces(self.candidate, dict(enumerate(self.references)), self.order)
        return self.places

    def ngram_question(self, line: str, step: ProgramStep) -> Question | None:
        """Return the question to ask before the step that counts the next n-gram, or None.

        `line` is the name of the step's line of pseudo-code. The n-gram is recorded as visited."""
        places, i = self.current_places(), self.i
        self.i += 1
        last = step.taken_marks[-1] if line == "match" else None
        at = (last.k, last.j) if isinstance(last, Run) else None
        quota = places.quota(i)
        question = None
        if not quota.met and quota.ours > quota.most > 0:
            question = places.count_question(i)
        elif step.decision or line == "clip" or self.is_due(line):
            question = places.match_question(i, at)
        places.record_match(i, at)
        return question

    def ngram_step(self) -> tuple[int, int, int]:
        """Return how many n-grams of the finished order match with clipping, how many without, and how many there are.

        The next order begins after this call."""
        places = self.current_places()
        match = sum(quota.counted for quota in places.quotas.values())
        loose = sum(quota.ours for quota in places.quotas.values() if quota.most)
        self.order += 1
        self.places, self.i = None, 0
        return match, loose, len(places.ours)


def brevity_question(c: float, r: float, value: float, formula: str, slip: float) -> Question:
    """Return the question for the brevity penalty of `c` candidate words against `r` reference words.

    `value` is the answer and `formula` says how it is computed. `slip` is the number that a wrong formula gives."""
    slips = [(slip, f"That is a different formula. It is {formula}.")]
    if r:
        slips.append((c / r, f"This is c/r. The penalty is {formula}."))
    because = f"c = {number(c)} is less than r = {number(r)}: {formula}."
    if c >= r:
        because = f"c = {number(c)} is at least r = {number(r)}: nothing is lost."
    elif not c:
        because = "The candidate has no words."
    return numeric("What is the brevity penalty?", value, because, f"It is {formula}, but 1 if c is at least r.", slips)
