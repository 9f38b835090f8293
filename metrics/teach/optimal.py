"""Counts optimal answers: the alignments, or choices of the n-grams that count, that give the score of a result.

Some metrics find equally good alignments themselves. For the others this module counts them, which is feasible for
sentences as short as those of an exercise.

>>> from metrics import METRICS, score
>>> result = score("per", "the cat the".split(), ["the dog".split()])
>>> count_optimal(METRICS["per"], result)
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
    """The number of equally good answers, a plural noun for them (`what`), and whether they all give one score.

    `unique` is True if all of them are known to have the same score."""

    number: int
    what: str
    unique: bool

    def says(self) -> str:
        """Return the number of optimal answers as a sentence for students.

        >>> OptimalAnswers(1, "matchings", True).says(), OptimalAnswers(2, "matchings", True).says()
        ('Of all matchings only this one is best.', '2 matchings are equally good.')
        """
        if self.number == 1:
            return f"Of all {self.what} only this one is best."
        return f"{self.number:,} {self.what} are equally good."


#: Maximum number of answers that are counted one by one.
MOST = 2_000


def count_optimal(metric: Metric, result: Result) -> OptimalAnswers:
    """Return how many answers to a result, such as alignments, are equally good.

    Only the references that decide the score are considered. `unique` is False if the score depends on the choice, or
    if that is unknown."""
    plans = parts.load_plans(metric)
    if metric.ties:
        ties = metric.ties(result, 1)
        return OptimalAnswers(ties.count, plans.what, ties.exact and not ties.depends)
    assert plans.count, "a metric that finds no ties has them counted"
    count, unique = plans.count(result)
    return OptimalAnswers(count, plans.what, unique)


def deciding_references(result: Result) -> list[Tokens]:
    """Return the references that decide the score, each once; all references if the result does not name one."""
    references = result.segment.references
    return [references[k] for k in dict.fromkeys(result.decides.values())] or [*references]


def count_matchings(ours: Iterable[Hashable], theirs: Iterable[Hashable]) -> int:
    """Return in how many ways as many equal items as possible can be paired.

    >>> count_matchings("aab", "ab"), count_matchings("aa", "aa")
    (2, 2)
    """
    a, b = Counter(ours), Counter(theirs)
    return math.prod([math.perm(max(a[x], b[x]), min(a[x], b[x])) for x in a.keys() & b.keys()])


def count_pairings(result: Result) -> tuple[int, bool]:
    """Return the number of ways to pair equal n-grams of the candidate and the deciding references.

    The second value is True: all ways have the same score."""
    order = int(result.settings.to_dict().get("order", 1))
    ours = ngrams(result.segment.candidate, order)
    return math.prod([count_matchings(ours, ngrams(r, order)) for r in deciding_references(result)]), True


def count_choices(ours: Iterable[Hashable], theirs: Iterable[Iterable[Hashable]]) -> int:
    """Return the number of ways to choose which items of `ours` count.

    An item counts at most as often as the collection in `theirs` that has most of it.

    >>> count_choices("aaab", ["a", "aa"])
    3
    """
    counters = [Counter(things) for things in theirs]
    return math.prod([math.comb(k, min(k, max(of[x] for of in counters))) for x, k in Counter(ours).items()])


def count_clipped_choices(result: Result) -> tuple[int, bool]:
    """Return the number of ways to choose which occurrences of the candidate's n-grams count, over all orders.

    The second value is True: all ways have the same score."""
    candidate, references = result.segment
    orders = range(1, int(result.settings.to_dict()["max_order"]) + 1)
    return math.prod([count_choices(ngrams(candidate, n), [ngrams(r, n) for r in references]) for n in orders]), True
