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
    """The error for an exact search that would need more steps than it is allowed.

    A search never returns a result that it has not proved to be best.
    """


class _Meter(threading.local):
    """The count of the steps that this thread has taken, and their limit.

    Attributes:
        steps: the steps taken so far.
        most: the number of steps above which TooHard is raised.
        start: the steps that were taken when the innermost `limited` context began.
    """

    steps: int = 0
    most: float = math.inf
    start: int = 0


_meter = _Meter()


def spend(steps: int) -> None:
    """Count `steps` of work that are about to be taken; raise TooHard if the limit leaves fewer."""
    _meter.steps += steps
    if _meter.steps > _meter.most:
        raise TooHard(
            f"this takes more work than {_meter.most - _meter.start:,.0f} steps; "
            "shorten the texts or take fewer references"
        )


def spend_reading(words: Iterable[Sequence[str]]) -> None:
    """Add the steps of reading each word of these texts once to the steps that this thread has taken.

    Metrics call it where a score needs no search, so that many such segments count as well. Raises TooHard if the
    limit of the innermost `limited` context is passed.
    """
    spend(20 + sum(map(len, words)) // 2)


def spent() -> int:
    """Return the steps that were taken since the innermost `limited` context began."""
    return _meter.steps - _meter.start


def steps_left() -> float:
    """Return how many steps may still be taken; infinity without a limit."""
    return _meter.most - _meter.steps


@contextmanager
def limited(most: float = math.inf) -> Iterator[None]:
    """Limit the steps that may be taken within this context to `most`, and to what an enclosing limit leaves.

    Without `most` the steps are only counted.
    """
    before = _meter.start, _meter.most
    _meter.start, _meter.most = _meter.steps, min(_meter.most, _meter.steps + most)
    try:
        yield
    finally:
        _meter.start, _meter.most = before


class Enough(Exception):  # noqa: N818, it is no error
    """The exception that ends a search which has no steps left; what the search has found so far is a valid result."""


class Work:
    """The steps that a search has left, for a search that can stop halfway with a valid result."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Count `steps` of this search; raise Enough if it has no steps left."""
        self.left -= steps
        if self.left < 0:
            raise Enough
        spend(steps)
