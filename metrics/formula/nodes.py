"""The nodes of formulas: expressions that compute their values, and the steps that name them.

A metric returns steps (`match size = …`, `P = …`, `F = …`), the last of which is its score. Since a step computes its
value from the same tree that is displayed, a formula cannot show other numbers than the ones that were used. The nodes
do not know how they are written: `text`, `mathml` and the other writers each traverse the tree in their own way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from .numbers import format_number, plural


class Expr:
    """An expression of a formula, with its `value`.

    `binding` is the precedence of its operator: the higher, the more tightly it binds. It decides where brackets are
    needed.
    """

    __slots__ = ("value",)
    value: float
    binding: ClassVar[int] = 9  # 1 sum, 2 product, 3 quotient written in a line, 4 power, 9 atom


class Number(Expr):
    """A literal number, or a number known from the result.

    `says` is its label: what it counts ("words") or, after a comma, how it was computed (", the mean of 12 and 8
    words"). MathML prints it after the number; plain text does so only if the number is alone. `digits` is the number
    of decimals.
    """

    __slots__ = ("digits", "says")

    def __init__(self, value: float, digits: int = 3, says: str = "") -> None:
        self.value, self.digits, self.says = value, digits, says


def number_of(count: float, noun: str) -> Number:
    """Return a number that is labelled with the noun, in singular or plural, for what it counts.

    >>> number_of(1, "word").says, number_of(8, "word").says
    ('word', 'words')
    """
    return Number(count, says=plural(count, noun))


def mean_of(counts: Sequence[float], noun: str) -> Number:
    """Return the mean of counts, with a label that says of which counts it is the mean.

    `noun` says what is counted. A single count is returned as it is; no counts give 0.

    >>> mean_of([12, 8], "word").says, mean_of([8], "word").says
    (', the mean of 12 and 8 words', 'words')
    >>> mean_of([12, 8, 10, 11], "word").says
    ", the mean of 4 references' words"
    """
    if len(counts) == 1:
        return number_of(counts[0], noun)
    mean = math.fsum(counts) / len(counts) if counts else 0.0
    digits = next((d for d in range(3) if round(mean, d) == mean), 3)
    if len(counts) > 3:
        return Number(mean, digits, f", the mean of {len(counts)} references' {noun}s")
    *leading, last = [format_number(count) for count in counts] or ["0"]
    return Number(mean, digits, f", the mean of {', '.join(leading)} and {last} {noun}s")


def setting_number(value: float) -> Number:
    """Return the number node for the value of a setting, with as many decimals as it was given.

    >>> setting_number(0.25).digits, setting_number(2.0).digits
    (2, 0)
    """
    return Number(value, len(f"{value:g}".partition(".")[2]))


class Symbol(Expr):
    """A name for an earlier step or for a setting: it is written as the name and has the value."""

    __slots__ = ("name",)

    def __init__(self, name: str, value: float) -> None:
        self.name, self.value = name, value


class OperatorChain(Expr):
    """Several expressions with the same sign between them."""

    __slots__ = ("args",)
    sign: ClassVar[str] = ""

    def __init__(self, *args: Expr) -> None:
        self.args = args


class Sum(OperatorChain):
    """The sum args[0] + args[1] + …; its value is exactly that of `math.fsum`, like the totals of layers."""

    __slots__ = ()
    binding = 1
    sign = "+"

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.fsum(a.value for a in args)


class Series(Sum):
    """A sum with many parts: a page shows the first, the last and the selected one, plain text shows all."""

    __slots__ = ()


class Product(OperatorChain):
    """The product args[0] · args[1] · …"""

    __slots__ = ()
    binding = 2
    sign = "·"

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.prod(a.value for a in args)


class FormulaDifference(Expr):
    """The difference left − right."""

    __slots__ = ("left", "right")
    binding = 1

    def __init__(self, left_term: Expr, right: Expr) -> None:
        self.left, self.right, self.value = left_term, right, left_term.value - right.value


class Quotient(Expr):
    """The quotient top / bottom; 0 if the bottom is 0, as all metrics here define an empty denominator."""

    __slots__ = ("bottom", "top")
    binding = 3

    def __init__(self, top: Expr, bottom: Expr) -> None:
        self.top, self.bottom = top, bottom
        self.value = top.value / bottom.value if bottom.value else 0.0


class Power(Expr):
    """The power base ^ exponent; 0 if the base is 0."""

    __slots__ = ("base", "exponent")
    binding = 4

    def __init__(self, base: Expr, exponent: Expr) -> None:
        self.base, self.exponent = base, exponent
        self.value = base.value**exponent.value if base.value or exponent.value > 0 else 0.0


class SquareRoot(Expr):
    """The square root of an expression."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.sqrt(arg.value)


class Exp(Expr):
    """The exponential function of an expression."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.exp(arg.value)


class Log(Expr):
    """The logarithm of an expression to a base other than 1."""

    __slots__ = ("arg", "base")

    def __init__(self, arg: Expr, base: float) -> None:
        self.arg, self.base = arg, base
        self.value = math.log2(arg.value) if base == 2 else math.log(arg.value, base)


class CreditSum(Expr):
    """The sum of one layer's credits, with one addend for each mark, so that a reader can find a mark in the formula.

    `layer` is the index of the layer, `noun` says what the sum counts, and `of` is the total that it is compared with,
    or None. A sum of ones is a count: it is written "28 of 36 pairs" in MathML, and in plain text if it is alone;
    elsewhere in plain text it is written 28.
    """

    __slots__ = ("counted", "credits", "layer", "noun", "of")
    binding = 1

    def __init__(self, layer: int, credits: Sequence[Expr], noun: str = "", of: float | None = None) -> None:
        self.layer, self.credits, self.noun, self.of = layer, tuple(credits), noun, of
        if credits and self.credits.count(credits[0]) == len(credits):  # there can be millions of ones
            self.value = float(len(credits) * credits[0].value)
            self.counted = isinstance(credits[0], Number) and credits[0].value == 1
        else:
            self.value = math.fsum([c.value for c in credits])
            self.counted = all(isinstance(c, Number) and c.value == 1 for c in credits)

    def value_label(self) -> str:
        """Return the label after the value of this sum: "words" or "of 36 pairs"."""
        if self.of is None or not self.noun:
            return plural(self.value, self.noun)
        return f"of {format_number(self.of)} {plural(self.of, self.noun)}"

    def is_single_number(self) -> bool:
        """Return whether this sum is written as a single number: as a count, or because it has one addend."""
        return self.counted or (len(self.credits) == 1 and isinstance(self.credits[0], Number))


# ---------------------------------------------------------------- nodes that only formulas of docstrings have


class ReplaceableName(Symbol):
    """A name in a formula of a docstring. A script can replace it by its number, except ⋯, which marks an omission."""

    __slots__ = ()


class InlineFraction(Quotient):
    """A fraction in a formula of a docstring, in which a script can replace names by numbers, even in an exponent."""

    __slots__ = ()


class ValuePlace(Expr):
    """An empty place at the end of a definition, into which a script writes the value of the defined name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.value = name, math.nan


class SigmaSum(Expr):
    """The sum sign Σ with the expression that is summed over all its instances."""

    __slots__ = ("arg",)
    binding = 2

    def __init__(self, arg: Expr, value: float = math.nan) -> None:
        self.arg, self.value = arg, value


class FunctionCall(Expr):
    """A named function, such as min, applied to one or several arguments."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, args: Sequence[Expr], value: float = math.nan) -> None:
        self.name, self.args, self.value = name, tuple(args), value


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class FormulaStep:
    """A line `name = forms[0] = forms[1] = … = value` of a formula; all forms have the same value.

    `same_line` puts the step on the line of the previous one if there is room. `place` says that a script may replace
    the index of the name by a number, like the n of p_n.
    """

    name: str
    forms: tuple[Expr, ...]
    same_line: bool = False
    place: bool = False

    @property
    def value(self) -> float:
        """The value of the last form, which is the value of the step."""
        return self.forms[-1].value

    def symbol(self) -> Symbol:
        """Return the name of this step as a node, for use in a later step."""
        return Symbol(self.name, self.value)

    def number(self, digits: int = 3) -> Number:
        """Return the value of this step as a node with `digits` decimals, for use in a later step."""
        return Number(self.value, digits)


def step(name: str, *forms: Expr, same_line: bool = False) -> FormulaStep:
    """Return a step of a formula, with its name and one or more forms of its expression.

    Its value is that of the last form. `same_line` puts it on the line of the previous step if there is room.
    """
    return FormulaStep(name, forms, same_line)


# ---------------------------------------------------------------- the parts of an expression


def operands(e: Expr) -> Iterator[Expr]:
    """Yield the direct operands of an expression, in no particular order.

    A sum of terms yields none, since it can have millions.
    """
    if isinstance(e, CreditSum):
        return
    for cls in type(e).__mro__:
        for name in getattr(cls, "__slots__", ()):
            part = getattr(e, name)
            if isinstance(part, Expr):
                yield part
            elif isinstance(part, tuple):
                yield from part


def subexpressions(e: Expr) -> Iterator[Expr]:
    """Yield an expression and all expressions nested in it."""
    yield e
    for part in operands(e):
        yield from subexpressions(part)


def credit_sums(e: Expr) -> list[CreditSum]:
    """Return every sum of credits inside an expression."""
    return [node for node in subexpressions(e) if isinstance(node, CreditSum)]


def unwrap_single_operand(e: Expr) -> Expr:
    """Return the single operand of a sum or product that has only one, repeatedly; else the expression itself."""
    while isinstance(e, Sum | Product) and len(e.args) == 1:
        e = e.args[0]
    return e


def needs_no_brackets(e: Expr) -> bool:
    """Return whether a sum or product has a single operand, which needs no brackets."""
    if isinstance(e, CreditSum):
        return len(e.credits) == 0 or (len(e.credits) == 1 and e.credits[0].binding > 4)
    return isinstance(e, Sum | Product) and len(e.args) == 1 and e.args[0].binding > 4


def label_with_space(says: str) -> str:
    """Return the label of a number with a leading space, unless it is empty or begins with a comma."""
    return f" {says}" if says and not says.startswith(",") else says
