"""N-grams of letters and words of all orders, counted against references.

N-grams of each order get numbers: those of all texts at once, so that what is the same has the same number, and
counting is numpy's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ..types.work import spend

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NumberedGrams(NamedTuple):
    """The n-grams of one order in several texts, each as the number of its kind, by the place where it begins.
    `matches` is how many of the first text's match with each other text: each as often as the side that has fewer."""

    order: int
    numbers: NDArray[np.integer]
    ends: Sequence[int]
    matches: Sequence[int]

    def numbers_of_text(self, text: int) -> list[int]:
        """Those of a text, none if it is too short."""
        start = self.ends[text - 1] if text else 0
        numbers: list[int] = self.numbers[start : max(self.ends[text] - self.order + 1, start)].tolist()
        return numbers

    def total(self, text: int) -> int:
        """How many a text has."""
        return max(self.ends[text] - (self.ends[text - 1] if text else 0) - self.order + 1, 0)


def of_letters(texts: Sequence[str], most: int) -> list[NumberedGrams]:
    """The n-grams of 1 to `most` letters of a candidate and its references.

    >>> [(grams.numbers_of_text(0), grams.numbers_of_text(1), grams.matches) for grams in of_letters(["abab", "ba"], 2)]
    [([0, 1, 0, 1], [1, 0], [2]), ([1, 3, 1], [3], [1])]
    """
    import numpy as np

    signs = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    return _numbered(signs, [*map(len, texts)], most)


def of_words(texts: Sequence[Sequence[str]], most: int) -> list[NumberedGrams]:
    """The n-grams of 1 to `most` words of a candidate and its references."""
    import numpy as np

    word_numbers: dict[str, int] = {}
    place = word_numbers.setdefault
    numbers = [place(word, len(word_numbers)) for words in texts for word in words]
    return _numbered(np.array(numbers, np.uint32), [*map(len, texts)], most)


def _numbered(signs: NDArray[np.uint32], sizes: Sequence[int], most: int) -> list[NumberedGrams]:
    """From the signs of all texts, one behind the other.

    All places are sorted once, by the `most` signs from there on: places from which the first n are the same then stand
    beside each other, for every n.
    """
    import numpy as np

    size, several = len(signs), len(sizes)
    spend(size * (most + 4) // 6 + 8)
    ends = [*accumulate(sizes)]
    if not size:
        return [NumberedGrams(order, signs, ends, [0] * (several - 1)) for order in range(1, most + 1)]
    text = np.repeat(np.arange(several), sizes)  # to which text a place belongs
    room = np.repeat(np.array(ends), sizes) - np.arange(size)  # how many signs there are from it on
    presence = np.zeros(int(signs.max()) + 1, np.int64)
    presence[signs] = 1
    ranks = presence.cumsum()
    base = int(ranks[-1]) + 1  # 0 is what lies behind the end of a text
    each = np.concatenate((ranks[signs], np.zeros(most, np.int64)))
    signs_per_key = max(int(62 / math.log2(base)), 1)  # signs that fit into one number
    keys = []
    for start in range(0, most, signs_per_key):
        key = np.zeros(size, np.int64)
        for d in range(start, min(start + signs_per_key, most)):
            key = key * base + each[d : size + d] * (room > d)
        keys.append(key)
    rows = np.lexsort(keys[::-1])
    text, room = text[rows], room[rows]
    new = np.zeros((most, size), bool)
    new[:, 0] = True
    for at, key in enumerate(keys):
        key_signs = min(signs_per_key, most - at * signs_per_key)
        begins = key[rows] // base ** np.arange(key_signs - 1, -1, -1)[:, None]
        new[at * signs_per_key : at * signs_per_key + key_signs, 1:] = begins[:, 1:] != begins[:, :-1]
    if len(keys) > 1:
        np.logical_or.accumulate(new, axis=0, out=new)
    sorted_numbers = new.cumsum(axis=1) - 1
    numbers = np.empty_like(sorted_numbers)
    numbers[:, rows] = sorted_numbers
    out = []
    for order, row in enumerate(sorted_numbers, 1):
        wide = int(row[-1]) + 1
        text_grams = (text * wide + row)[room >= order]
        counts = np.bincount(text_grams, minlength=several * wide).reshape(several, wide)
        out.append(NumberedGrams(order, numbers[order - 1], ends, np.minimum(counts[0], counts[1:]).sum(1).tolist()))
    return out
