"""The part of typesetting that all writers share: the signs, brackets, fractions and rows of a tree.

A writer defines what a number, a fraction or a root is in its language. `Typesetter` traverses the tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from .breadth import FormulaLook, written_addends
from .nodes import (
    Exp,
    Expr,
    FormulaDifference,
    FormulaStep,
    FunctionCall,
    Log,
    Name,
    Number,
    OperatorChain,
    Power,
    Quotient,
    Root,
    Series,
    Symbol,
    Terms,
    Total,
    ValuePlace,
    needs_no_brackets,
    parts,
    unwrapped,
)
from .numbers import format_number
from .to_text import text

T = TypeVar("T")

APPLIED = "\u2061"  # the invisible function application sign, between a function and its brackets


class Typesetter(ABC, Generic[T]):
    """A writer of expressions without credits, in a language whose pieces have the type `T`."""

    def __init__(self, look: FormulaLook = FormulaLook()) -> None:
        self.look = look

    # ------------------------------------------------------------ the pieces of a language

    @abstractmethod
    def number(self, digits: str) -> T:
        """Write a number with these digits."""

    @abstractmethod
    def name(self, letters: str) -> T:
        """Write a name of one letter, several letters, or several words."""

    @abstractmethod
    def sign(self, sign: str, infix: bool = False) -> T:
        """Write a sign. `infix` is set between the parts of a sum or product."""

    @abstractmethod
    def row(self, pieces: Sequence[T]) -> T:
        """Write several pieces side by side."""

    @abstractmethod
    def fraction(self, top: T, bottom: T) -> T:
        """Write a fraction with a line between its parts."""

    @abstractmethod
    def raised(self, base: T, exponent: T) -> T:
        """Write a power."""

    @abstractmethod
    def lowered(self, base: T, index: T) -> T:
        """Write a name with an index."""

    @abstractmethod
    def root(self, inner: T) -> T:
        """Write a square root."""

    @abstractmethod
    def fenced(self, inner: T, tall: bool) -> T:
        """Write a piece in brackets, which are as high as the piece if it is `tall`."""

    @abstractmethod
    def rows(self, rows: Sequence[T]) -> T:
        """Write rows below each other."""

    @abstractmethod
    def place(self, name: str, inner: T) -> T:
        """Write a place for the number with this name, showing `inner` while the number is unknown."""

    # ------------------------------------------------------------ the tree

    def left_side(self, step: FormulaStep) -> T:
        """Write the name of a step."""
        base, _, index = step.name.partition("_")
        return self._indexed(base, index) if step.place and _is_place(index) else self.set_name(step.name)

    def set(self, e: Expr) -> T:
        """Write an expression."""
        match e:
            case Number():
                return self.number(format_number(e.value, e.digits))
            case Name():
                return self._name_place(e.name)
            case Symbol():
                return self.set_name(e.name)
            case OperatorChain():
                rows = [self._joined(e, row, n == 0) for n, row in enumerate(self.look.rows(e))]
                return rows[0] if len(rows) == 1 else self.rows(rows)
            case FormulaDifference():
                return self.row([self.bracketed(e.left, 1), self.sign("−"), self.bracketed(e.right, 2)])
            case Quotient():
                return self.fraction(self.set(e.top), self.set(e.bottom))
            case Power():
                return self.raised(self.bracketed(e.base, 5), self.exponent(e.exponent))
            case Root():
                return self.root(self.set(e.arg))
            case Exp():
                return self.set_call(self.name("exp"), self.set(e.arg), self.tall(e.arg))
            case Log():
                log = self.lowered(self.name("log"), self.number(f"{e.base:g}"))
                return self.set_call(log, self.set(e.arg), self.tall(e.arg))
            case Total():
                return self.place(text(e), self.row([self.sign("∑"), self.set(e.arg)]))
            case FunctionCall():
                inner = self._listed([*map(self.set, e.args)])
                return self.place(text(e), self.set_call(self.name(e.name), inner, any(map(self.tall, e.args))))
        assert isinstance(e, ValuePlace)
        return self.place(e.name, self.row([]))

    def exponent(self, e: Expr) -> T:
        """Write an exponent, in which a fraction is on one line."""
        if not isinstance(e, Quotient):
            return self.set(e)
        return self.row([self.set(e.top), self.sign("/"), self.set(e.bottom)])

    def bracketed(self, e: Expr, binding: int) -> T:
        """Write a part of an expression with this `binding`, in brackets if it needs them."""
        inner = unwrapped(e)
        loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not needs_no_brackets(e)
        counted = isinstance(inner, Terms) and inner.counted
        needed = loose and not counted and not (e.binding == binding and binding in (1, 2))
        return self.fenced(self.set(e), self.tall(e)) if needed else self.set(e)

    def set_call(self, function: T, inner: T, tall: bool) -> T:
        """Write a function applied to the piece in its brackets."""
        return self.row([function, self.sign(APPLIED), self.fenced(inner, tall)])

    def set_name(self, name: str) -> T:
        """Write a name, which may be a function of others, such as “F(P, R)”, or have an index, such as “p_1”."""
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

    def _name_place(self, name: str) -> T:
        """Write a name as the place for its number. Its index may be a place as well."""
        base, _, index = name.partition("_")
        if name == "⋯":
            return self.name(name)
        return self.place(name, self._indexed(base, index) if _is_place(index) else self.set_name(name))

    def _indexed(self, base: str, index: str) -> T:
        """Write a name whose index is a place for a number."""
        return self.lowered(self.set_name(base), self.place(index, self.set_name(index)))

    def _listed(self, pieces: Sequence[T]) -> T:
        """Write pieces separated by commas."""
        return self.row([each for piece in pieces for each in (self.sign(","), piece)][1:])

    def _joined(self, e: OperatorChain, row: Sequence[Expr], first: bool) -> T:
        """Write one row of a sum or product, beginning with its sign unless it is the first row."""
        pieces = [each for a in row for each in (self.sign(e.sign, True), self.bracketed(a, e.binding))]
        return self.row(pieces[1:] if first else pieces)

    def tall(self, e: Expr) -> bool:
        """Return whether an expression is higher than a line of letters."""
        match e:
            case Quotient() | Root() | Total():
                return True
            case Power() if isinstance(e.exponent, Quotient):
                return self.tall(e.base) or any(map(self.tall, parts(e.exponent)))
            case Terms():
                picked, order = self.look.picked(e), self.look.order(e)
                return not e.counted and any(
                    self.tall(e.credits[order[n]]) for n in written_addends(len(order), picked)
                )
            case Series() if self.look.in_lines(e):
                return True
            case OperatorChain() if not isinstance(e, Series) and len(self.look.rows(e)) > 1:
                return True
        return any(map(self.tall, parts(e)))


def _is_place(index: str) -> bool:
    """Return whether an index is a place for a number, like the n of p_n."""
    return bool(index) and not index.isdecimal()
