"""The scores of several systems by every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.types import Metric

from ..draw.compare.scores import Scored, ScoreRow
from .cache import Problem


def rows_for_pair(
    results_a: Mapping[str, Scored | Problem], results_b: Mapping[str, Scored | Problem], metrics: Mapping[str, Metric]
) -> list[ScoreRow]:
    """A row for every metric, in their order, from the results of A and B, or why there are none."""
    return rows_for_systems([results_a, results_b], metrics)


def rows_for_systems(
    results: Sequence[Mapping[str, Scored | Problem]], metrics: Mapping[str, Metric]
) -> list[ScoreRow]:
    """A row for every metric, in their order, with the scores of every system."""
    rows = []
    for key, metric in metrics.items():
        found = [result[key] for result in results]
        problems = dict.fromkeys([f"{result.reason}." for result in found if isinstance(result, Problem)])
        values = tuple([None if isinstance(result, Problem) else result.score for result in found])
        rows.append(ScoreRow(key, metric.label, metric.higher_is_better, values, " ".join(problems)))
    return rows
