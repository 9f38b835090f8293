"""Define how ledgers, which explain the difference of two corpora, word a cause for METEOR."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "contiguity" for METEOR: it counts chunks, and fewer are better."""
    return {"contiguity": Cause("more chunks", "fewer chunks", "chunks", True)}
