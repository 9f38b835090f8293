"""Work limits, counted in steps, so that no text can delay others who wait for a score.

Code that can take long reports how many steps it takes; a step is about a microsecond of Python. Nothing is timed, so
that the same text takes the same steps on every machine. A program of its own has no limit. A page, where other
visitors wait as well, scores with one.

>>> with limited(1000):
...     spend(400)
...     spent(), steps_left()
(400, 600)
>>> with limited(1000):
...     spend(2000)
Traceback (most recent call last):
...
metrics.types.work.TooHard: this takes more work than 1,000 steps; shorten the texts or take fewer references
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager


class TooHard(ValueError):  # noqa: N818, it is no error of the user's
    """The error for work above the limit: an exact solver would need more steps than it is allowed.

    A solver never returns an answer that it has not proved.
    """


class _Meter(threading.local):
    """The steps that this thread has taken, and its limit."""

    steps: int = 0
    most: float = math.inf
    start: int = 0


_meter = _Meter()


def spend(steps: int) -> None:
    """Count `steps` that are about to be taken, and raise TooHard if the limit leaves fewer."""
    _meter.steps += steps
    if _meter.steps > _meter.most:
        raise TooHard(
            f"this takes more work than {_meter.most - _meter.start:,.0f} steps; "
            "shorten the texts or take fewer references"
        )


def spend_reading(words: Iterable[Sequence[str]]) -> None:
    """Count the work of scoring an easy segment, where every word is read once.

    It matters where many segments are scored one after the other, because there it adds up. For a single score it is
    not needed.
    """
    spend(20 + sum(map(len, words)) // 2)


def spent() -> int:
    """Return the steps taken since the innermost `limited` began."""
    return _meter.steps - _meter.start


def steps_left() -> float:
    """Return how many steps may still be taken."""
    return _meter.most - _meter.steps


@contextmanager
def limited(most: float = math.inf) -> Iterator[None]:
    """Limit the steps taken within this context to `most`, and to what an enclosing limit leaves.

    Without `most` the steps are only counted.
    """
    before = _meter.start, _meter.most
    _meter.start, _meter.most = _meter.steps, min(_meter.most, _meter.steps + most)
    try:
        yield
    finally:
        _meter.start, _meter.most = before


class Enough(Exception):  # noqa: N818, it is no error
    """The exception that ends a search with no work left; what the search has found so far is valid."""


class Work:
    """The steps that a search has left; such a search can stop halfway with a valid answer."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Count `steps` of the search, and raise Enough when none are left."""
        self.left -= steps
        if self.left < 0:
            raise Enough
        spend(steps)
