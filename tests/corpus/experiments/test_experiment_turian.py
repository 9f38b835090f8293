"""Pseudo-documents against a slow program that scores their texts, and coefficients of many rows against scipy."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from experiment_data import data, judged_as, told
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import rows, turian
from metrics.corpus.agreement.experiments.scoring import scored, wanted
from metrics.corpus.agreement.experiments.turian import CHANCE, EXPERIMENT, JUDGES
from metrics.text import TextSettings
from metrics.text.processing import words

RANDOM = np.random.default_rng(3)


def test_coefficients_of_rows_are_scipys():
    x, y = RANDOM.integers(0, 4, (60, 7)).astype(float), RANDOM.integers(0, 3, (60, 7)).astype(float)
    x[0] = 2.0
    with np.errstate(all="ignore"), pytest.warns(stats.ConstantInputWarning):
        for ours, theirs in ((rows.pearson, stats.pearsonr), (rows.spearman, stats.spearmanr)):
            expected = [theirs(*each)[0] for each in zip(x, y, strict=True)]
            assert np.allclose(ours(x, y), expected, atol=1e-12, equal_nan=True)
    assert np.array_equal(rows.ranks(x), stats.rankdata(x, axis=1))
    x[1, 2] = np.nan
    assert np.isnan(rows.ranks(x)[1]).all() and np.isnan(rows.pearson(x, y)[1]) and np.isnan(rows.spearman(x, y)[1])


@pytest.mark.parametrize("size", [8, 30, 200])
def test_wilcoxon_is_scipys(size):
    differences = RANDOM.integers(-5, 8, size) / 7
    expected = stats.wilcoxon(differences, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    assert rows.wilcoxon(differences) == pytest.approx(expected, abs=1e-12)
    assert rows.wilcoxon(np.zeros(size)) == 1.0


@pytest.mark.parametrize("size", [1, 5, 20, 21, 25, 40, 529])
def test_lengths_rise_from_one_to_all(size):
    found = turian.lengths(size)
    assert found[0] == 1 and found[-1] == size and len(found) == min(size, 20)
    assert all(a < b for a, b in pairwise(found))


@pytest.mark.parametrize(("key", "settings"), [("bleu", {}), ("gtm", {"exponent": 1.0}), ("rouge_l", {}), ("wer", {})])
def test_a_pseudo_document_scores_as_its_text_does(key, settings):
    given = data(8)
    found = scored(given, [wanted("it", key, TextSettings(), **settings)], lambda progress: None).scores["it"]
    some = turian.documents(np.arange(8), 8, 3, 5, np.random.default_rng(1))
    ours = turian.by_metric(found, some)
    sign = 1 if metrics.METRICS[key].higher_is_better else -1
    for drawn, segments in enumerate(some.segments):
        for system, lines in enumerate(given.candidates):
            slow = metrics.corpus_score(
                key,
                [words(lines[n]) for n in segments],
                [[words(each) for each in given.references[n]] for n in segments],
                **settings,
            )
            assert ours[drawn, system] == pytest.approx(sign * slow.score, abs=1e-12)


def test_people_score_a_pseudo_document_by_one_judgement_of_each_sentence():
    ratings = RANDOM.normal(size=(2, 4, 3))
    ratings[0, 1, :2] = ratings[1, 2, 1] = np.nan
    one = data(4).judged
    judged = type(one)(("A", "B"), 4, ("x", "y", "z"), one.scales, {"adequacy": ratings})
    said = turian.people(judged, "adequacy", (0, 1))
    assert said.judged.tolist() == [0, 1, 2, 3] and said.twice.tolist() == [0, 2, 3]
    z = (ratings - np.nanmean(ratings, axis=(0, 1))) / np.nanstd(ratings, axis=(0, 1))
    some = turian.documents(said.judged, 4, 1, 200, np.random.default_rng(2))
    found = turian.by_people(said, some, np.random.default_rng(2))
    for (segment,), values in zip(some.segments, found, strict=True):
        assert all(np.isclose(z[s, segment], values[s]).any() for s in (0, 1))
    assert len(np.unique(found[some.segments[:, 0] == 0, 0])) == 3
    both = turian.documents(said.twice, 4, 1, 200, np.random.default_rng(2))
    first, second = turian.by_two(said, both, np.random.default_rng(2))
    assert not np.isclose(first, second).any()


def test_one_judgement_a_segment_is_the_mean_of_the_sentences():
    given = judged_as(data(6), RANDOM.normal(size=(3, 6)))
    said = turian.people(given.judged, "adequacy", (0, 1, 2))
    some = turian.documents(said.judged, 6, 4, 9, np.random.default_rng(2))
    slow = [[said.each[s, drawn, 0].mean() for s in range(3)] for drawn in some.segments]
    assert np.allclose(turian.by_people(said, some, np.random.default_rng(2)), slow)


def test_where_nobody_ranks_there_is_no_coefficient_and_where_the_metric_does_not_it_is_0():
    people, metric = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [3.0, 3.0], [3.0, 4.0]])
    assert np.array_equal(turian.coefficients(people, metric), [np.nan, 0.0, 1.0], equal_nan=True)


def test_a_metric_that_people_follow_has_a_curve_of_1():
    given = data(9)
    found = scored(given, [wanted("it", "rouge_l", TextSettings())], lambda progress: None).scores
    given = judged_as(given, found["it"].scores)
    said = turian.people(given.judged, "adequacy", (0, 1, 2))
    ns, curves = turian.drawn(found, said, said.judged, (0, 1, 2), 1, 30)
    assert ns == tuple(range(1, 10)) and JUDGES not in curves
    assert np.nanmin(curves["it"].values) == pytest.approx(1.0)


@pytest.mark.slow
def test_the_experiment_has_the_papers_figures():
    out = told(EXPERIMENT, data(12, scales=("adequacy", "fluency"), metrics=("ter",)))
    charts = {chart.key: chart for chart in out.charts}
    figures = {f"{scale}-{what}" for scale in ("adequacy", "fluency") for what in ("figure-3", "figure-4", "figure-5")}
    assert figures <= charts.keys()
    names = {curve.name for curve in charts["adequacy-figure-4"].curves}
    assert names == {"BLEU", "NIST", "TER", "GTM, e = 1", "GTM, e = 2", JUDGES, CHANCE}
    assert len(charts["adequacy-alone"].curves) == 4
    for curve in charts["adequacy-figure-5"].curves:
        for point in curve.points:
            assert -1 <= point.y <= 1 and point.low <= point.y <= point.high
            assert curve.name == JUDGES or all(place.segment < 12 for place in point.opens)
    assert any(point.opens for curve in charts["adequacy-figure-4"].curves for point in curve.points)
    assert not charts["adequacy-figure-3"].lines and len(charts["adequacy-figure-3"].curves[0].points) == 36
    assert out == told(EXPERIMENT, data(12, scales=("adequacy", "fluency"), metrics=("ter",)))


def test_chance_ranks_nothing():
    given = data(12)
    said = turian.people(given.judged, "adequacy", (0, 1, 2))
    _, curves = turian.drawn({}, said, said.judged, (0, 1, 2), 1, 400)
    assert np.abs(np.nanmean(curves[CHANCE].values, axis=1)).max() < 4 / np.sqrt(2 * 400)


def test_without_references_the_judges_have_their_curve():
    out = told(EXPERIMENT, replace(data(12, judges=3), references=()))
    figure, chart = out.charts
    assert not figure.lines and {curve.name for curve in chart.curves} == {JUDGES, CHANCE}
    alone = judged_as(data(12), np.ones((3, 12)))
    assert "here is neither" in EXPERIMENT.needs.missing(replace(alone, references=()))
    one_each = data(12, judges=3)
    ratings = one_each.judged.ratings["adequacy"].copy()
    ratings[np.arange(3)[None, None, :] != np.arange(12)[None, :, None] % 3 + np.zeros((3, 1, 1))] = np.nan
    one_each = replace(one_each, judged=replace(one_each.judged, ratings={"adequacy": ratings}), references=())
    assert "here is neither" in EXPERIMENT.needs.missing(one_each), "three judges, of whom no two rated the same"


def test_what_is_missing_is_said():
    given = data(4)
    assert EXPERIMENT.needs.missing(given) == ""
    for one in (judged_as(given, np.full((3, 4), np.nan)),):
        assert not told(EXPERIMENT, one).charts
    alone = type(given)(given.systems[:1], given.candidates[:1], given.references)
    with pytest.raises(ValueError, match="at least 3 systems, here is 1"):
        EXPERIMENT.run(alone, lambda progress: None)
