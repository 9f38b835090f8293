"""What of an agreement with people is chance: intervals by resampling segments with all their systems.

A resample has each segment as often as it was drawn, so that every coefficient is a function of these numbers w.
Pearson needs sums of products, which are one product of matrices for all resamples. Kendall's pairs of outputs count
as often as both their segments were drawn: wᵀCw with C segments × segments, the sum over pairs of how they are ranked
(`concordance`). Spearman's ranks are those of values that come w times. A copy beside itself is tied in both, so it
counts for nothing. Coefficients within segments are the segments' own, weighted.

Sources: Efron (1979), the percentile interval; Deutsch, Dror and Roth (2021), resampling inputs for correlations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import resampling
from ..resampling import Interval, interval, one_thread
from ..table import Array
from . import concordance, correlation
from .columns import AgreementColumn, means_of
from .correlation import Group, Tau

#: Resamples of Pearson, and of what takes longer.
MANY, FEW = 5000, 1000
#: Resamples that are gone through together, at the most; of very many outputs fewer.
TOGETHER = 128
#: An interval is of at least so large a part of the resamples: in the others the coefficient is undefined.
DEFINED = 0.5


class SegmentDraws(NamedTuple):
    """How often each of so many resamples has each segment: resamples × segments, the same ones for all metrics, 0
    everywhere for a segment that nobody judged."""

    counts: NDArray[np.uint8]

    def parts(self, number: int) -> Iterator[Array]:
        """The first ones, in parts."""
        step = max(1, resampling.PART // max(1, self.counts.shape[1]))
        for at in range(0, number, step):
            yield self.counts[at : min(at + step, number)].astype(np.float64)

    @property
    def number(self) -> int:
        return len(self.counts)


def draws(judged: NDArray[np.bool_], number: int = MANY, seed: int = resampling.SEED) -> SegmentDraws:
    """Resamples of the segments that are judged, as many in each as there are.

    >>> draws(np.array([True, False, True]), 2).counts[:, 1].tolist()
    [0, 0]
    """
    counts = np.zeros((number, len(judged)), dtype=np.uint8)
    places = np.flatnonzero(judged)
    if len(places):
        drawn = np.concatenate([part.astype(np.uint8) for part in resampling.counts(len(places), number, seed)])
        counts[:, places] = drawn
    return SegmentDraws(counts)


def of_samples(samples: Array) -> Interval | None:
    """The 95 % interval of a coefficient's resamples, NaN those in which it is undefined; None where most are."""
    defined = samples[~np.isnan(samples)]
    if not len(samples) or len(defined) < DEFINED * len(samples):
        return None
    return interval(defined)


# ---------------------------------------------------------------- segments


def segment_samples(
    people: Array, metric: Array, group: Group, kind: Tau, epsilon: float | None, drawn: SegmentDraws
) -> dict[str, Array]:
    """The coefficients of a metric at the level of segments in each resample, by their names; that of accuracy only
    with an ε, which stays the same."""
    few = min(FEW, drawn.number)
    out = {}
    if group == "item":
        coefficients = {
            "pearson": (correlation.pearsons(people, metric, group), drawn.number),
            "spearman": (correlation.spearmans(people, metric, group), few),
            "kendall": (correlation.kendalls(people, metric, group, kind), few),
        }
        out = {name: _weighted(groups, drawn, number) for name, (groups, number) in coefficients.items()}
    else:
        out["pearson"] = _pearson_samples(people, metric, group, drawn)
        out["spearman"], out["kendall"] = _ranked_samples(people, metric, group, kind, drawn, few)
    if epsilon is not None:
        out["accuracy"] = _weighted(correlation.accuracies(people, metric, "item", epsilon), drawn, few)
    return out


def _weighted(groups: correlation.Groups, drawn: SegmentDraws, number: int) -> Array:
    """Means of segments' values, each as often as its segment was drawn."""
    valid = ~np.isnan(groups.values)
    stacked = np.stack([np.where(valid, groups.values, 0.0), valid.astype(np.float64)], axis=1)
    parts = []
    for counts in drawn.parts(number):
        with one_thread():
            sums = counts[:, groups.places] @ stacked
        parts.append(np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0))
    return np.concatenate(parts)


def _pearson_samples(people: Array, metric: Array, group: Group, drawn: SegmentDraws) -> Array:
    valid = ~(np.isnan(people) | np.isnan(metric))
    if not valid.any():
        return np.full(drawn.number, np.nan)
    # Near 0 and of a size, so that sums of squares lose nothing.
    x, y = (np.where(valid, values - values[valid].mean(), 0.0) for values in (people, metric))
    x, y = (values / (np.abs(values).max() or 1.0) for values in (x, y))
    each = np.stack([valid.astype(np.float64), x, y, x * x, x * y, y * y], axis=2)  # systems × segments × 6
    if group == "none":
        each = each.sum(axis=0, keepdims=True)
    columns = each.transpose(1, 0, 2).reshape(each.shape[1], -1)
    parts = []
    for counts in drawn.parts(drawn.number):
        with one_thread():
            sums = (counts @ columns).reshape(len(counts), -1, 6)
        parts.append(_mean_of(_pearson_of_sums(sums)))
    return np.concatenate(parts)


def _pearson_of_sums(sums: Array) -> Array:
    """Pearson's r of n, Σx, Σy, Σxx, Σxy, Σyy in the last axis, NaN where one of both is constant but for rounding."""
    n, x, y, xx, xy, yy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        varies = (spread_x > 1e-12 * xx) & (spread_y > 1e-12 * yy)
        coefficients: Array = np.where(varies, (xy - x * y / n) / np.sqrt(spread_x * spread_y), np.nan)
    return np.clip(coefficients, -1.0, 1.0)


def _mean_of(values: Array) -> Array:
    """The mean over the last axis of what is defined, NaN where nothing is."""
    valid = ~np.isnan(values)
    count = valid.sum(axis=-1)
    sums = np.where(valid, values, 0.0).sum(axis=-1)
    means: Array = np.divide(sums, count, out=np.full(count.shape, np.nan), where=count > 0)
    return means


# ---------------------------------------------------------------- ranks and pairs


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """Values in rising order: the segments they belong to, where each run of equal ones begins, and of each value in
    its own place the number of its run."""

    segments: NDArray[np.intp]
    starts: NDArray[np.intp]
    run: NDArray[np.intp]


def _ranked(values: Array, segments: NDArray[np.intp]) -> _Ranked:
    order = np.argsort(values, kind="stable")
    _, run, count = np.unique(values, return_inverse=True, return_counts=True)
    return _Ranked(segments[order], np.cumsum(count) - count, run)


def _totals(of: _Ranked, weights: Array) -> Array:
    """How often each run of equal values was drawn: runs × draws, from weights segments × draws."""
    totals: Array = np.add.reduceat(weights[of.segments], of.starts, axis=0)
    return totals


def _ranked_samples(
    people: Array, metric: Array, group: Group, kind: Tau, drawn: SegmentDraws, number: int
) -> tuple[Array, Array]:
    """Spearman and Kendall in the first resamples."""
    valid = ~(np.isnan(people) | np.isnan(metric))
    systems = [*range(len(people))]
    system_groups = [systems] if group == "none" else [[n] for n in systems]
    samples = [
        _of_systems(people[at], metric[at], valid[at], kind, drawn, number) for at in system_groups if valid[at].any()
    ]
    if not samples:
        return np.full(number, np.nan), np.full(number, np.nan)
    spearman, kendall = (_mean_of(np.stack(each, axis=1)) for each in zip(*samples, strict=True))
    return spearman, kendall


def _of_systems(
    people: Array, metric: Array, valid: NDArray[np.bool_], kind: Tau, drawn: SegmentDraws, number: int
) -> tuple[Array, Array]:
    """The same over all outputs of some systems."""
    segments = np.broadcast_to(np.arange(valid.shape[1]), valid.shape)[valid]
    x, y = people[valid], metric[valid]
    of_x, of_y = _ranked(x, segments), _ranked(y, segments)
    both_rank = concordance.pairs(people, metric, valid, kind != "b")
    spearman, kendall = np.empty(number), np.empty(number)
    step = min(TOGETHER, max(1, resampling.PART // len(x)))
    for at in range(0, number, step):
        end = min(at + step, number)
        weights = np.ascontiguousarray(drawn.counts[at:end].T, dtype=np.float64)
        n = weights[segments].sum(axis=0)
        totals = _totals(of_x, weights), _totals(of_y, weights)
        # Ranks less their mean, (n + 1) / 2; of a run that was drawn t times, up to the end of which c are drawn, the
        # mean rank is c - (t - 1) / 2.
        mids = [np.cumsum(each, axis=0) - each / 2 - n / 2 for each in totals]
        spreads = [(each * mid * mid).sum(axis=0) for each, mid in zip(totals, mids, strict=True)]
        products = np.einsum("nd,nd,nd->d", weights[segments], mids[0][of_x.run], mids[1][of_y.run])
        spearman[at:end] = _ratio(products, np.sqrt(spreads[0] * spreads[1]))
        above = both_rank.concordant.weighted_sums(weights)
        untied_x, untied_y = (n * n - (each * each).sum(axis=0) for each in totals)
        if both_rank.untied is None:
            kendall[at:end] = _ratio(above, np.sqrt(untied_x) * np.sqrt(untied_y))
        else:
            of_both = both_rank.untied.weighted_sums(weights)
            ties = untied_x - of_both if kind == "10" else 0.0
            kendall[at:end] = _ratio(above - ties, of_both + ties)
    return spearman, kendall


def _ratio(above: Array, below: Array) -> Array:
    ratios: Array = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return ratios


# ---------------------------------------------------------------- systems


def system_samples(people: Array, column: AgreementColumn, kind: Tau, drawn: SegmentDraws) -> dict[str, Array]:
    """The coefficients of a column at the level of systems in each resample, by their names; none where nobody knows
    what the systems' scores would be."""
    few = min(FEW, drawn.number)
    theirs, ours = [], []
    for counts in drawn.parts(drawn.number):
        scores = column.resampled_scores(counts)
        if scores is None:
            return {}
        theirs.append(means_of(people, counts))
        ours.append(scores)
    x, y = np.concatenate(theirs), np.concatenate(ours)
    return {name: of(x[:number], y[:number]) for name, (of, number) in _ROWS(kind, drawn.number, few).items()}


def _ROWS(kind: Tau, many: int, few: int) -> Mapping[str, tuple[Callable[[Array, Array], Array], int]]:
    return {
        "pearson": (pearson_rows, many),
        "spearman": (spearman_rows, few),
        "kendall": (lambda x, y: kendall_rows(x, y, kind), few),
        "accuracy": (accuracy_rows, few),
    }


def pearson_rows(x: Array, y: Array) -> Array:
    """Pearson's r of each row, of the places where both have a value; NaN where it is undefined."""
    valid = ~(np.isnan(x) | np.isnan(y))
    n = valid.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y = (
            np.where(valid, v - np.where(valid, v, 0.0).sum(axis=1, keepdims=True) / n[:, None], 0.0) for v in (x, y)
        )
    size_x, size_y = np.sqrt((x * x).sum(axis=1)), np.sqrt((y * y).sum(axis=1))
    varies = (n > 1) & (size_x > 0) & (size_y > 0)
    coefficients: Array = np.divide((x * y).sum(axis=1), size_x * size_y, out=np.full(len(x), np.nan), where=varies)
    return coefficients.clip(-1.0, 1.0)


def spearman_rows(x: Array, y: Array) -> Array:
    """Spearman's ρ of each row."""
    valid = ~(np.isnan(x) | np.isnan(y))
    x, y = (np.where(valid, values, np.nan) for values in (x, y))

    def ranks(values: Array) -> Array:
        a, b = values[:, :, None], values[:, None, :]
        row_ranks: Array = np.where(valid, (a > b).sum(axis=2) + ((a == b).sum(axis=2) + 1) / 2, np.nan)
        return row_ranks

    return pearson_rows(ranks(x), ranks(y))


def kendall_rows(x: Array, y: Array, kind: Tau = "b") -> Array:
    """Kendall's τ of each row."""
    a, b, valid = _row_signs(x, y)

    def count(which: NDArray[np.bool_]) -> Array:
        counts: Array = (which & valid).sum(axis=1).astype(np.float64)
        return counts

    return correlation.tau(
        count(a * b > 0), count(a * b < 0), count((a != 0) & (b == 0)), count((a == 0) & (b != 0)), kind
    )


def accuracy_rows(x: Array, y: Array) -> Array:
    """The part of pairs of systems that both rank alike, of each row."""
    a, b, valid = _row_signs(x, y)
    right = ((a == b) & valid).sum(axis=1)
    count = valid.sum(axis=1)
    shares: Array = np.divide(right, count, out=np.full(len(x), np.nan), where=count > 0)
    return shares


def _row_signs(x: Array, y: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    one, other = np.triu_indices(x.shape[1], 1)
    a, b = x[:, one] - x[:, other], y[:, one] - y[:, other]
    valid = ~(np.isnan(a) | np.isnan(b))
    margins = [resampling.ROUNDING * np.nanmax(np.abs(v), initial=0.0) for v in (x, y)]
    a, b = (np.where(valid & (np.abs(v) > margin), np.sign(v), 0.0) for v, margin in zip((a, b), margins, strict=True))
    return a, b, valid
