"""Parses the numbers that students type, with one grammar for steps, exercises and chapters. Nothing is evaluated as
code.

`viz/draw/steps/script/expression.js` parses the same grammar in a page and typesets it; a test checks that both agree.

    sum      = [+|−] product {(+|−) product}
    product  = implied {(·|/) implied | %}
    implied  = power {power}                      from the second on, a power begins with a root, a bracket or a name
    power    = atom [^ [+|−] power | superscript]
    atom     = number | √ atom | ( sum ) | exp, ln, log2 or log10 of ( sum ) | e, before a power

An equals sign at the start is skipped. ½ is a number, also after an integer. % divides by 100 the part before it, back
to the last + or −. Ambiguous input is rejected: 1/2√3, 2 3 and log(2)."""

from __future__ import annotations

import math
import re
from typing import NamedTuple, NoReturn

#: Examples of numbers, for error messages.
EXAMPLES = "0.375, 3/8, 37.5 % or 2√34/(9 + 8)"

#: Maximum length of a text, and of its quotation in a message; maximum nesting of brackets and roots; and the largest
#: absolute value of any part.
LONGEST, QUOTED, DEEPEST, LARGEST = 100, 40, 20, 1e100


class TypedNumber(NamedTuple):
    """A parsed number and its precision.

    `unit` is the unit of the last digit: 0.001 for "0.375" and for "37.5 %", 1 for "3". For a calculation it is twice
    the uncertainty from rounded numbers in it, 0 if it is exact."""

    value: float
    unit: float = 0.0


class _ExpressionPart(NamedTuple):
    """The value of a part of an expression.

    `doubt` is its uncertainty from rounded numbers. `last` is the power of ten of the last digit, if the part is a
    single number."""

    value: float
    doubt: float = 0.0
    last: int | None = None


_NORMALISED = str.maketrans(
    {
        **dict.fromkeys("−–‒", "-"),
        **dict.fromkeys("⁄∕÷:", "/"),
        **dict.fromkeys("*×⋅∙", "·"),
        **{chr(ord("０") + digit): str(digit) for digit in range(10)},
        **{chr(ord("A") + n): chr(ord("a") + n) for n in range(26)},
        "％": "%",
        "，": ",",
        "．": ".",
        "（": "(",
        "）": ")",
        "＋": "+",
        "＝": "=",
        "／": "/",
    }
)
_BLANK = "[\\t\\n\\v\\f\\r \u00a0\u2000-\u200a\u202f\u205f\u3000]"
_THOUSANDS = re.compile(f"(?<=[0-9]){_BLANK}(?=[0-9]{{3}}(?![0-9]))")
_VULGAR = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅖": (2, 5),
    "⅗": (3, 5),
    "⅘": (4, 5),
    "⅙": (1, 6),
    "⅚": (5, 6),
    "⅐": (1, 7),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
    "⅑": (1, 9),
    "⅒": (1, 10),
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_NAMES = "exp|ln|log10|log₁₀|log2|log₂|log|e"
_NUMBER = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:e[+-]?[0-9]{1,3}(?![0-9]))?"
_TOKEN = re.compile(
    f"{_BLANK}*(?:(?P<number>{_NUMBER})|(?P<vulgar>[{''.join(_VULGAR)}])|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]+)"
    f"|(?P<name>(?:{_NAMES})(?![a-z₀-₉]))|(?P<sign>[-+·x/%^√()]))"
)


def read(text: str) -> TypedNumber:
    """Return the number that a text states.

    Raises ValueError, with one sentence, if the text is not a number or the number is not finite.

    >>> [round(read(text).value, 4) for text in ("2√34/(9+8)", "34^(1/2)", "3,75e-1", "= 1½", "5² − √(9·4)", "37.5 %")]
    [0.686, 5.831, 0.375, 1.5, 19.0, 0.375]
    >>> read("two thirds")
    Traceback (most recent call last):
    ValueError: “two thirds” is no number here; write one such as 0.375, 3/8, 37.5 % or 2√34/(9 + 8).
    """
    part = _ExpressionReader(text).whole()
    if part.last is not None:
        return TypedNumber(part.value, float(f"1e{part.last}"))
    return TypedNumber(part.value, 2 * part.doubt)


class _ExpressionReader:
    """A recursive-descent parser of one text, with a method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.deep = text, 0, 0
        self.tokens: list[tuple[str, str]] = []
        plain = _THOUSANDS.sub("", text.replace("**", "^").translate(_NORMALISED)).replace("sqrt", "√")
        plain = re.sub(f"^{_BLANK}+|{_BLANK}+$", "", plain)
        if not plain:
            raise ValueError(f"Type a number, such as {EXAMPLES}.")
        if len(plain) > LONGEST:
            raise ValueError(f"A number has at most {LONGEST} characters here; write one such as {EXAMPLES}.")
        plain = plain.removeprefix("=")
        while token_match := _TOKEN.match(plain):
            kind = str(token_match.lastgroup)
            self.tokens.append((kind, "·" if token_match[kind] == "x" else token_match[kind]))
            plain = plain[token_match.end() :]
        if plain or not self.tokens:
            self.refuse()

    def refuse(self, why: str = "is no number here", remedy: str = f"write one such as {EXAMPLES}") -> NoReturn:
        """Raise ValueError with the reason and the remedy."""
        raise ValueError(f"“{_one_line(self.text)}” {why}; {remedy}.")

    def next(self, kind: str = "sign") -> str:
        """Return the next token if it is of the given kind, else ""."""
        token_kind, token = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return token if token_kind == kind else ""

    def take(self, signs: str, kind: str = "sign") -> str:
        """Consume and return the next token if it is of the given kind, and any sign is in `signs`; else ""."""
        token = self.next(kind)
        if not token or (kind == "sign" and token not in signs):
            return ""
        self.at += 1
        return token

    def make_part(self, value: float, doubt: float = 0.0, last: int | None = None) -> _ExpressionPart:
        """Return a part of the expression; raise ValueError if its value is too large."""
        if not abs(value) <= LARGEST:
            self.refuse("is too large", f"write a number such as {EXAMPLES}")
        return _ExpressionPart(value, doubt, last)

    def whole(self) -> _ExpressionPart:
        """Return the value of the whole text; raise ValueError if anything is left."""
        result = self.sum()
        if self.at < len(self.tokens):
            if self.next("number") or self.next("vulgar"):
                self.refuse("has two numbers beside each other", "put a sign between them")
            if self.next() == ")":
                self.refuse("closes a bracket that is not open", "take it away, or open it")
            self.refuse()
        return result

    def sum(self) -> _ExpressionPart:
        """Parse a sum."""
        minus = self.take("+-") == "-"
        result = self.product()
        if minus:
            result = result._replace(value=-result.value)
        while sign := self.take("+-"):
            other = self.product()
            value = result.value + other.value if sign == "+" else result.value - other.value
            result = self.make_part(value, result.doubt + other.doubt)
        return result

    def product(self) -> _ExpressionPart:
        """Parse a product."""
        result, _ = self.implied()
        while sign := self.take("·/%"):
            if sign == "%":
                if self.next() == "%":
                    self.refuse()
                last = None if result.last is None else result.last - 2
                result = self.make_part(result.value * 0.01, result.doubt * 0.01, last)
                continue
            other, factors = self.implied()
            if sign == "/" and factors > 1:
                self.refuse("can be read in two ways", "put brackets around what is divided by")
            result = self.times(result, other) if sign == "·" else self.over(result, other)
        return result

    def times(self, a: _ExpressionPart, b: _ExpressionPart) -> _ExpressionPart:
        """Return the product of two parts, with its uncertainty."""
        return self.make_part(a.value * b.value, abs(a.value) * b.doubt + abs(b.value) * a.doubt)

    def over(self, a: _ExpressionPart, b: _ExpressionPart) -> _ExpressionPart:
        """Return the quotient of two parts, with its uncertainty."""
        if not b.value:
            self.refuse("divides by 0", f"write a number such as {EXAMPLES}")
        value = a.value / b.value
        return self.make_part(value, (a.doubt + abs(value) * b.doubt) / abs(b.value))

    def implied(self) -> tuple[_ExpressionPart, int]:
        """Return the product of factors without a sign between them, and the number of factors."""
        result, factors = self.power(), 1
        while self.next() in ("√", "(") or self.next("name"):
            result, factors = self.times(result, self.power()), factors + 1
        return result, factors

    def power(self) -> _ExpressionPart:
        """Parse a power."""
        base = self.atom()
        if raised := self.take("", "raised"):
            return self.raised(base, _ExpressionPart(float(raised.translate(_SUPERSCRIPTS))))
        if not self.take("^"):
            return base
        minus = self.take("+-") == "-"
        self.deeper()
        exponent = self.power()
        self.deep -= 1
        return self.raised(base, exponent._replace(value=-exponent.value) if minus else exponent)

    def raised(self, base: _ExpressionPart, exponent: _ExpressionPart) -> _ExpressionPart:
        """Return `base` to the power of `exponent`, with its uncertainty."""
        if not base.value and exponent.value < 0:
            self.refuse("divides by 0", f"write a number such as {EXAMPLES}")
        if base.value < 0 and exponent.value != math.floor(exponent.value):
            self.refuse("takes a root of a number below 0", f"write a number such as {EXAMPLES}")
        try:
            value = base.value**exponent.value
        except OverflowError:
            value = math.inf
        size = abs(base.value)
        share = abs(exponent.value) * base.doubt / size + abs(math.log(size)) * exponent.doubt if size else 0.0
        return self.make_part(value, abs(value) * share)

    def atom(self) -> _ExpressionPart:
        """Parse an atom."""
        if digits := self.take("", "number"):
            return self.number(digits)
        if vulgar := self.take("", "vulgar"):
            top, bottom = _VULGAR[vulgar]
            return _ExpressionPart(top / bottom)
        if name := self.take("", "name"):
            return self.read_name(name)
        if self.take("√"):
            self.deeper()
            under = self.atom()
            self.deep -= 1
            if under.value < 0:
                self.refuse("takes a root of a number below 0", f"write a number such as {EXAMPLES}")
            value = math.sqrt(under.value)
            return _ExpressionPart(value, under.doubt / (2 * value) if value else 0.0)
        return self.closed() if self.take("(") else self.refuse()

    def closed(self) -> _ExpressionPart:
        """Return the value of the bracket that is open, and consume its end."""
        self.deeper()
        result = self.sum()
        self.deep -= 1
        if not self.take(")"):
            if self.at == len(self.tokens):
                self.refuse("opens a bracket that it does not close", "close it")
            self.refuse()
        return result

    def deeper(self) -> None:
        """Count one more level of nesting; raise ValueError if there are too many."""
        self.deep += 1
        if self.deep > DEEPEST:
            self.refuse("has too much inside each other", "write it with fewer brackets and roots")

    def number(self, digits: str) -> _ExpressionPart:
        """Return the value of a literal number, also with a fraction such as ½ after it."""
        plain, _, power = digits.replace(",", ".").partition("e")
        value, last = float(digits.replace(",", ".")), int(power or 0) - len(plain.partition(".")[2])
        if (vulgar := self.next("vulgar")) and digits.isdecimal():
            self.at += 1
            top, bottom = _VULGAR[vulgar]
            return self.make_part(value + top / bottom)
        return self.make_part(
            value, 0.5 * float(f"1e{last}") if re.search("[.,][0-9]", digits) and value else 0.0, last
        )

    def read_name(self, name: str) -> _ExpressionPart:
        """Parse the function or constant `name`."""
        if name == "e":
            if self.next() != "^" and not self.next("raised"):
                self.refuse()
            return _ExpressionPart(math.e)
        if name == "log":
            self.refuse("does not say the base of its logarithm", "write ln, log2 or log10")
        if not self.take("("):
            self.refuse(f"has {name} without a bracket", f"write {name}(…)")
        inside = self.closed()
        if name == "exp":
            value = math.exp(inside.value) if inside.value < 700 else math.inf
            return self.make_part(value, value * inside.doubt)
        if inside.value <= 0:
            self.refuse("takes the logarithm of a number that is not above 0", f"write a number such as {EXAMPLES}")
        base = {"ln": math.e, "log2": 2.0, "log₂": 2.0}.get(name, 10.0)
        logarithm = {math.e: math.log, 2.0: math.log2}.get(base, math.log10)
        return _ExpressionPart(logarithm(inside.value), inside.doubt / inside.value / math.log(base))


def _one_line(text: str) -> str:
    """Return the text shortened for a sentence: on one line and printable."""
    plain = "".join([c if c.isprintable() else " " for c in text[: QUOTED + 20]]).strip()
    return plain if len(plain) <= QUOTED else f"{plain[: QUOTED - 1]}…"
