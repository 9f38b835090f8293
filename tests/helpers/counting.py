"""Count the work of a call in lines of Python that run, or measure how its processor time grows.

Both give the same result on every machine, however busy it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call runs, each counted as often as it runs; work in C does not count.

    >>> lines_run(lambda: [None for _ in range(100)]) > lines_run(lambda: [None for _ in range(10)]) + 89
    True
    """
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


#: A bound between the growth of linear time (2) and of quadratic time (4) when the length doubles.
TWICE = 2.8
#: A bound between the growth of linear time (10) and of quadratic time (100) for ten times the length.
TEN_TIMES = 22
ENOUGH = 50_000_000  # a call that takes so many ns is not measured again
LONG_ENOUGH = 1_000_000  # a short pause of the machine does not double a call that takes so many ns


def processor_time(call: Callable[[], object], times: int = 1) -> int:
    """Return the processor time of this thread for a call, in ns: the least of up to `times` calls."""
    taken: list[int] = []
    while len(taken) < times and sum(taken) < ENOUGH:
        start = time.thread_time_ns()
        call()
        taken.append(time.thread_time_ns() - start)
    return min(taken)


def grows_too_fast(call: Callable[[int], object], size: int, doublings: int = 4) -> bool:
    """Return whether the time of `call(size)` grows faster than the size.

    It must grow too fast from a tenth of the size to the size, and again at each of the doublings. A call whose work is
    bounded stops growing at its bound, so it fails the later checks."""
    if not _takes_longer(call, size // 10, size, TEN_TIMES):
        return False
    for n in range(doublings):
        if not _takes_longer(call, size << n, size << n + 1, TWICE):
            return False
        if processor_time(lambda long=size << n + 1: call(long)) > ENOUGH:  # type: ignore[misc]
            break
    return True


def _takes_longer(call: Callable[[int], object], short: int, long: int, times: float) -> bool:
    """Return whether the longer size takes more than `times` the time of the shorter one.

    A busy machine makes calls slower, never faster. So the least of several measurements counts. Both sizes are
    measured in turn, and more often while the ratio is near the bound or the time is short."""
    least = {size: processor_time(lambda size=size: call(size), 3) for size in (short, long)}  # type: ignore[misc]
    for _ in range(5):
        ratio = least[long] / max(1, least[short])
        if ratio < 0.5 * times or (ratio > 1.4 * times and least[long] > LONG_ENOUGH):
            break
        for size in least:
            least[size] = min(least[size], processor_time(lambda size=size: call(size), 3))  # type: ignore[misc]
    return least[long] > times * least[short]
