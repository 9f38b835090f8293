"""Tests of counting pairs that two rankings order alike, against a direct count and against all pairs."""

import numpy as np
import pytest

from metrics.corpus.agreement import concordance, intervals


def random_scores(systems=4, size=30, missing=0.2, seed=1):
    random = np.random.default_rng(seed)
    people = random.integers(0, 5, (systems, size)).astype(float)
    metric = people + random.integers(0, 8, (systems, size))
    return people, metric, random.random((systems, size)) >= missing


def test_sums_are_those_of_all_pairs(monkeypatch):
    people, metric, there = random_scores()
    found = concordance.count_concordance(people, metric, there, True)
    size = people.shape[1]
    alike, untied = np.zeros((size, size)), np.zeros((size, size))
    places = np.argwhere(there)
    for a, s in places:
        for b, t in places:
            both = np.sign(people[a, s] - people[b, t]) * np.sign(metric[a, s] - metric[b, t])
            alike[s, t] += both
            untied[s, t] += abs(both)
    assert (found.concordant.sums == alike).all() and (found.untied.sums == untied).all()
    assert concordance.count_concordance(people, metric, there).untied is None
    monkeypatch.setattr(concordance, "MOST", 1)
    nearly = concordance.count_concordance(people, metric, there, True)
    for form, sums in ((nearly.concordant, alike), (nearly.untied, untied)):
        assert form.total == sums.sum()
        assert (form.segment_sums == sums.sum(axis=1)).all() and (form.self_sums == np.diag(sums)).all()
        assert form.weighted_sums(np.ones((size, 2))).tolist() == [sums.sum()] * 2


@pytest.mark.parametrize("seed", range(5))
def test_what_is_below_in_both_rows_is_counted(seed):
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 1 + 3 * seed, (2, 40))
    below = [sum((x[j] < x[i]) & (y[j] < y[i]) for j in range(40)) for i in range(40)]
    assert concordance.count_dominated(x, y).tolist() == below


@pytest.mark.parametrize("kind", ["b", "10", "13"])
def test_intervals_of_many_segments_are_nearly_those_of_all_pairs(kind, monkeypatch):
    people, metric, there = random_scores(3, 600)
    people[~there] = np.nan
    drawn = intervals.draw_resamples(np.ones(600, dtype=bool), 400)
    exact = intervals.resample_segment_level(people, metric, "none", kind, None, drawn)["kendall"]
    monkeypatch.setattr(concordance, "MOST", 100)
    nearly = intervals.resample_segment_level(people, metric, "none", kind, None, drawn)["kendall"]
    width = np.subtract(*np.quantile(exact, [0.975, 0.025]))
    assert 0 < np.abs(nearly - exact).max() < 0.1 * width
