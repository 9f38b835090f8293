"""How many answers are optimal: the alignments, or choices of what counts, that give a result's score.

The metrics that find equally good alignments themselves are asked; for the others their `Plans` count them, in
sentences of an exercise's length.

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
    """How many answers are optimal, what they are, and whether all of them are known to have the same score."""

    number: int
    what: str
    unique: bool

    def says(self) -> str:
        """A sentence for students.

        >>> OptimalAnswers(1, "matchings", True).says(), OptimalAnswers(2, "matchings", True).says()
        ('One answer alone is optimal.', '2 matchings are equally good.')
        """
        return "One answer alone is optimal." if self.number == 1 else f"{self.number:,} {self.what} are equally good."


#: Answers that are counted one by one at the most.
MOST = 2_000


def optimal(metric: Metric, result: Result) -> OptimalAnswers:
    """The number of optimal answers; `unique` is False where the score depends on the choice, or where it is not known.

    Of several references those that decide are looked at.
    """
    plans = parts.plans(metric)
    if metric.ties:
        ties = metric.ties(result, 1)
        return OptimalAnswers(ties.count, plans.what, ties.exact and not ties.depends)
    assert plans.count, "a metric that finds no ties has them counted"
    count, unique = plans.count(result)
    return OptimalAnswers(count, plans.what, unique)


def deciding(result: Result) -> list[Tokens]:
    """The references that decide, each once; all of them where none is named."""
    references = result.segment.references
    return [references[k] for k in dict.fromkeys(result.decides.values())] or [*references]


def pairings(ours: Iterable[Hashable], theirs: Iterable[Hashable]) -> int:
    """The largest matchings of equal things.

    >>> pairings("aab", "ab"), pairings("aa", "aa")
    (2, 2)
    """
    a, b = Counter(ours), Counter(theirs)
    return math.prod([math.perm(max(a[x], b[x]), min(a[x], b[x])) for x in a.keys() & b.keys()])


def of_pairings(result: Result) -> tuple[int, bool]:
    order = int(result.settings.to_dict().get("order", 1))
    ours = ngrams(result.segment.candidate, order)
    return math.prod([pairings(ours, ngrams(r, order)) for r in deciding(result)]), True


def choices(ours: Iterable[Hashable], theirs: Iterable[Iterable[Hashable]]) -> int:
    """The choices of which of our things count, each as often as the one of theirs that has most of it.

    >>> choices("aaab", ["a", "aa"])
    3
    """
    counters = [Counter(things) for things in theirs]
    return math.prod([math.comb(k, min(k, max(of[x] for of in counters))) for x, k in Counter(ours).items()])


def of_clipping(result: Result) -> tuple[int, bool]:
    """The choices among the occurrences of each n-gram in the candidate, order by order."""
    candidate, references = result.segment
    orders = range(1, int(result.settings.to_dict()["max_order"]) + 1)
    return math.prod([choices(ngrams(candidate, n), [ngrams(r, n) for r in references]) for n in orders]), True
