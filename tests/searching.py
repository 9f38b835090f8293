"""How random input is looked for: with a fixed seed, the same in every run, or freely, by `make search`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

#: How many times as long a search is that may find something new; 0 where nothing new is looked for.
FREE = int(os.environ.get("SEARCH", "0"))

settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
settings.register_profile("free", deadline=None, print_blob=True)
settings.load_profile("free" if FREE else "fixed")


def examples(count: int, **more: Any) -> settings:
    """So many examples, the same in every run; in a free search more, and others every time."""
    return settings(max_examples=count * max(FREE, 1), **more)
