"""Runs of equal words, by looking at every cell, and a matching by taking runs in a given order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import product


def all_runs(candidate: Sequence[Hashable], reference: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """All runs and all parts of runs as (length, i, j), by the cell in which they begin and then by length.

    >>> all_runs("ab", "xab")
    [(1, 0, 1), (2, 0, 1), (1, 1, 2)]
    """
    out = []
    for i, j in product(range(len(candidate)), range(len(reference))):
        length = 0
        while i + length < len(candidate) and j + length < len(reference):
            if candidate[i + length] != reference[j + length]:
                break
            length += 1
        out += [(part, i, j) for part in range(1, length + 1)]
    return out


def disjoint_runs(ordered: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Runs (length, i, j) taken in the order given, each unless one of its words is taken, as (i, j, length).

    >>> disjoint_runs([(2, 0, 1), (1, 1, 2), (1, 2, 0)])
    [(0, 1, 2), (2, 0, 1)]
    """
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
