"""Describe how a cause of the difference of two corpora reads for NIST."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the cause "matches" reads in a ledger of NIST: matches count by their information."""
    return {"matches": Cause("more information in {name}", "less information in {name}", "information in {name}")}
