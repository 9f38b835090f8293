"""Define how ledgers, which explain the difference of two corpora, word their causes for RIBES."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the causes "matches" and "order" for RIBES.

    Matches are aligned words, and order is measured by pairs of aligned words that are in the wrong order."""
    return {
        "matches": Cause("more aligned words", "fewer aligned words", "aligned words"),
        "order": Cause("more pairs out of order", "fewer pairs out of order", "pairs out of order", True),
    }
