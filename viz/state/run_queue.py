"""Visitors' runs take turns.

Python runs one thread at a time. Runs that share it all end late: of ten that begin together and need a fiftieth of a
second each, none ends before a fifth of a second is over. One after the other, half of them end within a tenth, and
none later than before.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

#: Seconds after which a run no longer keeps others waiting.
LONGEST = 0.15


class RunQueue:
    """Who runs and who waits, first come, first served. A run that takes longer than `longest` seconds goes on beside
    the next."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._lock = Lock()
        self._waiting: deque[Event] = deque()  # each is set when its turn comes
        self._running: Event | None = None
        self._over = 0.0  # the time at which the one that runs no longer keeps others waiting
        self._own = local()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a turn, and end it."""
        turn = self._own.event = Event()
        self._come(turn)
        try:
            yield
        finally:
            self._own.event = None
            self._end(turn)

    def pause(self, seconds: float) -> None:
        """Do nothing for so many seconds, and let others run meanwhile."""
        turn: Event | None = getattr(self._own, "event", None)
        if turn:
            self._end(turn)
        time.sleep(seconds)
        if turn:
            turn.clear()
            self._come(turn)

    def _come(self, turn: Event) -> None:
        with self._lock:
            self._waiting.append(turn)
            if self._running is None:
                self._next()
        while not turn.wait(max(0.0, self._over - time.monotonic())):
            with self._lock:
                if not turn.is_set() and time.monotonic() >= self._over:
                    self._next()

    def _end(self, turn: Event) -> None:
        with self._lock:
            if self._running is turn:
                self._next()

    def _next(self) -> None:
        self._running = self._waiting.popleft() if self._waiting else None
        if self._running:
            self._over = time.monotonic() + self._longest
            self._running.set()


#: The turns of all visitors of this server.
RUN_QUEUE = RunQueue()
