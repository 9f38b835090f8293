"""Describe how a cause of the difference of two corpora reads for METEOR."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the cause "contiguity" reads in a ledger of METEOR.

    Runs are counted as chunks, and fewer chunks are better."""
    return {"contiguity": Cause("more chunks", "fewer chunks", "chunks", True)}
