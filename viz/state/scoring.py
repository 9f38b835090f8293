"""Results by the settings of what is looked at, and the scores of several systems by every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.types import Metric, Result, signature

from ..draw.compare.scores import Scored, ScoreRow
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


def rows_for_pair(
    results_a: Mapping[str, Scored | Problem], results_b: Mapping[str, Scored | Problem], by: Mapping[str, Metric]
) -> list[ScoreRow]:
    """A row for every metric, in their order, from the results of A and B, or why there are none."""
    return rows_for_systems([results_a, results_b], by)


def rows_for_systems(results: Sequence[Mapping[str, Scored | Problem]], by: Mapping[str, Metric]) -> list[ScoreRow]:
    """A row for every metric, in their order, with the scores of every system."""
    rows = []
    for key, metric in by.items():
        found = [result[key] for result in results]
        problems = dict.fromkeys([f"{result.reason}." for result in found if isinstance(result, Problem)])
        values = tuple([None if isinstance(result, Problem) else result.score for result in found])
        rows.append(ScoreRow(key, metric.label, metric.higher_is_better, values, " ".join(problems)))
    return rows
