"""Correlations of many metrics with people's judgements, of systems and of outputs, with intervals by resampling.

A resample draws segments, with all their systems (Koehn 2004, Lin and Och 2004); of outputs it draws outputs, as Liu
and Gildea (2006) do. All metrics have the same resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....text.judgements import JudgementRecord
from ...resampling import counts, interval, sums
from ...table import Array
from ...table import StatisticsTable as Scores
from .. import correlation
from . import rows
from .experiment import ExperimentPlace, ExperimentTable, ExperimentValue
from .scoring import opened, sign

#: Places that a row of a table opens.
OPENED = 10
#: What the rows of people, and of a metric whose scores changed places by chance, are called.
JUDGES, CHANCE = "one judge by another", "chance: scores in any order"
#: Orders of the scores by which chance is told.
PERMUTATIONS = 200
#: Of how many resamples at least half must have a coefficient, so that there is an interval.
_HALF = 0.5


# ---------------------------------------------------------------- systems


class CorrelationSide(NamedTuple):
    """What makes a score a system of segments: what is added up over them, systems × segments × columns, and the scores
    of sums, whose last axis are the columns; higher is better."""

    columns: Array
    of: Callable[[Array], Array]


def by_scores(tables: Sequence[Scores]) -> CorrelationSide:
    """A metric: the mean of its corpus scores in several tables, such as those with one reference left out each."""
    each = [table.summed for table in tables]
    ends = np.cumsum([columns.shape[2] for columns in each])[:-1]

    def mean_scores(totals: Array) -> Array:
        parts = np.split(totals, ends, axis=-1)
        scores: Array = np.mean([table.of_sums(part) for table, part in zip(tables, parts, strict=True)], axis=0)
        return sign(tables[0].metric) * scores

    return CorrelationSide(np.concatenate(each, axis=2), mean_scores)


def by_ratings(ratings: Array) -> CorrelationSide:
    """People: the mean of the ratings, systems × segments, that there are, NaN where a resample has none."""
    valid = ~np.isnan(ratings)

    def mean_ratings(totals: Array) -> Array:
        means: Array = np.divide(
            totals[..., 0], totals[..., 1], out=np.full(totals.shape[:-1], np.nan), where=totals[..., 1] > 0
        )
        return means

    return CorrelationSide(np.stack([np.where(valid, ratings, 0.0), valid.astype(np.float64)], axis=2), mean_ratings)


class Coefficients(NamedTuple):
    """Pearson's r and Spearman's ρ."""

    pearson: ExperimentValue
    spearman: ExperimentValue


def of_systems(
    people: CorrelationSide, metrics: Mapping[str, CorrelationSide], systems: Sequence[int], resamples: int, seed: int
) -> dict[str, Coefficients]:
    """The coefficients of metrics with people over systems that people judged, and that have scores. They have 95 %
    intervals."""
    at = list(systems)
    sides = [CorrelationSide(side.columns[at], side.of) for side in (people, *metrics.values())]
    flat = [np.moveaxis(side.columns, 0, 1).reshape(side.columns.shape[1], -1) for side in sides]
    drawn = sums(flat, resamples, seed)
    scores = [side.of(side.columns.sum(axis=1)) for side in sides]
    resampled_scores = [
        side.of(each.reshape(resamples, len(at), side.columns.shape[2]))
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
            value_of(
                float(coefficient(scores[0][valid], real[valid])),
                coefficient(resampled_scores[0][:, valid], resampled[:, valid]),
            )
            for coefficient in (rows.pearson, rows.spearman)
        ]
        out[name] = Coefficients(*values)
    return out


def value_of(real: float, drawn: Array) -> ExperimentValue:
    """A coefficient with the interval of its resamples; without one where half of them have none."""
    if np.isnan(real):
        return ExperimentValue(None, why="All scores or all judgements are the same, so there is nothing to correlate.")
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < max(2, _HALF * len(drawn)):
        return ExperimentValue(real)
    return ExperimentValue(real, *interval(defined))


# ---------------------------------------------------------------- outputs


def of_outputs(
    people: Array, metrics: Mapping[str, Array], resamples: int, seed: int, by_segment: bool = False
) -> dict[str, ExperimentValue]:
    """Pearson's r of metrics with people over all outputs that are judged, and that have scores, systems × segments,
    with its 95 % interval where there are resamples: of single outputs, or `by_segment` of segments with all their
    systems."""
    valid = ~np.isnan(people)
    out: dict[str, ExperimentValue] = {}
    if incomplete := {name: each for name, each in metrics.items() if np.isnan(each[valid]).any()}:
        for name, scores in incomplete.items():
            judged = np.where(np.isnan(scores), np.nan, people)
            out |= of_outputs(judged, {name: np.nan_to_num(scores)}, resamples, seed, by_segment)
    x = people[valid]
    each = {name: scores[valid] for name, scores in metrics.items() if name not in incomplete}
    coefficients = {name: correlation.pearson(x, y) for name, y in each.items()}
    segments = np.nonzero(valid)[1] if by_segment else np.arange(len(x))
    size = people.shape[1] if by_segment else len(x)
    drawn = [np.empty(0)] * len(each)
    if resamples and len(x) > 1:
        drawn = _pearsons(x, each.values(), segments, size, resamples, seed)
    out |= {
        name: value_of(value.value, resampled)
        if isinstance(value, correlation.CoefficientValue)
        else ExperimentValue(None, why=value.text)
        for (name, value), resampled in zip(coefficients.items(), drawn, strict=True)
    }
    return out


def _pearsons(
    x: Array, each: Iterable[Array], parts: NDArray[np.intp], size: int, resamples: int, seed: int
) -> list[Array]:
    """Pearson's r of each resample of so many parts, each value being of one of them: of centred values the sums of six
    products make it."""
    x = x - x.mean()
    columns = [np.ones(len(x)), x, x * x]
    for y in each:
        y = y - y.mean()
        columns += [y, y * y, x * y]
    products = np.stack([np.bincount(parts, column, size) for column in columns], axis=1)
    sums_of = np.concatenate([drawn @ products for drawn in counts(size, resamples, seed)])
    means = np.divide(
        sums_of[:, 1:], sums_of[:, :1], out=np.full((len(sums_of), len(columns) - 1), np.nan), where=sums_of[:, :1] > 0
    )
    mean, square = means[:, 0], means[:, 1]
    spread = square - mean**2
    out = []
    for at in range(2, means.shape[1], 3):
        ours, squares, cross_means = means[:, at], means[:, at + 1], means[:, at + 2]
        below = spread * (squares - ours**2)
        fine = below > 0
        r = np.divide(
            cross_means - mean * ours, np.sqrt(np.where(fine, below, 1.0)), out=np.full(len(below), np.nan), where=fine
        )
        out.append(np.clip(r, -1.0, 1.0))
    return out


# ---------------------------------------------------------------- people, chance, and what is opened


def judged_systems(judged: JudgementRecord, scale: str) -> list[int]:
    """The systems of which anything is judged on a scale."""
    return [s for s in range(len(judged.systems)) if not np.isnan(judged.ratings[scale][s]).all()]


def two_judges(judged: JudgementRecord, scale: str, seed: int) -> tuple[Array, Array] | None:
    """Two judgements, by different judges drawn by chance, of each output that has two, systems × segments, NaN where
    it has not; None where nothing has two."""
    ratings = judged.ratings[scale]
    valid = ~np.isnan(ratings)
    number = valid.sum(axis=2)
    if not (number > 1).any():
        return None
    order = np.where(valid, np.random.default_rng(seed).random(ratings.shape), np.inf).argsort(axis=2)
    turned = 1.0 if next(each for each in judged.scales if each.name == scale).higher_is_better else -1.0
    first, second = (
        np.where(number > 1, turned * np.take_along_axis(ratings, order[:, :, n : n + 1], axis=2)[:, :, 0], np.nan)
        for n in (0, 1)
    )
    return first, second


def chance(
    scores: Array, people: Array, seed: int, permutations: int = PERMUTATIONS
) -> tuple[Coefficients, Coefficients]:
    """The coefficients over systems, and over outputs, of a metric that knows nothing: its scores, systems × segments,
    put in any order. The mean of so many orders, and the middle 95 % of them."""
    random = np.random.default_rng(seed)
    valid = ~np.isnan(people)
    systems = valid.any(axis=1)
    side = by_ratings(people[systems])
    means = side.of(side.columns.sum(axis=1))
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
    values = [value_of(float(np.mean(each)), np.array(each)) for each in samples]
    return Coefficients(*values[:2]), Coefficients(*values[2:])


def disagreements(scores: Scores, people: Array, most: int = OPENED) -> tuple[ExperimentPlace, ...]:
    """The outputs of which the metric and people say the most different."""
    places = farthest(sign(scores.metric) * scores.scores, people, most)
    return tuple([opened(scores, system, segment) for system, segment in places])


def plainly_apart(numbers: Array, people: Array, key: str = "") -> tuple[ExperimentPlace, ...]:
    """The same of numbers, higher being better, of which the metric with this key shows most; "" where none does, as
    of other programs and of judges."""
    return tuple([ExperimentPlace(system, segment, key) for system, segment in farthest(numbers, people)])


def farthest(numbers: Array, people: Array, most: int = OPENED) -> list[tuple[int, int]]:
    """The systems and segments whose numbers, higher being better, are farthest from what people said, both less their
    mean and by their standard deviation, of those that have both; none where one of both is the same for all."""
    valid = ~(np.isnan(people) | np.isnan(numbers))
    if np.count_nonzero(valid) < 2 or not np.ptp(numbers[valid]) or not np.ptp(people[valid]):
        return []
    x, y = ((each - each[valid].mean()) / each[valid].std() for each in (people, numbers))
    gap = np.where(valid, np.abs(x - y), -1.0).ravel()
    order = np.argsort(-gap, kind="stable")[: min(most, np.count_nonzero(valid))]
    return [(at // people.shape[1], at % people.shape[1]) for at in order.tolist()]


def reach(tables: Sequence[ExperimentTable]) -> tuple[str, ...]:
    """How wide the intervals of tables are, as a sentence; none where there are none."""
    each = [row_value for table in tables for row in table.rows for row_value in row.values if row_value]
    widths = [one.high - one.low for one in each if one.low is not None and one.high is not None]
    if not widths:
        return ()
    return (f"The intervals reach {np.mean(widths) / 2:.2f} to either side: smaller differences say little.",)
