"""Tests of formula trees: their value, and how they are printed."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

import metrics
from metrics.formula import (
    CreditSum,
    Exp,
    FormulaDifference,
    FormulaStep,
    Log,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
    Sum,
    Symbol,
    TypesettingOptions,
    credit_sums,
    format_number,
    mathml,
    mean_of,
    notation,
    number_of,
    step,
    text,
)
from metrics.formula.to_mathml import MathML
from tests.helpers.segments import CASES, MADE, result_of
from tests.helpers.tables import every_row
from viz.draw.evidence.fragment import RULES

ONE, TWO, THREE, HALF = Number(1), Number(2), Number(3), Number(0.5)
LOOK = TypesettingOptions()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(4.0, "4"), (4.69041576, "4.690"), (-0.5, "−0.500"), (0, "0"), (-3.0, "−3"), (1e20, f"{1e20:.3f}")],
)
def test_shown(value, expected):
    assert format_number(value) == expected


# The columns are: expression, value, plain text.
EXPRESSIONS = [
    *((Sum(ONE, TWO, HALF), 3.5, "1 + 2 + 0.500"), (Product(TWO, THREE), 6, "2·3")),
    (Product(Sum(ONE, TWO), THREE), 9, "(1 + 2)·3"),
    *((FormulaDifference(THREE, Sum(ONE, HALF)), 1.5, "3 − (1 + 0.500)"), (Quotient(ONE, TWO), 0.5, "1/2")),
    *((Quotient(Sum(ONE, TWO), TWO), 1.5, "(1 + 2)/2"), (Quotient(ONE, Quotient(ONE, TWO)), 2, "1/(1/2)")),
    *((Quotient(ONE, Number(0)), 0, "1/0"), (Power(THREE, TWO), 9, "3²"), (Power(Sum(ONE, TWO), TWO), 9, "(1 + 2)²")),
    *((Power(Number(9), Quotient(ONE, TWO)), 3, "9^(1/2)"), (Power(Number(0), HALF), 0, "0^0.500")),
    *((SquareRoot(Sum(ONE, THREE)), 2, "√(1 + 3)"), (SquareRoot(Number(4)), 2, "√4"), (Exp(Number(0)), 1, "exp(0)")),
    *((Log(Quotient(Number(4), TWO), 2), 1, "log₂(4/2)"), (Log(Quotient(THREE, TWO), 1.5), 1, "log₁.₅(3/2)")),
    *((Power(Log(Number(4), 2), TWO), 4, "log₂(4)²"), (Symbol("cs_1", 0.25), 0.25, "cs_1")),
    *((Symbol("P", 0.25), 0.25, "P"), (CreditSum(0, [ONE, TWO]), 3, "1 + 2"), (CreditSum(0, []), 0, "0")),
    (Power(CreditSum(0, [TWO]), TWO), 4, "2²"),
]


@pytest.mark.parametrize(("expression", "value", "plain"), EXPRESSIONS)
def test_expression(expression, value, plain):
    assert expression.value == pytest.approx(value)
    assert text(expression) == plain
    ElementTree.fromstring(f"<math>{mathml(expression, LOOK)}</math>")


def test_text_means_what_it_says():
    """Check that Python evaluates the plain text to the expression's value, so that no bracket is missing."""
    for expression, value, plain in EXPRESSIONS:
        if set(plain) <= set("0123456789.+−·/() "):
            try:
                read = eval(plain.replace("−", "-").replace("·", "*"))
            except ZeroDivisionError:
                read = 0
            assert read == pytest.approx(value), text(expression)


def test_sums_are_exact():
    credits = [Number(v) for v in (1e16, 1.0, -1e16)]
    assert Sum(*credits).value == CreditSum(0, credits).value == math.fsum(c.value for c in credits) == 1


def sample_steps() -> tuple[FormulaStep, ...]:
    size = step("match size", CreditSum(0, [Power(TWO, TWO), ONE]))
    p = step("P", Quotient(size.number(), Number(8)))
    r = step("R", Quotient(size.number(), Number(10)), same_line=True)
    return size, p, r, step("F", Quotient(Product(TWO, p.symbol(), r.symbol()), Sum(p.symbol(), r.symbol())))


def test_steps_as_text():
    assert text(sample_steps()).splitlines() == [
        "match size = 2² + 1 = 5.0",
        "P = 5/8 = 0.625",
        "R = 5/10 = 0.5",
        f"F = (2·P·R)/(P + R) = {2 * 0.625 * 0.5 / 1.125!r}",
    ]


def test_steps_as_mathml():
    size, p_and_r, f = map(ElementTree.fromstring, mathml(sample_steps()).split("\n"))
    assert [len(line) for line in (size, p_and_r, f)] == [1, 2, 1]
    assert all(line.get("class") == "line" and line[0].get("class") == "step" for line in (size, p_and_r, f))
    (score,) = f.iterfind(".//*[@class='score']")
    assert score.text == "0.556"
    assert not size.findall(".//*[@class='score']")


def test_a_name_with_markup_is_escaped():
    assert "<b>" not in mathml([step("<b>", ONE)])


def test_names_are_no_spaces():
    """Check that a name in a formula is an `mi` element and not text.

    Chromium narrows the space around operators if their neighbours are all text, which it treats as space."""
    (line,) = mathml([step("PER", FormulaDifference(Symbol("max(n, m)", 3), Symbol("common", 1)))]).split("\n")
    assert [e.text for e in ElementTree.fromstring(line).iter("mi")] == ["PER", "max", "n", "m", "common"]


def test_all_addends_are_seen_where_they_fit():
    """Check that all addends are shown if their total width fits, not only if each is narrow."""
    squares = [Power(Number(n, 3), TWO) for n in (17, 8, 3, 1.75)]
    assert visible_text(mathml(CreditSum(0, squares), TypesettingOptions(room=40))) == "172+82+32+1.7502"
    assert visible_text(mathml(CreditSum(0, [squares[-1]] * 6), TypesettingOptions(room=40))) == "1.7502+⋯+1.7502"


# ---------------------------------------------------------------- named numbers, sums of ones


def visible_text(html: str) -> str:
    """Return the text of a MathML element that the style sheet shows while nothing is selected."""

    def shown_text(e: ElementTree.Element) -> str:
        if {*(e.get("class") or "").split()} & {"rest", "incl", "after"}:
            return ""
        return (e.text or "") + "".join(shown_text(child) + (child.tail or "") for child in e)

    return shown_text(ElementTree.fromstring(f"<math>{html}</math>")).replace("\u00a0", " ").replace("\u2061", "")


def visible_step(*forms, name="P", score=False):
    """Return the visible text of the first line of a formula step whose equation has the sides `forms`.

    If `score`, the step is the last one, which gives the score."""
    steps = [step(name, *forms)] if score else [step(name, *forms), step("F", TWO)]
    return visible_text(mathml(steps).split("\n")[0])


# The columns are: expression, text on the page, plain text.
NAMED = [
    (number_of(8, "word"), "8 words", "8 words"),
    (number_of(1, "word"), "1 word", "1 word"),
    (mean_of([12, 8], "word"), "10, the mean of 12 and 8 words", "10, the mean of 12 and 8 words"),
    (mean_of([1, 2, 3], "word"), "2, the mean of 1, 2 and 3 words", "2, the mean of 1, 2 and 3 words"),
    (mean_of([12, 8, 10, 11], "word"), *["10.25, the mean of 4 references' words"] * 2),
    (Quotient(Number(6), number_of(8, "word")), "68 words", "6/8"),
    (CreditSum(0, [ONE] * 28, "pair", 36), "28 of 36 pairs", "28 of 36 pairs"),
    (CreditSum(0, [Number(1), Number(1)], "word"), "2 words", "2 words"),
    (CreditSum(0, [], "edit"), "0 edits", "0 edits"),
    (Quotient(CreditSum(0, [ONE] * 3, "word", 8), number_of(4, "word")), "34 words", "3/4"),
    (SquareRoot(Product(number_of(8, "word"), number_of(6, "word"))), "8·6 words", "√(8·6)"),
    (CreditSum(0, [TWO, ONE], "word"), "2+1", "2 + 1"),
    (CreditSum(0, [TWO, TWO], "word"), "2+2", "2 + 2"),
]


@pytest.mark.parametrize(("expression", "page", "plain"), NAMED)
def test_named_numbers(expression, page, plain):
    assert visible_text(MathML(LOOK).write_right_side(expression)) == page
    assert text(expression) == plain


def test_a_name_changes_no_value():
    assert number_of(8, "word").value == 8 and mean_of([12, 8, 10, 11], "word").value == 10.25
    assert mean_of([], "word").value == 0
    assert CreditSum(0, [ONE] * 28, "pair", 36).value == 28


def test_a_number_is_not_said_twice():
    assert visible_step(CreditSum(0, [ONE] * 28, "pair", 36)) == "P =28 of 36 pairs"
    assert visible_step(number_of(8, "word")) == "P =8 words"
    assert visible_step(CreditSum(0, [Number(3)], "word")) == "P =3 words"
    assert visible_step(CreditSum(0, [TWO, ONE], "word")) == "P =2+1 =3 words"
    assert visible_step(Sum(CreditSum(0, [ONE] * 3, "word"), CreditSum(1, [ONE], "word"))) == "P =3+1 =4 words"
    assert visible_step(Sum(CreditSum(0, [ONE] * 3, "pair"), CreditSum(1, [ONE], "word"))) == "P =3+1 =4"
    count = CreditSum(0, [ONE] * 3, "word")
    assert visible_step(Quotient(count, Number(4)), Quotient(THREE, Number(4))) == "P =34 =0.750"
    assert visible_step(count, score=True) == "P =3 words =3"
    assert visible_step(THREE, score=True) == "P =3"


# ---------------------------------------------------------------- addends that the script can select


def elements_with_term(html: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(f"<div>{html}</div>").findall(".//*[@data-term]")


def sum_mathml(count, look=LOOK, ones=False):
    """Return the MathML of a sum with `count` addends: 0, 1, 2 and so on, or all ones if `ones`."""
    return mathml([step("F", CreditSum(3, [ONE if ones else Number(n) for n in range(count)], "word"))], look)


@pytest.mark.parametrize("ones", [False, True])
@pytest.mark.parametrize("count", [2, 6, 7, 8, 9, 12, 40, 499, 500])
def test_every_addend_has_a_hook(count, ones):
    found = elements_with_term(sum_mathml(count, ones=ones))
    assert [e.get("data-term") for e in found] == [f"3:{n}" for n in range(count)]
    assert all("addend" in e.get("class").split() for e in found)
    visible = [e for e in found if "rest" not in e.get("class").split()]
    assert len(visible) <= 7
    if not ones:
        assert [e.get("data-term") for e in visible] == [
            f"3:{n}" for n in ([*range(count)] if count <= 7 else [0, 1, 2, 3, count - 1])
        ]


@pytest.mark.parametrize("ones", [False, True])
def test_of_more_than_500_addends_the_chosen_one_is_written(ones):
    written = [e.get("data-term") for e in elements_with_term(sum_mathml(900, ones=ones))]
    assert written == [f"3:{n}" for n in (*range(499), 899)]
    found = elements_with_term(sum_mathml(900, TypesettingOptions((3, 700)), ones))
    assert len(found) == 500 and len({e.get("data-term") for e in found}) == 500
    (chosen,) = [e for e in found if "chosen" in e.get("class").split()]
    assert chosen.get("data-term") == "3:700" and "last" not in chosen.get("class").split()


def test_hidden_addends_know_their_neighbours():
    """Check that the first and the last hidden addend of a sum have a class, so that one ellipsis stands for all."""
    classes = {e.get("data-term"): e.get("class") for e in elements_with_term(sum_mathml(9))}
    assert classes["3:4"] == "addend rest first" and classes["3:7"] == "addend rest last"
    assert classes["3:5"] == classes["3:6"] == "addend rest" and classes["3:8"] == "addend"
    # In 0 + ⋯ + 2 one addend is hidden, and it is both the first and the last hidden one.
    assert [e.get("class") for e in elements_with_term(sum_mathml(3, TypesettingOptions(most=2)))] == [
        "addend",
        "addend rest first last",
        "addend",
    ]
    everything = ElementTree.fromstring(f"<div>{sum_mathml(9)}</div>")
    (row,) = everything.findall(".//*[@class='sum']")
    order = [(e.get("data-term") or e.get("class")).removeprefix("3:") for e in row]
    assert order == ["0", "1", "2", "3", "dots before", "4", "5", "6", "7", "dots after", "8"]


def test_no_row_of_ones_hides_the_other_addends():
    """Check that a shortened sum starts with one addend of each value, so that no run of ones hides the others.

    All addends are present, each linked to its own mark."""
    credits = [ONE] * 9 + [TWO, ONE, THREE, TWO]
    found = elements_with_term(mathml([step("F", CreditSum(3, credits, "word"))], LOOK))
    terms = [int(e.get("data-term").removeprefix("3:")) for e in found]
    assert sorted(terms) == [*range(13)]
    assert [e.findtext(".//mn") for e in found] == [text(credits[t]) for t in terms]
    seen = [text(credits[t]) for e, t in zip(found, terms, strict=True) if "rest" not in e.get("class").split()]
    assert seen == ["1", "2", "3", "1", "2"]


def test_a_selection_changes_nothing_but_a_class():
    plain = sum_mathml(40)
    assert "chosen" not in plain
    for t in range(40):
        picked = sum_mathml(40, TypesettingOptions((3, t)))
        assert picked.count(" chosen") == 1 and picked.replace(" chosen", "") == plain
    assert sum_mathml(40, TypesettingOptions((2, 5))) == plain


@pytest.mark.parametrize("room", [30, 40, 60, 90])
@every_row(("key", "name", "given"), CASES)
def test_the_markup_of_every_metric(monkeypatch, key, name, given, room):
    monkeypatch.setitem(metrics.METRICS, "made", MADE)
    result = result_of(key, name, given)
    formula_steps = metrics.METRICS[result.metric].formula(result)
    html = mathml(formula_steps, TypesettingOptions(room=room))
    root = ElementTree.fromstring(f"<div>{html}</div>")
    for e in root.iter():
        assert "style" not in e.attrib and e.tag in CORE, e.tag
    terms = [e.get("data-term") for e in root.iter() if e.get("data-term")]
    assert len(terms) == len({*terms})
    written = {term for s in formula_steps for form in s.forms for term in term_names(form)}
    assert {*terms} == written
    for row in root.iter():
        assert sum("data-term" in e.attrib and "rest" not in e.get("class") for e in row) <= 7
    assert len(root.findall(".//*[@class='score']")) == 1
    for row in root.findall(".//*[@class='sum']"):
        read = ["".join(e.itertext()).lstrip("+") for e in row if "data-term" in e.attrib]
        assert {*read} != {"1"}, "a sum of ones is a count"
    assert formula_steps[-1].value == pytest.approx(result.score, abs=1e-12)


CORE = {*"div math mrow mn mi mo mtext mfrac msqrt msup msub mtable mtr mtd".split()}


def term_names(form):
    return {f"{terms.layer}:{t}" for terms in credit_sums(form) for t in range(len(terms.credits))}


@pytest.mark.parametrize("room", [30, 40, 60])
def test_long_sums_have_rows(room):
    long = Sum(*[Product(Power(HALF, Number(n)), Number(0.625)) for n in range(9)])
    root = ElementTree.fromstring(f"<math>{mathml(Product(HALF, long), TypesettingOptions(room=room))}</math>")
    rows = ["".join(row.itertext()) for row in root.iter("mtr")]
    assert len(rows) > 1 and max(map(len, rows)) <= room
    assert "".join(rows) == "+".join(f"0.500{n}·0.625" for n in range(9))
    assert all(row.startswith("+") for row in rows[1:])
    assert "mtable" not in mathml(Sum(ONE, TWO), TypesettingOptions(room=room))


def test_the_style_sheets_know_the_classes():
    html = mathml(
        [*sample_steps(), step("F", Quotient(CreditSum(3, [ONE] * 9, "word"), number_of(9, "word")))]
    ) + sum_mathml(9)
    root = ElementTree.fromstring(f"<div>{html}</div>")
    known = {name for e in root.iter() for name in (e.get("class") or "").split()}
    assert {name for name in known if f".{name}" not in RULES} <= {"named", "plus", "before"}


# ---------------------------------------------------------------- formulas in docstrings

# A formula as written, and as its parsed tree is printed: this shows the precedence of the operators.
WRITTEN = [
    *(("2 · P · R / (P + R)", "(2·P·R)/(P + R)"), ("n − N + 1", "n − N + 1"), ("a − (b − c)", "a − (b − c)")),
    *(("a / b · c", "a/b·c"), ("penalty · Σ α^r · round_r", "penalty·Σ α^r·round_r")),
    *(("(Σ s / √(Δi·Δj)) / n", "(Σ s/√(Δi·Δj))/n"), ("√(Σ l₁ · l₂)", "√(Σ l_1·l_2)"), ("0.5^(d²)", "0.5^(d²)")),
    *(("0.5^d^2", "0.5^(d²)"), ("log₁.₅(max(1, r/c))", "log₁.₅(max(1, r/c))")),
    ("min(1, exp(1 − m/n))", "min(1, exp(1 − m/n))"),
    *(("words of the n-gram's chain + x", "words of the n-gram's chain + x"), ("p_1 · … · p_N", "p_1·⋯·p_N")),
]


@pytest.mark.parametrize(("written", "printed"), WRITTEN)
def test_a_formula_is_read(written, printed):
    (read,) = notation.parse_definitions([f"x = {written}"])
    assert (read.name, text(read.forms[0])) == ("x", printed)
    assert mathml(read.forms[0], LOOK)
    ElementTree.fromstring(mathml([read]).replace("&#x2061;", ""))


def test_definitions_stand_beside_each_other_and_have_no_values():
    p, r, f = notation.parse_definitions(["P = size / n,  R = size / m", "F = P = R"])
    assert (p.same_line, r.same_line, f.same_line) == (False, True, False) and len(f.forms) == 2
    html = mathml([p, r, f])
    assert html.count('<div class="line">') == 2 and "nan" not in html and "score" not in html
    assert "<mi>n</mi>" in mathml(notation.parse_definitions(["p_n = x"])), (
        "an index that is a letter is written as one"
    )


@pytest.mark.parametrize(
    "written", ["size", "x = ", "x = (a", "x = a)", "x = a +", "x = a b 2", "x = f(a,)", "x = a ? b"]
)
def test_what_is_no_formula_is_refused(written):
    with pytest.raises(ValueError, match=r"formula|equals sign"):
        notation.parse_definitions([written])
