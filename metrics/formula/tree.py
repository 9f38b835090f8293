"""A score written out: one expression tree gives the number, the MathML and the plain text.

A metric returns steps (`match size = …`, `P = …`, `F = …`), the last of which is its score. Because a step computes
its value from the same tree that is printed, a formula cannot show other numbers than the ones that were used.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import ClassVar

_SUPERSCRIPTS = str.maketrans("0123456789.−-n", "⁰¹²³⁴⁵⁶⁷⁸⁹·⁻⁻ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def shown(value: float, digits: int = 3) -> str:
    """A number as the page prints it: whole numbers bare, others with `digits` decimals, a true minus sign.

    >>> shown(4.0), shown(4.69041576), shown(-0.5)
    ('4', '4.690', '−0.500')
    """
    text = str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.{digits}f}"
    return text.replace("-", "−")


def plural(count: float, noun: str) -> str:
    """A noun's number.

    >>> plural(1, "pair"), plural(0, "pair")
    ('pair', 'pairs')
    """
    return noun if count == 1 or not noun else f"{noun}s"


@dataclass(frozen=True, slots=True)
class Look:
    """How to print: the selected mark as (layer, index), how many addends to show before an ellipsis, and how many
    letters a line has room for."""

    selected: tuple[int, int] | None = None
    most: int = 7
    room: int = 60


class Expr:
    """An expression: `value`, and printers that take brackets into account through `binding`."""

    __slots__ = ("value",)
    value: float
    binding: ClassVar[int] = 9  # 1 sum, 2 product, 3 quotient written in a line, 4 power, 9 atom

    def mathml(self, look: Look) -> str:
        """The expression as a browser typesets it."""
        raise NotImplementedError

    def text(self) -> str:
        """The expression on one line of plain text."""
        raise NotImplementedError


class Number(Expr):
    """A literal, or a number known from the result.

    `says` is what it counts ("words") or, after a comma, how it was made (", the mean of 12 and 8 words"). MathML
    prints it behind the number, the plain text only where the number stands alone.
    """

    __slots__ = ("digits", "says")

    def __init__(self, value: float, digits: int = 3, says: str = "") -> None:
        self.value, self.digits, self.says = value, digits, says

    def mathml(self, look: Look) -> str:
        return _named(f"<mn>{shown(self.value, self.digits)}</mn>", self.says)

    def text(self) -> str:
        return f"{shown(self.value, self.digits)}{_apart(self.says)}"


def number_of(count: float, noun: str) -> Number:
    """A number that is named by what it counts.

    >>> number_of(1, "word").text(), number_of(8, "word").text()
    ('1 word', '8 words')
    """
    return Number(count, says=plural(count, noun))


def mean_of(counts: Sequence[float], noun: str) -> Number:
    """The mean of counts, named by what was counted; one count is itself. 0 for none.

    >>> mean_of([12, 8], "word").text(), mean_of([8], "word").text()
    ('10, the mean of 12 and 8 words', '8 words')
    >>> mean_of([12, 8, 10, 11], "word").text()
    "10.25, the mean of 4 references' words"
    """
    if len(counts) == 1:
        return number_of(counts[0], noun)
    mean = math.fsum(counts) / len(counts) if counts else 0.0
    digits = next((d for d in range(3) if round(mean, d) == mean), 3)
    if len(counts) > 3:
        return Number(mean, digits, f", the mean of {len(counts)} references' {noun}s")
    *some, last = [shown(count) for count in counts] or ["0"]
    return Number(mean, digits, f", the mean of {', '.join(some)} and {last} {noun}s")


def _apart(says: str) -> str:
    """What a number says, with a space in front unless it begins with a comma."""
    return f" {says}" if says and not says.startswith(",") else says


def _named(html: str, says: str) -> str:
    if not says:
        return html
    # A space at the edge of MathML text is dropped unless it does not break.
    noun = escape(_apart(says), quote=False)
    noun = f"\u00a0{noun[1:]}" if noun.startswith(" ") else noun
    return f'<mrow class="named">{html}<mtext class="noun">{noun}</mtext></mrow>'


def given(value: float) -> Number:
    """A setting, with as many decimals as it was given.

    >>> given(0.25).text(), given(2.0).text()
    ('0.25', '2')
    """
    return Number(value, len(f"{value:g}".partition(".")[2]))


class Symbol(Expr):
    """A name that stands for an earlier step, or for a setting: printed as its name, worth its value."""

    __slots__ = ("name",)

    def __init__(self, name: str, value: float) -> None:
        self.name, self.value = name, value

    def mathml(self, look: Look) -> str:
        return name_mathml(self.name)

    def text(self) -> str:
        return self.name


def name_mathml(name: str) -> str:
    if name.endswith(")"):
        function, _, arguments = name[:-1].partition("(")
        given = "<mo>,</mo>".join(map(name_mathml, arguments.split(", ")))
        return f"<mi>{escape(function)}</mi><mo>&#x2061;</mo>{fenced(given)}"
    if name.isdecimal():
        return f"<mn>{name}</mn>"
    base, _, index = name.partition("_")
    html = f"<mi>{escape(base)}</mi>"  # not mtext, beside which signs have no space
    what = "mn" if index.isdecimal() else "mi"
    return f"<msub>{html}<{what}>{escape(index)}</{what}></msub>" if index else html


class _Several(Expr):
    __slots__ = ("args",)
    sign: ClassVar[tuple[str, str]] = ("", "")  # MathML, text

    def __init__(self, *args: Expr) -> None:
        self.args = args

    def mathml(self, look: Look) -> str:
        """In rows where it would be too long for one: MathML breaks no lines by itself."""
        sign, room = f'<mo form="infix">{self.sign[0]}</mo>', look.room - _BESIDE
        rows, used = [""], 0.0
        breadths = [_span(a, look) + _SIGNS[self.binding] for a in self.args]
        # A factor that has rows of its own needs no rows around it.
        whole = self.binding == 2 and max(breadths, default=0) > room / 2
        for a, breadth in zip(_named_once(self.args), breadths, strict=True):
            if rows[-1] and used + breadth > room and not whole:
                rows.append("")
                used = 0
            rows[-1] += (sign if rows[-1] or len(rows) > 1 else "") + _bracket_ml(a, self.binding, look)
            used += breadth
        if len(rows) == 1:
            return rows[0]
        return f'<mtable class="rows">{"".join(f"<mtr><mtd>{row}</mtd></mtr>" for row in rows)}</mtable>'

    def text(self) -> str:
        if len(self.args) == 1:
            return self.args[0].text()
        return self.sign[1].join(_bracket_text(a, self.binding) for a in self.args)


def _named_once(args: Sequence[Expr]) -> Sequence[Expr]:
    """Numbers of the same things, of which only the last says what they count."""
    numbers = [a for a in args if isinstance(a, Number)]
    if len(numbers) < len(args) or len({a.says for a in numbers}) != 1:
        return args
    return [*(Number(a.value, a.digits) for a in numbers[:-1]), numbers[-1]]


class Sum(_Several):
    """args[0] + args[1] + …; worth exactly what `math.fsum` gives, as the layers' totals are."""

    __slots__ = ()
    binding = 1
    sign = ("+", " + ")

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.fsum(a.value for a in args)

    def folded(self, look: Look) -> str:
        """As MathML, the first and the last addend; another one while something in it is chosen."""
        broadest = max(_span(a, look) for a in self.args) + _SIGNS[1]
        return folded(
            len(self.args),
            min(1, len(self.args) - 1),
            lambda t: self.args[t].mathml(look),
            lambda _, more: f'class="part{more}"',
            rows=4 * broadest > look.room - _BESIDE,
        )


class Product(_Several):
    """args[0] · args[1] · …"""

    __slots__ = ()
    binding = 2
    sign = ("·", "·")

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.prod(a.value for a in args)


class Difference(Expr):
    """left − right."""

    __slots__ = ("left", "right")
    binding = 1

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right, self.value = left, right, left.value - right.value

    def mathml(self, look: Look) -> str:
        return f"{_bracket_ml(self.left, 1, look)}<mo>−</mo>{_bracket_ml(self.right, 2, look)}"

    def text(self) -> str:
        return f"{_bracket_text(self.left, 1)} − {_bracket_text(self.right, 2)}"


class Quotient(Expr):
    """top / bottom; 0 where the bottom is 0, which is what every metric here gives an empty denominator."""

    __slots__ = ("bottom", "top")
    binding = 3

    def __init__(self, top: Expr, bottom: Expr) -> None:
        self.top, self.bottom = top, bottom
        self.value = top.value / bottom.value if bottom.value else 0.0

    def line(self, look: Look) -> str:
        """As MathML in one line, for an exponent."""
        return f"<mtext>{escape(self.text())}</mtext>"

    def mathml(self, look: Look) -> str:
        return f"<mfrac><mrow>{self.top.mathml(look)}</mrow><mrow>{self.bottom.mathml(look)}</mrow></mfrac>"

    def text(self) -> str:
        return f"{_bracket_text(self.top, 3)}/{_bracket_text(self.bottom, 4)}"


class Power(Expr):
    """base ^ exponent; 0 for an empty base."""

    __slots__ = ("base", "exponent")
    binding = 4

    def __init__(self, base: Expr, exponent: Expr) -> None:
        self.base, self.exponent = base, exponent
        self.value = base.value**exponent.value if base.value or exponent.value > 0 else 0.0

    def mathml(self, look: Look) -> str:
        exponent = self.exponent.line(look) if isinstance(self.exponent, Quotient) else self.exponent.mathml(look)
        return f"<msup><mrow>{_bracket_ml(self.base, 5, look)}</mrow><mrow>{exponent}</mrow></msup>"

    def text(self) -> str:
        exponent = self.exponent.text()
        if all(c in "0123456789n" for c in exponent):
            return f"{_bracket_text(self.base, 5)}{exponent.translate(_SUPERSCRIPTS)}"
        return f"{_bracket_text(self.base, 5)}^{_bracket_text(self.exponent, 5)}"


class Root(Expr):
    """The square root."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.sqrt(arg.value)

    def mathml(self, look: Look) -> str:
        return f"<msqrt>{self.arg.mathml(look)}</msqrt>"

    def text(self) -> str:
        return f"√{_bracket_text(self.arg, 5)}"


class Exp(Expr):
    """The exponential function."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.exp(arg.value)

    def mathml(self, look: Look) -> str:
        return f"<mi>exp</mi><mo>&#x2061;</mo>{fenced(self.arg.mathml(look))}"

    def text(self) -> str:
        return f"exp({self.arg.text()})"


class Log(Expr):
    """The logarithm to a base other than 1."""

    __slots__ = ("arg", "base")

    def __init__(self, arg: Expr, base: float) -> None:
        self.arg, self.base = arg, base
        self.value = math.log2(arg.value) if base == 2 else math.log(arg.value, base)

    def mathml(self, look: Look) -> str:
        log = f"<msub><mi>log</mi><mn>{self.base:g}</mn></msub>"
        return f"{log}<mo>&#x2061;</mo>{fenced(self.arg.mathml(look))}"

    def text(self) -> str:
        return f"log{f'{self.base:g}'.translate(_SUBSCRIPTS)}({self.arg.text()})"


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
        return f"of {shown(self.of)} {plural(self.of, self.noun)}"

    def mathml(self, look: Look) -> str:
        """Every addend carries its mark's `data-term`, those behind the ellipsis too, up to `_WRITTEN` of them."""
        count, picked = len(self.credits), self._picked(look)
        if self.counted:
            return self._count(f"<mn>{count}</mn>", picked)
        (head, broad), order = self._head(look), self._order(look)
        return folded(
            count,
            head,
            lambda n: _bracket_ml(self.credits[order[n]], 1, look),
            lambda n, more: self._hook(order[n], picked, more),
            None if picked is None else order.index(picked),
            broad,
        )

    def _order(self, look: Look) -> Sequence[int]:
        """The addends in the order in which they are written: those of a sum that is not seen whole begin with one of
        each value, so that no row of ones hides the others."""
        count = len(self.credits)
        if count <= look.most or self.counted:
            return range(count)
        values = [credit.value for credit in self.credits]
        first = {value: t for t, value in reversed([*enumerate(values)])}
        return sorted(range(count), key=lambda t: first[values[t]] != t)

    def _picked(self, look: Look) -> int | None:
        return look.selected[1] if look.selected and look.selected[0] == self.layer else None

    def _count(self, html: str, picked: int | None) -> str:
        """A count, behind which the chosen one of its ones can be shown: "28 of 36 pairs, incl. 1"."""
        ones = [
            f"<mrow {self._hook(t, picked, ' rest')}><mn>1</mn></mrow>" for t in _written(len(self.credits), picked)
        ]
        hidden = f'<mtext class="noun incl">, incl.\u00a0</mtext>{"".join(ones)}' if ones else ""
        return f'<mrow class="counted" data-layer="{self.layer}">{html}{hidden}</mrow>'

    def _head(self, look: Look) -> tuple[int, bool]:
        """How many addends are seen before the last one, and whether it has no room beside a chosen one.

        Where some are left out, a line holds the first ones, the widest one that may be chosen between two ellipses,
        and the last one.
        """
        count, room, order = len(self.credits), look.room - _BESIDE, self._order(look)
        spans = [_span(self.credits[t], look) + _SIGNS[1] for t in order[: look.most]]
        widest = max(spans, default=3)
        few = count <= look.most and not any(isinstance(c, Quotient) for c in self.credits)
        if (few and sum(spans) - _SIGNS[1] <= room) or count <= max(2, min(look.most, room // widest)):
            return max(count - 1, 1), False
        last = _span(self.credits[order[-1]], look) + _SIGNS[1]
        head = bisect_right([*accumulate(spans[: look.most - 3])], room - widest - 2 * _DOTS_SPAN - last)
        return max(head, 1), head == 0

    def _seen(self, look: Look) -> float:
        """How many letters it is broad where nothing is chosen."""
        count, (head, _), order = len(self.credits), self._head(look), self._order(look)
        ts = order if head >= count - 1 else [*order[:head], order[-1]]
        spans = [_span(self.credits[t], look) + _SIGNS[1] for t in ts]
        return sum(spans) + (0 if head >= count - 1 else 2 * _SIGNS[1]) - _SIGNS[1] * bool(spans)

    def _hook(self, t: int, picked: int | None, more: str) -> str:
        return f'class="addend{more}{" chosen" * (t == picked)}" data-term="{self.layer}:{t}"'

    def alone(self, look: Look) -> str:
        """MathML where nothing stands beside it: a count, or a single number, says what it counts."""
        if self.counted:
            return self._count(_named(f"<mn>{len(self.credits)}</mn>", self.says()), self._picked(look))
        return _named(self.mathml(look), self.says()) if self.says_its_value() else self.mathml(look)

    def says_its_value(self) -> bool:
        """Whether it is printed as one number."""
        return self.counted or (len(self.credits) == 1 and isinstance(self.credits[0], Number))

    def text(self) -> str:
        if self.counted:
            return f"{len(self.credits)}{_apart(self.says())}"
        return " + ".join(_bracket_text(c, 1) for c in self.credits)


#: Addends of one sum that MathML holds, so that a script can show each of them.
_WRITTEN = 500


def _written(count: int, picked: int | None) -> list[int]:
    """The addends that MathML holds: the first ones, the last and the picked one.

    >>> _written(3, None), len(_written(10_000, 7_000)), _written(10_000, 7_000)[-3:]
    ([0, 1, 2], 500, [497, 7000, 9999])
    """
    if count <= _WRITTEN:
        return list(range(count))
    first = list(range(_WRITTEN - 1))
    if picked is not None and picked >= len(first) and picked != count - 1:
        first[-1] = picked
    return [*first, count - 1]


def folded(
    count: int,
    head: int,
    html: Callable[[int], str],
    hook: Callable[[int, str], str],
    picked: int | None = None,
    broad: bool = False,
    rows: bool = False,
) -> str:
    """A sum as MathML of which the first `head` addends and the last are seen.

    The others are of the class `rest`, and `first` or `last` beside that where no addend is left out before or after
    them; a style sheet shows one of them while it is `chosen`, between the ellipses that it needs. Each holds its plus
    sign. `html(t)` is an addend and `hook(t, more)` its attributes, with `more` behind its classes. A `broad` sum has
    no room for its last addend beside a chosen one; in `rows` each addend has a line.
    """

    def part(attributes: str, sign: str, html: str) -> str:
        inside = f"{sign}{html}"
        return f"<mtr {attributes}><mtd>{inside}</mtd></mtr>" if rows else f"<mrow {attributes}>{inside}</mrow>"

    out = []
    for t in _written(count, picked):
        plus = '<mo class="plus" form="infix">+</mo>' if t else ""
        if t < head or t == count - 1:
            if t >= head and count > head + 1:
                out.append(part('class="dots after"', *_DOTS))
            out.append(part(hook(t, ""), plus, f"<mrow>{html(t)}</mrow>"))
        else:
            if t == head:
                out.append(part('class="dots before"', *_DOTS))
            more = f" rest{' first' * (t == head)}{' last' * (t == count - 2)}"
            out.append(part(hook(t, more), plus, f"<mrow>{html(t)}</mrow>"))
    tag, classes = ("mtable", "sum rows") if rows else ("mrow", "sum broad" if broad else "sum")
    return f'<{tag} class="{classes}">{"".join(out)}</{tag}>'


_DOTS = ('<mo form="infix">+</mo>', "<mi>⋯</mi>")


def _bracket_ml(e: Expr, binding: int, look: Look) -> str:
    html = e.mathml(look)
    loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not _single(e) and not _count(e)
    return fenced(html) if loose and not (e.binding == binding and binding in (1, 2)) else html


def fenced(html: str) -> str:
    """In brackets that are as high as what they hold, and not as high as what stands beside them."""
    # Chromium sets stretchy brackets as far apart as the highest ones would need.
    how = ' class="tall"' if any(tag in html for tag in ("<mfrac", "<msqrt", "<mtable", "∑")) else ' stretchy="false"'
    return f"<mrow><mo{how}>(</mo>{html}<mo{how}>)</mo></mrow>"


def _bracket_text(e: Expr, binding: int) -> str:
    e = _bare(e)
    if isinstance(e, Terms) and e.counted:
        return str(len(e.credits))
    if isinstance(e, Number):
        return shown(e.value, e.digits)
    loose = e.binding <= binding and not _single(e)
    return f"({e.text()})" if loose and not (e.binding == binding and binding in (1, 2)) else e.text()


def _bare(e: Expr) -> Expr:
    """A sum or a product of one thing is that thing."""
    while isinstance(e, Sum | Product) and len(e.args) == 1:
        e = e.args[0]
    return e


def _count(e: Expr) -> bool:
    e = _bare(e)
    return isinstance(e, Terms) and e.counted


def _single(e: Expr) -> bool:
    """A sum of one addend reads like that addend."""
    if isinstance(e, Terms):
        return len(e.credits) == 0 or (len(e.credits) == 1 and e.credits[0].binding > 4)
    return isinstance(e, Sum | Product) and len(e.args) == 1 and e.args[0].binding > 4


@dataclass(frozen=True, slots=True)
class Step:
    """`name = forms[0] = forms[1] = … = value`: the last form's value is the step's, all forms are worth the same.

    `beside` prints the step on the line of the one before it where there is room. `score` marks the last step.
    """

    name: str
    forms: tuple[Expr, ...]
    beside: bool = False

    @property
    def value(self) -> float:
        return self.forms[-1].value

    def left(self) -> str:
        """The step's name as MathML."""
        return name_mathml(self.name)

    def symbol(self) -> Symbol:
        """The step's name, for use in a later step."""
        return Symbol(self.name, self.value)

    def number(self, digits: int = 3) -> Number:
        """The step's value, for use in a later step."""
        return Number(self.value, digits)


def step(name: str, *forms: Expr, beside: bool = False) -> Step:
    """A step with these forms, the last of which has its value."""
    return Step(name, forms, beside)


def sums(e: Expr) -> list[Terms]:
    """Every sum of credits inside an expression."""
    if isinstance(e, Terms):
        return [e]
    inner: list[Expr] = []
    for cls in type(e).__mro__:
        for name in getattr(cls, "__slots__", ()):
            part = getattr(e, name)
            inner += part if isinstance(part, tuple) else [part] if isinstance(part, Expr) else []
    return [found for part in inner for found in sums(part)]


_BESIDE = 8  # letters beside a sum: an equals sign, a factor, brackets
_SIGNS = {1: 2.4, 2: 1.2}  # letters that a plus sign or a dot takes with its spaces
_DOTS_SPAN = 3.6  # letters of an ellipsis with its plus sign


def _span(e: Expr, look: Look, small: bool = False) -> float:
    """About how many letters, each half an em, an expression is broad in MathML; `small` inside a fraction."""
    if isinstance(e, Number):
        return len(shown(e.value, e.digits)) + 0.72 * len(_apart(e.says))
    if isinstance(e, Symbol):
        base, _, index = e.name.partition("_")
        return (1.4 if len(base) == 1 else 0.95 * len(base)) + 0.7 * len(index)
    if isinstance(e, Quotient):
        return (0.7 if small else 1) * max(_span(e.top, look, True), _span(e.bottom, look, True)) + 0.6
    if isinstance(e, Terms):
        return len(str(len(e.credits))) if e.counted else e._seen(look)
    if isinstance(e, Power):
        brackets = 0 if isinstance(e.base, Number | Symbol) else 2
        return _span(e.base, look, small) + 0.7 * _span(e.exponent, look, True) + brackets
    if isinstance(e, Root):
        return _span(e.arg, look, small) + 1.8
    if isinstance(e, Exp):
        return _span(e.arg, look, small) + 5
    if isinstance(e, Log):
        return _span(e.arg, look, True) + 5 + 0.7 * len(f"{e.base:g}")
    if isinstance(e, Difference):
        return _span(e.left, look, small) + _span(e.right, look, small) + _SIGNS[1]
    if isinstance(e, Sum | Product):
        brackets = 2 if isinstance(e, Product) and any(isinstance(_bare(a), Sum) for a in e.args) else 0
        return sum(_span(a, look, small) + _SIGNS[e.binding] for a in e.args) - _SIGNS[e.binding] + brackets
    return len(e.text())


def mathml(steps: Sequence[Step], look: Look = Look()) -> str:
    """The steps as MathML for a style sheet: a line for each, and those that stand beside it where there is room.

    A line can break before an equals sign. Addends carry `data-term`, and the selected one is of the class `chosen`;
    without a selection the rest is the same, so that a script can choose. A step of symbols alone, whose value is nan,
    ends with its last form.

    >>> nothing = step("P", Quotient(Number(0), Number(0)))
    >>> "by convention" in mathml([nothing, step("F", nothing.symbol())])
    True
    """
    lines: list[list[str]] = []
    for n, s in enumerate(steps):
        forms = [_bare(f) for f in {f.text(): f for f in reversed(s.forms)}.values()][::-1]
        printed = [f.alone(look) if isinstance(f, Terms) else f.mathml(look) for f in forms]
        end = forms[-1]
        if math.isnan(s.value):
            pass  # a definition
        elif n == len(steps) - 1:
            if isinstance(end, Number) and not end.says:
                del printed[-1]
            printed.append(f'<mn class="score">{shown(s.value)}</mn>')
        elif not isinstance(end, Number) and not (isinstance(end, Terms) and end.says_its_value()):
            printed.append(Number(s.value, says=_noun(end)).mathml(look))
        equals = "".join(f" {_math(_EQUALS + html)}" for html in printed)
        html = f'<div class="step">{_math(s.left())}{equals}</div>'
        if s.beside and lines:
            lines[-1].append(html)
        else:
            lines.append([html])
    return "\n".join(f'<div class="line">{"".join(line)}</div>' for line in lines)


_EQUALS = '<mo form="infix" lspace="0" rspace="0.28em">=</mo>'


def _math(html: str) -> str:
    return f'<math displaystyle="true">{html}</math>'


def _noun(e: Expr) -> str:
    """What the value of a sum counts, if all its addends count the same; and why a share of nothing is 0."""
    if isinstance(e, Quotient):
        return "" if e.top.value or e.bottom.value else "by convention"
    if isinstance(e, Terms):
        return plural(e.value, e.noun)
    nouns = {a.noun if isinstance(a, Terms) else "" for a in e.args} if isinstance(e, Sum) else {""}
    return plural(e.value, nouns.pop()) if len(nouns) == 1 else ""


def text(steps: Sequence[Step]) -> str:
    """The steps as plain text, a line each, with every addend and full precision at the end."""
    return "\n".join(f"{s.name} = " + " = ".join([*(f.text() for f in s.forms), repr(s.value)]) for s in steps)
