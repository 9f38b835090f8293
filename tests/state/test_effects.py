"""Tests of the searches for what each word of a candidate is worth, which all visitors share.

A search continues where it stopped, and ends after a limited time."""

from __future__ import annotations

import pytest

import metrics
from metrics.analysis.worth import JointDeletion
from metrics.types.work import limited
from tests.helpers.effects import CAT, SURPLUS, WER, effects_of, score_of, slow_wer
from tests.helpers.fragments import process_texts
from viz.draw.compare import worth
from viz.pages.compare import effects as searches
from viz.state.results import memory
from viz.state.results.cache import Problem


def test_a_search_goes_on_where_it_stopped():
    search = searches.EffectSearch(slow_wer(0.002), CAT.segment, metrics.settings("wer"))
    counts = []
    while not search.done:
        assert search.can_continue
        search.continue_for(0)
        counts.append(len(search.effects))
    assert counts == [*range(1, search.total + 1), search.total]
    assert search.effects == effects_of("wer", CAT) and not search.can_continue
    assert 0 < search.seconds_left < searches.SECONDS_MOST


def test_a_search_stops_when_its_time_is_over():
    search = searches.EffectSearch(slow_wer(0.01), CAT.segment, metrics.settings("wer"))
    search.seconds_left = 0.005
    search.continue_for(0)
    assert len(search.effects) == 1 and not search.done and not search.can_continue
    search.allow_more_time()
    search.continue_for(60)
    assert search.done and search.effects == effects_of("wer", CAT)


def test_a_search_that_gets_too_hard_keeps_what_it_has():
    search = searches.EffectSearch(slow_wer(too_hard_at=3), CAT.segment, metrics.settings("wer"))
    search.continue_for(60)
    assert (len(search.effects), search.done, search.problem) == (2, True, Problem("WER", "there is <too> much of it"))


THIRTY = process_texts(
    "we have been able to collect dazzling and silent images of the universe with the help of modern "
    "astronomical telescopes , but until now it was a mute film .",
    "with the aid of modern astronomical telescopes we have collected dazzling , silent images of the universe ; "
    "until now the film has been mute .",
    "thanks to modern telescopes we have gathered breathtaking images of the universe , in a silent film so far .",
)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_thirty_words_take_little_work(key):
    assert len(THIRTY.candidate) == 30
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    memory.empty_cache()
    with limited(100_000):
        search = searches.EffectSearch(metric, THIRTY.segment, settings)
        search.continue_for(60)
    with limited(100_000):
        search.joint_search.continue_for(60)
    assert search.done and len(search.effects) == search.total > 50
    assert search.joint_search.problem is None and search.joint_search.joint and search.joint_search.joint.ended


def test_a_search_of_several_words_stops_when_its_time_is_over(monkeypatch):
    """Check the search for words that should be deleted together, when its time is over.

    It reports the best deletion so far and says that not every one was tried."""
    monkeypatch.setattr(searches, "TOGETHER_SECONDS_MOST", 0.005)
    search = searches.EffectSearch(slow_wer(0.01), SURPLUS.segment, metrics.settings("wer"))
    search.continue_for(60)
    search.joint_search.continue_for(0)
    search.joint_search.continue_for(0)
    assert (
        not search.joint_search.can_continue
        and not search.joint_search.done
        and search.joint_search is search.joint_search
    )
    joint = search.joint_search.joint
    assert joint == JointDeletion((8, 9), score_of("wer", SURPLUS, (8, 9)))
    said = worth.finding_sentences(search.effects, SURPLUS, WER, score_of("wer", SURPLUS), joint)[0]
    assert said.endswith(" Not every further deletion was tried.")


def test_a_search_of_several_words_that_gets_too_hard_keeps_what_it_has():
    calls = 1 + len(effects_of("wer", SURPLUS)) + 1
    search = searches.EffectSearch(slow_wer(too_hard_at=calls), SURPLUS.segment, metrics.settings("wer"))
    search.continue_for(60)
    search.joint_search.continue_for(60)
    assert search.joint_search.done and search.joint_search.problem == Problem("WER", "there is <too> much of it")
    assert search.joint_search.joint == JointDeletion((8, 9), score_of("wer", SURPLUS, (8, 9)))
