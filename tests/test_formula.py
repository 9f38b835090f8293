"""The one tree behind a formula: its value, and how it is printed."""

import math
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from metrics.formula import (
    Difference,
    Exp,
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
    Terms,
    latex,
    mathml,
    shown,
    step,
    text,
)

ONE, TWO, THREE, HALF = Number(1), Number(2), Number(3), Number(0.5)
LOOK = Look()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(4.0, "4"), (4.69041576, "4.690"), (-0.5, "−0.500"), (0, "0"), (-3.0, "−3"), (1e20, f"{1e20:.3f}")],
)
def test_shown(value, expected):
    assert shown(value) == expected


# Expression, value, text, LaTeX.
EXPRESSIONS = [
    (Sum(ONE, TWO, HALF), 3.5, "1 + 2 + 0.500", "1 + 2 + 0.500"),
    (Product(TWO, THREE), 6, "2·3", r"2 \cdot 3"),
    (Product(Sum(ONE, TWO), THREE), 9, "(1 + 2)·3", r"\left(1 + 2\right) \cdot 3"),
    (Difference(THREE, Sum(ONE, HALF)), 1.5, "3 − (1 + 0.500)", r"3 - \left(1 + 0.500\right)"),
    (Quotient(ONE, TWO), 0.5, "1/2", r"\frac{1}{2}"),
    (Quotient(Sum(ONE, TWO), TWO), 1.5, "(1 + 2)/2", r"\frac{1 + 2}{2}"),
    (Quotient(ONE, Quotient(ONE, TWO)), 2, "1/(1/2)", r"\frac{1}{\frac{1}{2}}"),
    (Quotient(ONE, Number(0)), 0, "1/0", r"\frac{1}{0}"),
    (Power(THREE, TWO), 9, "3²", "3^{2}"),
    (Power(Sum(ONE, TWO), TWO), 9, "(1 + 2)²", r"\left(1 + 2\right)^{2}"),
    (Power(Number(9), Quotient(ONE, TWO)), 3, "9^(1/2)", "9^{1/2}"),
    (Power(Number(0), HALF), 0, "0^0.500", "0^{0.500}"),
    (Root(Sum(ONE, THREE)), 2, "√(1 + 3)", r"\sqrt{1 + 3}"),
    (Root(Number(4)), 2, "√4", r"\sqrt{4}"),
    (Exp(Number(0)), 1, "exp(0)", r"\exp\left(0\right)"),
    (Log(Quotient(Number(4), TWO), 2), 1, "log₂(4/2)", r"\log_{2}\left(\frac{4}{2}\right)"),
    (Log(Quotient(THREE, TWO), 1.5), 1, "log₁.₅(3/2)", r"\log_{1.5}\left(\frac{3}{2}\right)"),
    (Power(Log(Number(4), 2), TWO), 4, "log₂(4)²", r"\log_{2}\left(4\right)^{2}"),
    (Symbol("cs_1", 0.25), 0.25, "cs_1", r"\text{cs}_{1}"),
    (Symbol("P", 0.25), 0.25, "P", "P"),
    (Terms(0, [ONE, TWO]), 3, "1 + 2", "1 + 2"),
    (Terms(0, []), 0, "0", "0"),
    (Power(Terms(0, [TWO]), TWO), 4, "2²", "2^{2}"),
]


@pytest.mark.parametrize(("expression", "value", "plain", "tex"), EXPRESSIONS)
def test_expression(expression, value, plain, tex):
    assert expression.value == pytest.approx(value)
    assert expression.text() == plain
    assert expression.latex(LOOK) == tex
    ElementTree.fromstring(f"<math>{expression.mathml(LOOK)}</math>")


def test_text_means_what_it_says():
    """Python reads the plain text to the same value: no bracket is missing."""
    for expression, value, plain, _ in EXPRESSIONS:
        if set(plain) <= set("0123456789.+−·/() "):
            try:
                read = eval(plain.replace("−", "-").replace("·", "*"))
            except ZeroDivisionError:
                read = 0
            assert read == pytest.approx(value), expression.text()


def test_sums_are_exact():
    credits = [Number(v) for v in (1e16, 1.0, -1e16)]
    assert Sum(*credits).value == Terms(0, credits).value == math.fsum(c.value for c in credits) == 1


def addends(count, selected=None, most=7):
    return Terms(0, [Number(n) for n in range(count)]).latex(
        Look((0, selected) if selected is not None else None, most)
    )


@pytest.mark.parametrize("count", [1, 6, 7])
def test_few_addends_are_all_shown(count):
    assert r"\cdots" not in addends(count)


@pytest.mark.parametrize("count", [8, 9, 12, 40])
def test_many_addends_end_in_an_ellipsis_and_the_selected_one_is_shown(count):
    assert addends(count) == " + ".join(["0", "1", "2", "3", r"\cdots", str(count - 1)])
    for selected in range(count):
        tex = addends(count, selected)
        assert rf"\textcolor{{#D55E00}}{{{selected}}}" in tex
        assert len(tex.split(" + ")) <= 8
        shown_numbers = [
            int(t)
            for t in tex.replace(r"\textcolor{#D55E00}", "")
            .replace(r"\cdots", "-1")
            .replace("{", "")
            .replace("}", "")
            .split(" + ")
        ]
        numbers = [n for n in shown_numbers if n >= 0]
        assert numbers == sorted(set(numbers))
        # An ellipsis stands exactly where numbers are left out.
        for left, right in pairwise(shown_numbers):
            assert (left == -1 or right == -1) or right == left + 1


def test_selection_in_another_layer_colours_nothing():
    assert "textcolor" not in Terms(1, [ONE, TWO]).latex(Look((0, 1)))


def steps() -> tuple[Step, ...]:
    size = step("match size", Terms(0, [Power(TWO, TWO), ONE]))
    p = step("P", Quotient(size.number(), Number(8)))
    r = step("R", Quotient(size.number(), Number(10)), beside=True)
    return size, p, r, step("F", Quotient(Product(TWO, p.symbol(), r.symbol()), Sum(p.symbol(), r.symbol())))


def test_steps_as_text():
    assert text(steps()).splitlines() == [
        "match size = 2² + 1 = 5.0",
        "P = 5/8 = 0.625",
        "R = 5/10 = 0.5",
        f"F = (2·P·R)/(P + R) = {2 * 0.625 * 0.5 / 1.125!r}",
    ]


def test_steps_as_latex():
    tex = latex(steps())
    assert tex.startswith(r"\begin{aligned}") and tex.endswith(r"\end{aligned}")
    assert tex.count("{") == tex.count("}")
    assert r"P &= \frac{5}{8} = 0.625 \qquad R = \frac{5}{10} = 0.500" in tex
    assert r"\mathbf{0.556}" in tex and tex.count(r"\mathbf") == 1
    assert r"\qquad" not in latex(steps(), Look(room=30))


def test_steps_as_mathml():
    html = mathml(steps())
    blocks = html.split("\n")
    assert len(blocks) == 4
    for block in blocks:
        ElementTree.fromstring(block)
    assert 'font-weight:600">0.556<' in blocks[-1]


def test_a_number_alone_is_not_repeated():
    assert latex([step("P", TWO), step("F", THREE)]) == (r"\begin{aligned}P &= 2 \\[6pt] F &= \mathbf{3}\end{aligned}")


def test_a_name_with_markup_is_escaped():
    assert "<b>" not in mathml([step("<b>", ONE)])
