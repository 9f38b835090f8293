"""The arithmetic of scores for columns, which are float64 arrays of equal length; each function works row by row.

`numbers` has the same functions for single numbers. This module needs numpy, so only code that has columns imports it.

>>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
array([0.5, 0. ])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[np.float64]

sqrt = np.sqrt
minimum = np.minimum
any_true = np.any


def log(values: Column, base: float) -> Column:
    logs: Column = np.log(values) / np.log(base)
    return logs


def ratio(above: Column, below: Column, otherwise: Column | float = 0.0) -> Column:
    out = np.full(below.shape, otherwise)
    np.divide(above, below, out=out, where=below != 0)
    return out


def mean_of_known(values: Column, axis: int = -1) -> Column:
    """Return the mean along an axis of the values that are not NaN; NaN where all are."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis), np.nan)


def divisor(value: Column) -> Column:
    return np.where(value == 0, np.inf, value)


def rate(errors: Column, words: Column) -> Column:
    return errors / np.where(words == 0, 1.0, words)


def where(condition: Any, yes: Column | float, no: Column | float) -> Column:
    return np.where(condition, yes, no)


def total(values: Iterable[Column]) -> Column:
    sums: Column = np.sum([*values], axis=0)
    return sums


def geometric_mean(values: Sequence[Column], counts: Sequence[Column] | None = None) -> Column:
    counted = np.not_equal(values if counts is None else counts, 0) | (counts is None)
    nothing = counted & np.equal(values, 0)
    logs = np.log(values, out=np.zeros(counted.shape), where=counted & ~nothing)
    number = counted.sum(axis=0)
    mean = np.exp(logs.sum(axis=0) / np.maximum(number, 1))
    return np.where((number > 0) & ~nothing.any(axis=0), mean, 0.0)


def exponential(times: Column) -> Column:
    return np.exp(1 - times)


def brevity(candidate: Column, reference: Column, penalty: Callable[[Column], Column] = exponential) -> Column:
    times = ratio(np.maximum(candidate, reference), candidate, 1.0)
    return np.where(candidate >= reference, 1.0, np.where(candidate == 0, 0.0, penalty(times)))


def f_measure(precision: Column, recall: Column, beta: Column | float = 1.0) -> Column:
    square = np.square(beta)
    return ratio((1 + square) * precision * recall, recall + square * precision)
