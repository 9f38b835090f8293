"""Correlates many metrics with human judgements of systems and of outputs, with intervals by resampling.

A resample draws segments with all their systems (Koehn 2004, Lin and Och 2004), or single outputs as in Liu and Gildea
(2006). All metrics use the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....text.judgements import JudgementRecord
from ....types.columns import ratio
from ...resampling import interval, resample_counts, resample_sums
from ...table import Array
from ...table import StatisticsTable as Scores
from .. import correlation
from . import rows
from .experiment import ExperimentData, ExperimentRow, ExperimentTable, ExperimentValue, OpenedOutput
from .scoring import output_place

#: Number of outputs that a row of a table opens.
OPENED = 10
#: Labels of the row that compares judges, and of the row of permuted scores.
JUDGES, CHANCE = "one judge by another", "chance: scores in any order"
#: Number of permutations that the row of chance averages over.
PERMUTATIONS = 200
#: Share of the resamples that must define a coefficient for it to have an interval.
_HALF = 0.5


# ---------------------------------------------------------------- systems


class CorrelationSide(NamedTuple):
    """The people or a metric in a correlation over systems: how to score each system of any resample of segments.

    Attributes:
        columns: statistics that are summed over segments, systems × segments × columns.
        score_sums: maps such sums, whose last axis are the columns, to scores of the systems; higher is better."""

    columns: Array
    score_sums: Callable[[Array], Array]


def score_side(tables: Sequence[Scores]) -> CorrelationSide:
    """Return a metric as a side of a correlation: a system scores the mean of its corpus scores in `tables`.

    Several tables can differ in the reference that is left out."""
    each = [table.summed_columns for table in tables]
    ends = np.cumsum([columns.shape[2] for columns in each])[:-1]

    def mean_scores(totals: Array) -> Array:
        parts = np.split(totals, ends, axis=-1)
        scores: Array = np.mean([table.scores_of_sums(part) for table, part in zip(tables, parts, strict=True)], axis=0)
        return tables[0].metric.sign * scores

    return CorrelationSide(np.concatenate(each, axis=2), mean_scores)


def rating_side(ratings: Array) -> CorrelationSide:
    """Return people as a side of a correlation: a system scores the mean of its ratings that are not NaN.

    `ratings` is systems × segments. The mean is NaN where a resample has no rating."""
    valid = ~np.isnan(ratings)

    def mean_ratings(totals: Array) -> Array:
        return ratio(totals[..., 0], totals[..., 1], np.nan)

    return CorrelationSide(np.stack([np.where(valid, ratings, 0.0), valid.astype(np.float64)], axis=2), mean_ratings)


class Coefficients(NamedTuple):
    """Pearson's r and Spearman's ρ of a metric with people."""

    pearson: ExperimentValue
    spearman: ExperimentValue


def correlate_systems(
    people: CorrelationSide, metrics: Mapping[str, CorrelationSide], systems: Sequence[int], resamples: int, seed: int
) -> dict[str, Coefficients]:
    """Return the correlation of each metric with people over systems, by name, with 95 % intervals.

    `systems` are the indices of the judged systems. Systems without a score are left out; the coefficients are
    undefined if fewer than three remain."""
    at = list(systems)
    sides = [CorrelationSide(side.columns[at], side.score_sums) for side in (people, *metrics.values())]
    flat = [np.moveaxis(side.columns, 0, 1).reshape(side.columns.shape[1], -1) for side in sides]
    drawn = resample_sums(flat, resamples, seed)
    scores = [side.score_sums(side.columns.sum(axis=1)) for side in sides]
    resampled_scores = [
        side.score_sums(each.reshape(resamples, len(at), side.columns.shape[2]))
        for side, each in zip(sides, drawn, strict=True)
    ]
    out = {}
    for name, real, resampled in zip(metrics, scores[1:], resampled_scores[1:], strict=True):
        valid = np.flatnonzero(~np.isnan(real))
        if len(valid) < min(3, len(real)):
            none = ExperimentValue(None, why="Fewer than three of the judged systems have such scores.")
            out[name] = Coefficients(none, none)
            continue
        values = [
            value_with_interval(
                float(coefficient(scores[0][valid], real[valid])),
                coefficient(resampled_scores[0][:, valid], resampled[:, valid]),
            )
            for coefficient in (rows.pearson, rows.spearman)
        ]
        out[name] = Coefficients(*values)
    return out


def correlate_judges(
    two_judgements: tuple[Array, Array], systems: Sequence[int], resamples: int, seed: int
) -> Coefficients:
    """Return the correlation over systems of two judgements of each output, as `correlate_systems` has it."""
    first, second = map(rating_side, two_judgements)
    return correlate_systems(first, {JUDGES: second}, systems, resamples, seed)[JUDGES]


def value_with_interval(real: float, drawn: Array) -> ExperimentValue:
    """Return the coefficient `real` with the 95 % interval of its resampled values `drawn`.

    There is no interval if fewer than half of the resamples define the coefficient."""
    if np.isnan(real):
        return ExperimentValue(None, why="All scores or all judgements are the same, so there is nothing to correlate.")
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < max(2, _HALF * len(drawn)):
        return ExperimentValue(real)
    return ExperimentValue(real, *interval(defined))


# ---------------------------------------------------------------- outputs


def correlate_outputs(
    people: Array, metrics: Mapping[str, Array], resamples: int, seed: int, by_segment: bool = False
) -> dict[str, ExperimentValue]:
    """Return Pearson's r of each metric with people, by name, over all outputs that have a judgement and a score.

    All arrays are systems × segments. If `resamples` is not 0 there are 95 % intervals. They resample single outputs,
    or with `by_segment` segments with all their systems."""
    valid = ~np.isnan(people)
    out: dict[str, ExperimentValue] = {}
    if incomplete := {name: each for name, each in metrics.items() if np.isnan(each[valid]).any()}:
        for name, scores in incomplete.items():
            judged = np.where(np.isnan(scores), np.nan, people)
            out |= correlate_outputs(judged, {name: np.nan_to_num(scores)}, resamples, seed, by_segment)
    x = people[valid]
    each = {name: scores[valid] for name, scores in metrics.items() if name not in incomplete}
    coefficients = {name: correlation.pearson(x, y) for name, y in each.items()}
    segments = np.nonzero(valid)[1] if by_segment else np.arange(len(x))
    size = people.shape[1] if by_segment else len(x)
    drawn = [np.empty(0)] * len(each)
    if resamples and len(x) > 1:
        drawn = _resampled_pearsons(x, each.values(), segments, size, resamples, seed)
    out |= {
        name: value_with_interval(value.value, resampled)
        if isinstance(value, correlation.CoefficientValue)
        else ExperimentValue(None, why=value.text)
        for (name, value), resampled in zip(coefficients.items(), drawn, strict=True)
    }
    return out


def _resampled_pearsons(
    x: Array, each: Iterable[Array], parts: NDArray[np.intp], size: int, resamples: int, seed: int
) -> list[Array]:
    """Return Pearson's r of each metric in each resample; `x` has the human score of each output, `each` the metrics'.

    Resamples draw with replacement from `size` units, which are outputs or segments; `parts` is the index of the unit
    of each output. Sums of products of the centred values are enough for that."""
    x = x - x.mean()
    columns = [np.ones(len(x)), x, x * x]
    for y in each:
        y = y - y.mean()
        columns += [y, y * y, x * y]
    products = np.stack([np.bincount(parts, column, size) for column in columns], axis=1)
    sums_of = np.concatenate([drawn @ products for drawn in resample_counts(size, resamples, seed)])
    means = np.divide(
        sums_of[:, 1:], sums_of[:, :1], out=np.full((len(sums_of), len(columns) - 1), np.nan), where=sums_of[:, :1] > 0
    )
    mean, square = means[:, 0], means[:, 1]
    spread = square - mean**2
    out = []
    for at in range(2, means.shape[1], 3):
        ours, squares, cross_means = means[:, at], means[:, at + 1], means[:, at + 2]
        below = spread * (squares - ours**2)
        r = ratio(cross_means - mean * ours, np.sqrt(np.maximum(below, 0.0)), np.nan)
        out.append(np.clip(r, -1.0, 1.0))
    return out


# ---------------------------------------------------------------- people, chance, and the outputs to open


def judged_systems(judged: JudgementRecord, scale: str) -> list[int]:
    """Return the indices of the systems that have at least one judgement on the scale."""
    return [s for s in range(len(judged.systems)) if not np.isnan(judged.ratings[scale][s]).all()]


def describe_unjudged_systems(data: ExperimentData, scale: str, systems: Sequence[int]) -> list[str]:
    """Return a sentence on the systems that are not among the judged ones on a scale; empty if all are."""
    names = [name for s, name in enumerate(data.systems) if s not in systems]
    return [f"{scale}: without {', '.join(names)}, whose outputs nobody judged."] if names else []


def draw_two_judgements(judged: JudgementRecord, scale: str, seed: int) -> tuple[Array, Array] | None:
    """Return two arrays, systems × segments, with two judgements of each output by different judges drawn at random.

    Higher is better. Outputs with fewer than two judgements are NaN. Returns None if no output has two."""
    ratings = judged.ratings[scale]
    valid = ~np.isnan(ratings)
    number = valid.sum(axis=2)
    if not (number > 1).any():
        return None
    order = np.where(valid, np.random.default_rng(seed).random(ratings.shape), np.inf).argsort(axis=2)
    sign = judged.scale(scale).sign
    first, second = (
        np.where(number > 1, sign * np.take_along_axis(ratings, order[:, :, n : n + 1], axis=2)[:, :, 0], np.nan)
        for n in (0, 1)
    )
    return first, second


def chance_coefficients(
    scores: Array, people: Array, seed: int, permutations: int = PERMUTATIONS
) -> tuple[Coefficients, Coefficients]:
    """Return the correlations with people, over systems and over outputs, that a metric without knowledge reaches.

    `scores`, systems × segments, are permuted `permutations` times. A value is the mean over the permutations, with the
    middle 95 % as its interval."""
    random = np.random.default_rng(seed)
    valid = ~np.isnan(people)
    systems = valid.any(axis=1)
    side = rating_side(people[systems])
    means = side.score_sums(side.columns.sum(axis=1))
    outputs = people[valid]
    samples: list[list[float]] = [[], [], [], []]
    ranked = correlation.ranks(outputs)
    for _ in range(permutations):
        shuffled = random.permutation(scores.ravel()).reshape(scores.shape)
        ours, each = shuffled[systems].mean(axis=1), shuffled[valid]
        for to, coefficient in zip(
            samples,
            (rows.pearson(means, ours), rows.spearman(means, ours), rows.pearson(outputs, each), None),
            strict=True,
        ):
            to.append(float(rows.pearson(ranked, correlation.ranks(each)) if coefficient is None else coefficient))
    values = [value_with_interval(float(np.mean(each)), np.array(each)) for each in samples]
    return Coefficients(*values[:2]), Coefficients(*values[2:])


def most_disputed_outputs(scores: Scores, people: Array, most: int = OPENED) -> tuple[OpenedOutput, ...]:
    """Return the `most` outputs on which the metric and the human scores `people` differ most."""
    places = most_different(scores.oriented_scores, people, most)
    return tuple([output_place(scores, system, segment) for system, segment in places])


def most_different_places(numbers: Array, people: Array, key: str = "") -> tuple[OpenedOutput, ...]:
    """Return the outputs on which `numbers` and the human scores `people` differ most, for a page to open.

    Higher is better in both. `key` is the metric that a page shows them with; "" for other programs and for judges."""
    return tuple([OpenedOutput(system, segment, key) for system, segment in most_different(numbers, people)])


def most_different(numbers: Array, people: Array, most: int = OPENED) -> list[tuple[int, int]]:
    """Return the (system, segment) indices of the `most` outputs on which numbers and human scores differ most.

    Both are standardised before. Only outputs that have both values are used. The result is empty if all values of one
    side are equal."""
    valid = ~(np.isnan(people) | np.isnan(numbers))
    if np.count_nonzero(valid) < 2 or not np.ptp(numbers[valid]) or not np.ptp(people[valid]):
        return []
    x, y = ((each - each[valid].mean()) / each[valid].std() for each in (people, numbers))
    gap = np.where(valid, np.abs(x - y), -1.0).ravel()
    order = np.argsort(-gap, kind="stable")[: min(most, np.count_nonzero(valid))]
    return [(at // people.shape[1], at % people.shape[1]) for at in order.tolist()]


def correlation_rows(
    values: Mapping[str, Sequence[ExperimentValue | None]], opens: Mapping[str, tuple[OpenedOutput, ...]]
) -> tuple[ExperimentRow, ...]:
    """Return a row for each name that has any value; `opens` has the outputs that a row opens."""
    return tuple(
        [
            ExperimentRow(name, tuple(each), opens.get(name, ()), name in (CHANCE, JUDGES))
            for name, each in values.items()
            if any(each)
        ]
    )


def describe_interval_widths(tables: Sequence[ExperimentTable]) -> tuple[str, ...]:
    """Return a sentence on the mean width of the intervals of the tables; empty if there are no intervals."""
    each = [row_value for table in tables for row in table.rows for row_value in row.values if row_value]
    widths = [one.high - one.low for one in each if one.low is not None and one.high is not None]
    if not widths:
        return ()
    return (f"The intervals are ± {np.mean(widths) / 2:.2f} on average: smaller differences say little.",)
