"""Computes the width of a typeset formula, and which part of it fits into the available space.

Widths are in letters. A sum of terms has one addend for each mark; if it is too long, only the first addends, the last
one and the selected one are shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .nodes import (
    CreditSum,
    Exp,
    Expr,
    FormulaDifference,
    Log,
    Number,
    OperatorChain,
    Power,
    Product,
    Quotient,
    Series,
    SquareRoot,
    Sum,
    Symbol,
    label_with_space,
    unwrap_single_operand,
)
from .numbers import format_number
from .to_text import text

_BESIDE = 8  # the width, in letters, of what is next to a sum: an equals sign, a factor, brackets
_SIGNS = {1: 2.4, 2: 1.2}  # the width, in letters, of a plus sign or a dot with its spaces, by binding
_DOTS = 3.6  # the width, in letters, of an ellipsis with its plus sign
#: The most addends of one sum that are written, so that a script can show each of them.
_WRITTEN = 500


@dataclass(frozen=True, slots=True)
class TypesettingOptions:
    """The options for typesetting a formula, and the widths and line breaks that follow from them.

    Attributes:
        selected: the mark that the reader has selected, as (layer, index), or None.
        most: the number of addends of a sum to show before an ellipsis.
        room: the number of letters that fit on a line.
    """

    selected: tuple[int, int] | None = None
    most: int = 7
    room: int = 60

    @property
    def _free_room(self) -> int:
        """The number of letters of a line that are available for a sum."""
        return self.room - _BESIDE

    def selected_addend(self, e: CreditSum) -> int | None:
        """Return the index of the selected addend of a sum, or None if none of its addends is selected."""
        return self.selected[1] if self.selected and self.selected[0] == e.layer else None

    def width_in_letters(self, e: Expr, small: bool = False) -> float:
        """Return the approximate width of an expression in letters (of half an em).

        `small` is set inside a fraction, where letters are smaller.
        """
        match e:
            case Number():
                return len(format_number(e.value, e.digits)) + 0.72 * len(label_with_space(e.says))
            case Symbol():
                base, _, index = e.name.partition("_")
                return (1.4 if len(base) == 1 else 0.95 * len(base)) + 0.7 * len(index)
            case Quotient():
                return (0.7 if small else 1) * max(
                    self.width_in_letters(e.top, True), self.width_in_letters(e.bottom, True)
                ) + 0.6
            case CreditSum():
                return len(str(len(e.credits))) if e.counted else self._sum_span(e)
            case Power():
                brackets = 0 if isinstance(e.base, Number | Symbol) else 2
                return self.width_in_letters(e.base, small) + 0.7 * self.width_in_letters(e.exponent, True) + brackets
            case SquareRoot():
                return self.width_in_letters(e.arg, small) + 1.8
            case Exp():
                return self.width_in_letters(e.arg, small) + 5
            case Log():
                return self.width_in_letters(e.arg, True) + 5 + 0.7 * len(f"{e.base:g}")
            case FormulaDifference():
                return self.width_in_letters(e.left, small) + self.width_in_letters(e.right, small) + _SIGNS[1]
            case OperatorChain():
                brackets = (
                    2
                    if isinstance(e, Product) and any(isinstance(unwrap_single_operand(a), Sum) for a in e.args)
                    else 0
                )
                each = [self.width_in_letters(a, small) + _SIGNS[e.binding] for a in e.args]
                return sum(each) - _SIGNS[e.binding] + brackets
        return len(text(e))

    def break_into_rows(self, e: OperatorChain) -> list[list[Expr]]:
        """Return the parts of a sum or product in as many rows as its width needs, since MathML does not wrap lines."""
        breadths = [self.width_in_letters(a) + _SIGNS[e.binding] for a in e.args]
        # A factor that is itself broken into rows needs no further rows.
        whole = e.binding == 2 and max(breadths, default=0) > self._free_room / 2
        rows, used = list[list[Expr]]([[]]), 0.0
        for part, breadth in zip(_drop_repeated_labels(e.args), breadths, strict=True):
            if rows[-1] and used + breadth > self._free_room and not whole:
                rows.append([])
                used = 0.0
            rows[-1].append(part)
            used += breadth
        return rows

    def needs_line_per_part(self, e: Series) -> bool:
        """Return whether each part of a series gets a line of its own, because the parts are wide."""
        return 4 * (max(self.width_in_letters(a) for a in e.args) + _SIGNS[1]) > self._free_room

    # ------------------------------------------------------------ the addends of a sum of terms

    def addend_order(self, e: CreditSum) -> Sequence[int]:
        """Return the indexes of a sum's addends in the order in which they are written.

        If not all are visible, one addend of each value comes first, so that many ones do not hide the other values.
        """
        count = len(e.credits)
        if count <= self.most or e.counted:
            return range(count)
        values = [credit.value for credit in e.credits]
        first = {value: t for t, value in reversed([*enumerate(values)])}
        return sorted(range(count), key=lambda t: first[values[t]] != t)

    def visible_addends(self, e: CreditSum) -> tuple[int, bool]:
        """Return how many addends of a sum are visible before the last one, and whether a selected one hides the last.

        If some addends are hidden, the line has room for the first ones, the widest one that may be selected, between
        two ellipses, and the last one.
        """
        count, order = len(e.credits), self.addend_order(e)
        spans = [self.width_in_letters(e.credits[t]) + _SIGNS[1] for t in order[: self.most]]
        widest = max(spans, default=3)
        few = count <= self.most and not any(isinstance(c, Quotient) for c in e.credits)
        if (few and sum(spans) - _SIGNS[1] <= self._free_room) or count <= max(
            2, min(self.most, self._free_room // widest)
        ):
            return max(count - 1, 1), False
        last = self.width_in_letters(e.credits[order[-1]]) + _SIGNS[1]
        head = bisect_right([*accumulate(spans[: self.most - 3])], self._free_room - widest - 2 * _DOTS - last)
        return max(head, 1), head == 0

    def _sum_span(self, e: CreditSum) -> float:
        """Return the width, in letters, of a sum of terms without a selected addend."""
        count, (head, _), order = len(e.credits), self.visible_addends(e), self.addend_order(e)
        ts = order if head >= count - 1 else [*order[:head], order[-1]]
        spans = [self.width_in_letters(e.credits[t]) + _SIGNS[1] for t in ts]
        return sum(spans) + (0 if head >= count - 1 else 2 * _SIGNS[1]) - _SIGNS[1] * bool(spans)


def written_addends(count: int, picked: int | None) -> list[int]:
    """Return the indexes of the addends that are written into the page, so that a script can show each of them.

    These are the first ones, up to a limit, the last one, and the selected one `picked`. `count` is the number of
    addends.

    >>> written_addends(3, None), len(written_addends(10_000, 7_000)), written_addends(10_000, 7_000)[-3:]
    ([0, 1, 2], 500, [497, 7000, 9999])
    """
    if count <= _WRITTEN:
        return list(range(count))
    first = list(range(_WRITTEN - 1))
    if picked is not None and picked >= len(first) and picked != count - 1:
        first[-1] = picked
    return [*first, count - 1]


def _drop_repeated_labels(args: Sequence[Expr]) -> Sequence[Expr]:
    """Return the parts with the label on the last one only, if all are numbers with the same label, such as "words"."""
    numbers = [a for a in args if isinstance(a, Number)]
    if len(numbers) < len(args) or len({a.says for a in numbers}) != 1:
        return args
    return [*(Number(a.value, a.digits) for a in numbers[:-1]), numbers[-1]]
