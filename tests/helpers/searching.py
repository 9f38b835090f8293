"""Configure hypothesis's random input: the same in every run, or new input every time by `make search`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

#: By how much `make search` multiplies the examples; 0 in runs with fixed input.
FREE = int(os.environ.get("SEARCH", "0"))

settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
settings.register_profile("free", deadline=None, print_blob=True)
settings.load_profile("free" if FREE else "fixed")


def examples(count: int, **more: Any) -> settings:
    """Return hypothesis settings for `count` random examples; `make search` multiplies the count."""
    return settings(max_examples=count * max(FREE, 1), **more)
