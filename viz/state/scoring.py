"""Results by the settings of what is looked at."""

from __future__ import annotations

import metrics
from metrics.types import Result, signature

from ..draw.texts import Texts
from . import cache
from .cache import Glance, Problem
from .pages import Looked


def score(shown: Looked, key: str, texts: Texts) -> Result | Problem:
    """The result of a metric on texts."""
    return cache.score(key, texts.segment, shown.settings_of(key))


def glances(shown: Looked, texts: Texts) -> dict[str, Glance | Problem]:
    """What every metric's tile shows of texts."""
    return {key: cache.glance(key, texts.segment, shown.settings_of(key)) for key in metrics.METRICS}


def signatures(shown: Looked, references: int) -> dict[str, str]:
    """The signature of every metric's scores on texts with so many references."""
    text = shown.text.signature()
    return {key: signature(key, shown.settings_of(key), text, references) for key in metrics.METRICS}
