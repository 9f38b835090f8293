"""The bitext grid: hits, conflicts, runs, and the cached index of a reference that all metrics share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar

from ..types import Hit, Run, Segment, Tokens
from ..types.work import spend

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801, it is used as a decorator, like property
    """A decorator for an attribute that is computed on first access and then stored in the instance.

    It is functools.cached_property without its checks and its lock. Before Python 3.12 these cost as much as computing
    most of the attributes here.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__

    def __get__(self, owner: Any, kind: object = None) -> T:
        value = owner.__dict__[self.make.__name__] = self.make(owner)
        return value


class Reference:
    """A reference (for dcs: the candidate) with its indexes, each of which is built on first access.

    Use `indexed`, which caches instances.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @lazy
    def places(self) -> dict[str, list[int]]:
        """Return the positions of each word, ascending."""
        out: dict[str, list[int]] = {}
        for j, word in enumerate(self.tokens):
            if word in out:
                out[word].append(j)
            else:
                out[word] = [j]
        return out

    @lazy
    def masks(self) -> dict[str, int]:
        """Return the positions of each word as the set bits of an integer."""
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
    """Return the index of a reference, cached, so that all metrics and all systems share one."""
    return _index_short(tokens) if len(tokens) <= SHORT else _index_long(tokens)


@lru_cache(maxsize=1024)
def _index_short(tokens: Tokens) -> Reference:
    """Return the index of a short reference, from a large cache."""
    return Reference(tokens)


@lru_cache(maxsize=32)
def _index_long(tokens: Tokens) -> Reference:
    """Return the index of a long reference, from a small cache."""
    return Reference(tokens)


def clear_caches() -> None:
    """Clear all caches that depend on sentences."""
    for remembered in (_index_short, _index_long, grid):
        remembered.cache_clear()


def hits(candidate: Tokens, references: Sequence[Tokens]) -> tuple[Hit, ...]:
    """Return every cell whose two words are equal, by candidate position, then reference, then reference position.

    >>> hits(("a", "b"), [("b", "a", "b")])
    (Hit(i=0, k=0, j=1), Hit(i=1, k=0, j=0), Hit(i=1, k=0, j=2))
    """
    indexes = [(k, indexed(reference).places) for k, reference in enumerate(references)]
    return tuple(
        [Hit(i, k, j) for i, word in enumerate(candidate) for k, places in indexes for j in places.get(word, ())]
    )


def conflict(a: Hit, b: Hit) -> bool:
    """Return whether two hits share a word of the candidate or of one reference (Turian et al., §2.1)."""
    return a.i == b.i or (a.k, a.j) == (b.k, b.j)


def hit_columns(candidate: Reference, reference: Tokens) -> list[int]:
    """Return the columns of the grid: for each reference word, the candidate positions of the same word as set bits.

    One empty column follows the last. The grid is given by columns, not by rows, because the columns are read from the
    candidate's index, which is built once for all its references.

    >>> hit_columns(Reference(("a", "b")), ("b", "a", "b"))
    [2, 1, 2, 0]
    """
    columns = [*map(candidate.masks.get, reference, repeat(0))]
    columns.append(0)
    return columns


def long_runs(columns: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the maximal runs of at least two hits as (−length, i, j), so that sorting puts the longest first.

    The result itself is ordered by where the runs begin in the reference. The last of the `columns` must be empty.

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
        rows: for each candidate word, the columns of the same word as the set bits of an integer.
        offsets: the first column of each reference.
        columns: the number of columns, the empty ones included.
    """

    rows: list[int]
    offsets: list[int]
    columns: int


@lru_cache(maxsize=4)
def grid(segment: Segment) -> HitGrid:
    """Return the grid of a segment, cached so that all functions that analyse the segment share it.

    >>> grid(Segment(("a", "b"), (("b",), ("a", "b"))))
    HitGrid(rows=[4, 9], offsets=[0, 2], columns=5)
    """
    masks = dict.fromkeys(segment.candidate, 0)
    offsets, columns = [], 0
    for reference in segment.references:
        offsets.append(columns)
        for word, places in indexed(reference).masks.items():
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
        longer_runs = [Run(i, k, j, -negative) for negative, i, j in long_runs(hit_columns(index, reference))]
        covered = {cell for run in longer_runs for cell in run.cells()}
        singles = [Run(i, k, j, 1) for i, _, j in hits(candidate, [reference]) if (i, k, j) not in covered]
        out += sorted(longer_runs + singles)
    return tuple(out)
