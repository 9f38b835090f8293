"""Pairs of outputs that two rank alike, summed for each two segments, so that resamples need not count them again.

A resample that has segment s so many times as w says has Σ w_s w_t C_st pairs ranked alike less those ranked the other
way round, C_st being the same of the outputs of two segments. Of very many segments C is too large; there the sum is
that of its first terms around the corpus itself, which needs only what each output has with all others: what is left
out is smaller by the root of the number of segments.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling import one_thread
from ..table import Array

#: Segments up to which C is made.
MOST = 2500

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Exact(NamedTuple):
    """C, segments × segments: sums over all ordered pairs of outputs."""

    sums: Array

    def weighted_sums(self, weights: Array) -> Array:
        """The sum of each resample, from weights segments × resamples."""
        with one_thread():
            totals: Array = np.einsum("sd,sd->d", weights, self.sums @ weights)
        return totals


class Nearly(NamedTuple):
    """The sum over all segments, that of each with all, and that of each with itself."""

    whole: float
    rows: Array
    self_sums: Array

    def weighted_sums(self, weights: Array) -> Array:
        """The sum of each resample, nearly."""
        more = weights - 1.0
        totals: Array = self.whole + 2 * (self.rows @ more) + self.self_sums @ (more * more)
        return totals


class PairConcordance(NamedTuple):
    """How pairs are ranked: alike less the other way round, and how many neither side ties, None if not asked for."""

    concordant: Exact | Nearly
    untied: Exact | Nearly | None


def pairs(people: Array, metric: Array, valid: Mask, untied: bool = False) -> PairConcordance:
    """The pairs of all outputs, systems × segments, of those that are there.

    >>> people, metric = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[1.0, 2.0], [3.0, 0.0]])
    >>> pairs(people, metric, np.ones((2, 2), dtype=bool)).concordant.sums.tolist()
    [[2.0, 0.0], [0.0, -2.0]]
    """
    build = _nearly if people.shape[1] > MOST else _exact
    return build(_numbers(people, valid), _numbers(metric, valid), valid, untied)


def _numbers(values: Array, valid: Mask) -> NDArray[np.int32]:
    """The values' numbers in rising order, equal ones the same, 0 where there is none."""
    numbers = np.zeros(values.shape, dtype=np.int32)
    numbers[valid] = np.unique(values[valid], return_inverse=True)[1]
    return numbers


def _exact(x: NDArray[np.int32], y: NDArray[np.int32], valid: Mask, untied: bool) -> PairConcordance:
    if max(x.max(initial=0), y.max(initial=0)) < np.iinfo(np.int16).max:
        x, y = x.astype(np.int16), y.astype(np.int16)  # twice as fast
    size = x.shape[1]
    sums, counted = np.zeros((size, size)), np.zeros((size, size)) if untied else None
    for one in range(len(x)):
        # The sums over other systems stand in numbers that hold them all.
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
    return PairConcordance(Exact(sums), None if counted is None else Exact(counted))


def _signs(rows: NDArray[np.int32], columns: NDArray[np.int32]) -> NDArray[np.int8]:
    a, b = rows[:, None], columns[None, :]
    return (a > b).view(np.int8) - (a < b).view(np.int8)


def _nearly(x: NDArray[np.int32], y: NDArray[np.int32], valid: Mask, untied: bool) -> PairConcordance:
    segments = np.broadcast_to(np.arange(x.shape[1]), x.shape)[valid]
    alike, against = _with_all(x[valid].astype(np.int64), y[valid].astype(np.int64))
    own_alike, own_against = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for one in range(len(x)):
        for other in range(len(x)):
            products = np.sign(x[one] - x[other]) * np.sign(y[one] - y[other]) * (valid[one] & valid[other])
            own_alike += products > 0
            own_against += products < 0

    def form(each: Array, self_sums: Array) -> Nearly:
        rows = np.bincount(segments, each, minlength=x.shape[1]).astype(np.float64)
        return Nearly(float(rows.sum()), rows, self_sums)

    concordant = form(alike - against, own_alike - own_against)
    return PairConcordance(concordant, form(alike + against, own_alike + own_against) if untied else None)


def _with_all(x: Whole, y: Whole) -> tuple[Array, Array]:
    """For each of two rows' places with how many others it is ranked alike, and with how many the other way round."""
    top_x, top_y = int(x.max(initial=0)), int(y.max(initial=0))
    alike = dominated(x, y) + dominated(top_x - x, top_y - y)
    against = dominated(x, top_y - y) + dominated(top_x - x, y)
    return alike.astype(np.float64), against.astype(np.float64)


def dominated(x: Whole, y: Whole) -> Whole:
    """For each place how many others are below it in both rows, whole numbers from 0.

    Bit by bit of y from the highest, among places whose y is the same so far: those with a 1 are above those before
    them with a 0, where places stand in the order of x, and of equal ones the higher y first.

    >>> dominated(np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2])).tolist()
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
