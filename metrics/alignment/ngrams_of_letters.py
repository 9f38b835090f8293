"""N-grams of letters and of words, of all orders, counted against references with numpy.

Each n-gram of an order gets a number, shared by all texts, so that equal n-grams have equal numbers.
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
    """The n-grams of one order in several texts, the candidate first, each n-gram replaced by a number.

    Attributes:
        order: the length of the n-grams, in letters or words.
        numbers: for each position of the concatenated texts, the number of the n-gram that begins there.
        ends: for each text, its end position in the concatenated texts.
        matches: for each text except the first, how many n-grams it shares with the first; each n-gram counts as often
            as the text that has fewer of it.
    """

    order: int
    numbers: NDArray[np.integer]
    ends: Sequence[int]
    matches: Sequence[int]

    def numbers_of_text(self, text: int) -> list[int]:
        """Return the numbers of the n-grams of one text, in order; none if it is too short.

        `text` is the index of the text.
        """
        start = self.ends[text - 1] if text else 0
        numbers: list[int] = self.numbers[start : max(self.ends[text] - self.order + 1, start)].tolist()
        return numbers

    def ngram_count(self, text: int) -> int:
        """Return how many n-grams the text with index `text` has."""
        return max(self.ends[text] - (self.ends[text - 1] if text else 0) - self.order + 1, 0)


def letter_ngrams(texts: Sequence[str], most: int) -> list[NumberedGrams]:
    """Return the numbered n-grams of the orders 1 to `most`, in letters. `texts` are a candidate and its references.

    >>> orders = letter_ngrams(["abab", "ba"], 2)
    >>> [(grams.numbers_of_text(0), grams.numbers_of_text(1), grams.matches) for grams in orders]
    [([0, 1, 0, 1], [1, 0], [2]), ([1, 3, 1], [3], [1])]
    """
    import numpy as np

    signs = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    return _number_ngrams(signs, [*map(len, texts)], most)


def word_ngrams(texts: Sequence[Sequence[str]], most: int) -> list[NumberedGrams]:
    """Return the numbered n-grams of the orders 1 to `most`, in words. `texts` are a candidate and its references."""
    import numpy as np

    word_numbers: dict[str, int] = {}
    place = word_numbers.setdefault
    numbers = [place(word, len(word_numbers)) for words in texts for word in words]
    return _number_ngrams(np.array(numbers, np.uint32), [*map(len, texts)], most)


def _number_ngrams(signs: NDArray[np.uint32], sizes: Sequence[int], most: int) -> list[NumberedGrams]:
    """Return the numbered n-grams of the orders 1 to `most`.

    `signs` are the letter codes or word numbers of all texts, concatenated, and `sizes` are the lengths of the texts.
    All positions are sorted once, by the `most` signs that begin there. Positions whose first n signs are equal are
    then neighbours, for every n.
    """
    import numpy as np

    size, several = len(signs), len(sizes)
    spend(size * (most + 4) // 6 + 8)
    ends = [*accumulate(sizes)]
    if not size:
        return [NumberedGrams(order, signs, ends, [0] * (several - 1)) for order in range(1, most + 1)]
    text = np.repeat(np.arange(several), sizes)  # for each position, the index of its text
    room = np.repeat(np.array(ends), sizes) - np.arange(size)  # for each position, the signs left in its text
    presence = np.zeros(int(signs.max()) + 1, np.int64)
    presence[signs] = 1
    ranks = presence.cumsum()
    base = int(ranks[-1]) + 1  # the sign 0 marks positions after the end of a text
    each = np.concatenate((ranks[signs], np.zeros(most, np.int64)))
    signs_per_key = max(int(62 / math.log2(base)), 1)  # the number of signs that fit into one integer
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
