"""Slow, obvious programs that follow the papers to the letter: the tests hold the fast ones against them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple


class Table1(NamedTuple):
    """The four scores of Ding, Utiyama and Sumita's program and its blocks as (candidate, reference, length)."""

    cs0: float
    cs1: float
    cs2: float
    dcs: float
    blocks: list[tuple[int, int, int]]


def table(lx: int, ly: int) -> list[list[list]]:
    return [[[] for _ in range(ly + 1)] for _ in range(lx + 1)]


def prod(lx: int, ly: int) -> list[tuple[int, int]]:
    return [(i, j) for j in range(1, ly + 1) for i in range(1, lx + 1)]


def dcs_table1(x: Sequence[str], y: Sequence[str]) -> Table1:
    """Table 1 in Python 3, with x the reference and y the candidate, function by function.

    As printed it runs on no Python: it adds a token to a list, divides a list by a number, and its names for the
    loop's variables hide the sentences. Nothing else is changed.
    """
    if not x or not y:
        return Table1(0.0, 0.0, 0.0, 0.0, [])
    first: list[list[list[str]]] = table(len(x), len(y))
    cells = prod(len(x), len(y))
    for i, j in cells:
        if x[i - 1] == y[j - 1]:
            first[i][j], first[i - 1][j - 1] = first[i - 1][j - 1] + [x[i - 1]], []
    strings = list(filter(lambda s: s[0], [[first[i][j], [i, j]] for i, j in cells]))
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
    second: list[list[list[int]]] = table(len(good), len(good))
    ranks = prod(len(good), len(good))
    for block in good:
        second[x_rank[block]][y_rank[block]] = [block[2]]
    for i, j in ranks:
        if second[i][j]:
            second[i][j], second[i - 1][j - 1] = second[i - 1][j - 1] + second[i][j], []
    # score
    chains = list(filter(lambda chain: chain, [second[i][j] for i, j in ranks]))
    side = (len(x) * len(y)) ** 0.5
    s0 = max([0] + [sum(chain) for chain in chains])
    s1 = sum(length**2 for chain in chains for length in chain)
    s2 = sum(chain[t] * chain[t + 1] for chain in chains for t in range(len(chain) - 1))
    blocks = sorted((j - length, i - length, length) for i, j, length in good)
    return Table1(s0 / side, s1**0.5 / side, s2**0.5 / side, (s1 + s2) ** 0.5 / side, blocks)


def all_runs(candidate: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int, int]]:
    """All runs and all parts of runs as (length, i, j)."""
    out = []
    for i, j in product(range(len(candidate)), range(len(reference))):
        length = 0
        while i + length < len(candidate) and j + length < len(reference):
            if candidate[i + length] != reference[j + length]:
                break
            length += 1
        out += [(part, i, j) for part in range(1, length + 1)]
    return out


def disjoint_runs(ordered: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Runs taken in the order given, each unless one of its words is taken, as (i, j, length)."""
    rows: set[int] = set()
    columns: set[int] = set()
    out = []
    for length, i, j in ordered:
        run_rows, run_columns = set(range(i, i + length)), set(range(j, j + length))
        if not rows & run_rows and not columns & run_columns:
            rows |= run_rows
            columns |= run_columns
            out.append((i, j, length))
    return out


def largest_matching(candidate: Sequence[str], references: Sequence[Sequence[str]], exponent: float) -> float:
    """The largest Σ length^exponent over all matchings, by trying every place for every candidate word in turn."""

    @lru_cache(None)
    def best(i: int, used: frozenset[tuple[int, int]], last: tuple[int, int] | None, length: int) -> float:
        closed = float(length) ** exponent if length else 0.0
        if i == len(candidate):
            return closed
        out = closed + best(i + 1, used, None, 0)
        for k, reference in enumerate(references):
            for j, word in enumerate(reference):
                if word == candidate[i] and (k, j) not in used:
                    if last == (k, j - 1):
                        value = best(i + 1, used | {(k, j)}, (k, j), length + 1)
                    else:
                        value = closed + best(i + 1, used | {(k, j)}, (k, j), 1)
                    out = max(out, value)
        return out

    return best(0, frozenset(), None, 0)


def sia_round(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """The best chain of one round of SIA, not divided by n: every hit looks back at every earlier hit."""
    best: dict[tuple[int, int], float] = {}
    for i, word in enumerate(candidate, 1):
        for j, other in enumerate(reference, 1):
            if word == other:
                value = 1 / math.sqrt(i * j)
                for (n, p), before in best.items():
                    if n < i and p < j:
                        value = max(value, before + 1 / math.sqrt((i - n) * (j - p)))
                best[i, j] = value
    return max(best.values(), default=0.0)


def count_lcs(a: Sequence[str], b: Sequence[str]) -> int:
    """How many different longest common subsequences there are, as sets of cells; 1, the empty set, for length 0.

    A set either uses the last cell (i, j), or leaves out the last row or the last column; those that leave out both
    are counted twice and subtracted once. Exact for any size; time and memory grow with the product of the lengths.
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
