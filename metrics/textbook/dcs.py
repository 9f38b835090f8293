"""Table 1 of Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple


class Table1(NamedTuple):
    """The four scores of the program and its blocks as (candidate, reference, length)."""

    cs0: float
    cs1: float
    cs2: float
    dcs: float
    blocks: list[tuple[int, int, int]]


def dcs_table1(x: Sequence[Hashable], y: Sequence[Hashable]) -> Table1:
    """The program in Python 3, with x the reference and y the candidate, function by function.

    As printed it runs on no Python: it adds a token to a list, divides a list by a number, and its names for the
    loop's variables hide the sentences. Nothing else is changed.

    >>> dcs_table1("abc", "abxc").blocks
    [(0, 0, 2), (3, 2, 1)]
    """
    if not x or not y:
        return Table1(0.0, 0.0, 0.0, 0.0, [])
    first = _table(len(x), len(y))
    cells = _prod(len(x), len(y))
    for i, j in cells:
        if x[i - 1] == y[j - 1]:
            first[i][j], first[i - 1][j - 1] = [*first[i - 1][j - 1], x[i - 1]], []
    strings = [(first[i][j], (i, j)) for i, j in cells if first[i][j]]
    # nosub
    good = []
    xm, ym = [1 for _ in x], [1 for _ in y]
    xp, yp = [0 for _ in x], [0 for _ in y]
    strings.sort(key=lambda s: -len(s[0]))
    for string, (i, j) in strings:
        length = len(string)
        if sum(xm[i - length : i]) and sum(ym[j - length : j]):
            xm[i - length : i], ym[j - length : j] = xp[i - length : i], yp[j - length : j]
            good.append((i, j, length))
    # rank
    x_rank = {block: r for r, block in enumerate(sorted(good, key=lambda b: b[0]), 1)}
    y_rank = {block: r for r, block in enumerate(sorted(good, key=lambda b: b[1]), 1)}
    # the second matching
    second = _table(len(good), len(good))
    ranks = _prod(len(good), len(good))
    for block in good:
        second[x_rank[block]][y_rank[block]] = [block[2]]
    for i, j in ranks:
        if second[i][j]:
            second[i][j], second[i - 1][j - 1] = second[i - 1][j - 1] + second[i][j], []
    # score
    chains = [second[i][j] for i, j in ranks if second[i][j]]
    side = (len(x) * len(y)) ** 0.5
    s0 = max([0] + [sum(chain) for chain in chains])
    s1 = sum(length**2 for chain in chains for length in chain)
    s2 = sum(chain[t] * chain[t + 1] for chain in chains for t in range(len(chain) - 1))
    blocks = sorted((j - length, i - length, length) for i, j, length in good)
    return Table1(s0 / side, s1**0.5 / side, s2**0.5 / side, (s1 + s2) ** 0.5 / side, blocks)


def _table(lx: int, ly: int) -> list[list[list[Any]]]:
    return [[[] for _ in range(ly + 1)] for _ in range(lx + 1)]


def _prod(lx: int, ly: int) -> list[tuple[int, int]]:
    return [(i, j) for j in range(1, ly + 1) for i in range(1, lx + 1)]
