"""Counts n-grams that match, and places each of them in a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..types.work import spend

Words = Sequence[str]


def ngrams(words: Words, order: int) -> list[tuple[str, ...]]:
    """Return all n-grams of `order` words, from left to right.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def start_positions(words: Words, order: int) -> dict[tuple[str, ...], list[int]]:
    """Return the start positions of each n-gram of `order` words, from left to right.

    >>> start_positions("aba", 1)
    {('a',): [0, 2], ('b',): [1]}
    """
    spend(len(words) // 2)
    starts: dict[tuple[str, ...], list[int]] = {}
    for i, ngram in enumerate(ngrams(words, order)):
        starts.setdefault(ngram, []).append(i)
    return starts


def clipped_totals(candidate: Words, references: Sequence[Words], most: int) -> list[int]:
    """Return the number of matching n-grams for each number of words from 1 to `most`.

    An n-gram counts at most as often as one reference has it (Papineni et al. 2002).

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
    """An n-gram of the candidate, with the positions of equal n-grams in the references.

    Attributes:
        i: start position in the candidate.
        ngram: the words.
        places: start positions in each reference.
        at: reference and position (k, j) where its match is drawn; None if it does not count."""

    i: int
    ngram: tuple[str, ...]
    places: list[list[int]]
    at: tuple[int, int] | None

    def count_limit(self) -> int:
        """Return how often the n-gram may count: its largest number of occurrences in one reference."""
        return max(map(len, self.places))


def placed_ngrams(
    candidate: Words, references: Sequence[Words], drawn: Sequence[Sequence[tuple[int, int, int]]], order: int
) -> Iterator[PlacedNgram]:
    """Yield every n-gram of `order` words in the candidate, with the reference position where its match is drawn.

    `drawn` is what `choose_match_positions` returns: the chosen positions for each order.

    >>> chosen = choose_match_positions("aab", ["ab"], 2)
    >>> [(one.i, one.count_limit(), one.at) for one in placed_ngrams("aab", ["ab"], chosen, 1)]
    [(0, 1, None), (1, 1, (0, 0)), (2, 1, (0, 1))]
    """
    at = {i: (k, j) for i, k, j in drawn[order - 1]}
    theirs = [start_positions(reference, order) for reference in references]
    for i, ngram in enumerate(ngrams(candidate, order)):
        spend(len(theirs))
        yield PlacedNgram(i, ngram, [starts.get(ngram, []) for starts in theirs], at.get(i))


def choose_match_positions(
    candidate: Words, references: Sequence[Words], most: int
) -> list[list[tuple[int, int, int]]]:
    """Return for the orders 1 to `most` where the matches of n-grams are drawn, each as positions (i, k, j).

    Only n-grams that count after clipping are drawn. An n-gram is preferably drawn inside a longer n-gram that is
    drawn. These preferences are granted by length of the longest such n-gram, and from left to right among equal
    lengths. An n-gram without a preference that occurs once in the candidate continues the match of the n-gram before
    it if possible; if not, it goes where most of the following words match too. The remaining n-grams that count take
    the free positions of the reference with most occurrences, the first such reference, from left to right.

    >>> choose_match_positions("aba", ["bab"], 2)
    [[(0, 0, 1), (1, 0, 0)], [(0, 0, 1), (1, 0, 0)]]
    """
    out: list[list[tuple[int, int, int]]] = []
    # For each n-gram that is drawn in the next higher order, the length of the longest n-gram around it.
    longer: dict[tuple[int, int, int], int] = {}
    for order in range(most, 0, -1):
        wishes: dict[tuple[int, int, int], int] = {}
        for (i, k, j), longest in longer.items():
            for d in (0, 1):
                place = i + d, k, j + d
                wishes[place] = max(wishes.get(place, 0), longest)
        drawn_places: dict[tuple[int, int, int], int] = {}
        # The wishes by candidate position; the first item is the negative length, so that the longest sorts first.
        wished: dict[int, list[tuple[int, int, int, int]]] = {}
        for place, longest in wishes.items():
            wished.setdefault(place[0], []).append((-longest, *place))
        theirs = [start_positions(reference, order) for reference in references]
        # The places of the n-grams without a wish that occur once in the candidate.
        single_places: dict[int, list[tuple[int, int]]] = {}
        for ngram, starts in start_positions(candidate, order).items():
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
            far = [(_common_prefix_length(candidate[i:], references[k][j:]), k, j) for k, j in single_places[i]]
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


def _common_prefix_length(ours: Words, theirs: Words) -> int:
    """Return the length in words of the longest common prefix of two texts.

    >>> _common_prefix_length("abc", "abd")
    2
    """
    return next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
