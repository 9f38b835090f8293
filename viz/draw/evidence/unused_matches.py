"""Explain why matches of the grid are not used, for the tooltips of their rings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import metrics
from metrics.types import Edit, Hit, Result, UnusedMatchReason

from ..pen.marks import is_layer_visible
from ..texts import ProcessedTexts
from . import ledger
from .ledger import Words


def unused_reason(texts: ProcessedTexts, result: Result, rounds: int | None = None) -> Callable[[Hit], str]:
    """Return a callable that maps a match to the reason why the result does not use it, or "" where unknown.

    Only the first `rounds` rounds count, or all for None. The reason may quote the user's words, unescaped."""
    later_reasons = {
        cell: f"{layer.noun} {layer.number} takes it"
        for layer in reversed(result.layers)
        if not is_layer_visible(layer, rounds)
        for cell in layer.cells()
    }
    find = metrics.METRICS[result.metric].why_not
    against = find(result) if find else None
    words = texts.candidate_words, texts.reference_words
    reason_texts: dict[UnusedMatchReason, str] = {}  # many matches lose to the same run

    def reason_for(hit: Hit) -> str:
        """Return the reason why the match `hit` is not used."""
        if hit in later_reasons:
            return later_reasons[hit]
        reason = against(hit) if against else None
        if reason is None:
            return ""
        if reason not in reason_texts:
            reason_texts[reason] = _reason_text(words, reason)
        return reason_texts[reason]

    return reason_for


def _reason_text(words: tuple[Words, Sequence[Words]], reason: UnusedMatchReason) -> str:
    if reason.mark is None:
        return reason.says
    text = ledger.term_text(*words, reason.mark)
    # The text of an edit has quotation marks already.
    return f"{reason.says} {text}" if isinstance(reason.mark, Edit) else f"{reason.says} “{text}”"
