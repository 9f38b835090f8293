"""Work, counted in lines of Python that run: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
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
