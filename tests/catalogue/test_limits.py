"""Tests of `Metric.complete`, which adjusts mixed statistics of two outputs to what a single output could have.

A mixture takes some statistics from one output and some from the other."""

import math
import random

import pytest

import metrics
from metrics.types import TooHard, segment
from tests.helpers.cases import KEYS, is_close, pairs, variants
from tests.helpers.possible import are_possible_statistics

LIMITED = [key for key in KEYS if metrics.METRICS[key].complete]


def statistics_pairs(key, seed, count):
    """Yield settings, references, and the statistics of two outputs scored with them.

    All variants of the metric's settings occur."""
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


def mixed_value(rng, a, b):
    """Return one output's value `a`, the other's value `b`, or a random value between them."""
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
        assert are_possible_statistics(key, mixed, settings), mixed
        if key == "wer":
            assert mixed["substitutions"] + mixed["deletions"] + mixed["hits"] == mixed["reference_length"]
        score, parts = metric.from_stats(mixed, settings)
        if metric.higher_is_better and math.isfinite(metric.most) and key != "dcs":  # dcs blocks may overlap
            assert -1e-12 <= score <= metric.most + 1e-12, (mixed, settings)
        assert all(math.isfinite(value) for value in parts.values())
        again = dict(mixed)
        metric.complete(again, settings, {}, tuple(references))
        assert all(is_close(again[name], mixed[name]) for name in mixed)


def test_products_are_at_most_those_of_two_blocks():
    """Check that the products of dcs are limited to those of two equal blocks with the same squares.

    Here two blocks of two words have the squares 2² + 2² and the product 2 · 2."""
    stats = {"squares": 8.0, "products": 100.0, "longest_chain": 4.0, "candidate_length": 4.0, "reference_length": 6.0}
    settings = metrics.settings("dcs", overlap="disjoint")
    metrics.METRICS["dcs"].complete(stats, settings, {}, ())
    assert (stats["squares"], stats["products"]) == (8.0, 4.0)
