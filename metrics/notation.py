"""The formulas of docstrings read into the trees of `metrics.formula`, so that both are typeset by the same writer.

A line holds definitions, `name = expression`, a second one beside the first after a comma and two spaces. What it is
made of: numbers; names, which may be several words and may have an index, `p_n` or `l₁`; + − · /, where · and / bind
alike from the left; powers, `l^e` or `l²`; √ and brackets; Σ, which sums the whole product behind it; functions, such
as `min(1, n/m)`; logarithms with their base, `log₂(r/c)`; and … for what is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html import escape

from .formula import Difference, Exp, Expr, Log, Look, Number, Power, Product, Quotient, Root, Step, Sum, Symbol, fenced

_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_POWERS = {"²": 2, "³": 3}
_WORD = r"[^\W\dΣ_][^\W²³]*(?:['-][^\W²³]+)*"
_TOKEN = re.compile(rf"\s*(log[₀-₉.]+|\d+(?:\.\d+)?|[…⋯]|{_WORD}(?: {_WORD})*|[+−·/^√Σ(),²³])")


def steps(lines: Iterable[str]) -> tuple[Step, ...]:
    """Lines of definitions as steps without values. ValueError for a line that is no definition.

    >>> print(*[s.forms[0].text() for s in steps(["P = size / n,  F = 2 · P · R / (P + R)"])], sep="; ")
    size/n; (2·P·R)/(P + R)
    """
    return tuple([_step(text, n > 0) for line in lines for n, text in enumerate(line.split(",  "))])


def _step(text: str, beside: bool) -> Step:
    name, *forms = text.split(" = ")
    if not forms:
        raise ValueError(f"a definition needs an equals sign: {text!r}")
    return Step(_indexed(name.strip()), tuple([_Reader(form).whole() for form in forms]), beside=beside)


def _indexed(name: str) -> str:
    """A name with its index behind an underscore, as symbols have it."""
    return re.sub(r"([₀-₉]+)$", lambda found: "_" + found[1].translate(_DIGITS), name)


class _Reader:
    """One expression, read from the left; a method for each level of binding."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.tokens = text, 0, list[str]()
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
        return _one(Sum, addends)

    def product(self) -> Expr:
        factors = [self.power()]
        while sign := self.take("·", "/"):
            if sign == "·":
                factors.append(self.power())
            else:
                factors = [Quotient(_one(Product, factors), self.power())]
        return _one(Product, factors)

    def power(self) -> Expr:
        if self.take("Σ"):
            return Total(self.product())
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
        return self.called(token) if self.take("(") else Symbol("⋯" if token in "…⋯" else _indexed(token), math.nan)

    def called(self, name: str) -> Expr:
        """A function of what stands in its brackets, the first of which is read."""
        args = [self.sum()]
        while self.take(","):
            args.append(self.sum())
        self.close()
        if name.startswith("log"):
            return Log(args[0], float(name[3:].translate(_DIGITS)))
        return Exp(args[0]) if name == "exp" else Call(name, *args)

    def close(self) -> None:
        if not self.take(")"):
            raise self.fault()


def _one(kind: type[Sum] | type[Product], parts: list[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else kind(*parts)


class Total(Expr):
    """Σ of what stands behind it, over all that there is of it."""

    __slots__ = ("arg",)
    binding = 2

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.nan

    def latex(self, look: Look) -> str:
        return rf"\sum {self.arg.latex(look)}"

    def mathml(self, look: Look) -> str:
        return f"<mo>∑</mo>{self.arg.mathml(look)}"

    def text(self) -> str:
        return f"Σ {self.arg.text()}"


class Call(Expr):
    """A function of one thing or several."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, *args: Expr) -> None:
        self.name, self.args, self.value = name, args, math.nan

    def latex(self, look: Look) -> str:
        return rf"\operatorname{{{self.name}}}({', '.join(a.latex(look.unbroken()) for a in self.args)})"

    def mathml(self, look: Look) -> str:
        args = "<mo>,</mo>".join(a.mathml(look) for a in self.args)
        return f"<mi>{escape(self.name)}</mi><mo>&#x2061;</mo>{fenced(args)}"

    def text(self) -> str:
        return f"{self.name}({', '.join(a.text() for a in self.args)})"
