"""The bitext grid: hits, conflicts, runs, and the index of a reference, built once and used by every metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar

from ..types import Hit, Run, Segment, Tokens
from ..types.work import spend

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801, it is used as a decorator, like property
    """An attribute made when it is first asked for: functools.cached_property without its checks and its lock, which
    before Python 3.12 cost as much as making most of what is remembered here.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__

    def __get__(self, owner: Any, kind: object = None) -> T:
        value = owner.__dict__[self.make.__name__] = self.make(owner)
        return value


class Reference:
    """A reference (for dcs the candidate) with its indexes, each made when first asked for.

    Get one from `indexed`, which remembers it.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @lazy
    def places(self) -> dict[str, list[int]]:
        """Each word's positions, ascending."""
        out: dict[str, list[int]] = {}
        for j, word in enumerate(self.tokens):
            if word in out:
                out[word].append(j)
            else:
                out[word] = [j]
        return out

    @lazy
    def masks(self) -> dict[str, int]:
        """Each word's positions as the set bits of a number."""
        out: dict[str, int] = {}
        get = out.get
        bit = 1
        for word in self.tokens:
            out[word] = get(word, 0) | bit
            bit <<= 1
        return out


#: The longest references of which many indexes are remembered; one of 2,000 words takes a megabyte.
SHORT = 100


def indexed(tokens: Tokens) -> Reference:
    """The index of a reference, remembered, so that all metrics and all systems share one."""
    return _short(tokens) if len(tokens) <= SHORT else _long(tokens)


@lru_cache(maxsize=1024)
def _short(tokens: Tokens) -> Reference:
    return Reference(tokens)


@lru_cache(maxsize=32)
def _long(tokens: Tokens) -> Reference:
    return Reference(tokens)


def forget() -> None:
    """Forget all that is remembered of sentences."""
    for remembered in (_short, _long, grid):
        remembered.cache_clear()


def hits(candidate: Tokens, references: Sequence[Tokens]) -> tuple[Hit, ...]:
    """Every cell whose two words are equal, by candidate position, then reference, then reference position.

    >>> hits(("a", "b"), [("b", "a", "b")])
    (Hit(i=0, k=0, j=1), Hit(i=1, k=0, j=0), Hit(i=1, k=0, j=2))
    """
    indexes = [(k, indexed(reference).places) for k, reference in enumerate(references)]
    return tuple(
        [Hit(i, k, j) for i, word in enumerate(candidate) for k, places in indexes for j in places.get(word, ())]
    )


def conflict(a: Hit, b: Hit) -> bool:
    """Whether two hits share a word of the candidate or of one reference (Turian et al., §2.1)."""
    return a.i == b.i or (a.k, a.j) == (b.k, b.j)


def hit_columns(candidate: Reference, reference: Tokens) -> list[int]:
    """The grid by columns: for each reference word the candidate positions of the same word, as the bits of a number,
    and an empty column behind the last.

    By columns and not by rows because the index that they are read from is then the candidate's, which is built once
    for all its references.

    >>> hit_columns(Reference(("a", "b")), ("b", "a", "b"))
    [2, 1, 2, 0]
    """
    columns = [*map(candidate.masks.get, reference, repeat(0))]
    columns.append(0)
    return columns


def long_runs(columns: Sequence[int]) -> list[tuple[int, int, int]]:
    """The maximal runs of at least two hits as (−length, i, j), so that the longest comes first where they are sorted;
    here by where they begin in the reference. The last of the columns must be empty.

    >>> long_runs([2, 1, 2, 0])
    [(-2, 0, 1)]
    """
    out: list[tuple[int, int, int]] = []
    left_column = continued_left = 0
    cells_scanned = 0
    for j, column in enumerate(columns):
        continued = left_column << 1 & column  # hits whose neighbour one up and one to the left is a hit
        if continued:
            seconds = continued & ~(continued_left << 1)
            if cells_scanned > 3_200:  # there can be millions
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
    """A candidate and its references side by side: for each candidate word where the references have it, as the bits of
    a number; the column where each reference begins; how many columns there are. The one behind a reference is empty.
    """

    rows: list[int]
    offsets: list[int]
    columns: int


@lru_cache(maxsize=4)
def grid(segment: Segment) -> HitGrid:
    """The grid of a segment, remembered for all that is asked about the segment.

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
    """All maximal runs, single hits included, by reference, candidate start, reference start.

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
