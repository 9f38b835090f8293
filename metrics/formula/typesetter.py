"""The base class of the writers that typeset formulas: it decides on signs, brackets, fractions and rows.

A writer defines how a number, a fraction or a root is written in its language, such as MathML. `Typesetter` traverses
the tree of the expression.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from .breadth import TypesettingOptions, written_addends
from .nodes import (
    CreditSum,
    Exp,
    Expr,
    FormulaDifference,
    FormulaStep,
    FunctionCall,
    Log,
    Number,
    OperatorChain,
    Power,
    Quotient,
    ReplaceableName,
    Series,
    SigmaSum,
    SquareRoot,
    Symbol,
    ValuePlace,
    needs_no_brackets,
    operands,
    unwrap_single_operand,
)
from .numbers import format_number
from .to_text import text

T = TypeVar("T")

APPLIED = "\u2061"  # the invisible function application sign, between a function and its brackets


class Typesetter(ABC, Generic[T]):
    """A writer of expressions, in a language such as MathML, whose pieces have the type `T`.

    `look` has the options for typesetting. Sums of credits are left to the subclasses.
    """

    def __init__(self, look: TypesettingOptions = TypesettingOptions()) -> None:
        self.look = look

    # ------------------------------------------------------------ the pieces of a language

    @abstractmethod
    def number(self, digits: str) -> T:
        """Return the piece for a number with these digits."""

    @abstractmethod
    def name(self, letters: str) -> T:
        """Return the piece for a name of one letter, several letters, or several words."""

    @abstractmethod
    def sign(self, sign: str, infix: bool = False) -> T:
        """Return the piece for a sign. `infix` is set between the operands of a sum or product."""

    @abstractmethod
    def row(self, pieces: Sequence[T]) -> T:
        """Return one piece with several pieces side by side."""

    @abstractmethod
    def fraction(self, top: T, bottom: T) -> T:
        """Return the piece for a fraction with a line between numerator and denominator."""

    @abstractmethod
    def raised(self, base: T, exponent: T) -> T:
        """Return the piece for a power."""

    @abstractmethod
    def lowered(self, base: T, index: T) -> T:
        """Return the piece for a name with an index."""

    @abstractmethod
    def root(self, inner: T) -> T:
        """Return the piece for a square root."""

    @abstractmethod
    def fenced(self, inner: T, tall: bool) -> T:
        """Return a piece in brackets, which are as high as the piece if it is `tall`."""

    @abstractmethod
    def rows(self, rows: Sequence[T]) -> T:
        """Return one piece with several rows below each other."""

    @abstractmethod
    def place(self, name: str, inner: T) -> T:
        """Return the piece that a script can replace by the number with this name; it shows `inner` until then."""

    # ------------------------------------------------------------ the tree

    def left_side(self, step: FormulaStep) -> T:
        """Return the piece for the name of a step, left of its equals sign."""
        base, _, index = step.name.partition("_")
        return self._replaceable_index(base, index) if step.place and _is_place(index) else self.set_name(step.name)

    def set(self, e: Expr) -> T:
        """Return the piece for an expression, written by the kind of its node."""
        match e:
            case Number():
                return self.number(format_number(e.value, e.digits))
            case ReplaceableName():
                return self._replaceable_name(e.name)
            case Symbol():
                return self.set_name(e.name)
            case OperatorChain():
                rows = [self._joined(e, row, n == 0) for n, row in enumerate(self.look.break_into_rows(e))]
                return rows[0] if len(rows) == 1 else self.rows(rows)
            case FormulaDifference():
                return self.row([self.bracketed(e.left, 1), self.sign("−"), self.bracketed(e.right, 2)])
            case Quotient():
                return self.fraction(self.set(e.top), self.set(e.bottom))
            case Power():
                return self.raised(self.bracketed(e.base, 5), self.exponent(e.exponent))
            case SquareRoot():
                return self.root(self.set(e.arg))
            case Exp():
                return self.set_call(self.name("exp"), self.set(e.arg), self.tall(e.arg))
            case Log():
                log = self.lowered(self.name("log"), self.number(f"{e.base:g}"))
                return self.set_call(log, self.set(e.arg), self.tall(e.arg))
            case SigmaSum():
                return self.place(text(e), self.row([self.sign("∑"), self.set(e.arg)]))
            case FunctionCall():
                inner = self._listed([*map(self.set, e.args)])
                return self.place(text(e), self.set_call(self.name(e.name), inner, any(map(self.tall, e.args))))
        assert isinstance(e, ValuePlace)
        return self.place(e.name, self.row([]))

    def exponent(self, e: Expr) -> T:
        """Return the piece for an exponent, in which a fraction is written on one line."""
        if not isinstance(e, Quotient):
            return self.set(e)
        return self.row([self.set(e.top), self.sign("/"), self.set(e.bottom)])

    def bracketed(self, e: Expr, binding: int) -> T:
        """Return the piece for an operand, in brackets if it needs them.

        `binding` is the precedence of the expression that the operand is part of.
        """
        inner = unwrap_single_operand(e)
        loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not needs_no_brackets(e)
        counted = isinstance(inner, CreditSum) and inner.counted
        needed = loose and not counted and not (e.binding == binding and binding in (1, 2))
        return self.fenced(self.set(e), self.tall(e)) if needed else self.set(e)

    def set_call(self, function: T, inner: T, tall: bool) -> T:
        """Return the piece for a function applied to the piece in its brackets, which are high if it is `tall`."""
        return self.row([function, self.sign(APPLIED), self.fenced(inner, tall)])

    def set_name(self, name: str) -> T:
        """Return the piece for a name, which may have arguments, such as “F(P, R)”, or an index, such as “p_1”."""
        if name.endswith(")"):
            function, _, arguments = name[:-1].partition("(")
            inner = self._listed([*map(self.set_name, arguments.split(", "))])
            return self.set_call(self.name(function), inner, False)
        if name.isdecimal():
            return self.number(name)
        base, _, index = name.partition("_")
        if not index:
            return self.name(base)
        return self.lowered(self.name(base), self.number(index) if index.isdecimal() else self.name(index))

    def _replaceable_name(self, name: str) -> T:
        """Return the piece for a name that a script can replace by its number.

        The script can also replace the index of the name.
        """
        base, _, index = name.partition("_")
        if name == "⋯":
            return self.name(name)
        return self.place(name, self._replaceable_index(base, index) if _is_place(index) else self.set_name(name))

    def _replaceable_index(self, base: str, index: str) -> T:
        """Return the piece for a name whose index a script can replace by a number."""
        return self.lowered(self.set_name(base), self.place(index, self.set_name(index)))

    def _listed(self, pieces: Sequence[T]) -> T:
        """Return one piece with the pieces separated by commas."""
        return self.row([each for piece in pieces for each in (self.sign(","), piece)][1:])

    def _joined(self, e: OperatorChain, row: Sequence[Expr], first: bool) -> T:
        """Return the piece for one row of a sum or product, with a leading sign unless it is the first row."""
        pieces = [each for a in row for each in (self.sign(e.sign, True), self.bracketed(a, e.binding))]
        return self.row(pieces[1:] if first else pieces)

    def tall(self, e: Expr) -> bool:
        """Return whether a typeset expression is higher than a line of letters."""
        match e:
            case Quotient() | SquareRoot() | SigmaSum():
                return True
            case Power() if isinstance(e.exponent, Quotient):
                return self.tall(e.base) or any(map(self.tall, operands(e.exponent)))
            case CreditSum():
                picked, order = self.look.selected_addend(e), self.look.addend_order(e)
                return not e.counted and any(
                    self.tall(e.credits[order[n]]) for n in written_addends(len(order), picked)
                )
            case Series() if self.look.needs_line_per_part(e):
                return True
            case OperatorChain() if not isinstance(e, Series) and len(self.look.break_into_rows(e)) > 1:
                return True
        return any(map(self.tall, operands(e)))


def _is_place(index: str) -> bool:
    """Return whether an index is a variable that a script can replace by a number, like the n of p_n."""
    return bool(index) and not index.isdecimal()
