"""Explain why METEOR matches two different words: by their common stem, or by a synset that both are in."""

from __future__ import annotations

from ...text import wordnet
from ...types import Hit, Result, quoted
from .score import keys
from .settings import METEORSettings


def because(result: Result, hit: Hit) -> str:
    """Return why the two words of a match of the result match; "" if they are equal.

    >>> from metrics import score
    >>> result = score("meteor", ["kills"], [["killed"]], stages=("exact", "stem"))
    >>> because(result, Hit(0, 0, 0))
    'both have the stem “kill”'
    """
    settings, (candidate, references) = result.settings, result.segment
    assert isinstance(settings, METEORSettings)
    ours, theirs = candidate[hit.i], references[hit.k][hit.j]
    if ours == theirs:
        return ""
    stem = keys(candidate, settings)[hit.i]
    if stem == keys(references[hit.k], settings)[hit.j]:
        return f"both have the stem {quoted(stem)}"
    return f"both are in {wordnet.describe_synset(ours, theirs)}"
