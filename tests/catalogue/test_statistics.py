"""Tests that statistics without marks, from which corpora are scored, equal those with marks to the last bit."""

import math
import random

import pytest
from cases import CASES, KEYS, segments
from tables import every_row

import metrics
from metrics.types import segment


def long_segments(seed, count=6):
    """Yield sentences of 15 to 40 words with uneven frequencies, whose references repeat parts of the candidate."""
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
    """Check that a corpus pools its segments.

    NIST's statistics are not sums, because its information comes from all references of the corpus."""
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
