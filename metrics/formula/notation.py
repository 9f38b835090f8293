"""The formulas of docstrings read into the trees of `metrics.formula`, so that both are typeset by the same writer.

A line holds definitions, `name = expression`, a second one beside the first after a comma and two spaces. What it is
made of: numbers; names, which may be several words and may have an index, `p_n` or `l₁`; + − · /, where · and / bind
alike from the left; powers, `l^e` or `l²`; √ and brackets; Σ, which sums the whole product behind it; functions, such
as `min(1, n/m)`; logarithms with their base, `log₂(r/c)`; and … for what is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from . import (
    Difference,
    Exp,
    Expr,
    Log,
    Look,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Step,
    Sum,
    Symbol,
    fenced,
    mathml,
    name_mathml,
)

_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_POWERS = {"²": 2, "³": 3}
_WORD = r"[^\W\dΣ_][^\W²³]*(?:['-][^\W²³]+)*"
_TOKEN = re.compile(rf"\s*(log[₀-₉.]+|\d+(?:\.\d+)?|[…⋯]|{_WORD}(?: {_WORD})*|[+−·/^√Σ(),²³])")


def steps(lines: Iterable[str], known: Mapping[str, float] = {}, most: int | None = None) -> tuple[Step, ...]:
    """Lines of definitions as steps, whose values are what the `known` numbers make, by the names that the plain text
    has for them: nan where one is missing. `most` is what … goes up to, None where it stays. ValueError for a line that
    is no definition.

    >>> print(*[s.forms[0].text() for s in steps(["P = size / n,  F = 2 · P · R / (P + R)"])], sep="; ")
    size/n; (2·P·R)/(P + R)
    """
    return tuple([_step(text, n > 0, known, most) for line in lines for n, text in enumerate(line.split(",  "))])


def _step(text: str, beside: bool, known: Mapping[str, float], most: int | None) -> Step:
    name, *forms = text.split(" = ")
    if not forms:
        raise ValueError(f"a definition needs an equals sign: {text!r}")
    read = tuple([_Reader(form, known, most).whole() for form in forms])
    return Step(_indexed(name.strip()), read, beside=beside)


def places(lines: Iterable[str], most: int | None = None) -> str:
    """Lines of definitions as MathML in which a script fills in the numbers that are known: each name, sum and function
    stands in a place that has it as `data-known`, and behind the definition of a name there is a place for its value,
    of the class `value`. `most` is what … goes up to.

    >>> places(["P = size / n"]).count("data-known"), 'class="value" data-known="P"' in places(["P = size / n"])
    (3, True)
    """
    found = steps(lines, most=most)
    return mathml([Definition(s.name, (*s.forms, Value(s.name)), s.beside) for s in found])


class Definition(Step):
    """A definition, whose name may have an index that stands for a number, as the n of p_n."""

    __slots__ = ()

    def left(self) -> str:
        return _named(self.name) or name_mathml(self.name)


def _named(name: str) -> str:
    """A name with a place for an index that stands for a number, "" where it has none."""
    base, _, index = name.partition("_")
    if not index or index.isdecimal():
        return ""
    return f"<msub>{name_mathml(base)}{_place(index, name_mathml(index))}</msub>"


def _indexed(name: str) -> str:
    """A name with its index behind an underscore, as symbols have it."""
    return re.sub(r"([₀-₉]+)$", lambda found: "_" + found[1].translate(_DIGITS), name)


class _Reader:
    """One expression, read from the left; a method for each level of binding."""

    def __init__(self, text: str, known: Mapping[str, float], most: int | None) -> None:
        self.text, self.at, self.tokens, self.known, self.most = text, 0, list[str](), known, most
        rest = text.strip()
        while found := _TOKEN.match(rest):
            self.tokens.append(found[1])
            rest = rest[found.end() :]
        if rest:
            raise self.fault()

    def fault(self) -> ValueError:
        return ValueError(f"this is no formula: {self.text!r}")

    def take(self, *signs: str) -> str:
        """The next token if it is one of these signs, else ""."""
        found = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if found not in signs:
            return ""
        self.at += 1
        return found

    def whole(self) -> Expr:
        found = self.sum()
        if self.at < len(self.tokens):
            raise self.fault()
        return found

    def sum(self) -> Expr:
        addends = [self.product()]
        while sign := self.take("+", "−"):
            if sign == "+":
                addends.append(self.product())
            else:
                addends = [Difference(_one(Sum, addends), self.product())]
        return _one(Sum, self.spread(addends))

    def product(self) -> Expr:
        factors = [self.power()]
        while sign := self.take("·", "/"):
            if sign == "·":
                factors.append(self.power())
            else:
                factors = [Over(_one(Product, factors), self.power())]
        return _one(Product, self.spread(factors))

    def spread(self, parts: list[Expr]) -> list[Expr]:
        """x_1, x_2, …, x_N as all of them, where it is known how many there are."""
        last = parts[-1]
        if self.most is None or len(parts) < 4 or not isinstance(last, Name) or parts[-2].text() != "⋯":
            return parts
        base = last.name.partition("_")[0]
        return [Name(f"{base}_{n}", self.known) for n in range(1, self.most + 1)]

    def power(self) -> Expr:
        if self.take("Σ"):
            return Total(self.product(), self.known)
        if self.take("√"):
            return Root(self.atom())
        base = self.atom()
        if sign := self.take(*_POWERS):
            return Power(base, Number(_POWERS[sign]))
        return Power(base, self.power()) if self.take("^") else base

    def atom(self) -> Expr:
        if self.take("("):
            inner = self.sum()
            self.close()
            return inner
        if self.at == len(self.tokens) or self.tokens[self.at] in "+−·/^√Σ(),²³":
            raise self.fault()
        token = self.tokens[self.at]
        self.at += 1
        if token[0].isdigit():
            return Number(float(token), len(token.partition(".")[2]))
        return self.called(token) if self.take("(") else Name("⋯" if token in "…⋯" else _indexed(token), self.known)

    def called(self, name: str) -> Expr:
        """A function of what stands in its brackets, the first of which is read."""
        args = [self.sum()]
        while self.take(","):
            args.append(self.sum())
        self.close()
        if name.startswith("log"):
            return Log(args[0], float(name[3:].translate(_DIGITS)))
        return Exp(args[0]) if name == "exp" else Call(name, args, self.known)

    def close(self) -> None:
        if not self.take(")"):
            raise self.fault()


def _one(kind: type[Sum] | type[Product], parts: list[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else kind(*parts)


def _place(name: str, html: str, kind: str = "") -> str:
    """Where a number is filled in as soon as it is known."""
    return f'<mrow{kind} data-known="{escape(name)}">{html}</mrow>'


class Name(Symbol):
    """A name, and the place of its number."""

    __slots__ = ()

    def __init__(self, name: str, known: Mapping[str, float] = {}) -> None:
        super().__init__(name, known.get(name, math.nan))

    def mathml(self, look: Look) -> str:
        plain = super().mathml(look)
        return plain if self.name == "⋯" else _place(self.name, _named(self.name) or plain)


class Over(Quotient):
    """A fraction whose parts have places in an exponent, too."""

    __slots__ = ()

    def line(self, look: Look) -> str:
        return f"{self.top.mathml(look)}<mo>/</mo>{self.bottom.mathml(look)}"


class Value(Expr):
    """The value of a name that is defined, where it is known."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.value = name, math.nan

    def mathml(self, look: Look) -> str:
        return _place(self.name, "", ' class="value"')

    def text(self) -> str:
        return ""


class Total(Expr):
    """Σ of what stands behind it, over all that there is of it."""

    __slots__ = ("arg",)
    binding = 2

    def __init__(self, arg: Expr, known: Mapping[str, float] = {}) -> None:
        self.arg = arg
        self.value = known.get(self.text(), math.nan)

    def mathml(self, look: Look) -> str:
        return _place(self.text(), f"<mo>∑</mo>{self.arg.mathml(look)}")

    def text(self) -> str:
        return f"Σ {self.arg.text()}"


_CALLED: dict[str, Callable[[list[float]], float]] = {"min": min, "max": max}


class Call(Expr):
    """A function of one thing or several."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, args: Sequence[Expr], known: Mapping[str, float] = {}) -> None:
        self.name, self.args = name, tuple(args)
        values = [a.value for a in args]
        # min and max themselves make a number of nan, depending on where it stands.
        made = _CALLED[name](values) if name in _CALLED and not any(map(math.isnan, values)) else math.nan
        self.value = known.get(self.text(), made)

    def mathml(self, look: Look) -> str:
        args = "<mo>,</mo>".join(a.mathml(look) for a in self.args)
        return _place(self.text(), f"<mi>{escape(self.name)}</mi><mo>&#x2061;</mo>{fenced(args)}")

    def text(self) -> str:
        return f"{self.name}({', '.join(a.text() for a in self.args)})"
