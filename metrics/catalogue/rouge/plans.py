"""What exercises of several ROUGE are made of: a count that P takes from one reference and R maybe from another."""

from __future__ import annotations

from ...teach.plans import PartQuestion, SeparateCount, one_more


def count_apart(label: str) -> SeparateCount:
    """A count that is called so, where {} is the number of a reference."""
    return SeparateCount(label, {"precision": ("P", "precision_match"), "recall": ("R", "recall_match")})


def matches(what: str, symbol: str) -> PartQuestion:
    """How it is asked how many of `what` match, which the formula calls by the symbol."""
    label = f"the number of {what} that match"
    return PartQuestion(
        f"How many {what} match?", label, symbol, one_more, fraction=False, separate_count=count_apart(f"{symbol}{{}}")
    )
