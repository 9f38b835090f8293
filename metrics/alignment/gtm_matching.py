"""The matchings of GTM: sets of runs in which no word is used twice, found greedily or by an exact search.

A run of length l is worth l^e, e being the exponent, so that a matching is the larger the longer its runs are.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from ..types import Run, Segment, TooHard
from ..types.work import spend
from . import bitext
from .bitext import grid
from .runs import Found, Greedy


def greedy_matching(segment: Segment) -> list[Run]:
    """The authors' greedy matching: longest run first, remainders of runs included; before the cap.

    Ties: the later start in the candidate first, then the later start in the concatenated references, as in the
    authors' program. Sorted in the order in which the runs were taken.
    """
    rows, offsets, columns = grid(segment)
    words = Greedy(rows, columns)
    return _marks(words.found + words.singles(), offsets)


def _marks(column_runs: Found, offsets: list[int]) -> list[Run]:
    """Runs by the number of their reference and their place in it."""
    out = []
    for length, i, column in column_runs:
        k = bisect_right(offsets, column) - 1
        out.append(Run(i, k, column - offsets[k], length))
    return out


#: Steps after which the exact solver gives up, in less than a second. Real sentences of 100 words need a tenth of it.
WORK_LIMIT = 100_000

#: Neighbouring hits that it compares at the most. Real texts of 2,000 words and four references have some thousand.
JOINTS_MOST = 50_000


class Option(NamedTuple):
    """A sub-run that may be taken where the search stands: its length, place, columns and gain."""

    length: int
    k: int
    j: int
    columns: int
    gain: float


#: The sub-runs taken so far, the last one first: candidate position, sub-run, the ones before.
Path: TypeAlias = "tuple[int, Option, Path | None]"


def greedy_lengths(segment: Segment) -> list[float]:
    """The lengths of the runs of the greedy matching, in the same order."""
    rows, _, columns = grid(segment)
    words = Greedy(rows, columns)
    return [length for length, _, _ in words.found + words.singles()]


def exact_matching(segment: Segment, exponent: float) -> list[Run]:
    """A matching whose Σ length^e is the largest there is, to double precision; before the cap.

    Whatever runs a matching has, single hits can be added to it until every word type w is matched
    min(count in candidate, count in references) times. So a run of length l > 1 gains l^e − l over its single hits,
    the number of hits is the same in all matchings worth considering, and only runs of two and more are searched for.
    For e = 1 nothing is gained and the greedy matching, to which no hit can be added, is the largest.

    Ties: the greedy matching wherever none is larger, group of conflicting runs by group, so that the picture differs
    from the greedy one only where the size does. Else the one found first, reading the candidate from left to right:
    of equal ways to a position the one whose last run is the longest, then in the lower reference, at the lower place.

    The paper conjectures that the problem is NP-hard. Raises TooHard after WORK_LIMIT steps, never returns an unproved
    matching. The paper caps the matching that was found (§2.3), not the search: where several references are capped,
    the exact size can therefore be smaller than the greedy one.
    """
    greedy = greedy_matching(segment)
    if exponent == 1:
        return greedy
    rows, offsets, columns = grid(segment)
    work = WORK_LIMIT
    out: list[Run] = []
    if greedy and greedy[0].length == len(segment.candidate):  # no matching has more, nor longer runs
        return greedy
    joints = joint_count(segment)
    if joints > JOINTS_MOST:
        raise TooHard(
            f"the exact solver gives up: {joints:,} pairs of words follow each other on both sides, more than the "
            f"{JOINTS_MOST:,} that it can compare; choose the greedy solver"
        )
    spend(joints)
    for group in conflict_groups(long_runs(segment), offsets):
        greedy_runs = runs_from_group(greedy, group)
        best, work = _best_of_group(group, greedy_runs, exponent, offsets, work)
        out += best
    words = Greedy((), columns)
    words.rows = [*rows]
    for run in out:
        words.use(run.i, offsets[run.k] + run.j, int(run.length))
    out += _marks(words.singles(), offsets)
    return sorted(out, key=lambda run: (-run.length, -run.i, -run.k, -run.j))


def joint_count(segment: Segment) -> int:
    """How many hits have a next one on their diagonal, counted without looking at each: there can be millions.

    All maximal runs together have so many hits and one more for each run.

    >>> joint_count(Segment(("a", "b", "a"), (("a", "b"), ("b", "a"))))
    2
    """
    rows = grid(segment).rows
    return sum([(row & under >> 1).bit_count() for row, under in pairwise(rows)])


def long_runs(segment: Segment) -> list[Run]:
    """All maximal runs of two and more hits, by reference, then by where they end in candidate and reference."""
    rows, offsets, _ = grid(segment)
    triples = bitext.long_runs([*rows, 0])  # rows for columns: what is found is turned round
    runs = _marks([(-negative, i, column) for negative, column, i in triples], offsets)
    return sorted(runs, key=lambda run: (run.k, run.i + run.length, run.j + run.length))


def conflict_groups(runs: list[Run], offsets: list[int]) -> list[list[Run]]:
    """The runs in groups, such that runs of two groups share no word; each by reference and diagonal."""
    above = [*range(len(runs))]  # a run of the same group, itself for the first

    def first(number: int) -> int:
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    # Runs that overlap in the candidate come after each other where they begin, and so do those in the references.
    for start in ([run.i for run in runs], [offsets[run.k] + run.j for run in runs]):
        last, end = 0, 0.0
        for number in sorted(range(len(runs)), key=start.__getitem__):
            if start[number] < end:
                above[first(number)] = first(last)
            last, end = number, max(end, start[number] + runs[number].length)
    groups: dict[int, list[Run]] = {}
    for number, run in enumerate(runs):
        groups.setdefault(first(number), []).append(run)
    return [sorted(members, key=lambda run: (run.k, run.j - run.i)) for members in groups.values()]


def runs_from_group(matching: list[Run], group: list[Run]) -> list[Run]:
    """The runs of two and more hits that a matching takes from a group of conflicting runs."""
    rows = 0
    for run in group:
        rows |= (1 << int(run.length)) - 1 << run.i
    return [run for run in matching if run.length > 1 and rows >> run.i & 1]


def _density_bound(group: list[Run], gains: list[float]) -> float:
    """An upper bound of what a group gains: every candidate word gets its share of the longest run through it.

    The gain per word, l^(e−1) − 1, rises with the length, so that no part of a run gives a word a larger share.
    """
    first = min(run.i for run in group)
    longest = [0] * (max(run.i + int(run.length) for run in group) - first)
    for run in sorted(group, key=lambda run: run.length):
        length = int(run.length)
        longest[run.i - first : run.i - first + length] = [length] * length
    return math.fsum([gains[length] / length for length in longest if length])


def options_at(
    group: list[Run], offsets: list[int], gains: list[float], first: int, last: int
) -> dict[int, list[Option]]:
    """For each candidate position the sub-runs that start there, with those of their columns that several runs want."""
    wanted_columns = several = 0
    for run in group:
        columns = (1 << int(run.length)) - 1 << offsets[run.k] + run.j
        several |= wanted_columns & columns
        wanted_columns |= columns
    options: dict[int, list[Option]] = {i: [] for i in range(first, last)}
    for run in group:
        for start in range(int(run.length) - 1):
            for length in range(2, int(run.length) - start + 1):
                columns = (1 << length) - 1 << offsets[run.k] + run.j + start & several
                options[run.i + start].append(Option(length, run.k, run.j + start, columns, gains[length]))
    return options


def _best_of_group(
    group: list[Run], greedy: list[Run], exponent: float, offsets: list[int], work: int
) -> tuple[list[Run], int]:
    """The sub-runs of a group that gain most, and the work that is left.

    Dynamic programming over the candidate's positions and the sets of used reference words, of which only those
    matter that several runs want and that a later position can still reach. A state is dropped when even the gain
    of all later positions, each reference word used as often as wanted, would not lift it above the greedy matching.
    """
    first, last = min(run.i for run in group), max(run.i + int(run.length) for run in group)
    gains = [length**exponent - length for length in range(last - first + 1)]
    # A margin for rounding, so that an equal sum in another order is not taken for a larger one.
    least = math.fsum(gains[int(run.length)] for run in greedy) * (1 + 1e-12)
    if _density_bound(group, gains) <= least:
        return greedy, work
    sub_runs = sum([int(run.length) ** 2 // 2 for run in group])
    work -= sub_runs
    if work < 0:
        raise _too_hard(group, first, last)
    spend(sub_runs)
    options = options_at(group, offsets, gains, first, last)
    reachable_columns, most = outlook(options, first, last)
    # position → used reference words → (gain, the path there)
    states: dict[int, dict[int, tuple[float, Path | None]]] = {i: {} for i in range(first, last + 1)}
    if most[first] > least:
        states[first][0] = (0.0, None)
    for i in range(first, last):
        spend(len(states[i]) * (1 + len(options[i])) // 2)
        for used, (gain, path) in states.pop(i).items():
            work -= 1 + len(options[i])
            if work < 0:
                raise _too_hard(group, first, last)
            if gain + most[i + 1] > least:
                _keep_better(states[i + 1], used & reachable_columns[i + 1], gain, path)
            for option in options[i]:
                end = i + option.length
                if not used & option.columns and gain + option.gain + most[end] > least:
                    used_then = (used | option.columns) & reachable_columns[end]
                    _keep_better(states[end], used_then, gain + option.gain, (i, option, path))
    if 0 not in states[last]:
        return greedy, work
    _, path = states[last][0]
    return taken_runs(path), work


def taken_runs(path: Path | None) -> list[Run]:
    """The sub-runs of a path, the last one first."""
    out = []
    while path:
        i, option, path = path
        out.append(Run(i, option.k, option.j, option.length))
    return out


def outlook(options: dict[int, list[Option]], first: int, last: int) -> tuple[dict[int, int], dict[int, float]]:
    """For each position the wanted reference words that it or a later one can reach, and a bound of what all gain."""
    reachable_columns, most = {last: 0}, {last: 0.0}
    for i in range(last - 1, first - 1, -1):
        reachable_columns[i] = reachable_columns[i + 1]
        most[i] = most[i + 1]
        for option in options[i]:
            reachable_columns[i] |= option.columns
            most[i] = max(most[i], option.gain + most[i + option.length])
    return reachable_columns, most


def _too_hard(group: list[Run], first: int, last: int) -> TooHard:
    return TooHard(
        f"the exact solver gives up on the {len(group)} conflicting runs between candidate words {first + 1} and "
        f"{last}: there are too many ways to combine them; choose the greedy solver"
    )


def _keep_better(states: dict[int, tuple[float, Path | None]], used: int, gain: float, path: Path | None) -> None:
    """Keep the better way to a state; the earlier one where both gain the same."""
    known_way = states.get(used)
    if known_way is None or gain > known_way[0]:
        states[used] = (gain, path)


def capped(runs: list[Run], cap: float) -> list[Run]:
    """The longest runs with at most `cap` hits in all; the run that crosses the cap is cut, perhaps to a fraction."""
    if sum([run.length for run in runs]) <= cap:
        return runs
    runs = sorted(runs, key=lambda run: -run.length)
    lengths = capped_lengths([run.length for run in runs], cap)
    return [r if r.length == length else r._replace(length=length) for r, length in zip(runs, lengths, strict=False)]


def capped_lengths(lengths: list[float], cap: float) -> list[float]:
    """What `capped` leaves of the lengths of runs, the longest first."""
    out = []
    for length in lengths:
        if cap <= 0:
            break
        out.append(min(length, cap))
        cap -= length
    return out


def matching(segment: Segment, exponent: float, exact: bool) -> list[Run]:
    """The largest matching if `exact`, else the greedy one; before the cap."""
    return exact_matching(segment, exponent) if exact else greedy_matching(segment)


def cap_of(segment: Segment) -> float:
    """How many words can be matched at the most where several references are capped."""
    candidate, references = segment
    return min(len(candidate), sum(map(len, references)) / len(references)) if len(references) > 1 else math.inf
