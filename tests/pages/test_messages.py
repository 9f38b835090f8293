"""Tests of messages from a browser: none raises, and only what a page can show is kept of them."""

import math

import pytest
import streamlit as st

import metrics
from metrics.text import TextSettings
from tests.helpers.app import ROOT
from tests.helpers.pages import State
from viz.components import fragment
from viz.draw.evidence.drawn_result import EvidenceLook
from viz.frame import evidence, strip
from viz.pages.compare import session_choices
from viz.pages.learn import chapter as learn_chapter
from viz.pages.learn import chapter_files
from viz.pages.learn import chapter_list as learn_chapters
from viz.pages.learn import exercise as learn_exercise
from viz.pages.sentence import one_metric, several_metrics, steps
from viz.pages.sentence.record import WALK_MOST
from viz.state.links import codec
from viz.state.texts import inputs

DIGITS = "9" * 5_000  # more digits than Python converts to a number
SENT = [
    *(None, True, -1, 0, 2, 2.5, 10**4_000, 1e300, math.nan, math.inf, -math.inf),
    *("", "gtm", "0:1", DIGITS, f"{DIGITS}:{DIGITS}", f"0:{DIGITS}", "²", "-1", "\ud800", "9" * 9),
    *([], [1], [math.nan, "name"], [DIGITS, None], {}, {"candidate": 1}, {"candidate": []}),
]


@pytest.fixture
def state(monkeypatch):
    """Replace Streamlit's session state by one without a page, and return it."""
    kept = State()
    kept.update(load=0, loads=0, lesson_load=0, exercise="gtm-1-7", made="", twin="", metric="gtm", step_of=None)
    monkeypatch.setattr(st, "session_state", kept)
    return kept


@pytest.mark.parametrize("sent", SENT, ids=lambda sent: repr(sent)[:20] if sent != 10**4_000 else "huge")
def test_no_message_raises(sent, state, monkeypatch):
    tiny = chapter_files.shelf(ROOT / "tests" / "data" / "chapters")
    monkeypatch.setattr(chapter_files, "shelf", lambda folder=None: tiny)
    (chapter,) = tiny.chapters.values()
    texts = inputs.read_texts("a b", "a c", TextSettings())
    result = metrics.score("gtm", ["a", "b"], [["a", "c"]])
    state.update(screen=2, chapter=chapter.key)
    for name in ("term", "tie", "tint"):
        one_metric.handle_event(texts, result, EvidenceLook(room=800), name, sent)
    assert evidence.selected_term(result, state.term) is None
    for name in ("more", "step"):
        steps._handle_event(name, sent)
    steps._handle_event("step", [sent, "name"])
    several_metrics._open_metric("open", sent)
    session_choices.switch_off_fates(sent)
    monkeypatch.setattr(session_choices, "_assign_or_reset_selections", lambda: None)
    session_choices.open_reference(sent, 3)
    learn_chapters._open_at_screen(chapter.key, sent)
    for name in ("screen", "own", "metric", "present"):
        state.screen = 2
        learn_chapter.handle_event(chapter, name, sent)
    for name in ("level", "metric", "task", "own"):
        learn_exercise.handle_event(chapter, name, sent)
    assert state.get("tie", 0) in range(50) and state.get("grid_reference") in (None, 0, 1, 2)
    assert state.get("walk_step", 1) in range(1, WALK_MOST + 1)
    assert state.screen in chapter.numbers_of_kinds and state.metric in metrics.METRICS and isinstance(state.made, str)
    assert not state.exercise or metrics.exercise_of(state.exercise)


def test_what_a_fragment_says_again_is_heard_once(state):
    """Check that an event that a fragment sends again is handled once.

    While the server is busy only the later of two messages arrives, so each message repeats the events of the one
    before."""
    tint, tie, term = [1.5, "tint", False], [2, "tie", 1], [2.5, "term", "0:1", "1"]
    assert [*fragment.new_events("evidence", [tint])] == [("tint", False)]
    assert [*fragment.new_events("evidence", [tint, tie, term])] == [("tie", 1), ("term", "0:1"), ("reference", "1")]
    assert [*fragment.new_events("evidence", [tie, term])] == [] == [*fragment.new_events("evidence", None)]
    assert [*fragment.new_events("other", [tie])] == [("tie", 1)], "each fragment has its own messages"
    for sent in SENT:
        for forged in (sent, [sent], [[sent]], [[sent, "tint", True]]):
            assert all(isinstance(name, str) for name, _ in fragment.new_events("forged", forged))
    assert state.get("forged_heard", 0) < math.inf


def test_a_number_is_sent_as_a_number_or_in_digits():
    assert [codec.parse_sent_number(sent, 11) for sent in (0, 2.0, "3", "10", True)] == [0, 2, 3, 10, 1]
    assert {codec.parse_sent_number(sent, 11) for sent in (*SENT[5:], 11, "11", "010", 1j)} <= {None, 2}


def test_what_is_missing_in_a_verdict_is_asked_for_by_its_name_alone(state, monkeypatch):
    drawn, asked = {}, []
    monkeypatch.setattr(strip.strip, "component", lambda **given: drawn.update(given))
    strip.show({"gtm": strip.Tile([])}, "gtm", verdict=strip.StripVerdict("<p>x</p>", "name", asked.append))
    assert drawn["data"]["verdict"] == {"html": "<p>x</p>", "asks": "name"}
    for sent in (*SENT, "name"):
        state.strip = {"asked": sent}
        drawn["on_asked_change"]()
    assert asked[-1] == "name" and all(isinstance(each, str) for each in asked)
    strip.show({"gtm": strip.Tile([])}, "gtm")
    assert "verdict" not in drawn["data"]
    drawn["on_asked_change"]()  # nothing happens, because there is no verdict


def test_a_metric_is_chosen_by_its_key_alone(state, monkeypatch):
    drawn = {}
    monkeypatch.setattr(strip.strip, "component", lambda **given: drawn.update(given))
    strip.show({"gtm": strip.Tile([]), "wer": strip.Tile([])}, "gtm")
    for sent, now in [("bleu", "gtm"), ([], "gtm"), ({}, "gtm"), (math.nan, "gtm"), ("wer", "wer")]:
        state.strip = {"pick": sent}
        drawn["on_pick_change"]()
        assert state.metric == now
