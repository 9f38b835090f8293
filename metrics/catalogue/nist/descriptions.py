"""NIST: how the causes of the difference of two corpora read."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Matches count what they tell."""
    return {"matches": Cause("more information in {name}", "less information in {name}", "information in {name}")}
