"""What is made once for a whole process."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class once_per_process(Generic[T]):  # noqa: N801 - a decorator
    """A function without arguments whose answer is made by the first thread that asks, while others wait for it. What
    it raises is raised to the thread that asked, and the next one tries again.

    With `functools.cache`, threads that ask before there is an answer make one each.

    >>> asked = []
    >>> model = once_per_process(lambda: asked.append("once") or "a model")
    >>> model(), model(), asked
    ('a model', 'a model', ['once'])
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, RLock()
        self._made: list[T] = []
        update_wrapper(self, make)

    def __call__(self) -> T:
        answers = self._made
        if not answers:
            with self._lock:
                answers = self._made
                if not answers:
                    answers.append(self._make())
        return answers[0]

    def cache_clear(self) -> None:
        """Have it made anew when it is next asked for."""
        with self._lock:
            self._made = []
