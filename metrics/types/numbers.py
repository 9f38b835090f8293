"""The arithmetic of scores for numbers; `columns` has the same names for columns of them, and `ARITHMETIC` says
which is meant."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

sqrt = math.sqrt
log = math.log
any_true = bool
total = math.fsum


def ratio(above: float, below: float, otherwise: float = 0.0) -> float:
    """above / below; where below is 0 something else, 0 unless given.

    >>> ratio(1, 2), ratio(1, 0)
    (0.5, 0.0)
    """
    return above / below if below else otherwise


def divisor(value: float) -> float:
    """What several amounts are to be divided by that are 0 where it is 0: it is infinity there.

    >>> 1 / divisor(2), 1 / divisor(0)
    (0.5, 0.0)
    """
    return value or math.inf


def rate(errors: float, words: float) -> float:
    """Errors per word; their number where there is no word.

    >>> rate(1, 2), rate(1, 0)
    (0.5, 1.0)
    """
    return errors / (words or 1)


def minimum(a: float, b: float) -> float:
    """The smaller of two, the first of equal ones."""
    return b if b < a else a


def where(condition: float, yes: float, no: float) -> float:
    """`yes` where the condition is true or not 0, else `no`."""
    return yes if condition else no


def geometric_mean(values: Sequence[float], counts: Sequence[float] | None = None) -> float:
    """The geometric mean of the values, of those whose count is not 0 where counts are given; 0 where one of them is
    0, and of none.

    >>> round(geometric_mean([0.5, 0.125, 0.0], [4, 3, 0]), 12), geometric_mean([0.5, 0.0])
    (0.25, 0.0)
    """
    if counts:
        values = [value for value, count in zip(values, counts, strict=True) if count]
    # Not the product, which could be too small for a number.
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values and all(values) else 0.0


def exponential(times: float) -> float:
    """BLEU's penalty where the reference is so many times as long as the candidate."""
    return math.exp(1 - times)


def brevity(candidate: float, reference: float, penalty: Callable[[float], float] = exponential) -> float:
    """What a candidate's length costs: nothing (1) where it is at least the reference's, all (0) where it is 0, else
    the penalty for how many times as long the reference is.

    >>> [round(brevity(n, 2), 3) for n in (0, 1, 2, 3)]
    [0.0, 0.368, 1.0, 1.0]
    """
    return 1.0 if candidate >= reference else penalty(reference / candidate) if candidate else 0.0


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """F = (1 + β²)PR / (R + β²P); 0 when precision or recall is 0.

    >>> round(f_measure(0.5, 1.0), 3)
    0.667
    """
    if precision <= 0 or recall <= 0:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (recall + square * precision)
