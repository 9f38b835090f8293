"""Track the values that the server gives to widgets until the browser has confirmed that it received them.

A browser sends the values of all its widgets with every input. When the server has just given new values (going
back, an example, a file, a menu that was emptied), the browser still sends the former ones until it has received the
new ones. The user has not chosen those former values, so they must not undo the new ones. A former value is
therefore ignored until the browser has confirmed the new one (`confirm`). Every other value is the user's own and
counts at once."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import streamlit as st

# A browser that was asked by this many runs over this many seconds without an answer is taken to have received them.
# The number of runs alone is not enough: many can happen before the first one reaches a distant browser.
RUNS_MOST, SECONDS_MOST = 3, 5.0


class UnconfirmedValues:
    """The values that the server gave to widgets and the browser has not confirmed yet.

    Attributes:
        values: by widget key, the given value, and the former values that the browser may still send.
        number: a counter, raised with every given value and every request for a confirmation; the browser returns it.
        run_count: the number of runs that have asked the browser since `start_time`.
        start_time: when the counting of runs started, in seconds of the monotonic clock.
        open: whether a confirmation is outstanding."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[Any, list[Any]]] = {}
        self.number = self.run_count = 0
        self.start_time = 0.0
        self.open = False


def _unconfirmed() -> UnconfirmedValues:
    """Return the session's unconfirmed values."""
    state = st.session_state
    if "handed" not in state:
        state.handed = UnconfirmedValues()
    waiting: UnconfirmedValues = state.handed
    return waiting


def give_value(key: str, value: Any) -> None:
    """Give `value` to the widget `key`, before the widget is drawn."""
    state = st.session_state
    if key in state and (former := state[key]) != value:
        before = _unconfirmed().values.get(key, (None, []))[1]
        _unconfirmed().values[key] = value, [*before, former]
        ask_for_confirmation()
    state[key] = value


def ask_for_confirmation() -> None:
    """Ask the browser to confirm when it has received what this run draws, with the values of its widgets."""
    waiting = _unconfirmed()
    waiting.number += 1
    waiting.open, waiting.run_count, waiting.start_time = True, 0, time.monotonic()


def resend_values(keys: Iterable[str]) -> None:
    """Send the values of the widgets `keys` to the browser again, as if the widgets were new."""
    state, waiting = st.session_state, _unconfirmed()
    for key in keys:
        if key in state:
            waiting.values.setdefault(key, (state[key], []))
            state[key] = state[key]
    ask_for_confirmation()


def restore_given_values() -> None:
    """Restore given values that the browser has overwritten with former ones, and send all of them again.

    Call this before widgets are drawn and callbacks read them. The run that gave a value may have been aborted
    before the value was sent."""
    state, waiting = st.session_state, st.session_state.get("handed")
    if waiting is None or not waiting.values:
        return
    for key, (value, former) in waiting.values.items():
        now = state.get(key)
        if now == value or now in former:
            state[key] = value
        else:  # chosen by the user, and perhaps overwritten in the browser since
            state[key] = now
            waiting.values[key] = now, [*former, value]


def confirmation_number() -> int | None:
    """Return the number by which the browser confirms this run; None if no confirmation is outstanding.

    After RUNS_MOST runs and SECONDS_MOST seconds without a confirmation, the server stops waiting for one."""
    waiting = st.session_state.get("handed")
    if waiting is None or not waiting.open:
        return None
    if waiting.run_count >= RUNS_MOST and time.monotonic() > waiting.start_time + SECONDS_MOST:
        _stop_waiting(waiting)
        return None
    waiting.run_count += 1
    waiting.number += 1
    number: int = waiting.number
    return number


def confirm(number: object) -> None:
    """Record that the browser has received all given values, if `number` is the last confirmation number.

    Any other number is ignored."""
    state, waiting = st.session_state, _unconfirmed()
    if number == waiting.number:
        for key, (value, former) in waiting.values.items():
            # Right values are not written: they would be sent again, and overwrite what is typed meanwhile.
            if state.get(key) != value and state.get(key) in former:
                state[key] = value
        _stop_waiting(waiting)


def _stop_waiting(waiting: UnconfirmedValues) -> None:
    """Forget all given values, and stop waiting for a confirmation."""
    waiting.open = False
    waiting.values.clear()
