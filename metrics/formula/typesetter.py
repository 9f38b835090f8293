"""What all writers that typeset a formula have in common: which signs, brackets, fractions and rows a tree has.

A writer says what a number, a fraction or a root is in its language; `Typesetter` goes through the tree.
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
    Power,
    Quotient,
    Root,
    Series,
    Several,
    Symbol,
    Terms,
    Total,
    ValuePlace,
    bare,
    parts,
    single,
)
from .numbers import format_number
from .to_text import text

T = TypeVar("T")

APPLIED = "\u2061"  # stands between a function and its brackets, and is not seen


class Typesetter(ABC, Generic[T]):
    """Writes expressions without credits, in a language whose pieces are `T`."""

    def __init__(self, look: FormulaLook = FormulaLook()) -> None:
        self.look = look

    # ------------------------------------------------------------ what a language has

    @abstractmethod
    def number(self, digits: str) -> T:
        """A number."""

    @abstractmethod
    def name(self, letters: str) -> T:
        """A name, of one letter or several, perhaps of several words."""

    @abstractmethod
    def sign(self, sign: str, infix: bool = False) -> T:
        """A sign; `infix` where it stands between the parts of a sum or a product."""

    @abstractmethod
    def row(self, pieces: Sequence[T]) -> T:
        """Several beside each other."""

    @abstractmethod
    def fraction(self, top: T, bottom: T) -> T:
        """One above the other, a line between them."""

    @abstractmethod
    def raised(self, base: T, exponent: T) -> T:
        """A power."""

    @abstractmethod
    def lowered(self, base: T, index: T) -> T:
        """A name with an index."""

    @abstractmethod
    def root(self, inner: T) -> T:
        """A square root."""

    @abstractmethod
    def fenced(self, inner: T, tall: bool) -> T:
        """In brackets, which are as high as what they hold where that is `tall`."""

    @abstractmethod
    def rows(self, rows: Sequence[T]) -> T:
        """Rows below each other."""

    @abstractmethod
    def place(self, name: str, inner: T) -> T:
        """A place for the number of this name, and what stands there while it is not known."""

    # ------------------------------------------------------------ the tree

    def left_side(self, step: FormulaStep) -> T:
        """The name of a step."""
        base, _, index = step.name.partition("_")
        return self._indexed(base, index) if step.place and _open(index) else self.set_name(step.name)

    def set(self, e: Expr) -> T:
        """An expression."""
        match e:
            case Number():
                return self.number(format_number(e.value, e.digits))
            case Name():
                return self._name_place(e.name)
            case Symbol():
                return self.set_name(e.name)
            case Several():
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
        """An exponent, in which a fraction stands in one line."""
        if not isinstance(e, Quotient):
            return self.set(e)
        return self.row([self.set(e.top), self.sign("/"), self.set(e.bottom)])

    def bracketed(self, e: Expr, binding: int) -> T:
        """Part of an expression that binds so fast, in brackets where it needs them."""
        inner = bare(e)
        loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not single(e)
        counted = isinstance(inner, Terms) and inner.counted
        needed = loose and not counted and not (e.binding == binding and binding in (1, 2))
        return self.fenced(self.set(e), self.tall(e)) if needed else self.set(e)

    def set_call(self, function: T, inner: T, tall: bool) -> T:
        """A function of what stands in its brackets."""
        return self.row([function, self.sign(APPLIED), self.fenced(inner, tall)])

    def set_name(self, name: str) -> T:
        """A name, which may be a function of others, such as “F(P, R)”, or have an index, such as “p_1”."""
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
        """A name as the place of its number, whose index is one too."""
        base, _, index = name.partition("_")
        if name == "⋯":
            return self.name(name)
        return self.place(name, self._indexed(base, index) if _open(index) else self.set_name(name))

    def _indexed(self, base: str, index: str) -> T:
        return self.lowered(self.set_name(base), self.place(index, self.set_name(index)))

    def _listed(self, pieces: Sequence[T]) -> T:
        """With commas between them."""
        return self.row([each for piece in pieces for each in (self.sign(","), piece)][1:])

    def _joined(self, e: Several, row: Sequence[Expr], first: bool) -> T:
        """A row of a sum or a product, which begins with a sign where it is not the first."""
        pieces = [each for a in row for each in (self.sign(e.sign, True), self.bracketed(a, e.binding))]
        return self.row(pieces[1:] if first else pieces)

    def tall(self, e: Expr) -> bool:
        """Whether an expression is higher than a line of letters."""
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
            case Several() if not isinstance(e, Series) and len(self.look.rows(e)) > 1:
                return True
        return any(map(self.tall, parts(e)))


def _open(index: str) -> bool:
    """Whether an index stands for a number, as the n of p_n."""
    return bool(index) and not index.isdecimal()
