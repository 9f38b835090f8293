"""How tests wait: for something that must come to hold, never for a time that has to pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

LIMIT = 120  # seconds after which something is broken: it is reached by no machine that is only slow


def until(found: Callable[[], Any], wanted: Any = True) -> None:
    """Wait until `found` returns what is wanted; the assertion shows what it returned instead."""
    end = time.monotonic() + LIMIT
    while (last := found()) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert last == wanted, f"{last!r} instead of {wanted!r}"
