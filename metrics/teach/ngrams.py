"""N-grams that match, counted and placed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..types.work import spend

Words = Sequence[str]


def ngrams(words: Words, order: int) -> list[tuple[str, ...]]:
    """All n-grams of an order, from left to right.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def starts_of(words: Words, order: int) -> dict[tuple[str, ...], list[int]]:
    """Where each n-gram of an order begins, from left to right.

    >>> starts_of("aba", 1)
    {('a',): [0, 2], ('b',): [1]}
    """
    spend(len(words) // 2)
    starts: dict[tuple[str, ...], list[int]] = {}
    for i, ngram in enumerate(ngrams(words, order)):
        starts.setdefault(ngram, []).append(i)
    return starts


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


class PlacedNgram(NamedTuple):
    """The n-gram that begins at candidate word i: where each reference has it, and the place (k, j) that it is drawn
    at, None if it does not count."""

    i: int
    ngram: tuple[str, ...]
    places: list[list[int]]
    at: tuple[int, int] | None

    def count_limit(self) -> int:
        """How often it may count: as often as in the reference that has most of it."""
        return max(map(len, self.places))


def placings(
    candidate: Words, references: Sequence[Words], drawn: Sequence[Sequence[tuple[int, int, int]]], order: int
) -> Iterator[PlacedNgram]:
    """Every n-gram of an order in the candidate with the place at which `placed` has drawn it.

    >>> [(one.i, one.count_limit(), one.at) for one in placings("aab", ["ab"], placed("aab", ["ab"], 2), 1)]
    [(0, 1, None), (1, 1, (0, 0)), (2, 1, (0, 1))]
    """
    at = {i: (k, j) for i, k, j in drawn[order - 1]}
    theirs = [starts_of(reference, order) for reference in references]
    for i, ngram in enumerate(ngrams(candidate, order)):
        spend(len(theirs))
        yield PlacedNgram(i, ngram, [starts.get(ngram, []) for starts in theirs], at.get(i))


def placed(candidate: Words, references: Sequence[Words], most: int) -> list[list[tuple[int, int, int]]]:
    """For the orders 1 to `most` where the n-grams that count are drawn, as (i, k, j).

    An n-gram wants to lie inside a longer one that is drawn. The wishes for the longest n-grams are fulfilled first, of
    equal ones from left to right. What the candidate has once, and no wish has placed, follows the n-gram before it if
    it can, else it goes where the most words after it match too. What is then left to count takes the free places of
    the reference that has most of it, the first of such references, from left to right.

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
        drawn_places: dict[tuple[int, int, int], int] = {}
        wished: dict[int, list[tuple[int, int, int, int]]] = {}  # by candidate words, those of the longest first
        for place, longest in wishes.items():
            wished.setdefault(place[0], []).append((-longest, *place))
        theirs = [starts_of(reference, order) for reference in references]
        single_places: dict[
            int, list[tuple[int, int]]
        ] = {}  # the places of those without a wish that the candidate has once
        for ngram, starts in starts_of(candidate, order).items():
            places = [[(k, j) for j in their_starts.get(ngram, ())] for k, their_starts in enumerate(theirs)]
            spend(2 * len(starts) + sum(map(len, places)))
            best = max(places, key=len)
            remaining = min(len(starts), len(best))
            free = {place for reference_places in places for place in reference_places}
            if remaining and len(starts) == 1 and starts[0] not in wished:
                single_places[starts[0]] = sorted(free)
                continue
            unplaced = dict.fromkeys(starts)
            for _, i, k, j in sorted(wish for start in starts for wish in wished.get(start, ())):
                if remaining and (k, j) in free and i in unplaced:
                    drawn_places[i, k, j] = wishes[i, k, j]
                    del unplaced[i]
                    free.remove((k, j))
                    remaining -= 1
            rest = [*unplaced][:remaining]
            drawn_places |= {(i, *place): order for i, place in zip(rest, [p for p in best if p in free], strict=False)}
        before: dict[int, tuple[int, int]] = {}
        for i in sorted(single_places):
            k, j = before.get(i - 1, (-1, -1))
            far = [(_common(candidate[i:], references[k][j:]), k, j) for k, j in single_places[i]]
            spend(sum([5 + length // 5 + len(references[k]) // 100 for length, k, _ in far]))
            most_far = max(far)[0]
            farthest = [(k, j) for length, k, j in far if length == most_far]
            others = Counter(k for k, _ in farthest)
            best_of = min(farthest, key=lambda place: (-others[place[0]], place))
            before[i] = (k, j + 1) if (k, j + 1) in single_places[i] else best_of
            drawn_places[i, *before[i]] = order
        out.insert(0, sorted(drawn_places))
        longer = drawn_places
    return out


def _common(ours: Words, theirs: Words) -> int:
    """How many words two texts have in common at their beginning.

    >>> _common("abc", "abd")
    2
    """
    return next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
