"""Tests of the task to find texts for which GTM's greedy matching is not the largest.

Any typed texts are judged correctly. The figures that the chapter gives, on how often this happens, are those of the
data."""

import json

import pytest

from tests.benchmarks import measure_greedy
from viz.pages.learn import hunt as greedy


@pytest.mark.parametrize(
    ("candidate", "reference", "right", "says"),
    [
        (
            "a b a a",
            "a a a b",
            True,
            "Yes: greedy adds up to 6, and 8 is possible. It has 8 words, and none has fewer.",
        ),
        (
            "C B B C C",
            "C C C B C",
            True,
            "Yes: greedy adds up to 6, and 8 is possible. It has 10 words; the smallest has 8.",
        ),
        ("a b", "a b", False, "No: the greedy matching adds up to 4, and none adds up to more."),
        ("a", "b", False, "No word is in both sentences, so there is nothing to match."),
        ("", "b", False, "Write a candidate and a reference; letters with spaces between will do."),
        ("a " * 17, "b", False, "The candidate has 17 words, 1 more than the 16 that fit the hunt."),
    ],
)
def test_the_hunt(candidate, reference, right, says):
    verdict = greedy.judge_counterexample(candidate, reference)
    assert (verdict.is_counterexample, verdict.says) == (right, says)


def test_the_sample_is_what_its_data_give():
    kept = greedy.read_measurements()
    assert greedy.GreedyFigure(**vars(measure_greedy.figure_of(measure_greedy.SAMPLE))) == kept[0]
    assert len(kept) > 1
    for found in kept:
        assert found.largest + found.unknown <= found.pairs
        assert greedy.PAPER_SHARE <= found.largest / found.pairs <= 1
        assert greedy.PAPER_LEAST <= found.least <= 1
        assert "split by 13a" in found.statement
    assert json.loads(greedy.MEASURED.read_text(encoding="utf-8"))
