"""Wait in tests until a condition holds, never for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

LIMIT = 120  # seconds after which something is broken; a machine that is only slow never reaches this


def until(read_value: Callable[[], Any], wanted: Any = True) -> None:
    """Wait until calling `read_value` returns `wanted`; fail after a time limit and show what it returned instead."""
    end = time.monotonic() + LIMIT
    while (last := read_value()) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert last == wanted, f"{last!r} instead of {wanted!r}"
