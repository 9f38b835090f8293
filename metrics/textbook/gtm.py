"""The matchings of Turian, Shen and Melamed (2003), section 2: greedy, largest, and capped (§2.3)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from .runs import all_runs

#: A run as (i, k, j, length).
Run = tuple[int, int, int, float]


def greedy_matching(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> list[Run]:
    """All runs and parts of runs, the longest first, each taken unless a word of it is taken.

    Of equally long ones the later start in the candidate comes first, then the later start in the references side by
    side.

    >>> greedy_matching("abxc", ["cab"])
    [(0, 0, 1, 2), (3, 0, 0, 1)]
    """
    starts = [sum(map(len, references[:k])) for k in range(len(references))]
    runs = [
        (length, i, starts[k] + j, k, j)
        for k, reference in enumerate(references)
        for length, i, j in all_runs(candidate, reference)
    ]
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    out: list[Run] = []
    for length, i, column, k, j in sorted(runs, reverse=True):
        rows, columns = set(range(i, i + length)), set(range(column, column + length))
        if not used_rows & rows and not used_columns & columns:
            used_rows |= rows
            used_columns |= columns
            out.append((i, k, j, length))
    return out


def largest_matching(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], exponent: float) -> float:
    """The largest Σ length^exponent over all matchings, by trying every place for every candidate word in turn.

    >>> largest_matching("ab", ["ab"], 2), largest_matching("ab", ["ba"], 2)
    (4.0, 2.0)
    """

    @cache
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


def capped(runs: Iterable[Run], cap: Fraction) -> list[Run]:
    """The longest runs one after the other while some of the cap, an exact fraction, is left.

    >>> capped([(0, 0, 0, 1), (1, 0, 1, 2)], Fraction(5, 2))
    [(1, 0, 1, 2.0), (0, 0, 0, 0.5)]
    """
    out: list[Run] = []
    for i, k, j, length in sorted(runs, key=lambda run: run[3], reverse=True):
        kept = min(Fraction(length), cap)
        if kept:
            out.append((i, k, j, float(kept)))
        cap -= kept
    return out
