"""Coefficients of thousands of short rows at once, such as those of pseudo-documents and resamples over systems.

They are those of `agreement.correlation`, NaN where that has none.
"""

from __future__ import annotations

import math

import numpy as np

from ...resampling import ROUNDING
from ...table import Array

#: Values that are compared with each other at once.
AT_ONCE = 8_000_000


def ranks(values: Array) -> Array:
    """Along the last axis the rank of each value from 1, equal ones with the mean of theirs; equal are those that
    differ by rounding alone, as sums that were added up in another order do. NaN in a row that has one.

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
    """Pearson's r along the last axis; NaN where all values of one are the same.

    >>> pearson(np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([[3.0, 4.0], [4.0, 4.0]])).round(6).tolist()
    [1.0, nan]
    """
    x, y = _centred(x), _centred(y)
    below = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    above = (x * y).sum(axis=-1)
    coefficients: Array = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return np.clip(coefficients, -1.0, 1.0)


def _centred(values: Array) -> Array:
    """Less their mean; 0 where they differ by rounding alone."""
    centred = values - values.mean(axis=-1, keepdims=True)
    level = np.abs(values).max(axis=-1, keepdims=True)
    deviations: Array = np.where(np.abs(centred).max(axis=-1, keepdims=True) > ROUNDING * level, centred, 0.0)
    return deviations


def spearman(x: Array, y: Array) -> Array:
    """Spearman's ρ along the last axis; NaN where all values of one are the same."""
    return pearson(ranks(x), ranks(y))


def wilcoxon(differences: Array) -> float:
    """Wilcoxon's signed ranks (1945): p, two-sided, of differences that are as often above 0 as below by chance.

    Differences of 0 are left out, equal ones have the mean of their ranks, and p is that of the normal distribution
    with the variance corrected for them; 1 where no difference is left.

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
