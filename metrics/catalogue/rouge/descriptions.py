"""Describe how a cause of the difference of two corpora reads for the ROUGE metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...types import Cause, Settings


def ngram_causes(settings: Any) -> Mapping[str, Cause]:
    """Return how the cause "matches" reads for ROUGE-N; empty for single words, which read as for other metrics."""
    if settings.order == 1:
        return {}
    noun = f"matching {settings.order}-grams"
    return {"matches": Cause(f"more {noun}", f"fewer {noun}", noun)}


def pair_causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the cause "matches" reads for ROUGE-S: matches are pairs of words."""
    return {
        "matches": Cause("more matching pairs of words", "fewer matching pairs of words", "matching pairs of words")
    }


def ordered_word_causes(settings: Settings) -> Mapping[str, Cause]:
    """Return how the cause "matches" reads for ROUGE-L and ROUGE-W: only words in the same order match."""
    return {"matches": Cause("more words matched in order", "fewer words matched in order", "words matched in order")}
