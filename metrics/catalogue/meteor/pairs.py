"""Why METEOR matches two words that are not the same: their stem, or the synonyms among which both are."""

from __future__ import annotations

from ...text import wordnet
from ...types import Hit, Result, quoted
from .score import keys
from .settings import METEORSettings


def because(result: Result, hit: Hit) -> str:
    """Why the two words of a match of the result match; "" where they are the same.

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
