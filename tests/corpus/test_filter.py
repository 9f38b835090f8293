"""Tests of filter expressions: they select the segments that a slow evaluation of the same tree selects."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.corpus import filter as expressions
from metrics.corpus.filter import FilterError, FilterFacts, NotYetError, SearchableWords

A = ["das ist nicht gut", "Das ist gut", "", "nicht mehr", "vernichtet (1999)"]
B = ["das ist gut", "NICHT gut", "ja", "mehr", "zerstört"]
REFERENCES = [["ein Wort", "nicht"], ["das"], ["ja"], ["nein"], ["zerstört"]]
TAGS = [("hard",), (), ("Hard", "names"), ("names",), ()]
SIZE = len(A)
NUMBERS = {
    "gtm": [0.1, 0.2, 0.1 + 0.2, 0.4, 0.5],
    "a.gtm": [0.5, 0.4, 0.3, 0.2, 0.1],
    "delta.gtm": [-0.4, -0.2, 0.0, 0.2, 0.4],
    "length": [4.0, 3.0, 0.0, 2.0, 2.0],
    "rated": [1.0, np.nan, 0.0, 0.5, np.nan],  # people rated three of the segments
}
#: What people may call a value, each with its name: as on the page, system X-1 is A.
OTHER_NAMES = {"words": "length", "word count": "length", "GTM (F)": "gtm", "Δ GTM": "delta.gtm", "X-1": "a", "y": "b"}


def make_facts() -> FilterFacts:
    def words(texts):
        return lambda: SearchableWords([[tuple(text.split()) for text in of] for of in texts])

    texts = {"a": [[line] for line in A], "b": [[line] for line in B], "ref": REFERENCES}

    def raise_not_yet():
        raise NotYetError("bleu is not scored yet")

    return FilterFacts(
        size=SIZE,
        numbers={
            **{name: (lambda values=values: np.array(values)) for name, values in NUMBERS.items()},
            "bleu": raise_not_yet,
        },
        labels={"tag": lambda: TAGS},
        words={name: words(of) for name, of in texts.items()},
        lines={name: (lambda of=of: of) for name, of in texts.items()},
        other_names=OTHER_NAMES,
    )


FACTS = make_facts()


def select_segments(text: str) -> list[int]:
    return np.flatnonzero(expressions.select_segments(expressions.parse_filter(text, FACTS), FACTS)).tolist()


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("gtm < 0.3", [0, 1]),
        ("gtm <= 0.3", [0, 1, 2]),  # 0.1 + 0.2 counts as 0.3
        ("gtm = .3", [2]),
        ("gtm != 0.3", [0, 1, 3, 4]),
        ("0.2 ≤ GTM ≤ 4e-1", [1, 2, 3]),
        ("a.gtm > gtm > 0.15", [1]),
        ("delta.gtm < −0.1 AND Length > 3", [0]),
        ("gtm < 0.2 or gtm > 0.4 and length > 2", [0]),  # `and` binds closer than `or`
        ("(gtm < 0.2 or gtm > 0.4) and length = 2", [4]),
        ("not gtm < 0.2 and not (length > 2)", [2, 3, 4]),
        ('has("nicht")', [0, 1, 3]),  # matches whole words, in any case, in either output
        ('b.has("nicht")', [1]),
        ('has("ist nicht")', [0]),
        ('has("gut das")', []),  # does not match across two texts
        ('has("gut nicht")', []),
        ("ref.has('NICHT')", [0]),
        (r'matches("nicht|\d{4}")', [0, 3, 4]),
        (r'a.matches("^\w+ \(")', [4]),
        ('matches("(?i)das")', [0, 1]),
        ("has(“nicht mehr”)", [3]),
        ('tag = "hard"', [0, 2]),
        ('tag != "hard" and "names" = tag', [3]),
        ("abs(gtm - a.gtm) > 0.15", [0, 1, 3, 4]),
        ("gtm - a.gtm > 0.2", [4]),
        ("gtm − a.gtm = delta.gtm", [0, 1, 2, 3, 4]),
        ("2 × gtm + 1 * length >= 4.2", [0]),
        ("1 - 0.5 - 0.25 = 0.25 and 2 / 2 / 2 = 0.5", [0, 1, 2, 3, 4]),  # from the left
        ("1 + 2 * 3 = 7 and (1 + 2) * 3 = 9 and -2 * -(1 - 3) = -4", [0, 1, 2, 3, 4]),
        ("-gtm > -0.2", [0]),
        ("gtm -0.1 = 0", [0]),
        ("gtm / length < 0.1", [0, 1]),  # division by 0 is never less than a number,
        ("gtm / length >= 0.1 or gtm / length != 9", [0, 1, 3, 4]),  # nor equal, nor another
        ("not gtm / length < 0.1", [2, 3, 4]),
        ("1 / (0.1 + 0.2 - 0.3) > 0", []),  # 0 to nine decimals
        ("1e300 * 1e300 > 0 or 1 / (1e300 * 1e300) < 1", []),
        ("1e300 < 1e301", [0, 1, 2, 3, 4]),
        ("rated != 1", [2, 3]),  # a segment without a score is not another than 1
        ("not rated = 1", [1, 2, 3, 4]),
        ("(gtm) < (0.3)", [0, 1]),
        ("((gtm < 0.3))", [0, 1]),
        ("!(gtm < 0.2) && length == 2 || gtm <> gtm", [3, 4]),
        ("length is 2 and gtm is not 0.4", [4]),
        ("gtm is less than 0.3 and length at least 4", [0]),
        ("0.2 at most gtm less than 0.4 and length is more than 0", [1]),
        ("length greater than 3 or length Equals 0", [0, 2]),
        ('tag is "hard"', [0, 2]),
        ('tag is not "hard"', [1, 3, 4]),
        ('contains "nicht mehr"', [3]),
        ('b contains "nicht" or ref has "ein wort"', [0, 1]),
        (r'a matches "\d" and not b contains("ja")', [4]),
    ],
)
def test_what_expressions_select(text, segments):
    assert select_segments(text) == segments


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("", 0, "expected a name or a number, not the end"),
        ("gtm <", 5, "not the end"),
        ("  gmt < 1", 2, "there is no “gmt”; write gtm"),
        ("xyzzy < 1", 0, "Names are gtm, length, rated, bleu, tag, also with a., delta. before"),
        ("words > 3", 0, "write length"),
        ("gtm < 1 and Word > 3", 12, "write length"),
        ("word count > 3", 0, "there is no “word”; write length"),
        ("lengths > 3", 0, "write length"),
        ("gtm score > 0.3", 0, "there is no “gtm score”; write gtm"),
        ("gtm length > 0.3", 4, "expected <"),
        ("GTM (F) < 1", 0, "write gtm"),
        ("delta_gtm < 1", 0, "write delta.gtm"),
        ("A.GTMS < 1", 0, "write a.gtm"),
        ("X-1 < 1", 0, 'it is a here: write a.gtm for a score, or a.has("…")'),
        ("x-1.GTM < 1", 0, "write a.gtm"),
        ("x-1.bleu < 1", 0, "it is a here"),
        ('y has "ja"', 0, "there is no text “y”; write b.has"),
        ('y.has("ja")', 0, "there is no text “y”; write b.has"),
        ('tags = "hard"', 0, "write tag"),
        ("a < 1", 0, "a is a text; write a.gtm for a score"),
        ('tag.has("hard")', 0, 'tag is compared as in tag = "…"'),
        ("max(gtm) > 1", 0, "has, contains, matches and abs have them"),
        ("abs gtm > 1", 4, "abs needs a number in brackets, as in abs(delta.gtm)"),
        ("abs(gtm < 1)", 11, "a number is needed before this"),
        ("(gtm < 1) + 2 > 1", 10, "a number is needed before this"),
        ("gtm + (gtm < 1) > 1", 16, "a number is needed before this"),
        ("(gtm < 1) < 1", 10, "a number is needed before this"),
        ("gtm and length > 1", 4, "expected <"),
        ("length > 1 or gtm", 17, "expected <"),
        ("(gtm)", 5, "expected <"),
        ("tag + 1 > 1", 0, "tag is not a number"),
        ('gtm + "x" > 1', 6, "a text is not a number"),
        ("gtm less 1", 4, "expected <"),
        ("gtm < * 2", 6, "expected a name or a number, not “*”"),
        ("gtm +", 5, "not the end"),
        ("-" * 40 + "gtm < 1", 32, "at most 32"),
        ("abs(" * 40 + "gtm" + ")" * 40 + " < 1", 131, "at most 32"),
        ("gtm < 0,3", 7, "a fraction has a point"),
        ("gtm < 0.3 length", 10, "expected and, or, or the end"),
        ("(gtm < 0.3", 10, "the bracket at character 1 is not closed"),
        ("gtm", 3, "expected <"),
        ('has("nicht"', 11, "not closed"),
        ("has(nicht)", 4, "quotation marks"),
        ('has("  ")', 4, "no word"),
        ('c.has("x")', 0, "there is no text “c”; there are a, b, ref"),
        ('gtm < "x"', 6, 'tag = "…"'),
        ('tag < "x"', 4, "= or !="),
        ('matches("a(")', 11, "missing )"),
        ('matches("((a{100}){100}){100}")', 9, "repeats too much"),
        ('matches("' + "(" * 40 + "a" + ")+" * 40 + '")', 9, "repeats too much"),
        ("gtm < 1 and bleu < 1", 12, "bleu is not scored yet"),
        ("(" * 40 + "gtm < 1" + ")" * 40, 32, "at most 32"),
        ("not " * 40 + "gtm < 1", 128, "at most 32"),
        ("gtm < 1 and " * 100 + "gtm < 1", 1000, "at most 1,000 letters"),
        ("gtm < 1 ; x", 8, "“;” means nothing here"),
        ('gtm < 1 and "x', 12, "not closed"),
        ("gtm < 1e999", 6, "must be less than 1e308"),
    ],
)
def test_an_error_shows_its_place_and_why(text, at, why):
    with pytest.raises(FilterError) as error:
        select_segments(text)
    assert error.value.at == at
    assert why in error.value.why
    assert str(error.value).startswith(f"at character {at + 1}: ")


def test_what_is_not_known_yet_is_no_mistake():
    with pytest.raises(FilterError) as error:
        select_segments("bleu < 1")
    assert error.value.later


def test_the_caret_stands_below_the_place_after_wide_letters():
    text = 'has("不") &'
    with pytest.raises(FilterError) as error:
        select_segments(text)
    assert error.value.with_caret(text).split("\n") == [text, " " * 10 + "^"]


@pytest.mark.alone  # the time limit for a line is measured by the clock
def test_a_regular_expression_that_takes_too_long_is_given_up():
    slow = FilterFacts(size=2, lines={name: lambda: [["ok"], ["a" * 40 + "!"]] for name in "ab"})
    with pytest.raises(FilterError, match="seconds in segment 2"):
        expressions.select_segments(expressions.parse_filter('matches("((a|aa)+)+$")', slow), slow)


# ---------------------------------------------------------------- against a slow evaluation

ORDERS = {"<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt}
NUMERALS = ["0", "0.1", "0.3", "2", "0.2"]
values = st.recursive(
    st.sampled_from([*NUMBERS, *NUMERALS]),
    lambda inner: (
        st.tuples(st.sampled_from("+-*/"), inner, inner) | st.tuples(st.sampled_from(["abs", "minus"]), inner)
    ),
    max_leaves=4,
)
compared = st.lists(st.tuples(values, st.sampled_from([*ORDERS])), min_size=2, max_size=3)
trees = st.recursive(
    st.tuples(st.just("compare"), compared) | st.tuples(st.just("has"), st.sampled_from(["nicht", "ist gut", "xyz"])),
    lambda inner: st.tuples(st.just("not"), inner) | st.tuples(st.sampled_from(["and", "or"]), inner, inner),
    max_leaves=6,
)


def to_expression(tree) -> str:
    match tree:
        case "compare", pairs:
            parts = [f"{to_expression(value)} {order}" for value, order in pairs[:-1]]
            return " ".join([*parts, to_expression(pairs[-1][0])])
        case str():
            return tree
        case "abs", part:
            return f"abs({to_expression(part)})"
        case "minus", part:
            return f"-({to_expression(part)})"
        case sign, first, second if sign in "+-*/":
            return f"({to_expression(first)}) {sign} ({to_expression(second)})"
        case "has", words:
            return f'has("{words}")'
        case "not", part:
            return f"not ({to_expression(part)})"
        case word, first, second:
            return f"({to_expression(first)}) {word} ({to_expression(second)})"


def compute_slowly(value, n: int) -> Fraction | None:
    """Return a value of segment `n` as an exact fraction, None if it is missing."""
    match value:
        case str() if value in NUMBERS:
            number = NUMBERS[value][n]
            return None if np.isnan(number) else Fraction(str(round(number, 9)))
        case str():
            return Fraction(value)
        case "abs", part:
            number = compute_slowly(part, n)
            return None if number is None else abs(number)
        case "minus", part:
            number = compute_slowly(part, n)
            return None if number is None else -number
        case sign, first, second:
            x, y = compute_slowly(first, n), compute_slowly(second, n)
            if x is None or y is None or (sign == "/" and round(y, 9) == 0):
                return None
            return {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[sign](x, y)


def holds_slowly(tree, n: int) -> bool:
    match tree:
        case "compare", pairs:
            numbers = [compute_slowly(value, n) for value, _ in pairs]
            if None in numbers:
                return False
            numbers = [round(number, 9) for number in numbers]
            return all(ORDERS[pairs[i][1]](numbers[i], numbers[i + 1]) for i in range(len(pairs) - 1))
        case "has", words:
            return any(f" {words} " in f" {texts[n].lower()} " for texts in (A, B))
        case "not", part:
            return not holds_slowly(part, n)
        case word, first, second:
            return (all if word == "and" else any)([holds_slowly(first, n), holds_slowly(second, n)])


@given(trees)
def test_expressions_select_what_a_slow_reading_selects(tree):
    assert select_segments(to_expression(tree)) == [n for n in range(SIZE) if holds_slowly(tree, n)]


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            'gtm a.gtm y < <= = ( ) and or not has contains is at least tag a "x" "( 0.3 0 - + * / abs ! && “'.split()
        )
    ).map(" ".join)
)
def test_whatever_is_typed_is_an_expression_or_an_error_with_a_place_in_it(text):
    try:
        assert all(0 <= n < SIZE for n in select_segments(text))
    except FilterError as error:
        assert 0 <= error.at <= len(text)
        assert error.with_caret(text).count("\n") == 1


def test_a_number_may_have_the_name_of_a_call():
    known = FilterFacts(
        size=2, numbers={"worth.matches": lambda: np.array([-1.0, 1.0])}, labels={}, words=FACTS.words, lines={}
    )
    tree = expressions.parse_filter("worth.matches > 0", known)
    assert expressions.select_segments(tree, known).tolist() == [False, True]
