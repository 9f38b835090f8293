"""Work: counted in lines of Python that run, or how the processor's time for it grows. Both are the same on every
machine, however busy it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs, each as often as it runs; what is done in C counts for nothing.

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


#: What a text of twice the length takes: 2, and where it grows with the square, 4.
TWICE = 2.8
#: More than the time for a text of ten times the length, which is 10, and less than where it grows with the square.
TEN_TIMES = 22
ENOUGH = 50_000_000  # ns of a call after which it is not measured again
LONG_ENOUGH = 1_000_000  # ns of a call that a short pause of the machine does not double


def processor_time(call: Callable[[], object], times: int = 1) -> int:
    """The processor's time of this thread for a call in ns, the least of some."""
    taken: list[int] = []
    while len(taken) < times and sum(taken) < ENOUGH:
        start = time.thread_time_ns()
        call()
        taken.append(time.thread_time_ns() - start)
    return min(taken)


def grows(call: Callable[[int], object], size: int, doublings: int = 4) -> bool:
    """Whether the time for a text of some length grows faster than the text: ten times as long from a tenth of the size
    on, and then each time that it doubles; what is bounded takes more only up to its bound."""
    if not _takes(call, size // 10, size, TEN_TIMES):
        return False
    for n in range(doublings):
        if not _takes(call, size << n, size << n + 1, TWICE):
            return False
        if processor_time(lambda long=size << n + 1: call(long)) > ENOUGH:  # type: ignore[misc]
            break
    return True


def _takes(call: Callable[[int], object], short: int, long: int, times: float) -> bool:
    """Return whether a longer text takes more than `times` what a shorter one takes.

    A busy machine makes a call slow, never quick. So the least of several measurements counts, taken of both texts in
    turn, and of more of them where the ratio is near the bound or the time is short.
    """
    least = {size: processor_time(lambda size=size: call(size), 3) for size in (short, long)}  # type: ignore[misc]
    for _ in range(5):
        ratio = least[long] / max(1, least[short])
        if ratio < 0.5 * times or (ratio > 1.4 * times and least[long] > LONG_ENOUGH):
            break
        for size in least:
            least[size] = min(least[size], processor_time(lambda size=size: call(size), 3))  # type: ignore[misc]
    return least[long] > times * least[short]
