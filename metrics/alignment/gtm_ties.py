"""The ties of GTM: for the exact solver all matchings that are as large, for the greedy one all that it could find.

The greedy solver takes the longest free run, and of several equally long ones the last. Another order among those can
lead to another matching, which need not be as large. The exact solver's matchings are equally large before the cap.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, product, zip_longest

from ..types import Hit, Run, Segment
from ..types.work import Enough, Work, spend
from .bitext import grid
from .gtm_matching import (
    Path,
    cap_of,
    capped,
    conflict_groups,
    joint_count,
    long_runs,
    matching,
    options_at,
    outlook,
    runs_from_group,
    taken_runs,
)
from .matchings import Choice, Matchings, orders
from .ties import HITS_MOST, ROUNDING, Tied, differ, listed, maximal_sets

#: The search for ties looks at no more joints of runs, takes no more steps, and lists no more matchings one by one.
JOINTS_MOST = 4_000
WORK = 50_000
LISTED_MOST = 1_000


def tied(segment: Segment, own_runs: list[Run], exponent: float, exact: bool, most: int) -> Tied[list[Run]]:
    """The matchings that are as good as `own_runs`, at most `most` with it: for the exact solver all that are as large,
    before the cap; for the greedy one all that it could find if runs of the same length were taken in another order,
    which need not be equally large. All are capped. Where several references are capped, the shortest runs that still
    count are any of their length. At e = 1 the exact solver has no reason to take runs, and any hits are as good.
    """
    work = Work(WORK)
    candidate, references = segment
    theirs = Counter(word for reference in references for word in reference)
    hits = sum([theirs[word] for word in candidate])
    if hits > HITS_MOST:
        return Tied(1, False, 1, iter(()), frozenset(), frozenset(), False)
    spend(2 * hits)
    groups, complete = _choices(segment, exponent, exact, work)
    cap = cap_of(segment)
    matchings = Matchings(segment, groups, cap)
    complete = complete and matchings.exact
    if not matchings.whole:
        return _one_by_one(own_runs, matchings, cap, exponent, complete, most)
    gains = [[sum(_gain(run, exponent) for run in choice) for choice in options] for options in matchings.choices]
    depends = differ([matchings.size + sum(map(min, gains)), matchings.size + sum(map(max, gains))])
    picks: Iterator[tuple[Choice, ...]] = product(*matchings.choices)
    if depends:  # the smallest and the largest matching come first
        extremes = [
            tuple([options[of.index(end(of))] for options, of in zip(matchings.choices, gains, strict=True)])
            for end in (min, max)
        ]
        picks = chain([next(picks)], extremes, (pick for pick in picks if pick not in extremes))
    always, sometimes = matchings.cells()
    count = matchings.count()
    others = _other_matchings(own_runs, matchings, islice(picks, most + 2), cap)
    return Tied(count, complete, min(count, most), others, always, sometimes, depends)


def _other_matchings(
    own_runs: list[Run], matchings: Matchings, picks: Iterator[tuple[Choice, ...]], cap: float
) -> Iterator[list[Run]]:
    """The matchings with these choices of long runs but for `own_runs`, capped: in turn the first one of each choice,
    then the second, and so on."""
    own_cells = _cells(own_runs)
    turns = [matchings.filled(pick) for pick in dict.fromkeys(picks)]
    for turn in zip_longest(*turns):
        for runs in turn:
            if runs and _cells(capped_runs := _capped(runs, cap)) != own_cells:
                yield capped_runs


def largest_count(segment: Segment, exponent: float) -> int | None:
    """How many matchings are as large as any before the cap; None where it would be too much work to know.

    >>> largest_count(Segment(tuple("aa"), (tuple("ab"), tuple("a"))), 2.0)
    2
    """
    groups, complete = _choices(segment, exponent, True, Work(WORK))
    matchings = Matchings(segment, groups, math.inf)
    return matchings.count() if complete and matchings.exact else None


def _one_by_one(
    own_runs: list[Run], matchings: Matchings, cap: float, exponent: float, complete: bool, most: int
) -> Tied[list[Run]]:
    """The ties where the cap cuts long runs: every matching is capped, equal ones are dropped."""
    runs_by_cells = {_cells(own_runs): own_runs}
    capped_orders = (
        capped(order, cap)
        for pick in product(*matchings.choices)
        for runs in matchings.filled(pick)
        for order in orders(_joined(runs), cap)
    )
    listed_orders = [*islice(capped_orders, LISTED_MOST + 1)]
    for runs in listed_orders[:LISTED_MOST]:
        spend(10 + 2 * len(runs))
        runs_by_cells.setdefault(_cells(runs), runs)
    sizes = [math.fsum([run.length**exponent for run in runs]) ** (1 / exponent) for runs in runs_by_cells.values()]
    return listed(
        [*runs_by_cells.values()], [*runs_by_cells], sizes, most, complete and len(listed_orders) <= LISTED_MOST
    )


def _capped(runs: list[Run], cap: float) -> list[Run]:
    """The maximal runs of a matching, capped."""
    spend(10 + 2 * len(runs))
    return capped(_joined(runs), cap)


def _cells(runs: list[Run]) -> frozenset[Hit]:
    return frozenset([cell for run in runs for cell in run.cells()])


def _joined(runs: list[Run]) -> list[Run]:
    """The maximal runs of a matching, longest first: hits of runs that continue each other make one."""
    ends: dict[tuple[float, int, float], Run] = {}
    spend(len(runs) // 2)
    for run in sorted(runs):
        before = ends.pop((run.i, run.k, run.j), None)
        joined = before._replace(length=before.length + run.length) if before else run
        ends[joined.i + joined.length, joined.k, joined.j + joined.length] = joined
    return sorted(ends.values(), key=lambda run: (-run.length, -run.i))


def _gain(run: Run, exponent: float) -> float:
    """What a run is worth beyond its single hits."""
    return float(run.length**exponent - run.length)


def _choices(segment: Segment, exponent: float, exact: bool, work: Work) -> tuple[list[list[Choice]], bool]:
    """The long runs that the solver could have taken, group by group, its own choice first; whether these are all."""
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
    """What can be taken from a group to gain as much as `own_choice`, which gains most, in every way."""
    first, last = min(run.i for run in group), max(run.i + int(run.length) for run in group)
    work.spend(sum(int(run.length) ** 2 // 2 for run in group))
    gains = [length**exponent - length for length in range(last - first + 1)]
    least = math.fsum(gains[int(run.length)] for run in own_choice) * (1 - ROUNDING)
    options = options_at(group, offsets, gains, first, last)
    _, most = outlook(options, first, last)
    open_paths: list[tuple[int, int, float, Path | None]] = [(first, 0, 0.0, None)]
    while open_paths:
        i, used, gain, path = open_paths.pop()
        work.spend(1)
        if i == last:
            yield taken_runs(path)
            continue
        if gain + most[i + 1] >= least:
            open_paths.append((i + 1, used, gain, path))
        for option in options[i]:
            end = i + option.length
            if not used & option.columns and gain + option.gain + most[end] >= least:
                open_paths.append((end, used | option.columns, gain + option.gain, (i, option, path)))


def _greedy_choices(group: list[Run], offsets: list[int], work: Work) -> Iterator[list[Run]]:
    """What greedy matching can take from a group: of the longest runs that are free as many as fit, in every way."""
    if not group:
        yield []
        return
    longest = max(run.length for run in group)
    first = [run for run in group if run.length == longest]
    work.spend(len(group) + len(first) ** 2 // 10)
    masks = [_masks(run, offsets) for run in first]
    conflicts = [
        sum(1 << t for t, (r, c) in enumerate(masks) if s != t and (rows & r or columns & c))
        for s, (rows, columns) in enumerate(masks)
    ]
    for chosen_set in maximal_sets(conflicts, work):
        spend(len(group))
        used_rows = used_columns = 0
        for t in chosen_set:
            used_rows |= masks[t][0]
            used_columns |= masks[t][1]
        rest = []
        for run in group:
            full = (1 << int(run.length)) - 1
            used = (used_rows >> run.i | used_columns >> offsets[run.k] + run.j) & full
            rest += [Run(run.i + start, run.k, run.j + start, size) for start, size in _remainders(full & ~used)]
        for more in _greedy_choices(rest, offsets, work):
            yield [first[t] for t in chosen_set] + more


def _masks(run: Run, offsets: list[int]) -> tuple[int, int]:
    """The rows and the columns of a run as bits."""
    full = (1 << int(run.length)) - 1
    return full << run.i, full << offsets[run.k] + run.j


def _remainders(free: int) -> list[tuple[int, int]]:
    """What is left of a run is again a run: the stretches of two and more bits, each as its start and its size."""
    out = []
    while free:
        start = (free & -free).bit_length() - 1
        rest = free >> start
        size = (~rest & (rest + 1)).bit_length() - 1
        if size > 1:
            out.append((start, size))
        free &= ~(((1 << size) - 1) << start)
    return out
