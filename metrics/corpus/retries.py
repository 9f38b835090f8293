"""The queue of tasks that are tried again after a worker died, to find out which of them killed it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

#: A task is given up after this many processes died over it.
MOST = 2


class RetryQueue(Generic[T]):
    """A queue of the tasks that are tried again after a worker died.

    If several tasks were running when it died, each of them may have killed it. So each is done again on its own; a
    task during which a worker dies again is given up. `waiting` holds the tasks that are to be done again. `key`
    returns what identifies a task.

    >>> tries = RetryQueue(key=str)
    >>> tries.record_death(["a", "b"])
    []
    >>> tries.record_death([tries.waiting.popleft()]), list(tries.waiting)
    (['a'], ['b'])
    """

    def __init__(self, key: Callable[[T], object]) -> None:
        self._key = key
        self._deaths: dict[object, int] = {}
        self.waiting: deque[T] = deque()

    def record_death(self, under_way: Sequence[T]) -> list[T]:
        """Record that a worker died while the tasks `under_way` were running; return those that are given up.

        The others are queued in `waiting`.
        """
        given_up = []
        for task in under_way:
            deaths = self._deaths[self._key(task)] = self._deaths.get(self._key(task), 0) + 1
            if len(under_way) == 1 and deaths >= MOST:
                given_up.append(task)
            else:
                self.waiting.append(task)
        return given_up
