"""The character n-grams that one output has right again and again and the other does not, such as endings.

N-grams lie within words, whose two ends count as characters. So each word is split only once, however often it occurs:
the n-grams of a text are those of its words. Segments are processed in parts, to keep only one part in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens
from .patterns import LEAST, LEVEL, Pattern, test_patterns

#: The lengths of the n-grams in characters, where the end of a word counts as one.
ORDERS = (3, 4)
#: The character for the end of a word.
END = " "
#: The segments in a part, and the characters of a word that are used: anything longer is not a word.
PART, LONGEST = 1000, 100

_Numbers = NDArray[np.int64]


def character_patterns(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> list[Pattern]:
    """Return the character n-grams that references confirm for A and B unequally often, the most telling first.

    It is `patterns.patterns` for characters. Of n-grams that differ by more than chance, one that contains or lies
    within a more telling one for the same output is left out.

    >>> found = character_patterns([("walk",)] * 8, [("walked",)] * 8, [[("walked",)]] * 8)
    >>> [("".join(each.words), each.for_b) for each in found if each.q < LEVEL]
    [('alke', 8), ('ked ', 8), ('lked', 8)]
    """
    if not references:
        return []
    tested_patterns = test_patterns(list(chain.from_iterable(_differing_ngrams(a, b, references))))
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
    """An index of the words of all texts, and the n-grams of each word."""

    def __init__(self, a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> None:
        texts = chain(a, b, chain.from_iterable(references))
        self.number = {word: n for n, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}

    def grams(self, order: int) -> tuple[list[str], _Numbers, _Numbers]:
        """Return the n-grams of one order, and the n-grams of each word as numbers.

        The numbers of all words follow each other in one array; the last array says where those of each word begin.
        """
        number: dict[str, int] = {}
        flat: list[int] = []
        starts = [0]
        for word in self.number:
            text = f"{END}{word[:LONGEST]}{END}"
            flat += [number.setdefault(text[at : at + order], len(number)) for at in range(len(text) - order + 1)]
            starts.append(len(flat))
        return [*number], np.array(flat, dtype=np.int64), np.array(starts, dtype=np.int64)

    def number_words(self, texts: Sequence[Tokens]) -> tuple[_Numbers, _Numbers]:
        """Return the word numbers of all texts, one after the other, and for each word the index of its text."""
        lengths = np.array([*map(len, texts)], dtype=np.int64)
        words = np.fromiter(map(self.number.__getitem__, chain.from_iterable(texts)), np.int64, int(lengths.sum()))
        return words, np.repeat(np.arange(len(texts), dtype=np.int64), lengths)


def _differing_ngrams(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> Iterator[Iterator[Pattern]]:
    """Yield, for each order, the n-grams in which the outputs differ in enough segments, not yet tested."""
    words = _CharacterWords(a, b, references)
    most = max(map(len, references))
    theirs = [[each[k] if k < len(each) else () for each in references] for k in range(most)]
    # Segments with equal outputs show no difference, but their n-grams count in the totals, so they are kept.
    texts = [words.number_words(side) for side in (a, b, *theirs)]
    bounds = [np.searchsorted(of_text, np.arange(0, len(a) + PART, PART)) for _, of_text in texts]
    for order in ORDERS:
        names, flat, starts = words.grams(order)
        if names:
            yield _differing_ngrams_of_order(len(a), texts, bounds, names, flat, starts)


def _differing_ngrams_of_order(
    size: int,
    texts: Sequence[tuple[_Numbers, _Numbers]],
    bounds: Sequence[_Numbers],
    names: Sequence[str],
    flat: _Numbers,
    starts: _Numbers,
) -> Iterator[Pattern]:
    """Yield the n-grams of one order in which the outputs differ in at least `LEAST` segments, not yet tested."""
    count = len(names)
    totals = np.zeros((5, count), dtype=np.int64)  # in references, in A, in B, segments for A, segments for B
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
    """Return how often each text of a part has each n-gram, as cells and counts.

    A cell is n-gram times PART plus text; cells are sorted.
    """
    begins = starts[words]
    lengths = starts[words + 1] - begins
    ends = np.cumsum(lengths)
    at = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - ends + lengths, lengths)
    keys = np.sort(flat[at] * PART + np.repeat(text, lengths))
    new = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[new], np.diff(new, append=len(keys))
