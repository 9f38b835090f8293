"""Compute longest common subsequences, plain and weighted, by filling whole tables.

The functions are simple and slow; the program's steps show these tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ...teach.steps import TableCell
from ...types.work import spend

Words = Sequence[Hashable]


def lcs_cells(a: Words, b: Words) -> Iterator[TableCell]:
    """Yield the cells of the table of the longest common subsequence, row by row.

    Cell c(i, j) is the LCS length of the first i words of `a` and the first j of `b`. A match adds 1 to the cell above
    and to the left; otherwise the larger neighbour is copied. A cell came from every neighbour that explains its value:
    the one above, the one on the left, the diagonal one, in this order.

    >>> [(cell.value, cell.came) for cell in lcs_cells("x", "ax")]
    [(0, ((0, 1), (1, 0))), (1, ((0, 1),))]
    """
    c = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, word in enumerate(a, 1):
        for j, other in enumerate(b, 1):
            c[i][j] = c[i - 1][j - 1] + 1 if word == other else max(c[i - 1][j], c[i][j - 1])
            came = [at for at in ((i - 1, j), (i, j - 1)) if c[at[0]][at[1]] == c[i][j]]
            yield TableCell(i, j, c[i][j], (*came, (i - 1, j - 1)) if word == other else tuple(came))


def lcs_table(a: Words, b: Words) -> list[list[int]]:
    """Return the table of LCS lengths: row i, column j is for the first i words of `a` and the first j of `b`.

    >>> lcs_table("abc", "axc")[-1]
    [0, 1, 1, 2]
    """
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, j, value, _ in lcs_cells(a, b):
        table[i][j] = int(value)
    return table


def count_lcs(a: Words, b: Words) -> int:
    """Return how many different longest common subsequences two sentences have, as sets of cells.

    For length 0 it is 1, the empty set. A set either uses the last cell (i, j), or leaves out the last row or the last
    column; sets that leave out both are counted twice and subtracted once. The count is exact for any size; time and
    memory grow with the product of the lengths.

    >>> count_lcs("ab", "ba"), count_lcs("a", "b")
    (2, 1)
    """
    lengths, counts = [0] * (len(b) + 1), [1] * (len(b) + 1)
    for word in a:
        row_lengths, row_counts = [0], [1]
        for j, other in enumerate(b):
            corner, above, left_length = lengths[j], lengths[j + 1], row_lengths[j]
            best = max(above, left_length, corner + (word == other))
            count = 0
            if above == best:
                count += counts[j + 1]
            if left_length == best:
                count += row_counts[j]
            if corner == best:
                count -= counts[j]
            if word == other and corner + 1 == best:
                count += counts[j]
            row_lengths.append(best)
            row_counts.append(count)
        lengths, counts = row_lengths, row_counts
    return counts[-1]


def wlcs_cells(x: Words, y: Words, weight: float) -> Iterator[tuple[TableCell, TableCell]]:
    """Yield the cells of the tables c and w of Lin and Och (2004), section 3.3, line by line, with f(k) = k^weight.

    c(i, j) is the weighted LCS of the first i words of `x` and j of `y` as far as the procedure finds it, and w(i, j)
    the number of consecutive matches that end there. The procedure takes every match, even if leaving it out would be
    worth more.

    >>> [(c.value, w.value) for c, w in wlcs_cells("ab", "ab", 2)]
    [(1.0, 1), (1.0, 0), (1.0, 0), (4.0, 2)]
    """
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    w = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            spend(5)
            if x[i - 1] == y[j - 1]:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (float((k + 1) ** weight) - float(k**weight))
                w[i][j] = k + 1
                came = (i - 1, j - 1)
            elif c[i - 1][j] > c[i][j - 1]:
                c[i][j], came = c[i - 1][j], (i - 1, j)
            else:
                c[i][j], came = c[i][j - 1], (i, j - 1)
            yield TableCell(i, j, c[i][j], (came,)), TableCell(i, j, w[i][j], (came,) if w[i][j] else ())


def wlcs(x: Words, y: Words, weight: float) -> tuple[float, list[tuple[int, int]]]:
    """Return the WLCS that the procedure of Lin and Och finds, and the cells (j, i) of the matches that make it.

    `x` is the reference and `y` the candidate. A run of k words counts k^weight. The procedure can miss the maximum:

    >>> wlcs("abb", "ab", 2)
    (2.0, [(0, 0), (1, 2)])
    """
    c = {(cell.row, cell.column): cell for cell, _ in wlcs_cells(x, y, weight)}
    path = []
    i, j = len(x), len(y)
    value = c[i, j].value if c else 0.0
    while i and j:
        (before,) = c[i, j].came
        if before == (i - 1, j - 1):
            path.append((j - 1, i - 1))
        i, j = before
    return value, path[::-1]


def wlcs_maximum_cells(x: Words, y: Words, weight: float) -> Iterator[TableCell]:
    """Yield the cells of the table of the largest weighted LCS, in which a run of k words counts k^weight.

    Every run is tried at every cell. A cell came from where its best run begins, of equal ones the longest, or from the
    larger neighbour, the one above first; a run is preferred to neighbours only if it is worth more.

    >>> [(cell.value, cell.came) for cell in wlcs_maximum_cells("ab", "ab", 2)]
    [(1.0, ((0, 0),)), (1.0, ((1, 1),)), (1.0, ((1, 1),)), (4.0, ((0, 0),))]
    """
    d = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            d[i][j], came = (d[i - 1][j], (i - 1, j)) if d[i - 1][j] >= d[i][j - 1] else (d[i][j - 1], (i, j - 1))
            longest = common_suffix_length(x[:i], y[:j])
            spend(1 + (i + j) // 50 + longest)
            for length in range(longest, 0, -1):
                value = d[i - length][j - length] + float(length**weight)
                if value > d[i][j]:
                    d[i][j], came = value, (i - length, j - length)
            yield TableCell(i, j, d[i][j], (came,))


def common_suffix_length(x: Words, y: Words) -> int:
    """Return the length of the common suffix of two sentences, in words.

    >>> common_suffix_length("abc", "xbc")
    2
    """
    length = 0
    while length < min(len(x), len(y)) and x[-1 - length] == y[-1 - length]:
        length += 1
    return length


def wlcs_maximum(x: Words, y: Words, weight: float) -> float:
    """Return the largest weighted LCS of two sentences, in which a run of k words counts k^weight.

    >>> wlcs_maximum("abb", "ab", 2)
    4.0
    """
    return next((cell.value for cell in reversed([*wlcs_maximum_cells(x, y, weight)])), 0.0)
