"""Why B's score is another than A's, in one sentence made from the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..types import Metric, Result
from .changes import Change, ledger


class Part(NamedTuple):
    """A part of a sentence; `is_words` where it quotes words of the texts."""

    text: str
    is_words: bool


class Shown(NamedTuple):
    """The words to quote for those of A's and B's candidate and of the references, one for one."""

    a: Sequence[str]
    b: Sequence[str]
    references: Sequence[Sequence[str]]


def sentence(
    metric: Metric, a: Result, b: Result, steps: Sequence[Change] | None = None, shown: Shown | None = None
) -> tuple[Part, ...]:
    """The sentence in parts; `steps` is the ledger, where it is there already. Quoted are the tokens, or `shown`."""
    steps = ledger(metric, a, b) if steps is None else steps
    change = b.score - a.score
    if not change:
        return (Part("The scores are equal.", False),)
    out = [Part(f"Of {_signed(change)}, ", False)]
    for step in sorted(steps, key=lambda step: -abs(step.share)):
        out.append(Part(f"{_signed(step.share)} is {step.name}; ", False))
    return tuple(out)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def plain(parts: Sequence[Part]) -> str:
    """The sentence as plain text, words in quotation marks."""
    return "".join([f"“{part.text}”" if part.is_words else part.text for part in parts])
