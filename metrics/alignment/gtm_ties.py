"""The ties of GTM: all equally large matchings of the exact solver, or all matchings that the greedy solver could find.

The greedy solver takes the longest free run, and the last one of several equally long runs. Another order of these runs
can lead to another matching, which need not be equally large. The exact solver's matchings are equally large before the
cap, GTM's limit on the number of matched words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice, product, zip_longest

from ..types import FirstFew, Hit, Result, Run, Segment, Ties
from ..types.work import Enough, Work, spend
from .bitext import grid
from .gtm_matching import (
    Path,
    bounds_by_candidate_position,
    cap_runs,
    conflict_groups,
    joint_count,
    long_runs,
    matching,
    options_by_position,
    runs_from_group,
    runs_of_path,
    word_cap,
)
from .matchings import Choice, Matchings, choose_longest_runs
from .ties import HITS_MOST, ROUNDING, differ_beyond_rounding, maximal_conflict_free_sets

#: The limits of the search for ties: the joints of runs, the steps, and the matchings that are listed one by one.
JOINTS_MOST = 4_000
WORK = 50_000
LISTED_MOST = 1_000


def tied_gtm_matchings(
    result: Result, exponent: float, exact: bool, most: int, draw: Callable[[list[Run]], Result]
) -> Ties:
    """Return the matchings that tie with that of the result; at most `most`, including it.

    `exact` says which solver found the result's matching, and `draw` builds the result of another one. For the exact
    solver the ties are all matchings that are equally large before the cap. For the greedy solver they are all that it
    could find if it took runs of equal length in another order; they need not be equally large. All are capped. Where
    several references are capped, any of the shortest runs that still count may be the ones that count. At e = 1 the
    exact solver has no reason to prefer runs, so any hits tie.
    """
    work = Work(WORK)
    segment = result.segment
    own_runs = [mark for mark in result.layers[0].marks if isinstance(mark, Run)]
    candidate, references = segment
    theirs = Counter(word for reference in references for word in reference)
    hits = sum([theirs[word] for word in candidate])
    if hits > HITS_MOST:
        return Ties(1, False, (result,), frozenset(), frozenset())
    spend(2 * hits)
    groups, complete = _group_choices(segment, exponent, exact, work)
    cap = word_cap(segment)
    matchings = Matchings(segment, groups, cap)
    complete = complete and matchings.exact
    if not matchings.cap_removes_singles_only:
        return _list_capped_ties(result, own_runs, matchings, cap, exponent, complete, most, draw)
    gains = [
        [sum(run.length**exponent - run.length for run in choice) for choice in options]
        for options in matchings.choices
    ]
    depends = differ_beyond_rounding([matchings.size + sum(map(min, gains)), matchings.size + sum(map(max, gains))])
    picks: Iterator[tuple[Choice, ...]] = product(*matchings.choices)
    if depends:  # the smallest and the largest matching come first
        extremes = [
            tuple([options[of.index(end(of))] for options, of in zip(matchings.choices, gains, strict=True)])
            for end in (min, max)
        ]
        picks = chain([next(picks)], extremes, (pick for pick in picks if pick not in extremes))
    always, sometimes = matchings.always_and_sometimes_cells()
    count = matchings.count()
    others = _other_matchings(own_runs, matchings, islice(picks, most + 2), cap)
    return Ties(count, complete, FirstFew(result, min(count, most), map(draw, others)), always, sometimes, depends)


def _other_matchings(
    own_runs: list[Run], matchings: Matchings, picks: Iterator[tuple[Choice, ...]], cap: float
) -> Iterator[list[Run]]:
    """Yield the capped matchings with the given choices of long runs, except `own_runs`.

    Each of `picks` has one set of long runs for each group of conflicting runs. The first matching of each pick comes
    first, then the second one of each, and so on.
    """
    own_cells = _run_cells(own_runs)
    turns = [matchings.matchings_with(pick) for pick in dict.fromkeys(picks)]
    for turn in zip_longest(*turns):
        for runs in turn:
            if runs and _run_cells(capped_runs := _merge_and_cap(runs, cap)) != own_cells:
                yield capped_runs


def count_largest_matchings(segment: Segment, exponent: float) -> int | None:
    """Return the number of matchings that are largest before the cap, or None if counting them would take too long.

    >>> count_largest_matchings(Segment(tuple("aa"), (tuple("ab"), tuple("a"))), 2.0)
    2
    """
    groups, complete = _group_choices(segment, exponent, True, Work(WORK))
    matchings = Matchings(segment, groups, math.inf)
    return matchings.count() if complete and matchings.exact else None


def _list_capped_ties(
    result: Result,
    own_runs: list[Run],
    matchings: Matchings,
    cap: float,
    exponent: float,
    complete: bool,
    most: int,
    draw: Callable[[list[Run]], Result],
) -> Ties:
    """Return the ties where the cap shortens long runs: every matching is capped, and duplicates are dropped.

    `own_runs` is the matching of the result, `complete` says whether `matchings` has all choices, and `most` is the
    largest number of listed matchings. If they differ in size, the first smallest and the first largest one come
    directly after that of the result, so that they are listed.
    """
    runs_by_cells = {_run_cells(own_runs): own_runs}
    capped_orders = (
        cap_runs(order, cap)
        for pick in product(*matchings.choices)
        for runs in matchings.matchings_with(pick)
        for order in choose_longest_runs(_merged_runs(runs), cap)
    )
    listed_orders = [*islice(capped_orders, LISTED_MOST + 1)]
    for runs in listed_orders[:LISTED_MOST]:
        spend(10 + 2 * len(runs))
        runs_by_cells.setdefault(_run_cells(runs), runs)
    listed, cells = [*runs_by_cells.values()], [*runs_by_cells]
    sizes = [math.fsum([run.length**exponent for run in runs]) ** (1 / exponent) for runs in listed]
    depends = differ_beyond_rounding(sizes)
    extremes = [sizes.index(min(sizes)), sizes.index(max(sizes))] if depends else []
    order = [*islice(dict.fromkeys([0, *extremes, *range(len(listed))]), most)]
    results = FirstFew(result, len(order), map(draw, [listed[t] for t in order[1:]]))
    always, complete = cells[0].intersection(*cells), complete and len(listed_orders) <= LISTED_MOST
    return Ties(len(listed), complete, results, always, cells[0].union(*cells) - always, depends)


def _merge_and_cap(runs: list[Run], cap: float) -> list[Run]:
    """Return the maximal runs of a matching, limited to `cap` words."""
    spend(10 + 2 * len(runs))
    return cap_runs(_merged_runs(runs), cap)


def _run_cells(runs: list[Run]) -> frozenset[Hit]:
    """Return the set of all cells of the runs."""
    return frozenset([cell for run in runs for cell in run.cells()])


def _merged_runs(runs: list[Run]) -> list[Run]:
    """Return the maximal runs of a matching, the longest first: runs that continue each other are merged."""
    ends: dict[tuple[float, int, float], Run] = {}
    spend(len(runs) // 2)
    for run in sorted(runs):
        before = ends.pop((run.i, run.k, run.j), None)
        joined = before._replace(length=before.length + run.length) if before else run
        ends[joined.i + joined.length, joined.k, joined.j + joined.length] = joined
    return sorted(ends.values(), key=lambda run: (-run.length, -run.i))


def _group_choices(segment: Segment, exponent: float, exact: bool, work: Work) -> tuple[list[list[Choice]], bool]:
    """Return, for each group of conflicting runs, the sets of long runs (two words or more) that the solver could take.

    The second value is whether these lists are complete; they are not if the work runs out. The solver's own set comes
    first in its group.
    """
    if exact and exponent == 1:
        return [], True
    offsets = grid(segment).offsets
    chosen = [run for run in matching(segment, exponent, exact) if run.length > 1]
    if joint_count(segment) > JOINTS_MOST:
        return [[tuple(chosen)]], False
    out, complete = [], True
    for group in sorted(conflict_groups(long_runs(segment), offsets), key=len):
        own_choice = tuple(sorted(runs_from_group(chosen, group)))
        if len(group) == 1:
            out.append([own_choice])
            continue
        distinct_choices: dict[Choice, None] = {own_choice: None}
        if exact:
            possible_choices = _largest_choices(group, own_choice, exponent, offsets, work)
        else:
            possible_choices = _greedy_choices(group, offsets, work)
        try:
            for choice in possible_choices:
                distinct_choices[tuple(sorted(choice))] = None
                work.spend(sum(int(run.length) for run in choice))
        except Enough:
            complete = False
        out.append([*distinct_choices])
    return out, complete


def _largest_choices(
    group: list[Run], own_choice: Choice, exponent: float, offsets: list[int], work: Work
) -> Iterator[list[Run]]:
    """Yield every set of sub-runs of a group that gains as much as `own_choice`, the set with the largest gain.

    A sub-run is a part of a run with two words or more. `offsets` has the first grid column of each reference. Raises
    Enough when the work runs out.
    """
    first, last = min(run.i for run in group), max(run.i + int(run.length) for run in group)
    work.spend(sum(int(run.length) ** 2 // 2 for run in group))
    gains = [length**exponent - length for length in range(last - first + 1)]
    least = math.fsum(gains[int(run.length)] for run in own_choice) * (1 - ROUNDING)
    options = options_by_position(group, offsets, gains, first, last)
    _, most = bounds_by_candidate_position(options, first, last)
    open_paths: list[tuple[int, int, float, Path | None]] = [(first, 0, 0.0, None)]
    while open_paths:
        i, used, gain, path = open_paths.pop()
        work.spend(1)
        if i == last:
            yield runs_of_path(path)
            continue
        if gain + most[i + 1] >= least:
            open_paths.append((i + 1, used, gain, path))
        for option in options[i]:
            end = i + option.length
            if not used & option.columns and gain + option.gain + most[end] >= least:
                open_paths.append((end, used | option.columns, gain + option.gain, (i, option, path)))


def _greedy_choices(group: list[Run], offsets: list[int], work: Work) -> Iterator[list[Run]]:
    """Yield every set of runs that greedy matching can take from a group of conflicting runs.

    Greedy matching takes as many as fit of the longest free runs, then continues with what remains. `offsets` has the
    first grid column of each reference. Raises Enough when the work runs out.
    """
    if not group:
        yield []
        return
    longest = max(run.length for run in group)
    first = [run for run in group if run.length == longest]
    work.spend(len(group) + len(first) ** 2 // 10)
    masks = [_row_and_column_masks(run, offsets) for run in first]
    conflicts = [
        sum(1 << t for t, (r, c) in enumerate(masks) if s != t and (rows & r or columns & c))
        for s, (rows, columns) in enumerate(masks)
    ]
    for chosen_set in maximal_conflict_free_sets(conflicts, work):
        spend(len(group))
        used_rows = used_columns = 0
        for t in chosen_set:
            used_rows |= masks[t][0]
            used_columns |= masks[t][1]
        rest = []
        for run in group:
            full = (1 << int(run.length)) - 1
            used = (used_rows >> run.i | used_columns >> offsets[run.k] + run.j) & full
            rest += [Run(run.i + start, run.k, run.j + start, size) for start, size in _bit_stretches(full & ~used)]
        for more in _greedy_choices(rest, offsets, work):
            yield [first[t] for t in chosen_set] + more


def _row_and_column_masks(run: Run, offsets: list[int]) -> tuple[int, int]:
    """Return the candidate words and the grid columns that a run uses, as two bit masks.

    `offsets` has the first grid column of each reference.
    """
    full = (1 << int(run.length)) - 1
    return full << run.i, full << offsets[run.k] + run.j


def _bit_stretches(free: int) -> list[tuple[int, int]]:
    """Return the stretches of at least two consecutive set bits of the bit mask `free`, as (start, size).

    They are what is left of a partly used run.
    """
    out = []
    while free:
        start = (free & -free).bit_length() - 1
        rest = free >> start
        size = (~rest & (rest + 1)).bit_length() - 1
        if size > 1:
            out.append((start, size))
        free &= ~(((1 << size) - 1) << start)
    return out
