"""Parses the formulas of docstrings into the trees of `metrics.formula`, so that the same writers typeset both.

A line contains definitions, `name = expression`. Further ones on the same line follow a comma and two spaces. An
expression can contain: numbers; names, which may be several words and may have an index, `p_n` or `l₁`; + − · /, where
· and / bind equally and from the left; powers, `l^e` or `l²`; √ and brackets; Σ, which sums the whole product after it;
functions, such as `min(1, n/m)`; logarithms with their base, `log₂(r/c)`; and … for what is omitted.
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
    InlineFraction,
    Log,
    Number,
    Power,
    Product,
    ReplaceableName,
    SigmaSum,
    SquareRoot,
    Sum,
    ValuePlace,
    subexpressions,
    text,
)

_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_POWERS = {"²": 2, "³": 3}
_WORD = r"[^\W\dΣ_][^\W²³]*(?:['-][^\W²³]+)*"
_TOKEN = re.compile(rf"\s*(log[₀-₉.]+|\d+(?:\.\d+)?|[…⋯]|{_WORD}(?: {_WORD})*|[+−·/^√Σ(),²³])")


def parse_definitions(
    lines: Iterable[str], known_values: Mapping[str, float] = {}, most: int | None = None
) -> tuple[FormulaStep, ...]:
    """Return the steps of lines of definitions such as "P = size / n", with values computed from known numbers.

    `known_values` has the numbers by their names in plain text. The value of a step is nan if one is missing. `most` is
    the number of operands that … stands for in a sum or product, or None to print …. Raises ValueError if a line is not
    a definition.

    >>> print(*[text(s.forms[0]) for s in parse_definitions(["P = size / n,  F = 2 · P · R / (P + R)"])], sep="; ")
    size/n; (2·P·R)/(P + R)
    """
    return tuple([_step(part, n > 0, known_values, most) for line in lines for n, part in enumerate(line.split(",  "))])


def _step(written: str, same_line: bool, known_values: Mapping[str, float], most: int | None) -> FormulaStep:
    """Parse one definition, such as "P = size / n". Raises ValueError if it is not a definition.

    `same_line` puts it on the line of the previous one. `known_values` and `most` are explained at `parse_definitions`.
    """
    name, *forms = written.split(" = ")
    if not forms:
        raise ValueError(f"a definition needs an equals sign: {written!r}")
    read = tuple([_NotationReader(form, known_values, most).parse_whole() for form in forms])
    return FormulaStep(_with_index(name.strip()), read, same_line=same_line)


def parse_with_value_places(lines: Iterable[str], most: int | None = None) -> tuple[FormulaStep, ...]:
    """Return the steps of lines of definitions, each ending in an empty place for the value of its name.

    `most` is the number of operands that … stands for in a sum or product, or None to print ….
    """
    parsed_steps = parse_definitions(lines, most=most)
    return tuple([replace(s, forms=(*s.forms, ValuePlace(s.name)), place=True) for s in parsed_steps])


def replaceable_names(parsed_steps: Iterable[FormulaStep]) -> set[str]:
    """Return the names that a script can replace by numbers in these steps: names, indexes, sums and functions."""
    parsed_steps = [*parsed_steps]
    nodes = [e for s in parsed_steps for form in s.forms for e in subexpressions(form)]
    names = {e.name for e in nodes if isinstance(e, ReplaceableName | ValuePlace)} - {"⋯"}
    indices = {name.partition("_")[2] for name in (*names, *[s.name for s in parsed_steps])}
    written = {text(e) for e in nodes if isinstance(e, SigmaSum | FunctionCall)}
    return names | {index for index in indices if index and not index.isdecimal()} | written


def _with_index(name: str) -> str:
    """Return a name whose subscript digits are written after an underscore, as in the names of symbols: l₁ as l_1."""
    start = len(name.rstrip("₀₁₂₃₄₅₆₇₈₉"))
    return f"{name[:start]}_{name[start:].translate(_DIGITS)}" if start < len(name) else name


class _NotationReader:
    """A recursive-descent parser of one expression, with one method for each level of binding."""

    def __init__(self, written: str, known_values: Mapping[str, float], most: int | None) -> None:
        """Split the text into tokens. Raises ValueError if it contains anything else.

        `known_values` has known numbers by name. `most` is the number of operands that … stands for, or None to print
        ….
        """
        self.written, self.at, self.tokens, self.known, self.most = written, 0, list[str](), known_values, most
        text, end = written.strip(), 0
        while token := _TOKEN.match(text, end):
            self.tokens.append(token[1])
            end = token.end()
        if end < len(text):
            raise self.fault()

    def fault(self) -> ValueError:
        """Return the error to raise if the expression cannot be parsed."""
        return ValueError(f"this is no formula: {self.written!r}")

    def take_token(self, *signs: str) -> str:
        """Consume and return the next token if it is one of `signs`, else return "".

        Without `signs`, any token is taken.
        """
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if token not in signs:
            return ""
        self.at += 1
        return token

    def parse_whole(self) -> Expr:
        """Parse the whole text as one expression."""
        expression = self.sum()
        if self.at < len(self.tokens):
            raise self.fault()
        return expression

    def sum(self) -> Expr:
        """Parse a sum, or anything that binds more tightly."""
        addends = [self.product()]
        while sign := self.take_token("+", "−"):
            if sign == "+":
                addends.append(self.product())
            else:
                addends = [FormulaDifference(_combined(Sum, addends), self.product())]
        return _combined(Sum, self.expand_ellipsis(addends))

    def product(self) -> Expr:
        """Parse a product or quotient, or anything that binds more tightly."""
        factors = [self.power()]
        while sign := self.take_token("·", "/"):
            if sign == "·":
                factors.append(self.power())
            else:
                factors = [InlineFraction(_combined(Product, factors), self.power())]
        return _combined(Product, self.expand_ellipsis(factors))

    def expand_ellipsis(self, parts: list[Expr]) -> list[Expr]:
        """Return the operands of a sum or product with x_1, …, x_N expanded to all, if their number is known."""
        if self.most is None or len(parts) < 4:
            return parts
        dots, last = parts[-2:]
        if not (isinstance(dots, ReplaceableName) and dots.name == "⋯" and isinstance(last, ReplaceableName)):
            return parts
        base = last.name.partition("_")[0]
        return [self.read_name(f"{base}_{n}") for n in range(1, self.most + 1)]

    def power(self) -> Expr:
        """Parse a power, a root, a Σ, or anything that binds more tightly."""
        if self.take_token("Σ"):
            return self.fill_known_value(SigmaSum(self.product()))
        if self.take_token("√"):
            return SquareRoot(self.atom())
        base = self.atom()
        if sign := self.take_token(*_POWERS):
            return Power(base, Number(_POWERS[sign]))
        return Power(base, self.power()) if self.take_token("^") else base

    def atom(self) -> Expr:
        """Parse a number, a name, a function call or an expression in brackets."""
        if self.take_token("("):
            inner = self.sum()
            self.close()
            return inner
        if self.at == len(self.tokens) or self.tokens[self.at] in "+−·/^√Σ(),²³":
            raise self.fault()
        token = self.tokens[self.at]
        self.at += 1
        if token[0].isdigit():
            return Number(float(token), len(token.partition(".")[2]))
        return (
            self.read_call(token)
            if self.take_token("(")
            else self.read_name("⋯" if token in "…⋯" else _with_index(token))
        )

    def read_name(self, name: str) -> ReplaceableName:
        """Return the node for a name, with its value if known, else nan."""
        return ReplaceableName(name, self.known.get(name, math.nan))

    def fill_known_value(self, e: Expr) -> Expr:
        """Return a Σ or a function call with its value set, if it is known."""
        e.value = self.known.get(text(e), e.value)
        return e

    def read_call(self, name: str) -> Expr:
        """Parse the arguments of a function, after its opening bracket."""
        args = [self.sum()]
        while self.take_token(","):
            args.append(self.sum())
        self.close()
        if name.startswith("log"):
            return Log(args[0], float(name[3:].translate(_DIGITS)))
        if name == "exp":
            return Exp(args[0])
        values = [a.value for a in args]
        # With nan among their arguments, min and max may return a number, depending on the order.
        value = _CALLED[name](values) if name in _CALLED and not any(map(math.isnan, values)) else math.nan
        return self.fill_known_value(FunctionCall(name, args, value))

    def close(self) -> None:
        """Consume a closing bracket, or raise ValueError."""
        if not self.take_token(")"):
            raise self.fault()


def _combined(kind: type[Sum] | type[Product], parts: list[Expr]) -> Expr:
    """Return the sum or product of the operands, or the operand itself if there is only one."""
    return parts[0] if len(parts) == 1 else kind(*parts)


_CALLED: dict[str, Callable[[list[float]], float]] = {"min": min, "max": max}
