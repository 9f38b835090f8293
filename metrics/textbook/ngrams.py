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


def placed(candidate: Words, references: Sequence[Words], most: int) -> list[list[tuple[int, int, int]]]:
    """For the orders 1 to `most` where the n-grams that count are drawn, as (i, k, j).

    An n-gram wants to lie inside a longer one that is drawn. The wishes for the longest n-grams are fulfilled first, of
    equal ones from left to right. What is then left to count takes the free places of the reference that has most of
    it, the first of such references, from left to right.

    >>> placed("aba", ["bab"], 2)
    [[(0, 0, 1), (1, 0, 0)], [(0, 0, 1), (1, 0, 0)]]
    """
    out: list[list[tuple[int, int, int]]] = []
    longer: dict[tuple[int, int, int], int] = {}  # the longest n-gram around each of those of one word more
    for order in range(most, 0, -1):
        wishes: dict[tuple[int, int, int], int] = {}
        for (i, k, j), longest in longer.items():
            for d in (0, 1):
                place = i + d, k, j + d
                wishes[place] = max(wishes.get(place, 0), longest)
        here: dict[tuple[int, int, int], int] = {}
        ours = ngrams(candidate, order)
        for ngram in {*ours}:
            starts = [i for i, other in enumerate(ours) if other == ngram]
            places = [
                [(k, j) for j, other in enumerate(ngrams(reference, order)) if other == ngram]
                for k, reference in enumerate(references)
            ]
            best = max(places, key=len)
            left = min(len(starts), len(best))
            free = {place for some in places for place in some}
            for _, i, k, j in sorted((-longest, *place) for place, longest in wishes.items() if place[0] in starts):
                if left and (k, j) in free and i in starts:
                    here[i, k, j] = wishes[i, k, j]
                    starts.remove(i)
                    free.remove((k, j))
                    left -= 1
            here |= {
                (i, *place): order for i, place in zip(starts[:left], [p for p in best if p in free], strict=False)
            }
        out.insert(0, sorted(here))
        longer = here
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
