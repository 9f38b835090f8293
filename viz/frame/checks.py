"""What looks wrong about texts is looked for by another process, while the page goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable
from threading import Thread
from typing import Generic, TypeVar

import streamlit as st

from metrics.corpus.processes import run_in_process

#: Seconds for which something is looked for after its page was last heard of. Another ten, and the process is ended
#: that does not let go of it, so that all of it is over in a minute.
PATIENCE = 50.0

T = TypeVar("T")


class Check(Generic[T]):
    """Something that is looked for: its `result`, None while that is not known, and where it cannot be known."""

    def __init__(self, do: Callable[..., T], *given: object) -> None:
        self.result: T | None = None
        self.ended = False
        self.last_heard = time.monotonic()
        self._thread = Thread(target=self._run, args=(do, *given), name="check", daemon=True)

    def start(self) -> Check[T]:
        """Begin where it has not begun."""
        if self._thread.ident is None:
            self._thread.start()
        return self

    def hear(self) -> None:
        """The page is there."""
        self.last_heard = time.monotonic()

    def _run(self, do: Callable[..., T], *given: object) -> None:
        try:
            self.result = run_in_process(os.cpu_count() or 1, do, *given, stopped=lambda: is_abandoned(self.last_heard))
        except Exception:  # its process died, say, or nobody waits: nothing is said then, and the page goes on
            self.result = None
        finally:
            self.ended = True


def is_abandoned(last_heard: float) -> bool:
    """Whether a page that was last heard of at some time is to be taken for left."""
    return time.monotonic() - last_heard > PATIENCE


def of_session(name: str, request: Hashable, do: Callable[..., T], *given: object) -> Check[T]:
    """The visitor's check of a name, begun anew where something else is asked than before."""
    entry: tuple[Hashable, Check[T]] | None = st.session_state.get(name)
    if entry is None or entry[0] != request:
        entry = st.session_state[name] = request, Check(do, *given).start()
    entry[1].hear()
    return entry[1]


def has_ended(name: str) -> bool:
    """Whether what the visitor's check of a name looks for is known, or no such thing is looked for."""
    entry: tuple[Hashable, Check[object]] | None = st.session_state.get(name)
    if entry:
        entry[1].hear()
    return entry is None or entry[1].ended
