"""What a formula is made of: expressions that know their values, and the steps that name them.

A metric returns steps (`match size = …`, `P = …`, `F = …`), the last of which is its score. Because a step computes
its value from the same tree that is written, a formula cannot show other numbers than the ones that were used. How a
tree is written is no business of its nodes: `text`, `mathml` and the other writers each go through it in their way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from .numbers import format_number, plural


class Expr:
    """An expression with its `value`; `binding` is how fast it holds its parts together, by which brackets are set."""

    __slots__ = ("value",)
    value: float
    binding: ClassVar[int] = 9  # 1 sum, 2 product, 3 quotient written in a line, 4 power, 9 atom


class Number(Expr):
    """A literal, or a number known from the result.

    `says` is what it counts ("words") or, after a comma, how it was made (", the mean of 12 and 8 words"). MathML
    prints it behind the number, the plain text only where the number stands alone.
    """

    __slots__ = ("digits", "says")

    def __init__(self, value: float, digits: int = 3, says: str = "") -> None:
        self.value, self.digits, self.says = value, digits, says


def number_of(count: float, noun: str) -> Number:
    """A number that is named by what it counts.

    >>> number_of(1, "word").says, number_of(8, "word").says
    ('word', 'words')
    """
    return Number(count, says=plural(count, noun))


def mean_of(counts: Sequence[float], noun: str) -> Number:
    """The mean of counts, named by what was counted; one count is itself. 0 for none.

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
    """A setting, with as many decimals as it was given.

    >>> setting_number(0.25).digits, setting_number(2.0).digits
    (2, 0)
    """
    return Number(value, len(f"{value:g}".partition(".")[2]))


class Symbol(Expr):
    """A name that stands for an earlier step, or for a setting: written as its name, worth its value."""

    __slots__ = ("name",)

    def __init__(self, name: str, value: float) -> None:
        self.name, self.value = name, value


class Several(Expr):
    """Parts of one kind with a sign between them."""

    __slots__ = ("args",)
    sign: ClassVar[str] = ""

    def __init__(self, *args: Expr) -> None:
        self.args = args


class Sum(Several):
    """args[0] + args[1] + …; worth exactly what `math.fsum` gives, as the layers' totals are."""

    __slots__ = ()
    binding = 1
    sign = "+"

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.fsum(a.value for a in args)


class Series(Sum):
    """A sum of so many parts that a page shows the first, the last and the chosen one, the plain text all of them."""

    __slots__ = ()


class Product(Several):
    """args[0] · args[1] · …"""

    __slots__ = ()
    binding = 2
    sign = "·"

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.prod(a.value for a in args)


class FormulaDifference(Expr):
    """left − right."""

    __slots__ = ("left", "right")
    binding = 1

    def __init__(self, left_term: Expr, right: Expr) -> None:
        self.left, self.right, self.value = left_term, right, left_term.value - right.value


class Quotient(Expr):
    """top / bottom; 0 where the bottom is 0, which is what every metric here gives an empty denominator."""

    __slots__ = ("bottom", "top")
    binding = 3

    def __init__(self, top: Expr, bottom: Expr) -> None:
        self.top, self.bottom = top, bottom
        self.value = top.value / bottom.value if bottom.value else 0.0


class Power(Expr):
    """base ^ exponent; 0 for an empty base."""

    __slots__ = ("base", "exponent")
    binding = 4

    def __init__(self, base: Expr, exponent: Expr) -> None:
        self.base, self.exponent = base, exponent
        self.value = base.value**exponent.value if base.value or exponent.value > 0 else 0.0


class Root(Expr):
    """The square root."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.sqrt(arg.value)


class Exp(Expr):
    """The exponential function."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.exp(arg.value)


class Log(Expr):
    """The logarithm to a base other than 1."""

    __slots__ = ("arg", "base")

    def __init__(self, arg: Expr, base: float) -> None:
        self.arg, self.base = arg, base
        self.value = math.log2(arg.value) if base == 2 else math.log(arg.value, base)


class Terms(Expr):
    """The sum of one layer's credits, an addend for each mark: the place where a formula meets the grid.

    `noun` is what the sum counts, and `of` the total that it is compared with. A sum of ones is a count: "28 of 36
    pairs" in MathML and where it stands alone in the plain text, 28 elsewhere in the plain text.
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

    def says(self) -> str:
        """What is said behind the sum's value: "words" or "of 36 pairs"."""
        if self.of is None or not self.noun:
            return plural(self.value, self.noun)
        return f"of {format_number(self.of)} {plural(self.of, self.noun)}"

    def says_its_value(self) -> bool:
        """Whether it is written as one number."""
        return self.counted or (len(self.credits) == 1 and isinstance(self.credits[0], Number))


# ---------------------------------------------------------------- what formulas of docstrings have beside that


class Name(Symbol):
    """A name, and the place of its number; ⋯ for what is left out is no place."""

    __slots__ = ()


class Over(Quotient):
    """A fraction whose parts have places in an exponent, too."""

    __slots__ = ()


class ValuePlace(Expr):
    """The place for the value of a name that is defined."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.value = name, math.nan


class Total(Expr):
    """Σ of what stands behind it, over all that there is of it."""

    __slots__ = ("arg",)
    binding = 2

    def __init__(self, arg: Expr, value: float = math.nan) -> None:
        self.arg, self.value = arg, value


class FunctionCall(Expr):
    """A function of one thing or several."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, args: Sequence[Expr], value: float = math.nan) -> None:
        self.name, self.args, self.value = name, tuple(args), value


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class FormulaStep:
    """`name = forms[0] = forms[1] = … = value`: the last form's value is the step's, all forms are worth the same.

    `same_line` writes the step on the line of the one before it where there is room. The index of a name may be a
    `place` for a number, as the n of p_n.
    """

    name: str
    forms: tuple[Expr, ...]
    same_line: bool = False
    place: bool = False

    @property
    def value(self) -> float:
        return self.forms[-1].value

    def symbol(self) -> Symbol:
        """The step's name, for use in a later step."""
        return Symbol(self.name, self.value)

    def number(self, digits: int = 3) -> Number:
        """The step's value, for use in a later step."""
        return Number(self.value, digits)


def step(name: str, *forms: Expr, same_line: bool = False) -> FormulaStep:
    """A step with these forms, the last of which has its value."""
    return FormulaStep(name, forms, same_line)


# ---------------------------------------------------------------- what an expression holds


def parts(e: Expr) -> Iterator[Expr]:
    """What an expression is made of, in no order; the credits of a sum of terms are no parts of a formula."""
    if isinstance(e, Terms):
        return
    for cls in type(e).__mro__:
        for name in getattr(cls, "__slots__", ()):
            part = getattr(e, name)
            if isinstance(part, Expr):
                yield part
            elif isinstance(part, tuple):
                yield from part


def subexpressions(e: Expr) -> Iterator[Expr]:
    """An expression and all that it holds."""
    yield e
    for part in parts(e):
        yield from subexpressions(part)


def sums(e: Expr) -> list[Terms]:
    """Every sum of credits inside an expression."""
    return [node for node in subexpressions(e) if isinstance(node, Terms)]


def bare(e: Expr) -> Expr:
    """A sum or a product of one thing is that thing."""
    while isinstance(e, Sum | Product) and len(e.args) == 1:
        e = e.args[0]
    return e


def single(e: Expr) -> bool:
    """Whether a sum or a product of one part reads like that part."""
    if isinstance(e, Terms):
        return len(e.credits) == 0 or (len(e.credits) == 1 and e.credits[0].binding > 4)
    return isinstance(e, Sum | Product) and len(e.args) == 1 and e.args[0].binding > 4


def spaced_noun(says: str) -> str:
    """What a number says, with a space in front unless it begins with a comma."""
    return f" {says}" if says and not says.startswith(",") else says
