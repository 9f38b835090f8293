"""The matchings of GTM: sets of runs in which no word is used twice, found greedily or by an exact search.

A run of length l is worth l^e, where e is the exponent. So longer runs make a matching larger. With several references,
GTM limits the number of matched words to a cap after the matching is found.
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
from .runs import GreedyRuns, RunTriples


def greedy_matching(segment: Segment) -> list[Run]:
    """Return the matching of the authors' greedy algorithm, before the cap, with its runs in the order they were taken.

    The algorithm always takes the longest run, where what remains of a partly used run is a run as well. Ties are
    broken as in the authors' program: the later start in the candidate first, then the later start in the concatenated
    references.
    """
    rows, offsets, columns = grid(segment)
    words = GreedyRuns(rows, columns)
    return _as_runs(words.long_runs + words.take_single_cells(), offsets)


def _as_runs(column_runs: RunTriples, offsets: list[int]) -> list[Run]:
    """Return runs given as (length, row, grid column) as `Run` marks, with reference index and position.

    `offsets` has the first grid column of each reference.
    """
    out = []
    for length, i, column in column_runs:
        k = bisect_right(offsets, column) - 1
        out.append(Run(i, k, column - offsets[k], length))
    return out


#: The number of steps after which the exact solver gives up; they take less than a second. Real sentences of 100 words
#: need a tenth of them.
WORK_LIMIT = 100_000

#: The largest number of joints (pairs of neighbouring hits on a diagonal) that the exact solver accepts. Real texts of
#: 2,000 words and four references have a few thousand.
JOINTS_MOST = 50_000


class SubRunOption(NamedTuple):
    """A part of a run, of two or more words, that the exact search may take at the current candidate position.

    Attributes:
        length: the number of its words.
        k, j: its reference and its position there.
        columns: a bit mask of those grid columns that it uses and that other runs of its group use as well.
        gain: what it is worth beyond its single hits: length^e − length.
    """

    length: int
    k: int
    j: int
    columns: int
    gain: float


#: The sub-runs taken so far, as a linked list, the last one first: its candidate position, the sub-run, the rest.
Path: TypeAlias = "tuple[int, SubRunOption, Path | None]"


def greedy_lengths(segment: Segment) -> list[float]:
    """Return the lengths of the runs of the greedy matching, in the order of `greedy_matching`."""
    rows, _, columns = grid(segment)
    words = GreedyRuns(rows, columns)
    return [length for length, _, _ in words.long_runs + words.take_single_cells()]


def exact_matching(segment: Segment, exponent: float) -> list[Run]:
    """Return a matching whose Σ length^e is the largest possible, to double precision, before the cap.

    Single hits can be added to any set of runs until every word type w is matched min(count in candidate, count in
    references) times. So a run of length l > 1 gains l^e − l over its single hits, the number of hits is the same in
    all matchings worth considering, and only runs of two or more words need to be searched. For e = 1 nothing is
    gained, and the greedy matching, to which no hit can be added, is the largest.

    Ties: for each group of conflicting runs the greedy matching's runs are kept unless others are larger, so that the
    picture differs from the greedy one only where the size does. Else the first matching found counts, reading the
    candidate from left to right: of equally large ones up to a position, the one whose last run is the longest, then in
    the lower reference, then at the lower position.

    The paper conjectures that the problem is NP-hard. Raises TooHard after WORK_LIMIT steps, and never returns a
    matching that is not proved to be largest. The paper caps the matching that was found (§2.3), not the search. So
    where several references are capped, the exact size can be smaller than the greedy one.
    """
    greedy = greedy_matching(segment)
    if exponent == 1:
        return greedy
    rows, offsets, columns = grid(segment)
    work = WORK_LIMIT
    out: list[Run] = []
    if greedy and greedy[0].length == len(segment.candidate):  # one run of all words: nothing is larger
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
        best, work = _best_sub_runs(group, greedy_runs, exponent, offsets, work)
        out += best
    words = GreedyRuns((), columns)
    words.rows = [*rows]
    for run in out:
        words.mark_words_used(run.i, offsets[run.k] + run.j, int(run.length))
    out += _as_runs(words.take_single_cells(), offsets)
    return sorted(out, key=lambda run: (-run.length, -run.i, -run.k, -run.j))


def joint_count(segment: Segment) -> int:
    """Return the number of hits that are followed by another hit on their diagonal.

    It equals the number of hits in all maximal runs, minus the number of these runs. The hits are not counted one by
    one, because there can be millions.

    >>> joint_count(Segment(("a", "b", "a"), (("a", "b"), ("b", "a"))))
    2
    """
    rows = grid(segment).rows
    return sum([(row & under >> 1).bit_count() for row, under in pairwise(rows)])


def long_runs(segment: Segment) -> list[Run]:
    """Return all maximal runs of at least two hits, by reference, then by their ends in candidate and reference."""
    rows, offsets, _ = grid(segment)
    triples = bitext.long_runs([*rows, 0])  # given rows instead of columns, it returns (−length, column, row)
    runs = _as_runs([(-negative, i, column) for negative, column, i in triples], offsets)
    return sorted(runs, key=lambda run: (run.k, run.i + run.length, run.j + run.length))


def conflict_groups(runs: list[Run], offsets: list[int]) -> list[list[Run]]:
    """Return the runs in groups such that runs of different groups share no word.

    `offsets` has the first grid column of each reference. Each group is ordered by reference and diagonal.
    """
    above = [*range(len(runs))]  # union-find: the parent of each run, itself for the representative of a group

    def group_head(number: int) -> int:
        """Return the index of the run that represents the group of run `number`."""
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    # Sorted by their start, runs that overlap in the candidate follow each other; the same holds for the references.
    for start in ([run.i for run in runs], [offsets[run.k] + run.j for run in runs]):
        last, end = 0, 0.0
        for number in sorted(range(len(runs)), key=start.__getitem__):
            if start[number] < end:
                above[group_head(number)] = group_head(last)
            last, end = number, max(end, start[number] + runs[number].length)
    groups: dict[int, list[Run]] = {}
    for number, run in enumerate(runs):
        groups.setdefault(group_head(number), []).append(run)
    return [sorted(members, key=lambda run: (run.k, run.j - run.i)) for members in groups.values()]


def runs_from_group(matching: list[Run], group: list[Run]) -> list[Run]:
    """Return the runs of at least two hits that a matching takes from a group of conflicting runs.

    These are the matching's runs that use candidate words of the group.
    """
    rows = 0
    for run in group:
        rows |= (1 << int(run.length)) - 1 << run.i
    return [run for run in matching if run.length > 1 and rows >> run.i & 1]


def _group_gain_bound(group: list[Run], gains: list[float]) -> float:
    """Return an upper bound on the total gain of the runs that can be taken from a group of conflicting runs.

    `gains[l]` is the gain of a run of length l over its single hits. Each candidate word adds its part, gain divided by
    length, of the longest run through it. The bound holds because the gain per word, l^(e−1) − 1, grows with the
    length: a part of a run never gives a word more than the whole run does.
    """
    first = min(run.i for run in group)
    longest = [0] * (max(run.i + int(run.length) for run in group) - first)
    for run in sorted(group, key=lambda run: run.length):
        length = int(run.length)
        longest[run.i - first : run.i - first + length] = [length] * length
    return math.fsum([gains[length] / length for length in longest if length])


def options_by_position(
    group: list[Run], offsets: list[int], gains: list[float], first: int, last: int
) -> dict[int, list[SubRunOption]]:
    """Return, for each candidate position, the parts of runs that can be taken there.

    The positions go from `first` to `last` (exclusive). `group` are conflicting runs, `offsets` has the first grid
    column of each reference, and `gains[l]` is the gain of a run of length l over its single hits. The `columns` of an
    option only contain the columns that several runs of the group use.
    """
    wanted_columns = several = 0
    for run in group:
        columns = (1 << int(run.length)) - 1 << offsets[run.k] + run.j
        several |= wanted_columns & columns
        wanted_columns |= columns
    options: dict[int, list[SubRunOption]] = {i: [] for i in range(first, last)}
    for run in group:
        for start in range(int(run.length) - 1):
            for length in range(2, int(run.length) - start + 1):
                columns = (1 << length) - 1 << offsets[run.k] + run.j + start & several
                options[run.i + start].append(SubRunOption(length, run.k, run.j + start, columns, gains[length]))
    return options


def _best_sub_runs(
    group: list[Run], greedy: list[Run], exponent: float, offsets: list[int], work: int
) -> tuple[list[Run], int]:
    """Return the parts of a group's runs with the largest total gain, and the number of steps left of `work`.

    `greedy` are the runs that the greedy matching takes from the group; they are returned unless others gain more.
    Raises TooHard if the steps run out.

    This is dynamic programming over the candidate positions and the sets of used reference words. A set only
    contains words that several runs use and that a later position can still reach. A state is dropped if it would
    not exceed the greedy matching even with the gain of all later positions, computed as if reference words could be
    used repeatedly.
    """
    first, last = min(run.i for run in group), max(run.i + int(run.length) for run in group)
    gains = [length**exponent - length for length in range(last - first + 1)]
    # The margin for rounding prevents an equal sum, added in another order, from counting as larger.
    least = math.fsum(gains[int(run.length)] for run in greedy) * (1 + 1e-12)
    if _group_gain_bound(group, gains) <= least:
        return greedy, work
    sub_runs = sum([int(run.length) ** 2 // 2 for run in group])
    work -= sub_runs
    if work < 0:
        raise _too_hard_error(group, first, last)
    spend(sub_runs)
    options = options_by_position(group, offsets, gains, first, last)
    reachable_columns, most = bounds_by_candidate_position(options, first, last)
    # candidate position → used columns → (gain, path to this state)
    states: dict[int, dict[int, tuple[float, Path | None]]] = {i: {} for i in range(first, last + 1)}
    if most[first] > least:
        states[first][0] = (0.0, None)
    for i in range(first, last):
        spend(len(states[i]) * (1 + len(options[i])) // 2)
        for used, (gain, path) in states.pop(i).items():
            work -= 1 + len(options[i])
            if work < 0:
                raise _too_hard_error(group, first, last)
            if gain + most[i + 1] > least:
                _store_better_path(states[i + 1], used & reachable_columns[i + 1], gain, path)
            for option in options[i]:
                end = i + option.length
                if not used & option.columns and gain + option.gain + most[end] > least:
                    used_then = (used | option.columns) & reachable_columns[end]
                    _store_better_path(states[end], used_then, gain + option.gain, (i, option, path))
    if 0 not in states[last]:
        return greedy, work
    _, path = states[last][0]
    return runs_of_path(path), work


def runs_of_path(path: Path | None) -> list[Run]:
    """Return the runs that a search path has taken, the last one first.

    `path` is a linked list; None is the empty path.
    """
    out = []
    while path:
        i, option, path = path
        out.append(Run(i, option.k, option.j, option.length))
    return out


def bounds_by_candidate_position(
    options: dict[int, list[SubRunOption]], first: int, last: int
) -> tuple[dict[int, int], dict[int, float]]:
    """Return two bounds on what the search can still take, both by candidate position from `first` to `last`.

    The first is a bit mask of the contested grid columns that sub-runs from this position on can use. The second is an
    upper bound on the total gain of these sub-runs.
    """
    reachable_columns, most = {last: 0}, {last: 0.0}
    for i in range(last - 1, first - 1, -1):
        reachable_columns[i] = reachable_columns[i + 1]
        most[i] = most[i + 1]
        for option in options[i]:
            reachable_columns[i] |= option.columns
            most[i] = max(most[i], option.gain + most[i + option.length])
    return reachable_columns, most


def _too_hard_error(group: list[Run], first: int, last: int) -> TooHard:
    """Return the error that says which group of runs is too hard for the exact solver."""
    return TooHard(
        f"the exact solver gives up on the {len(group)} conflicting runs between candidate words {first + 1} and "
        f"{last}: there are too many ways to combine them; choose the greedy solver"
    )


def _store_better_path(states: dict[int, tuple[float, Path | None]], used: int, gain: float, path: Path | None) -> None:
    """Store the path to the state `used` if it gains more than the stored one. On ties the stored path stays.

    `used` is a bit mask of the used grid columns, and `gain` is the total gain of the path.
    """
    known_way = states.get(used)
    if known_way is None or gain > known_way[0]:
        states[used] = (gain, path)


def cap_runs(runs: list[Run], cap: float) -> list[Run]:
    """Return the longest runs with at most `cap` hits in total.

    The run that crosses the cap is shortened to what fits, which can be a fraction of a word, because the cap is a
    mean.
    """
    if sum([run.length for run in runs]) <= cap:
        return runs
    runs = sorted(runs, key=lambda run: -run.length)
    lengths = capped_lengths([run.length for run in runs], cap)
    return [r if r.length == length else r._replace(length=length) for r, length in zip(runs, lengths, strict=False)]


def capped_lengths(lengths: list[float], cap: float) -> list[float]:
    """Return the lengths that remain of runs when at most `cap` hits count in total.

    `lengths` must be sorted, the longest first. The length that crosses the cap is shortened to what fits.
    """
    out = []
    for length in lengths:
        if cap <= 0:
            break
        out.append(min(length, cap))
        cap -= length
    return out


def matching(segment: Segment, exponent: float, exact: bool) -> list[Run]:
    """Return the largest matching if `exact`, else the greedy one, before the cap."""
    return exact_matching(segment, exponent) if exact else greedy_matching(segment)


def word_cap(segment: Segment) -> float:
    """Return the largest number of words that may match: infinity for one reference.

    For several references it is the smaller of the candidate's length and the mean length of the references.
    """
    candidate, references = segment
    return min(len(candidate), sum(map(len, references)) / len(references)) if len(references) > 1 else math.inf
