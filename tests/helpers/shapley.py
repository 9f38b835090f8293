"""Compute Shapley values (Shapley 1953) directly from the definition, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations


def shares(count: int, value: Callable[[Sequence[int]], float]) -> list[float]:
    """Return the Shapley value of each of `count` changes: its mean gain over all orders of making the changes.

    `value` is called with the indices of the changes made so far, in the order of making them, and returns a number.

    >>> shares(2, lambda made: float(len(made) == 2))
    [0.5, 0.5]
    """
    out = [0.0] * count
    orders = list(permutations(range(count)))
    for order in orders:
        for t, number in enumerate(order):
            out[number] += (value(order[: t + 1]) - value(order[:t])) / len(orders)
    return out
