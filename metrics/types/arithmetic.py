"""Which arithmetic a score is computed with: that of numbers, or of columns of them.

A metric's `from_stats` takes both and stands once: it takes what its equations have beside + and ** from `ARITHMETIC`.

>>> ARITHMETIC[float].ratio(1.0, 0.0)
0.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from . import numbers

if TYPE_CHECKING:
    from .columns import Column

#: A number, or a column: a float64 array that has the numbers of many segments, or of many sums of segments.
Amount = TypeVar("Amount", float, "Column")


class Arithmetic(Protocol[Amount]):
    """What `numbers` and `columns` have; the docstrings of `numbers` say what each is."""

    def sqrt(self, value: Amount, /) -> Amount: ...
    def log(self, value: Amount, base: float, /) -> Amount: ...
    def minimum(self, a: Amount, b: float, /) -> Amount: ...
    def ratio(self, above: Amount, below: Amount, otherwise: Amount | float = 0.0, /) -> Amount: ...
    def divisor(self, value: Amount, /) -> Amount: ...
    def rate(self, errors: Amount, words: Amount, /) -> Amount: ...
    def any_true(self, condition: Any, /) -> bool: ...
    def where(self, condition: Any, yes: Amount | float, no: Amount | float, /) -> Amount: ...
    def total(self, values: Iterable[Amount], /) -> Amount: ...
    def geometric_mean(self, values: Sequence[Amount], counts: Sequence[Amount] | None, /) -> Amount: ...
    def brevity(self, candidate: Amount, reference: Amount, penalty: Callable[[Amount], Amount] = ..., /) -> Amount: ...
    def f_measure(self, precision: Amount, recall: Amount, beta: Amount | float = 1.0, /) -> Amount: ...


class _Arithmetics(dict[type, Any]):
    """By the type of an amount; a dictionary, as a function would cost as much as the equations of a short metric."""

    if TYPE_CHECKING:

        def __getitem__(self, kind: type[Amount]) -> Arithmetic[Amount]: ...

    def __missing__(self, kind: type) -> Any:
        if issubclass(kind, float | int):
            return numbers
        from . import columns

        self[kind] = columns
        return columns


#: The arithmetic for a type of amounts.
ARITHMETIC = _Arithmetics({float: numbers, int: numbers})
