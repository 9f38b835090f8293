"""Counts optimal answers: the alignments, or choices of what counts, that give the score of a result.

Metrics that find equally good alignments themselves are asked. For the others their `Plans` count them, in sentences as
short as those of an exercise.

>>> from metrics import METRICS, score
>>> result = score("per", "the cat the".split(), ["the dog".split()])
>>> optimal(METRICS["per"], result)
OptimalAnswers(number=2, what='ways to pair up equal words', unique=True)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ..types import Metric, Result, Tokens
from . import parts
from .ngrams import ngrams


class OptimalAnswers(NamedTuple):
    """The number of optimal answers, what they are, and whether they are unique in score.

    `unique` says whether all optimal answers are known to have the same score."""

    number: int
    what: str
    unique: bool

    def says(self) -> str:
        """Return the number as a sentence for students.

        >>> OptimalAnswers(1, "matchings", True).says(), OptimalAnswers(2, "matchings", True).says()
        ('One answer alone is optimal.', '2 matchings are equally good.')
        """
        return "One answer alone is optimal." if self.number == 1 else f"{self.number:,} {self.what} are equally good."


#: Maximum number of answers that are counted one by one.
MOST = 2_000


def optimal(metric: Metric, result: Result) -> OptimalAnswers:
    """Return the number of optimal answers to a result.

    Only the references that decide are considered. `unique` is False if the score depends on the choice, or if that is
    unknown."""
    plans = parts.plans(metric)
    if metric.ties:
        ties = metric.ties(result, 1)
        return OptimalAnswers(ties.count, plans.what, ties.exact and not ties.depends)
    assert plans.count, "a metric that finds no ties has them counted"
    count, unique = plans.count(result)
    return OptimalAnswers(count, plans.what, unique)


def deciding(result: Result) -> list[Tokens]:
    """Return the references that decide the score, each once; all references if none is named."""
    references = result.segment.references
    return [references[k] for k in dict.fromkeys(result.decides.values())] or [*references]


def pairings(ours: Iterable[Hashable], theirs: Iterable[Hashable]) -> int:
    """Return the number of largest matchings between equal items.

    >>> pairings("aab", "ab"), pairings("aa", "aa")
    (2, 2)
    """
    a, b = Counter(ours), Counter(theirs)
    return math.prod([math.perm(max(a[x], b[x]), min(a[x], b[x])) for x in a.keys() & b.keys()])


def count_pairings(result: Result) -> tuple[int, bool]:
    """Return the number of ways to pair equal n-grams of candidate and deciding references, and True."""
    order = int(result.settings.to_dict().get("order", 1))
    ours = ngrams(result.segment.candidate, order)
    return math.prod([pairings(ours, ngrams(r, order)) for r in deciding(result)]), True


def choices(ours: Iterable[Hashable], theirs: Iterable[Iterable[Hashable]]) -> int:
    """Return the number of ways to choose which of our items count.

    An item counts at most as often as the collection in `theirs` that has most of it.

    >>> choices("aaab", ["a", "aa"])
    3
    """
    counters = [Counter(things) for things in theirs]
    return math.prod([math.comb(k, min(k, max(of[x] for of in counters))) for x, k in Counter(ours).items()])


def count_clipped_choices(result: Result) -> tuple[int, bool]:
    """Return the number of choices among the occurrences of each n-gram in the candidate over all orders, and True."""
    candidate, references = result.segment
    orders = range(1, int(result.settings.to_dict()["max_order"]) + 1)
    return math.prod([choices(ngrams(candidate, n), [ngrams(r, n) for r in references]) for n in orders]), True
