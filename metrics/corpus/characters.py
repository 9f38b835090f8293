"""The search for character n-grams, such as endings, that one system's outputs have right more often than another's.

N-grams lie within words, and each end of a word counts as a character. So the n-grams of a text are those of its words,
and each distinct word is split only once. Segments are processed in parts, so that only one part is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens
from .patterns import LEAST, LEVEL, Pattern, rank_by_significance

#: The lengths of the n-grams in characters, where the end of a word counts as one.
ORDERS = (3, 4)
#: The character for the end of a word.
END = " "
#: The segments in a part, and the characters of a word that are used: anything longer is not a word.
PART, LONGEST = 1000, 100

_Numbers = NDArray[np.int64]


def find_character_patterns(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> list[Pattern]:
    """Return the character n-grams that references confirm for A and B unequally often, the most significant first.

    `a` and `b` are the outputs of A and B, and `references` the references of the same segments. An n-gram of an output
    counts as confirmed at most as often as one reference of its segment has it. Of n-grams that differ by more than
    chance, one that contains a more significant one for the same system, or is contained in it, is left out.

    >>> found = find_character_patterns([("walk",)] * 8, [("walked",)] * 8, [[("walked",)]] * 8)
    >>> [("".join(each.words), each.for_b) for each in found if each.q < LEVEL]
    [('alke', 8), ('ked ', 8), ('lked', 8)]
    """
    if not references:
        return []
    tested_patterns = rank_by_significance(list(chain.from_iterable(_differing_ngrams(a, b, references))))
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


class _WordIndex:
    """An index that numbers the distinct words of all texts and splits each of them into character n-grams."""

    def __init__(self, a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> None:
        texts = chain(a, b, chain.from_iterable(references))
        self.number = {word: n for n, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}

    def ngrams_by_word(self, order: int) -> tuple[list[str], _Numbers, _Numbers]:
        """Return the distinct n-grams of `order` characters, and which of them each word of the index has.

        The n-grams of word w, as indices into the first list, are `flat[starts[w] : starts[w + 1]]`, where `flat` and
        `starts` are the two returned arrays.
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
        """Return the word numbers of all texts in one array, and in another the index of the text of each of them."""
        lengths = np.array([*map(len, texts)], dtype=np.int64)
        words = np.fromiter(map(self.number.__getitem__, chain.from_iterable(texts)), np.int64, int(lengths.sum()))
        return words, np.repeat(np.arange(len(texts), dtype=np.int64), lengths)


def _differing_ngrams(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> Iterator[Iterator[Pattern]]:
    """Yield, for each n-gram length, an iterator over the n-grams in which A and B differ in at least `LEAST` segments.

    The n-grams have no p yet.
    """
    words = _WordIndex(a, b, references)
    most = max(map(len, references))
    theirs = [[each[k] if k < len(each) else () for each in references] for k in range(most)]
    # Segments with equal outputs show no difference, but their n-grams count in the totals, so they are kept.
    texts = [words.number_words(side) for side in (a, b, *theirs)]
    bounds = [np.searchsorted(of_text, np.arange(0, len(a) + PART, PART)) for _, of_text in texts]
    for order in ORDERS:
        names, flat, starts = words.ngrams_by_word(order)
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
    """Yield the n-grams of one length in which A and B differ in at least `LEAST` segments, without p yet.

    `size` is the number of segments. `texts` are the numbered words of A, B and each reference (`number_words`), and
    `bounds` the indices where each part of the segments begins in them. `names` are the n-grams; `flat` and `starts`
    say which of them each word has (`ngrams_by_word`).
    """
    count = len(names)
    totals = np.zeros((5, count), dtype=np.int64)  # in references, in A, in B, segments for A, segments for B
    differing: list[_Numbers] = []
    for part in range(-(-size // PART)):
        first = part * PART
        cells = [
            _count_ngrams_by_text(words[at[part] : at[part + 1]], text[at[part] : at[part + 1]] - first, flat, starts)
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


def _count_ngrams_by_text(
    words: _Numbers, text: _Numbers, flat: _Numbers, starts: _Numbers
) -> tuple[_Numbers, _Numbers]:
    """Return which texts of a part have which n-gram, and how often, as two arrays of equal length.

    The first array holds, in ascending order, n-gram index × PART + text index; the second the count. `words` are the
    word numbers of the texts and `text` the text index of each; the n-grams of word w are `flat[starts[w] : starts[w +
    1]]`.
    """
    begins = starts[words]
    lengths = starts[words + 1] - begins
    ends = np.cumsum(lengths)
    at = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - ends + lengths, lengths)
    keys = np.sort(flat[at] * PART + np.repeat(text, lengths))
    new = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[new], np.diff(new, append=len(keys))
