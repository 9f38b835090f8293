"""dcs: how the causes of the difference of two corpora read."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Blocks count by their length and by what follows them."""
    return {"contiguity": Cause("longer or closer runs", "shorter or farther runs", "runs")}
