"""Longest common subsequences, plain and weighted, by their recurrences over the whole table."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from .steps import Cell

Words = Sequence[Hashable]


def lcs_cells(a: Words, b: Words) -> Iterator[Cell]:
    """The table of the longest common subsequence, row by row: c(i, j) for the first i words of a and j of b.

    A match adds 1 to the corner above and on the left; elsewhere the larger neighbour goes on, and a cell came from
    both where they are equal, from the one above first.

    >>> [(cell.value, cell.came) for cell in lcs_cells("x", "ax")]
    [(0, ((0, 1), (1, 0))), (1, ((0, 1),))]
    """
    c = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, word in enumerate(a, 1):
        for j, other in enumerate(b, 1):
            above, left = c[i - 1][j], c[i][j - 1]
            came: tuple[tuple[int, int], ...]
            if word == other:
                c[i][j], came = c[i - 1][j - 1] + 1, ((i - 1, j - 1),)
            elif above == left:
                c[i][j], came = above, ((i - 1, j), (i, j - 1))
            elif above > left:
                c[i][j], came = above, ((i - 1, j),)
            else:
                c[i][j], came = left, ((i, j - 1),)
            yield Cell(i, j, c[i][j], came)


def lcs_table(a: Words, b: Words) -> list[list[int]]:
    """The lengths of the longest common subsequences of all beginnings of two sentences.

    >>> lcs_table("abc", "axc")[-1]
    [0, 1, 1, 2]
    """
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, j, value, _ in lcs_cells(a, b):
        table[i][j] = int(value)
    return table


def count_lcs(a: Words, b: Words) -> int:
    """How many different longest common subsequences there are, as sets of cells; 1, the empty set, for length 0.

    A set either uses the last cell (i, j), or leaves out the last row or the last column; those that leave out both
    are counted twice and subtracted once. Exact for any size; time and memory grow with the product of the lengths.

    >>> count_lcs("ab", "ba"), count_lcs("a", "b")
    (2, 1)
    """
    lengths, counts = [0] * (len(b) + 1), [1] * (len(b) + 1)
    for word in a:
        row_lengths, row_counts = [0], [1]
        for j, other in enumerate(b):
            corner, above, left = lengths[j], lengths[j + 1], row_lengths[j]
            best = max(above, left, corner + (word == other))
            count = 0
            if above == best:
                count += counts[j + 1]
            if left == best:
                count += row_counts[j]
            if corner == best:
                count -= counts[j]
            if word == other and corner + 1 == best:
                count += counts[j]
            row_lengths.append(best)
            row_counts.append(count)
        lengths, counts = row_lengths, row_counts
    return counts[-1]


def wlcs(x: Words, y: Words, weight: float) -> tuple[float, list[tuple[int, int]]]:
    """The weighted LCS of Lin and Och (2004), section 3.3, line by line, with f(k) = k^weight: c(m, n) and its path.

    x is the reference and y the candidate; the path has the cells (candidate, reference) of the matches that it goes
    through. The procedure takes every match, even where leaving it out would be worth more.

    >>> wlcs("abb", "ab", 2)
    (2.0, [(0, 0), (1, 2)])
    """
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    w = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    came = {}
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + ((k + 1) ** weight - k**weight)
                w[i][j] = k + 1
                came[i, j] = (i - 1, j - 1)
            elif c[i - 1][j] > c[i][j - 1]:
                c[i][j], came[i, j] = c[i - 1][j], (i - 1, j)
            else:
                c[i][j], came[i, j] = c[i][j - 1], (i, j - 1)
    path = []
    i, j = len(x), len(y)
    while i and j:
        before = came[i, j]
        if before == (i - 1, j - 1):
            path.append((j - 1, i - 1))
        i, j = before
    return c[-1][-1], path[::-1]


def wlcs_maximum(x: Words, y: Words, weight: float) -> float:
    """The largest sum of length^weight over the runs of a common subsequence, every run tried at every cell.

    >>> wlcs_maximum("abb", "ab", 2)
    4.0
    """
    d = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            d[i][j], length = max(d[i - 1][j], d[i][j - 1]), 0
            while length < min(i, j) and x[i - 1 - length] == y[j - 1 - length]:
                length += 1
                d[i][j] = max(d[i][j], d[i - length][j - length] + float(length**weight))
    return d[-1][-1]
