"""Tests of what must hold for every metric of the catalogue, on random sentences and with all kinds of settings."""

import ast
import json
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import metrics
from metrics.formula import CreditSum, Expr, TypesettingOptions, mathml, text
from metrics.types import Edit, Hit, Run, TooHard
from tests.helpers.app import run_python
from tests.helpers.cases import CASES, KEYS, SCORES, is_close, segments
from tests.helpers.tables import every_row


def subexpressions(expression):
    """Yield a formula's expression, its operands, and their operands in turn."""
    yield expression
    for kind in type(expression).__mro__:
        for name in getattr(kind, "__slots__", ()):
            value = getattr(expression, name, None)
            for part in value if isinstance(value, tuple | list) else [value]:
                if isinstance(part, Expr):
                    yield from subexpressions(part)


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_the_score_is_its_statistics_its_marks_and_its_formula(key, given):
    metric = metrics.METRICS[key]
    for candidate, references in segments(1):
        result = metrics.score(key, candidate, references, **given)
        assert math.isfinite(result.score)
        check_statistics(metric, result)
        check_marks(result)
        check_formula(metric, result)
        plain = result.to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        assert sum(len(layer["marks"]) for layer in plain["layers"]) == sum(len(layer.marks) for layer in result.layers)
        assert is_close(sum(result.contributions()), sum(layer.total() for layer in result.layers))


def check_statistics(metric, result):
    value, parts = metric.from_stats(json.loads(json.dumps(dict(result.stats))), result.settings)
    assert is_close(value, result.score) and list(parts.items()) == list(result.parts.items())
    totals = {}
    for layer in result.layers:
        assert len(layer.marks) == len(layer.credits)
        assert len({type(mark) for mark in layer.marks}) <= 1
        for name in layer.statistics:
            totals.setdefault(name, []).append(layer.total())
    assert totals or result.score == 0, "some statistic must come from marks"
    for name, addends in totals.items():
        assert is_close(math.fsum(addends), result.stats[name]), name
    for part, k in result.decides.items():
        assert part == "score" or part in result.parts
        assert 0 <= k < len(result.segment.references)


def check_marks(result):
    candidate, references = result.segment
    for layer in result.layers:
        for mark in layer.marks:
            for i, k, j in mark.cells():
                assert 0 <= i < len(candidate) and 0 <= k < len(references) and 0 <= j < len(references[k])
                same = candidate[i] == references[k][j]
                assert layer.relation == "similar" or same == (layer.relation == "equal")
            if layer.unit == "character":
                for i, j, at, to, length in mark.pieces:
                    ours, theirs = candidate[i][at : at + length], references[mark.k][j][to : to + length]
                    assert ours == theirs and len(ours) == length > 0
        if layer.path:
            cells = [cell for mark in layer.marks for cell in mark.cells()]
            assert len({cell.k for cell in cells}) <= 1
            assert all(a.i < b.i and a.j < b.j for a, b in pairwise(cells))
        if layer.area:
            assert all(isinstance(mark, Run) for mark in layer.marks)
    disjoint = result.settings.to_dict().get("overlap") == "disjoint"
    if kinds := MATCHINGS.get(result.metric, Run if disjoint else None):
        cells = [c for layer in result.layers for m in layer.marks if isinstance(m, kinds) for c in m.cells()]
        assert len({c.i for c in cells}) == len({(c.k, c.j) for c in cells}) == len(cells), "a word is used twice"
    edits = [mark for layer in result.layers for mark in layer.marks if isinstance(mark, Edit)]
    if edits:
        (k,) = {edit.k for edit in edits}
        rows = [i for edit in edits for i in range(edit.i_start, edit.i_end)]
        columns = [j for edit in edits for j in range(edit.j_start, edit.j_end)]
        assert sorted(rows) == list(range(len(candidate))), "an edit script tiles the candidate"
        assert sorted(columns) == list(range(len(references[k]))), "and the reference"


#: The types of marks that make up a matching, in which no word is used twice. RIBES may align two words with one.
MATCHINGS = {"gtm": Run, "sia": Hit, "meteor": Hit, "per": Hit, "wer": Edit, "ter": Edit}


def check_formula(metric, result):
    steps = metric.formula(result)
    assert math.isclose(steps[-1].value, result.score, rel_tol=1e-12, abs_tol=1e-12)
    drawn = set()
    for step in steps:
        for form in step.forms:
            assert is_close(form.value, step.value), step.name
            for terms in subexpressions(form):
                if isinstance(terms, CreditSum):
                    drawn.add(terms.layer)
                    credits = result.layers[terms.layer].credits
                    assert [c.value for c in terms.credits] == pytest.approx(credits, rel=1e-12, abs=1e-12)
    assert drawn <= set(range(len(result.layers)))
    look = TypesettingOptions((0, 0))
    assert all("nan" not in written for written in (mathml(steps, look), text(steps)))


#: The metrics whose marks are on letters, so that renaming words changes the score.
LETTERS = {"chrf"}


@every_row(("key", "given"), [case for case in CASES if case.values[0] not in LETTERS])
def test_renaming_words_changes_nothing(key, given):
    names = dict(zip("abcdefghij", ["γ", "zwei", "3", "D", "εε", ".", "七", "HH", "<i>", "$x$"], strict=True))
    for candidate, references in segments(2, 8):
        before = metrics.score(key, candidate, references, **given)
        renamed = [[names[word] for word in reference] for reference in references]
        after = metrics.score(key, [names[word] for word in candidate], renamed, **given)
        assert (after.score, after.parts) == (before.score, before.parts)
        assert (after.stats, after.decides) == (before.stats, before.decides)
        assert after.layers == before.layers


@every_row(("key", "given"), CASES)
def test_empty_sentences(key, given):
    words = ["a", "b", "a", "c"]
    empty = ([], [[]]), ([], [words]), (words, [[]]), ([], [[], words]), (words, [[], []]), (words, [[], words])
    for candidate, references in empty:
        result = metrics.score(key, candidate, references, **given)
        check_statistics(metrics.METRICS[key], result)
        check_formula(metrics.METRICS[key], result)
        assert math.isfinite(result.score)
        if key in SCORES and not (candidate and any(references)):
            assert result.score == 0 and not result.cells()


#: Scores of identical sentences other than 1: SIA's first round counts α.
IDENTICAL = {"sia": 0.5}
#: NIST sums information, and a sentence has more of it the rarer its words are.
BOUNDED = [key for key in SCORES if key != "nist"]


@pytest.mark.parametrize("key", [key for key in KEYS if key not in SCORES])
def test_identical_sentences_have_no_errors(key):
    assert metrics.score(key, "a b a a b c b b".split(), ["a b a a b c b b".split()]).score == 0


@pytest.mark.parametrize("key", BOUNDED)
def test_identical_sentences(key):
    for sentence in ("a b c d e f g h", "a b a a b c b b", "the cat sat on the mat ."):
        result = metrics.score(key, sentence.split(), [sentence.split()])
        assert result.score == pytest.approx(IDENTICAL.get(key, 1))


# GTM and SIA combine references, so a second copy of a word is a second chance.
@every_row(("key", "given"), [case for case in CASES if case.values[0] not in ("gtm", "sia")])
def test_a_reference_twice_is_that_reference(key, given):
    for candidate, references in segments(3, 8):
        once = metrics.score(key, candidate, references[:1], **given)
        twice = metrics.score(key, candidate, references[:1] * 2, **given)
        assert is_close(once.score, twice.score)
        assert set(twice.decides.values()) <= {0}


@pytest.mark.parametrize("key", KEYS)
def test_a_corpus_of_equal_segments_scores_like_one(key):
    for candidate, references in segments(4, 8):
        one = metrics.score(key, candidate, references)
        for size in (1, 3):
            many = metrics.corpus_score(key, [candidate] * size, [references] * size)
            assert is_close(many.score, one.score)
            assert many.size == size and many.stats == pytest.approx({name: size * v for name, v in one.stats.items()})


@pytest.mark.parametrize("key", KEYS)
def test_sequences_of_any_kind(key):
    result = metrics.score(key, iter(["a", "b"]), ({"a": 1, "b": 2},))
    assert result.segment == (("a", "b"), (("a", "b"),))
    assert metrics.score(key, np.array(["a", "b"]), np.array([["a", "b"]])) == result
    corpora = np.array([["a", "b"]] * 2), iter([[["a", "b"]]] * 2)
    assert metrics.corpus_score(key, *corpora).score == metrics.corpus_score(key, [["a", "b"]], [[["a", "b"]]]).score


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("candidate", "references", "error", "message"),
    [
        ("the cat", [["the"]], TypeError, "candidate must be a sequence of tokens, got the string 'the cat'"),
        (["the"], ["the cat"], TypeError, "reference 1 must be a sequence of tokens, got the string"),
        (["the"], [["a"], "the cat"], TypeError, "reference 2 must be"),
        (["the"], "the cat", TypeError, "references must be a list of token sequences"),
        (["the"], 3, TypeError, "references must be a list of token sequences"),
        (None, [["the"]], TypeError, "candidate must be a sequence of tokens, got NoneType"),
        ({"the"}, [["the"]], TypeError, "candidate must be a sequence of tokens, got set"),
        (np.array("the"), [["the"]], TypeError, "candidate must be a sequence of tokens, got ndarray"),
        (["the", 10**5000], [["the"]], TypeError, "candidate must hold strings, got a number too long to be written"),
        (["the", 3], [["the"]], TypeError, "candidate must hold strings, got 3 at position 1"),
        (["the"], [["the", None]], TypeError, "reference 1 must hold strings, got None at position 1"),
        (["the"], [], ValueError, "references must hold at least one reference, got none"),
    ],
)
def test_bad_sentences(key, candidate, references, error, message):
    with pytest.raises(error, match=message):
        metrics.score(key, candidate, references)


@pytest.mark.parametrize("key", KEYS)
def test_bad_settings(key):
    with pytest.raises(ValueError, match="got 'exponnent'"):
        metrics.score(key, ["a"], [["a"]], exponnent=2)
    for name, rule in metrics.METRICS[key].Settings.rules().items():
        for bad in [[], "no such option", math.nan, math.inf, 10**5000, np.array([1, 2]), object(), rule.least - 1]:
            if rule.kind != "object" or not callable(bad):
                with pytest.raises(ValueError, match=f"^{name} must be [^\n]{{1,140}}$"):
                    metrics.score(key, ["a"], [["a"]], **{name: bad})
        if rule.kind in ("number", "whole"):
            given = np.int64(max(rule.least, 1))
            numpys, pythons = (metrics.score(key, ["a"], [["a"]], **{name: n}) for n in (given, int(given)))
            assert json.dumps(numpys.to_dict()) == json.dumps(pythons.to_dict())
        if rule.kind == "number":
            fraction = metrics.score(key, ["a"], [["a"]], **{name: Fraction(int(max(rule.least, 1)))})
            assert f"|{name}:{max(rule.least, 1):.1f}|" in fraction.signature()


@pytest.mark.parametrize(
    ("candidates", "references", "error", "message"),
    [
        ([["a"], "b"], [[["a"]], [["b"]]], TypeError, "segment 2: candidate must be a sequence of tokens"),
        ([["a"], ["b"]], [[["a"]], []], ValueError, "segment 2: references must hold at least one reference"),
        ([["a"]], [["a"]], TypeError, "segment 1: reference 1 must be a sequence of tokens, got the string 'a'"),
        ("a", [[["a"]]], TypeError, "candidates must be a list with an entry for each segment, got str"),
        ([["a"]], None, TypeError, "reference_sets must be a list with an entry for each segment, got NoneType"),
        ([["a"]], [], ValueError, "every candidate needs its references: got 1 candidate and 0 sets"),
        ([], [], ValueError, "a corpus must have at least one segment"),
    ],
)
def test_bad_corpora(candidates, references, error, message):
    with pytest.raises(error, match=f"^{message}"):
        metrics.corpus_score("gtm", candidates, references)


def test_what_is_no_result_has_no_ledger():
    result = metrics.score("gtm", ["a"], [["a"]])
    for function in (metrics.ledger, metrics.explain):
        with pytest.raises(TypeError, match=r"^two results of `score` are needed, got float$"):
            function(result, result.score)


def test_bad_metric():
    with pytest.raises(ValueError, match=r"metric must be one of .*gtm.*, got 'blue'"):
        metrics.score("blue", ["a"], [["a"]])


def test_settings_that_are_equal_but_of_another_type_are_told_apart():
    metrics.score("gtm", ["a"], [["a"]], exponent=1)
    with pytest.raises(ValueError, match="exponent must be a number, got True"):
        metrics.score("gtm", ["a"], [["a"]], exponent=True)


def test_too_hard_is_a_value_error_with_one_sentence():
    assert issubclass(TooHard, ValueError)


# ---------------------------------------------------------------- catalogue and imports


@pytest.mark.parametrize("key", KEYS)
def test_the_record_of_a_metric(key):
    metric = metrics.METRICS[key]
    assert metric.key == key and metric.pooling in ("sum", "mean")
    assert metric.citation and metric.name and metric.label
    result = metrics.score(key, list("abcab"), [list("abxab")])
    assert result.signature("tok:none").startswith(f"{key}|") and result.signature().endswith(
        f"v:{metrics.__version__}"
    )
    for name in metric.Settings.rules():
        assert f"|{name}:" in result.signature()
    summary = metric.summary(result) if metric.summary else ""
    assert summary or {"precision", "recall"} <= set(result.parts)


def test_importing_the_core_is_light():
    code = "import sys, metrics; metrics.METRICS; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = set(ast.literal_eval(run_python(code)))
    assert "metrics" in loaded
    assert not loaded & {"streamlit", "plotly", "pandas", "nltk", "viz", "sacrebleu", "scipy"}
