"""Tests of `from_stats` with columns of statistics, one row for each segment or resample.

It gives for each row what it gives for the row's numbers alone. Numbers alone need no numpy."""

import json
import random
from functools import cache

import numpy as np
import pytest

import metrics
from metrics.types import segment
from tests.helpers.app import run_python
from tests.helpers.cases import CASES, KEYS, random_segment, segments
from tests.helpers.tables import every_row

LENGTHS = (0, 1, 2, 60)


@cache
def sample_segments():
    """Return segments with short, long and random texts, and all kinds of segments with an empty text."""
    nothing = [segment(a, [b]) for a in ((), ("a",)) for b in ((), ("a",), tuple("ab"))]
    rng = random.Random(20)
    return [*nothing, *[segment(*pair) for pair in segments(20, 12)], *[random_segment(rng, 30) for _ in range(12)]]


def sample_statistics(metric, settings):
    """Return the statistics of each sample segment, scored alone.

    Where the metric scores the segments of a corpus otherwise than alone (`metric.corpus`), their statistics within
    a corpus of all follow."""
    alone = [metric.statistics(one, settings) for one in sample_segments()]
    return [*alone, *metric.corpus(sample_segments(), settings)] if metric.corpus else alone


def random_statistics_rows(metric, settings, seed):
    """Return statistics by name, row by row in random order, and the sorted names of all statistics.

    The rows are the statistics of single segments, zeros, and weighted sums over several segments. The weights are
    whole numbers, as in a resample, or random fractions."""
    rng, found = random.Random(seed), sample_statistics(metric, settings)
    names = {name for each in found for name in each}
    made = [dict(each) for each in found] + [dict.fromkeys(found[0], 0)]
    for weights in (lambda: rng.randrange(1, 4), lambda: rng.randrange(50), lambda: rng.random()):
        for _ in range(8):
            chosen = [(weights(), each) for each in rng.choices(found, k=rng.randint(2, 6))]
            held = [name for name in names if any(name in each for _, each in chosen)]
            made.append({name: sum(w * each.get(name, 0) for w, each in chosen) for name in held})
    rng.shuffle(made)
    return made, sorted(names)


def is_close(a, b):
    return abs(a - b) <= 1e-14 * max(1, abs(a), abs(b))


@pytest.mark.filterwarnings("error")
@every_row(("key", "given"), CASES)
def test_columns_have_in_each_row_what_numbers_have(key, given):
    metric, settings = metrics.METRICS[key], metrics.settings(key, **given)
    made, names = random_statistics_rows(metric, settings, f"{key} {given}")
    for length in LENGTHS:
        some = made[:length]
        columns = {name: np.array([each.get(name, 0) for each in some], float) for name in names}
        kept = {name: column.copy() for name, column in columns.items()}
        scores, parts = metric.from_stats(columns, settings)
        for column in (scores, *parts.values()):
            assert isinstance(column, np.ndarray)
            assert (column.dtype, column.shape) == (np.float64, (len(some),))
        assert all((columns[name] == kept[name]).all() for name in names)  # the given columns are unchanged
        for row, stats in enumerate(some):
            score, of_row = metric.from_stats(stats, settings)
            assert type(score) is float
            assert {type(value) for value in of_row.values()} <= {float, int}
            assert is_close(scores[row], score)
            assert of_row.keys() <= parts.keys()
            for name, values in parts.items():
                assert is_close(values[row], of_row.get(name, 0)), name


def test_columns_are_tried_on_what_sums_lack():
    """Check that the rows of `statistics_rows` cover the cases in which statistics are missing or 0.

    Some rows have fewer rounds of SIA than others, some have no second reference, and some have denominators of 0."""
    sia, _ = random_statistics_rows(metrics.METRICS["sia"], metrics.settings("sia"), 1)
    assert len({len(each) for each in sia}) > 2
    rouge, _ = random_statistics_rows(
        metrics.METRICS["rouge_l"], metrics.settings("rouge_l", multi_reference="jackknife"), 1
    )
    assert {"share_2" in each for each in rouge} == {True, False}
    bleu, _ = random_statistics_rows(metrics.METRICS["bleu"], metrics.settings("bleu"), 1)
    assert {(each["total_1"] > 0, each["total_4"] > 0, each["match_2"] > 0) for each in bleu} >= {
        (True, True, True),
        (True, True, False),
        (True, False, False),
        (False, False, False),
    }


@pytest.mark.parametrize("key", KEYS)
def test_a_corpus_is_pooled_as_its_columns_say(key):
    """Check the score of a corpus against `from_stats` of columns.

    By the metric's `pooling` it is the mean of the segments' scores, or the score of the summed statistics."""
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    found = sample_statistics(metric, settings)
    names = {name for each in found for name in each}
    columns = {name: np.array([each.get(name, 0) for each in found], float) for name in names}
    if metric.pooling == "sum":
        columns = {name: column.sum(keepdims=True) for name, column in columns.items()}
    assert is_close(metric.from_stats(columns, settings).score.mean(), metric.pooled(found, settings).score)


def test_numbers_need_no_numpy():
    """Check that `from_stats` of numbers does not import numpy, whose slow import would delay the first score."""
    made = {key: metrics.METRICS[key].statistics(sample_segments()[-1], metrics.settings(key)) for key in KEYS}
    program = (
        "import json, sys, metrics\n"
        "for key, stats in json.load(sys.stdin).items():\n"
        "    metrics.METRICS[key].from_stats(stats, metrics.settings(key))\n"
        "print('numpy' in sys.modules)"
    )
    assert run_python(program, input=json.dumps(made)).strip() == "False"
