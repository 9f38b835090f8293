"""Answer what every score would be if a word or cell that is not matched were matched. The user asks by a click."""

from __future__ import annotations

import re

import metrics
from metrics.analysis.edit_shares import apply_edits
from metrics.analysis.if_matched import edits_to_match
from metrics.types import Result, Segment, Settings

from ...draw.edits import if_matched as drawing
from ...draw.texts import ProcessedTexts
from ...state.results import cache
from ...state.results.cache import Problem, bounded
from ...state.results.memory import remembered
from . import cost
from .record import ASKED, SentenceState


def valid_target_name(value: object) -> str | None:
    """Return `value`, which the browser sent, if it has the form of a name of a word or a cell; else None.

    Names are such as c3 (candidate word 3), r0_5 (word 5 of reference 0) and 3,0,5 (a cell)."""
    return value if isinstance(value, str) and ASKED.fullmatch(value) else None


def answer_html(texts: ProcessedTexts, result: Result, state: SentenceState) -> str:
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
    """Return the indices (i, k, j) of candidate word, reference and reference word for which `name` stands.

    For a word of the candidate, `k` is `deciding`, the index of the deciding reference, and `j` is None. For a word
    of a reference, `i` is None."""
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
    """Return, as HTML, the scores by all metrics before and after the edits that make the words match.

    `name` stands for the indices `i`, `k` and `j`, of which one may be None. `settings` are those of all metrics,
    and `chosen` is the key of the selected metric."""
    candidate, references = texts.segment
    changes = bounded("The edits", lambda: edits_to_match(candidate, references[k], i, j))
    if isinstance(changes, Problem):
        return ""
    after = texts.segment._replace(candidate=apply_edits(candidate, changes))
    now, new_scores = (
        {key: _score(key, each, of) for key, of in zip(metrics.METRICS, settings, strict=True)}
        for each in (texts.segment, after)
    )
    return drawing.answer_html(name, texts, k, changes, now, new_scores, chosen, i, j)


def _score(key: str, segment: Segment, settings: Settings) -> float | None:
    """Return the score of the segment by the metric `key`; None if it is too hard to compute."""
    glance = cache.glance(key, segment, settings)
    return None if isinstance(glance, Problem) else glance.score
