"""A decorator for functions whose answer is computed once in a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class once_per_process(Generic[T]):  # noqa: N801 - a decorator
    """A decorator for a function without arguments whose result is computed once, by the first thread that calls it.

    Other threads wait for that result. An exception goes to the thread that called, and the next call tries again. With
    `functools.cache`, several threads that call before there is a result would each compute one.

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
        """Forget the result, so that the next call of the decorated function computes it again."""
        with self._lock:
            self._made = []
