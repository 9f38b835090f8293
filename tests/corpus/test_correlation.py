"""Tests of correlation coefficients against mt-metrics-eval, scipy and slow programs."""

import gzip
import json
import warnings
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from metrics.corpus.agreement import correlation
from metrics.corpus.agreement.correlation import CoefficientValue, UndefinedCoefficient, UndefinedReason
from tests.helpers.app import ROOT


@cache
def golden_values():
    with gzip.open(ROOT / "tests" / "golden" / "agreement_mtme.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


@cache
def human_scores(name):
    return _score_array(golden_values()["human"][name])


@cache
def metric_scores(name):
    if name == "ter_negated":
        return -metric_scores("ter")
    if name == "chrf_tenths":
        return metric_scores("chrf_steps") / 10
    return _score_array(golden_values()["metric"][name])


def _score_array(rows):
    return np.array([rows[system] for system in golden_values()["systems"]], dtype=np.float64)


SEGMENT = {
    "pearson": correlation.pearson_by_group,
    "spearman": correlation.spearman_by_group,
    "kendall_b": correlation.kendall_by_group,
    "pairwise_accuracy": correlation.accuracy_by_group,
}
SYSTEM = {
    "pearson": correlation.pearson,
    "spearman": correlation.spearman,
    "kendall_b": correlation.kendall,
    "pairwise_accuracy": correlation.system_accuracy,
}


def our_value(row):
    people, scores = human_scores(row["human"]), metric_scores(row["metric"])
    statistic = row["statistic"]
    if statistic == "soft_pairwise_accuracy":
        return correlation.soft_accuracy(people, scores)
    if row["level"] == "system":
        there = ~np.isnan(people)
        if row["system_score"] == "corpus score":
            named = golden_values()["system_scores"]["corpus"][row["metric"]]
            ours = np.array([named[system] for system in golden_values()["systems"]])
        else:
            ours = correlation.system_scores(scores, None if row["system_score"] == "mean of all lines" else there)
        if row["system_score"] == "mean of lines that have both":
            people = np.where(np.isnan(scores), np.nan, people)
        return SYSTEM[statistic](correlation.system_scores(people), ours)
    if statistic == "pearson_of_differences":
        return correlation.pearson_of_differences(people, scores)
    if statistic == "pairwise_accuracy_calibrated":
        return correlation.calibrated_accuracy(people, scores)
    groups = SEGMENT[statistic](people, scores, row["group"])
    return correlation.mean_over_groups(groups, row.get("weights", "groups"), row.get("undefined", "left out"))


def defined_rows(least, **kind):
    """Yield the golden rows of a kind in which the value is defined, each with our value.

    There must be more than `least` rows, and where the value is undefined ours must be so too."""
    rows = [row for row in golden_values()["expected"] if row.items() >= kind.items()]
    assert len(rows) > least
    for row in rows:
        ours = our_value(row)
        if row["n"]:
            yield row, ours
        else:
            assert isinstance(ours, UndefinedCoefficient), row


@pytest.mark.slow
@pytest.mark.parametrize("statistic", [*SEGMENT, "pearson_of_differences", "pairwise_accuracy_calibrated"])
def test_segments_have_mt_metrics_evals_values(statistic):
    for row, ours in defined_rows(20, level="segment", statistic=statistic):
        # On scores in tenths, mt-metrics-eval's own value depends on how differences are rounded.
        value = float(Fraction(*row["exact"])) if row["metric"] == "chrf_tenths" else row["value"]
        assert (ours.value, ours.n) == (pytest.approx(value, abs=1e-9), row["n"]), row
        if "exact" in row:
            assert ours.value == pytest.approx(float(Fraction(*row["exact"])), abs=1e-12), row
        if "exact_epsilons" in row:
            assert ours.epsilon == pytest.approx(row["exact_epsilons"][0], abs=1e-12), row
            again = correlation.accuracy_by_group(
                human_scores(row["human"]), metric_scores(row["metric"]), "item", ours.epsilon
            )
            assert correlation.mean_over_groups(again).value == pytest.approx(ours.value, abs=1e-12)


@pytest.mark.parametrize("statistic", SYSTEM)
def test_systems_have_mt_metrics_evals_values(statistic):
    for row, ours in defined_rows(30, level="system", statistic=statistic):
        assert (ours.value, ours.n) == (pytest.approx(row["value"], abs=1e-9), row["n"]), row


def test_soft_pairwise_accuracy_has_mt_metrics_evals_value():
    for row, ours in defined_rows(13, statistic="soft_pairwise_accuracy"):
        assert (ours.value, ours.n) == (pytest.approx(row["exact"], abs=1e-12), row["n"]), row
        assert ours.value == pytest.approx(row["value"], abs=0.0005)


def test_its_p_values_are_those_of_whole_numbers():
    for name, p in golden_values()["p_values"].items():
        people, _, theirs = name.partition("/")
        there = ~np.isnan(human_scores(people)).any(axis=0)
        scores = (metric_scores(theirs) if theirs else human_scores(people))[:, there]
        assert correlation.system_p_values(scores).tolist() == pytest.approx(
            [each / 1000 for row in p["exact"] for each in row], abs=1e-12
        )


# ---------------------------------------------------------------- against scipy and slow programs

#: A few values, so that ties and missing values are frequent.
VALUES = st.sampled_from([0.0, 0.5, -1.0, 2.0, 0.25, 7.25, float("nan")])


@st.composite
def score_pair(draw):
    shape = draw(st.tuples(st.integers(1, 5), st.integers(1, 6)))
    return tuple([draw(arrays(np.float64, shape, elements=VALUES)) for _ in range(2)])


def score_groups(people, scores, group):
    there = ~(np.isnan(people) | np.isnan(scores))
    if group == "none":
        some = [(people[there], scores[there])]
    else:
        if group == "item":
            people, scores, there = people.T, scores.T, there.T
        some = [(x[t], y[t]) for x, y, t in zip(people, scores, there, strict=True)]
    return [(x, y) for x, y in some if len(x) > 1]


def slow_tau(x, y, kind):
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    alike = sum(1 for a, b in signs if a * b > 0)
    against = sum(1 for a, b in signs if a * b < 0)
    metric_tie = sum(1 for a, b in signs if a and not b)
    if kind == "10":
        above, below = alike - against - metric_tie, alike + against + metric_tie
    else:
        above, below = alike - against, alike + against
    return above / below if below else np.nan


def slow_accuracy(x, y, epsilon=0.0):
    right = [
        np.sign(x[i] - x[j]) == (0 if abs(y[i] - y[j]) <= epsilon else np.sign(y[i] - y[j]))
        for i, j in combinations(range(len(x)), 2)
    ]
    return sum(right) / len(right)


SLOW = {
    (correlation.pearson, None): lambda x, y: stats.pearsonr(x, y)[0],
    (correlation.spearman, None): lambda x, y: stats.spearmanr(x, y)[0],
    (correlation.kendall, "b"): lambda x, y: stats.kendalltau(x, y)[0],
    (correlation.kendall, "10"): lambda x, y: slow_tau(x, y, "10"),
    (correlation.kendall, "13"): lambda x, y: slow_tau(x, y, "13"),
    (correlation.accuracy, None): slow_accuracy,
}


@pytest.mark.slow
@pytest.mark.parametrize("group", correlation.GROUPS)
@pytest.mark.parametrize(("of", "kind"), SLOW)
@given(both=score_pair())
def test_means_over_groups_are_those_of_scipy(of, kind, group, both):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each = [SLOW[of, kind](x, y) for x, y in score_groups(*both, group)]
    each = [value for value in each if not np.isnan(value)]
    ours = of(*both, group, kind) if kind else of(*both, group)
    if each:
        assert (ours.value, ours.n) == (pytest.approx(np.mean(each), abs=1e-12), len(each))
    else:
        assert isinstance(ours, UndefinedCoefficient) and ours.text.endswith(".")


def test_many_values_have_scipys_coefficients():
    random = np.random.default_rng(1)
    for decimals in (0, 1, 12):
        people = random.normal(size=6877).round(decimals)
        scores = (people + random.normal(size=6877)).round(decimals)
        for ours, theirs in (
            (correlation.pearson, stats.pearsonr),
            (correlation.spearman, stats.spearmanr),
            (correlation.kendall, stats.kendalltau),
        ):
            assert ours(people, scores).value == pytest.approx(theirs(people, scores)[0], abs=1e-12)


@pytest.mark.slow
@given(both=score_pair())
def test_pairs_are_counted(both):
    ((x, y),) = score_groups(*both, "none") or [(np.zeros(2), np.zeros(2))]
    counts = [0] * 5
    for i, j in combinations(range(len(x)), 2):
        a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        counts[4 if not a and not b else 3 if not a else 2 if not b else 0 if a == b else 1] += 1
    assert [*correlation.count_rank_pairs(x, y)] == counts


@given(both=score_pair())
def test_epsilon_is_the_smallest_of_the_best(both):
    groups = score_groups(*both, "item")
    ours = correlation.calibrated_accuracy(*both)
    if not groups:
        assert ours == UndefinedCoefficient(UndefinedReason.FEW, ours.text)
        return
    candidates = sorted({0.0, *[abs(y[i] - y[j]) for _, y in groups for i, j in combinations(range(len(y)), 2)]})
    values = [np.mean([slow_accuracy(x, y, epsilon) for x, y in groups]) for epsilon in candidates]
    best = max(values)
    first = next(e for e, value in zip(candidates, values, strict=True) if value >= best - 1e-12)
    assert ours == CoefficientValue(pytest.approx(best, abs=1e-12), len(groups), first)


@given(both=score_pair())
def test_differences_of_all_ordered_pairs_are_correlated(both):
    groups = score_groups(*both, "item")
    x, y = (
        np.array([g[side][i] - g[side][j] for g in groups for i in range(len(g[side])) for j in range(len(g[side]))])
        for side in (0, 1)
    )
    ours = correlation.pearson_of_differences(*both)
    if len(x) and np.ptp(x) and np.ptp(y):
        assert ours.value == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-12)
    else:
        assert isinstance(ours, UndefinedCoefficient)


@pytest.mark.parametrize(
    ("people", "scores", "kind"),
    [
        ([[1.0, 2.0]], [[3.0, 3.0]], UndefinedReason.METRIC),
        ([[1.0, 1.0]], [[3.0, 4.0]], UndefinedReason.PEOPLE),
        ([[1.0, np.nan]], [[3.0, 4.0]], UndefinedReason.FEW),
        ([[1.0, np.nan]], [[np.nan, 4.0]], UndefinedReason.FEW),
        ([[1.0, 2.0]], [[0.1 + 0.2, 0.3]], UndefinedReason.METRIC),  # the difference is only a rounding error
    ],
)
@pytest.mark.parametrize("of", [correlation.pearson, correlation.spearman, correlation.kendall])
def test_what_is_undefined_says_why(of, people, scores, kind):
    if of is not correlation.pearson and kind is UndefinedReason.METRIC and scores[0][0] != scores[0][1]:
        return
    ours = of(np.array(people), np.array(scores))
    assert ours.kind is kind and ours.text.endswith(".")


def test_groups_may_be_constant_one_by_people_another_by_the_metric():
    people, scores = np.array([[1.0, 1.0], [2.0, 1.0]]), np.array([[5.0, 4.0], [5.0, 3.0]])
    assert correlation.pearson(people, scores, "item").kind is UndefinedReason.TIES
    assert correlation.pearson_of_differences(people, scores).value == 0.0


def test_one_system_has_no_order():
    assert correlation.system_accuracy(np.array([1.0]), np.array([1.0])).kind is UndefinedReason.FEW
    assert correlation.soft_accuracy(np.ones((1, 4)), np.ones((1, 4))).kind is UndefinedReason.FEW
    assert correlation.soft_accuracy(np.full((2, 4), np.nan), np.ones((2, 4))).kind is UndefinedReason.FEW


def test_soft_pairwise_accuracy_of_what_is_judged():
    """Check that soft pairwise accuracy skips systems without judgements.

    Each pair of systems uses the segments that both have."""
    random = np.random.default_rng(3)
    people, scores = random.normal(size=(2, 4, 30))
    whole = correlation.soft_accuracy(people, scores)
    longer = [np.vstack([each, np.full((1, 30), np.nan)]) for each in (people, scores)]
    assert correlation.soft_accuracy(*longer) == whole
    people[[0, 1, 2], [4, 9, 9]] = np.nan
    found = correlation.soft_accuracy(people, scores)
    swaps = np.random.default_rng(correlation.SEED).random((1000, 30), dtype=np.float32).round() == 0
    apart = []
    for one, other in combinations(range(4), 2):
        both = ~np.isnan(people[one] - people[other])
        p = []
        for values in (people, scores):
            difference = np.where(both, values[one] - values[other], 0.0)
            p.append(
                np.mean([np.where(swap, -difference, difference).sum() >= difference.sum() - 1e-9 for swap in swaps])
            )
        apart.append(abs(p[0] - p[1]))
    assert found.value == pytest.approx(1 - np.mean(apart)) and found.n == 30


def test_shares_of_ties():
    people = np.array([[0.0, 0.0, np.nan], [0.0, 1.0, 1.0]])
    assert correlation.tie_shares(people, np.array([[0.1, 0.1, 0.0], [0.15, 0.9, 0.0]]), 0.1) == (0.5, 0.5)
    assert correlation.tie_shares(people * np.nan, people, 0.1) == (0.0, 0.0)
