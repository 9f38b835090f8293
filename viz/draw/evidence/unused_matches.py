"""Explain why matches of the grid are not used, for the tooltips of their rings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import metrics
from metrics.types import Edit, Hit, Result, UnusedMatchReason

from ..pen.marks import is_visible
from ..texts import ProcessedTexts
from . import ledger
from .ledger import Words


def unused_reason(texts: ProcessedTexts, result: Result, rounds: int | None = None) -> Callable[[Hit], str]:
    """Return a callable that says why a match is not used in the first `rounds` of a result; "" where unknown.

    The text may have the user's words, which are not escaped yet."""
    later_reasons = {
        cell: f"{layer.noun} {layer.number} takes it"
        for layer in reversed(result.layers)
        if not is_visible(layer, rounds)
        for cell in layer.cells()
    }
    find = metrics.METRICS[result.metric].why_not
    against = find(result) if find else None
    words = texts.candidate_words, texts.reference_words

    def says(hit: Hit) -> str:
        """Return the reason for one match."""
        if hit in later_reasons:
            return later_reasons[hit]
        reason = against(hit) if against else None
        return _reason_text(words, reason) if reason else ""

    return says


def _reason_text(words: tuple[Words, Sequence[Words]], reason: UnusedMatchReason) -> str:
    if reason.mark is None:
        return reason.says
    text = ledger.term_text(*words, reason.mark)
    # The text of an edit has quotation marks already.
    return f"{reason.says} {text}" if isinstance(reason.mark, Edit) else f"{reason.says} “{text}”"
