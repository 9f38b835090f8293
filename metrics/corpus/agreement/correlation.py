"""How well a metric's scores go with people's judgements: correlations, and accuracies of pairs.

People and metric are arrays float64 of systems × segments in which higher is better (error rates are negated by who
calls), NaN where there is no value; what one of both lacks is left out. At system level they have one value a system
and no second axis. A coefficient is taken over all pairs of system and segment at once ("none"), or in each segment
over the systems ("item"), or in each system over the segments ("sys"), and then the plain mean over those groups in
which it is defined: as mt-metrics-eval has it, whose names these are.

Where everyone or everything has one value only, a correlation is not defined. It is then a value of its own, with a
kind and a sentence.

Sources: Kendall (1945), τ-b; Callison-Burch and others (2010) and Macháček and Bojar (2013), the τ of the metrics tasks
of those years; Deutsch, Foster and Freitag (2023), "Ties Matter", pairwise accuracy with ties, and ε; Kocmi and others
(2021), pairwise accuracy of systems; Thompson and others (2024), soft pairwise accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ..resampling import ROUNDING
from ..table import Array

#: Over what a coefficient is taken, before the mean of several.
Group: TypeAlias = Literal["none", "item", "sys"]
#: Kinds of Kendall's τ: with both's ties taken out of the root, and those of the metrics tasks of 2010 and 2013.
Tau: TypeAlias = Literal["b", "10", "13"]

GROUPS: tuple[Group, ...] = ("none", "item", "sys")
TAUS: tuple[Tau, ...] = ("b", "10", "13")

#: Values whose spread is so small a part of them differ by rounding alone.
CONSTANT = 1e-13
#: Accuracies that differ by less are equal: of pairs in lines, true differences are larger.
SAME = 1e-10
#: The permutations of soft pairwise accuracy, as mt-metrics-eval draws them.
PERMUTATIONS, SEED = 1000, 4
#: Sums of scores that differ by no more are equal.
EQUAL = 1e-9


class UndefinedReason(Enum):
    """Why there is no value."""

    FEW = "too few values"
    PEOPLE = "people gave one value"
    METRIC = "the metric gave one value"
    TIES = "every pair is tied"


class Undefined(NamedTuple):
    """That there is no value, and why, as a sentence."""

    kind: UndefinedReason
    text: str


class CoefficientValue(NamedTuple):
    """A coefficient from -1 to 1, or an accuracy from 0 to 1. `n` is how many groups its mean is over, 1 where it is
    taken at once; at system level pairs of systems, and of soft pairwise accuracy segments. `epsilon` is up to which
    difference a metric's scores count as tied, where that was looked for."""

    value: float
    n: int
    epsilon: float | None = None


Coefficient: TypeAlias = CoefficientValue | Undefined


class Groups(NamedTuple):
    """The groups in which there are two values or more: their places (of segments, or of systems), how many values
    each has, and its coefficient, NaN where that is undefined, for the reason `why`."""

    places: NDArray[np.intp]
    sizes: NDArray[np.intp]
    values: Array
    why: Undefined | None


# ---------------------------------------------------------------- means over groups


def mean(
    groups: Groups,
    weights: Literal["groups", "ratings"] = "groups",
    undefined: Literal["left out", "zero"] = "left out",
) -> Coefficient:
    """The mean over groups. Those without a value are left out or count as 0; groups weigh the same, or as many as they
    have values, and `n` is then the sum of these."""
    valid = ~np.isnan(groups.values)
    if undefined == "zero" and len(valid):
        values, used = np.where(valid, groups.values, 0.0), np.ones_like(valid)
    else:
        values, used = groups.values, valid
    if not used.any():
        return groups.why or _few("none")
    if weights == "ratings":
        sizes = groups.sizes[used]
        return CoefficientValue(float(values[used] @ sizes) / float(sizes.sum()), int(sizes.sum()))
    return CoefficientValue(float(values[used].mean()), int(used.sum()))


def _split_groups(people: Array, metric: Array, group: Group) -> Iterator[tuple[int, Array, Array]]:
    """The values of each group that has two or more, with its place."""
    people, metric = _planes(people, metric)
    valid = ~(np.isnan(people) | np.isnan(metric))
    if group == "none":
        if np.count_nonzero(valid) > 1:
            yield 0, people[valid], metric[valid]
        return
    if group == "item":
        people, metric, valid = people.T, metric.T, valid.T
    for place in np.flatnonzero(valid.sum(axis=1) > 1):
        members = valid[place]
        yield int(place), people[place, members], metric[place, members]


def _planes(people: Array, metric: Array) -> tuple[Array, Array]:
    """Both as systems × segments; system scores are those of one segment."""
    assert people.shape == metric.shape, "people and metric are of the same systems and segments"
    return (people[:, None], metric[:, None]) if people.ndim == 1 else (people, metric)


def _grouped(people: Array, metric: Array, group: Group, of: Callable[[Array, Array], float]) -> Groups:
    places, sizes, values = [], [], []
    for place, x, y in _split_groups(people, metric, group):
        places.append(place)
        sizes.append(len(x))
        values.append(of(x, y))
    coefficients = np.array(values, dtype=np.float64)
    why = None if len(coefficients) and not np.isnan(coefficients).all() else why_not(people, metric, group)
    return Groups(np.array(places, dtype=np.intp), np.array(sizes, dtype=np.intp), coefficients, why)


def why_not(people: Array, metric: Array, group: Group) -> Undefined:
    """Why no group has a correlation."""
    groups = [*_split_groups(people, metric, group)]
    where = {"none": "everywhere", "item": "within each segment", "sys": "within each system"}[group]
    if not groups:
        return _few(group)
    if all(constant(y) for _, _, y in groups):
        return Undefined(
            UndefinedReason.METRIC, f"The metric gives the same score {where}, so there is nothing to correlate."
        )
    if all(constant(x) for _, x, _ in groups):
        return Undefined(
            UndefinedReason.PEOPLE, f"People gave the same judgement {where}, so there is nothing to correlate."
        )
    return Undefined(
        UndefinedReason.TIES, f"People or the metric have one value only {where}, so there is nothing to correlate."
    )


def _few(group: Group) -> Undefined:
    where = {"none": "", "item": " in any segment", "sys": " in any system"}[group]
    return Undefined(UndefinedReason.FEW, f"Fewer than two outputs have both a judgement and a score{where}.")


def constant(values: Array) -> bool:
    """Whether all values are the same, but for rounding."""
    return float(np.ptp(values)) <= CONSTANT * float(np.abs(values).max())


# ---------------------------------------------------------------- Pearson and Spearman


def pearson(people: Array, metric: Array, group: Group = "none") -> Coefficient:
    """Pearson's r.

    >>> pearson(np.array([1.0, 1.0, 3.0, 3.0]), np.array([2.0, 3.0, 2.0, 3.0]))
    CoefficientValue(value=0.0, n=1, epsilon=None)
    >>> pearson(np.array([1.0, 2.0]), np.array([5.0, 5.0])).kind
    <UndefinedReason.METRIC: 'the metric gave one value'>
    """
    return mean(pearsons(people, metric, group))


def pearsons(people: Array, metric: Array, group: Group) -> Groups:
    """The same of each group."""
    return _grouped(people, metric, group, _pearson)


def _pearson(x: Array, y: Array) -> float:
    if constant(x) or constant(y):
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(np.clip((x / np.linalg.norm(x)) @ (y / np.linalg.norm(y)), -1.0, 1.0))


def spearman(people: Array, metric: Array, group: Group = "none") -> Coefficient:
    """Spearman's ρ: Pearson's r of the ranks, equal values having the mean of theirs.

    >>> round(spearman(np.array([1.0, 2.0, 4.0]), np.array([1.0, 20.0, 21.0])).value, 9)
    1.0
    """
    return mean(spearmans(people, metric, group))


def spearmans(people: Array, metric: Array, group: Group) -> Groups:
    """The same of each group."""
    return _grouped(people, metric, group, lambda x, y: _pearson(ranks(x), ranks(y)))


def ranks(values: Array) -> Array:
    """The rank of each value from 1, equal ones with the mean of theirs.

    >>> ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    mean_ranks: Array = (ends - (count - 1) / 2)[place]
    return mean_ranks


def pearson_of_differences(people: Array, metric: Array) -> Coefficient:
    """One Pearson's r over the differences of all ordered pairs of systems within a segment, a system with itself too:
    so both have mean 0, and what differs between segments does not count. `n` is 1.

    >>> found = pearson_of_differences(np.array([[1.0, 5.0], [2.0, 7.0]]), np.array([[0.0, 3.0], [1.0, 5.0]]))
    >>> round(found.value, 9), found.n
    (1.0, 1)
    """
    if not any(True for _ in _split_groups(people, metric, "item")):
        return _few("item")
    xx, xy, yy = products_of_differences(people, metric).sum(axis=0)
    if xx <= 0 or yy <= 0:
        return why_not(people, metric, "item")
    return CoefficientValue(float(np.clip(xy / np.sqrt(xx) / np.sqrt(yy), -1.0, 1.0)), 1)


def products_of_differences(people: Array, metric: Array) -> Array:
    """For each segment the sums over ordered pairs of systems of people's squared differences, of both's products and
    of the metric's squared ones: segments × 3."""
    valid = ~(np.isnan(people) | np.isnan(metric))
    count = valid.sum(axis=0)

    def centred(values: Array) -> Array:
        filled = np.where(valid, values, 0.0)
        means = np.divide(filled.sum(axis=0), count, out=np.zeros(len(count)), where=count > 0)
        spread = np.where(valid, values, np.inf).min(axis=0) < np.where(valid, values, -np.inf).max(axis=0)
        deviations: Array = np.where(valid & spread, filled - means, 0.0)
        return deviations

    x, y = centred(people), centred(metric)
    # Over ordered pairs, the sum of (x - x')(y - y') is twice the number of systems times that of centred products.
    products: Array = 2 * count[:, None] * np.stack([(x * x).sum(axis=0), (x * y).sum(axis=0), (y * y).sum(axis=0)], 1)
    return products


# ---------------------------------------------------------------- pairs


class RankPairCounts(NamedTuple):
    """How many pairs both rank alike, and how many the other way round; how many the metric alone ties, people alone,
    and both."""

    concordant: int
    discordant: int
    metric_ties: int
    people_ties: int
    both_ties: int

    @property
    def all(self) -> int:
        return sum(self)


def pairs(people: Array, metric: Array) -> RankPairCounts:
    """The pairs of values of two rows, counted in n log n steps (Knight 1966).

    >>> pairs(np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 0.0]))
    RankPairCounts(concordant=2, discordant=3, metric_ties=0, people_ties=1, both_ties=0)
    """
    x, y = _dense(people), _dense(metric)
    joint = x * (int(y.max(initial=0)) + 1) + y
    everything = len(x) * (len(x) - 1) // 2
    tied_x, tied_y, tied = _ties(x), _ties(y), _ties(np.unique(joint, return_inverse=True)[1])
    discordant = _inversions(y[np.argsort(joint, kind="stable")])
    concordant = everything - tied_x - tied_y + tied - discordant
    return RankPairCounts(concordant, discordant, tied_y - tied, tied_x - tied, tied)


def _dense(values: Array) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _ties(numbers: NDArray[np.int64]) -> int:
    counts = np.bincount(numbers)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(numbers: NDArray[np.int64]) -> int:
    """How many pairs stand in falling order. Bit by bit from the highest: of numbers that are the same so far, and
    stand in their order, those with a 1 before one with a 0."""
    inversions = 0
    for bit in range(int(numbers.max(initial=0)).bit_length() - 1, -1, -1):
        above, ones = numbers >> (bit + 1), numbers >> bit & 1
        starts = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]]))
        before = np.cumsum(ones) - ones
        length = np.diff(np.append(starts, len(numbers)))
        inversions += int(((before - np.repeat(before[starts], length)) * (1 - ones)).sum())
        numbers = numbers[np.argsort(numbers >> bit, kind="stable")]
    return inversions


def kendall(people: Array, metric: Array, group: Group = "none", kind: Tau = "b") -> Coefficient:
    """Kendall's τ: pairs ranked alike less those ranked the other way round, by the root of the product of the pairs
    that people do not tie and those that the metric does not (b). Of the metrics tasks' kinds both leave out what
    people tie; in that of 2010 a pair that the metric ties is wrong, in that of 2013 it does not count.

    >>> people, metric = np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 3.0])
    >>> [round(kendall(people, metric, kind=kind).value, 3) for kind in TAUS]
    [0.8, 0.6, 1.0]
    """
    return mean(kendalls(people, metric, group, kind))


def kendalls(people: Array, metric: Array, group: Group, kind: Tau = "b") -> Groups:
    """The same of each group."""
    if group == "item":
        places, sizes, concordant, discordant, metric_ties, people_ties, _ = _of_lines(people, metric)
        values = tau(concordant, discordant, metric_ties, people_ties, kind)
        why = why_not(people, metric, group) if not len(values) or np.isnan(values).all() else None
        return Groups(places, sizes, values, why)

    def group_tau(x: Array, y: Array) -> float:
        counts = pairs(x, y)
        concordant, discordant, metric_ties, people_ties, _ = np.array(counts, dtype=np.float64)
        return float(tau(concordant, discordant, metric_ties, people_ties, kind))

    return _grouped(people, metric, group, group_tau)


def tau(concordant: Array, discordant: Array, metric_ties: Array, people_ties: Array, kind: Tau) -> Array:
    """Kendall's τ from numbers of pairs, NaN where it is undefined; ties are those of one of both alone."""
    above, untied = concordant - discordant, concordant + discordant
    if kind == "b":
        below = np.sqrt(untied + metric_ties) * np.sqrt(untied + people_ties)
    elif kind == "10":
        above, below = above - metric_ties, untied + metric_ties
    else:
        below = untied
    with np.errstate(invalid="ignore", divide="ignore"):
        taus: Array = np.where(below > 0, above / below, np.nan)
    return taus


def accuracy(people: Array, metric: Array, group: Group = "item") -> Coefficient:
    """The part of all pairs that the metric ranks, or ties, as people do, where only equal scores are tied.

    >>> accuracy(np.array([[1.0], [1.0], [2.0]]), np.array([[0.1], [0.1], [0.1]])).value
    0.3333333333333333
    """
    return mean(accuracies(people, metric, group))


def accuracies(people: Array, metric: Array, group: Group, epsilon: float = 0.0) -> Groups:
    """The same of each group; in segments ("item") the metric's scores that differ by no more than ε, but for
    rounding, are tied."""
    if group == "item":
        places, sizes, concordant, discordant, metric_ties, people_ties, both_ties = _of_lines(
            people, metric, epsilon + rounding(metric)
        )
        values = (concordant + both_ties) / (concordant + discordant + metric_ties + people_ties + both_ties)
        return Groups(places, sizes, values, None if len(values) else _few(group))

    assert not epsilon, "ε is of differences within segments"

    def group_accuracy(x: Array, y: Array) -> float:
        counts = pairs(x, y)
        return (counts.concordant + counts.both_ties) / counts.all

    return _grouped(people, metric, group, group_accuracy)


def _of_lines(
    people: Array, metric: Array, tied: float = 0.0
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array, Array, Array, Array]:
    """Of the segments with two values or more their places, sizes, and numbers of pairs as in Pairs, where scores of
    the metric that differ by so much are tied."""
    x, y, valid = differences(people, metric)
    concordant, people_tied, metric_tied = x * y > 0, x == 0, np.abs(y) <= tied
    of_both = valid.any(axis=0)
    size = (~(np.isnan(people) | np.isnan(metric))).sum(axis=0)[of_both]

    def count(which: NDArray[np.bool_]) -> Array:
        counts: Array = (which & valid)[:, of_both].sum(axis=0).astype(np.float64)
        return counts

    return (
        np.flatnonzero(of_both),
        size,
        count(concordant & ~metric_tied),
        count(~concordant & ~people_tied & ~metric_tied),
        count(metric_tied & ~people_tied),
        count(people_tied & ~metric_tied),
        count(metric_tied & people_tied),
    )


def differences(people: Array, metric: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Of each pair of systems in each segment people's difference, the metric's, and whether both have one: arrays of
    pairs × segments, the pairs as `numpy.triu_indices` has them, 0 where there is none."""
    one, other = np.triu_indices(len(people), 1)
    x, y = people[one] - people[other], metric[one] - metric[other]
    valid = ~(np.isnan(x) | np.isnan(y))
    return np.where(valid, x, 0.0), np.where(valid, y, 0.0), valid


def calibrated_accuracy(people: Array, metric: Array) -> Coefficient:
    """The mean over segments of the accuracy of pairs of systems, where the metric's scores count as tied that differ
    by no more than ε: that one, the same for all segments, with which it is greatest, and the smallest of several.

    >>> people, metric = np.array([[1.0, 1.0], [1.0, 2.0]]), np.array([[0.5, 0.2], [0.6, 0.5]])
    >>> found = calibrated_accuracy(people, metric)
    >>> found.value, round(found.epsilon, 3)
    (1.0, 0.1)
    """
    x, y, valid = differences(people, metric)
    count = valid.sum(axis=0)
    lines = int(np.count_nonzero(count))
    if not lines:
        return _few("item")
    part = np.divide(1.0, count, out=np.zeros(len(count)), where=count > 0)
    # A pair is right as it stands from a difference on that makes it tied or no more, by which the sum then changes.
    tied_by_people, right = (x == 0) & valid, (x * y > 0) & valid
    changes = (tied_by_people.astype(np.float64) - right) * part
    sizes = np.abs(y)
    start = float((right * part).sum())
    order = np.argsort(sizes[valid], kind="stable")
    candidates, gain = sizes[valid][order], start + np.cumsum(changes[valid][order])
    if candidates[0] > rounding(metric):
        candidates, gain = np.append(0.0, candidates), np.append(start, gain)
    # Differences that are the same but for rounding become tied together.
    distinct = candidates[1:] - candidates[:-1] > rounding(metric)
    candidates, gain = candidates[np.append(True, distinct)], gain[np.append(distinct, True)]
    best = int(np.flatnonzero(gain >= gain.max() - SAME * lines)[0])
    return CoefficientValue(float(gain[best]) / lines, lines, float(candidates[best]))


def rounding(values: Array) -> float:
    """By how much differences of values may be apart that are the same."""
    return ROUNDING * float(np.nanmax(np.abs(values), initial=0.0))


def share_tied(people: Array, metric: Array, epsilon: float) -> tuple[float, float]:
    """The part of pairs of systems within segments that the metric ties at an ε, and the part that people tie, each a
    mean over segments; 0 without a pair."""
    x, y, valid = differences(people, metric)
    count = valid.sum(axis=0)
    used = count > 0
    if not used.any():
        return 0.0, 0.0
    metric_ties, people_ties = (
        ((tied & valid).sum(axis=0)[used]) for tied in (np.abs(y) <= epsilon + rounding(metric), x == 0)
    )
    return float((metric_ties / count[used]).mean()), float((people_ties / count[used]).mean())


# ---------------------------------------------------------------- systems


def system_scores(scores: Array, selected: NDArray[np.bool_] | None = None) -> Array:
    """The mean of each system's scores over the segments that have one (and that are `selected`), NaN where none has.

    >>> system_scores(np.array([[1.0, 3.0], [np.nan, 5.0]])).tolist()
    [2.0, 5.0]
    """
    used = ~np.isnan(scores) if selected is None else ~np.isnan(scores) & selected
    count = used.sum(axis=1)
    sums = np.where(used, scores, 0.0).sum(axis=1)
    means: Array = np.divide(sums, count, out=np.full(len(count), np.nan), where=count > 0)
    return means


def system_accuracy(people: Array, metric: Array) -> Coefficient:
    """The part of pairs of systems that the metric ranks as people do, from one score a system; equal scores agree with
    equal ones only. `n` is how many pairs there are.

    >>> system_accuracy(np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.3, 0.2]))
    CoefficientValue(value=0.6666666666666666, n=3, epsilon=None)
    """
    valid = ~(np.isnan(people) | np.isnan(metric))
    x, y = people[valid], metric[valid]
    if len(x) < 2:
        return _one_system()
    one, other = np.triu_indices(len(x), 1)
    agree = signs(x[one] - x[other], x) == signs(y[one] - y[other], y)
    return CoefficientValue(float(agree.mean()), len(agree))


def signs(differences: Array, of: Array) -> Array:
    """The signs of differences of some values, 0 where they are rounding."""
    directions: Array = np.where(np.abs(differences) <= rounding(of), 0.0, np.sign(differences))
    return directions


def _one_system() -> Undefined:
    return Undefined(UndefinedReason.FEW, "Fewer than two systems have both a judgement and a score.")


def soft_accuracy(people: Array, metric: Array) -> Coefficient:
    """Soft pairwise accuracy: 1 less the mean, over pairs of systems, of how far people's p and the metric's are apart.

    Each p is that of a permutation test of the pair, one-sided in the systems' order, so that this counts where two
    systems tie (Thompson and others 2024). The swaps are those of mt-metrics-eval, counted exactly: its own sums in
    single precision may tell a tie from the difference itself by rounding. A system without a value takes no part; of
    segments that lack one of some systems, each pair takes those that it has, which mt-metrics-eval does not allow for.
    `n` is how many segments have two systems or more.

    >>> people = np.array([[0.0, -1.0, 0.0], [-5.0, -1.0, -2.0]])
    >>> soft_accuracy(people, people)
    CoefficientValue(value=1.0, n=3, epsilon=None)
    """
    valid = ~(np.isnan(people) | np.isnan(metric))
    systems, segments = valid.any(axis=1), valid.sum(axis=0) > 1
    if systems.sum() < 2:
        return _one_system()
    if not segments.any():
        return Undefined(UndefinedReason.FEW, "No segment has a judgement and a score for two systems.")
    used = valid[systems][:, segments]
    p = [system_p_values(np.where(used, scores[systems][:, segments], np.nan)) for scores in (people, metric)]
    return CoefficientValue(float(1.0 - np.nanmean(np.abs(p[0] - p[1]))), int(segments.sum()))


def system_p_values(scores: Array, permutations: int = PERMUTATIONS, seed: int = SEED) -> Array:
    """For each pair of systems, as `numpy.triu_indices` has them, how often the first one's sum less the second one's
    is as large or larger when the two change places in segments drawn by chance, the same ones for all pairs; over the
    segments that both have, NaN for a pair that has none."""
    swaps, valid = _swaps(permutations, scores.shape[1], seed), ~np.isnan(scores)
    one, other = np.triu_indices(len(scores), 1)
    margin = EQUAL * max(1.0, float(np.nanmax(np.abs(scores), initial=0.0)))
    # The difference grows by twice what the swapped segments have the other way round: it is no smaller where that is
    # no gain of the first.
    if valid.all():
        swapped = swaps @ scores.T
        return cast(Array, (swapped[:, one] - swapped[:, other] <= margin).mean(axis=0))
    p_values = np.full(len(one), np.nan)
    for n, (a, b) in enumerate(zip(one, other, strict=True)):
        shared = valid[a] & valid[b]
        if shared.any():
            p_values[n] = (swaps[:, shared] @ (scores[a] - scores[b])[shared] <= margin).mean()
    return p_values


@lru_cache(maxsize=2)
def _swaps(permutations: int, lines: int, seed: int) -> Array:
    """1 where a permutation swaps the two systems in a segment: permutations × segments."""
    stays = np.random.default_rng(seed).random((permutations, lines), dtype=np.float32).round()
    return 1.0 - stays.astype(np.float64)
