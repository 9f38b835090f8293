"""Runs of matching words; a run of length l counts l to the power of e, so long runs win.

A hit is a pair of equal words, a run is a row of hits on a diagonal of the grid, and the square around a run is its
block. A matching is a set of runs in which no word is used twice. Its size is divided by the lengths of candidate and
reference, n and m.

    size = (Σ length^e)^(1/e)
    P = size / n,  R = size / m
    F = 2PR / (P + R)

At e = 1 only the number of matched words counts; at e = 2 a block counts its area. Several references lie side by
side: a run stays within one of them, a candidate word is used once, m is their mean length, and no more words are
matched than the smaller of n and m. The authors' program takes the longest free run first, which can miss the largest
matching; the exact solver finds it.

Rewards: long runs, wherever they stand. At e = 2 a run of four words makes as large a matching as 16 words that match
one by one, so a phrase kept whole outweighs many scattered words.

Cannot see: where a run stands. For the reference "police killed the gunman", "police kill the gunman" and "the gunman
kill police" both score 0.559, though only one of them says who shot whom. An inflected form or a synonym earns as
little as a wrong word.

Source: Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, section 2 (equations 2,
3 and 5).

>>> from metrics import score
>>> r = score("gtm", "the gunman kill police".split(), ["police killed the gunman".split()])
>>> round(r.score, 4)
0.559
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain, islice, product, zip_longest
from typing import NamedTuple, TypeAlias

from .bitext import indexed, long_runs
from .formula import Expr, Number, Power, Product, Quotient, Step, Sum, Terms, step
from .matchings import Choice, Matchings, orders
from .ties import HITS_MOST, ROUNDING, Enough, Work, differ, listed, maximal_sets
from .types import (
    Alignment,
    Layer,
    Metric,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    Ties,
    TooHard,
    about,
    f_measure,
    first_line,
    setting,
)


@dataclass(frozen=True, slots=True)
class GTMSettings(Settings):
    exponent: float = setting(
        2.0,
        "number",
        "Exponent e",
        "1 counts words; the larger, the more a long run counts.",
        least=1,
        most=90,
        step=0.1,
        shown=(1.0, 3.0),
    )
    solver: str = setting(
        "greedy",
        "choice",
        "Solver",
        "greedy takes the longest free run first, as the authors' program does; exact finds the largest matching.",
        options=("greedy", "exact"),
    )


def greedy_matching(segment: Segment) -> list[Run]:
    """The authors' greedy matching: longest run first, remainders of runs included; before the cap.

    Ties: the later start in the candidate first, then the later start in the concatenated references, as in the
    authors' program. Sorted in the order in which the runs were taken.
    """
    candidate, references = segment
    heap: list[tuple[int, int, int, int]] = []
    for k, reference in enumerate(references):
        heap += [(-length, -i, -k, -j) for length, i, j in long_runs(candidate, indexed(reference))]
    heapify(heap)
    free_rows = (1 << len(candidate)) - 1
    free_columns = [(1 << len(r)) - 1 for r in references]
    out: list[Run] = []
    while heap:
        length, i, k, j = (-v for v in heappop(heap))
        full = (1 << length) - 1
        free = (free_rows >> i) & (free_columns[k] >> j) & full
        if free == full:
            free_rows &= ~(full << i)
            free_columns[k] &= ~(full << j)
            out.append(Run(i, k, j, length))
            continue
        for start, size in _remainders(free):
            heappush(heap, (-size, -i - start, -k, -j - start))
    return out + _single_hits(segment, free_rows, free_columns)


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


def _single_hits(segment: Segment, free_rows: int, free_columns: list[int]) -> list[Run]:
    """The latest free candidate word with the latest free place of the same word, until no free hit is left."""
    candidate, references = segment
    out: list[Run] = []
    remaining: dict[str, list[tuple[int, int]]] = {}
    for i in range(len(candidate) - 1, -1, -1):
        if not free_rows >> i & 1:
            continue
        word = candidate[i]
        places = remaining.get(word)
        if places is None:
            places = remaining[word] = [
                (k, j)
                for k, reference in enumerate(references)
                for j in indexed(reference).places.get(word, ())
                if free_columns[k] >> j & 1
            ]
        if places:
            k, j = places.pop()
            out.append(Run(i, k, j, 1))
    return out


#: Steps after which the exact solver gives up, in less than a second. Real sentences of 100 words need a tenth of it.
WORK_LIMIT = 100_000


class _Option(NamedTuple):
    """A sub-run that may be taken where the search stands: its length, place, columns and gain."""

    length: int
    k: int
    j: int
    columns: int
    gain: float


#: The sub-runs taken so far, the last one first: candidate position, sub-run, the ones before.
_Path: TypeAlias = "tuple[int, _Option, _Path | None]"


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
    candidate, references = segment
    greedy = greedy_matching(segment)
    if exponent == 1:
        return greedy
    offsets = list(accumulate(map(len, references), initial=0))
    runs = [
        Run(i, k, j, length)
        for k, reference in enumerate(references)
        for length, i, j in long_runs(candidate, indexed(reference))
    ]
    work = WORK_LIMIT
    out: list[Run] = []
    for rows, group in _groups(runs, offsets):
        taken = [run for run in greedy if run.length > 1 and rows >> run.i & 1]
        best, work = _best_of_group(group, taken, exponent, offsets, work)
        out += best
    free_rows = (1 << len(candidate)) - 1
    free_columns = [(1 << len(r)) - 1 for r in references]
    for run in out:
        full = (1 << int(run.length)) - 1
        free_rows &= ~(full << run.i)
        free_columns[run.k] &= ~(full << run.j)
    out += _single_hits(segment, free_rows, free_columns)
    return sorted(out, key=lambda run: (-run.length, -run.i, -run.k, -run.j))


def _groups(runs: list[Run], offsets: list[int]) -> list[tuple[int, list[Run]]]:
    """The runs in groups, such that runs of two groups share no word; each group with the mask of its rows."""
    groups: list[tuple[int, int, list[Run]]] = []
    for run in runs:
        full = (1 << int(run.length)) - 1
        rows, columns, members = full << run.i, full << offsets[run.k] + run.j, [run]
        apart = []
        for group in groups:
            if group[0] & rows or group[1] & columns:
                rows, columns, members = rows | group[0], columns | group[1], group[2] + members
            else:
                apart.append(group)
        groups = [*apart, (rows, columns, members)]
    return [(rows, sorted(members, key=lambda run: (run.k, run.j - run.i))) for rows, _, members in groups]


def _density_bound(group: list[Run], gains: list[float]) -> float:
    """An upper bound of what a group gains: every candidate word gets its share of the longest run through it.

    The gain per word, l^(e−1) − 1, rises with the length, so that no part of a run gives a word a larger share.
    """
    longest: dict[int, int] = {}
    for run in sorted(group, key=lambda run: run.length):
        longest.update(dict.fromkeys(range(run.i, run.i + int(run.length)), int(run.length)))
    return math.fsum(gains[length] / length for length in longest.values())


def _options(
    group: list[Run], offsets: list[int], gains: list[float], first: int, last: int
) -> dict[int, list[_Option]]:
    """For each candidate position the sub-runs that start there, with those of their columns that several runs want."""
    wanted = several = 0
    for run in group:
        columns = (1 << int(run.length)) - 1 << offsets[run.k] + run.j
        several |= wanted & columns
        wanted |= columns
    options: dict[int, list[_Option]] = {i: [] for i in range(first, last)}
    for run in group:
        for start in range(int(run.length) - 1):
            for length in range(2, int(run.length) - start + 1):
                columns = (1 << length) - 1 << offsets[run.k] + run.j + start & several
                options[run.i + start].append(_Option(length, run.k, run.j + start, columns, gains[length]))
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
    work -= sum(int(run.length) ** 2 // 2 for run in group)
    if work < 0:
        raise _too_hard(group, first, last)
    options = _options(group, offsets, gains, first, last)
    later, most = _outlook(options, first, last)
    # position → used reference words → (gain, the path there)
    states: dict[int, dict[int, tuple[float, _Path | None]]] = {i: {} for i in range(first, last + 1)}
    if most[first] > least:
        states[first][0] = (0.0, None)
    for i in range(first, last):
        for used, (gain, path) in states.pop(i).items():
            work -= 1 + len(options[i])
            if work < 0:
                raise _too_hard(group, first, last)
            if gain + most[i + 1] > least:
                _keep_better(states[i + 1], used & later[i + 1], gain, path)
            for option in options[i]:
                end = i + option.length
                if not used & option.columns and gain + option.gain + most[end] > least:
                    used_then = (used | option.columns) & later[end]
                    _keep_better(states[end], used_then, gain + option.gain, (i, option, path))
    if 0 not in states[last]:
        return greedy, work
    _, path = states[last][0]
    return _taken(path), work


def _taken(path: _Path | None) -> list[Run]:
    """The sub-runs of a path, the last one first."""
    out = []
    while path:
        i, option, path = path
        out.append(Run(i, option.k, option.j, option.length))
    return out


def _outlook(options: dict[int, list[_Option]], first: int, last: int) -> tuple[dict[int, int], dict[int, float]]:
    """For each position the wanted reference words that it or a later one can reach, and a bound of what all gain."""
    later, most = {last: 0}, {last: 0.0}
    for i in range(last - 1, first - 1, -1):
        later[i] = later[i + 1]
        most[i] = most[i + 1]
        for option in options[i]:
            later[i] |= option.columns
            most[i] = max(most[i], option.gain + most[i + option.length])
    return later, most


def _too_hard(group: list[Run], first: int, last: int) -> TooHard:
    return TooHard(
        f"the exact solver gives up on the {len(group)} conflicting runs between candidate words {first + 1} and "
        f"{last}: there are too many ways to combine them; choose the greedy solver"
    )


def _keep_better(states: dict[int, tuple[float, _Path | None]], used: int, gain: float, path: _Path | None) -> None:
    """Keep the better way to a state; the earlier one where both gain the same."""
    known = states.get(used)
    if known is None or gain > known[0]:
        states[used] = (gain, path)


def capped(runs: list[Run], cap: float) -> list[Run]:
    """The longest runs with at most `cap` hits in all; the run that crosses the cap is cut, perhaps to a fraction."""
    if sum(run.length for run in runs) <= cap:
        return runs
    out: list[Run] = []
    for run in sorted(runs, key=lambda run: -run.length):
        if cap <= 0:
            break
        length = min(run.length, cap)
        out.append(run if length == run.length else run._replace(length=length))
        cap -= length
    return out


def _align(segment: Segment, settings: GTMSettings, marks: bool) -> Alignment:
    return _aligned(segment, settings, _matching(segment, settings))


def _matching(segment: Segment, settings: GTMSettings) -> list[Run]:
    """The matching that the chosen solver finds; before the cap."""
    return exact_matching(segment, settings.exponent) if settings.solver == "exact" else greedy_matching(segment)


def _cap(segment: Segment) -> float:
    """How many words can be matched at the most where several references are capped."""
    candidate, references = segment
    return min(len(candidate), sum(map(len, references)) / len(references)) if len(references) > 1 else math.inf


def _aligned(segment: Segment, settings: GTMSettings, runs: list[Run]) -> Alignment:
    candidate, references = segment
    n, m = len(candidate), sum(map(len, references)) / len(references)
    runs = capped(runs, _cap(segment))
    credits = tuple([run.length**settings.exponent for run in runs])
    power = math.fsum(credits)
    stats = {
        "match_power": power,
        "match_size": power ** (1 / settings.exponent),
        "candidate_length": n,
        "reference_length": m,
    }
    layer = Layer("blocks", tuple(runs), credits, statistics=("match_power",), area=True)
    return Alignment(stats, (layer,), {})


def _from_stats(stats: Mapping[str, float], settings: GTMSettings) -> Score:
    """Equations 2, 3 and 5. Documents add up sizes and lengths (§2.2), so the size is a statistic of its own."""
    size, n, m = stats["match_size"], stats["candidate_length"], stats["reference_length"]
    precision, recall = size / n if n else 0.0, size / m if m else 0.0
    parts = {"precision": precision, "recall": recall, "match_size": size}
    return Score(f_measure(precision, recall), parts)


def _formula(result: Result) -> tuple[Step, ...]:
    layer, e = result.layers[0], Number(result.settings.to_dict()["exponent"])
    lengths = [Number(run.length) for run in layer.marks if isinstance(run, Run)]
    if e.value == 1:
        size = step("match size", Terms(0, lengths))
    else:
        power = Terms(0, [Power(length, e) for length in lengths])
        root = Quotient(Number(1), e)
        size = step("match size", Power(power, root), Power(Number(power.value), root))
    p = step("P", Quotient(size.number(), Number(result.stats["candidate_length"])))
    r = step("R", Quotient(size.number(), Number(result.stats["reference_length"])), beside=True)
    f: Expr = Quotient(Product(Number(2), p.symbol(), r.symbol()), Sum(p.symbol(), r.symbol()))
    return size, p, r, step("F", f)


def _remark(result: Result) -> str:
    """Whether a larger matching than the greedy one exists, where that can be found out."""
    settings, found = result.settings, result.parts["match_size"]
    if not isinstance(settings, GTMSettings) or settings.solver != "greedy":
        return ""
    try:
        largest = METRIC.score(result.segment, GTMSettings(settings.exponent, "exact")).parts["match_size"]
    except TooHard:
        return ""
    if largest <= found * (1 + 1e-12):
        return ""
    return f"The greedy solver misses the largest matching: its size is {found:.3f}, {largest:.3f} is possible."


# ---------------------------------------------------------------- ties

#: The search for ties looks at no more runs than this, takes no more steps, and lists no more matchings one by one.
TIES_RUNS = 3_000
TIES_WORK = 50_000
TIES_LISTED = 1_000


def _ties(result: Result, most: int) -> Ties:
    """The equally good matchings: for the exact solver all that are as large, before the cap; for the greedy one all
    that it could find if runs of the same length were taken in another order, which need not be equally large. Where
    several references are capped, the shortest runs that still count are any of their length. At e = 1 the exact
    solver has no reason to take runs, and any hits are as good.
    """
    segment, settings = result.segment, result.settings
    assert isinstance(settings, GTMSettings)
    work = Work(TIES_WORK)
    candidate, references = segment
    theirs = Counter(word for reference in references for word in reference)
    if sum(theirs[word] for word in candidate) > HITS_MOST:
        return Ties(1, False, (result,), frozenset(), frozenset())
    groups, exact = _choices(segment, settings, work)
    matchings = Matchings(segment, groups, _cap(segment))
    exact = exact and matchings.exact
    if not matchings.whole:
        return _ties_one_by_one(result, matchings, exact, most)
    gains = [[sum(_gain(run, settings) for run in choice) for choice in options] for options in matchings.choices]
    depends = differ([matchings.size + sum(map(min, gains)), matchings.size + sum(map(max, gains))])
    picks: Iterator[tuple[Choice, ...]] = product(*matchings.choices)
    if depends:  # the smallest and the largest matching come first
        extremes = [
            tuple([options[of.index(end(of))] for options, of in zip(matchings.choices, gains, strict=True)])
            for end in (min, max)
        ]
        picks = chain([next(picks)], extremes, (pick for pick in picks if pick not in extremes))
    own = result.cells()
    # In turn the first matching of each choice of long runs, then the second, and so on.
    turns = [matchings.filled(pick) for pick in dict.fromkeys(islice(picks, most + 2))]
    others = (_other(result, _joined(runs)) for turn in zip_longest(*turns) for runs in turn if runs)
    others = (other for other in others if other.cells() != own)
    always, sometimes = matchings.cells()
    return Ties(matchings.count(), exact, (result, *islice(others, most - 1)), always, sometimes, depends)


def _ties_one_by_one(result: Result, matchings: Matchings, exact: bool, most: int) -> Ties:
    """The ties where the cap cuts long runs: every matching is capped, equal ones are dropped."""
    own = frozenset(result.cells())
    found = {own: result}
    cap = _cap(result.segment)
    every = (
        order
        for pick in product(*matchings.choices)
        for runs in matchings.filled(pick)
        for order in orders(_joined(runs), cap)
    )
    looked = [*islice(every, TIES_LISTED + 1)]
    for runs in looked[:TIES_LISTED]:
        other = _other(result, runs)
        found.setdefault(frozenset(other.cells()), other)
    return listed([*found.values()], most, exact and len(looked) <= TIES_LISTED)


def _other(result: Result, runs: list[Run]) -> Result:
    """The result that another matching gives."""
    settings = result.settings
    assert isinstance(settings, GTMSettings)
    stats, layers, _ = _aligned(result.segment, settings, runs)
    score, parts = _from_stats(stats, settings)
    return replace(result, score=score, parts=parts, stats=stats, layers=layers)


def _joined(runs: list[Run]) -> list[Run]:
    """The maximal runs of a matching, longest first: hits of runs that continue each other make one."""
    ends: dict[tuple[float, int, float], Run] = {}
    for run in sorted(runs):
        before = ends.pop((run.i, run.k, run.j), None)
        joined = before._replace(length=before.length + run.length) if before else run
        ends[joined.i + joined.length, joined.k, joined.j + joined.length] = joined
    return sorted(ends.values(), key=lambda run: (-run.length, -run.i))


def _gain(run: Run, settings: GTMSettings) -> float:
    """What a run is worth beyond its single hits."""
    return float(run.length**settings.exponent - run.length)


def _choices(segment: Segment, settings: GTMSettings, work: Work) -> tuple[list[list[Choice]], bool]:
    """The long runs that the solver could have taken, group by group, its own choice first; whether these are all."""
    if settings.solver == "exact" and settings.exponent == 1:
        return [], True
    candidate, references = segment
    offsets = list(accumulate(map(len, references), initial=0))
    runs = [
        Run(i, k, j, length)
        for k, reference in enumerate(references)
        for length, i, j in long_runs(candidate, indexed(reference))
    ]
    chosen = [run for run in _matching(segment, settings) if run.length > 1]
    if len(runs) > TIES_RUNS:
        return [[tuple(chosen)]], False
    out, complete = [], True
    for rows, group in sorted(_groups(runs, offsets), key=lambda of: len(of[1])):
        own = tuple(sorted([run for run in chosen if rows >> run.i & 1]))
        if len(group) == 1:
            out.append([own])
            continue
        found: dict[Choice, None] = {own: None}
        if settings.solver == "exact":
            every = _largest_choices(group, own, settings.exponent, offsets, work)
        else:
            every = _greedy_choices(group, offsets, work)
        try:
            for choice in every:
                found[tuple(sorted(choice))] = None
                work.spend(sum(int(run.length) for run in choice))
        except Enough:
            complete = False
        out.append([*found])
    return out, complete


def _largest_choices(
    group: list[Run], own: Choice, exponent: float, offsets: list[int], work: Work
) -> Iterator[list[Run]]:
    """What can be taken from a group to gain as much as `own`, which gains most, in every way."""
    first, last = min(run.i for run in group), max(run.i + int(run.length) for run in group)
    work.spend(sum(int(run.length) ** 2 // 2 for run in group))
    gains = [length**exponent - length for length in range(last - first + 1)]
    least = math.fsum(gains[int(run.length)] for run in own) * (1 - ROUNDING)
    options = _options(group, offsets, gains, first, last)
    _, most = _outlook(options, first, last)
    open_paths: list[tuple[int, int, float, _Path | None]] = [(first, 0, 0.0, None)]
    while open_paths:
        i, used, gain, path = open_paths.pop()
        work.spend(1)
        if i == last:
            yield _taken(path)
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
    for taken in maximal_sets(conflicts, work):
        used_rows = used_columns = 0
        for t in taken:
            used_rows |= masks[t][0]
            used_columns |= masks[t][1]
        rest = []
        for run in group:
            full = (1 << int(run.length)) - 1
            used = (used_rows >> run.i | used_columns >> offsets[run.k] + run.j) & full
            rest += [Run(run.i + start, run.k, run.j + start, size) for start, size in _remainders(full & ~used)]
        for more in _greedy_choices(rest, offsets, work):
            yield [first[t] for t in taken] + more


def _masks(run: Run, offsets: list[int]) -> tuple[int, int]:
    """The rows and the columns of a run as bits."""
    full = (1 << int(run.length)) - 1
    return full << run.i, full << offsets[run.k] + run.j


METRIC = Metric(
    key="gtm",
    label="GTM",
    name="General Text Matcher",
    idea=first_line(__doc__),
    about=about(__doc__),
    family="blocks",
    citation="Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX",
    higher_is_better=True,
    pooling="sum",
    Settings=GTMSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    remark=_remark,
    ties=_ties,
)
