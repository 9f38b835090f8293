"""Explain why METEOR matches two different words: by their common stem, or by a synset that both are in."""

from __future__ import annotations

from typing import cast

from ...text import wordnet
from ...types import Hit, Result, quote_text
from .score import matching_keys
from .settings import METEORSettings


def because(result: Result, hit: Hit) -> str:
    """Return the reason why the two words of a hit match: a common stem or a common synset; "" if they are equal.

    >>> from metrics import score
    >>> result = score("meteor", ["kills"], [["killed"]], stages=("exact", "stem"))
    >>> because(result, Hit(0, 0, 0))
    'both have the stem “kill”'
    """
    settings, (candidate, references) = cast(METEORSettings, result.settings), result.segment
    ours, theirs = candidate[hit.i], references[hit.k][hit.j]
    if ours == theirs:
        return ""
    stem = matching_keys(candidate, settings)[hit.i]
    if stem == matching_keys(references[hit.k], settings)[hit.j]:
        return f"both have the stem {quote_text(stem)}"
    return f"both are in {wordnet.describe_synset(ours, theirs)}"
