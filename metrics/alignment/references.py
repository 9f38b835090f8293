"""The choice of the best of several references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def best_reference(limits: Sequence[float], evaluate: Callable[[int], tuple[float, T]]) -> tuple[int, T]:
    """Return the index of the reference with the highest value, the lowest index on ties, and its details.

    `evaluate(k)` returns the value of reference k, which is at most `limits[k]`, and any details that the caller wants.
    It is not called for a reference whose limit is below a value that was already found.

    >>> best_reference([0.5, 0.9, 0.8], lambda k: ((0.5, 0.7, 0.7)[k], f"reference {k + 1}"))
    (1, 'reference 2')
    """
    if len(limits) == 1:
        return 0, evaluate(0)[1]
    first, *others = sorted(range(len(limits)), key=limits.__getitem__, reverse=True)
    best = first
    top, what = evaluate(first)
    for k in others:
        if limits[k] < top:
            break
        value, details = evaluate(k)
        if value > top or (value == top and k < best):
            best, top, what = k, value, details
    return best, what
