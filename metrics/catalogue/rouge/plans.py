"""Define questions of exercises on several ROUGE metrics: a count that P and R may take from different references."""

from __future__ import annotations

from ...teach.plans import PartQuestion, SeparateCount, missed_one_slip


def count_per_reference(label: str) -> SeparateCount:
    """Return a count that P and R may take from different references.

    `label` is its name, with {} in the place of the reference's number."""
    return SeparateCount(label, {"precision": ("P", "precision_match"), "recall": ("R", "recall_match")})


def matches_question(what: str, symbol: str) -> PartQuestion:
    """Return the question that asks how many of `what` match; `symbol` is the count's symbol in the formula."""
    label = f"the number of {what} that match"
    return PartQuestion(
        f"How many {what} match?",
        label,
        symbol,
        missed_one_slip,
        fraction=False,
        separate_count=count_per_reference(f"{symbol}{{}}"),
    )
