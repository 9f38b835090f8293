"""Answer what every score would be if a word or a cell matched that no match uses. The user asks by a click."""

from __future__ import annotations

import re

import metrics
from metrics.analysis.edit_shares import edited
from metrics.analysis.if_matched import if_matched
from metrics.types import Result, Segment, Settings

from ...draw.edits import if_matched as drawing
from ...draw.texts import ProcessedTexts
from ...state import cache
from ...state.cache import Problem, bounded
from ...state.memory import remembered
from . import cost
from .record import ASKED, SentenceState


def name_of(value: object) -> str | None:
    """Return `value` if it has the form of the name of a word or a cell, else None. It comes from the browser."""
    return value if isinstance(value, str) and ASKED.fullmatch(value) else None


def answer(texts: ProcessedTexts, result: Result, state: SentenceState) -> str:
    """Return the answer as HTML; "" if nothing is asked, or if these texts have no such word or cell."""
    if state.asked is None:
        return ""
    target = _parse_target(state.asked, cost.deciding_first(result, len(texts.references))[0])
    if target is None:
        return ""
    i, k, j = target
    if k >= len(texts.references):
        return ""
    if (i or 0) >= len(texts.candidate) or (j or 0) >= len(texts.references[k]):
        return ""
    return _answer_html(
        state.asked, texts, i, k, j, tuple([state.settings_of(key) for key in metrics.METRICS]), result.metric
    )


def _parse_target(name: str, deciding: int) -> tuple[int | None, int, int | None] | None:
    """Return the indices (i, k, j) that a name stands for.

    For a word of the candidate, `k` is the deciding reference and `j` is None. For a word of a reference, `i` is
    None."""
    numbers = [int(number) for number in re.findall("[0-9]+", name)]
    if name[0] == "c":
        return numbers[0], deciding, None
    if name[0] == "r":
        return None, numbers[0], numbers[1]
    return numbers[0], numbers[1], numbers[2]


@remembered
def _answer_html(
    name: str, texts: ProcessedTexts, i: int | None, k: int, j: int | None, settings: tuple[Settings, ...], chosen: str
) -> str:
    """Return the answer as HTML, from all metrics before and after the edits that make the words match."""
    candidate, references = texts.segment
    changes = bounded("The edits", lambda: if_matched(candidate, references[k], i, j))
    if isinstance(changes, Problem):
        return ""
    after = texts.segment._replace(candidate=edited(candidate, changes))
    now, new_scores = (
        {key: _score(key, each, of) for key, of in zip(metrics.METRICS, settings, strict=True)}
        for each in (texts.segment, after)
    )
    return drawing.answer(name, texts, k, changes, now, new_scores, chosen, i, j)


def _score(key: str, segment: Segment, settings: Settings) -> float | None:
    """Return the score of the segment; None if it is too hard to compute."""
    glance = cache.glance(key, segment, settings)
    return None if isinstance(glance, Problem) else glance.score
