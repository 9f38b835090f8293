"""Formulas as MathML for a style sheet and a script: every addend carries its mark's `data-term`, every place for a
number its name as `data-known`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from .breadth import FormulaLook, written_addends
from .nodes import Expr, FormulaStep, Number, Over, Quotient, Series, Sum, Terms, bare, spaced_noun
from .numbers import format_number, plural
from .to_text import text
from .typesetter import APPLIED, Typesetter

_EQUALS = '<mo form="infix" lspace="0" rspace="0.28em">=</mo>'
_DOTS = ('<mo form="infix">+</mo>', "<mi>⋯</mi>")


def mathml(of: Expr | Sequence[FormulaStep], look: FormulaLook = FormulaLook()) -> str:
    """An expression as MathML; or steps, a line for each, and those that stand beside it where there is room.

    A line can break before an equals sign. Addends carry `data-term`, and the selected one is of the class `chosen`;
    without a selection the rest is the same, so that a script can choose. A step of symbols alone, whose value is nan,
    ends with its last form.

    >>> from metrics.formula import step
    >>> nothing = step("P", Quotient(Number(0), Number(0)))
    >>> "by convention" in mathml([nothing, step("F", nothing.symbol())])
    True
    """
    writer = MathML(look)
    if isinstance(of, Expr):
        return writer.set(of)
    lines: list[list[str]] = []
    for n, s in enumerate(of):
        html = f'<div class="step">{writer.equation(s, n == len(of) - 1)}</div>'
        if s.same_line and lines:
            lines[-1].append(html)
        else:
            lines.append([html])
    return "\n".join(f'<div class="line">{"".join(line)}</div>' for line in lines)


class MathML(Typesetter[str]):
    """Writes MathML as text."""

    # ------------------------------------------------------------ the language

    def number(self, digits: str) -> str:
        return f"<mn>{digits}</mn>"

    def name(self, letters: str) -> str:
        return f"<mi>{escape(letters)}</mi>"  # not mtext, beside which signs have no space

    def sign(self, sign: str, infix: bool = False) -> str:
        how = ' form="infix"' if infix else ""
        return f"<mo{how}>{'&#x2061;' if sign == APPLIED else sign}</mo>"

    def row(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)

    def fraction(self, top: str, bottom: str) -> str:
        return f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"

    def raised(self, base: str, exponent: str) -> str:
        return f"<msup><mrow>{base}</mrow><mrow>{exponent}</mrow></msup>"

    def lowered(self, base: str, index: str) -> str:
        return f"<msub>{base}{index}</msub>"

    def root(self, inner: str) -> str:
        return f"<msqrt>{inner}</msqrt>"

    def fenced(self, inner: str, tall: bool) -> str:
        # Chromium sets stretchy brackets as far apart as the highest ones would need.
        how = ' class="tall"' if tall else ' stretchy="false"'
        return f"<mrow><mo{how}>(</mo>{inner}<mo{how}>)</mo></mrow>"

    def rows(self, rows: Sequence[str]) -> str:
        return f'<mtable class="rows">{"".join(f"<mtr><mtd>{row}</mtd></mtr>" for row in rows)}</mtable>'

    def place(self, name: str, inner: str) -> str:
        kind = "" if inner else ' class="value"'
        return f'<mrow{kind} data-known="{escape(name)}">{inner}</mrow>'

    # ------------------------------------------------------------ numbers that say what they count, and credits

    def set(self, e: Expr) -> str:
        match e:
            case Number():
                return _saying(super().set(e), e.says)
            case Terms() if e.counted:
                return self._count(e, f"<mn>{len(e.credits)}</mn>")
            case Terms():
                return self._credits(e)
            case Series():
                return folded(
                    len(e.args),
                    min(1, len(e.args) - 1),
                    lambda t: self.set(e.args[t]),
                    lambda _, more: f'class="part{more}"',
                    rows=self.look.in_lines(e),
                )
        return super().set(e)

    def exponent(self, e: Expr) -> str:
        plain = isinstance(e, Quotient) and not isinstance(e, Over)
        return f"<mtext>{escape(text(e))}</mtext>" if plain else super().exponent(e)

    def set_alone(self, e: Expr) -> str:
        """Where nothing stands beside it: a count, or a single number, says what it counts."""
        if isinstance(e, Terms) and e.counted:
            return self._count(e, _saying(f"<mn>{len(e.credits)}</mn>", e.says()))
        return _saying(self.set(e), e.says()) if isinstance(e, Terms) and e.says_its_value() else self.set(e)

    def equation(self, step: FormulaStep, last: bool) -> str:
        """A step, as the last of which the score is written."""
        forms = [bare(form) for form in {text(form): form for form in reversed(step.forms)}.values()][::-1]
        sides, end = [*map(self.set_alone, forms)], forms[-1]
        if math.isnan(step.value):
            pass  # a definition
        elif last:
            if isinstance(end, Number) and not end.says:
                del sides[-1]
            sides.append(f'<mn class="score">{format_number(step.value)}</mn>')
        elif not isinstance(end, Number) and not (isinstance(end, Terms) and end.says_its_value()):
            sides.append(self.set(Number(step.value, says=_noun(end))))
        return _math(self.left_side(step)) + "".join([f" {_math(_EQUALS + side)}" for side in sides])

    def _credits(self, e: Terms) -> str:
        """Every addend carries its mark's `data-term`, those behind the ellipsis too, as many as are written."""
        (head, broad), order, picked = self.look.head(e), self.look.order(e), self.look.picked(e)
        return folded(
            len(e.credits),
            head,
            lambda n: self.bracketed(e.credits[order[n]], 1),
            lambda n, more: _hook(e, order[n], picked, more),
            None if picked is None else order.index(picked),
            broad,
        )

    def _count(self, e: Terms, html: str) -> str:
        """A count, behind which the chosen one of its ones can be shown: "28 of 36 pairs, incl. 1"."""
        picked = self.look.picked(e)
        ones = [
            f"<mrow {_hook(e, t, picked, ' rest')}><mn>1</mn></mrow>" for t in written_addends(len(e.credits), picked)
        ]
        hidden = f'<mtext class="noun incl">, incl.\u00a0</mtext>{"".join(ones)}' if ones else ""
        return f'<mrow class="counted" data-layer="{e.layer}">{html}{hidden}</mrow>'


def _hook(e: Terms, t: int, picked: int | None, more: str) -> str:
    return f'class="addend{more}{" chosen" * (t == picked)}" data-term="{e.layer}:{t}"'


def _saying(html: str, says: str) -> str:
    """A number with what it counts."""
    if not says:
        return html
    # A space at the edge of MathML text is dropped unless it does not break.
    noun = escape(spaced_noun(says), quote=False)
    noun = f"\u00a0{noun[1:]}" if noun.startswith(" ") else noun
    return f'<mrow class="named">{html}<mtext class="noun">{noun}</mtext></mrow>'


def folded(
    count: int,
    head: int,
    html: Callable[[int], str],
    hook: Callable[[int, str], str],
    picked: int | None = None,
    broad: bool = False,
    rows: bool = False,
) -> str:
    """A sum of which the first `head` addends and the last are seen.

    The others are of the class `rest`, and `first` or `last` beside that where no addend is left out before or after
    them; a style sheet shows one of them while it is `chosen`, between the ellipses that it needs. Each holds its plus
    sign. `html(t)` is an addend and `hook(t, more)` its attributes, with `more` behind its classes. A `broad` sum has
    no room for its last addend beside a chosen one; in `rows` each addend has a line.
    """

    def part(attributes: str, sign: str, html: str) -> str:
        inside = f"{sign}{html}"
        return f"<mtr {attributes}><mtd>{inside}</mtd></mtr>" if rows else f"<mrow {attributes}>{inside}</mrow>"

    out = []
    for t in written_addends(count, picked):
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
