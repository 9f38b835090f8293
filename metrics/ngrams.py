"""N-grams, skip-bigrams and their clipped counts: what is shared by two multisets, and by which occurrences."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def ngrams(words: Sequence[T], order: int) -> list[tuple[T, ...]]:
    """The n-grams of a sentence by start position; none if it is too short.

    >>> ngrams("abcd", 3)
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return list(zip(*(words[d:] for d in range(order)), strict=False))


def skip_bigram_total(length: int, max_skip: int | None) -> int:
    """How many skip-bigrams a sentence of `length` words has: C(length, 2) without a limit.

    >>> skip_bigram_total(4, None), skip_bigram_total(4, 1), skip_bigram_total(1, None)
    (6, 5, 0)
    """
    widest = length - 1 if max_skip is None else min(max_skip + 1, length - 1)
    return widest * length - widest * (widest + 1) // 2 if length else 0


def clipped_count(counts: Mapping[T, int], limits: Mapping[T, int]) -> int:
    """How many items two multisets share: the sum over all items of the smaller count.

    >>> clipped_count({"a": 2, "b": 1}, {"a": 1, "b": 2, "c": 1})
    2
    """
    limit = limits.get
    return sum([min(count, limit(item, 0)) for item, count in counts.items()])


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


class SkipBigramCounts:
    """The skip-bigrams of a candidate, counted, to be compared with those of any number of references.

    For each word the numbers of times that each candidate word follows it, packed into one integer, a field for each
    word: one addition of such integers counts all pairs that begin at one position.
    """

    def __init__(self, candidate: Sequence[str], longest: int, reach: int) -> None:
        """No sentence is longer than `longest`; the words of a pair are at most `reach` apart, 1 for bigrams."""
        self.reach = reach
        # Wide enough for the number of all pairs, and a bit on top for comparisons.
        self.width = (longest * longest).bit_length() + 1
        self.units = {word: 1 << self.width * t for t, word in enumerate(dict.fromkeys(candidate))}
        self.tops = sum(self.units.values()) << (self.width - 1)
        self.counts = self._followers(candidate)

    def _followers(self, words: Sequence[str]) -> dict[str, int]:
        """For each candidate word in `words` the packed numbers of the candidate words in reach after it."""
        units, reach = self.units, self.reach
        out: dict[str, int] = {}
        window = 0  # the sum of the units of the words in reach
        if reach >= len(words) - 1:
            for word in reversed(words):
                if unit := units.get(word):
                    out[word] = out.get(word, 0) + window
                    window += unit
            return out
        kept = [(i, word, units[word]) for i, word in enumerate(words) if word in units]
        end = len(kept)  # the window is kept[t + 1 : end] when word t is counted
        for i, word, unit in reversed(kept):
            while kept[end - 1][0] > i + reach:
                end -= 1
                window -= kept[end][2]
            out[word] = out.get(word, 0) + window
            window += unit
        return out

    def shared(self, reference: Sequence[str]) -> int:
        """The clipped count: the sum over all pairs of words of the smaller of the two counts.

        >>> SkipBigramCounts(("a", "b", "a", "b"), longest=4, reach=4).shared(("a", "b", "b"))
        3
        """
        counts, tops, shift = self.counts, self.tops, self.width - 1
        total = 0
        for word, theirs in self._followers(reference).items():
            ours = counts[word]
            # A top bit survives where ours ≥ theirs; spread over its field it picks the surplus to be taken off.
            difference = (ours | tops) - theirs
            larger = difference & tops
            total += ours - (difference & (larger - (larger >> shift)))
        # Each field is a digit to the base 2^width, and a number is congruent to the sum of its digits.
        return total % ((1 << self.width) - 1)
