"""Compute the matchings of Turian, Shen and Melamed (2003), section 2: greedy, largest, and capped (§2.3)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from ...types.work import spend

#: A run as (i, k, j, length).
Run = tuple[int, int, int, float]


def all_runs(candidate: Sequence[Hashable], reference: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Return all runs and all parts of runs as (length, i, j), by the cell in which they begin and then by length.

    >>> all_runs("ab", "xab")
    [(1, 0, 1), (2, 0, 1), (1, 1, 2)]
    """
    places: dict[Hashable, list[int]] = {}
    for j, word in enumerate(reference):
        places.setdefault(word, []).append(j)
    out = []
    for i, word in enumerate(candidate):
        for j in places.get(word, ()):
            length = 1
            while i + length < len(candidate) and j + length < len(reference):
                if candidate[i + length] != reference[j + length]:
                    break
                length += 1
            spend(length)
            out += [(part, i, j) for part in range(1, length + 1)]
    return out


def disjoint_runs(ordered: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the runs that are free when their turn comes, as (i, j, length).

    `ordered` has runs as (length, i, j) in the order in which they are tried; a run is taken unless one of its words is
    used.

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


def runs_in_turn(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> list[tuple[int, int, int]]:
    """Return all runs and parts of runs as (length, i, column), the longest first, then the later starts.

    Columns count through the references side by side; a run does not cross from one reference into the next.

    >>> runs_in_turn("ab", ["b", "ab"])
    [(2, 0, 1), (1, 1, 2), (1, 1, 0), (1, 0, 1)]
    """
    starts = offsets(references)
    return sorted(
        [
            (length, i, starts[k] + j)
            for k, reference in enumerate(references)
            for length, i, j in all_runs(candidate, reference)
        ],
        reverse=True,
    )


def offsets(references: Sequence[Sequence[Hashable]]) -> list[int]:
    """Return the column at which each reference begins if they are placed side by side.

    >>> offsets(["ab", "", "c"])
    [0, 2, 2]
    """
    return [sum(map(len, references[:k])) for k in range(len(references))]


def placed(run: tuple[int, int, int], starts: Sequence[int], lengths: Sequence[int]) -> Run:
    """Return a run (length, i, column) as (i, k, j, length), with its reference and its position in that reference.

    >>> placed((1, 0, 2), [0, 2, 2], [2, 0, 1])
    (0, 2, 0, 1)
    """
    length, i, column = run
    k = next(k for k, start in enumerate(starts) if start <= column < start + lengths[k])
    return i, k, column - starts[k], length


def greedy_tries(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> Iterator[tuple[Run, bool]]:
    """Yield all runs and parts of runs in the order in which they are tried, each with whether it is taken.

    A run is taken if no word of it is used.

    >>> [*greedy_tries("ab", ["b", "ab"])]
    [((0, 1, 0, 2), True), ((1, 1, 1, 1), False), ((1, 0, 0, 1), False), ((0, 1, 0, 1), False)]
    """
    starts, lengths = offsets(references), [*map(len, references)]
    used_rows = used_columns = 0  # bit sets of words
    for length, i, column in runs_in_turn(candidate, references):
        spend(2)
        rows, columns = (1 << length) - 1 << i, (1 << length) - 1 << column
        free = not used_rows & rows and not used_columns & columns
        if free:
            used_rows |= rows
            used_columns |= columns
        yield placed((length, i, column), starts, lengths), free


def greedy_matching(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> list[Run]:
    """Return the runs that the greedy choice takes: the longest first, each unless a word of it is used.

    Of equally long runs the later start in the candidate comes first, then the later start in the references side by
    side.

    >>> greedy_matching("abxc", ["cab"])
    [(0, 0, 1, 2), (3, 0, 0, 1)]
    """
    return [run for run, was_taken in greedy_tries(candidate, references) if was_taken]


def largest_matching(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], exponent: float) -> float:
    """Return the largest Σ length^exponent over all matchings, by trying every place for every candidate word in turn.

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
    """Return the longest runs, one after the other, as long as some of the cap is left; the last may be cut.

    >>> capped([(0, 0, 0, 1), (1, 0, 1, 2)], Fraction(5, 2))
    [(1, 0, 1, 2.0), (0, 0, 0, 0.5)]
    """
    out: list[Run] = []
    for i, k, j, length in sorted(runs, key=lambda run: run[3], reverse=True):
        kept_length = min(Fraction(length), cap)
        if kept_length:
            out.append((i, k, j, float(kept_length)))
        cap -= kept_length
    return out
