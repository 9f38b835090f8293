"""Describe how a cause of the difference of two corpora reads for dcs."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the cause "contiguity" reads in a ledger of dcs.

    Blocks count by their length and by the blocks that follow them."""
    return {"contiguity": Cause("longer or closer runs", "shorter or farther runs", "runs")}
