"""A corpus scored in parts and by processes has the numbers of the whole."""

import numpy as np
import pytest
from corpora import SYSTEMS, lines, segments

import metrics
from metrics.corpus import jobs
from metrics.corpus.table import table

KEYS = ("bleu", "nist", "ter", "sia", "gtm")


@pytest.fixture
def corpus():
    systems = tuple(tuple(lines(name)) for name in SYSTEMS)
    return jobs.Corpus(SYSTEMS, systems, tuple([segment.references for segment in segments(SYSTEMS[0])]))


def asked():
    return [(key, metrics.settings(key)) for key in KEYS]


@pytest.mark.parametrize("number", [1, 2])
def test_parts_are_the_whole(corpus, monkeypatch, number):
    monkeypatch.setattr(jobs, "PART", 7)
    monkeypatch.setattr(jobs, "ALONE", 0.0)
    told = []
    job = jobs.Job(asked(), corpus, number, told.append)
    found = {each.metric.key: each for each in job.tables()}
    assert sorted(found) == sorted(KEYS) and not job.hard
    for key, each in found.items():
        whole = table(metrics.METRICS[key], metrics.settings(key), [corpus.segments(n) for n in range(3)])
        assert np.array_equal(each.scores, whole.scores)
        assert each.corpus_scores() == pytest.approx(whole.corpus_scores(), abs=1e-14)
    assert told[-1].done == dict.fromkeys(KEYS, 60) and told[-1].seconds == 0


def test_a_cancelled_job_keeps_what_is_ready(corpus, monkeypatch):
    monkeypatch.setattr(jobs, "PART", 7)
    job = jobs.Job(asked(), corpus)
    first = next(tables := job.tables())
    job.cancelled = True
    assert first.size == 60 and [*tables] == []


def test_a_segment_that_is_too_hard_is_named(corpus, monkeypatch):
    """And no other metric is left out for it."""
    monkeypatch.setattr(jobs, "PART", 7)
    metric = metrics.METRICS["gtm"]
    hard = corpus.systems[1][40]

    def align(segment, settings, marks):
        if segment.candidate == hard:
            raise metrics.types.TooHard("too many ways")
        return metric.align(segment, settings, marks)

    import dataclasses

    from metrics import catalogue

    monkeypatch.setitem(catalogue.METRICS, "gtm", dataclasses.replace(metric, align=align))
    job = jobs.Job(asked(), corpus)
    assert {each.metric.key for each in job.tables()} == {*KEYS} - {"gtm"}
    assert job.hard == [jobs.Hard("gtm", 1, 40, "too many ways")]
