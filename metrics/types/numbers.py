"""The arithmetic of scores for single numbers; `columns` has the same functions for columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

sqrt = math.sqrt
log = math.log
any_true = bool
total = math.fsum


def ratio(above: float, below: float, otherwise: float = 0.0) -> float:
    """Return `above` / `below`, or `otherwise` where `below` is 0.

    >>> ratio(1, 2), ratio(1, 0)
    (0.5, 0.0)
    """
    return above / below if below else otherwise


def divisor(value: float) -> float:
    """Return `value`, or infinity if it is 0, so that a number divided by the result becomes 0 then.

    >>> 1 / divisor(2), 1 / divisor(0)
    (0.5, 0.0)
    """
    return value or math.inf


def rate(errors: float, words: float) -> float:
    """Return an error rate: `errors` per word, or the number of errors where there are no words.

    >>> rate(1, 2), rate(1, 0)
    (0.5, 1.0)
    """
    return errors / (words or 1)


def minimum(a: float, b: float) -> float:
    """Return the smaller of two numbers, `a` if they are equal."""
    return b if b < a else a


def where(condition: float, yes: float, no: float) -> float:
    """Return `yes` if `condition` is true or not 0, else `no`."""
    return yes if condition else no


def geometric_mean(values: Sequence[float], counts: Sequence[float] | None = None) -> float:
    """Return the geometric mean of the values, or, given `counts`, of the values whose count is not 0.

    Return 0 where one of these values is 0 and where there are no values.

    >>> round(geometric_mean([0.5, 0.125, 0.0], [4, 3, 0]), 12), geometric_mean([0.5, 0.0])
    (0.25, 0.0)
    """
    if counts:
        values = [value for value, count in zip(values, counts, strict=True) if count]
    # The mean of logarithms, because the product could underflow.
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values and all(values) else 0.0


def exponential(times: float) -> float:
    """Return e to the power 1 − `times`, BLEU's brevity penalty for a reference `times` as long as the candidate."""
    return math.exp(1 - times)


def brevity(candidate: float, reference: float, penalty: Callable[[float], float] = exponential) -> float:
    """Return a brevity penalty: the factor, from 0 to 1, for a candidate that is shorter than its reference.

    `candidate` and `reference` are lengths. The factor is 1 for a candidate at least as long as the reference and 0 for
    an empty one. Otherwise it is `penalty` of the ratio of the reference's length to the candidate's.

    >>> [round(brevity(n, 2), 3) for n in (0, 1, 2, 3)]
    [0.0, 0.368, 1.0, 1.0]
    """
    return 1.0 if candidate >= reference else penalty(reference / candidate) if candidate else 0.0


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return F = (1 + β²)PR / (R + β²P), or 0 where precision or recall is 0.

    >>> round(f_measure(0.5, 1.0), 3)
    0.667
    """
    if precision <= 0 or recall <= 0:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (recall + square * precision)
