"""The bitext grid: hits, conflicts, runs, and the index of a reference, built once and used by every metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, repeat
from typing import NamedTuple

from .types import Hit, Run, Tokens


class Reference:
    """A reference (for dcs the candidate) with its indexes, each made when first asked for.

    Get one from `indexed`, which remembers it.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Each word's positions, ascending."""
        out: dict[str, list[int]] = {}
        for j, word in enumerate(self.tokens):
            if word in out:
                out[word].append(j)
            else:
                out[word] = [j]
        return out

    @cached_property
    def masks(self) -> dict[str, int]:
        """Each word's positions as the set bits of a number."""
        out: dict[str, int] = {}
        get = out.get
        bit = 1
        for word in self.tokens:
            out[word] = get(word, 0) | bit
            bit <<= 1
        return out

    @cached_property
    def bigram_places(self) -> dict[tuple[str, str], list[int]]:
        """Each bigram's start positions, ascending."""
        out: dict[tuple[str, str], list[int]] = {}
        for j, pair in enumerate(pairwise(self.tokens)):
            if pair in out:
                out[pair].append(j)
            else:
                out[pair] = [j]
        return out


@lru_cache(maxsize=4096)
def indexed(tokens: Tokens) -> Reference:
    """The index of a reference, remembered, so that all metrics and all systems share one."""
    return Reference(tokens)


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


def long_runs(candidate: Tokens, reference: Reference) -> list[tuple[int, int, int]]:
    """The maximal runs of at least two hits, as (length, i, j), ordered by where they end in the candidate.

    Found from the bigrams, which are far rarer than single hits: the work grows with the number of shared bigrams.
    """
    out = []
    places = reference.bigram_places
    open_runs: dict[int, int] = {}  # reference position of the last bigram so far → run length
    for i, js in enumerate(map(places.get, pairwise(candidate))):
        if js or open_runs:
            extended: dict[int, int] = {}
            for j in js or ():
                extended[j] = open_runs.pop(j - 1, 1) + 1
            for j, length in open_runs.items():
                out.append((length, i - length + 1, j - length + 2))
            open_runs = extended
    for j, length in open_runs.items():
        out.append((length, len(candidate) - length, j - length + 2))
    return out


def hit_columns(candidate: Tokens, reference: Tokens) -> list[int]:
    """The grid by columns: for each reference word the candidate positions of the same word, as the bits of a number.

    By columns and not by rows because the index that they are read from is then the candidate's, which is built once
    for all its references.

    >>> hit_columns(("a", "b"), ("b", "a", "b"))
    [2, 1, 2]
    """
    get = indexed(candidate).masks.get
    return [*map(get, reference, repeat(0))]


class Grid(NamedTuple):
    """The hits of a candidate and one reference by columns, an empty one behind the last, and the maximal runs of at
    least two hits as (−length, i, j): the longest first, then the lowest i, then the lowest j.
    """

    columns: list[int]
    runs: list[tuple[int, int, int]]


@lru_cache(maxsize=16)
def grid(candidate: Tokens, reference: Tokens) -> Grid:
    """The grid of two sentences, remembered while the metrics of one segment need it.

    >>> grid(("a", "b"), ("a", "b"))
    Grid(columns=[1, 2, 0], runs=[(-2, 0, 0)])
    """
    columns = hit_columns(candidate, reference)
    columns.append(0)  # stands right of the last column and, as columns[-1], left of the first
    return Grid(columns, sorted(_column_runs(columns)))


def _column_runs(columns: list[int]) -> list[tuple[int, int, int]]:
    """The maximal runs of at least two hits as (−length, i, j); the last of the grid's columns must be empty."""
    out = []
    left = continued_left = 0
    for j, column in enumerate(columns):
        continued = left << 1 & column  # hits whose neighbour one up and one to the left is a hit
        if continued:
            seconds = continued & ~(continued_left << 1)
            while seconds:
                i = seconds.bit_length() - 1
                seconds ^= 1 << i
                end, bit = j + 1, 2 << i
                while columns[end] & bit:
                    end += 1
                    bit <<= 1
                out.append((j - 1 - end, i - 1, j - 1))
        left, continued_left = column, continued
    return out


def runs(candidate: Tokens, references: Sequence[Tokens]) -> tuple[Run, ...]:
    """All maximal runs, single hits included, by reference, candidate start, reference start.

    >>> runs(("a", "b", "c"), [("a", "b", "x", "c")])
    (Run(i=0, k=0, j=0, length=2), Run(i=2, k=0, j=3, length=1))
    """
    out = []
    for k, reference in enumerate(references):
        index = indexed(reference)
        found = [Run(i, k, j, length) for length, i, j in long_runs(candidate, index)]
        covered = {cell for run in found for cell in run.cells()}
        singles = [Run(i, k, j, 1) for i, _, j in hits(candidate, [reference]) if (i, k, j) not in covered]
        out += sorted(found + singles)
    return tuple(out)
