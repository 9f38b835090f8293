"""Ledgers of a corpus: exact for every metric, and worths against the slow obvious integral."""

import random

import numpy as np
import pytest
from corpora import SYSTEMS, segments

import metrics
from metrics.corpus import ledger
from metrics.corpus.table import Table, table

SUMMED = [key for key, metric in metrics.METRICS.items() if metric.pooling == "sum"]


def score(key, system, **given):
    return metrics.corpus_score(key, [s.candidate for s in system], [s.references for s in system], **given).score


@pytest.mark.parametrize("key", metrics.METRICS)
def test_causes_and_segments_sum_to_the_difference(key):
    chance = random.Random(key)
    metric = metrics.METRICS[key]
    for size in (60, 17, 3, 1, 1):
        a, b = (segments(name) for name in chance.sample(SYSTEMS, 2))
        part = sorted(chance.sample(range(len(a)), min(size, len(a))))
        a, b = ([system[n] for n in part] for system in (a, b))
        found = ledger.corpus_ledger(metric, metrics.settings(key), a, b)
        difference = score(key, b) - score(key, a)
        assert found.delta == pytest.approx(difference, abs=1e-12)
        assert sum(step.share for step in found.steps) == pytest.approx(difference, abs=1e-9)
        assert sum(found.worth) == pytest.approx(difference, abs=1e-9) and len(found.worth) == len(part)
        assert all(step.low <= step.high for step in found.steps)
        for same, worth in zip(
            [x.candidate == y.candidate for x, y in zip(a, b, strict=True)], found.worth, strict=True
        ):
            assert not (same and abs(worth) > 1e-12)


@pytest.mark.parametrize("smoothing", ["floor", "exp", "add_k"])
def test_a_count_that_leaves_nothing_has_the_jump(smoothing):
    """One segment of three words has no 4-gram, and another system has one."""
    a = [metrics.types.Segment(("a", "b", "x", "d", "e"), (tuple("abcde"),))]
    b = [metrics.types.Segment(tuple("abcde"), (tuple("abcde"),))]
    found = metrics.corpus_ledger(
        "bleu", [s.candidate for s in a], [s.candidate for s in b], [s.references for s in a], smoothing=smoothing
    )
    assert found.delta > 0
    assert sum(found.worth) == pytest.approx(found.delta, abs=1e-9)


def slowly(found: Table, points=4000):
    """The prices by the midpoint rule and plain differences, with numbers."""
    before, after = found.statistics.sum(axis=1)
    way = after - before
    out = np.zeros(len(way))

    def at(sums):
        return found.metric.from_stats(dict(zip(found.names, map(float, sums), strict=True)), found.settings).score

    for n in np.flatnonzero(found.statistics.any(axis=(0, 1))):
        for t in (np.arange(points) + 0.5) / points:
            here = before + t * way
            step = np.zeros(len(way))
            step[n] = 1e-5 * here[n]
            out[n] += (at(here + step) - at(here - step)) / (2 * step[n]) / points
    return out


@pytest.mark.parametrize("key", SUMMED)
def test_prices_are_the_mean_slopes_on_the_way(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    a, b = segments(SYSTEMS[0]), segments(SYSTEMS[1])
    found = table(metric, settings, [a, b])
    assert ledger.prices(found) == pytest.approx(slowly(found), abs=2e-6 * max(1.0, *found.corpus_scores()))


def test_the_way_is_divided_where_the_brevity_penalty_ends():
    """A is shorter than its references and B longer: the slope by the length jumps on the way."""
    metric, settings = metrics.METRICS["bleu"], metrics.settings("bleu")
    b = [s._replace(candidate=(*s.candidate, "too", "much", "here")) for s in segments(SYSTEMS[1], 1)]
    a = [s._replace(candidate=s.candidate[:-1]) for s in segments(SYSTEMS[0], 1)]
    found = table(metric, settings, [a, b])
    sums = dict(zip(found.names, found.statistics.sum(axis=1).T, strict=True))
    assert sums["candidate_length"][0] < sums["reference_length"][0] < sums["candidate_length"][1]
    assert ledger.prices(found) == pytest.approx(slowly(found), abs=5e-6)


@pytest.mark.parametrize("key", SUMMED)
def test_a_ledger_by_roles_sums_too(key):
    found = table(metrics.METRICS[key], metrics.settings(key), [segments(name) for name in SYSTEMS[:2]])
    steps = ledger.by_roles(found)
    assert sum(step.share for step in steps.steps) == pytest.approx(steps.delta, abs=1e-12)
    assert sum(steps.worth) == pytest.approx(steps.delta, abs=1e-9)


def test_a_mean_has_the_causes_of_its_sentences():
    a, b = (segments(name) for name in SYSTEMS[:2])
    of_cause: dict[str, float] = {}
    for x, y in zip(a, b, strict=True):
        if x.candidate != y.candidate:
            ours, theirs = (metrics.score("rouge_w", s.candidate, s.references) for s in (x, y))
            for change in metrics.ledger(ours, theirs):
                of_cause[change.cause] = of_cause.get(change.cause, 0.0) + change.share / len(a)
    found = ledger.corpus_ledger(metrics.METRICS["rouge_w"], metrics.settings("rouge_w"), a, b)
    assert {step.cause: step.share for step in found.steps} == pytest.approx(of_cause, abs=1e-13)


def test_the_orders_of_bleu_stand_apart_beside_its_brevity():
    a, b = (segments(name) for name in SYSTEMS[:2])
    shorter = [s._replace(candidate=s.candidate[:-2]) for s in b]
    found = ledger.corpus_ledger(metrics.METRICS["bleu"], metrics.settings("bleu"), a, shorter)
    assert {(step.cause, step.name) for step in found.steps} == {
        *(("matches", f"{n}-grams") for n in (1, 2, 3, 4)),
        ("length", ""),
        ("penalty", "brevity penalty"),
    }


def test_systems_need_the_same_segments():
    a = segments(SYSTEMS[0])
    metric, settings = metrics.METRICS["per"], metrics.settings("per")
    with pytest.raises(ValueError, match="same segments, at least one; got 60 and 59"):
        ledger.corpus_ledger(metric, settings, a, a[1:])
    with pytest.raises(ValueError, match="segment 2: both systems need the same references"):
        ledger.corpus_ledger(metric, settings, a, [a[0], a[2], *a[2:]])


def test_many_orders_of_n_grams():
    """As many causes as there are: each order for itself, and the length."""
    a, b = (segments(name)[:2] for name in SYSTEMS[:2])
    metric = metrics.METRICS["bleu"]
    most = 12  # causes: more than a sentence of today has
    found = ledger.corpus_ledger(metric, metrics.settings("bleu", max_order=most, smoothing="add_k"), a, b)
    assert sum(step.share for step in found.steps) == pytest.approx(found.delta, abs=1e-12)
    assert len([step for step in found.steps if step.cause == "matches"]) > 4
