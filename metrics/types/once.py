"""What is made once for a whole process."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class made_once(Generic[T]):  # noqa: N801 - a decorator
    """A function without arguments whose answer is made by the first thread that asks, while others wait for it. What
    it raises is raised to the thread that asked, and the next one tries again.

    With `functools.cache`, threads that ask before there is an answer make one each.

    >>> asked = []
    >>> model = made_once(lambda: asked.append("once") or "a model")
    >>> model(), model(), asked
    ('a model', 'a model', ['once'])
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, RLock()
        self._made: list[T] = []
        update_wrapper(self, make)

    def __call__(self) -> T:
        made = self._made
        if not made:
            with self._lock:
                made = self._made
                if not made:
                    made.append(self._make())
        return made[0]

    def cache_clear(self) -> None:
        """Have it made anew when it is next asked for."""
        with self._lock:
            self._made = []
