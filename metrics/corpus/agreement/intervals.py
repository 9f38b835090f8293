"""Computes confidence intervals of agreement coefficients by resampling segments with all their systems.

A resample has each segment as often as it was drawn, so every coefficient is a function of the counts w. Pearson needs
weighted sums of products, which are one matrix product for all resamples. For Kendall a pair of outputs counts as often
as both its segments were drawn: the sum is wᵀCw, where C, segments × segments, sums how the pairs are ranked
(`concordance`). Spearman ranks values that occur w times. A drawn copy of an output is tied with the output on both
sides, so the pair does not count. Coefficients within segments are weighted means of the coefficients of the segments.

Sources: Efron (1979), the percentile interval; Deutsch, Dror and Roth (2021), resampling inputs for correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...types.columns import mean_of_known, ratio
from .. import resampling
from ..resampling import Interval, interval, single_core_products
from ..table import Array
from . import concordance, correlation
from .coefficients import COEFFICIENTS
from .columns import AgreementColumn, mean_scores
from .correlation import Coefficient, CoefficientValue, Group, Tau

#: Number of resamples for Pearson, and for the coefficients that take longer.
MANY, FEW = 5000, 1000
#: Maximum number of resamples that are processed together; fewer for very many outputs.
TOGETHER = 128
#: An interval needs a defined coefficient in at least this share of the resamples.
DEFINED = 0.5


class SegmentDraws(NamedTuple):
    """The number of times that each resample draws each segment, resamples × segments.

    All metrics share the same draws. Segments that nobody judged have 0 everywhere."""

    counts: NDArray[np.uint8]

    def count_batches(self, number: int) -> Iterator[Array]:
        """Yield the draw counts of the first `number` resamples in batches, resamples × segments, to save memory."""
        step = max(1, resampling.PART // max(1, self.counts.shape[1]))
        for at in range(0, number, step):
            yield self.counts[at : min(at + step, number)].astype(np.float64)

    @property
    def number(self) -> int:
        """Return the number of resamples."""
        return len(self.counts)


def draw_resamples(judged: NDArray[np.bool_], number: int = MANY, seed: int = resampling.SEED) -> SegmentDraws:
    """Return `number` resamples of the judged segments, each of which draws as many segments as are judged.

    `judged` says which segments have a judgement.

    >>> draw_resamples(np.array([True, False, True]), 2).counts[:, 1].tolist()
    [0, 0]
    """
    counts = np.zeros((number, len(judged)), dtype=np.uint8)
    places = np.flatnonzero(judged)
    if len(places):
        drawn = np.concatenate(
            [part.astype(np.uint8) for part in resampling.resample_counts(len(places), number, seed)]
        )
        counts[:, places] = drawn
    return SegmentDraws(counts)


def sample_interval(samples: Array) -> Interval | None:
    """Return the middle 95 % of the values that a coefficient has in the resamples.

    NaN marks resamples in which the coefficient is undefined. Returns None where too few are defined."""
    defined = samples[~np.isnan(samples)]
    if not len(samples) or len(defined) < DEFINED * len(samples):
        return None
    return interval(defined)


# ---------------------------------------------------------------- segments


def resample_segment_level(
    people: Array, metric: Array, group: Group, kind: Tau, epsilon: float | None, drawn: SegmentDraws
) -> dict[str, Array]:
    """Return the value of each coefficient at segment level in each resample, by the coefficient's name.

    `people` and `metric` are scores, systems × segments; `kind` is the variant of Kendall's τ. Accuracy is included
    only if its `epsilon` is given; ε is the same in all resamples."""
    few = min(FEW, drawn.number)
    out: dict[str, Array] = {}
    if group == "item":
        for name, coefficient in COEFFICIENTS.items():
            if coefficient.by_group is not None and not coefficient.has_epsilon:
                number = drawn.number if coefficient.is_quick else few
                out[name] = _resampled_means(coefficient.by_group(people, metric, group, kind, 0.0), drawn, number)
    else:
        out["pearson"] = _pearson_samples(people, metric, group, drawn)
        out["spearman"], out["kendall"] = _ranked_samples(people, metric, group, kind, drawn, few)
        for name, coefficient in COEFFICIENTS.items():
            if coefficient.over_outputs is not None and not coefficient.has_epsilon and name not in out:
                out[name] = _samples_draw_by_draw(coefficient.over_outputs, people, metric, group, kind, drawn, few)
    for name, coefficient in COEFFICIENTS.items():
        if coefficient.by_group is not None and coefficient.has_epsilon and epsilon is not None:
            out[name] = _resampled_means(coefficient.by_group(people, metric, "item", kind, epsilon), drawn, few)
    return out


def _resampled_means(groups: correlation.GroupCoefficients, drawn: SegmentDraws, number: int) -> Array:
    """Return in each of the first `number` resamples the mean coefficient over the groups.

    A group, such as a segment, counts as often as it is drawn."""
    valid = ~np.isnan(groups.values)
    stacked = np.stack([np.where(valid, groups.values, 0.0), valid.astype(np.float64)], axis=1)
    parts = []
    for counts in drawn.count_batches(number):
        with single_core_products():
            sums = counts[:, groups.indices] @ stacked
        parts.append(ratio(sums[:, 0], sums[:, 1], np.nan))
    return np.concatenate(parts)


def _samples_draw_by_draw(
    over_outputs: Callable[[Array, Array, Group, Tau], Coefficient],
    people: Array,
    metric: Array,
    group: Group,
    kind: Tau,
    drawn: SegmentDraws,
    number: int,
) -> Array:
    """Return a coefficient in each of the first `number` resamples, for which there is no faster way.

    Each segment stands in the resample as often as it was drawn."""
    samples = np.full(number, np.nan)
    for n, counts in enumerate(drawn.counts[:number]):
        found = over_outputs(np.repeat(people, counts, axis=1), np.repeat(metric, counts, axis=1), group, kind)
        if isinstance(found, CoefficientValue):
            samples[n] = found.value
    return samples


def _pearson_samples(people: Array, metric: Array, group: Group, drawn: SegmentDraws) -> Array:
    """Return Pearson's r in each resample, over all outputs ("none") or as the mean over the systems ("sys")."""
    valid = ~(np.isnan(people) | np.isnan(metric))
    if not valid.any():
        return np.full(drawn.number, np.nan)
    # Centred and scaled, so that sums of squares lose no precision.
    x, y = (np.where(valid, values - values[valid].mean(), 0.0) for values in (people, metric))
    x, y = (values / (np.abs(values).max() or 1.0) for values in (x, y))
    each = np.stack([valid.astype(np.float64), x, y, x * x, x * y, y * y], axis=2)  # systems × segments × 6
    if group == "none":
        each = each.sum(axis=0, keepdims=True)
    columns = each.transpose(1, 0, 2).reshape(each.shape[1], -1)
    parts = []
    for counts in drawn.count_batches(drawn.number):
        with single_core_products():
            sums = (counts @ columns).reshape(len(counts), -1, 6)
        parts.append(mean_of_known(_pearson_of_sums(sums)))
    return np.concatenate(parts)


def _pearson_of_sums(sums: Array) -> Array:
    """Return Pearson's r from sums over outputs: the last axis holds n, Σx, Σy, Σxx, Σxy and Σyy.

    It is NaN where x or y is constant up to rounding."""
    n, x, y, xx, xy, yy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        varies = (spread_x > 1e-12 * xx) & (spread_y > 1e-12 * yy)
        coefficients: Array = np.where(varies, (xy - x * y / n) / np.sqrt(spread_x * spread_y), np.nan)
    return np.clip(coefficients, -1.0, 1.0)


# ---------------------------------------------------------------- ranks and pairs


@dataclass(frozen=True, slots=True, eq=False)
class _SortedValues:
    """The scores of some outputs sorted in ascending order, and grouped into runs of equal scores.

    Attributes:
        segments: the segment of each sorted score.
        starts: index in the sorted scores at which each run begins.
        run: index of the run of each score, in the original order of the scores."""

    segments: NDArray[np.intp]
    starts: NDArray[np.intp]
    run: NDArray[np.intp]


def _sort_values(values: Array, segments: NDArray[np.intp]) -> _SortedValues:
    """Return the sort order of `values`, whose segments are `segments`, with their runs of equal values."""
    order = np.argsort(values, kind="stable")
    _, run, count = np.unique(values, return_inverse=True, return_counts=True)
    return _SortedValues(segments[order], np.cumsum(count) - count, run)


def _count_draws_of_runs(of: _SortedValues, weights: Array) -> Array:
    """Return how often each run of equal values was drawn, runs × draws.

    `weights` says how often each segment was drawn, segments × draws."""
    return np.add.reduceat(weights[of.segments], of.starts, axis=0)


def _ranked_samples(
    people: Array, metric: Array, group: Group, kind: Tau, drawn: SegmentDraws, number: int
) -> tuple[Array, Array]:
    """Return Spearman's ρ and Kendall's τ in each of the first `number` resamples.

    They are over all outputs ("none") or means over the systems ("sys")."""
    valid = ~(np.isnan(people) | np.isnan(metric))
    systems = [*range(len(people))]
    system_groups = [systems] if group == "none" else [[n] for n in systems]
    samples = [
        _rank_samples(people[at], metric[at], valid[at], kind, drawn, number) for at in system_groups if valid[at].any()
    ]
    if not samples:
        return np.full(number, np.nan), np.full(number, np.nan)
    spearman, kendall = (mean_of_known(np.stack(each, axis=1)) for each in zip(*samples, strict=True))
    return spearman, kendall


def _rank_samples(
    people: Array, metric: Array, valid: NDArray[np.bool_], kind: Tau, drawn: SegmentDraws, number: int
) -> tuple[Array, Array]:
    """Return Spearman's ρ and Kendall's τ over all outputs of the given systems, in the first `number` resamples."""
    segments = np.broadcast_to(np.arange(valid.shape[1]), valid.shape)[valid]
    x, y = people[valid], metric[valid]
    of_x, of_y = _sort_values(x, segments), _sort_values(y, segments)
    both_rank = concordance.count_concordance(people, metric, valid, kind != "b")
    spearman, kendall = np.empty(number), np.empty(number)
    step = min(TOGETHER, max(1, resampling.PART // len(x)))
    for at in range(0, number, step):
        end = min(at + step, number)
        weights = np.ascontiguousarray(drawn.counts[at:end].T, dtype=np.float64)
        n = weights[segments].sum(axis=0)
        totals = _count_draws_of_runs(of_x, weights), _count_draws_of_runs(of_y, weights)
        # Ranks minus their mean, (n + 1) / 2. A run that was drawn t times, and that ends after c drawn values, has the
        # mean rank c - (t - 1) / 2.
        mids = [np.cumsum(each, axis=0) - each / 2 - n / 2 for each in totals]
        spreads = [(each * mid * mid).sum(axis=0) for each, mid in zip(totals, mids, strict=True)]
        products = np.einsum("nd,nd,nd->d", weights[segments], mids[0][of_x.run], mids[1][of_y.run])
        spearman[at:end] = ratio(products, np.sqrt(spreads[0] * spreads[1]), np.nan)
        above = both_rank.concordant.weighted_sums(weights)
        untied_x, untied_y = (n * n - (each * each).sum(axis=0) for each in totals)
        if both_rank.untied is None:
            kendall[at:end] = ratio(above, np.sqrt(untied_x) * np.sqrt(untied_y), np.nan)
        else:
            of_both = both_rank.untied.weighted_sums(weights)
            ties = untied_x - of_both if kind == "10" else 0.0
            kendall[at:end] = ratio(above - ties, of_both + ties, np.nan)
    return spearman, kendall


# ---------------------------------------------------------------- systems


def resample_system_level(people: Array, column: AgreementColumn, kind: Tau, drawn: SegmentDraws) -> dict[str, Array]:
    """Return the value of each coefficient at system level in each resample, by the coefficient's name.

    The result is empty if the scores of the systems were given as fixed numbers and cannot be resampled."""
    few = min(FEW, drawn.number)
    theirs, ours = [], []
    for counts in drawn.count_batches(drawn.number):
        scores = column.resampled_scores(counts)
        if scores is None:
            return {}
        theirs.append(mean_scores(people, counts))
        ours.append(scores)
    x, y = np.concatenate(theirs), np.concatenate(ours)
    out = {}
    for name, coefficient in COEFFICIENTS.items():
        if coefficient.of_rows is not None:
            number = drawn.number if coefficient.is_quick else few
            out[name] = coefficient.of_rows(x[:number], y[:number], kind)
    return out
