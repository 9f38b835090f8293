"""N-grams that match, counted and placed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Words = Sequence[str]


def ngrams(words: Words, order: int) -> list[tuple[str, ...]]:
    """All n-grams of an order, from left to right.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def clipped_totals(candidate: Words, references: Sequence[Words], most: int) -> list[int]:
    """How many n-grams of the orders up to `most` match: each as often as some reference has it (Papineni et al. 2002).

    >>> clipped_totals("aab", ["ab", "aa"], 2)
    [3, 2]
    """
    out = []
    for order in range(1, most + 1):
        limits: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            limits |= Counter(ngrams(reference, order))
        out.append((Counter(ngrams(candidate, order)) & limits).total())
    return out


class Placed(NamedTuple):
    """The n-gram that begins at candidate word i: where each reference has it, and the place (k, j) that it is drawn
    at, None if it does not count."""

    i: int
    ngram: tuple[str, ...]
    places: list[list[int]]
    at: tuple[int, int] | None

    def most(self) -> int:
        """How often it may count: as often as in the reference that has most of it."""
        return max(map(len, self.places))


def placings(candidate: Words, references: Sequence[Words], order: int) -> Iterator[Placed]:
    """Every n-gram of the candidate with the next place in the reference that has most of it, the first of such
    references.

    >>> [(one.i, one.most(), one.at) for one in placings("aab", ["ab"], 1)]
    [(0, 1, (0, 0)), (1, 1, None), (2, 1, (0, 1))]
    """
    used: Counter[tuple[str, ...]] = Counter()
    theirs = [ngrams(reference, order) for reference in references]
    for i, ngram in enumerate(ngrams(candidate, order)):
        places = [[j for j, other in enumerate(others) if other == ngram] for others in theirs]
        k = max(range(len(references)), key=lambda k: len(places[k]))
        at = (k, places[k][used[ngram]]) if used[ngram] < len(places[k]) else None
        used[ngram] += 1
        yield Placed(i, ngram, places, at)


def placed(candidate: Words, references: Sequence[Words], order: int) -> list[tuple[int, int, int]]:
    """The n-grams of the candidate that count and where they are drawn, as (i, k, j).

    >>> placed("aa", ["a", "xaa"], 1)
    [(0, 1, 1), (1, 1, 2)]
    """
    return [(one.i, *one.at) for one in placings(candidate, references, order) if one.at]
