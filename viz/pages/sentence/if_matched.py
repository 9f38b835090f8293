"""What would be if a word matched that no match uses, asked by a click and answered when it is."""

from __future__ import annotations

import re

import metrics
from metrics.analysis.edit_shares import edited
from metrics.analysis.if_matched import if_matched
from metrics.types import Result, Segment, Settings

from ...draw.edits import if_matched as drawing
from ...draw.texts import Texts
from ...state import cache
from ...state.cache import Problem, bounded
from ...state.memory import remembered
from . import cost
from .record import ASKED, Sentence


def name_of(value: object) -> str | None:
    """The name of what is asked about, if it can be one, whatever the browser has sent."""
    return value if isinstance(value, str) and ASKED.fullmatch(value) else None


def answer(texts: Texts, found: Result, shown: Sentence) -> str:
    """The answer as HTML, "" where nothing is asked that these texts have."""
    if shown.asked is None:
        return ""
    asked = _asked(shown.asked, cost.deciding_first(found, len(texts.references))[0])
    if asked is None:
        return ""
    i, k, j = asked
    if k >= len(texts.references):
        return ""
    if (i or 0) >= len(texts.candidate) or (j or 0) >= len(texts.references[k]):
        return ""
    return _answer(
        shown.asked, texts, i, k, j, tuple([shown.settings_of(key) for key in metrics.METRICS]), found.metric
    )


def _asked(name: str, deciding: int) -> tuple[int | None, int, int | None] | None:
    """The word of the candidate, the reference and its word that a name means."""
    numbers = [int(number) for number in re.findall("[0-9]+", name)]
    if name[0] == "c":
        return numbers[0], deciding, None
    if name[0] == "r":
        return None, numbers[0], numbers[1]
    return numbers[0], numbers[1], numbers[2]


@remembered
def _answer(
    name: str, texts: Texts, i: int | None, k: int, j: int | None, settings: tuple[Settings, ...], chosen: str
) -> str:
    candidate, references = texts.segment
    changes = bounded("The edits", lambda: if_matched(candidate, references[k], i, j))
    if isinstance(changes, Problem):
        return ""
    after = texts.segment._replace(candidate=edited(candidate, changes))
    now, then = (
        {key: _score(key, each, of) for key, of in zip(metrics.METRICS, settings, strict=True)}
        for each in (texts.segment, after)
    )
    return drawing.answer(name, texts, k, changes, now, then, chosen, i, j)


def _score(key: str, segment: Segment, settings: Settings) -> float | None:
    found = cache.glance(key, segment, settings)
    return None if isinstance(found, Problem) else found.score
