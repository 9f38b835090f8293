"""What the server gives to widgets, until the browser has it.

A browser tells the values of all its widgets with everything that is typed or clicked. What it sends before it has got
what the server has just given them (going back, an example, a file, a menu that was emptied) still holds their former
values: those are nobody's choice, and must not undo what was given. So a former value does not count until the browser
has said that it has what was given (`confirm`); every other value is the reader's own and counts at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import streamlit as st

# A browser that has been asked by so many runs, for so many seconds, and has not answered, has had them all. Runs alone
# say nothing: many of them can come before what the first one sent has reached a browser far away.
RUNS_MOST, SECONDS_MOST = 3, 5.0


class Waiting:
    """What was given and is not confirmed: by the widgets' keys the value and those that the browser may still tell.

    `number` is new with all that is given and all that is asked, `run_count` how many runs have asked since
    `start_time`.
    """

    def __init__(self) -> None:
        self.values: dict[str, tuple[Any, list[Any]]] = {}
        self.number = self.run_count = 0
        self.start_time = 0.0
        self.open = False


def _waiting() -> Waiting:
    state = st.session_state
    if "handed" not in state:
        state.handed = Waiting()
    waiting: Waiting = state.handed
    return waiting


def give_value(key: str, value: Any) -> None:
    """Give a value to the widget of this key, before it is drawn."""
    state = st.session_state
    if key in state and (former := state[key]) != value:
        before = _waiting().values.get(key, (None, []))[1]
        _waiting().values[key] = value, [*before, former]
        ask()
    state[key] = value


def ask() -> None:
    """Have the browser say when it has what this run sends, and what its widgets hold then."""
    waiting = _waiting()
    waiting.number += 1
    waiting.open, waiting.run_count, waiting.start_time = True, 0, time.monotonic()


def resend_values(keys: Iterable[str]) -> None:
    """Give the widgets of these keys the values that they have, as to widgets that are new."""
    state, waiting = st.session_state, _waiting()
    for key in keys:
        if key in state:
            waiting.values.setdefault(key, (state[key], []))
            state[key] = state[key]
    ask()


def settle() -> None:
    """Make sure, before widgets are drawn and callbacks go by their values, that what was given counts, and have it
    sent again: the run that gave it may have been given up before it was sent."""
    state, waiting = st.session_state, st.session_state.get("handed")
    if waiting is None or not waiting.values:
        return
    for key, (value, former) in waiting.values.items():
        now = state.get(key)
        if now == value or now in former:
            state[key] = value
        else:  # chosen by the reader, and perhaps written over in the browser since
            state[key] = now
            waiting.values[key] = now, [*former, value]


def to_confirm() -> int | None:
    """The number with which the browser is to confirm what it has after this run; None where nothing is waited for."""
    waiting = st.session_state.get("handed")
    if waiting is None or not waiting.open:
        return None
    if waiting.run_count >= RUNS_MOST and time.monotonic() > waiting.start_time + SECONDS_MOST:
        _close(waiting)
        return None
    waiting.run_count += 1
    waiting.number += 1
    number: int = waiting.number
    return number


def confirm(number: object) -> None:
    """The browser has all that was given until it was asked with this number; of a former one nothing follows."""
    state, waiting = st.session_state, _waiting()
    if number == waiting.number:
        for key, (value, former) in waiting.values.items():
            # What is right stays as it is: it would be sent again, and write over what is typed meanwhile.
            if state.get(key) != value and state.get(key) in former:
                state[key] = value
        _close(waiting)


def _close(waiting: Waiting) -> None:
    waiting.open = False
    waiting.values.clear()
