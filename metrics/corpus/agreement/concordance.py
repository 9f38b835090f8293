"""Counts pairs of outputs that people and a metric rank alike, in a form that resamples can reuse.

For segments s and t, C_st is the number of pairs of an output of s and an output of t that are ranked alike, less the
pairs that are ranked in opposite order. A resample that has segment s w_s times has the sum Σ w_s w_t C_st, so its
pairs need not be counted again. For very many segments C is too large. The sum is then approximated by its first terms
around the original corpus, which need only the counts of each output against all others. The terms left out are smaller
by a factor of the square root of the number of segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling import single_core_products
from ..table import Array

#: The largest number of segments for which the matrix C is computed.
MOST = 2500

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]


class ExactCounts(NamedTuple):
    """The matrix C, segments × segments: pairs of outputs that people and a metric rank alike, minus opposite pairs.

    An entry sums over all ordered pairs of an output of the one segment and an output of the other. The same class
    holds the counts of untied pairs."""

    sums: Array

    def weighted_sums(self, weights: Array) -> Array:
        """Return the exact sum over all pairs of outputs in each resample.

        `weights` says how often each resample has each segment, segments × resamples."""
        with single_core_products():
            totals: Array = np.einsum("sd,sd->d", weights, self.sums @ weights)
        return totals


class ApproximateCounts(NamedTuple):
    """The sums of pair counts that approximate resamples of very many segments without a matrix of segments × segments.

    Attributes:
        whole: the sum over all pairs of segments.
        rows: for each segment, the sum over its pairs with all segments.
        self_sums: for each segment, the sum over pairs of its own outputs."""

    total: float
    segment_sums: Array
    self_sums: Array

    def weighted_sums(self, weights: Array) -> Array:
        """Return the approximate sum over all pairs of outputs in each resample.

        `weights` says how often each resample has each segment, segments × resamples."""
        more = weights - 1.0
        return self.total + 2 * (self.segment_sums @ more) + self.self_sums @ (more * more)


class PairConcordance(NamedTuple):
    """Counts of pairs of outputs, from which Kendall's τ of any resample of the segments follows.

    Attributes:
        concordant: pairs that people and the metric rank alike, minus pairs that they rank in opposite order.
        untied: pairs that neither people nor the metric tie; None if they were not asked for."""

    concordant: ExactCounts | ApproximateCounts
    untied: ExactCounts | ApproximateCounts | None


def count_concordance(people: Array, metric: Array, valid: Mask, untied: bool = False) -> PairConcordance:
    """Return how often people and a metric rank pairs of outputs alike, over all outputs where `valid` is True.

    All arrays are systems × segments. Pairs that neither side ties are counted too if `untied`. The counts are exact
    for up to MOST segments and approximate for more.

    >>> people, metric = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[1.0, 2.0], [3.0, 0.0]])
    >>> count_concordance(people, metric, np.ones((2, 2), dtype=bool)).concordant.sums.tolist()
    [[2.0, 0.0], [0.0, -2.0]]
    """
    build = _count_approximately if people.shape[1] > MOST else _count_exactly
    return build(_dense_ranks(people, valid), _dense_ranks(metric, valid), valid, untied)


def _dense_ranks(values: Array, valid: Mask) -> NDArray[np.int32]:
    """Return the rank of each value, counted from 0, where equal values share one rank; 0 where `valid` is False."""
    numbers = np.zeros(values.shape, dtype=np.int32)
    numbers[valid] = np.unique(values[valid], return_inverse=True)[1]
    return numbers


def _count_exactly(x: NDArray[np.int32], y: NDArray[np.int32], valid: Mask, untied: bool) -> PairConcordance:
    """Return the exact counts of pairs, segments × segments; `x` and `y` are ranks, systems × segments."""
    if max(x.max(initial=0), y.max(initial=0)) < np.iinfo(np.int16).max:
        x, y = x.astype(np.int16), y.astype(np.int16)  # twice as fast
    size = x.shape[1]
    sums, counted = np.zeros((size, size)), np.zeros((size, size)) if untied else None
    for one in range(len(x)):
        # Sums of products over the other systems fit into 16 bits.
        cross_sums, count = (np.zeros((size, size), dtype=np.int16) for _ in range(2))
        for other in range(one, len(x)):
            products = _signs(x[one], x[other]) * _signs(y[one], y[other])
            products *= valid[one][:, None] & valid[other][None, :]
            if one == other:
                sums += products
            else:
                cross_sums += products
            if counted is not None:
                if one == other:
                    counted += np.abs(products)
                else:
                    count += np.abs(products)
        sums += cross_sums
        sums += cross_sums.T
        if counted is not None:
            counted += count
            counted += count.T
    return PairConcordance(ExactCounts(sums), None if counted is None else ExactCounts(counted))


def _signs(rows: NDArray[np.int32], columns: NDArray[np.int32]) -> NDArray[np.int8]:
    """Return the sign of each value of `rows` minus each value of `columns`."""
    a, b = rows[:, None], columns[None, :]
    return (a > b).view(np.int8) - (a < b).view(np.int8)


def _count_approximately(x: NDArray[np.int32], y: NDArray[np.int32], valid: Mask, untied: bool) -> PairConcordance:
    """Return the approximate counts of pairs, for very many segments; `x` and `y` are ranks, systems × segments."""
    segments = np.broadcast_to(np.arange(x.shape[1]), x.shape)[valid]
    alike, against = _count_concordant_and_discordant(x[valid].astype(np.int64), y[valid].astype(np.int64))
    own_alike, own_against = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for one in range(len(x)):
        for other in range(len(x)):
            products = np.sign(x[one] - x[other]) * np.sign(y[one] - y[other]) * (valid[one] & valid[other])
            own_alike += products > 0
            own_against += products < 0

    def form(each: Array, self_sums: Array) -> ApproximateCounts:
        rows = np.bincount(segments, each, minlength=x.shape[1]).astype(np.float64)
        return ApproximateCounts(float(rows.sum()), rows, self_sums)

    concordant = form(alike - against, own_alike - own_against)
    return PairConcordance(concordant, form(alike + against, own_alike + own_against) if untied else None)


def _count_concordant_and_discordant(x: Whole, y: Whole) -> tuple[Array, Array]:
    """Return for each output how many others the ranks `x` and `y` order alike with it, and how many oppositely."""
    top_x, top_y = int(x.max(initial=0)), int(y.max(initial=0))
    alike = count_dominated(x, y) + count_dominated(top_x - x, top_y - y)
    against = count_dominated(x, top_y - y) + count_dominated(top_x - x, y)
    return alike.astype(np.float64), against.astype(np.float64)


def count_dominated(x: Whole, y: Whole) -> Whole:
    """Return for each position how many others have a lower value in both `x` and `y`, which hold integers from 0.

    The algorithm goes through the bits of y from the highest, with the positions sorted by x, and equal x by descending
    y. Among positions whose higher bits are the same, a position with bit 1 is above all earlier positions with bit 0.

    >>> count_dominated(np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2])).tolist()
    [0, 1, 0, 3]
    """
    order = np.lexsort((-y, x))
    below = np.zeros(len(x), dtype=np.int64)
    for bit in range(int(y.max(initial=0)).bit_length() - 1, -1, -1):
        of = y[order]
        above, zeros = of >> (bit + 1), 1 - (of >> bit & 1)
        starts = np.flatnonzero(np.append(True, above[1:] != above[:-1]))
        before = np.cumsum(zeros) - zeros
        before -= np.repeat(before[starts], np.diff(np.append(starts, len(of))))
        below[order] += before * (1 - zeros)
        order = order[np.argsort(of >> bit, kind="stable")]
    return below
