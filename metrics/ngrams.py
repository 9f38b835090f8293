"""N-grams, skip-bigrams and their clipped counts: what is shared by two multisets, and by which occurrences."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")


def ngrams(words: Sequence[T], order: int) -> list[tuple[T, ...]]:
    """The n-grams of a sentence by start position; none if it is too short.

    >>> ngrams("abcd", 3)
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return list(zip(*(words[d:] for d in range(order)), strict=False))


def skip_bigrams(words: Sequence[T], positions: Sequence[int], max_skip: int | None) -> list[tuple[T, T]]:
    """All pairs of words in order with at most `max_skip` words between them, by first and then second position.

    `positions` says where each of the words stands, ascending, so that words may have been left out; a pair of words
    left out still counts as distance. None sets no limit.

    >>> skip_bigrams("abcd", range(4), 1)
    [('a', 'b'), ('a', 'c'), ('b', 'c'), ('b', 'd'), ('c', 'd')]
    """
    if max_skip is None:
        return list(combinations(words, 2))
    ends = [bisect_right(positions, i + max_skip + 1) for i in positions]
    return [(word, other) for t, word in enumerate(words) for other in words[t + 1 : ends[t]]]


def skip_bigram_total(length: int, max_skip: int | None) -> int:
    """How many skip-bigrams a sentence of `length` words has: C(length, 2) without a limit.

    >>> skip_bigram_total(4, None), skip_bigram_total(4, 1), skip_bigram_total(1, None)
    (6, 5, 0)
    """
    widest = length - 1 if max_skip is None else min(max_skip + 1, length - 1)
    return widest * length - widest * (widest + 1) // 2 if length else 0


def clipped_count(items: Sequence[Hashable], others: Sequence[Hashable]) -> int:
    """How many items two multisets share: the sum over all items of the smaller count.

    >>> clipped_count("aab", "abb")
    2
    """
    counts, limits = Counter(items), Counter(others)
    return sum([min(counts[item], limits[item]) for item in counts.keys() & limits.keys()])


def paired(items: Sequence[Hashable], others: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Which occurrences the clipped count pairs up, as indexes: leftmost with leftmost, no occurrence twice.

    Clipped counts say how many occurrences match, not which: leftmost first is a convention, so that pictures are
    stable. The pairs ascend in the first index.

    >>> paired("aab", "xbaa")
    [(0, 2), (1, 3), (2, 1)]
    """
    first: dict[Hashable, int] = {}  # the leftmost free occurrence of each item, −1 when all are used
    later = [-1] * len(others)  # the next occurrence of the same item
    for t in range(len(others) - 1, -1, -1):
        item = others[t]
        later[t] = first.get(item, -1)
        first[item] = t
    out = []
    for s, item in enumerate(items):
        t = first.get(item, -1)
        if t >= 0:
            out.append((s, t))
            first[item] = later[t]
    return out
