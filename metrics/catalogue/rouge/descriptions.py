"""Define how ledgers, which explain the difference of two corpora, word a cause for the ROUGE metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...types import Cause, Settings


def ngram_causes(settings: Any) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "matches" for ROUGE-N; empty for single words, which need none."""
    if settings.order == 1:
        return {}
    noun = f"matching {settings.order}-grams"
    return {"matches": Cause(f"more {noun}", f"fewer {noun}", noun)}


def pair_causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "matches" for ROUGE-S, where pairs of words match."""
    return {
        "matches": Cause("more matching pairs of words", "fewer matching pairs of words", "matching pairs of words")
    }


def ordered_word_causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of "matches" for ROUGE-L and ROUGE-W, where only words in the same order match."""
    return {"matches": Cause("more words matched in order", "fewer words matched in order", "words matched in order")}
