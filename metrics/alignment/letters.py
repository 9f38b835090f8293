"""N-grams of letters, counted against references, and the stretches of text in which they stand.

A text is its words' letters one behind the other, with or without a space between two words. N-grams of each order get
numbers: those of all texts at once, so that what is the same has the same number, and counting is numpy's.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ..types import Letters, Piece, Tokens
from ..types.work import spend

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Grams(NamedTuple):
    """The n-grams of one order in several texts, each as the number of its kind, by the place where it begins.
    `matches` is how many of the first text's match with each other text: each as often as the side that has fewer."""

    order: int
    numbers: NDArray[np.integer]
    ends: Sequence[int]
    matches: Sequence[int]

    def of(self, text: int) -> list[int]:
        """Those of a text, none if it is too short."""
        start = self.ends[text - 1] if text else 0
        numbers: list[int] = self.numbers[start : max(self.ends[text] - self.order + 1, start)].tolist()
        return numbers

    def total(self, text: int) -> int:
        """How many a text has."""
        return max(self.ends[text] - (self.ends[text - 1] if text else 0) - self.order + 1, 0)


def of_letters(texts: Sequence[str], most: int) -> list[Grams]:
    """The n-grams of 1 to `most` letters of a candidate and its references.

    >>> [(grams.of(0), grams.of(1), grams.matches) for grams in of_letters(["abab", "ba"], 2)]
    [([0, 1, 0, 1], [1, 0], [2]), ([1, 3, 1], [3], [1])]
    """
    import numpy as np

    signs = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    return _numbered(signs, [*map(len, texts)], most)


def of_words(texts: Sequence[Sequence[str]], most: int) -> list[Grams]:
    """The n-grams of 1 to `most` words of a candidate and its references."""
    import numpy as np

    known: dict[str, int] = {}
    place = known.setdefault
    numbers = [place(word, len(known)) for words in texts for word in words]
    return _numbered(np.array(numbers, np.uint32), [*map(len, texts)], most)


def _numbered(signs: NDArray[np.uint32], sizes: Sequence[int], most: int) -> list[Grams]:
    """From the signs of all texts, one behind the other.

    All places are sorted once, by the `most` signs from there on: places from which the first n are the same then stand
    beside each other, for every n.
    """
    import numpy as np

    size, several = len(signs), len(sizes)
    spend(size * (most + 4) // 6 + 8)
    ends = [*accumulate(sizes)]
    if not size:
        return [Grams(order, signs, ends, [0] * (several - 1)) for order in range(1, most + 1)]
    text = np.repeat(np.arange(several), sizes)  # to which text a place belongs
    room = np.repeat(np.array(ends), sizes) - np.arange(size)  # how many signs there are from it on
    there = np.zeros(int(signs.max()) + 1, np.int64)
    there[signs] = 1
    ranks = there.cumsum()
    base = int(ranks[-1]) + 1  # 0 is what lies behind the end of a text
    each = np.concatenate((ranks[signs], np.zeros(most, np.int64)))
    together = max(int(62 / math.log2(base)), 1)  # signs that fit into one number
    keys = []
    for start in range(0, most, together):
        key = np.zeros(size, np.int64)
        for d in range(start, min(start + together, most)):
            key = key * base + each[d : size + d] * (room > d)
        keys.append(key)
    rows = np.lexsort(keys[::-1])
    text, room = text[rows], room[rows]
    new = np.zeros((most, size), bool)
    new[:, 0] = True
    for at, key in enumerate(keys):
        here = min(together, most - at * together)
        begins = key[rows] // base ** np.arange(here - 1, -1, -1)[:, None]
        new[at * together : at * together + here, 1:] = begins[:, 1:] != begins[:, :-1]
    if len(keys) > 1:
        np.logical_or.accumulate(new, axis=0, out=new)
    sorted_numbers = new.cumsum(axis=1) - 1
    numbers = np.empty_like(sorted_numbers)
    numbers[:, rows] = sorted_numbers
    out = []
    for order, row in enumerate(sorted_numbers, 1):
        wide = int(row[-1]) + 1
        kept = (text * wide + row)[room >= order]
        counts = np.bincount(kept, minlength=several * wide).reshape(several, wide)
        out.append(Grams(order, numbers[order - 1], ends, np.minimum(counts[0], counts[1:]).sum(1).tolist()))
    return out


def placed(orders: Sequence[Sequence[Sequence[Hashable]]], matches: Sequence[int]) -> list[list[int]]:
    """Which occurrences count, for each order: for each place of the candidate the place in the reference with which
    its n-gram is paired, -1 for none. `orders` has both texts' n-grams, `matches` how many are to be paired.

    Counts say how many n-grams match, not which. By our convention those that are in a longer matched one stay with
    it, and of the others the leftmost free one is paired with the leftmost free one. No n-gram is used twice.

    >>> placed([("abab", "xabb"), (["ab", "ba", "ab"], ["xa", "ab", "bb"])], [3, 1])
    [[1, 2, -1, 3], [1, -1, -1]]
    """
    out: list[list[int]] = []
    longer: list[int] = []
    for (ours, theirs), match in zip(reversed(orders), reversed(matches), strict=True):
        here = [*longer, -1] if longer else [-1] * len(ours)
        taken = {*longer}
        taken.discard(-1)
        found = len(taken)
        before = -1
        for i, j in enumerate(here if found < match else ()):
            if j < 0 <= before and before + 1 not in taken:  # the last letters of the longer one that begins before it
                here[i] = before + 1
                taken.add(before + 1)
                found += 1
            before = j
        if found < match:
            free: dict[Hashable, list[int]] = {}
            for j in range(len(theirs) - 1, -1, -1):
                if j not in taken:
                    free.setdefault(theirs[j], []).append(j)
            for i, j in enumerate(here):
                if j < 0 and (places := free.get(ours[i])):
                    here[i] = places.pop()
        out.append(here)
        longer = here
    return out[::-1]


def stretches(places: Sequence[int]) -> list[tuple[int, int, int]]:
    """N-grams that follow each other in both texts, as the first place in each and how many they are.

    >>> stretches([3, 4, -1, 0, 6])
    [(0, 3, 2), (3, 0, 1), (4, 6, 1)]
    """
    out = []
    first = after = -1
    for i, j in enumerate(places):
        if j != after or j < 0:
            if first >= 0:
                out.append((first, places[first], i - first))
            first = i if j >= 0 else -1
        after = j + 1 if j >= 0 else -1
    if first >= 0:
        out.append((first, places[first], len(places) - first))
    return out


class Places:
    """Where the letters of a text are: `words` has the number of the word for each place, `first` the place where that
    word begins, `last` the one behind its last letter. A space is a word's own beginning and end."""

    __slots__ = ("ends", "starts", "word")

    def __init__(self, words: Tokens, spaced: bool) -> None:
        self.word: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        for number, word in enumerate(words):
            if spaced and number:
                at = len(self.word)
                self.word.append(-1)
                self.starts.append(at)
                self.ends.append(at + 1)
            at, size = len(self.word), len(word)
            self.word += [number] * size
            self.starts += [at] * size
            self.ends += [at + size] * size


def letters(candidate: Places, reference: Places, k: int, i: int, j: int, length: int) -> Letters:
    """The stretch of so many letters from place `i` of the candidate and place `j` of reference `k` on.

    >>> a, b = Places(("the", "cat"), False), Places(("then", "at"), False)
    >>> letters(a, b, 0, 0, 0, 3).pieces
    (Piece(i=0, j=0, at=0, to=0, length=3),)
    >>> letters(a, b, 0, 4, 4, 2).pieces
    (Piece(i=1, j=1, at=1, to=0, length=2),)
    """
    pieces = []
    end = i + length
    new = tuple.__new__  # spares the checks of a named tuple
    while i < end:
        step = min(candidate.ends[i], end) - i
        other = reference.ends[j] - j
        if other < step:
            step = other
        word = candidate.word[i]
        if word >= 0:
            pieces.append(new(Piece, (word, reference.word[j], i - candidate.starts[i], j - reference.starts[j], step)))
        i += step
        j += step
    return new(Letters, (k, length, tuple(pieces)))
