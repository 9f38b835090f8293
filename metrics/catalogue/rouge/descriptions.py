"""The ROUGE family: how the causes of the difference of two corpora read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...types import Cause, Settings


def of_ngrams(settings: Any) -> Mapping[str, Cause]:
    """Matches are n-grams, where they are not single words."""
    if settings.order == 1:
        return {}
    noun = f"matching {settings.order}-grams"
    return {"matches": Cause(f"more {noun}", f"fewer {noun}", noun)}


def of_pairs(settings: Settings) -> Mapping[str, Cause]:
    """Matches are pairs of words."""
    return {
        "matches": Cause("more matching pairs of words", "fewer matching pairs of words", "matching pairs of words")
    }


def of_words_in_order(settings: Settings) -> Mapping[str, Cause]:
    """Only words that stand in the same order match."""
    return {"matches": Cause("more words matched in order", "fewer words matched in order", "words matched in order")}
