"""Longest common subsequences, plain and weighted, with their paths.

A path is a list of runs (i, j, length): the maximal diagonal stretches of its hits, ascending in both sentences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TypeAlias

from rapidfuzz.distance import LCSseq

from ..types import Tokens
from ..types.work import spend
from .bitext import Reference

#: A diagonal stretch of hits: its start in the candidate, its start in the reference, and its number of hits.
Stretch: TypeAlias = tuple[int, int, int]

#: A partial path: its value, the row and the column after its last run, the length of that run, and the path before it.
_Path: TypeAlias = "tuple[float, int, int, int, _Path | None]"
_EMPTY: _Path = (0.0, -1, -1, 0, None)


def words_as_letters(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[str, list[str]]:
    """Return the sentences with each word replaced by one letter, so that RapidFuzz can compare them as strings.

    All words that the candidate lacks become the same letter, which no candidate word has.

    >>> candidate, references = words_as_letters(["to", "be", "to"], [["or", "to"]])
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
    """Return the length of a longest common subsequence (LCS) of two sentences.

    The sentences must come from `edits.comparable`, because RapidFuzz compares words by their hashes.

    >>> lcs_length("abcbdab", "bdcaba")
    4
    """
    return LCSseq.similarity(candidate, reference)


def lcs_path(candidate: Sequence[str], reference: Sequence[str]) -> list[Stretch]:
    """Return one longest common subsequence of two sentences, as RapidFuzz finds it.

    The sentences must come from `edits.comparable`, because RapidFuzz compares words by their hashes.

    Ties: words at the common beginning are matched first, then words at the common end. The rest is traced backwards
    from the end: a candidate word is dropped if the LCS stays equally long without it, else a reference word is dropped
    if the LCS stays equally long, else the two words are matched.

    >>> lcs_path("abxc", "abc")
    [(0, 0, 2), (3, 2, 1)]
    """
    blocks = LCSseq.editops(candidate, reference).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]


def wlcs_published(candidate: Tokens, reference: Reference, weight: float) -> list[Stretch]:
    """Return the path of the weighted LCS by the procedure printed in Lin and Och (2004), §3.3, with f(k) = k^weight.

    The procedure takes the diagonal at every match, even where skipping the match would score more. So the sum of
    f(length) over the runs, which is its c(m, n), need not be the maximum: see `wlcs_optimal`. Ties are broken as
    printed: c(i, j-1) unless c(i-1, j) is greater, so a candidate word is dropped before a reference word. Sums that
    differ only by rounding are not ties.

    Only one row of the table is stored, and only cells that differ from the row above are visited: the matches, the
    cells to their right that they raise, and cells that a match has made lower than their left neighbour. Words with
    one match each that follow each other in both sentences are handled at once, since nothing else changes in their
    rows. The result is that of the printed recurrence,

        c(i, j) = c(i-1, j-1) + f(k+1) − f(k), w(i, j) = k + 1 for a match, where k = w(i-1, j-1)
        c(i, j) = max(c(i-1, j), c(i, j-1)), w(i, j) = 0 otherwise

    >>> wlcs_published(("a", "b"), Reference(("a", "b", "b")), 2.0)
    [(0, 0, 1), (1, 2, 1)]
    >>> from metrics.catalogue.rouge.tables import wlcs
    >>> ours, theirs = tuple("abcbdab"), tuple("bdcaabab")
    >>> path = wlcs_published(ours, Reference(theirs), 1.5)
    >>> [(i + d, j + d) for i, j, length in path for d in range(length)] == wlcs(theirs, ours, 1.5)[1]
    True
    """
    size = len(reference.tokens)
    rows = [*map(reference.positions_by_word.get, candidate), None]
    if len(candidate) * size > 400:
        matches = sum(map(len, filter(None, rows)))
        if matches > _MATCHES * (len(candidate) + size):
            return _wlcs_by_diagonals(candidate, reference.tokens, weight)
        spend(2 * matches)
    else:
        spend(len(candidate) * size // 4)
    gains = _gains_by_length(weight, min(len(candidate), size))
    row = [_EMPTY] * (size + 1)
    lowered: list[int] = []
    rows_done = 0  # the number of rows that are filled
    for i, js in enumerate(rows[:-1], 1):
        if i <= rows_done or not (js or lowered):
            continue
        if js and len(js) == 1 and not lowered:
            (j,) = js
            value, end, column, k, before = corner = row[j]
            if end != i - 1 or column != j:  # else the corner is a match, whose run continues
                k, before = 0, corner
            rows_done = i
            while True:
                value += gains[k]
                j += 1
                k += 1
                row[j] = path = (value, rows_done, j, k, before)
                if rows[rows_done] != [j]:
                    break
                rows_done += 1
            # The row above never decreases, so the cells that the value exceeds are contiguous.
            if j < size and row[j + 1][0] < value:
                end = size + 1 if row[size][0] < value else bisect_left(row, (value,), j + 2)
                row[j + 1 : end] = [path] * (end - j - 1)
            continue
        # A match depends on the row above only, so read that row before this one overwrites it.
        cells: list[tuple[int, _Path | None]] = []
        for j in js or ():
            value, end, column, k, before = corner = row[j]
            if end != i - 1 or column != j:
                k, before = 0, corner
            cells.append((j + 1, (value + gains[k], i, j + 1, k + 1, before)))
        if lowered:
            matched = [column for column, _ in cells]
            cells += [(column, None) for column in lowered if column not in matched]
            cells.sort(key=itemgetter(0))
            lowered = []
        for n, (column, match) in enumerate(cells, 1):
            left_path = row[column - 1]
            if match:
                path = match
                if left_path[0] > path[0]:
                    lowered.append(column)
            elif left_path[0] > row[column][0]:
                path = left_path
            else:
                continue
            row[column] = path
            # Between these columns the row above never decreases either.
            value, following = path[0], column + 1
            bound = cells[n][0] if n < len(cells) else size + 1
            if following < bound and row[following][0] < value:
                end = bound if row[bound - 1][0] < value else bisect_left(row, (value,), following + 1, bound)
                row[following:end] = [path] * (end - following)
    return _path_runs(row[size])


#: The number of matches per word of both sentences above which filling the whole table is faster.
_MATCHES = 30


def _wlcs_by_diagonals(candidate: Tokens, reference: Tokens, weight: float) -> list[Stretch]:
    """Return the path that `wlcs_published` returns, with the same ties; this is faster where there are many matches.

    The whole table is filled, one diagonal (from lower left to upper right) at a time, because the cells of a diagonal
    depend only on the two diagonals before it. If the cells above and to the left are equal, the path continues from
    the one above.
    """
    import numpy as np

    n, m = len(candidate), len(reference)
    spend(10 * (n + m) + n * m // 100)
    number = {word: t for t, word in enumerate(dict.fromkeys(candidate))}
    ours = np.array([number[word] for word in candidate], dtype=np.int32)
    theirs = np.array([number.get(word, -1) for word in reversed(reference)], dtype=np.int32)
    gains = np.array((*_gains_by_length(weight, min(n, m)), 0.0))
    # Indexed by diagonal, i + j, and by i: the length of the run that ends in a cell, and whether the value comes from
    # the cell above.
    lengths = np.zeros((n + m + 1, n + 1), dtype=np.int32)
    from_above = np.zeros((n + m + 1, n + 1), dtype=bool)
    before, last = np.zeros(n + 1), np.zeros(n + 1)
    for diagonal in range(2, n + m + 1):
        low, end = max(1, diagonal - m), min(n, diagonal - 1) + 1
        match = ours[low - 1 : end - 1] == theirs[m - diagonal + low : m - diagonal + end]
        above, left_values = last[low - 1 : end - 1], last[low:end]
        runs = lengths[diagonal - 2, low - 1 : end - 1]
        values = np.zeros(n + 1)
        values[low:end] = np.where(match, before[low - 1 : end - 1] + gains[runs], np.maximum(above, left_values))
        lengths[diagonal, low:end] = (runs + 1) * match
        np.greater_equal(above, left_values, out=from_above[diagonal, low:end])
        before, last = last, values
    out = []
    i, j = n, m
    while i and j:
        if length := int(lengths[i + j, i]):
            i, j = i - length, j - length
            out.append((i, j, length))
        elif from_above[i + j, i]:
            i -= 1
        else:
            j -= 1
    out.reverse()
    return out


def wlcs_optimal(candidate: Tokens, reference: Reference, weight: float) -> list[Stretch]:
    """Return the path with the largest possible sum of f(length), where f(k) = k^weight and weight ≥ 1.

    D[i][j] = max(D[i-1][j], D[i][j-1], D[i-L][j-L] + f(L) over the runs of length L that end at (i, j)). Since f is
    convex, a run that is longer than another at the same cell, and worth at least as much, keeps this advantage however
    far both grow. So a cell stores only the runs that no longer run dominates. Ties: going through the cells by
    candidate, then reference position, a path is replaced only by one that is worth more. Of the runs that end at one
    cell, the longer one is taken.

    >>> wlcs_optimal(("a", "b"), Reference(("a", "b", "b")), 2.0)
    [(0, 0, 2)]
    """
    places, size = reference.positions_by_word, len(reference.tokens)
    f = _values_by_length(weight, min(len(candidate), size))
    row = [_EMPTY] * (size + 1)
    growing: dict[int, list[tuple[int, _Path]]] = {}  # column → [(length of the run, path before the run)]
    for i, word in enumerate(candidate, 1):
        above, growing = growing, {}
        columns = places.get(word, ())
        spend(len(columns) + sum(map(len, above.values())))
        for j in columns:
            runs = [(k + 1, before) for k, before in above.get(j, ())]
            runs.append((1, row[j]))
            best, kept_runs = -1.0, []
            for run in runs:  # longest first
                value = run[1][0] + f[run[0]]
                if value > best:
                    best = value
                    kept_runs.append(run)
            growing[j + 1] = kept_runs
        for column, kept_runs in growing.items():
            k, before = kept_runs[-1]
            value = before[0] + f[k]
            if row[column][0] < value:
                end = bisect_left(row, (value,), column + 1)
                row[column:end] = [(value, i, column, k, before)] * (end - column)
    return _path_runs(row[size])


def wlcs_upper_bounds(candidate: Tokens, references: Sequence[Tokens], weight: float) -> list[float]:
    """Return, for each reference, an upper bound on the value of any weighted LCS, rounding included.

    A run of length k is worth f(k) = k^weight. A reference consists of stretches whose bigrams all occur in the
    candidate, and no run of two or more hits extends beyond one stretch. Since f is convex, of all paths with as many
    hits as the LCS, none is worth more than one that takes the longest stretches whole, as far as its hits last. Hits
    that remain when all stretches are taken count 1 each. RapidFuzz compares hashes; if two words had equal hashes, the
    bound would only be higher.

    >>> [round(limit, 6) for limit in wlcs_upper_bounds(tuple("abxcd"), [tuple("abcd"), tuple("xcab"), ()], 2.0)]
    [8.0, 4.0, 0.0]
    """
    similarity, has_bigram = LCSseq.similarity, {*pairwise(candidate)}.__contains__
    worth = _values_by_length(weight, len(candidate)).__getitem__
    limits = []
    for reference in references:
        hits = similarity(candidate, reference)
        runs = [len(stretch) + 1 for stretch in bytes(map(has_bigram, pairwise(reference))).split(b"\0") if stretch]
        single = hits - sum(runs)
        if single < 0:  # the stretches do not all lie on one path
            runs.sort(reverse=True)
            while single < 0:
                single += runs.pop()
            runs.append(single)
            single = 0
        limits.append((sum(map(worth, runs)) + single) * (1 + 1e-9))
    return limits


@lru_cache(maxsize=16)
def _gains_by_length(weight: float, most: int) -> tuple[float, ...]:
    """Return what a match adds to a run of length k, (k + 1)^weight − k^weight, for k from 0 to `most` − 1."""
    return tuple([after - before for before, after in pairwise(_values_by_length(weight, most))])


@lru_cache(maxsize=16)
def _values_by_length(weight: float, most: int) -> tuple[float, ...]:
    """Return the value k^weight of a run of length k, for k from 0 to `most`."""
    return tuple([float(k**weight) for k in range(most + 1)])


def _path_runs(path: _Path) -> list[Stretch]:
    """Return the runs of a weighted LCS path, the first one first.

    `path` is a linked list that begins with the last run.
    """
    out = []
    _, row, column, length, before = path
    while before:
        out.append((row - length, column - length, length))
        _, row, column, length, before = before
    out.reverse()
    return out
