"""Patch Streamlit so that a run of a page costs the server less processor time; what is sent stays the same.

A page has about a hundred values in its session and sends about forty messages a run. Streamlit copies all values for
every text area and selectbox, only to look at one of them, and wakes the event loop for every message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state_proxy import SessionStateProxy, get_session_state

Call = Callable[[], None]
_OWN = "$$"  # how the names begin that Streamlit gives to widgets and values of its own
PAUSE = 0.004  # seconds for which the loop gathers a session's messages; a run takes ten times as long


def patch_streamlit() -> None:
    """Apply the patches in this process; repeated calls do nothing."""
    if getattr(AppSession._call_soon_on_event_loop, "batches", False):
        return
    _read_single_values()
    _wake_loop_once()
    _flush_without_waking()


# ---------------------------------------------------------------- the values of a session


class SessionValues(Mapping[str, Any]):
    """The values of a session by key, without those of Streamlit's own; a single value is read without the others."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        if key.startswith(_OWN):
            raise KeyError(key)
        with self._state._lock:
            return self._state._state[key]

    def __contains__(self, key: object) -> bool:
        with self._state._lock:
            return isinstance(key, str) and not key.startswith(_OWN) and key in self._state._state

    def __iter__(self) -> Iterator[str]:
        return iter(copy_values(self._state))

    def __len__(self) -> int:
        return len(copy_values(self._state))


def copy_values(state: SafeSessionState) -> dict[str, Any]:
    """Return the values of a session by key, without those of Streamlit's own.

    Only the values of widgets need Streamlit's look-up, which takes a while for each; all others lie in its two
    dictionaries, of the runs before and of this run."""
    with state._lock:
        inner = state._state
        ids, before, now = inner._key_id_mapper._key_id_mapping, inner._old_state, inner._new_session_state
        sent = inner._new_widget_state.states
        values = {key: value for key, value in {**before, **now}.items() if key not in ids and not key.startswith(_OWN)}
        for key, widget in ids.items():
            if not key.startswith(_OWN) and (key in now or widget in sent or widget in before or key in before):
                with suppress(KeyError):  # a widget that was reset and not cleared yet
                    values[key] = inner[key]
    return values


def _read_single_values() -> None:
    """Let a widget read the one value that it looks at, and a page copy all of them at little cost."""

    def to_dict(_: SessionStateProxy) -> dict[str, Any]:
        return copy_values(get_session_state())

    SafeSessionState.filtered_state = property(SessionValues)  # type: ignore[assignment]
    SessionStateProxy.to_dict = to_dict  # type: ignore[method-assign,assignment]


# ---------------------------------------------------------------- the messages of a run


class CallBatch:
    """The calls that threads ask an event loop to make; the loop is woken once for all that are waiting.

    Every wake-up is a system call at which the thread of the run loses Python's lock to the loop, for each message."""

    def __init__(self) -> None:
        self._lock, self._calls = Lock(), list[Call]()

    def add(self, call: Call) -> bool:
        """Add a call from any thread, and return whether the loop must be woken: it is the only one that waits."""
        with self._lock:
            self._calls.append(call)
            return len(self._calls) == 1

    def make_calls(self, on_error: Callable[[Exception], None]) -> None:
        """Make the waiting calls in their order; one that fails is reported to `on_error`, and the next one is made."""
        with self._lock:
            calls, self._calls = self._calls, []
        for call in calls:
            try:
                call()
            except Exception as error:  # as the loop does between its own calls
                on_error(error)


def _wake_loop_once() -> None:
    """Let a session hand over to the event loop all the messages that are waiting, not one at a time."""
    wake = AppSession._call_soon_on_event_loop

    def call_soon(self: AppSession, callback: Call) -> None:
        batch: CallBatch = self.__dict__.setdefault("waiting_calls", CallBatch())

        def report(error: Exception) -> None:
            self._event_loop.call_exception_handler({"message": "a session's call failed", "exception": error})

        def gather() -> None:
            self._event_loop.call_later(PAUSE, batch.make_calls, report)

        if batch.add(callback):
            wake(self, gather)

    call_soon.batches = True  # type: ignore[attr-defined]
    AppSession._call_soon_on_event_loop = call_soon  # type: ignore[method-assign]


def _flush_without_waking() -> None:
    """Let the loop's own thread note that there are messages to send; only other threads have to wake the loop."""
    wake = Runtime._enqueued_some_message

    def enqueued_some_message(self: Runtime) -> None:
        async_objs = self._get_async_objs()
        if asyncio._get_running_loop() is async_objs.eventloop:
            async_objs.need_send_data.set()
        else:
            wake(self)

    Runtime._enqueued_some_message = enqueued_some_message  # type: ignore[method-assign]
