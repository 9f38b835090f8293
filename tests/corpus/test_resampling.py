"""Tests of intervals and significance tests against sacreBLEU, and against resampling one draw at a time."""

from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, TER
from sacrebleu.significance import PairedTest

import metrics
from metrics.corpus import resampling
from metrics.corpus.table import StatisticsTable, score_table
from tests.helpers.corpora import SYSTEMS, load_segments, load_token_lines

PAIRS = [(0, 1), (0, 2), (1, 2)]
KEYS = ("bleu", "gtm", "rouge_l", "ter")


def systems_table(key, references=2, **given):
    return score_table(
        metrics.METRICS[key], metrics.settings(key, **given), [load_segments(n, references) for n in SYSTEMS]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "given", "peer"),
    [("bleu", {"smoothing": "exp"}, BLEU(tokenize="none")), ("ter", {}, TER(case_sensitive=True))],
)
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_both_tests_have_the_p_values_of_sacrebleu(key, given, peer, test):
    found = systems_table(key, references=1, **given)
    named = [(name, [" ".join(line) for line in load_token_lines(name)]) for name in SYSTEMS]
    references = [[" ".join(line) for line in load_token_lines("reference.A")]]
    trials = 1000 if test == "bs" else 3000
    _, theirs = PairedTest(named, {"it": peer}, references, test_type=test, n_samples=trials)()
    results = theirs[next(name for name in theirs if name != "System")]
    scores = found.corpus_scores()
    if test == "ar":
        ours = [each.sacrebleu for each in resampling.randomisation_tests([found], PAIRS[:2], trials)[0]]
    else:
        (drawn,) = resampling.scores_of_resamples([found])
        ours = [resampling.paired_bootstrap_p(drawn[0], drawn[n], scores[n] - scores[0]) for n in (1, 2)]
        for n in (1, 2):
            low, high = resampling.interval(drawn[n])
            assert 100 * (high - low) / 2 == pytest.approx(results[n].ci, abs=1e-5)
    assert ours == [results[1].p_value, results[2].p_value]


@pytest.mark.parametrize("number", [1, 2, 3, 8])
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_few_segments_and_several_references_have_the_p_values_of_sacrebleu(number, test):
    """Check that p-values equal sacreBLEU's, also for equal and nearly equal systems, where trials tie."""
    theirs = load_segments(SYSTEMS[0])[:number]
    system = [theirs, theirs, [load_segments(SYSTEMS[1])[0], *theirs[1:]], load_segments(SYSTEMS[2])[:number]]
    found = score_table(metrics.METRICS["bleu"], metrics.settings("bleu", smoothing="exp"), system)
    named = [(str(n), [" ".join(segment.candidate) for segment in each]) for n, each in enumerate(system)]
    references = [[" ".join(line) for line in load_token_lines(f"reference.{letter}")[:number]] for letter in "AB"]
    references[1] = [line if n % 5 < 4 else None for n, line in enumerate(references[1])]
    _, of = PairedTest(named, {"it": BLEU(tokenize="none")}, references, test_type=test, n_samples=400)()
    want = [each.p_value for each in of[next(name for name in of if name != "System")][1:]]
    (drawn,), scores = resampling.scores_of_resamples([found], 400), found.corpus_scores()
    if test == "bs":
        assert [resampling.paired_bootstrap_p(drawn[0], drawn[n], scores[n] - scores[0]) for n in (1, 2, 3)] == want
    else:
        (tested,) = resampling.randomisation_tests([found], [(0, 1), (0, 2), (0, 3)], 400)
        assert [each.sacrebleu for each in tested] == want
        assert tested[0].p == tested[1].p == 1.0  # two systems that differ in at most one segment cannot be told apart


def test_p_is_the_part_of_all_ways_to_change_places():
    """Check p against all ways to swap the outputs of two systems, which a corpus of seven segments allows to list."""
    for key in ("ter", "gtm", "dcs"):
        found = systems_table(key)
        few = StatisticsTable(found.metric, found.settings, found.names, found.statistics[:2, :7], found.scores[:2, :7])
        a, b = few.summed_columns
        sides = np.array([*product([0.0, 1.0], repeat=7)])
        differences = few.scores_of_sums(sides @ a + (1 - sides) @ b) - few.scores_of_sums(sides @ b + (1 - sides) @ a)
        real = abs(float(np.subtract(*few.corpus_scores())))
        ((tested,),) = resampling.randomisation_tests([few], [(0, 1)])
        assert tested.p == pytest.approx(np.mean(np.abs(differences) >= real - 1e-12), abs=0.02)
        assert tested.sacrebleu == pytest.approx(np.mean(np.abs(differences) > real + 1e-12), abs=0.02)
        assert tested.p - tested.sacrebleu > 0.01  # two of the ways tie with the real difference


def test_a_real_difference_is_found():
    """Check that the tests reject equality where one system lacks the last two words of each line."""
    theirs = [segment._replace(candidate=segment.candidate[:-2]) for segment in load_segments(SYSTEMS[0])]
    found = [
        score_table(metrics.METRICS[key], metrics.settings(key), [load_segments(SYSTEMS[0]), theirs]) for key in KEYS
    ]
    assert all(tested.p < 0.01 for (tested,) in resampling.randomisation_tests(found, [(0, 1)], 1000))


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_resample_has_the_score_of_a_corpus_of_the_drawn_segments(key):
    found = systems_table(key)
    (drawn,) = resampling.scores_of_resamples([found], 3)
    draws = np.random.default_rng(resampling.SEED).choice(found.size, size=(3, found.size), replace=True)
    for n, at in enumerate(draws):
        again = StatisticsTable(found.metric, found.settings, found.names, found.statistics[:, at], found.scores[:, at])
        assert drawn[:, n] == pytest.approx(again.corpus_scores(), abs=1e-12)


def test_parts_draw_what_the_whole_draws(monkeypatch):
    tables = [systems_table(key) for key in ("gtm", "rouge_l")]
    whole = resampling.scores_of_resamples(tables, 50), resampling.randomisation_tests(tables, PAIRS, 200)
    monkeypatch.setattr(resampling, "PART", 64 * tables[0].size)
    monkeypatch.setattr(resampling, "NEAR", 3 * tables[0].size)
    parts = resampling.scores_of_resamples(tables, 50), resampling.randomisation_tests(tables, PAIRS, 200)
    assert all(np.allclose(a, b, atol=1e-13) for a, b in zip(whole[0], parts[0], strict=True))
    assert whole[1] == parts[1]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bleu", "rouge_l"])
def test_randomisation_rejects_as_often_as_it_says_where_systems_are_equal(key):
    """Check that the randomisation test rejects at 0.05 in 4 to 6 % of 2,000 pairs of equal systems.

    Each pair draws real segments and assigns their outputs to systems at random.
    `tests/benchmarks/soak_significance.py` covers all metrics and longer corpora."""
    found, chance, trials, size = systems_table(key), np.random.default_rng(7), 199, 60
    rejected = 0
    for _ in range(2000):
        at, first = chance.choice(found.size, size), chance.integers(2, size=size)
        sides = np.stack([first, 1 - first])
        some = StatisticsTable(
            found.metric, found.settings, found.names, found.statistics[sides, at], found.scores[sides, at]
        )
        ((tested,),) = resampling.randomisation_tests([some], [(0, 1)], trials, int(chance.integers(1 << 30)))
        rejected += tested.p <= 0.05
    assert 80 <= rejected <= 120


def test_equal_systems_are_equal():
    found = systems_table("bleu").select_systems([0, 0])
    ((tested,),) = resampling.randomisation_tests([found], [(0, 1)], 100)
    assert tested == (1.0, 1 / 101)  # no trial is above 0, and every trial is at least 0
    scores = found.corpus_scores()
    assert scores[0] == scores[1]


def test_products_are_of_one_thread(monkeypatch):
    """Check that matrix products use one thread, because other visitors need the other cores."""
    limited, during = resampling.single_core_products, []

    def blas_thread_counts():
        return [each["num_threads"] for each in resampling._controller().info() if each["user_api"] == "blas"]

    @contextmanager
    def spied_one_thread():
        with limited():
            during.append(blas_thread_counts())
            yield

    before = blas_thread_counts()
    assert before  # threadpoolctl recognises numpy's BLAS
    monkeypatch.setattr(resampling, "single_core_products", spied_one_thread)
    resampling.scores_of_resamples([systems_table("per")], 10)
    resampling.randomisation_tests([systems_table("per")], PAIRS, 10)
    assert during == [[1] * len(before)] * 2 and blas_thread_counts() == before
