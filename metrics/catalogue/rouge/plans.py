"""Define questions of exercises that several ROUGE metrics ask, about the amount that matches."""

from __future__ import annotations

from ...teach.plans import PartQuestion, SeparateCount, missed_one_slip


def count_per_reference(label: str) -> SeparateCount:
    """Return the record of a count that P and R can take from different references.

    `label` is the count's name, with {} in the place of the reference's number."""
    return SeparateCount(label, {"precision": ("P", "precision_match"), "recall": ("R", "recall_match")})


def matches_question(what: str, symbol: str) -> PartQuestion:
    """Return the question that asks how many matches there are.

    `what` is the plural noun of what matches, and `symbol` the symbol of their number in the formula."""
    label = f"the number of {what} that match"
    return PartQuestion(
        f"How many {what} match?",
        label,
        symbol,
        missed_one_slip,
        fraction=False,
        separate_count=count_per_reference(f"{symbol}{{}}"),
    )
