"""Tasks that were being done when a process died: they are tried again, and which of them killed it is found out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

#: A task over which so many processes died is not tried again.
MOST = 2


class Tries(Generic[T]):
    """Where several tasks were under way, each of them may have killed the process. So each is done again while no
    other is, and one over which a process dies then is found out: those stand in `waiting`.

    >>> tries = Tries(key=str)
    >>> tries.died(["a", "b"])
    []
    >>> tries.died([tries.waiting.popleft()]), list(tries.waiting)
    (['a'], ['b'])
    """

    def __init__(self, key: Callable[[T], object]) -> None:
        self._key = key
        self._deaths: dict[object, int] = {}
        self.waiting: deque[T] = deque()

    def died(self, under_way: Sequence[T]) -> list[T]:
        """A process died while tasks were under way. Gives those that are not to be tried again."""
        given_up = []
        for task in under_way:
            deaths = self._deaths[self._key(task)] = self._deaths.get(self._key(task), 0) + 1
            if len(under_way) == 1 and deaths >= MOST:
                given_up.append(task)
            else:
                self.waiting.append(task)
        return given_up
