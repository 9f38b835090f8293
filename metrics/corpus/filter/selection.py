"""Select segments by the syntax tree of a filter expression, in bounded time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from ..table import Array
from .facts import FilterFacts, Mask, NotYetError
from .regular_expressions import compile_pattern
from .tokens import FilterError
from .tree import (
    AllOf,
    AnyOf,
    FilterAbsolute,
    FilterComparison,
    FilterProduct,
    FilterSum,
    FilterValue,
    Has,
    Labelled,
    Matches,
    Node,
    Not,
    Value,
)

T = TypeVar("T")

#: The most seconds for an expression, and for a regular expression in one line, during which no other code runs.
SECONDS, LINE_SECONDS = 2.0, 0.05
DECIMALS = 9
#: From here on a number has no ninth decimal.
_WHOLE_FROM = 1e15

#: The comparisons. None holds for a missing number, NaN; with `np.not_equal`, != would.
_ORDERS: Mapping[str, Callable[[Array, Array], Mask]] = {
    "<": np.less,
    "<=": np.less_equal,
    "=": np.equal,
    "!=": lambda x, y: (x < y) | (x > y),
    ">=": np.greater_equal,
    ">": np.greater,
}


def select_segments(tree: Node, facts: FilterFacts) -> Mask:
    """Return a mask of the segments that a syntax tree selects.

    Raises FilterError if a value is not known yet or the evaluation takes too long.
    """
    return _select(tree, facts, time.monotonic() + SECONDS)


def _select(tree: Node, facts: FilterFacts, until: float) -> Mask:
    """Return a mask of the segments that a syntax tree selects.

    `until` is the time, by `time.monotonic`, after which FilterError is raised.
    """
    match tree:
        case AllOf(parts):
            return np.logical_and.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case AnyOf(parts):
            return np.logical_or.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case Not(part):
            return ~_select(part, facts, until)
        case FilterComparison(values, orders):
            out, x = np.ones(facts.size, dtype=bool), _round(_compute(values[0], facts, until))
            for order, value in zip(orders, values[1:], strict=True):
                x, before = _round(_compute(value, facts, until)), x
                out &= _ORDERS[order](before, x)
            return out
        case Labelled(at, name, label):
            _check_time(at, until)
            sought = label.casefold()
            labels = _look_up(facts.labels[name], at)
            return np.array([any(each.casefold() == sought for each in of) for of in labels], dtype=bool)
        case Has(at, texts, sought):
            out = np.zeros(facts.size, dtype=bool)
            for text in texts:
                _check_time(at, until)
                out |= _look_up(facts.words[text], at).segments_with(sought)
            return out
        case Matches(at, texts, pattern):
            return _match_mask(at, [_look_up(facts.lines[text], at) for text in texts], pattern, facts.size, until)


def _compute(value: Value, facts: FilterFacts, until: float) -> Array:
    """Return the number of a value for each segment, or one number for all; NaN where it cannot be computed.

    A sum, product or quotient cannot where a part is missing, the divisor is 0 to nine decimals, or the result is
    larger than numbers can be.
    """
    _check_time(value.at, until)
    match value:
        case FilterValue(at, str(name)):
            return np.asarray(_look_up(facts.numbers[name], at), dtype=np.float64)
        case FilterValue(_, number):
            return np.asarray(number, dtype=np.float64)
        case FilterAbsolute(_, part):
            return np.abs(_compute(part, facts, until))
        case FilterSum(_, parts, negative):
            with np.errstate(all="ignore"):
                total = np.asarray(0.0)
                for part, minus in zip(parts, negative, strict=True):
                    each = _compute(part, facts, until)
                    total = total - each if minus else total + each
                return np.where(np.isfinite(total), total, np.nan)
        case FilterProduct(_, parts, inverse):
            with np.errstate(all="ignore"):
                total = np.asarray(1.0)
                for part, over in zip(parts, inverse, strict=True):
                    each = _compute(part, facts, until)
                    total = total / np.where(_round(each) == 0, np.nan, each) if over else total * each
                return np.where(np.isfinite(total), total, np.nan)


def _round(numbers: Array) -> Array:
    """Return numbers rounded to `DECIMALS` decimals."""
    with np.errstate(all="ignore"):
        return np.where(np.abs(numbers) < _WHOLE_FROM, np.round(numbers, DECIMALS), numbers)


def _look_up(lookup: Callable[[], T], at: int) -> T:
    """Return the values that `lookup` computes; raise FilterError at position `at` if they are not known yet."""
    try:
        return lookup()
    except NotYetError as error:
        raise FilterError(at, str(error), usable_later=True) from error


def _check_time(at: int, until: float) -> None:
    """Raise FilterError at position `at` if the time `until`, by `time.monotonic`, has passed."""
    if time.monotonic() > until:
        raise FilterError(at, f"the expression takes more than {SECONDS:g} seconds up to here")


def _match_mask(at: int, texts: Sequence[Sequence[Sequence[str]]], pattern: str, size: int, until: float) -> Mask:
    """Return a mask of the segments that have a match of a regular expression in a line of one of the texts.

    `texts` holds, for each text, the lines of each of the `size` segments. `at` is the position of the pattern in the
    expression, and `until` the time by which the search must end. Raises FilterError.
    """
    compiled = compile_pattern(pattern, at)
    out = np.zeros(size, dtype=bool)
    for number, of in enumerate(zip(*texts, strict=True)):
        if not number % 256:
            _check_time(at, until)
        try:
            out[number] = any(compiled.search(line, timeout=LINE_SECONDS) for lines in of for line in lines)
        except (TimeoutError, MemoryError) as error:
            why = f"the regular expression takes more than {LINE_SECONDS:g} seconds in segment {number + 1}"
            raise FilterError(at, why) from error
    return out
