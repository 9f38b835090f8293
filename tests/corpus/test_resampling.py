"""Intervals and tests against sacreBLEU's, and against resampling one by one."""

import numpy as np
import pytest
from corpora import SYSTEMS, lines, segments
from sacrebleu.metrics import BLEU, TER
from sacrebleu.significance import PairedTest

import metrics
from metrics.corpus import resampling
from metrics.corpus.table import Table, table

PAIRS = [(0, 1), (0, 2), (1, 2)]


def tabled(key, references=2, **given):
    return table(metrics.METRICS[key], metrics.settings(key, **given), [segments(n, references) for n in SYSTEMS])


@pytest.mark.parametrize(
    ("key", "given", "peer"),
    [("bleu", {"smoothing": "exp"}, BLEU(tokenize="none")), ("ter", {}, TER(case_sensitive=True))],
)
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_both_tests_have_the_p_values_of_sacrebleu(key, given, peer, test):
    found = tabled(key, references=1, **given)
    named = [(name, [" ".join(line) for line in lines(name)]) for name in SYSTEMS]
    references = [[" ".join(line) for line in lines("reference.A")]]
    trials = 1000 if test == "bs" else 3000
    _, theirs = PairedTest(named, {"it": peer}, references, test_type=test, n_samples=trials)()
    results = theirs[next(name for name in theirs if name != "System")]
    scores = found.corpus_scores()
    if test == "ar":
        (ours,) = resampling.randomised([found], PAIRS[:2], trials)
    else:
        (drawn,) = resampling.resampled([found])
        ours = [resampling.bootstrap(drawn[0], drawn[n], scores[n] - scores[0]) for n in (1, 2)]
        for n in (1, 2):
            low, high = resampling.interval(drawn[n])
            assert 100 * (high - low) / 2 == pytest.approx(results[n].ci, abs=1e-5)
    assert ours == [results[1].p_value, results[2].p_value]


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_resample_has_the_score_of_a_corpus_of_the_drawn_segments(key):
    found = tabled(key)
    (drawn,) = resampling.resampled([found], 3)
    draws = np.random.default_rng(resampling.SEED).choice(found.size, size=(3, found.size), replace=True)
    for n, at in enumerate(draws):
        again = Table(found.metric, found.settings, found.names, found.statistics[:, at], found.scores[:, at])
        assert drawn[:, n] == pytest.approx(again.corpus_scores(), abs=1e-12)


def test_parts_draw_what_the_whole_draws(monkeypatch):
    tables = [tabled(key) for key in ("gtm", "rouge_l")]
    whole = resampling.resampled(tables, 50), resampling.randomised(tables, PAIRS, 200)
    monkeypatch.setattr(resampling, "PART", 64 * tables[0].size)
    parts = resampling.resampled(tables, 50), resampling.randomised(tables, PAIRS, 200)
    assert all(np.allclose(a, b, atol=1e-13) for a, b in zip(whole[0], parts[0], strict=True))
    assert whole[1] == parts[1]


def test_randomisation_rejects_as_often_as_it_says_where_systems_are_equal():
    """2,000 pairs of systems whose segments are of one kind: at 0.05 it rejects in 4 to 6 of 100."""
    chance = np.random.default_rng(7)
    metric, settings = metrics.METRICS["rouge_l"], metrics.settings("rouge_l")
    rejected = 0
    for _ in range(2000):
        hard = chance.normal(0.5, 0.2, 60)
        scores = hard + chance.normal(0, 0.1, (2, 60))
        found = Table(metric, settings, (), np.empty((2, 60, 0)), scores)
        rejected += resampling.randomised([found], [(0, 1)], 400, int(chance.integers(1 << 30)))[0][0] < 0.05
    assert 80 <= rejected <= 120


def test_equal_systems_are_equal():
    found = tabled("bleu").of([0, 0])
    assert resampling.randomised([found], [(0, 1)], 100) == [[1 / 101]]  # as sacreBLEU has it: no trial is above 0
    scores = found.corpus_scores()
    assert scores[0] == scores[1]
