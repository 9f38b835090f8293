"""The marks, which are what is drawn of a score: hits, runs, edits and others, by their coordinates.

All positions count from 0: `i` is a position in the candidate, `k` the index of a reference, `j` a position in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias


class Hit(NamedTuple):
    """A match of candidate word `i` with word `j` of reference `k`: the words are equal or, for SIA, similar."""

    i: int
    k: int
    j: int

    def cells(self) -> tuple[Hit, ...]:
        return (self,)


class Run(NamedTuple):
    """A diagonal of hits that begins at candidate position `i` and position `j` of reference `k`.

    `length` is the number of credited hits. It is fractional only where GTM's cap cuts a run: a run of length 1.5
    covers two whole cells and is credited for one and a half.
    """

    i: int
    k: int
    j: int
    length: float

    def cells(self) -> tuple[Hit, ...]:
        i, k, j, length = self
        return tuple([Hit(i + d, k, j + d) for d in range(math.ceil(length))])


class SkipBigram(NamedTuple):
    """Two words in the same order in the candidate and in reference `k`, given by their two hits.

    In a discordant pair of RIBES the order in the reference is the reverse.
    """

    first: Hit
    second: Hit

    def cells(self) -> tuple[Hit, ...]:
        return (self.first, self.second)


class Area(NamedTuple):
    """A polygon on the grid of candidate words (rows) and words of reference `k` (columns).

    `corners` are (row, column) pairs in cell units: cell (i, j) covers rows i to i + 1 and columns j to j + 1.
    """

    corners: tuple[tuple[float, float], ...]
    k: int


class Neighbours(NamedTuple):
    """Two blocks that are neighbours in both sentences, as the metric dcs counts them.

    Their credit is the product of their lengths.
    """

    first: Run
    second: Run

    def cells(self) -> tuple[Hit, ...]:
        return self.first.cells() + self.second.cells()

    def areas(self) -> tuple[Area, Area]:
        """Return two right triangles, one on each side of the diagonal, whose areas sum to the credit of these blocks.

        The first block ends at corner (r, c) and the second begins at (r', c'). The right angles are at (r, c') and
        (r', c), and the legs are the lengths of the blocks, so that neither triangle covers a block unless the blocks
        overlap.
        """
        a, b = self.first, self.second
        r, c, r2, c2 = a.i + a.length, a.j + a.length, b.i, b.j
        upper = ((r, c2), (r - a.length, c2), (r, c2 + b.length))
        lower = ((r2, c), (r2, c - a.length), (r2 + b.length, c))
        return Area(upper, a.k), Area(lower, a.k)


class Edit(NamedTuple):
    """A step of an edit script, which relates a range of candidate words to a range of a reference's words.

    Both ranges are half-open. A match or a substitution has equally many words in both. An insertion (words that only
    the candidate has) has an empty range in the reference, a deletion an empty range in the candidate.

    Attributes:
        op: the kind of the edit.
        i_start: the position of the first candidate word.
        i_end: the position after the last candidate word.
        k: the index of the reference.
        j_start: the position of the first reference word.
        j_end: the position after the last reference word.
    """

    op: Literal["match", "substitution", "insertion", "deletion"]
    i_start: int
    i_end: int
    k: int
    j_start: int
    j_end: int

    def cells(self) -> tuple[Hit, ...]:
        _, i, end, k, j, j_end = self
        return tuple(map(Hit, range(i, end), (k,) * (end - i), range(j, j_end)))


class Shift(NamedTuple):
    """A move of a block of candidate words by TER.

    Attributes:
        start: the position of the block's first word in the current order.
        end: the position after its last word in the current order.
        to: the position where the block begins after the move, counted in the sentence without the block.
        k: the index of the reference.
        j: the position in reference `k` from which on its words equal the block.
        rows: the original candidate positions of the moved words.
    """

    start: int
    end: int
    to: int
    k: int
    j: int
    rows: tuple[int, ...]

    def cells(self) -> tuple[Hit, ...]:
        return tuple([Hit(i, self.k, self.j + d) for d, i in enumerate(self.rows)])

    def apply(self, order: Sequence[int]) -> list[int]:
        """Return the order of the words after this move; `order` lists the original positions in their order before it.

        >>> Shift(2, 4, 0, 0, 0, (2, 3)).apply([0, 1, 2, 3, 4])
        [2, 3, 0, 1, 4]
        """
        rest = [*order[: self.start], *order[self.end :]]
        return [*rest[: self.to], *order[self.start : self.end], *rest[self.to :]]


class LetterPiece(NamedTuple):
    """A stretch of `length` letters that match within one cell, for a metric that matches letters.

    It begins at letter `at` of candidate word `i` and at letter `to` of reference word `j`; letters count from 0.
    """

    i: int
    j: int
    at: int
    to: int
    length: int


class Letters(NamedTuple):
    """A stretch of letters that the candidate and reference `k` share, across words and gaps, for chrF.

    Attributes:
        k: the index of the reference.
        length: the number of letters, including the spaces where the metric counts them.
        pieces: the parts of the stretch, from left to right, one for each pair of words that it touches; empty for a
            stretch that is only a space.
    """

    k: int
    length: int
    pieces: tuple[LetterPiece, ...]

    def cells(self) -> tuple[Hit, ...]:
        k = self.k
        return tuple([Hit(i, k, j) for i, j, _, _, _ in self.pieces])


#: Any mark. Its method `cells()` returns the cells that it covers, in order; a word without a partner has no cell.
Mark: TypeAlias = Hit | Run | SkipBigram | Neighbours | Edit | Shift | Letters
#: The relation between the two words of a cell.
Relation: TypeAlias = Literal["equal", "stem", "synonym", "similar", "different"]
