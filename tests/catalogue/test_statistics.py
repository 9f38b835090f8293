"""Tests that statistics computed without marks equal those computed with marks, to the last bit.

Corpora are scored from statistics without marks, because marks take time."""

import math
import random

import pytest

import metrics
from metrics.types import segment
from tests.helpers.cases import CASES, KEYS, segments
from tests.helpers.tables import every_row


def long_segments(seed, count=6):
    """Yield `count` pairs of a candidate and its references, with 15 to 40 words of uneven frequencies.

    The references are the candidate with its halves swapped and some words changed."""
    rng = random.Random(seed)
    words = [f"w{n}" for n in range(60)]
    weights = [1 / (n + 1) for n in range(60)]
    for _ in range(count):
        candidate = rng.choices(words, weights, k=rng.randrange(15, 41))
        references = []
        for _ in range(rng.choice([1, 2, 4])):
            cut = rng.randrange(len(candidate))
            reference = candidate[cut:] + candidate[:cut]
            for _ in range(rng.randrange(20)):
                reference[rng.randrange(len(reference))] = rng.choices(words, weights)[0]
            references.append(reference)
        yield candidate, references


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_marks_change_no_statistic(key, given):
    metric, settings = metrics.METRICS[key], metrics.settings(key, **given)
    layers = 0
    for candidate, references in (*segments(5, 15), *long_segments(5)):
        one = segment(candidate, references)
        marked, bare = metric.align(one, settings, True), metric.align(one, settings, False)
        assert [*bare.stats.items()] == [*marked.stats.items()]
        assert bare.decides == marked.decides
        assert bare.layers == ()
        layers += len(marked.layers)
        assert metric.statistics(one, settings) == marked.stats
    assert layers


@pytest.mark.parametrize("key", KEYS)
def test_a_corpus_adds_up_its_segments(key):
    """Check that a corpus is scored from its segments: by the sums of their statistics, or by the mean of their scores.

    NIST's statistics are not summed from segments scored alone, because its weights come from all references of the
    corpus."""
    metric = metrics.METRICS[key]
    pairs = [*segments(6, 12), *long_segments(6, 4)]
    corpus = metrics.corpus_score(key, *zip(*pairs, strict=True))
    results = [metrics.score(key, *pair) for pair in pairs]
    assert corpus.size == len(corpus.segments) == len(pairs)
    if not metric.corpus:
        names = {name for result in results for name in result.stats}
        assert corpus.segments == tuple([result.stats for result in results])
        assert corpus.stats == {name: math.fsum(r.stats.get(name, 0) for r in results) for name in names}
    if metric.pooling == "sum":
        assert (corpus.score, corpus.parts) == metric.from_stats(corpus.stats, corpus.settings)
    else:
        assert corpus.score == math.fsum(result.score for result in results) / len(results)
        for name, value in corpus.parts.items():
            assert value == math.fsum(result.parts.get(name, 0) for result in results) / len(results)
