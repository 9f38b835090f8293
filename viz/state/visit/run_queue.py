"""Let the runs of visitors take turns.

Python runs one thread at a time, so runs that share it all end late. If ten runs of a fiftieth of a second each
start together, none ends before a fifth of a second has passed. One after the other, half of them end within a
tenth, and none ends later than before."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

#: Seconds after which a run no longer makes others wait.
LONGEST = 0.15


class RunQueue:
    """A queue in which the page runs of all visitors wait for their turn, first come, first served.

    After `longest` seconds a run no longer holds up the queue: the next run starts, and both go on in parallel."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._lock = Lock()
        self._waiting: deque[Event] = deque()  # an event is set when its turn comes
        self._running: Event | None = None
        self._over = 0.0  # when the running one no longer makes others wait
        self._own = local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Return a context manager that waits for a turn and ends it when the context is left."""
        turn = self._own.event = Event()
        self._wait_for_turn(turn)
        try:
            yield
        finally:
            self._own.event = None
            self._end_turn(turn)

    def pause(self, seconds: float) -> None:
        """Sleep for `seconds` in the middle of a turn, and let other runs take theirs meanwhile."""
        turn: Event | None = getattr(self._own, "event", None)
        if turn:
            self._end_turn(turn)
        time.sleep(seconds)
        if turn:
            turn.clear()
            self._wait_for_turn(turn)

    def _wait_for_turn(self, turn: Event) -> None:
        """Join the queue, and wait until the event `turn` is set."""
        with self._lock:
            self._waiting.append(turn)
            if self._running is None:
                self._start_next_turn()
        while not turn.wait(max(0.0, self._over - time.monotonic())):
            with self._lock:
                if not turn.is_set() and time.monotonic() >= self._over:
                    self._start_next_turn()

    def _end_turn(self, turn: Event) -> None:
        """End the turn that the event `turn` stands for, if it has not been ended yet."""
        with self._lock:
            if self._running is turn:
                self._start_next_turn()

    def _start_next_turn(self) -> None:
        """Start the next turn, if any run waits."""
        self._running = self._waiting.popleft() if self._waiting else None
        if self._running:
            self._over = time.monotonic() + self._longest
            self._running.set()


#: The queue of all visitors of this server.
RUN_QUEUE = RunQueue()
