"""Tests of Turian's experiment: pseudo-documents score as their joined texts do, and coefficients equal scipy's."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import rows, turian
from metrics.corpus.agreement.experiments.scoring import score_request, scored
from metrics.corpus.agreement.experiments.turian import CHANCE, EXPERIMENT, JUDGES
from metrics.text import TextSettings
from metrics.text.processing import words
from tests.helpers.experiment_data import make_data, run_checking_progress, with_external_scores, with_judgements

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
    found = turian.document_lengths(size)
    assert found[0] == 1 and found[-1] == size and len(found) == min(size, 20)
    assert all(a < b for a, b in pairwise(found))


@pytest.mark.parametrize(("key", "settings"), [("bleu", {}), ("gtm", {"exponent": 1.0}), ("rouge_l", {}), ("wer", {})])
def test_a_pseudo_document_scores_as_its_text_does(key, settings):
    given = make_data(8)
    found = scored(given, [score_request("it", key, TextSettings(), **settings)], lambda progress: None).scores["it"]
    some = turian.draw_documents(np.arange(8), 8, 3, 5, np.random.default_rng(1))
    ours = turian.score_by_metric(found, some)
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
    one = make_data(4).judged
    judged = type(one)(("A", "B"), 4, ("x", "y", "z"), one.scales, {"adequacy": ratings})
    said = turian.read_ratings(judged, "adequacy", (0, 1))
    assert said.judged.tolist() == said.twice_judged.tolist() == [0, 1, 2, 3]
    z = (ratings - np.nanmean(ratings, axis=(0, 1))) / np.nanstd(ratings, axis=(0, 1))
    some = turian.draw_documents(said.judged, 4, 1, 200, np.random.default_rng(2))
    found = turian.score_by_people(said, some, np.random.default_rng(2))
    for (segment,), values in zip(some.segments, found, strict=True):
        assert all(np.isclose(z[s, segment], values[s]).any() for s in (0, 1))
    assert len(np.unique(found[some.segments[:, 0] == 0, 0])) == 3
    both = turian.draw_documents(np.array([0, 2, 3]), 4, 1, 200, np.random.default_rng(2))
    first, second = turian.score_by_two_judgements(said, both, np.random.default_rng(2))
    assert not np.isclose(first, second).any()


def test_one_judgement_a_segment_is_the_mean_of_the_sentences():
    given = with_judgements(make_data(6), RANDOM.normal(size=(3, 6)))
    said = turian.read_ratings(given.judged, "adequacy", (0, 1, 2))
    some = turian.draw_documents(said.judged, 6, 4, 9, np.random.default_rng(2))
    slow = [[said.sorted_ratings[s, drawn, 0].mean() for s in range(3)] for drawn in some.segments]
    assert np.allclose(turian.score_by_people(said, some, np.random.default_rng(2)), slow)


def slow_system_means(z, drawn, chosen):
    """Return each system's mean judgement in a pseudo-document, or None if a system has no judgement in it.

    Args:
        z: standardised judgements, shaped systems × segments × judges.
        drawn: the indices of the segments that make the pseudo-document.
        chosen: a function that returns one number from an output's judgements, or None if it has none."""
    out = []
    for system in range(len(z)):
        some = [value for segment in drawn if (value := chosen(z[system, segment])) is not None]
        if not some:
            return None
        out.append(sum(some) / len(some))
    return out


@pytest.mark.parametrize("judges", [1, 2])
def test_missing_judgements_leave_out_sentences_of_a_system_and_documents_without_any(judges):
    """Check that a missing judgement leaves out one sentence of one system, and documents without any judgement.

    Each segment lacks one system's judgements. With two judges both give the same values, so the random choice between
    them has no effect."""
    ratings = np.repeat(RANDOM.normal(size=(3, 9, 1)), judges, axis=2)
    ratings[np.arange(9) % 3, np.arange(9)] = np.nan
    given = make_data(9, judges=judges)
    given = replace(given, judged=replace(given.judged, ratings={"adequacy": ratings}))
    said = turian.read_ratings(given.judged, "adequacy", (0, 1, 2))
    z = (ratings - np.nanmean(ratings, axis=(0, 1))) / np.nanstd(ratings, axis=(0, 1))
    assert said.judged.tolist() == [*range(9)]
    some = turian.draw_documents(said.judged, 9, 3, 60, np.random.default_rng(2))
    found = [turian.score_by_people(said, some, np.random.default_rng(2))]
    if judges == 2:
        found += turian.score_by_two_judgements(said, some, np.random.default_rng(2))
    for means in found:
        without = 0
        for drawn, values in zip(some.segments, means, strict=True):
            slow = slow_system_means(z, drawn, lambda each: None if np.isnan(each[0]) else each[0])
            without += slow is None
            assert np.isnan(values).any() if slow is None else values.tolist() == pytest.approx(slow, abs=1e-12)
        assert 0 < without < 60


def test_two_judgements_come_from_outputs_that_have_two():
    ratings = RANDOM.normal(size=(2, 4, 3))
    ratings[0, 1, :2] = ratings[0, 2] = ratings[1, 3, 1] = np.nan
    judged = type(make_data(4).judged)(
        ("A", "B"), 4, ("x", "y", "z"), make_data(4).judged.scales, {"adequacy": ratings}
    )
    said = turian.read_ratings(judged, "adequacy", (0, 1))
    assert said.twice_judged.tolist() == [0, 1, 2, 3], "of each segment some system has two"
    z = (ratings - np.nanmean(ratings, axis=(0, 1))) / np.nanstd(ratings, axis=(0, 1))
    some = turian.draw_documents(said.twice_judged, 4, 2, 300, np.random.default_rng(2))
    first, second = turian.score_by_two_judgements(said, some, np.random.default_rng(2))
    assert np.array_equal(np.isnan(first), np.isnan(second))
    for drawn, one, other in zip(some.segments, first, second, strict=True):
        assert np.isnan(one[0]) == all(segment in (1, 2) for segment in drawn)
        if drawn[0] in (1, 2) and drawn[1] not in (1, 2):
            (a,), (b,) = (np.flatnonzero(np.isclose(z[0, drawn[1]], means[0])) for means in (one, other))
            assert a != b


def test_one_judgement_missing_in_each_segment_leaves_curves_and_is_said():
    ratings = RANDOM.normal(size=(3, 12))
    ratings[np.arange(12) % 3, np.arange(12)] = np.nan
    out = run_checking_progress(EXPERIMENT, with_judgements(make_data(12), ratings))
    chart = next(chart for chart in out.charts if chart.key == "adequacy-figure-4")
    assert {curve.name for curve in chart.curves} == {"BLEU", "NIST", "GTM, e = 1", "GTM, e = 2", CHANCE}
    for curve in chart.curves:
        assert [point.x for point in curve.points] == [*map(float, range(2, 13))], "no single sentence has all systems"
        for place in [place for point in curve.points for place in point.opens]:
            assert not np.isnan(ratings[place.system, place.segment])
    (note,) = [note for note in out.notes if "not judged" in note]
    assert "12 of the 36 outputs" in note and "left out for all" in note
    whole = run_checking_progress(EXPERIMENT, with_judgements(make_data(12), RANDOM.normal(size=(3, 12))))
    assert not any("not judged" in note for note in whole.notes)


def test_another_programs_scores_have_a_curve_of_their_means():
    given, scores = with_judgements(make_data(9), RANDOM.normal(size=(3, 9))), RANDOM.normal(size=(3, 9))
    scores[0, :4] = np.nan
    said = turian.read_ratings(given.judged, "adequacy", (0, 1, 2))
    ns, curves = turian.draw_correlations({}, said, said.judged, (0, 1, 2), 1, 50, {"COMET": scores})
    random = np.random.default_rng(1)
    for n, values, opens in zip(ns, curves["COMET"].values, curves["COMET"].opens, strict=True):
        some = turian.draw_documents(said.judged, 9, n, 50, random)
        for drawn, found in zip(some.segments, values, strict=True):
            each = [scores[s, drawn][~np.isnan(scores[s, drawn])] for s in range(3)]
            if not all(map(len, each)):
                assert np.isnan(found)
                continue
            ours = [sum(some) / len(some) for some in each]
            people = [said.sorted_ratings[s, drawn, 0].mean() for s in range(3)]
            assert found == pytest.approx(stats.spearmanr(people, ours)[0], abs=1e-12)
        assert all(place.metric == "" for place in opens)


def test_another_program_stands_in_figures_and_needs_no_reference():
    given = with_judgements(make_data(9), RANDOM.normal(size=(3, 9)))
    given = with_external_scores(given, {"COMET": RANDOM.normal(size=(3, 9)), "BLEU": RANDOM.normal(size=(3, 9))})
    out = run_checking_progress(EXPERIMENT, given)
    charts = {chart.key: [curve.name for curve in chart.curves] for chart in out.charts}
    for key in ("adequacy-figure-4", "adequacy-figure-5"):
        assert {"COMET", "BLEU", "BLEU, as given"} <= {*charts[key]} and len({*charts[key]}) == len(charts[key])
    assert "COMET" not in charts["adequacy-alone"]
    rows = {row.name for table in out.tables for row in table.rows}
    assert "BLEU less COMET" in rows
    (alone,) = run_checking_progress(EXPERIMENT, replace(given, references=())).charts
    assert [curve.name for curve in alone.curves] == ["COMET", "BLEU", CHANCE]
    half = with_external_scores(given, {"COMET": np.where(np.arange(3)[:, None] == 1, np.nan, np.ones((3, 9)))})
    assert any("COMET has no curve" in note for note in run_checking_progress(EXPERIMENT, half).notes)


def test_curves_of_one_metric_with_one_and_with_several_references_are_a_pair():
    out = run_checking_progress(EXPERIMENT, make_data(9))
    figure = next(chart for chart in out.charts if chart.key == "adequacy-figure-5")
    pairs = {curve.name: curve.pair for curve in figure.curves if curve.pair}
    assert pairs == {f"2 references, {name}": name for name in ("GTM, e = 1", "GTM, e = 2", "BLEU", "NIST")}


def test_pairs_of_judges_open_where_they_differ_most():
    given = make_data(12)
    table = next(table for table in run_checking_progress(EXPERIMENT, given).tables if table.key == "adequacy-judges")
    a, b = stats.zscore(given.judged.ratings["adequacy"].reshape(-1, 2), axis=0).T
    (row,) = table.rows
    gaps = np.abs(a - b)
    assert [gaps[place.system * 12 + place.segment] for place in row.opens] == pytest.approx(np.sort(gaps)[::-1][:10])


def test_where_nobody_ranks_there_is_no_coefficient_and_where_the_metric_does_not_it_is_0():
    people, metric = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [3.0, 3.0], [3.0, 4.0]])
    assert np.array_equal(turian.document_coefficients(people, metric), [np.nan, 0.0, 1.0], equal_nan=True)
    metric[1, 0] = people[2, 1] = np.nan
    assert np.isnan(turian.document_coefficients(people, metric)).all(), "a system without a score or a judgement"


def test_a_metric_that_people_follow_has_a_curve_of_1():
    given = make_data(9)
    found = scored(given, [score_request("it", "rouge_l", TextSettings())], lambda progress: None).scores
    given = with_judgements(given, found["it"].scores)
    said = turian.read_ratings(given.judged, "adequacy", (0, 1, 2))
    ns, curves = turian.draw_correlations(found, said, said.judged, (0, 1, 2), 1, 30)
    assert ns == tuple(range(1, 10)) and JUDGES not in curves
    assert np.nanmin(curves["it"].values) == pytest.approx(1.0)


@pytest.mark.slow
def test_the_experiment_has_the_papers_figures():
    out = run_checking_progress(EXPERIMENT, make_data(12, scales=("adequacy", "fluency"), metrics=("ter",)))
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
    assert out == run_checking_progress(EXPERIMENT, make_data(12, scales=("adequacy", "fluency"), metrics=("ter",)))


def test_chance_ranks_nothing():
    given = make_data(12)
    said = turian.read_ratings(given.judged, "adequacy", (0, 1, 2))
    _, curves = turian.draw_correlations({}, said, said.judged, (0, 1, 2), 1, 400)
    assert np.abs(np.nanmean(curves[CHANCE].values, axis=1)).max() < 4 / np.sqrt(2 * 400)


def test_without_references_the_judges_have_their_curve():
    out = run_checking_progress(EXPERIMENT, replace(make_data(12, judges=3), references=()))
    figure, chart = out.charts
    assert not figure.lines and {curve.name for curve in chart.curves} == {JUDGES, CHANCE}
    alone = with_judgements(make_data(12), np.ones((3, 12)))
    assert "There is none of them" in EXPERIMENT.needs.missing(replace(alone, references=()))
    one_each = make_data(12, judges=3)
    ratings = one_each.judged.ratings["adequacy"].copy()
    ratings[np.arange(3)[None, None, :] != np.arange(12)[None, :, None] % 3 + np.zeros((3, 1, 1))] = np.nan
    one_each = replace(one_each, judged=replace(one_each.judged, ratings={"adequacy": ratings}), references=())
    assert "There is none of them" in EXPERIMENT.needs.missing(one_each), "three judges, of whom no two rated the same"


def test_what_is_missing_is_said():
    given = make_data(4)
    assert EXPERIMENT.needs.missing(given) == ""
    for one in (with_judgements(given, np.full((3, 4), np.nan)),):
        assert not run_checking_progress(EXPERIMENT, one).charts
    alone = type(given)(given.systems[:1], given.candidates[:1], given.references)
    with pytest.raises(ValueError, match="at least 3 systems, but there is 1"):
        EXPERIMENT.run(alone, lambda progress: None)
