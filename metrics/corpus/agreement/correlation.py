"""Computes how well the scores of a metric agree with human judgements: correlations, and accuracies of pairs.

Human scores and metric scores are float64 arrays, systems × segments, in which higher is better (callers negate error
rates), with NaN where there is no value. Outputs that lack either value are left out. At system level the arrays have
one value a system and no second axis. A coefficient is computed over all pairs of system and segment at once ("none"),
or in each segment over the systems ("item"), or in each system over the segments ("sys"). For groups the result is the
plain mean over the groups in which it is defined, as in mt-metrics-eval, which also coined these names.

A correlation is undefined where all human scores or all metric scores are equal. The result is then an
`UndefinedCoefficient` with a reason and a sentence.

Sources: Kendall (1945), τ-b; Callison-Burch and others (2010) and Macháček and Bojar (2013), the τ of the metrics tasks
of those years; Deutsch, Foster and Freitag (2023), "Ties Matter", pairwise accuracy with ties, and ε; Kocmi and others
(2021), pairwise accuracy of systems; Thompson and others (2024), soft pairwise accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ...types.columns import mean_of_known, ratio
from ..resampling import ROUNDING
from ..table import Array

#: The groups of outputs over which a coefficient is computed, before the mean over groups.
Group: TypeAlias = Literal["none", "item", "sys"]
#: Variants of Kendall's τ: τ-b, and those of the metrics tasks of 2010 and 2013.
Tau: TypeAlias = Literal["b", "10", "13"]

GROUPS: tuple[Group, ...] = ("none", "item", "sys")
TAUS: tuple[Tau, ...] = ("b", "10", "13")

#: Values whose range is at most this share of their magnitude differ by rounding only.
CONSTANT = 1e-13
#: Accuracies that differ by less are equal, since true differences of accuracies are larger.
SAME = 1e-10
#: The permutations of soft pairwise accuracy, as mt-metrics-eval draws them.
PERMUTATIONS, SEED = 1000, 4
#: Sums of scores that differ by at most this are equal.
EQUAL = 1e-9


class UndefinedReason(Enum):
    """The kind of reason why a coefficient is undefined."""

    FEW = "too few values"
    PEOPLE = "people gave one value"
    METRIC = "the metric gave one value"
    TIES = "every pair is tied"


class UndefinedCoefficient(NamedTuple):
    """The result in place of a coefficient that is undefined: the kind of reason, and a sentence that says it."""

    kind: UndefinedReason
    text: str


class CoefficientValue(NamedTuple):
    """A correlation from -1 to 1, or an accuracy from 0 to 1.

    Attributes:
        value: the coefficient.
        n: number of groups that the mean is over, 1 if all outputs are taken at once. At system level it is the number
            of pairs of systems, for soft pairwise accuracy the number of segments.
        epsilon: the largest difference of metric scores that counts as a tie; None where no ε was searched for."""

    value: float
    n: int
    epsilon: float | None = None


Coefficient: TypeAlias = CoefficientValue | UndefinedCoefficient


class GroupCoefficients(NamedTuple):
    """The coefficient of each group (a segment, a system, or all outputs) that has at least two values.

    Attributes:
        places: index of the segment or system of each group.
        sizes: number of values of each group.
        values: coefficient of each group, NaN where it is undefined.
        why: the reason if no group has a coefficient, else None."""

    indices: NDArray[np.intp]
    sizes: NDArray[np.intp]
    values: Array
    why: UndefinedCoefficient | None


# ---------------------------------------------------------------- means over groups


def mean_over_groups(
    groups: GroupCoefficients,
    weights: Literal["groups", "ratings"] = "groups",
    undefined: Literal["left out", "zero"] = "left out",
) -> Coefficient:
    """Return the mean of the coefficients over groups.

    Undefined coefficients are left out, or count as 0. Groups have equal weight, or are weighted by their number of
    values ("ratings"); then `n` is the sum of these numbers."""
    valid = ~np.isnan(groups.values)
    if undefined == "zero" and len(valid):
        values, used = np.where(valid, groups.values, 0.0), np.ones_like(valid)
    else:
        values, used = groups.values, valid
    if not used.any():
        return groups.why or _undefined_for_few_outputs("none")
    if weights == "ratings":
        sizes = groups.sizes[used]
        return CoefficientValue(float(values[used] @ sizes) / float(sizes.sum()), int(sizes.sum()))
    return CoefficientValue(float(values[used].mean()), int(used.sum()))


def _split_groups(people: Array, metric: Array, group: Group) -> Iterator[tuple[int, Array, Array]]:
    """Yield the index, human scores and metric scores of each group that has at least two outputs with both scores.

    A group is a segment for "item", a system for "sys", and all outputs for "none"."""
    people, metric = _as_matrices(people, metric)
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


def _as_matrices(people: Array, metric: Array) -> tuple[Array, Array]:
    """Return both arrays as systems × segments, treating scores of systems as a single segment."""
    assert people.shape == metric.shape, "people and metric are of the same systems and segments"
    return (people[:, None], metric[:, None]) if people.ndim == 1 else (people, metric)


def _coefficient_by_group(
    people: Array, metric: Array, group: Group, of: Callable[[Array, Array], float]
) -> GroupCoefficients:
    """Return the coefficient that `of` computes from the human and the metric scores of each group."""
    places, sizes, values = [], [], []
    for place, x, y in _split_groups(people, metric, group):
        places.append(place)
        sizes.append(len(x))
        values.append(of(x, y))
    coefficients = np.array(values, dtype=np.float64)
    why = None if len(coefficients) and not np.isnan(coefficients).all() else undefined_reason(people, metric, group)
    return GroupCoefficients(np.array(places, dtype=np.intp), np.array(sizes, dtype=np.intp), coefficients, why)


def undefined_reason(people: Array, metric: Array, group: Group) -> UndefinedCoefficient:
    """Return the reason why no group has a correlation."""
    groups = [*_split_groups(people, metric, group)]
    where = {"none": "everywhere", "item": "within each segment", "sys": "within each system"}[group]
    if not groups:
        return _undefined_for_few_outputs(group)
    if all(is_constant(y) for _, _, y in groups):
        return UndefinedCoefficient(
            UndefinedReason.METRIC, f"The metric gives the same score {where}, so there is nothing to correlate."
        )
    if all(is_constant(x) for _, x, _ in groups):
        return UndefinedCoefficient(
            UndefinedReason.PEOPLE, f"People gave the same judgement {where}, so there is nothing to correlate."
        )
    return UndefinedCoefficient(
        UndefinedReason.TIES, f"People or the metric have only one value {where}, so there is nothing to correlate."
    )


def _undefined_for_few_outputs(group: Group) -> UndefinedCoefficient:
    """Return the result for data in which no group has two outputs with both scores."""
    where = {"none": "", "item": " in any segment", "sys": " in any system"}[group]
    return UndefinedCoefficient(
        UndefinedReason.FEW, f"Fewer than two outputs have both a judgement and a score{where}."
    )


def is_constant(values: Array) -> bool:
    """Return whether all values are equal up to rounding."""
    return float(np.ptp(values)) <= CONSTANT * float(np.abs(values).max())


# ---------------------------------------------------------------- Pearson and Spearman


def pearson(people: Array, metric: Array, group: Group = "none") -> Coefficient:
    """Return Pearson's r over all outputs at once, or its mean over segments ("item") or systems ("sys").

    >>> pearson(np.array([1.0, 1.0, 3.0, 3.0]), np.array([2.0, 3.0, 2.0, 3.0]))
    CoefficientValue(value=0.0, n=1, epsilon=None)
    >>> pearson(np.array([1.0, 2.0]), np.array([5.0, 5.0])).kind
    <UndefinedReason.METRIC: 'the metric gave one value'>
    """
    return mean_over_groups(pearson_by_group(people, metric, group))


def pearson_by_group(people: Array, metric: Array, group: Group) -> GroupCoefficients:
    """Return Pearson's r of each segment ("item"), of each system ("sys"), or of all outputs as one group."""
    return _coefficient_by_group(people, metric, group, _pearson)


def _pearson(x: Array, y: Array) -> float:
    if is_constant(x) or is_constant(y):
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(np.clip((x / np.linalg.norm(x)) @ (y / np.linalg.norm(y)), -1.0, 1.0))


def spearman(people: Array, metric: Array, group: Group = "none") -> Coefficient:
    """Return Spearman's ρ over all outputs at once, or its mean over segments ("item") or systems ("sys").

    It is Pearson's r of the ranks, where equal values share the mean of their ranks.

    >>> round(spearman(np.array([1.0, 2.0, 4.0]), np.array([1.0, 20.0, 21.0])).value, 9)
    1.0
    """
    return mean_over_groups(spearman_by_group(people, metric, group))


def spearman_by_group(people: Array, metric: Array, group: Group) -> GroupCoefficients:
    """Return Spearman's ρ of each segment ("item"), of each system ("sys"), or of all outputs as one group."""
    return _coefficient_by_group(people, metric, group, lambda x, y: _pearson(ranks(x), ranks(y)))


def ranks(values: Array) -> Array:
    """Return the rank of each value, counted from 1; equal values share the mean of their ranks.

    >>> ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return (ends - (count - 1) / 2)[place]


def pearson_of_differences(people: Array, metric: Array) -> Coefficient:
    """Return Pearson's r over the differences of all ordered pairs of systems within a segment.

    Pairs of a system with itself are included. Both sides then have mean 0, so differences between segments do not
    count. `n` is 1.

    >>> found = pearson_of_differences(np.array([[1.0, 5.0], [2.0, 7.0]]), np.array([[0.0, 3.0], [1.0, 5.0]]))
    >>> round(found.value, 9), found.n
    (1.0, 1)
    """
    if not any(True for _ in _split_groups(people, metric, "item")):
        return _undefined_for_few_outputs("item")
    xx, xy, yy = products_of_differences(people, metric).sum(axis=0)
    if xx <= 0 or yy <= 0:
        return undefined_reason(people, metric, "item")
    return CoefficientValue(float(np.clip(xy / np.sqrt(xx) / np.sqrt(yy), -1.0, 1.0)), 1)


def products_of_differences(people: Array, metric: Array) -> Array:
    """Return the sums for `pearson_of_differences`, over the ordered pairs of systems of each segment, segments × 3.

    The columns are the squared human differences, the products of human and metric differences, and the squared metric
    differences."""
    valid = ~(np.isnan(people) | np.isnan(metric))
    count = valid.sum(axis=0)

    def centred(values: Array) -> Array:
        filled = np.where(valid, values, 0.0)
        means = ratio(filled.sum(axis=0), count)
        spread = np.where(valid, values, np.inf).min(axis=0) < np.where(valid, values, -np.inf).max(axis=0)
        return np.where(valid & spread, filled - means, 0.0)

    x, y = centred(people), centred(metric)
    # Over ordered pairs, the sum of (x - x')(y - y') is twice the number of systems times that of centred products.
    products: Array = 2 * count[:, None] * np.stack([(x * x).sum(axis=0), (x * y).sum(axis=0), (y * y).sum(axis=0)], 1)
    return products


# ---------------------------------------------------------------- pairs


class RankPairCounts(NamedTuple):
    """The number of pairs of outputs, by how people and the metric rank the two outputs of a pair.

    Attributes:
        concordant: both rank them in the same order.
        discordant: they rank them in opposite order.
        metric_ties: tied by the metric only.
        people_ties: tied by people only.
        both_ties: tied by both."""

    concordant: int
    discordant: int
    metric_ties: int
    people_ties: int
    both_ties: int

    @property
    def total(self) -> int:
        """Return the number of all pairs."""
        return sum(self)


def count_rank_pairs(people: Array, metric: Array) -> RankPairCounts:
    """Return how many pairs of positions two arrays rank alike, oppositely, or tie.

    It takes O(n log n) time (Knight 1966).

    >>> count_rank_pairs(np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 0.0]))
    RankPairCounts(concordant=2, discordant=3, metric_ties=0, people_ties=1, both_ties=0)
    """
    x, y = _dense_ranks(people), _dense_ranks(metric)
    joint = x * (int(y.max(initial=0)) + 1) + y
    everything = len(x) * (len(x) - 1) // 2
    tied_x, tied_y, tied = _count_ties(x), _count_ties(y), _count_ties(np.unique(joint, return_inverse=True)[1])
    discordant = _count_inversions(y[np.argsort(joint, kind="stable")])
    concordant = everything - tied_x - tied_y + tied - discordant
    return RankPairCounts(concordant, discordant, tied_y - tied, tied_x - tied, tied)


def _dense_ranks(values: Array) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _count_ties(numbers: NDArray[np.int64]) -> int:
    counts = np.bincount(numbers)
    return int((counts * (counts - 1) // 2).sum())


def _count_inversions(numbers: NDArray[np.int64]) -> int:
    """Return the number of pairs of positions at which the larger number comes first.

    The algorithm goes through the bits from the highest. Among numbers that agree in all higher bits, in their order,
    it counts for each number with bit 0 the earlier numbers with bit 1."""
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
    """Return Kendall's τ over all outputs at once, or its mean over segments ("item") or systems ("sys").

    Kind "b" is the number of pairs ranked alike minus those ranked in opposite order, divided by the geometric mean of
    the number of pairs that people do not tie and the number that the metric does not tie. The other kinds are those of
    the metrics tasks of 2010 and 2013, which leave out the pairs that people tie. A pair that only the metric ties
    counts as wrong in kind "10" and is left out in kind "13".

    >>> people, metric = np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 3.0])
    >>> [round(kendall(people, metric, kind=kind).value, 3) for kind in TAUS]
    [0.8, 0.6, 1.0]
    """
    return mean_over_groups(kendall_by_group(people, metric, group, kind))


def kendall_by_group(people: Array, metric: Array, group: Group, kind: Tau = "b") -> GroupCoefficients:
    """Return Kendall's τ of each segment ("item"), of each system ("sys"), or of all outputs as one group."""
    if group == "item":
        places, sizes, concordant, discordant, metric_ties, people_ties, _ = _segment_pair_counts(people, metric)
        values = tau_of_counts(concordant, discordant, metric_ties, people_ties, kind)
        why = undefined_reason(people, metric, group) if not len(values) or np.isnan(values).all() else None
        return GroupCoefficients(places, sizes, values, why)

    def group_tau(x: Array, y: Array) -> float:
        counts = count_rank_pairs(x, y)
        concordant, discordant, metric_ties, people_ties, _ = np.array(counts, dtype=np.float64)
        return float(tau_of_counts(concordant, discordant, metric_ties, people_ties, kind))

    return _coefficient_by_group(people, metric, group, group_tau)


def tau_of_counts(concordant: Array, discordant: Array, metric_ties: Array, people_ties: Array, kind: Tau) -> Array:
    """Return Kendall's τ of the given `kind` from counts of pairs, NaN where it is undefined.

    `metric_ties` are pairs that only the metric ties, `people_ties` those that only people tie."""
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
    """Return the share of all pairs of outputs that the metric ranks, or ties, as people do.

    The default is the mean over segments. Only equal scores count as tied.

    >>> accuracy(np.array([[1.0], [1.0], [2.0]]), np.array([[0.1], [0.1], [0.1]])).value
    0.3333333333333333
    """
    return mean_over_groups(accuracy_by_group(people, metric, group))


def accuracy_by_group(people: Array, metric: Array, group: Group, epsilon: float = 0.0) -> GroupCoefficients:
    """Return the accuracy of pairs of each segment ("item"), of each system ("sys"), or of all outputs as one group.

    For segments, metric scores that differ by at most `epsilon`, up to rounding, count as tied."""
    if group == "item":
        places, sizes, concordant, discordant, metric_ties, people_ties, both_ties = _segment_pair_counts(
            people, metric, epsilon + rounding_margin(metric)
        )
        values = (concordant + both_ties) / (concordant + discordant + metric_ties + people_ties + both_ties)
        return GroupCoefficients(places, sizes, values, None if len(values) else _undefined_for_few_outputs(group))

    assert not epsilon, "ε is of differences within segments"

    def group_accuracy(x: Array, y: Array) -> float:
        counts = count_rank_pairs(x, y)
        return (counts.concordant + counts.both_ties) / counts.total

    return _coefficient_by_group(people, metric, group, group_accuracy)


def _segment_pair_counts(
    people: Array, metric: Array, tied: float = 0.0
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array, Array, Array, Array]:
    """Return the indices and sizes of the segments with at least two values, then five counts of their pairs.

    The counts are in the order of the fields of RankPairCounts. Metric scores that differ by at most `tied` count as
    tied."""
    x, y, valid = system_differences(people, metric)
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


def system_differences(people: Array, metric: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return for each pair of systems and segment the human difference, the metric difference, and whether both exist.

    All are pairs × segments, with the pairs in the order of `numpy.triu_indices`. Differences that do not exist are
    0."""
    one, other = np.triu_indices(len(people), 1)
    x, y = people[one] - people[other], metric[one] - metric[other]
    valid = ~(np.isnan(x) | np.isnan(y))
    return np.where(valid, x, 0.0), np.where(valid, y, 0.0), valid


def calibrated_accuracy(people: Array, metric: Array) -> Coefficient:
    """Return the accuracy of pairs of systems with the best ε for ties, averaged over segments.

    Metric scores that differ by at most ε count as tied. ε is the same for all segments and maximises the accuracy; of
    several such ε it is the smallest.

    >>> people, metric = np.array([[1.0, 1.0], [1.0, 2.0]]), np.array([[0.5, 0.2], [0.6, 0.5]])
    >>> found = calibrated_accuracy(people, metric)
    >>> found.value, round(found.epsilon, 3)
    (1.0, 0.1)
    """
    x, y, valid = system_differences(people, metric)
    count = valid.sum(axis=0)
    lines = int(np.count_nonzero(count))
    if not lines:
        return _undefined_for_few_outputs("item")
    part = np.divide(1.0, count, out=np.zeros(len(count)), where=count > 0)
    # As ε reaches the difference of a pair, the pair becomes tied: it turns right if people tie it, else wrong.
    tied_by_people, right = (x == 0) & valid, (x * y > 0) & valid
    changes = (tied_by_people.astype(np.float64) - right) * part
    sizes = np.abs(y)
    start = float((right * part).sum())
    order = np.argsort(sizes[valid], kind="stable")
    candidates, gain = sizes[valid][order], start + np.cumsum(changes[valid][order])
    if candidates[0] > rounding_margin(metric):
        candidates, gain = np.append(0.0, candidates), np.append(start, gain)
    # Differences that are equal up to rounding become ties at the same ε.
    distinct = candidates[1:] - candidates[:-1] > rounding_margin(metric)
    candidates, gain = candidates[np.append(True, distinct)], gain[np.append(distinct, True)]
    best = int(np.flatnonzero(gain >= gain.max() - SAME * lines)[0])
    return CoefficientValue(float(gain[best]) / lines, lines, float(candidates[best]))


def rounding_margin(values: Array) -> float:
    """Return the largest difference of two of the values that rounding alone can explain."""
    return ROUNDING * float(np.nanmax(np.abs(values), initial=0.0))


def tie_shares(people: Array, metric: Array, epsilon: float) -> tuple[float, float]:
    """Return two shares of the pairs of systems within segments: those that the metric ties, and those that people tie.

    The metric ties scores that differ by at most `epsilon`. Both are means over segments; 0 if there is no pair."""
    x, y, valid = system_differences(people, metric)
    count = valid.sum(axis=0)
    used = count > 0
    if not used.any():
        return 0.0, 0.0
    metric_ties, people_ties = (
        ((tied & valid).sum(axis=0)[used]) for tied in (np.abs(y) <= epsilon + rounding_margin(metric), x == 0)
    )
    return float((metric_ties / count[used]).mean()), float((people_ties / count[used]).mean())


# ---------------------------------------------------------------- systems


def system_scores(scores: Array, selected: NDArray[np.bool_] | None = None) -> Array:
    """Return the mean score of each system over its scored (and `selected`) segments, NaN where there is none.

    >>> system_scores(np.array([[1.0, 3.0], [np.nan, 5.0]])).tolist()
    [2.0, 5.0]
    """
    return mean_of_known(scores if selected is None else np.where(selected, scores, np.nan))


def system_accuracy(people: Array, metric: Array) -> Coefficient:
    """Return the share of pairs of systems that the metric ranks as people do, from one score per system.

    A tie agrees with a tie only. `n` is the number of pairs.

    >>> system_accuracy(np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.3, 0.2]))
    CoefficientValue(value=0.6666666666666666, n=3, epsilon=None)
    """
    valid = ~(np.isnan(people) | np.isnan(metric))
    x, y = people[valid], metric[valid]
    if len(x) < 2:
        return _undefined_for_few_systems()
    one, other = np.triu_indices(len(x), 1)
    agree = signs_of_differences(x[one] - x[other], x) == signs_of_differences(y[one] - y[other], y)
    return CoefficientValue(float(agree.mean()), len(agree))


def signs_of_differences(differences: Array, compared_values: Array) -> Array:
    """Return the signs of differences of `compared_values`, 0 where a difference is only rounding."""
    return np.where(np.abs(differences) <= rounding_margin(compared_values), 0.0, np.sign(differences))


def _undefined_for_few_systems() -> UndefinedCoefficient:
    return UndefinedCoefficient(UndefinedReason.FEW, "Fewer than two systems have both a judgement and a score.")


def soft_accuracy(people: Array, metric: Array) -> Coefficient:
    """Return the soft pairwise accuracy: 1 minus the mean gap between human and metric p-values of system pairs.

    Each p-value comes from a permutation test of the pair, one-sided in the order of the systems, so the order matters
    where two systems tie (Thompson and others 2024). The swaps are those of mt-metrics-eval, counted exactly; its own
    sums in single precision may confuse a tie with the observed difference because of rounding. A system without a
    value takes no part. Where some systems lack a segment, each pair uses the segments that it shares, which
    mt-metrics-eval does not support. `n` is the number of segments with at least two systems.

    >>> people = np.array([[0.0, -1.0, 0.0], [-5.0, -1.0, -2.0]])
    >>> soft_accuracy(people, people)
    CoefficientValue(value=1.0, n=3, epsilon=None)
    """
    valid = ~(np.isnan(people) | np.isnan(metric))
    systems, segments = valid.any(axis=1), valid.sum(axis=0) > 1
    if systems.sum() < 2:
        return _undefined_for_few_systems()
    if not segments.any():
        return UndefinedCoefficient(UndefinedReason.FEW, "No segment has a judgement and a score for two systems.")
    used = valid[systems][:, segments]
    p = [system_p_values(np.where(used, scores[systems][:, segments], np.nan)) for scores in (people, metric)]
    return CoefficientValue(float(1.0 - np.nanmean(np.abs(p[0] - p[1]))), int(segments.sum()))


def system_p_values(scores: Array, permutations: int = PERMUTATIONS, seed: int = SEED) -> Array:
    """Return for each pair of systems the p-value that the first is better, in the order of `numpy.triu_indices`.

    It is the share of permutations in which the first system's sum of scores minus the second's is at least as large as
    observed. Each permutation swaps the two systems in random segments, which are the same for all pairs. A pair uses
    the segments that both have; without any its p-value is NaN."""
    swaps, valid = _draw_swaps(permutations, scores.shape[1], seed), ~np.isnan(scores)
    one, other = np.triu_indices(len(scores), 1)
    margin = EQUAL * max(1.0, float(np.nanmax(np.abs(scores), initial=0.0)))
    # A swap changes the difference by minus twice the first system's lead in the swapped segments. So the difference is
    # at least as large as observed where that lead is not positive.
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
def _draw_swaps(permutations: int, lines: int, seed: int) -> Array:
    """Return permutations × segments: 1 where a permutation swaps the two systems in a segment, else 0."""
    stays = np.random.default_rng(seed).random((permutations, lines), dtype=np.float32).round()
    return 1.0 - stays.astype(np.float64)
