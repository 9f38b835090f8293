"""Tests that a mixture of two outputs' statistics is limited to what some output could have."""

import math
import random

import pytest
from cases import KEYS, is_close, pairs, variants

import metrics
from metrics.types import TooHard, segment

LIMITED = [key for key in KEYS if metrics.METRICS[key].complete]


def statistics_pairs(key, seed, count):
    """Yield the statistics of two outputs with the same references, with each of the settings in turn."""
    metric = metrics.METRICS[key]
    chosen = [metrics.settings(key, **given) for given in variants(key) if "similarity" not in given]
    for number, (a, b, references) in enumerate(pairs(seed, count)):
        settings = chosen[number % len(chosen)] if number % 2 else chosen[0]
        try:
            yield settings, references, *[dict(metric.statistics(segment(x, references), settings)) for x in (a, b)]
        except TooHard:
            continue


@pytest.mark.parametrize("key", LIMITED)
def test_what_an_output_has_is_within_the_limits(key):
    metric = metrics.METRICS[key]
    for settings, references, *each in statistics_pairs(key, 40, 150):
        for stats in each:
            kept = dict(stats)
            metric.complete(kept, settings, {}, tuple(references))
            before, after = (metric.from_stats(s, settings) for s in (stats, kept))
            assert is_close(before.score, after.score), (stats, kept, settings)
            assert all(is_close(before.parts[name], after.parts[name]) for name in before.parts), (stats, kept)


def check_ribes(s, settings):
    aligned = s["aligned"]
    assert s["concordant"] + s["discordant"] == math.comb(int(aligned), 2)
    assert aligned != 1 or s["reference_length"] <= 1
    assert aligned <= s["candidate_length"]


def check_wer(s, settings):
    assert s["substitutions"] + s["deletions"] + s["hits"] == s["reference_length"]


def check_per(s, settings):
    assert s["common"] <= min(s["candidate_length"], s["reference_length"])
    assert s["longer_length"] == max(s["candidate_length"], s["reference_length"])


def check_meteor(s, settings):
    assert s["matches"] <= min(s["candidate_length"], s["reference_length"])
    assert min(s["matches"], 1) <= s["chunks"] <= s["matches"]
    assert s["whole"] == (s["chunks"] == 1 and s["matches"] == s["candidate_length"] == s["reference_length"])


def check_bleu(s, settings):
    orders = sum(name.startswith("match_") for name in s)
    for n in range(1, orders + 1):
        assert s[f"match_{n}"] <= s[f"total_{n}"]
        assert n == 1 or s[f"match_{n - 1}"] or not s[f"match_{n}"]


def check_gtm(s, settings):
    assert s["match_size"] <= min(s["candidate_length"], s["reference_length"])


def check_dcs(s, settings):
    """Check that squares and products are within the square of the shorter length.

    Two blocks of a and b words have the squares a² + b² and the product ab: together at most (a + b)²."""
    if settings.overlap == "disjoint":
        assert s["squares"] + 2 * s["products"] <= min(s["candidate_length"], s["reference_length"]) ** 2 + 1e-9


CHECKS = {
    "dcs": check_dcs,
    "ribes": check_ribes,
    "wer": check_wer,
    "per": check_per,
    "meteor": check_meteor,
    "bleu": check_bleu,
    "gtm": check_gtm,
}


def mixed_value(rng, a, b):
    """Return a value for a mixture: one of the two, or a random one between them."""
    low, high = sorted((a, b))
    whole = isinstance(a, int) and isinstance(b, int)
    return rng.choice((a, b, rng.randint(low, high) if whole else rng.uniform(low, high)))


@pytest.mark.parametrize("key", LIMITED)
def test_a_mixture_is_what_some_output_could_have(key):
    metric, rng = metrics.METRICS[key], random.Random(key)
    for settings, references, ours, theirs in statistics_pairs(key, 41, 300):
        names = {**ours, **theirs}
        mixed = {name: mixed_value(rng, ours.get(name, 0), theirs.get(name, 0)) for name in names}
        metric.complete(mixed, settings, {}, tuple(references))
        assert all(value >= 0 for value in mixed.values()), mixed
        if key in CHECKS:
            CHECKS[key](mixed, settings)
        score, parts = metric.from_stats(mixed, settings)
        if metric.higher_is_better and math.isfinite(metric.most) and key != "dcs":  # dcs blocks may overlap
            assert -1e-12 <= score <= metric.most + 1e-12, (mixed, settings)
        assert all(math.isfinite(value) for value in parts.values())
        again = dict(mixed)
        metric.complete(again, settings, {}, tuple(references))
        assert all(is_close(again[name], mixed[name]) for name in mixed)


def test_products_are_at_most_those_of_two_blocks():
    """Check that products are limited to those of two equal blocks: here of two words each, 2² + 2² and 2 · 2."""
    stats = {"squares": 8.0, "products": 100.0, "longest_chain": 4.0, "candidate_length": 4.0, "reference_length": 6.0}
    settings = metrics.settings("dcs", overlap="disjoint")
    metrics.METRICS["dcs"].complete(stats, settings, {}, ())
    assert (stats["squares"], stats["products"]) == (8.0, 4.0)
