"""Work, counted where it is done, so that no text can hold up those who wait for a score.

Whatever can take long says how many steps it takes, a step being about a microsecond of Python. Nothing is timed: the
same text takes the same steps on every machine. A program alone may take as many as it needs; a page, where others wait
as well, scores with a limit.

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
    """An exact solver would need more work than it may do; it never returns an answer that it has not proved."""


class _Meter(threading.local):
    """The steps of this thread, and how many it may take."""

    steps: int = 0
    most: float = math.inf
    start: int = 0


_meter = _Meter()


def spend(steps: int) -> None:
    """Count steps that are about to be taken. TooHard where there are more than the limit leaves."""
    _meter.steps += steps
    if _meter.steps > _meter.most:
        raise TooHard(
            f"this takes more work than {_meter.most - _meter.start:,.0f} steps; "
            "shorten the texts or take fewer references"
        )


def spend_reading(words: Iterable[Sequence[str]]) -> None:
    """Count what scoring takes where nothing is hard: every word is read. Where segments are scored again and again
    it adds up; where one is scored once there is no need."""
    spend(20 + sum(map(len, words)) // 2)


def spent() -> int:
    """The steps taken since the innermost `limited` began."""
    return _meter.steps - _meter.start


def steps_left() -> float:
    """How many steps may still be taken."""
    return _meter.most - _meter.steps


@contextmanager
def limited(most: float = math.inf) -> Iterator[None]:
    """At most so many steps are taken inside, and no more than a limit around it leaves; without `most` they are only
    counted."""
    before = _meter.start, _meter.most
    _meter.start, _meter.most = _meter.steps, min(_meter.most, _meter.steps + most)
    try:
        yield
    finally:
        _meter.start, _meter.most = before


class Enough(Exception):  # noqa: N818, it is no error
    """A search has done all the work that it may do; what it has found so far holds."""


class Work:
    """How many steps a search may still take that can stop halfway."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Raises Enough when none is left."""
        self.left -= steps
        if self.left < 0:
            raise Enough
        spend(steps)
