"""Describe how the causes of the difference of two corpora read for RIBES."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the causes "matches" and "order" read in a ledger of RIBES.

    Order is counted in pairs of aligned words."""
    return {
        "matches": Cause("more aligned words", "fewer aligned words", "aligned words"),
        "order": Cause("more pairs out of order", "fewer pairs out of order", "pairs out of order", True),
    }
