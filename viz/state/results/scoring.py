"""Score texts with the settings of a page's state, and collect the scores of several systems by every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.types import Metric, Result, signature

from ...draw.compare.scores import ScoreHolder, ScoreRow
from ...draw.texts import ProcessedTexts
from ..links.pages import PageState
from . import cache
from .cache import Glance, Problem


def score(state: PageState, key: str, texts: ProcessedTexts) -> Result | Problem:
    """Return the result of the metric `key` on texts with the settings of `state`, or a `Problem`."""
    return cache.score(key, texts.segment, state.settings_of(key))


def glances(state: PageState, texts: ProcessedTexts) -> dict[str, Glance | Problem]:
    """Return the score of the texts by every metric, or a `Problem`; by metric key, as the score strip shows them."""
    return {key: cache.glance(key, texts.segment, state.settings_of(key)) for key in metrics.METRICS}


def signatures(state: PageState, references: int) -> dict[str, str]:
    """Return the signature of every metric's scores, by metric key; `references` is the number of references."""
    text = state.text.signature()
    return {key: signature(key, state.settings_of(key), text, references) for key in metrics.METRICS}


def rows_for_systems(
    results: Sequence[Mapping[str, ScoreHolder | Problem]], by: Mapping[str, Metric]
) -> list[ScoreRow]:
    """Return a table row for each metric in `by`, with the scores of every system or why they could not be computed.

    Each mapping in `results` has what one system scored, by the keys of metrics."""
    rows = []
    for key, metric in by.items():
        metric_results = [result[key] for result in results]
        problems = dict.fromkeys([f"{result.reason}." for result in metric_results if isinstance(result, Problem)])
        values = tuple([None if isinstance(result, Problem) else result.score for result in metric_results])
        rows.append(ScoreRow(key, metric.label, metric.higher_is_better, values, " ".join(problems)))
    return rows
