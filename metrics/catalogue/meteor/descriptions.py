"""METEOR: how the causes of the difference of two corpora read."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Runs are counted as chunks: the fewer the better."""
    return {"contiguity": Cause("more chunks", "fewer chunks", "chunks", True)}
