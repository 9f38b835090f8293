"""Tests of the steps' formula in files: the numbers that the page's script would fill in are in place."""

import re
from itertools import pairwise
from math import exp, log, sqrt
from xml.etree.ElementTree import fromstring

import pytest

from metrics.formula import Number, Quotient, Sum, Symbol
from tests.helpers.cases import TAUGHT
from tests.helpers.walks import SEGMENTS, walk_of
from viz.draw.pen import typeset
from viz.draw.steps import player
from viz.draw.steps.step_formula import Formula, empty_formula, formula_at_steps, numbers_at_steps


@pytest.fixture(scope="module")
def all_walks():
    return [walk_of(key, *words) for key in TAUGHT for words in SEGMENTS]


def test_files_know_what_the_script_is_told(all_walks):
    for walk in all_walks:
        now = {}
        steps = player.steps_data(walk)["steps"]
        for step, known in zip(steps, numbers_at_steps(walk.steps), strict=True):
            now |= step.get("known", {})
            assert known == {name: text for name, text in now.items() if text is not None}, walk.trace.metric


_POWERS, _INDICES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"), str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def evaluate_side(side):
    """Return the value of one side of an equation in plain text, or None if it has an unknown name."""
    side = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: "^" + found[0].translate(_POWERS), side)
    side = re.sub(r"log([₀-₉.]+)\(", lambda found: f"log_({found[1].translate(_INDICES)}, ", side)
    side = side.replace("√(", "sqrt(")
    side = re.sub(r"√([\d.]+)", r"sqrt(\1)", side)
    side = side.replace("^", "**").replace(" · ", "*").replace("−", "-")
    if set(re.findall(r"[^\W\d]\w*", side)) - {"min", "max", "exp", "sqrt", "log_"} or "∑" in side or "⋯" in side:
        return None
    assert not re.search(r"[^\w\s.,()+*/-]", side), side
    functions = {"min": min, "max": max, "exp": exp, "sqrt": sqrt, "log_": lambda base, x: log(x, base)}
    try:
        return eval(side, functions)
    except ZeroDivisionError:  # every metric here takes such a quotient as 0
        return None


def test_definitions_as_plain_text_are_true(all_walks):
    whole = set()
    for walk in all_walks:
        formula, before = Formula(walk.trace), {}
        for known in numbers_at_steps(walk.steps):
            for definition in formula.changed_definitions(before, known):
                name, *sides = definition.split(" = ")
                values = [value for side in sides if (value := evaluate_side(side)) is not None]
                for value in values[1:]:
                    # Each number is printed with three decimals.
                    assert value == pytest.approx(values[0], rel=0.02, abs=0.003), definition
                if len(values) > 1:
                    whole.add((walk.trace.metric, name))
            before = known
        last = walk.steps[-1]
        told = formula.changed_definitions({}, before)
        assert walk.trace.metric == "per" or not told or ends_in_score(told[-1], last.score), (told, last.score)
    assert {metric for metric, _ in whole} == {*TAUGHT}, "of each metric something is filled in whole"


def ends_in_score(definition, score):
    return evaluate_side(definition.split(" = ")[-1]) == pytest.approx(score, abs=0.0006)


def test_each_number_is_told_when_it_changes():
    walk = walk_of("rouge_n", "a b c".split(), ["a b d".split()])
    formula, told, before = Formula(walk.trace), [], {}
    for known in numbers_at_steps(walk.steps):
        told.append(formula.changed_definitions(before, known))
        before = known
    assert told[0] == ["P = matches/(3 − 1 + 1)", "R = matches/(3 − 1 + 1)", "F = ((1 + 1²) · P · R)/(R + 1² · P)"]
    assert told[-1] == ["F = ((1 + 1²) · 0.667 · 0.667)/(0.667 + 1² · 0.667) = 0.667"]
    assert [] in told, "a step that finds nothing"


def visible_letters(e, known):
    """Return the texts inside element `e` of a formula as the browser's script leaves them.

    `known` maps the names of values to their texts, which replace the names."""
    name = e.get("data-known")
    if name in known:
        return [known[name]]
    own = [e.text] if e.text and e.text != "\u2061" else []
    return own + [letter for child in e for letter in visible_letters(child, known)]


def formula_letters(trace, known):
    """Return the texts of all sides of a trace's formula, without sides whose value is not known yet.

    `known` maps the names of values to their texts."""
    sides = fromstring(f"<div>{empty_formula(trace)}</div>").findall(".//math")
    values = [(side, side.find(".//*[@class='value']")) for side in sides]
    shown = [side for side, value in values if value is None or value.get("data-known") in known]
    return [letter for side in shown for letter in visible_letters(side, known)]


@pytest.mark.slow
def test_pieces_are_what_is_read_and_stand_beside_each_other(all_walks):
    for walk in all_walks:
        sets = formula_at_steps(walk.trace, walk.steps)
        assert len({one.down for one in sets}) == 1, "nothing moves from step to step"
        states = {tuple(known.items()): one for known, one in zip(numbers_at_steps(walk.steps), sets, strict=True)}
        for known, one in states.items():
            assert [p.text for p in one.pieces if p.text] == formula_letters(walk.trace, dict(known))
            for piece in one.pieces:
                for x, y in piece.points or ((piece.x, piece.y),):
                    assert 0 <= x <= one.width and 0 <= y <= one.down
            rows = sorted((piece.y, piece.x) for piece in one.pieces if piece.text)
            close = [(a, b) for a, b in pairwise(rows) if a[0] == b[0] and b[1] - a[1] < 2]
            assert not close, "no letter on another"
            fromstring(typeset.pieces_svg(one.pieces))


def test_a_fraction_stands_above_and_below_its_bar():
    fraction = typeset.PictureTypesetter({}).set(Quotient(Sum(Symbol("a", 1), Number(1)), Number(24)))
    a, plus, one, bar, below = typeset.join_typeset_parts(fraction(10)).pieces
    (left, y), (right, same) = bar.points
    assert y == same and a.y == plus.y == one.y < y < below.y and a.slanted and not one.slanted
    assert left < a.x < plus.x < one.x < right and below.x == pytest.approx((left + right) / 2)
