"""The choice of the arithmetic with which a score is computed: for single numbers, or for columns of numbers.

A metric's `from_stats` is written once for both. Where its equations need more than operators such as + and **, it
takes the function from `ARITHMETIC`, by the type of its amounts.

>>> ARITHMETIC[float].ratio(1.0, 0.0)
0.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from . import numbers

if TYPE_CHECKING:
    from .columns import Column

#: A number, or a column: a float64 array with one number for each segment, or for each sum of several segments.
Amount = TypeVar("Amount", float, "Column")


class Arithmetic(Protocol[Amount]):
    """The functions that the modules `numbers` and `columns` both have; the docstrings are in `numbers`."""

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


class _ArithmeticByType(dict[type, Any]):
    """A dictionary from the type of an amount to the module with its arithmetic.

    The module `columns`, which needs numpy, is imported only when a type that is not a number is looked up. It is a
    dictionary and not a function because a function call would cost as much as the equations of a short metric.
    """

    if TYPE_CHECKING:

        def __getitem__(self, kind: type[Amount]) -> Arithmetic[Amount]: ...

    def __missing__(self, kind: type) -> Any:
        if issubclass(kind, float | int):
            return numbers
        from . import columns

        self[kind] = columns
        return columns


#: The arithmetic by the type of an amount: `numbers` for float and int, `columns` for arrays.
ARITHMETIC = _ArithmeticByType({float: numbers, int: numbers})
