"""Marks: what makes up a score, as coordinates.

Positions are 0-based everywhere: `i` in the candidate, `k` the number of the reference, `j` in that reference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    pass


class Hit(NamedTuple):
    """Candidate word `i` meets word `j` of reference `k`: they are equal or, for SIA, similar."""

    i: int
    k: int
    j: int

    def cells(self) -> tuple[Hit, ...]:
        return (self,)


class Run(NamedTuple):
    """A diagonal of hits from (i, j) on.

    `length` counts the credited hits. It is fractional only where GTM's cap cuts a run:
    a run of length 1.5 occupies two whole cells and is credited for one and a half.
    """

    i: int
    k: int
    j: int
    length: float

    def cells(self) -> tuple[Hit, ...]:
        i, k, j, length = self
        return tuple([Hit(i + d, k, j + d) for d in range(math.ceil(length))])


class SkipBigram(NamedTuple):
    """Two hits of one reference, rising in both sentences; a discordant pair (RIBES) does not rise in the reference."""

    first: Hit
    second: Hit

    def cells(self) -> tuple[Hit, ...]:
        return (self.first, self.second)


class Area(NamedTuple):
    """A polygon on the grid of reference `k`.

    `corners` are (row, column) pairs in cell units: cell (i, j) covers rows i to i + 1 and columns j to j + 1.
    """

    corners: tuple[tuple[float, float], ...]
    k: int


class Neighbours(NamedTuple):
    """Two blocks that follow each other in both sentences (dcs); the credit is the product of their lengths."""

    first: Run
    second: Run

    def cells(self) -> tuple[Hit, ...]:
        return self.first.cells() + self.second.cells()

    def areas(self) -> tuple[Area, Area]:
        """Two right triangles, one on each side of the diagonal, whose areas sum to the product of the lengths.

        The first block ends at corner (r, c) and the next starts at (r', c'): the right angles are at (r, c') and
        (r', c), the legs are the two lengths, so that neither triangle covers a block unless the blocks overlap.
        """
        a, b = self.first, self.second
        r, c, r2, c2 = a.i + a.length, a.j + a.length, b.i, b.j
        upper = ((r, c2), (r - a.length, c2), (r, c2 + b.length))
        lower = ((r2, c), (r2, c - a.length), (r2 + b.length, c))
        return Area(upper, a.k), Area(lower, a.k)


class Edit(NamedTuple):
    """One step of an edit script: words i_start to i_end of the candidate meet words j_start to j_end of reference `k`.

    The ranges are half-open. A match or a substitution has equally many words on both sides, an insertion (the
    candidate has words that the reference lacks) none of the reference, a deletion none of the candidate.
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
    """A block of candidate words is moved (TER): words `start` to `end` of the present order, to begin at `to`.

    `rows` are the original positions of the moved words; the block equals the words of reference `k` from `j` on.
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
        """The order of words after the move: `to` counts in the sentence without the block.

        >>> Shift(2, 4, 0, 0, 0, (2, 3)).apply([0, 1, 2, 3, 4])
        [2, 3, 0, 1, 4]
        """
        rest = [*order[: self.start], *order[self.end :]]
        return [*rest[: self.to], *order[self.start : self.end], *rest[self.to :]]


class LetterPiece(NamedTuple):
    """`length` letters within one cell: from letter `at` of candidate word `i` and from letter `to` of word `j` on,
    both from 0."""

    i: int
    j: int
    at: int
    to: int
    length: int


class Letters(NamedTuple):
    """A stretch of letters that the candidate and reference `k` both have, through words and over the gaps between
    them, as chrF counts: where a mark's place is a letter of a word.

    `pieces` are its parts, from left to right, one in each pair of words that it passes; a stretch of nothing but a
    space has none. `length` counts its letters, with the spaces where these are counted.
    """

    k: int
    length: int
    pieces: tuple[LetterPiece, ...]

    def cells(self) -> tuple[Hit, ...]:
        k = self.k
        return tuple([Hit(i, k, j) for i, j, _, _, _ in self.pieces])


#: What makes up a score. Its `cells()` are the cells that it joins, in order; a word without a partner has none.
Mark: TypeAlias = Hit | Run | SkipBigram | Neighbours | Edit | Shift | Letters
#: How the two words of a cell go together.
Relation: TypeAlias = Literal["equal", "stem", "synonym", "similar", "different"]
