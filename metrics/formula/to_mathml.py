"""Writes formulas as MathML, whose classes and attributes a style sheet and a script use.

Every addend of a sum of terms has the layer and index of its mark as `data-term`. Every name that a script can replace
by a number has its name as `data-known`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from .breadth import TypesettingOptions, written_addends
from .nodes import (
    CreditSum,
    Expr,
    FormulaStep,
    InlineFraction,
    Number,
    Quotient,
    Series,
    Sum,
    label_with_space,
    unwrap_single_operand,
)
from .numbers import format_number, plural
from .to_text import text
from .typesetter import APPLIED, Typesetter

_EQUALS = '<mo form="infix" lspace="0" rspace="0.28em">=</mo>'
_DOTS = ('<mo form="infix">+</mo>', "<mi>⋯</mi>")


def mathml(of: Expr | Sequence[FormulaStep], look: TypesettingOptions = TypesettingOptions()) -> str:
    """Return an expression as MathML; or steps, one on each line, or several on a line if there is room.

    `look` has the selected mark and the room on a line. A line can break before an equals sign. Addends carry their
    mark as `data-term`, and the selected one has the class `chosen`. Without a selection the rest is the same, so that
    a script can select one. A step of symbols alone, whose value is nan, ends with its last form.

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
    """A typesetter that writes expressions as MathML text."""

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

    # ------------------------------------------------------------ labelled numbers, and credits

    def set(self, e: Expr) -> str:
        match e:
            case Number():
                return _with_label(super().set(e), e.says)
            case CreditSum() if e.counted:
                return self._count(e, f"<mn>{len(e.credits)}</mn>")
            case CreditSum():
                return self._credits(e)
            case Series():
                return folded_sum(
                    len(e.args),
                    min(1, len(e.args) - 1),
                    lambda t: self.set(e.args[t]),
                    lambda _, more: f'class="part{more}"',
                    rows=self.look.needs_line_per_part(e),
                )
        return super().set(e)

    def exponent(self, e: Expr) -> str:
        plain = isinstance(e, Quotient) and not isinstance(e, InlineFraction)
        return f"<mtext>{escape(text(e))}</mtext>" if plain else super().exponent(e)

    def write_right_side(self, e: Expr) -> str:
        """Write an expression that is alone on its side of the equation; a count or a single number gets its label."""
        if isinstance(e, CreditSum) and e.counted:
            return self._count(e, _with_label(f"<mn>{len(e.credits)}</mn>", e.value_label()))
        return (
            _with_label(self.set(e), e.value_label())
            if isinstance(e, CreditSum) and e.is_single_number()
            else self.set(e)
        )

    def equation(self, step: FormulaStep, last: bool) -> str:
        """Write a step as one or more `math` elements. The `last` step of a formula ends with the score."""
        forms = [unwrap_single_operand(form) for form in {text(form): form for form in reversed(step.forms)}.values()][
            ::-1
        ]
        sides, end = [*map(self.write_right_side, forms)], forms[-1]
        if math.isnan(step.value):
            pass  # a definition has no value to write
        elif last:
            if isinstance(end, Number) and not end.says:
                del sides[-1]
            sides.append(f'<mn class="score">{format_number(step.value)}</mn>')
        elif not isinstance(end, Number) and not (isinstance(end, CreditSum) and end.is_single_number()):
            sides.append(self.set(Number(step.value, says=_value_label(end))))
        return _math_element(self.left_side(step)) + "".join([f" {_math_element(_EQUALS + side)}" for side in sides])

    def _credits(self, e: CreditSum) -> str:
        """Write a sum of credits, in which every written addend, even a hidden one, carries its mark as `data-term`."""
        head, broad = self.look.visible_addends(e)
        order, picked = self.look.addend_order(e), self.look.selected_addend(e)
        return folded_sum(
            len(e.credits),
            head,
            lambda n: self.bracketed(e.credits[order[n]], 1),
            lambda n, more: _addend_attributes(e, order[n], picked, more),
            None if picked is None else order.index(picked),
            broad,
        )

    def _count(self, e: CreditSum, html: str) -> str:
        """Write a count such as "28 of 36 pairs", followed by a hidden one for each mark.

        When a mark is selected, the page shows ", incl. 1" after the count. `html` is the count itself.
        """
        picked = self.look.selected_addend(e)
        ones = [
            f"<mrow {_addend_attributes(e, t, picked, ' rest')}><mn>1</mn></mrow>"
            for t in written_addends(len(e.credits), picked)
        ]
        hidden = f'<mtext class="noun incl">, incl.\u00a0</mtext>{"".join(ones)}' if ones else ""
        return f'<mrow class="counted" data-layer="{e.layer}">{html}{hidden}</mrow>'


def _addend_attributes(e: CreditSum, t: int, picked: int | None, more: str) -> str:
    """Return the HTML attributes of addend `t` of a sum: its mark as `data-term`, and its classes.

    It has the class `chosen` if it is `picked`, the selected one, and the classes in `more`.
    """
    return f'class="addend{more}{" chosen" * (t == picked)}" data-term="{e.layer}:{t}"'


def _with_label(html: str, says: str) -> str:
    """Return the MathML of a number, followed by its label `says`, such as "words", if it has one."""
    if not says:
        return html
    # A space at the edge of MathML text is dropped unless it is a non-breaking one.
    noun = escape(label_with_space(says), quote=False)
    noun = f"\u00a0{noun[1:]}" if noun.startswith(" ") else noun
    return f'<mrow class="named">{html}<mtext class="noun">{noun}</mtext></mrow>'


def folded_sum(
    count: int,
    head: int,
    html: Callable[[int], str],
    addend_attributes: Callable[[int, str], str],
    picked: int | None = None,
    broad: bool = False,
    rows: bool = False,
) -> str:
    """Return a long sum as MathML, of which the first `head` addends and the last one are visible.

    `count` is the number of addends, and `picked` the index of the selected one. The other addends have the class
    `rest`, and also `first` or `last` if no addend is hidden before or after them. A style sheet shows one of them
    while it is `chosen`, between the ellipses that it needs. Each addend includes its plus sign. `html(t)` returns an
    addend, and `hook(t, more)` returns its attributes, with `more` added to its classes. A `broad` sum has no room for
    its last addend next to a selected one. With `rows` each addend has its own line.
    """

    def element(attributes: str, sign: str, html: str) -> str:
        """Return an addend or an ellipsis of the sum with its sign, as a row of a table if `rows`."""
        inside = f"{sign}{html}"
        return f"<mtr {attributes}><mtd>{inside}</mtd></mtr>" if rows else f"<mrow {attributes}>{inside}</mrow>"

    out = []
    for t in written_addends(count, picked):
        plus = '<mo class="plus" form="infix">+</mo>' if t else ""
        if t < head or t == count - 1:
            if t >= head and count > head + 1:
                out.append(element('class="dots after"', *_DOTS))
            out.append(element(addend_attributes(t, ""), plus, f"<mrow>{html(t)}</mrow>"))
        else:
            if t == head:
                out.append(element('class="dots before"', *_DOTS))
            more = f" rest{' first' * (t == head)}{' last' * (t == count - 2)}"
            out.append(element(addend_attributes(t, more), plus, f"<mrow>{html(t)}</mrow>"))
    tag, classes = ("mtable", "sum rows") if rows else ("mrow", "sum broad" if broad else "sum")
    return f'<{tag} class="{classes}">{"".join(out)}</{tag}>'


def _math_element(html: str) -> str:
    """Wrap MathML in a `math` element."""
    return f'<math displaystyle="true">{html}</math>'


def _value_label(e: Expr) -> str:
    """Return the label after the value of an expression, such as "words", or "".

    A sum gets a noun if all its addends count the same thing. A quotient of zeros gets "by convention", because its
    value 0 is a definition.
    """
    if isinstance(e, Quotient):
        return "" if e.top.value or e.bottom.value else "by convention"
    if isinstance(e, CreditSum):
        return plural(e.value, e.noun)
    nouns = {a.noun if isinstance(a, CreditSum) else "" for a in e.args} if isinstance(e, Sum) else {""}
    return plural(e.value, nouns.pop()) if len(nouns) == 1 else ""
