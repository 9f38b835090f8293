"""Wait in tests until a condition holds, never for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

LIMIT = 120  # seconds after which something is broken; a machine that is only slow never reaches this


def until(found: Callable[[], Any], wanted: Any = True) -> None:
    """Wait until `found()` returns `wanted`; the assertion error shows what it returned instead."""
    end = time.monotonic() + LIMIT
    while (last := found()) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert last == wanted, f"{last!r} instead of {wanted!r}"
