"""Arrays of statistics against sentences scored one by one."""

import numpy as np
import pytest
from corpora import SYSTEMS, segments

import metrics
from metrics.corpus import table


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_table_has_the_scores_of_the_corpus_and_of_the_sentences(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    systems = [segments(name) for name in SYSTEMS]
    found = table.table(metric, settings, systems)
    for system, scores, corpus in zip(systems, found.scores, found.corpus_scores(), strict=True):
        whole = metrics.corpus_score(key, [s.candidate for s in system], [s.references for s in system])
        assert corpus == pytest.approx(whole.score, abs=1e-13)
        each = [metric.from_stats(stats, settings).score for stats in whole.segments]
        assert scores == pytest.approx(each, abs=1e-13)


@pytest.mark.parametrize("key", [key for key, metric in metrics.METRICS.items() if not metric.corpus])
def test_chunks_joined_are_the_whole(key):
    """Also where a statistic is missing in some of them."""
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    system = segments(SYSTEMS[0])
    whole = table.table(metric, settings, [system])
    chunks = [table.rows(metric, settings, system[at : at + 7]) for at in range(0, len(system), 7)]
    found = table.joined(metric, settings, [chunks])
    assert found.names == whole.names
    assert np.array_equal(found.statistics, whole.statistics) and np.array_equal(found.scores, whole.scores)


def test_what_a_chunk_lacks_counts_as_nothing():
    metric, settings = metrics.METRICS["per"], metrics.settings("per")
    one = ("common",), np.array([[2.0]]), np.array([0.5])
    two = ("longer_length", "common"), np.array([[5.0, 3.0]]), np.array([0.25])
    found = table.joined(metric, settings, [[one, two]])
    assert found.names == ("common", "longer_length")
    assert found.statistics.tolist() == [[[2.0, 0.0], [3.0, 5.0]]]
