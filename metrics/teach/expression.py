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
import unicodedata
from typing import NamedTuple, NoReturn

#: Examples of numbers, for error messages.
EXAMPLES = "0.375, 3/8, 37.5 % or 2√34/(9 + 8)"

#: Maximum length of a text, and of its quotation in a message; maximum nesting of brackets and roots; and the largest
#: absolute value of any part.
LONGEST, QUOTED, DEEPEST, LARGEST = 100, 40, 20, 1e100


class TypedNumber(NamedTuple):
    """A number that a student typed, and the precision to which it is typed.

    `unit` is the unit of the last digit: 0.001 for "0.375" and for "37.5 %", 1 for "3". For a calculation it is twice
    the uncertainty from rounded numbers in it, 0 if it is exact."""

    value: float
    unit: float = 0.0


class _ExpressionPart(NamedTuple):
    """The value of a part of a typed calculation.

    `doubt` is how far rounded numbers in it may put the value off. `last` is the power of ten of the last digit, if the
    part is a single number."""

    value: float
    doubt: float = 0.0
    last: int | None = None


_NORMALISED = str.maketrans(
    {
        **dict.fromkeys("−–‒", "-"),
        **dict.fromkeys("⁄∕÷:", "/"),
        **dict.fromkeys("*×⋅∙", "·"),
        **{chr(ord("A") + n): chr(ord("a") + n) for n in range(26)},
        **{chr(ord(plain) + 0xFEE0): plain for plain in "0123456789%,.()+=/"},  # full-width signs
    }
)
_BLANK = "[\\t\\n\\v\\f\\r \u00a0\u2000-\u200a\u202f\u205f\u3000]"
_THOUSANDS = re.compile(f"(?<=[0-9]){_BLANK}(?=[0-9]{{3}}(?![0-9]))")
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_NAMES = "exp|ln|log10|log₁₀|log2|log₂|log|e"
_NUMBER = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:e[+-]?[0-9]{1,3}(?![0-9]))?"
_TOKEN = re.compile(
    f"{_BLANK}*(?:(?P<number>{_NUMBER})|(?P<vulgar>[{_VULGAR}])|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]+)"
    f"|(?P<name>(?:{_NAMES})(?![a-z₀-₉]))|(?P<sign>[-+·x/%^√()]))"
)


def read_number(text: str) -> TypedNumber:
    """Return the value and precision of a number or calculation that a student typed.

    Raises ValueError, with one sentence, if the text is not a number or the number is not finite.

    >>> texts = "2√34/(9+8)", "34^(1/2)", "3,75e-1", "= 1½", "5² − √(9·4)", "37.5 %"
    >>> [round(read_number(text).value, 4) for text in texts]
    [0.686, 5.831, 0.375, 1.5, 19.0, 0.375]
    >>> read_number("two thirds")
    Traceback (most recent call last):
    ValueError: “two thirds” is not a number here; write one such as 0.375, 3/8, 37.5 % or 2√34/(9 + 8).
    """
    part = _ExpressionReader(text).parse_all()
    if part.last is not None:
        return TypedNumber(part.value, float(f"1e{part.last}"))
    return TypedNumber(part.value, 2 * part.doubt)


class _ExpressionReader:
    """A recursive-descent parser of one typed calculation, with a method for each line of the grammar."""

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

    def refuse(self, why: str = "is not a number here", remedy: str = f"write one such as {EXAMPLES}") -> NoReturn:
        """Raise ValueError with a sentence that says why the text is no number (`why`) and what to type (`remedy`)."""
        raise ValueError(f"“{_shorten_to_line(self.text)}” {why}; {remedy}.")

    def peek(self, kind: str = "sign") -> str:
        """Return the next token without consuming it if it is of the given kind, else ""."""
        token_kind, token = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return token if token_kind == kind else ""

    def take(self, signs: str, kind: str = "sign") -> str:
        """Consume and return the next token if it is of the given kind, else return "".

        A sign is consumed only if it is one of `signs`."""
        token = self.peek(kind)
        if not token or (kind == "sign" and token not in signs):
            return ""
        self.at += 1
        return token

    def make_part(self, value: float, doubt: float = 0.0, last: int | None = None) -> _ExpressionPart:
        """Return the given part of the calculation; raise ValueError if its value is too large."""
        if not abs(value) <= LARGEST:
            self.refuse("is too large", f"write a number such as {EXAMPLES}")
        return _ExpressionPart(value, doubt, last)

    def parse_all(self) -> _ExpressionPart:
        """Parse the whole text and return its value; raise ValueError if tokens are left over."""
        result = self.parse_sum()
        if self.at < len(self.tokens):
            if self.peek("number") or self.peek("vulgar"):
                self.refuse("has two numbers next to each other", "put a sign between them")
            if self.peek() == ")":
                self.refuse("closes a bracket that is not open", "remove it, or open it")
            self.refuse()
        return result

    def parse_sum(self) -> _ExpressionPart:
        """Parse products joined by + or −, with an optional sign before the first, and return their sum."""
        minus = self.take("+-") == "-"
        result = self.parse_product()
        if minus:
            result = result._replace(value=-result.value)
        while sign := self.take("+-"):
            other = self.parse_product()
            value = result.value + other.value if sign == "+" else result.value - other.value
            result = self.make_part(value, result.doubt + other.doubt)
        return result

    def parse_product(self) -> _ExpressionPart:
        """Parse factors joined by · or /, each perhaps with % after it, and return their value."""
        result, _ = self.parse_implied_product()
        while sign := self.take("·/%"):
            if sign == "%":
                if self.peek() == "%":
                    self.refuse()
                last = None if result.last is None else result.last - 2
                result = self.make_part(result.value * 0.01, result.doubt * 0.01, last)
                continue
            other, factors = self.parse_implied_product()
            if sign == "/" and factors > 1:
                self.refuse("can be read in two ways", "put brackets around the divisor")
            result = self.multiply(result, other) if sign == "·" else self.divide(result, other)
        return result

    def multiply(self, a: _ExpressionPart, b: _ExpressionPart) -> _ExpressionPart:
        """Return `a` times `b`, with the uncertainty of the product."""
        return self.make_part(a.value * b.value, abs(a.value) * b.doubt + abs(b.value) * a.doubt)

    def divide(self, a: _ExpressionPart, b: _ExpressionPart) -> _ExpressionPart:
        """Return `a` divided by `b`, with the uncertainty of the quotient; raise ValueError if `b` is 0."""
        if not b.value:
            self.refuse("divides by 0", f"write a number such as {EXAMPLES}")
        value = a.value / b.value
        return self.make_part(value, (a.doubt + abs(value) * b.doubt) / abs(b.value))

    def parse_implied_product(self) -> tuple[_ExpressionPart, int]:
        """Parse factors without a sign between them, such as 2√3, and return their product and their number."""
        result, factors = self.parse_power(), 1
        while self.peek() in ("√", "(") or self.peek("name"):
            result, factors = self.multiply(result, self.parse_power()), factors + 1
        return result, factors

    def parse_power(self) -> _ExpressionPart:
        """Parse a number, root, bracket or function with its exponent, if it has one, and return its value."""
        base = self.parse_atom()
        if raised := self.take("", "raised"):
            return self.raise_to_power(base, _ExpressionPart(float(raised.translate(_SUPERSCRIPTS))))
        if not self.take("^"):
            return base
        minus = self.take("+-") == "-"
        self.enter_nesting()
        exponent = self.parse_power()
        self.deep -= 1
        return self.raise_to_power(base, exponent._replace(value=-exponent.value) if minus else exponent)

    def raise_to_power(self, base: _ExpressionPart, exponent: _ExpressionPart) -> _ExpressionPart:
        """Return `base` to the power of `exponent`, with its uncertainty; raise ValueError if it is no real number."""
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

    def parse_atom(self) -> _ExpressionPart:
        """Parse a number, root, bracket, function or constant, and return its value."""
        if digits := self.take("", "number"):
            return self.parse_number(digits)
        if vulgar := self.take("", "vulgar"):
            return _ExpressionPart(unicodedata.numeric(vulgar))
        if name := self.take("", "name"):
            return self.parse_name(name)
        if self.take("√"):
            self.enter_nesting()
            under = self.parse_atom()
            self.deep -= 1
            if under.value < 0:
                self.refuse("takes a root of a number below 0", f"write a number such as {EXAMPLES}")
            value = math.sqrt(under.value)
            return _ExpressionPart(value, under.doubt / (2 * value) if value else 0.0)
        return self.parse_bracketed() if self.take("(") else self.refuse()

    def parse_bracketed(self) -> _ExpressionPart:
        """Parse what follows an opening bracket, up to its closing bracket, and return its value."""
        self.enter_nesting()
        result = self.parse_sum()
        self.deep -= 1
        if not self.take(")"):
            if self.at == len(self.tokens):
                self.refuse("opens a bracket that it does not close", "close it")
            self.refuse()
        return result

    def enter_nesting(self) -> None:
        """Enter one more level of nesting; raise ValueError if there are too many."""
        self.deep += 1
        if self.deep > DEEPEST:
            self.refuse("has too many brackets or roots inside each other", "write it with fewer brackets and roots")

    def parse_number(self, digits: str) -> _ExpressionPart:
        """Return the value of the number `digits`, plus that of a fraction such as ½ if one follows an integer."""
        plain, _, power = digits.replace(",", ".").partition("e")
        value, last = float(digits.replace(",", ".")), int(power or 0) - len(plain.partition(".")[2])
        if (vulgar := self.peek("vulgar")) and digits.isdecimal():
            self.at += 1
            return self.make_part(value + unicodedata.numeric(vulgar))
        return self.make_part(
            value, 0.5 * float(f"1e{last}") if re.search("[.,][0-9]", digits) and value else 0.0, last
        )

    def parse_name(self, name: str) -> _ExpressionPart:
        """Parse the call of the function `name`, or the constant e, and return its value."""
        if name == "e":
            if self.peek() != "^" and not self.peek("raised"):
                self.refuse()
            return _ExpressionPart(math.e)
        if name == "log":
            self.refuse("does not say the base of its logarithm", "write ln, log2 or log10")
        if not self.take("("):
            self.refuse(f"has {name} without a bracket", f"write {name}(…)")
        inside = self.parse_bracketed()
        if name == "exp":
            value = math.exp(inside.value) if inside.value < 700 else math.inf
            return self.make_part(value, value * inside.doubt)
        if inside.value <= 0:
            self.refuse("takes the logarithm of a number that is not above 0", f"write a number such as {EXAMPLES}")
        base = {"ln": math.e, "log2": 2.0, "log₂": 2.0}.get(name, 10.0)
        logarithm = {math.e: math.log, 2.0: math.log2}.get(base, math.log10)
        return _ExpressionPart(logarithm(inside.value), inside.doubt / inside.value / math.log(base))


def _shorten_to_line(text: str) -> str:
    """Return the text as an error message quotes it: on one line, printable and shortened."""
    plain = "".join([c if c.isprintable() else " " for c in text[: QUOTED + 20]]).strip()
    return plain if len(plain) <= QUOTED else f"{plain[: QUOTED - 1]}…"
