"""N-grams that match, counted and placed one by one, and the score that Doddington (2002) makes of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Words = Sequence[str]
Segment = tuple[Words, Sequence[Words]]


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


def placed(candidate: Words, references: Sequence[Words], order: int) -> list[tuple[int, int, int]]:
    """For every n-gram of the candidate the next place (i, k, j) of the reference that has most of it, the first of
    such references.

    >>> placed("aa", ["a", "xaa"], 1)
    [(0, 1, 1), (1, 1, 2)]
    """
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    out = []
    theirs = [ngrams(reference, order) for reference in references]
    for i, ngram in enumerate(ngrams(candidate, order)):
        if ngram not in places:
            found = [[j for j, other in enumerate(others) if other == ngram] for others in theirs]
            k = max(range(len(references)), key=lambda k: len(found[k]))
            places[ngram] = [(k, j) for j in found[k]]
        if places[ngram]:
            out.append((i, *places[ngram].pop(0)))
    return out


def nist(segments: Sequence[Segment], most: int) -> float:
    """Doddington's formulas over a corpus of candidates with their references, with all counts written out.

    >>> round(nist([("ab", ["ab"])], 2), 3)
    1.0
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for _, references in segments:
        for reference in references:
            counts[()] += len(reference)
            counts.update(tuple(reference[i:j]) for j in range(len(reference) + 1) for i in range(j))
    n, m = 0, 0.0
    information, totals = [0.0] * most, [0] * most
    for candidate, references in segments:
        n += len(candidate)
        m += sum(map(len, references)) / len(references)
        for order in range(1, most + 1):
            ours = Counter(ngrams(candidate, order))
            totals[order - 1] += ours.total()
            for ngram, count in ours.items():
                limit = max(ngrams(reference, order).count(ngram) for reference in references)
                if limit:
                    information[order - 1] += min(count, limit) * math.log2(counts[ngram[:-1]] / counts[ngram])
    beta = math.log(0.5) / math.log(2 / 3) ** 2
    penalty = math.exp(beta * math.log(min(n / m, 1)) ** 2) if n and m else 0.0
    return penalty * sum(a / max(b, 1) for a, b in zip(information, totals, strict=True))
