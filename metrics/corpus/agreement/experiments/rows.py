"""Computes correlations of thousands of short rows at once, such as pseudo-documents or resamples over systems.

The values equal those of `agreement.correlation`, and are NaN where that calls a coefficient undefined."""

from __future__ import annotations

import math

import numpy as np

from ....types.columns import ratio
from ...resampling import ROUNDING
from ...table import Array

#: Maximum number of pairs of values that are compared at once.
AT_ONCE = 8_000_000


def ranks(values: Array) -> Array:
    """Return the rank of each value within its row (the last axis), counted from 1.

    Equal values share the mean of their ranks. Values that differ by rounding only are equal, since sums in another
    order differ so. A row with a NaN is all NaN.

    >>> ranks(np.array([[5.0, 1.0, 5.0], [1.0, 2.0, 3.0]])).tolist()
    [[2.5, 1.0, 2.5], [1.0, 2.0, 3.0]]
    """
    shape = values.shape
    flat = values.reshape(-1, shape[-1])
    out = np.empty_like(flat)
    step = max(1, AT_ONCE // max(1, shape[-1] ** 2))
    for at in range(0, len(flat), step):
        block = flat[at : at + step]
        margin = ROUNDING * np.maximum(1.0, np.abs(block).max(axis=1, keepdims=True))[:, :, None]
        difference = block[:, :, None] - block[:, None, :]
        above = (difference > margin).sum(axis=2)
        equal = (np.abs(difference) <= margin).sum(axis=2)
        out[at : at + step] = np.where(np.isnan(margin[:, :, 0]), np.nan, above + (equal + 1) / 2)
    return out.reshape(shape)


def pearson(x: Array, y: Array) -> Array:
    """Return Pearson's r of each pair of rows (last axis); NaN where all values of `x` or of `y` are equal.

    >>> pearson(np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([[3.0, 4.0], [4.0, 4.0]])).round(6).tolist()
    [1.0, nan]
    """
    x, y = _centred(x), _centred(y)
    below = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    above = (x * y).sum(axis=-1)
    return np.clip(ratio(above, below, np.nan), -1.0, 1.0)


def _centred(values: Array) -> Array:
    """Return the values minus the mean of their row (the last axis); zeros for rows that differ by rounding only."""
    centred = values - values.mean(axis=-1, keepdims=True)
    level = np.abs(values).max(axis=-1, keepdims=True)
    return np.where(np.abs(centred).max(axis=-1, keepdims=True) > ROUNDING * level, centred, 0.0)


def spearman(x: Array, y: Array) -> Array:
    """Return Spearman's ρ of each pair of rows (last axis); NaN where all values of `x` or of `y` are equal."""
    return pearson(ranks(x), ranks(y))


def wilcoxon(differences: Array) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test (1945) on `differences`.

    Differences of 0 are left out, and equal ones share the mean of their ranks. p uses the normal approximation with
    the variance corrected for ties. It is 1 if no difference is left.

    >>> round(wilcoxon(np.array([1.0, 2.0, 3.0, -4.0, 5.0, 0.0])), 4)
    0.3452
    """
    nonzero = differences[np.abs(differences) > ROUNDING]
    if not len(nonzero):
        return 1.0
    _, place, count = np.unique(np.abs(nonzero).round(12), return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    rank = (ends - (count - 1) / 2)[place]
    n = len(nonzero)
    mean = n * (n + 1) / 4
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((count.astype(np.float64) ** 3 - count).sum()) / 48
    z = (float(rank[nonzero > 0].sum()) - mean) / math.sqrt(variance)
    return math.erfc(abs(z) / math.sqrt(2))
