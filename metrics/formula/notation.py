"""The formulas of docstrings read into the trees of `metrics.formula`, so that both are typeset by the same writers.

A line holds definitions, `name = expression`, a second one beside the first after a comma and two spaces. What it is
made of: numbers; names, which may be several words and may have an index, `p_n` or `l₁`; + − · /, where · and / bind
alike from the left; powers, `l^e` or `l²`; √ and brackets; Σ, which sums the whole product behind it; functions, such
as `min(1, n/m)`; logarithms with their base, `log₂(r/c)`; and … for what is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from . import (
    Exp,
    Expr,
    FormulaDifference,
    FormulaStep,
    FunctionCall,
    Log,
    Name,
    Number,
    Over,
    Power,
    Product,
    Root,
    Sum,
    Total,
    ValuePlace,
    mathml,
    subexpressions,
    text,
)

_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_POWERS = {"²": 2, "³": 3}
_WORD = r"[^\W\dΣ_][^\W²³]*(?:['-][^\W²³]+)*"
_TOKEN = re.compile(rf"\s*(log[₀-₉.]+|\d+(?:\.\d+)?|[…⋯]|{_WORD}(?: {_WORD})*|[+−·/^√Σ(),²³])")


def steps(
    lines: Iterable[str], known_values: Mapping[str, float] = {}, most: int | None = None
) -> tuple[FormulaStep, ...]:
    """Lines of definitions as steps. The values are made from the numbers in `known_values`, by the names that the
    plain text has for them: nan where one is missing. `most` is what … goes up to, None where it stays. ValueError for
    a line that is no definition.

    >>> print(*[text(s.forms[0]) for s in steps(["P = size / n,  F = 2 · P · R / (P + R)"])], sep="; ")
    size/n; (2·P·R)/(P + R)
    """
    return tuple([_step(part, n > 0, known_values, most) for line in lines for n, part in enumerate(line.split(",  "))])


def _step(written: str, same_line: bool, known_values: Mapping[str, float], most: int | None) -> FormulaStep:
    name, *forms = written.split(" = ")
    if not forms:
        raise ValueError(f"a definition needs an equals sign: {written!r}")
    read = tuple([_NotationReader(form, known_values, most).whole() for form in forms])
    return FormulaStep(_indexed(name.strip()), read, same_line=same_line)


def definitions(lines: Iterable[str], most: int | None = None) -> tuple[FormulaStep, ...]:
    """Lines of definitions with a place behind each for the value of its name. `most` is what … goes up to."""
    parsed_steps = steps(lines, most=most)
    return tuple([replace(s, forms=(*s.forms, ValuePlace(s.name)), place=True) for s in parsed_steps])


def places(lines: Iterable[str], most: int | None = None) -> str:
    """Lines of definitions as MathML in which a script fills in the numbers that are known: each name, sum and function
    stands in a place that has it as `data-known`, and behind the definition of a name there is a place for its value,
    of the class `value`. `most` is what … goes up to.

    >>> places(["P = size / n"]).count("data-known"), 'class="value" data-known="P"' in places(["P = size / n"])
    (3, True)
    """
    return mathml(definitions(lines, most))


def places_of(parsed_steps: Iterable[FormulaStep]) -> set[str]:
    """The names of all places for a number that definitions have."""
    parsed_steps = [*parsed_steps]
    nodes = [e for s in parsed_steps for form in s.forms for e in subexpressions(form)]
    names = {e.name for e in nodes if isinstance(e, Name | ValuePlace)} - {"⋯"}
    indices = {name.partition("_")[2] for name in (*names, *[s.name for s in parsed_steps])}
    written = {text(e) for e in nodes if isinstance(e, Total | FunctionCall)}
    return names | {index for index in indices if index and not index.isdecimal()} | written


def _indexed(name: str) -> str:
    """A name with its index behind an underscore, as symbols have it."""
    start = len(name.rstrip("₀₁₂₃₄₅₆₇₈₉"))
    return f"{name[:start]}_{name[start:].translate(_DIGITS)}" if start < len(name) else name


class _NotationReader:
    """One expression, read from the left; a method for each level of binding."""

    def __init__(self, written: str, known_values: Mapping[str, float], most: int | None) -> None:
        self.written, self.at, self.tokens, self.known, self.most = written, 0, list[str](), known_values, most
        text, end = written.strip(), 0
        while token := _TOKEN.match(text, end):
            self.tokens.append(token[1])
            end = token.end()
        if end < len(text):
            raise self.fault()

    def fault(self) -> ValueError:
        return ValueError(f"this is no formula: {self.written!r}")

    def take(self, *signs: str) -> str:
        """The next token if it is one of these signs, else ""."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if token not in signs:
            return ""
        self.at += 1
        return token

    def whole(self) -> Expr:
        expression = self.sum()
        if self.at < len(self.tokens):
            raise self.fault()
        return expression

    def sum(self) -> Expr:
        addends = [self.product()]
        while sign := self.take("+", "−"):
            if sign == "+":
                addends.append(self.product())
            else:
                addends = [FormulaDifference(_one(Sum, addends), self.product())]
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
        if self.most is None or len(parts) < 4:
            return parts
        dots, last = parts[-2:]
        if not (isinstance(dots, Name) and dots.name == "⋯" and isinstance(last, Name)):
            return parts
        base = last.name.partition("_")[0]
        return [self.read_name(f"{base}_{n}") for n in range(1, self.most + 1)]

    def power(self) -> Expr:
        if self.take("Σ"):
            return self.fill_known_value(Total(self.product()))
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
        return self.read_call(token) if self.take("(") else self.read_name("⋯" if token in "…⋯" else _indexed(token))

    def read_name(self, name: str) -> Name:
        return Name(name, self.known.get(name, math.nan))

    def fill_known_value(self, e: Expr) -> Expr:
        """A sum or a function with the value that is known of it."""
        e.value = self.known.get(text(e), e.value)
        return e

    def read_call(self, name: str) -> Expr:
        """A function of what stands in its brackets, the first of which is read."""
        args = [self.sum()]
        while self.take(","):
            args.append(self.sum())
        self.close()
        if name.startswith("log"):
            return Log(args[0], float(name[3:].translate(_DIGITS)))
        if name == "exp":
            return Exp(args[0])
        values = [a.value for a in args]
        # min and max themselves make a number of nan, depending on where it stands.
        value = _CALLED[name](values) if name in _CALLED and not any(map(math.isnan, values)) else math.nan
        return self.fill_known_value(FunctionCall(name, args, value))

    def close(self) -> None:
        if not self.take(")"):
            raise self.fault()


def _one(kind: type[Sum] | type[Product], parts: list[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else kind(*parts)


_CALLED: dict[str, Callable[[list[float]], float]] = {"min": min, "max": max}
