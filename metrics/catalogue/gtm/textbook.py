"""Compute the greedy, the largest and the capped matching as Turian, Shen and Melamed (2003), section 2, define them.

The functions are slow and simple; the fast ones are tested against them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from ...types.work import spend

#: A run as (i, k, j, length).
Run = tuple[int, int, int, float]


def all_runs(candidate: Sequence[Hashable], reference: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Return all runs as (length, i, j), counting every part of a longer run as a run of its own.

    The run starts at candidate word `i` and reference word `j`. Runs are ordered by their first cell, then by length.

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
    """Return the runs that share no word with a run taken before, as (i, j, length).

    `ordered` has runs as (length, i, j) in the order in which they are tried.

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


def runs_in_greedy_order(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]
) -> list[tuple[int, int, int]]:
    """Return all runs and parts of runs as (length, i, column) in the order of the greedy choice.

    The longest come first, and of equally long runs those that start later. `column` is the position in all references
    placed one after the other; a run does not cross from one reference into the next.

    >>> runs_in_greedy_order("ab", ["b", "ab"])
    [(2, 0, 1), (1, 1, 2), (1, 1, 0), (1, 0, 1)]
    """
    starts = reference_start_columns(references)
    return sorted(
        [
            (length, i, starts[k] + j)
            for k, reference in enumerate(references)
            for length, i, j in all_runs(candidate, reference)
        ],
        reverse=True,
    )


def reference_start_columns(references: Sequence[Sequence[Hashable]]) -> list[int]:
    """Return the column at which each reference begins if the references are placed one after the other.

    >>> reference_start_columns(["ab", "", "c"])
    [0, 2, 2]
    """
    return [sum(map(len, references[:k])) for k in range(len(references))]


def run_in_reference(run: tuple[int, int, int], starts: Sequence[int], lengths: Sequence[int]) -> Run:
    """Return a run (length, i, column) as (i, k, j, length): with its reference `k` and its position `j` in it.

    `starts` and `lengths` are the first column and the number of words of each reference.

    >>> run_in_reference((1, 0, 2), [0, 2, 2], [2, 0, 1])
    (0, 2, 0, 1)
    """
    length, i, column = run
    k = next(k for k, start in enumerate(starts) if start <= column < start + lengths[k])
    return i, k, column - starts[k], length


def greedy_tries(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> Iterator[tuple[Run, bool]]:
    """Yield all runs and parts of runs in the order of the greedy choice, each with whether it is taken.

    A run is (i, k, j, length). It is taken if no run taken before uses one of its words.

    >>> [*greedy_tries("ab", ["b", "ab"])]
    [((0, 1, 0, 2), True), ((1, 1, 1, 1), False), ((1, 0, 0, 1), False), ((0, 1, 0, 1), False)]
    """
    starts, lengths = reference_start_columns(references), [*map(len, references)]
    used_rows = used_columns = 0  # bit sets of words
    for length, i, column in runs_in_greedy_order(candidate, references):
        spend(2)
        rows, columns = (1 << length) - 1 << i, (1 << length) - 1 << column
        free = not used_rows & rows and not used_columns & columns
        if free:
            used_rows |= rows
            used_columns |= columns
        yield run_in_reference((length, i, column), starts, lengths), free


def greedy_matching(candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> list[Run]:
    """Return the runs (i, k, j, length) that the greedy choice takes: the longest first, if all their words are unused.

    Of equally long runs the later start in the candidate comes first, then the later start in the references, which are
    placed one after the other.

    >>> greedy_matching("abxc", ["cab"])
    [(0, 0, 1, 2), (3, 0, 0, 1)]
    """
    return [run for run, was_taken in greedy_tries(candidate, references) if was_taken]


def largest_matching_sum(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], exponent: float
) -> float:
    """Return the largest sum of length^exponent that a matching can have, by trying all matchings.

    >>> largest_matching_sum("ab", ["ab"], 2), largest_matching_sum("ab", ["ba"], 2)
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


def runs_cut_to_cap(runs: Iterable[Run], cap: Fraction) -> list[Run]:
    """Return the longest runs whose lengths add up to `cap`, the last one cut to fit; runs are (i, k, j, length).

    >>> runs_cut_to_cap([(0, 0, 0, 1), (1, 0, 1, 2)], Fraction(5, 2))
    [(1, 0, 1, 2.0), (0, 0, 0, 0.5)]
    """
    out: list[Run] = []
    for i, k, j, length in sorted(runs, key=lambda run: run[3], reverse=True):
        kept_length = min(Fraction(length), cap)
        if kept_length:
            out.append((i, k, j, float(kept_length)))
        cap -= kept_length
    return out
