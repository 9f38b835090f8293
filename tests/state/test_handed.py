"""Tests of pending widgets, to which the server gave a value that the browser has not confirmed yet.

The server's value counts until the browser has it. A choice of the visitor counts at once."""

from __future__ import annotations

import time

import pytest
import streamlit

from tests.helpers.pages import State
from viz.state.visit import pending_widgets


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> State:
    state = State(exponent=3.0)
    monkeypatch.setattr(streamlit, "session_state", state)
    return state


def receive_from_browser(state: State, value: object) -> object:
    """Let the browser report `value` for the widget "exponent", and return the value that then counts."""
    state.exponent = value
    pending_widgets.restore_given_values()
    return state.exponent


def test_a_former_value_is_nobodys_choice(state: State) -> None:
    pending_widgets.give_value("exponent", 2.0)
    assert receive_from_browser(state, 3.0) == 2.0
    pending_widgets.give_value("exponent", 1.0)
    assert [receive_from_browser(state, former) for former in (3.0, 2.0, 1.0)] == [1.0, 1.0, 1.0]


def test_another_value_is_the_readers_and_what_was_given_is_former_then(state: State) -> None:
    pending_widgets.give_value("exponent", 2.0)
    assert receive_from_browser(state, 5.0) == 5.0
    assert [receive_from_browser(state, former) for former in (2.0, 3.0, 5.0)] == [5.0, 5.0, 5.0]


def test_a_browser_that_has_what_was_given_can_choose_a_former_value(state: State) -> None:
    pending_widgets.give_value("exponent", 2.0)
    number = pending_widgets.confirmation_number()
    pending_widgets.confirm(number)
    assert receive_from_browser(state, 3.0) == 3.0
    assert pending_widgets.confirmation_number() is None


def test_an_answer_to_a_run_before_confirms_nothing(state: State) -> None:
    pending_widgets.give_value("exponent", 2.0)
    early = pending_widgets.confirmation_number()
    pending_widgets.give_value("exponent", 1.0)
    for answer in (early, None, "text", [1]):
        pending_widgets.confirm(answer)
        assert receive_from_browser(state, 2.0) == 1.0
    late = pending_widgets.confirmation_number()
    pending_widgets.confirm(early)
    assert receive_from_browser(state, 2.0) == 1.0
    pending_widgets.confirm(late)
    assert receive_from_browser(state, 2.0) == 2.0


def test_a_browser_that_never_answers_is_not_asked_for_ever(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    pending_widgets.give_value("exponent", 2.0)
    asked = [pending_widgets.confirmation_number() is not None for _ in range(pending_widgets.RUNS_MOST + 2)]
    assert all(asked)  # many runs at once: the first answer may still be on its way
    assert receive_from_browser(state, 3.0) == 2.0
    later = time.monotonic() + pending_widgets.SECONDS_MOST + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert pending_widgets.confirmation_number() is None
    assert receive_from_browser(state, 3.0) == 3.0


def test_a_browser_that_is_asked_for_the_first_time_late_is_asked_again(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending_widgets.give_value("exponent", 2.0)
    later = time.monotonic() + pending_widgets.SECONDS_MOST + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert [pending_widgets.confirmation_number() is None for _ in range(pending_widgets.RUNS_MOST + 1)] == [
        False
    ] * pending_widgets.RUNS_MOST + [True]


def test_what_is_given_for_the_first_time_or_again_waits_for_nothing(state: State) -> None:
    pending_widgets.give_value("view", "metric")
    pending_widgets.give_value("exponent", 3.0)
    assert pending_widgets.confirmation_number() is None
    assert state == {"exponent": 3.0, "view": "metric"}


def test_what_is_written_again_yields_to_the_reader_alone(state: State) -> None:
    pending_widgets.resend_values(["exponent", "not there"])
    assert "not there" not in state
    assert receive_from_browser(state, 3.0) == 3.0
    assert receive_from_browser(state, 4.0) == 4.0
    assert receive_from_browser(state, 3.0) == 4.0, "the browser had not got the newer value"


def test_what_the_browser_has_is_not_sent_again(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the server does not send a value that the browser already has.

    Sending it would overwrite what the visitor has typed since."""
    pending_widgets.give_value("exponent", 2.0)
    pending_widgets.resend_values(["text"])
    written = []
    monkeypatch.setattr(
        State, "__setitem__", lambda self, key, value: (written.append(key), dict.__setitem__(self, key, value))
    )
    pending_widgets.confirm(pending_widgets.confirmation_number())
    assert not written
    pending_widgets.give_value("exponent", 1.0)
    dict.__setitem__(state, "exponent", 2.0)
    written.clear()
    pending_widgets.confirm(pending_widgets.confirmation_number())
    assert written == ["exponent"] and state.exponent == 1.0
