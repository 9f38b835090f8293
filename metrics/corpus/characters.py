"""Which character n-grams one output has right again and again that the other has not: endings, beginnings, spellings.

They lie within words, whose two ends count as characters. So a word is taken apart once, however often it is there: a
text has each n-gram as often as its words do. Segments are gone through in parts, so that no more than a part of them
stands in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens
from .patterns import LEAST, LEVEL, Pattern, tested

#: Characters of the n-grams, the ends of words among them.
ORDERS = (3, 4)
#: What stands for the end of a word.
END = " "
#: Segments of a part, and the characters of a word that are looked at: what is longer is no word.
PART, LONGEST = 1000, 100

_Numbers = NDArray[np.int64]


def character_patterns(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> list[Pattern]:
    """The character n-grams that A and B have confirmed unequally often, as `patterns.patterns` has those of words.

    Of n-grams that lie within each other only the most telling one is given where it is more than chance.

    >>> found = character_patterns([("walk",)] * 8, [("walked",)] * 8, [[("walked",)]] * 8)
    >>> [("".join(each.words), each.for_b) for each in found if each.q < LEVEL]
    [('alke', 8), ('ked ', 8), ('lked', 8)]
    """
    if not references:
        return []
    tested_patterns = tested(list(chain.from_iterable(_counted(a, b, references))))
    kept_grams: list[tuple[bool, str]] = []
    out = []
    for each in tested_patterns:
        text, side = "".join(each.words), each.for_b > each.for_a
        if each.q < LEVEL:
            if any(side == other and (text in longer or longer in text) for other, longer in kept_grams):
                continue
            kept_grams.append((side, text))
        out.append(each)
    return out


class _CharacterWords:
    """The words of all texts by their numbers, and the n-grams of each."""

    def __init__(self, a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> None:
        texts = chain(a, b, chain.from_iterable(references))
        self.number = {word: n for n, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}

    def grams(self, order: int) -> tuple[list[str], _Numbers, _Numbers]:
        """The n-grams, those of all words one after the other by their numbers, and where those of each word begin."""
        number: dict[str, int] = {}
        flat: list[int] = []
        starts = [0]
        for word in self.number:
            text = f"{END}{word[:LONGEST]}{END}"
            flat += [number.setdefault(text[at : at + order], len(number)) for at in range(len(text) - order + 1)]
            starts.append(len(flat))
        return [*number], np.array(flat, dtype=np.int64), np.array(starts, dtype=np.int64)

    def number_words(self, texts: Sequence[Tokens]) -> tuple[_Numbers, _Numbers]:
        """The words of texts, one after the other, and for each the number of its text."""
        lengths = np.array([*map(len, texts)], dtype=np.int64)
        words = np.fromiter(map(self.number.__getitem__, chain.from_iterable(texts)), np.int64, int(lengths.sum()))
        return words, np.repeat(np.arange(len(texts), dtype=np.int64), lengths)


def _counted(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> Iterator[Iterator[Pattern]]:
    """The n-grams of each order in which the outputs differ in enough segments, not tested yet."""
    words = _CharacterWords(a, b, references)
    most = max(map(len, references))
    theirs = [[each[k] if k < len(each) else () for each in references] for k in range(most)]
    # A segment whose outputs are equal has nothing in which they differ, but what it has is counted as well.
    texts = [words.number_words(side) for side in (a, b, *theirs)]
    bounds = [np.searchsorted(of_text, np.arange(0, len(a) + PART, PART)) for _, of_text in texts]
    for order in ORDERS:
        names, flat, starts = words.grams(order)
        if names:
            yield _of_order(len(a), texts, bounds, names, flat, starts)


def _of_order(
    size: int,
    texts: Sequence[tuple[_Numbers, _Numbers]],
    bounds: Sequence[_Numbers],
    names: Sequence[str],
    flat: _Numbers,
    starts: _Numbers,
) -> Iterator[Pattern]:
    count = len(names)
    totals = np.zeros((5, count), dtype=np.int64)  # there, in A, in B, segments for A, for B
    differing: list[_Numbers] = []
    for part in range(-(-size // PART)):
        first = part * PART
        cells = [
            _cells(words[at[part] : at[part + 1]], text[at[part] : at[part + 1]] - first, flat, starts)
            for (words, text), at in zip(texts, bounds, strict=True)
        ]
        places = np.unique(np.concatenate([where for where, _ in cells]))
        counted = np.zeros((3, len(places)), dtype=np.int64)
        for side, (where, counts) in enumerate(cells):
            at = np.searchsorted(places, where)
            counted[min(side, 2), at] = np.maximum(counted[min(side, 2), at], counts)
        ours = np.minimum(counted[:2], counted[2])
        gram, lead = places // PART, ours[1] - ours[0]
        for n, values in enumerate((counted[2], *ours, lead < 0, lead > 0)):
            totals[n] += np.bincount(gram, values, count).astype(np.int64)
        unequal = np.flatnonzero(lead)
        differing.append(gram[unequal] * size + places[unequal] % PART + first)
    telling_grams = np.flatnonzero(totals[3] + totals[4] >= LEAST)
    where = np.sort(np.concatenate(differing)) if differing else np.empty(0, dtype=np.int64)
    for n in telling_grams.tolist():
        begins, ends = np.searchsorted(where, (n * size, (n + 1) * size))
        in_references, in_a, in_b, for_a, for_b = totals[:, n].tolist()
        segments = tuple((where[begins:ends] - n * size).tolist())
        yield Pattern(tuple(names[n]), in_references, in_a, in_b, for_a, for_b, 0.0, 1.0, 1.0, segments)


def _cells(words: _Numbers, text: _Numbers, flat: _Numbers, starts: _Numbers) -> tuple[_Numbers, _Numbers]:
    """How often each text of a part has each n-gram: the cells, n-gram times PART plus text, in order, and counts."""
    begins = starts[words]
    lengths = starts[words + 1] - begins
    ends = np.cumsum(lengths)
    at = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - ends + lengths, lengths)
    keys = np.sort(flat[at] * PART + np.repeat(text, lengths))
    new = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[new], np.diff(new, append=len(keys))
