"""What exercises of several ROUGE are made of: a count that P takes from one reference and R maybe from another."""

from __future__ import annotations

from ...teach.plans import Apart


def apart(called: str) -> Apart:
    """A count that is called so, where {} is the number of a reference."""
    return Apart(called, {"precision": ("P", "precision_match"), "recall": ("R", "recall_match")})
