"""Run a computation about texts, such as the search for misaligned lines, in another process.

The page continues meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable
from threading import Thread
from typing import Generic, TypeVar

import streamlit as st

from metrics.corpus.processes import run_in_process

#: Seconds that work continues after the last sign of life from its page. A process that has not stopped ten seconds
#: later is killed, so that everything ends within a minute.
PATIENCE = 50.0

T = TypeVar("T")


class Check(Generic[T]):
    """A computation in another process, whose result the page polls.

    Attributes:
        result: the returned value; None until it is known, and for ever if the computation fails.
        ended: whether the computation is over, with or without a result.
        last_heard: when the page last called `keep_alive`, as `time.monotonic()`; if that is too long ago, the
            computation is stopped."""

    def __init__(self, do: Callable[..., T], *given: object) -> None:
        self.result: T | None = None
        self.ended = False
        self.last_heard = time.monotonic()
        self._thread = Thread(target=self._run, args=(do, *given), name="check", daemon=True)

    def start(self) -> Check[T]:
        """Start the computation unless it was started before, and return this check itself."""
        if self._thread.ident is None:
            self._thread.start()
        return self

    def keep_alive(self) -> None:
        """Record that the page is still open, so that the computation continues."""
        self.last_heard = time.monotonic()

    def _run(self, do: Callable[..., T], *given: object) -> None:
        try:
            self.result = run_in_process(
                os.cpu_count() or 1, do, *given, stopped=lambda: is_page_closed(self.last_heard)
            )
        except Exception:  # for example, its process died or the page was closed: the page continues without it
            self.result = None
        finally:
            self.ended = True


def is_page_closed(last_heard: float) -> bool:
    """Return whether a page counts as closed, because it last gave a sign of life more than PATIENCE seconds ago.

    `last_heard` is the time of that sign of life, as `time.monotonic()`."""
    return time.monotonic() - last_heard > PATIENCE


def session_check(name: str, request: Hashable, do: Callable[..., T], *given: object) -> Check[T]:
    """Return the check that the session holds under `name`, and start it if needed.

    `request` identifies what is checked. Where it differs from that of the held check, a new check calls
    `do(*given)`."""
    entry: tuple[Hashable, Check[T]] | None = st.session_state.get(name)
    if entry is None or entry[0] != request:
        entry = st.session_state[name] = request, Check(do, *given).start()
    entry[1].keep_alive()
    return entry[1]


def check_has_ended(name: str) -> bool:
    """Return whether the background check that the session holds under `name` is over, or there is none."""
    entry: tuple[Hashable, Check[object]] | None = st.session_state.get(name)
    if entry:
        entry[1].keep_alive()
    return entry is None or entry[1].ended
