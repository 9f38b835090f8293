"""The bitext grid: hits, conflicts, runs, and the cached index of a reference that all metrics share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar

from ..types import Hit, Run, Segment, Tokens
from ..types.work import spend

T = TypeVar("T")


class lazy_attribute(Generic[T]):  # noqa: N801, it is used as a decorator, like property
    """A decorator for a method whose value is computed on first access and then stored as an attribute of the instance.

    It is functools.cached_property without its checks and its lock. Before Python 3.12 these cost as much as computing
    most of the attributes here.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__

    def __get__(self, owner: Any, kind: object = None) -> T:
        value = owner.__dict__[self.make.__name__] = self.make(owner)
        return value


class Reference:
    """The tokens of a text, usually a reference, with the positions of its words, which are indexed on first access.

    For metrics that index the candidate instead, it holds the candidate. Call `indexed` to get a cached instance.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @lazy_attribute
    def positions_by_word(self) -> dict[str, list[int]]:
        """Return the positions of each word, ascending, by word."""
        out: dict[str, list[int]] = {}
        for j, word in enumerate(self.tokens):
            if word in out:
                out[word].append(j)
            else:
                out[word] = [j]
        return out

    @lazy_attribute
    def position_mask_by_word(self) -> dict[str, int]:
        """Return the positions of each word, by word, as a bit mask: bit `j` is set if the word is at position `j`."""
        out: dict[str, int] = {}
        get = out.get
        bit = 1
        for word in self.tokens:
            out[word] = get(word, 0) | bit
            bit <<= 1
        return out


#: The number of words up to which a reference counts as short, so that many such indexes are cached. The index of a
#: reference of 2,000 words takes a megabyte.
SHORT = 100


def indexed(tokens: Tokens) -> Reference:
    """Return the `Reference` that indexes the words of these tokens.

    It is cached, so that all metrics and all systems share it.
    """
    return _index_short(tokens) if len(tokens) <= SHORT else _index_long(tokens)


_index_short = lru_cache(maxsize=1024)(Reference)
_index_long = lru_cache(maxsize=32)(Reference)


def clear_caches() -> None:
    """Clear the caches of word indexes and grids in this module."""
    for remembered in (_index_short, _index_long, grid):
        remembered.cache_clear()


def hits(candidate: Tokens, references: Sequence[Tokens]) -> tuple[Hit, ...]:
    """Return every hit: each cell whose two words are equal.

    They are ordered by candidate position, then reference, then reference position.

    >>> hits(("a", "b"), [("b", "a", "b")])
    (Hit(i=0, k=0, j=1), Hit(i=1, k=0, j=0), Hit(i=1, k=0, j=2))
    """
    indexes = [(k, indexed(reference).positions_by_word) for k, reference in enumerate(references)]
    return tuple(
        [Hit(i, k, j) for i, word in enumerate(candidate) for k, places in indexes for j in places.get(word, ())]
    )


def conflict(a: Hit, b: Hit) -> bool:
    """Return whether two hits share a word of the candidate or of one reference (Turian et al., §2.1)."""
    return a.i == b.i or (a.k, a.j) == (b.k, b.j)


def hit_column_masks(candidate: Reference, reference: Tokens) -> list[int]:
    """Return the columns of the grid as bit masks: for each reference word, the candidate positions of the same word.

    One empty column, 0, follows the last, so that searches along diagonals end there. The grid is given by columns, not
    by rows, because the columns are read from the candidate's index, which is built once for all its references.

    >>> hit_column_masks(Reference(("a", "b")), ("b", "a", "b"))
    [2, 1, 2, 0]
    """
    columns = [*map(candidate.position_mask_by_word.get, reference, repeat(0))]
    columns.append(0)
    return columns


def long_runs(columns: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the maximal runs of at least two hits as (−length, i, j), so that sorting puts the longest first.

    `columns` are the columns of the grid as bit masks, as `hit_column_masks` returns them; the last one must be empty.
    The runs are returned in the order in which they begin in the reference.

    >>> long_runs([2, 1, 2, 0])
    [(-2, 0, 1)]
    """
    out: list[tuple[int, int, int]] = []
    left_column = continued_left = 0
    cells_scanned = 0
    for j, column in enumerate(columns):
        continued = left_column << 1 & column  # hits whose neighbour one row up and one column to the left is a hit
        if continued:
            seconds = continued & ~(continued_left << 1)
            if cells_scanned > 3_200:  # report the work in between, since there can be millions of runs
                spend(cells_scanned // 16)
                cells_scanned = 0
            while seconds:
                i = seconds.bit_length() - 1
                seconds ^= 1 << i
                end, bit = j + 1, 2 << i
                while columns[end] & bit:
                    end += 1
                    bit <<= 1
                out.append((j - 1 - end, i - 1, j - 1))
                cells_scanned += end - j + 16
        left_column, continued_left = column, continued
    if cells_scanned > 160:
        spend(cells_scanned // 16)
    return out


class HitGrid(NamedTuple):
    """The grid of a candidate with all its references side by side; an empty column follows each reference.

    Attributes:
        rows: for each candidate word, a bit mask of the columns with the same word.
        offsets: the index of the first column of each reference.
        columns: the number of columns, the empty ones included.
    """

    rows: list[int]
    offsets: list[int]
    columns: int


@lru_cache(maxsize=4)
def grid(segment: Segment) -> HitGrid:
    """Return the grid of a segment as bit masks, cached so that all functions that analyse the segment share it.

    >>> grid(Segment(("a", "b"), (("b",), ("a", "b"))))
    HitGrid(rows=[4, 9], offsets=[0, 2], columns=5)
    """
    masks = dict.fromkeys(segment.candidate, 0)
    offsets, columns = [], 0
    for reference in segment.references:
        offsets.append(columns)
        for word, places in indexed(reference).position_mask_by_word.items():
            if word in masks:
                masks[word] |= places << columns
        columns += len(reference) + 1
    return HitGrid([*map(masks.__getitem__, segment.candidate)], offsets, columns)


def runs(candidate: Tokens, references: Sequence[Tokens]) -> tuple[Run, ...]:
    """Return all maximal runs, single hits included, ordered by reference, candidate start, and reference start.

    >>> runs(("a", "b", "c"), [("a", "b", "x", "c")])
    (Run(i=0, k=0, j=0, length=2), Run(i=2, k=0, j=3, length=1))
    """
    out = []
    index = indexed(candidate)
    for k, reference in enumerate(references):
        longer_runs = [Run(i, k, j, -negative) for negative, i, j in long_runs(hit_column_masks(index, reference))]
        covered = {cell for run in longer_runs for cell in run.cells()}
        singles = [Run(i, k, j, 1) for i, _, j in hits(candidate, [reference]) if (i, k, j) not in covered]
        out += sorted(longer_runs + singles)
    return tuple(out)
