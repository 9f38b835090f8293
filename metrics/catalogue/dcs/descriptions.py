"""Define how ledgers, which explain the difference of two corpora, word a cause for dcs."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "contiguity" for dcs, where a block counts more if it is longer.

    A block also counts more if a neighbour follows it."""
    return {"contiguity": Cause("longer or closer runs", "shorter or farther runs", "runs")}
