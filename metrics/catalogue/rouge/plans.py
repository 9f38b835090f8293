"""What exercises of several ROUGE are made of: a count that P takes from one reference and R maybe from another."""

from __future__ import annotations

from ...teach.plans import Apart, Part, one_more


def apart(called: str) -> Apart:
    """A count that is called so, where {} is the number of a reference."""
    return Apart(called, {"precision": ("P", "precision_match"), "recall": ("R", "recall_match")})


def matches(what: str, symbol: str) -> Part:
    """How it is asked how many of `what` match, which the formula calls by the symbol."""
    called = f"the number of {what} that match"
    return Part(f"How many {what} match?", called, symbol, one_more, fraction=False, apart=apart(f"{symbol}{{}}"))
