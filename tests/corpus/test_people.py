"""Tests of the agreement between judges, and of references scored as if they were outputs, against slow programs."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.corpus.agreement import human_agreement
from metrics.corpus.agreement.correlation import CoefficientValue, UndefinedCoefficient
from metrics.corpus.table import score_table
from metrics.text.judgements import JudgementRecord, RatingScale
from tests.helpers.corpora import SYSTEMS, load_token_lines


def random_judgements(missing=0.4, better=True, seed=1):
    random = np.random.default_rng(seed)
    ratings = np.round(random.normal(size=(3, 12, 1)) + random.normal(size=(3, 12, 4)), 1)
    ratings[random.random(ratings.shape) < missing] = np.nan
    ratings[..., 3] = np.nan  # a judge who rated another corpus only
    return JudgementRecord(("A", "B", "C"), 12, tuple("wxyz"), (RatingScale("esa", better),), {"esa": ratings})


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("better", [True, False])
def test_judges_have_scipys_coefficients(missing, better):
    judged = random_judgements(missing, better)
    ratings = (1 if better else -1) * judged.ratings["esa"]
    found = human_agreement.agreement_of_judges(judged, "esa")
    assert [each.judge for each in found.judges] == [0, 1, 2]
    for each in found.judges:
        own = ratings[..., each.judge]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rest = np.nanmean(np.delete(ratings, each.judge, axis=2), axis=2)
        there = ~np.isnan(own + rest)
        assert (each.rated, each.shared) == ((~np.isnan(own)).sum(), there.sum())
        assert each.bias == pytest.approx((own - rest)[there].mean())
        assert each.mean_distance == pytest.approx(np.abs(own - rest)[there].mean())
        assert each.pearson.value == pytest.approx(stats.pearsonr(own[there], rest[there])[0])
        assert each.kendall.value == pytest.approx(stats.kendalltau(own[there], rest[there])[0])
    assert {(each.one, each.other) for each in found.pairs} == {*combinations(range(3), 2)}
    assert [each.pearson.value for each in found.pairs] == sorted([each.pearson.value for each in found.pairs])
    for each in found.pairs:
        x, y = ratings[..., each.one], ratings[..., each.other]
        there = ~np.isnan(x + y)
        assert (each.shared, each.bias) == (there.sum(), pytest.approx((x - y)[there].mean()))
        assert each.pearson.value == pytest.approx(stats.pearsonr(x[there], y[there])[0])


def test_disputed_outputs_are_those_of_the_largest_spread():
    judged = random_judgements()
    ratings = judged.ratings["esa"]
    spreads = {
        (s, n): float(np.nanmax(ratings[s, n]) - np.nanmin(ratings[s, n]))
        for s in range(3)
        for n in range(12)
        if (~np.isnan(ratings[s, n])).sum() > 1
    }
    found = human_agreement.agreement_of_judges(judged, "esa").disputed
    assert {(each.system, each.segment): each.spread for each in found} == pytest.approx(
        {place: spread for place, spread in spreads.items() if spread}
    )
    assert [each.spread for each in found] == sorted(spreads.values(), reverse=True)[: len(found)]


def test_one_judge_agrees_with_nobody():
    judged = random_judgements()
    alone = JudgementRecord(judged.systems, 12, ("w",), judged.scales, {"esa": judged.ratings["esa"][..., :1]})
    assert isinstance(human_agreement.agreement_of_judges(alone, "esa"), UndefinedCoefficient)
    with pytest.raises(KeyError):
        human_agreement.agreement_of_judges(judged, "mqm")


def test_judges_who_share_too_little_have_no_coefficient():
    ratings = np.full((1, 3, 2), np.nan)
    ratings[0, 0] = 1.0, 2.0
    ratings[0, 1, 0] = 3.0
    found = human_agreement.agreement_of_judges(
        JudgementRecord(("A",), 3, ("x", "y"), (RatingScale("esa"),), {"esa": ratings}), "esa"
    )
    assert [each.shared for each in found.judges] == [1, 1]
    assert all(isinstance(each.pearson, UndefinedCoefficient) for each in (*found.judges, *found.pairs))


@pytest.mark.parametrize("key", ["bleu", "ter", "sia"])
def test_the_human_level_is_the_mean_of_references_against_the_rest(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    references = [
        [a, b, a[1:]] for a, b in zip(load_token_lines("reference.A"), load_token_lines("reference.B"), strict=True)
    ]
    references[3] = references[3][:2]  # this segment lacks a reference
    outputs = [load_token_lines(name) for name in SYSTEMS]
    left_out = human_agreement.jackknife_segments(outputs, references)
    assert left_out.segments == tuple([n for n in range(60) if n != 3])
    found = human_agreement.human_level([score_table(metric, settings, each) for each in left_out.systems], 200)

    def score(candidates, k):
        sets = [[references[n][r] for r in range(3) if r != k] for n in left_out.segments]
        return metrics.corpus_score(key, [candidates[n] for n in left_out.segments], sets).score

    own = [score([each[min(k, len(each) - 1)] for each in references], k) for k in range(3)]
    assert found.references == pytest.approx(own) and found.human == pytest.approx(np.mean(own))
    for s, texts in enumerate(outputs):
        assert found.systems[s] == pytest.approx(np.mean([score(texts, k) for k in range(3)]))
        assert found.intervals[s].low <= found.systems[s] <= found.intervals[s].high
        assert found.ahead[s].high < 0  # two of the three references are nearly the same
    assert found.segments == 59 and found.interval.low <= found.human <= found.interval.high


def test_one_reference_has_no_rest():
    assert isinstance(human_agreement.jackknife_segments([[("a",)]], [[("a",)]]), UndefinedCoefficient)
    assert isinstance(human_agreement.jackknife_segments([[]], []), UndefinedCoefficient)


def test_within_segments():
    judged = random_judgements(0.0)
    within = human_agreement.agreement_of_judges(judged, "esa").judges[0].within_segments
    assert isinstance(within, CoefficientValue) and within.n == 12
