"""Longest common subsequences, plain and weighted, with their paths.

A path is a list of runs (i, j, length): maximal diagonal stretches of its hits, rising in both sentences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from rapidfuzz.distance import LCSseq

from .bitext import Reference
from .types import Tokens

#: A diagonal stretch of hits: where it starts in the candidate and in the reference, and how many hits it has.
Stretch: TypeAlias = tuple[int, int, int]

#: A path while it is found: its worth, row and column behind its last run, that run's length, the path before that run.
_Path: TypeAlias = "tuple[float, int, int, int, _Path | None]"
_EMPTY: _Path = (0.0, -1, -1, 0, None)


def spelled(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[str, list[str]]:
    """The sentences with a letter for each word, so that RapidFuzz can compare them as strings.

    All words that the candidate lacks get the same letter, one that the candidate never uses.

    >>> candidate, references = spelled(["to", "be", "to"], [["or", "to"]])
    >>> list(map(ord, candidate)), list(map(ord, references[0]))
    ([0, 1, 0], [2, 0])
    """
    letters = {word: chr(n) for n, word in enumerate(dict.fromkeys(candidate))}
    letter, other = letters.get, chr(len(letters))
    return (
        "".join(map(letters.__getitem__, candidate)),
        ["".join([letter(word, other) for word in reference]) for reference in references],
    )


def lcs_length(candidate: Sequence[str], reference: Sequence[str]) -> int:
    """The length of a longest common subsequence (LCS) of two sentences that are `edits.comparable`.

    >>> lcs_length("abcbdab", "bdcaba")
    4
    """
    return LCSseq.similarity(candidate, reference)


def lcs_path(candidate: Sequence[str], reference: Sequence[str]) -> list[Stretch]:
    """One longest common subsequence of two sentences that are `edits.comparable`, as RapidFuzz finds it.

    Ties: words that both sentences begin with are matched first, then words that both end with. What is left is
    traced from the end: a candidate word is dropped if the LCS stays as long without it, else a reference word is
    dropped if the LCS stays as long, else the two are matched.

    >>> lcs_path("abxc", "abc")
    [(0, 0, 2), (3, 2, 1)]
    """
    blocks = LCSseq.editops(candidate, reference).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]


def wlcs_published(candidate: Tokens, reference: Reference, weight: float) -> list[Stretch]:
    """The path of the weighted LCS by the procedure printed in Lin and Och (2004), §3.3, with f(k) = k^weight.

    The procedure takes the diagonal at every match, even where leaving the match out would score more, so the sum of
    f(length) over the runs, which is its c(m, n), need not be the maximum: see `wlcs_optimal`. Ties as printed:
    c(i, j-1) unless c(i-1, j) is greater, so a candidate word is dropped before a reference word. Sums that differ
    only by rounding are not tied.

    Only one row of the table is kept, and only cells that differ from the row above are visited: the matches, what
    they raise to their right, and cells that a match has left lower than their left neighbour.

    >>> wlcs_published(("a", "b"), Reference(("a", "b", "b")), 2.0)
    [(0, 0, 1), (1, 2, 1)]
    """
    places, size = reference.places, len(reference.tokens)
    f = _powers(weight, min(len(candidate), size))
    row = [_EMPTY] * (size + 1)
    lowered: list[int] = []
    for i, word in enumerate(candidate):
        if word not in places and not lowered:
            continue
        # A match depends on the row above only: read that before this row overwrites it.
        cells: list[tuple[int, float, _Path | None]] = []
        for j in places.get(word, ()):
            corner = row[j]
            if corner[1] == i and corner[2] == j:  # a match, whose run goes on
                k = corner[3]
                value = corner[0] + (f[k + 1] - f[k])
                cells.append((j + 1, value, (value, i + 1, j + 1, k + 1, corner[4])))
            else:
                value = corner[0] + f[1]
                cells.append((j + 1, value, (value, i + 1, j + 1, 1, corner)))
        if lowered:
            matched = {cell[0] for cell in cells}
            cells += [(column, -1.0, None) for column in lowered if column not in matched]
            cells.sort()
            lowered = []
        for n, (column, value, path) in enumerate(cells, 1):
            left = row[column - 1]
            if path:
                if left[0] > value:
                    lowered.append(column)
            elif left[0] > row[column][0]:
                value, path = left[0], left
            else:
                continue
            row[column] = path
            following = column + 1
            bound = cells[n][0] if n < len(cells) else size + 1
            if following < bound and row[following][0] < value:
                # Between such columns the row above never falls, so what the value exceeds is one stretch.
                end = bisect_left(row, (value,), following + 1, bound)
                row[following:end] = [path] * (end - following)
    return _stretches(row[size])


def wlcs_optimal(candidate: Tokens, reference: Reference, weight: float) -> list[Stretch]:
    """The path whose sum of f(length), f(k) = k^weight with weight ≥ 1, is the true maximum.

    D[i][j] = max(D[i-1][j], D[i][j-1], D[i-L][j-L] + f(L) over the runs of length L that end at (i, j)). Because f is
    convex, a run that is longer and worth no less than another at the same cell stays so however far both grow:
    a cell keeps only the runs that no longer run outdoes. Ties: going through the cells by candidate, then reference
    position, a path is given up only for one worth more; of the runs that end at one cell the longer is taken.

    >>> wlcs_optimal(("a", "b"), Reference(("a", "b", "b")), 2.0)
    [(0, 0, 2)]
    """
    places, size = reference.places, len(reference.tokens)
    f = _powers(weight, min(len(candidate), size))
    row = [_EMPTY] * (size + 1)
    growing: dict[int, list[tuple[int, _Path]]] = {}  # column → (length, path before the run)
    for i, word in enumerate(candidate, 1):
        above, growing = growing, {}
        for j in places.get(word, ()):
            runs = [(k + 1, before) for k, before in above.get(j, ())]
            runs.append((1, row[j]))
            best, kept = -1.0, []
            for run in runs:  # longest first
                value = run[1][0] + f[run[0]]
                if value > best:
                    best = value
                    kept.append(run)
            growing[j + 1] = kept
        for column, kept in growing.items():
            k, before = kept[-1]
            value = before[0] + f[k]
            if row[column][0] < value:
                end = bisect_left(row, (value,), column + 1)
                row[column:end] = [(value, i, column, k, before)] * (end - column)
    return _stretches(row[size])


def wlcs_limits(candidate: Tokens, references: Sequence[Tokens], weight: float) -> list[float]:
    """For each reference what no weighted LCS exceeds, rounding included.

    A path of L hits in r runs has L − r pairs of neighbours. L is at most the LCS of the words, and L − r at most the
    LCS of the bigrams. f is convex: with both at their most, f(L − r + 1) + r − 1 is the largest sum, that of one run
    among single hits. RapidFuzz compares hashes: should two words have the same, the limit is only higher.

    >>> [round(limit, 6) for limit in wlcs_limits(tuple("abxc"), [tuple("abc"), ()], 2.0)]
    [5.0, 0.0]
    """
    similarity, bigrams = LCSseq.similarity, [*pairwise(candidate)]
    limits = []
    for reference in references:
        hits = similarity(candidate, reference)
        pairs = similarity(bigrams, [*pairwise(reference)])
        limits.append((float((pairs + 1) ** weight) + (hits - pairs - 1)) * (1 + 1e-9) if hits else 0.0)
    return limits


@lru_cache(maxsize=1024)
def _powers(weight: float, most: int) -> tuple[float, ...]:
    """f(0) to f(most)."""
    return tuple([float(k**weight) for k in range(most + 1)])


def _stretches(path: _Path) -> list[Stretch]:
    out = []
    _, row, column, length, before = path
    while before:
        out.append((row - length, column - length, length))
        _, row, column, length, before = before
    out.reverse()
    return out
