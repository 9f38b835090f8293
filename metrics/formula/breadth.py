"""How broad a formula is when it is typeset, and what of it is seen in the room that there is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .nodes import (
    Exp,
    Expr,
    FormulaDifference,
    Log,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Several,
    Sum,
    Symbol,
    Terms,
    bare,
    spaced_noun,
)
from .numbers import format_number
from .to_text import text

_BESIDE = 8  # letters beside a sum: an equals sign, a factor, brackets
_SIGNS = {1: 2.4, 2: 1.2}  # letters that a plus sign or a dot takes with its spaces
_DOTS = 3.6  # letters of an ellipsis with its plus sign
#: Addends of one sum that are written, so that a script can show each of them.
_WRITTEN = 500


@dataclass(frozen=True, slots=True)
class FormulaLook:
    """How to typeset: the selected mark as (layer, index), how many addends to show before an ellipsis, and how many
    letters a line has room for."""

    selected: tuple[int, int] | None = None
    most: int = 7
    room: int = 60

    @property
    def _free(self) -> int:
        """The letters of a line that a sum has for itself."""
        return self.room - _BESIDE

    def picked(self, e: Terms) -> int | None:
        """The addend that is selected."""
        return self.selected[1] if self.selected and self.selected[0] == e.layer else None

    def span(self, e: Expr, small: bool = False) -> float:
        """About how many letters, each half an em, an expression is broad; `small` inside a fraction."""
        match e:
            case Number():
                return len(format_number(e.value, e.digits)) + 0.72 * len(spaced_noun(e.says))
            case Symbol():
                base, _, index = e.name.partition("_")
                return (1.4 if len(base) == 1 else 0.95 * len(base)) + 0.7 * len(index)
            case Quotient():
                return (0.7 if small else 1) * max(self.span(e.top, True), self.span(e.bottom, True)) + 0.6
            case Terms():
                return len(str(len(e.credits))) if e.counted else self._sum_span(e)
            case Power():
                brackets = 0 if isinstance(e.base, Number | Symbol) else 2
                return self.span(e.base, small) + 0.7 * self.span(e.exponent, True) + brackets
            case Root():
                return self.span(e.arg, small) + 1.8
            case Exp():
                return self.span(e.arg, small) + 5
            case Log():
                return self.span(e.arg, True) + 5 + 0.7 * len(f"{e.base:g}")
            case FormulaDifference():
                return self.span(e.left, small) + self.span(e.right, small) + _SIGNS[1]
            case Several():
                brackets = 2 if isinstance(e, Product) and any(isinstance(bare(a), Sum) for a in e.args) else 0
                each = [self.span(a, small) + _SIGNS[e.binding] for a in e.args]
                return sum(each) - _SIGNS[e.binding] + brackets
        return len(text(e))

    def rows(self, e: Several) -> list[list[Expr]]:
        """The parts of a sum or a product in as many rows as it needs: nothing breaks lines by itself."""
        breadths = [self.span(a) + _SIGNS[e.binding] for a in e.args]
        # A factor that has rows of its own needs no rows around it.
        whole = e.binding == 2 and max(breadths, default=0) > self._free / 2
        rows, used = list[list[Expr]]([[]]), 0.0
        for part, breadth in zip(_drop_repeated_labels(e.args), breadths, strict=True):
            if rows[-1] and used + breadth > self._free and not whole:
                rows.append([])
                used = 0.0
            rows[-1].append(part)
            used += breadth
        return rows

    def in_lines(self, e: Series) -> bool:
        """Whether each part of a series has a line of its own."""
        return 4 * (max(self.span(a) for a in e.args) + _SIGNS[1]) > self._free

    # ------------------------------------------------------------ the addends of a sum of terms

    def order(self, e: Terms) -> Sequence[int]:
        """The addends in the order in which they are written: those of a sum that is not seen whole begin with one of
        each value, so that no row of ones hides the others."""
        count = len(e.credits)
        if count <= self.most or e.counted:
            return range(count)
        values = [credit.value for credit in e.credits]
        first = {value: t for t, value in reversed([*enumerate(values)])}
        return sorted(range(count), key=lambda t: first[values[t]] != t)

    def head(self, e: Terms) -> tuple[int, bool]:
        """How many addends are seen before the last one, and whether it has no room beside a chosen one.

        Where some are left out, a line holds the first ones, the widest one that may be chosen between two ellipses,
        and the last one.
        """
        count, order = len(e.credits), self.order(e)
        spans = [self.span(e.credits[t]) + _SIGNS[1] for t in order[: self.most]]
        widest = max(spans, default=3)
        few = count <= self.most and not any(isinstance(c, Quotient) for c in e.credits)
        if (few and sum(spans) - _SIGNS[1] <= self._free) or count <= max(2, min(self.most, self._free // widest)):
            return max(count - 1, 1), False
        last = self.span(e.credits[order[-1]]) + _SIGNS[1]
        head = bisect_right([*accumulate(spans[: self.most - 3])], self._free - widest - 2 * _DOTS - last)
        return max(head, 1), head == 0

    def _sum_span(self, e: Terms) -> float:
        """How many letters a sum of terms is broad where nothing is chosen."""
        count, (head, _), order = len(e.credits), self.head(e), self.order(e)
        ts = order if head >= count - 1 else [*order[:head], order[-1]]
        spans = [self.span(e.credits[t]) + _SIGNS[1] for t in ts]
        return sum(spans) + (0 if head >= count - 1 else 2 * _SIGNS[1]) - _SIGNS[1] * bool(spans)


def written_addends(count: int, picked: int | None) -> list[int]:
    """The addends that are written: the first ones, the last and the picked one.

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
    """Numbers of the same things, of which only the last says what they count."""
    numbers = [a for a in args if isinstance(a, Number)]
    if len(numbers) < len(args) or len({a.says for a in numbers}) != 1:
        return args
    return [*(Number(a.value, a.digits) for a in numbers[:-1]), numbers[-1]]
