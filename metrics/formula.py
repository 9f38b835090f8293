"""A score written out: one expression tree gives the number, the LaTeX, the MathML and the plain text.

A metric returns steps (`match size = …`, `P = …`, `F = …`), the last of which is its score. Because a step computes
its value from the same tree that is printed, a formula cannot show other numbers than the ones that were used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
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


@dataclass(frozen=True, slots=True)
class Look:
    """How to print: the selected mark as (layer, index), how many addends to show before an ellipsis, how many letters
    a line has room for, whether fractions are small because they stand inside something else, and whether a line may
    break: LaTeX breaks no line inside a fraction, a root or an exponent."""

    selected: tuple[int, int] | None = None
    most: int = 7
    room: int = 60
    inner: bool = False
    breaks: bool = True

    def inside(self) -> Look:
        return self if self.inner else replace(self, inner=True)

    def unbroken(self) -> Look:
        return replace(self, breaks=False) if self.breaks else self


class Expr:
    """An expression: `value`, and printers that take brackets into account through `binding`."""

    __slots__ = ("value",)
    value: float
    binding: ClassVar[int] = 9  # 1 sum, 2 product, 3 quotient written in a line, 4 power, 9 atom

    def latex(self, look: Look) -> str:
        raise NotImplementedError

    def mathml(self, look: Look) -> str:
        raise NotImplementedError

    def text(self) -> str:
        raise NotImplementedError


class Number(Expr):
    """A literal, or a number known from the result."""

    __slots__ = ("digits",)

    def __init__(self, value: float, digits: int = 3) -> None:
        self.value, self.digits = value, digits

    def latex(self, look: Look) -> str:
        return shown(self.value, self.digits).replace("−", "-")

    def mathml(self, look: Look) -> str:
        return f"<mn>{shown(self.value, self.digits)}</mn>"

    def text(self) -> str:
        return shown(self.value, self.digits)


def given(value: float) -> Number:
    """A setting, with as many decimals as it was given.

    >>> given(0.25).text(), given(2.0).text()
    ('0.25', '2')
    """
    return Number(value, len(f"{value:g}".partition(".")[2]))


class Symbol(Expr):
    """A name that stands for an earlier step, or for a setting: printed as its name, worth its value."""

    __slots__ = ("name", "tex")

    def __init__(self, name: str, value: float, tex: str | None = None) -> None:
        self.name, self.value, self.tex = name, value, tex or _tex_name(name)

    def latex(self, look: Look) -> str:
        return self.tex

    def mathml(self, look: Look) -> str:
        return _mathml_name(self.name)

    def text(self) -> str:
        return self.name


def _tex_name(name: str) -> str:
    base, _, index = name.partition("_")
    tex = base if len(base) == 1 else rf"\text{{{base}}}"
    return f"{tex}_{{{index}}}" if index else tex


def _mathml_name(name: str) -> str:
    base, _, index = name.partition("_")
    tag = "mi" if len(base) == 1 else "mtext"
    html = f"<{tag}>{escape(base)}</{tag}>"
    return f"<msub>{html}<mn>{escape(index)}</mn></msub>" if index else html


class _Several(Expr):
    __slots__ = ("args",)
    sign: ClassVar[tuple[str, str, str]] = ("", "", "")  # LaTeX, MathML, text

    def __init__(self, *args: Expr) -> None:
        self.args = args

    def latex(self, look: Look) -> str:
        return self.sign[0].join(_bracket_tex(a, self.binding, look.inside()) for a in self.args)

    def mathml(self, look: Look) -> str:
        return f"<mo>{self.sign[1]}</mo>".join(_bracket_ml(a, self.binding, look) for a in self.args)

    def text(self) -> str:
        return self.sign[2].join(_bracket_text(a, self.binding) for a in self.args)


class Sum(_Several):
    """args[0] + args[1] + …; worth exactly what `math.fsum` gives, as the layers' totals are."""

    __slots__ = ()
    binding = 1
    sign = (" + ", "+", " + ")

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.fsum(a.value for a in args)

    def latex(self, look: Look) -> str:
        """Broken into lines where it would be too long for one."""
        lines, used = [""], 22  # letters for what stands before the sum: a name, a factor, a bracket
        for a in self.args:
            tex, breadth = _bracket_tex(a, self.binding, look.inside()), _breadth(a, look) + 3
            if lines[-1] and look.breaks and used + breadth > look.room:
                lines.append("")
                used = 22
            lines[-1] += (" + " if lines[-1] or len(lines) > 1 else "") + tex
            used += breadth
        return r" \\ &\qquad ".join(lines)


class Product(_Several):
    """args[0] · args[1] · …"""

    __slots__ = ()
    binding = 2
    sign = (r" \cdot ", "·", "·")

    def __init__(self, *args: Expr) -> None:
        super().__init__(*args)
        self.value = math.prod(a.value for a in args)


class Difference(Expr):
    """left − right."""

    __slots__ = ("left", "right")
    binding = 1

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right, self.value = left, right, left.value - right.value

    def latex(self, look: Look) -> str:
        return f"{self.left.latex(look)} - {_bracket_tex(self.right, 2, look)}"

    def mathml(self, look: Look) -> str:
        return f"{self.left.mathml(look)}<mo>−</mo>{_bracket_ml(self.right, 2, look)}"

    def text(self) -> str:
        return f"{self.left.text()} − {_bracket_text(self.right, 2)}"


class Quotient(Expr):
    """top / bottom; 0 where the bottom is 0, which is what every metric here gives an empty denominator."""

    __slots__ = ("bottom", "top")
    binding = 3

    def __init__(self, top: Expr, bottom: Expr) -> None:
        self.top, self.bottom = top, bottom
        self.value = top.value / bottom.value if bottom.value else 0.0

    def latex(self, look: Look) -> str:
        fraction = r"\tfrac" if look.inner else r"\frac"
        look = look.unbroken()
        return rf"{fraction}{{{self.top.latex(look)}}}{{{self.bottom.latex(look)}}}"

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

    def latex(self, look: Look) -> str:
        exponent = self.exponent.text() if isinstance(self.exponent, Quotient) else self.exponent.latex(look.unbroken())
        return f"{_bracket_tex(self.base, 5, look)}^{{{exponent}}}"

    def mathml(self, look: Look) -> str:
        if isinstance(self.exponent, Quotient):
            exponent = f"<mtext>{escape(self.exponent.text())}</mtext>"
        else:
            exponent = self.exponent.mathml(look)
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

    def latex(self, look: Look) -> str:
        return rf"\sqrt{{{self.arg.latex(look.unbroken())}}}"

    def mathml(self, look: Look) -> str:
        return f"<msqrt>{self.arg.mathml(look)}</msqrt>"

    def text(self) -> str:
        return f"√{_bracket_text(self.arg, 5)}"


class Exp(Expr):
    """The exponential function."""

    __slots__ = ("arg",)

    def __init__(self, arg: Expr) -> None:
        self.arg, self.value = arg, math.exp(arg.value)

    def latex(self, look: Look) -> str:
        return rf"\exp\left({self.arg.latex(look.unbroken())}\right)"

    def mathml(self, look: Look) -> str:
        return f"<mi>exp</mi><mo>(</mo>{self.arg.mathml(look)}<mo>)</mo>"

    def text(self) -> str:
        return f"exp({self.arg.text()})"


class Log(Expr):
    """The logarithm to a base other than 1."""

    __slots__ = ("arg", "base")

    def __init__(self, arg: Expr, base: float) -> None:
        self.arg, self.base = arg, base
        self.value = math.log2(arg.value) if base == 2 else math.log(arg.value, base)

    def latex(self, look: Look) -> str:
        return rf"\log_{{{self.base:g}}}\left({self.arg.latex(look.unbroken())}\right)"

    def mathml(self, look: Look) -> str:
        return f"<msub><mi>log</mi><mn>{self.base:g}</mn></msub><mo>(</mo>{self.arg.mathml(look)}<mo>)</mo>"

    def text(self) -> str:
        return f"log{f'{self.base:g}'.translate(_SUBSCRIPTS)}({self.arg.text()})"


class Terms(Expr):
    """The sum of one layer's credits, an addend for each mark: the place where a formula meets the grid."""

    __slots__ = ("credits", "layer")
    binding = 1

    def __init__(self, layer: int, credits: Sequence[Expr]) -> None:
        self.layer, self.credits = layer, tuple(credits)
        if credits and self.credits.count(credits[0]) == len(credits):  # there can be millions of ones
            self.value = float(len(credits) * credits[0].value)
        else:
            self.value = math.fsum([c.value for c in credits])

    def _visible(self, look: Look) -> list[int | None]:
        """Indices of the addends to print, None for an ellipsis; the selected one is always among them."""
        count = len(self.credits)
        # As many as a line holds; with an ellipsis the first, the chosen and the last at least.
        broadest = max([_breadth(c, look) + 3 for c in self.credits[: look.most]], default=3)
        most = min(look.most, max(4, (look.room - 12) // broadest))
        if count <= most:
            return list(range(count))
        picked = look.selected[1] if look.selected and look.selected[0] == self.layer else None
        head: list[int | None] = list(range(most - 3))
        if picked is None or picked < most - 3 or picked == count - 1:
            return [*head, None, count - 1]
        before = [] if picked == most - 3 else [None]
        after = [] if picked == count - 2 else [None]
        return [*head, *before, picked, *after, count - 1]

    def latex(self, look: Look) -> str:
        out = []
        for t in self._visible(look):
            if t is None:
                out.append(r"\cdots")
            else:
                tex = _bracket_tex(self.credits[t], 1, look.inside().unbroken())
                out.append(rf"\textcolor{{#D55E00}}{{{tex}}}" if look.selected == (self.layer, t) else tex)
        return " + ".join(out) or "0"

    def mathml(self, look: Look) -> str:
        out = []
        for t in self._visible(look):
            if t is None:
                out.append("<mo>⋯</mo>")
            else:
                html = _bracket_ml(self.credits[t], 1, look)
                picked = look.selected == (self.layer, t)
                out.append(f'<mrow style="color:#D55E00">{html}</mrow>' if picked else html)
        return "<mo>+</mo>".join(out) or "<mn>0</mn>"

    def text(self) -> str:
        return " + ".join(_bracket_text(c, 1) for c in self.credits) or "0"


def _bracket_tex(e: Expr, binding: int, look: Look) -> str:
    tex = e.latex(look)
    # A LaTeX fraction or root needs no brackets except under an exponent.
    loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not _single(e)
    if not loose or (e.binding == binding and binding in (1, 2)):
        return tex
    # \left and \right may not stand on different lines.
    return rf"\bigl({tex}\bigr)" if r"\\" in tex else rf"\left({tex}\right)"


def _bracket_ml(e: Expr, binding: int, look: Look) -> str:
    html = e.mathml(look)
    loose = e.binding <= binding and not (isinstance(e, Quotient) and binding < 5) and not _single(e)
    return f"<mo>(</mo>{html}<mo>)</mo>" if loose and not (e.binding == binding and binding in (1, 2)) else html


def _bracket_text(e: Expr, binding: int) -> str:
    loose = e.binding <= binding and not _single(e)
    return f"({e.text()})" if loose and not (e.binding == binding and binding in (1, 2)) else e.text()


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
    tex: str | None = None
    beside: bool = False

    @property
    def value(self) -> float:
        return self.forms[-1].value

    def symbol(self) -> Symbol:
        """The step's name, for use in a later step."""
        return Symbol(self.name, self.value, self.tex)

    def number(self, digits: int = 3) -> Number:
        """The step's value, for use in a later step."""
        return Number(self.value, digits)


def step(name: str, *forms: Expr, tex: str | None = None, beside: bool = False) -> Step:
    return Step(name, forms, tex, beside)


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


def latex(steps: Sequence[Step], look: Look = Look()) -> str:
    """The steps as one aligned LaTeX environment; the last value, the score, is bold.

    A step stands beside the one before it, and a step's forms beside each other, only where they fit `look.room`.
    """
    lines: list[str] = []
    longest = max(len(s.name) for s in steps)
    used = look.room  # letters on the last line
    for n, s in enumerate(steps):
        value = shown(s.value)
        last = n == len(steps) - 1
        number = value.replace("−", "-")
        forms = list(dict.fromkeys(f.latex(look) for f in s.forms))
        breadth = longest + 3 + sum(_breadth(f, look) + 3 for f in s.forms)
        if forms[-1] != number:
            forms.append(number)
            breadth += len(value) + 3
        if last:
            forms[-1] = rf"\mathbf{{{number}}}"
        line = rf"{s.tex or _tex_name(s.name)} &= " + (r" \\ &= " if breadth > look.room else " = ").join(forms)
        beside = breadth - longest + len(s.name) + 4
        if s.beside and lines and used + beside <= look.room:
            lines[-1] += r" \qquad " + line.replace("&=", "=", 1)
            used += beside
        else:
            lines.append(line)
            used = breadth
    return r"\begin{aligned}" + r" \\[6pt] ".join(lines) + r"\end{aligned}"


def _breadth(e: Expr, look: Look) -> int:
    """About how many letters an expression is broad when printed."""
    if isinstance(e, Quotient):
        return max(_breadth(e.top, look), _breadth(e.bottom, look))
    if isinstance(e, Terms):
        return sum(3 if t is None else _breadth(e.credits[t], look) + 3 for t in e._visible(look))
    if isinstance(e, Power):
        bracket = 6 if isinstance(e.base, Quotient) else 0 if isinstance(e.base, Number | Symbol) else 2
        return _breadth(e.base, look) + round(0.6 * _breadth(e.exponent, look)) + bracket
    if isinstance(e, Sum | Product):
        return sum(_breadth(a, look) + 2 for a in e.args)
    return len(e.text())


def mathml(steps: Sequence[Step], look: Look = Look()) -> str:
    """The steps as MathML, a paragraph for each; a line can break before an equals sign."""
    out = []
    for n, s in enumerate(steps):
        value = shown(s.value)
        last = n == len(steps) - 1
        forms = [f.mathml(look) for f in s.forms]
        number = f'<mn style="font-weight:600">{value}</mn>' if last else f"<mn>{value}</mn>"
        if forms[-1] == f"<mn>{value}</mn>":
            forms[-1] = number
        else:
            forms.append(number)
        sign = '<mo form="infix" lspace="0" rspace="0.28em">=</mo>'
        equals = "".join(f' <math displaystyle="true">{sign}{f}</math>' for f in forms)
        out.append(f'<p class="step"><math displaystyle="true">{_mathml_name(s.name)}</math>{equals}</p>')
    return "\n".join(out)


def text(steps: Sequence[Step]) -> str:
    """The steps as plain text, a line each, with every addend and full precision at the end."""
    return "\n".join(f"{s.name} = " + " = ".join([*(f.text() for f in s.forms), repr(s.value)]) for s in steps)
