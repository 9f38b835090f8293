"""Tests of the test whether one metric agrees better with people than another: slow programs and false alarms."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from metrics.corpus.agreement import correlation, metric_comparison
from metrics.corpus.agreement.correlation import CoefficientValue, UndefinedCoefficient, UndefinedReason
from metrics.corpus.agreement.metric_comparison import PermBothResult


def random_scores(shape=(4, 12), metrics=3, missing=0.0, seed=1):
    random = np.random.default_rng(seed)
    people = np.round(random.normal(size=shape), 1)
    made = [people * n / 3 + random.normal(size=shape) for n in range(metrics)]
    for each in (people, *made):
        each[random.random(shape) < missing] = np.nan
    return people, made


def pearson_functions(group):
    def value(people, metric):
        if group is None:
            there = ~(np.isnan(people) | np.isnan(metric))
            found = correlation.pearson(*[correlation.system_scores(each, there) for each in (people, metric)])
        else:
            found = correlation.pearson(people, metric, group)
        return found.value if isinstance(found, CoefficientValue) else math.nan

    return value, value


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("group", [*correlation.GROUPS, None])
def test_all_pairs_at_once_have_the_p_of_one_permutation_after_the_other(group, missing):
    people, metrics = random_scores(missing=missing)
    found = metric_comparison.perm_both(people, metrics, group, 60)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        slow = metric_comparison.perm_both_of_coefficient(
            pearson_functions(group), people, (metrics[a], metrics[b]), 60
        )
        assert (found.p[a][b], found.p[b][a]) == slow.p
    if not missing:
        assert found.values == pytest.approx([pearson_functions(group)[0](people, each) for each in metrics])


def test_p_is_the_part_of_all_ways_to_change_places():
    people, metrics = random_scores((2, 4), 2)
    one, other = ((each - each.mean()) / each.std() for each in metrics)
    real = stats.pearsonr(one.ravel(), people.ravel())[0] - stats.pearsonr(other.ravel(), people.ravel())[0]
    every = []
    for lots in product([False, True], repeat=8):
        swapped = np.array(lots).reshape(2, 4)
        x, y = np.where(swapped, other, one), np.where(swapped, one, other)
        every.append(stats.pearsonr(x.ravel(), people.ravel())[0] - stats.pearsonr(y.ravel(), people.ravel())[0])
    found = metric_comparison.perm_both(people, metrics, "none", 4000)
    assert found.p[0][1] == pytest.approx(np.mean(np.array(every) >= real - 1e-12), abs=0.03)
    assert found.p[1][0] == pytest.approx(np.mean(np.array(every) <= real + 1e-12), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("group", ["none", "item", None])
def test_a_permuted_metric_is_better_than_chance_in_five_of_a_hundred(group):
    random = np.random.default_rng(11)
    found = 0
    for trial in range(300):
        people = random.normal(size=(6, 20)) + random.normal(size=(6, 1))
        scores = people + random.normal(size=people.shape)
        permuted = [random.permutation(scores.ravel()).reshape(scores.shape) for _ in range(2)]
        found += metric_comparison.perm_both(people, permuted, group, 99, seed=trial).p[0][1] <= 0.05
    assert 5 <= found <= 26  # of 300: 15 are expected, and a count outside this range has p below 0.01


def test_a_metric_that_agrees_is_better_than_chance():
    random = np.random.default_rng(2)
    people = random.normal(size=(8, 60)) + random.normal(size=(8, 1))
    scores = people + random.normal(size=people.shape)
    noise = random.permutation(scores.ravel()).reshape(scores.shape)
    for group in (*correlation.GROUPS, None):
        assert metric_comparison.perm_both(people, [scores, noise], group, 300).p[0][1] < 0.05


def test_what_has_no_value_has_no_p():
    people, metrics = random_scores()
    found = metric_comparison.perm_both(
        people, [np.full((4, 12), 0.5), metrics[0], np.full((4, 12), np.nan)], "none", 50
    )
    assert math.isnan(found.values[0]) and math.isnan(found.values[2])
    assert [found.p[n][m] for n in range(3) for m in range(3) if {n, m} != {1}] == [1.0] * 8
    assert metric_comparison.cluster_numbers(found) == (None, 1, None)


def test_any_coefficient_can_be_permuted():
    people, metrics = random_scores((5, 40))

    def accuracy(x, y):
        return correlation.mean_over_groups(correlation.accuracy_by_group(x, y, "item", 0.2)).value

    found = metric_comparison.perm_both_of_coefficient((accuracy, accuracy), people, (metrics[2], metrics[0]), 100)
    assert found.difference > 0 and found.p[0] < 0.05 < found.p[1]


# ---------------------------------------------------------------- the Williams test


def slow_williams(h, x, y):
    n = len(h)
    r = np.corrcoef([h, x, y])
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(r) + ((r[0, 1] + r[0, 2]) / 2) ** 2 * (1 - r[1, 2]) ** 3
    t = (r[0, 1] - r[0, 2]) * np.sqrt((n - 1) * (1 + r[1, 2]) / below)
    return t, stats.t.sf(t, n - 3)


@pytest.mark.parametrize("size", [4, 5, 6, 13, 30])
def test_williams_has_the_p_of_its_formula(size):
    random = np.random.default_rng(size)
    people, one, other = random.normal(size=(3, size))
    found = metric_comparison.williams(people, one + people, other + people)
    t, p = slow_williams(people, one + people, other + people)
    assert (found.t, found.p, found.freedom) == (pytest.approx(t), pytest.approx(p), size - 3)
    assert metric_comparison.williams(people, other + people, one + people).p == pytest.approx(1 - p)


@pytest.mark.parametrize("freedom", range(1, 40))
def test_student(freedom):
    for t in (-30.0, -2.5, -0.1, 0.0, 0.3, 1.0, 4.0):
        assert metric_comparison.student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), abs=1e-13)


def test_williams_says_where_there_is_nothing_to_test():
    people = np.array([1.0, 2.0, 3.0, 4.0])
    assert metric_comparison.williams(people[:3], people[:3], people[:3]).kind is UndefinedReason.FEW
    assert metric_comparison.williams(people, np.ones(4), people).kind is UndefinedReason.METRIC
    assert isinstance(metric_comparison.williams(people, people, 2 * people), UndefinedCoefficient)


def test_clusters_begin_where_one_is_worse_than_any_of_the_cluster():
    p = ((1.0, 0.2, 0.03, 0.3), (0.8, 1.0, 0.2, 0.2), (0.97, 0.8, 1.0, 0.4), (0.7, 0.8, 0.6, 1.0))
    assert metric_comparison.cluster_numbers(PermBothResult((0.9, 0.8, 0.7, 0.6), p, 100)) == (1, 1, 2, 2)
