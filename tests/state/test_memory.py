"""Tests of the cache of results: it stays within its limit of bytes, and the bytes of a result are counted rightly."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import metrics
from metrics.text import TextSettings
from metrics.types import TooHard, segment
from tests.helpers.app import ROOT
from tests.helpers.hard_texts import zipf_words
from viz.state.results import cache, memory

PASTES = """
import random, resource, sys
from tests.helpers.hard_texts import zipf_words
import metrics
from metrics.text import TextSettings
from viz.state.results import memory
from viz.state.results import cache
from viz.state.texts import inputs

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20

rng = random.Random(1)
most = 0.0
for paste in range(101):
    candidate, *references = (" ".join(zipf_words(600, rng)) for _ in range(3))
    texts = inputs.read_texts(candidate, "\\n".join(references), TextSettings())
    for key in ("bleu", "rouge_s", "ribes", "wer", "rouge_l"):
        result = cache.score(key, texts.segment, metrics.settings(key))
        cache.glance(key, texts.segment, metrics.settings(key))
        cache.used_cells(result, None)
        cache.remark(result)
        if key == "rouge_l":
            cache.ties(result)
    cache.hits_per_square(texts.segment, 0, 10)
    assert memory.cached_bytes() <= memory.MOST
    if paste == 0:
        first = resident()
    most = max(most, resident())
print(most - first, memory.cached_bytes() / 2**20)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the size of a process")
def test_a_hundred_long_texts_take_no_more_than_256_mb():
    run = subprocess.run([sys.executable, "-c", PASTES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    grown, counted = map(float, run.stdout.split())
    assert grown <= 256
    assert counted > 50, "long texts fill what there is"


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_bytes_of_a_result_are_counted(key):
    rng = random.Random(2)
    text = segment(zipf_words(200, rng), [zipf_words(200, rng) for _ in range(3)])
    metrics.METRICS[key].score(text, metrics.settings(key))  # so that the core has already cached what it caches
    for _ in range(3):  # meanwhile other threads of this process may allocate or free memory
        taken, counted = measure_bytes(key, text)
        if taken <= counted <= 4 * taken + 20_000:
            return
    raise AssertionError(f"a result takes {taken:,} bytes, and {counted:,} are counted")


def measure_bytes(key, text):
    """Return how many bytes the result of metric `key` on `text` takes, as measured, and as the cache counts them."""
    gc.collect()
    gc.freeze()  # the collector skips objects from before
    tracemalloc.start()
    try:
        result = metrics.METRICS[key].score(text, metrics.settings(key))
        for layer in result.layers:
            tuple(layer.marks)  # also marks that are created lazily
        counted = memory.weight(result) - memory.weight(text)
        gc.collect()
        with_it = tracemalloc.get_traced_memory()[0]
        del result, layer
        gc.collect()
        return with_it - tracemalloc.get_traced_memory()[0], counted
    finally:
        tracemalloc.stop()


def test_long_words_are_counted_whole():
    words = ("a",) * 50 + ("b" * 1_000_000,) + ("c",) * 50
    assert memory.weight(segment(words, [words])) >= 2_000_000
    tokens = cache.tokens("a " * 50 + "b" * 1_000_000, TextSettings())
    assert memory.weight(tokens) >= 2_000_000


@pytest.mark.slow
def test_what_is_remembered_is_found_once_and_forgotten_in_its_turn(monkeypatch):
    memory.empty_cache()
    asked = []

    @memory.remembered
    def repeat_word(word, count):
        asked.append(word)
        if count < 0:
            raise TooHard("there are less than none")
        return word * count

    assert repeat_word("ab", 2) == repeat_word("ab", 2) == "abab" and asked == ["ab"]
    for _ in range(2):
        with pytest.raises(TooHard, match="less than none"):
            repeat_word("no", -1)
    assert asked == ["ab", "no"]
    for word in "cdefgh":
        repeat_word(word, memory.MOST // 4)
        assert memory.cached_bytes() <= memory.MOST
    repeat_word("ab", 2)
    assert asked.count("ab") == 2, "it was not asked for longest"
    repeat_word("x", 2 * memory.MOST)
    repeat_word("x", 2 * memory.MOST)
    assert asked.count("x") == 2, "it is larger than all that may be remembered"
    memory.empty_cache()
    assert memory.cached_bytes() == 0


def test_results_are_told_apart_by_identity():
    """Check that the cache keeps two alignments apart that have the same texts, settings and score.

    It identifies results by identity, not by equality."""
    memory.empty_cache()
    result = cache.score("wer", segment(["a", "a", "b"], [["a", "b"]]), metrics.settings("wer"))
    one, other = cache.ties(result).results[:2]
    assert {*cache.used_cells(one, None)} != {*cache.used_cells(other, None)}
    assert cache.used_cells(one, None) is cache.used_cells(one, None)
