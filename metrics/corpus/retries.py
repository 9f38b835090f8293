"""Retries of tasks that were running when a process died, to find out which of them killed it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

#: A task is given up after this many processes died over it.
MOST = 2


class RetryQueue(Generic[T]):
    """The tasks that are tried again after a process died.

    If several tasks were running, each of them may have killed the process. So each is done again on its own, and if a
    process dies then, the task is found out. `waiting` holds the tasks that are to be done again.

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
        """Record that a process died while these tasks were running, and return the tasks that are given up."""
        given_up = []
        for task in under_way:
            deaths = self._deaths[self._key(task)] = self._deaths.get(self._key(task), 0) + 1
            if len(under_way) == 1 and deaths >= MOST:
                given_up.append(task)
            else:
                self.waiting.append(task)
        return given_up
