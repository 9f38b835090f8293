"""Lines that slipped: where a file of outputs and the references part by a line that was lost, put in or doubled.

A line of the output is compared with the references of its neighbours by the words that they have in common, weighted
by their rarity (idf), at offsets from −3 to 3. The offsets of all lines are the path of the largest sum, where every
change of the offset has its price (Viterbi 1967): it needs no dictionary, and no line decides by itself. Where texts
have next to no words in common, as a source and its translation, lengths are compared instead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..types import Tokens
from .table import Array

#: How far lines are looked for, on both sides.
FARTHEST = 3
#: What a change of the offset costs, in overlaps: what two lines have that fit well.
PRICE = 2.0
#: Lines that a stretch must have to be told.
LEAST = 4
#: Texts whose neighbours have less in common than this, in the mean, have no words to compare.
NOTHING = 0.02


class Slip(NamedTuple):
    """From output line `line`, from 1, on, each line fits the references of the line `offset` further on; 0 says that
    from here on lines fit again."""

    line: int
    offset: int


def overlaps(output: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Array:
    """Lines × offsets: what output line i has in common with the references of line i + offset, from 0 to 1, the best
    reference; 0 where there is no such line.

    It is the cosine of the lines' words, each weighted by the logarithm of how few of the lines have it.
    """
    several = [list({frozenset(reference) for reference in each}) for each in references]
    lines = Counter([word for each in several for word in frozenset().union(*each)])
    rare = math.log(len(several) + 1)
    weight = {word: math.log((len(several) + 1) / number) ** 2 for word, number in lines.items()}
    lengths = [[_length(reference, weight) for reference in each] for each in several]
    found = np.zeros((len(output), 2 * FARTHEST + 1))
    for i, line in enumerate(output):
        words = frozenset(line)
        own = math.sqrt(math.fsum([weight.get(word, rare**2) for word in words])) or 1.0
        for at in range(max(0, i - FARTHEST), min(len(several), i + FARTHEST + 1)):
            found[i, at - i + FARTHEST] = max(
                [
                    math.fsum([weight[word] for word in words & reference]) / own / length
                    for reference, length in zip(several[at], lengths[at], strict=True)
                ]
            )
    return found


def _length(words: Iterable[str], weight: dict[str, float]) -> float:
    return math.sqrt(math.fsum([weight[word] for word in words])) or 1.0


def by_length(output: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Array:
    """The same for texts without common words: how alike the lengths in letters are, of the first references."""
    ours = np.log1p([sum(map(len, line)) for line in output])
    theirs = np.log1p([sum(map(len, each[0])) for each in references])
    ours, theirs = (each - each.mean() for each in (ours, theirs))
    spread = float(np.std(ours) + np.std(theirs)) / 2 or 1.0
    found = np.zeros((len(ours), 2 * FARTHEST + 1))
    for n in range(found.shape[1]):
        at = np.arange(len(ours)) + n - FARTHEST
        inside = (at >= 0) & (at < len(theirs))
        found[inside, n] = np.exp(-(((ours[inside] - theirs[at[inside]]) / spread) ** 2))
    return found


def slips(output: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> tuple[Slip, ...]:
    """Where the lines of an output part from those of its references, in their order; none where they do not.

    Of each line there is at least one reference. The numbers of lines may differ.

    >>> lines = [tuple(text.split()) for text in "one a/two b/three c/four d/five e/six f/seven g/eight h".split("/")]
    >>> slips([*lines[:3], ("put", "in"), *lines[3:]], [[line] for line in lines])
    (Slip(line=4, offset=-1),)
    """
    if not output or not references:
        return ()
    found = overlaps(output, references)
    if found.max(axis=1).mean() < NOTHING:
        found = by_length(output, references)
    offsets = path(found)
    out, last = [], 0
    for number, offset in enumerate(offsets, 1):
        if offset != last:
            out.append(Slip(number, offset))
            last = offset
    ends = [*[slip.line for slip in out[1:]], len(offsets) + 1]
    return tuple([slip for slip, end in zip(out, ends, strict=False) if end - slip.line >= LEAST])


def path(found: Array, price: float = PRICE) -> list[int]:
    """The offset of each line: the path of the largest sum of overlaps, less `price` for each change; it begins at 0
    or pays for it.

    >>> path(np.array([[0, 0, 0, 0.9, 0, 0, 0], *[[0, 0, 0.9, 0.1, 0, 0, 0]] * 4]))
    [0, -1, -1, -1, -1]
    """
    best = np.full(found.shape[1], -price)
    best[FARTHEST] = 0.0
    before = np.empty(found.shape, dtype=np.int8)
    own = np.arange(found.shape[1])
    for number, row in enumerate(found):
        top = int(np.argmax(best))
        stays = best >= best[top] - price
        before[number] = np.where(stays, own, top)
        best = np.where(stays, best, best[top] - price) + row
    at, out = int(np.argmax(best)), list[int]()
    for number in range(len(found) - 1, -1, -1):
        out.append(at - FARTHEST)
        at = int(before[number, at])
    return out[::-1]


def repaired(output: Sequence[Tokens], found: Sequence[Slip], size: int) -> list[Tokens | None]:
    """The lines of the output beside the `size` lines that they fit, None where there is none; of two lines for one
    place the later.

    >>> repaired([("a",), ("x",), ("b",)], [Slip(3, -1)], 3)
    [('a',), ('b',), None]
    """
    out: list[Tokens | None] = [None] * size
    offset, following = 0, iter(found)
    slip = next(following, None)
    for number, line in enumerate(output, 1):
        if slip and slip.line == number:
            offset, slip = slip.offset, next(following, None)
        if 0 <= number - 1 + offset < size:
            out[number - 1 + offset] = line
    return out
