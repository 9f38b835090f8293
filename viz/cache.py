"""Results and processed texts, remembered across reruns and sessions. Keys are the texts and settings themselves."""

from __future__ import annotations

from functools import lru_cache

import metrics
from metrics import bitext, text
from metrics.types import Hit, Result, Segment, Settings

_LARGE = 2_000  # words above which a result is remembered in a small cache only, since it can hold many marks


def score(key: str, segment: Segment, settings: Settings) -> Result:
    """The result of a metric on a segment. Raises what the metric raises."""
    size = len(segment.candidate) + sum(map(len, segment.references))
    return (_large if size > _LARGE else _small)(key, segment, settings)


@lru_cache(maxsize=2048)
def _small(key: str, segment: Segment, settings: Settings) -> Result:
    return metrics.METRICS[key].score(segment, settings)


@lru_cache(maxsize=16)
def _large(key: str, segment: Segment, settings: Settings) -> Result:
    return metrics.METRICS[key].score(segment, settings)


@lru_cache(maxsize=256)
def hits(segment: Segment) -> tuple[Hit, ...]:
    """The hits of a segment's grid."""
    return bitext.hits(*segment)


@lru_cache(maxsize=512)
def tokens(raw: str, settings: text.TextSettings) -> tuple[text.Token, ...]:
    """A text's tokens."""
    return text.process(raw, settings)
