"""Makes questions on clipped counts: which occurrence of an n-gram in a reference matches one in the candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from ..types import Run
from ..types.work import spend
from .asking import LazyVerdicts, also, choice_question, no, numeric, right
from .ngrams import ngrams, start_positions
from .records import AnswerVerdict, Question
from .steps import phrase

CLIPPED, ABSENT = "none: it is clipped", "none: it is in no reference"


@dataclass
class ClippingQuota:
    """The clipping limit of one n-gram, and how much of it is used.

    Attributes:
        ours: number of occurrences in the candidate.
        most: largest number of occurrences in one reference.
        met: number of candidate occurrences that were visited.
        counted: number of candidate occurrences that counted.
        used: reference positions (k, j) that were matched."""

    ours: int
    most: int
    met: int = 0
    counted: int = 0
    used: set[tuple[int, int]] = field(default_factory=set)

    def may_count(self) -> bool:
        """Return whether one more occurrence of the n-gram may count."""
        return self.counted < self.most

    def can_be_skipped(self) -> bool:
        """Return whether leaving out the next occurrence of the n-gram loses nothing, because enough others follow."""
        return self.ours - self.met - 1 >= self.most - self.counted

    def clipping_reason(self) -> str:
        """Return the end of a sentence that says why the next occurrence of the n-gram is clipped, or is not."""
        times = "once" if self.most == 1 else f"{self.most} times"
        return f"no reference has it more than {times}, and {self.counted} already counted"

    def clipped_verdict(self, is_clipped: bool) -> AnswerVerdict:
        """Return the verdict on the answer that the next occurrence of the n-gram is clipped.

        `is_clipped` says whether the program clips it."""
        if not self.most:
            return no("It is not clipped: no reference has it at all.")
        if is_clipped:
            return right(f"Clipped: {self.clipping_reason()}.")
        if self.can_be_skipped():
            return also("This is as good: it does not matter which one is clipped. The program counts this one.")
        return no(f"It counts: {self.clipping_reason()}.")

    def absent_verdict(self) -> AnswerVerdict:
        """Return the verdict on the answer that the n-gram is in no reference."""
        return no("It is in a reference.") if self.most else right("It is in no reference.")


class NgramPlaces:
    """The positions of all n-grams of one order in the texts, and what counted so far.

    `references` has the references to look at, by index."""

    def __init__(self, candidate: Sequence[str], references: Mapping[int, Sequence[str]], order: int) -> None:
        self.order, self.ours = order, ngrams(candidate, order)
        self.often_ours = Counter(self.ours)
        self.theirs = {k: start_positions(reference, order) for k, reference in references.items()}
        self.quotas: dict[Hashable, ClippingQuota] = {}

    def quota(self, i: int) -> ClippingQuota:
        """Return the clipping limit of the n-gram at candidate position `i`, and how much of it is used."""
        ngram = self.ours[i]
        if ngram not in self.quotas:
            most = max([len(starts.get(ngram, ())) for starts in self.theirs.values()])
            self.quotas[ngram] = ClippingQuota(self.often_ours[ngram], most)
        return self.quotas[ngram]

    def places(self, i: int) -> list[tuple[int, int]]:
        """Return the reference positions (k, j) at which the n-gram at candidate position `i` occurs."""
        ngram = self.ours[i]
        positions = [(k, j) for k, starts in self.theirs.items() for j in starts.get(ngram, ())]
        spend(len(self.theirs) + len(positions) // 2)
        return positions

    def quoted_ngram(self, i: int) -> str:
        """Return the n-gram at candidate position `i` as sentences quote it, in quotation marks and shortened."""
        return phrase(" ".join(self.ours[i]), 24)

    def record_match(self, i: int, at: tuple[int, int] | None) -> None:
        """Record that the n-gram at candidate position `i` matches at reference position `at`, or is clipped (None)."""
        quota = self.quota(i)
        quota.met += 1
        if at:
            quota.counted += 1
            quota.used.add(at)

    def count_question(self, i: int) -> Question:
        """Return the question how often the n-gram at candidate position `i` counts at most."""
        quota, name = self.quota(i), self.quoted_ngram(i)
        total = len(self.places(i))
        return numeric(
            f"The candidate has {name} {quota.ours} times. How often does it count?",
            min(quota.ours, quota.most),
            f"Clipped: it counts at most as often as in the reference that has it most often, {quota.most}.",
            "It counts as often as the candidate has it, but at most as often as one reference has it.",
            [
                (
                    quota.ours,
                    "That is how often the candidate has it, but no reference has it that often: it is clipped.",
                ),
                (total, "That is how often all references together have it. The one that has it most often decides."),
            ],
            [Run(i, k, j, self.order) for k, j in self.places(i)],
        )

    def match_question(self, i: int, at: tuple[int, int] | None) -> Question:
        """Return the question where the n-gram at candidate position `i` matches.

        `at` is the reference position (k, j) where the program draws it, None if it does not count."""
        quota, places = self.quota(i), self.places(i)
        spend(len(quota.used) // 10)
        used, may = frozenset(quota.used), quota.may_count()
        drop = quota.clipped_verdict(bool(places) and at is None)
        absent, why = quota.absent_verdict(), quota.clipping_reason()
        shows = ",".join(map(str, (i, *at))) if at else "0" if places else "1"
        noun = "word" if self.order == 1 else f"{self.order}-gram"
        good = len([place for place in places if place not in used]) if may else 0
        good += drop.how != "no" or absent.how != "no"
        return Question(
            f"Where does {self.quoted_ngram(i)}, {noun} {i + 1}, match?",
            "cell",
            shows,
            LazyVerdicts(lambda: self._verdicts(i, at, places, used, may, why) | {"0": drop, "1": absent}),
            no(f"{self.quoted_ngram(i)} is not there. Click a cell where it matches, or choose “none”."),
            choices=(CLIPPED, ABSENT),
            optimal=good,
        )

    def _verdicts(
        self,
        i: int,
        at: tuple[int, int] | None,
        places: Sequence[tuple[int, int]],
        used: frozenset[tuple[int, int]],
        may: bool,
        why: str,
    ) -> dict[str, AnswerVerdict]:
        """Return a verdict for every cell of every possible match of the n-gram at candidate position `i`.

        `at` is the match that the program draws, `places` are all reference positions, and `used` those that have
        matched before. `may` says whether the n-gram may still count, and `why` explains it."""
        verdicts: dict[str, AnswerVerdict] = {}
        for place in places:
            k, j = place
            run = Run(i, k, j, self.order)
            if place == at:
                verdict = right("It matches here.", run)
            elif not may:
                verdict = no(f"It is clipped: {why}.", run)
            elif place in used:
                verdict = no("This one has already matched.", run)
            else:
                verdict = also("It may match here too: only the number of matches counts.", run)
            verdicts |= {f"{i + d},{k},{j + d}": verdict for d in range(self.order)}
        return verdicts


def matching_question(text: str, quota: ClippingQuota, counts: bool) -> Question | None:
    """Return the question whether something matches, is clipped, or is in no reference.

    `counts` says whether the program counts it; `quota` is its clipping limit."""
    if counts:
        yes = right(f"It counts: {quota.clipping_reason()}.")
    elif not quota.most:
        yes = no("It is in no reference.")
    elif quota.may_count():
        yes = also("This is as good: the same number counts in all.")
    else:
        yes = no(f"It is clipped: {quota.clipping_reason()}.")
    return choice_question(
        text,
        [
            ("it matches", yes),
            (CLIPPED, quota.clipped_verdict(not counts and bool(quota.most))),
            (ABSENT, quota.absent_verdict()),
        ],
    )
