"""The statistics of a corpus as one array: systems × segments × statistics.

A corpus score needs nothing else of the texts, and neither does any resample of the corpus (`resampling`), a ledger by
roles (`corpus_ledger`), nor what a segment is worth. So the texts are scored once, without marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Metric, Segment, Settings

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StatisticsTable:
    """What a metric knows of each segment of each system.

    `statistics` is systems × segments × `names`: what the sums of which make the corpus score. Of a metric that
    averages segments these are none, as its score is the mean of `scores`, systems × segments.
    """

    metric: Metric
    settings: Settings
    names: tuple[str, ...]
    statistics: Array
    scores: Array

    @property
    def size(self) -> int:
        """How many segments there are."""
        return int(self.scores.shape[1])

    @property
    def summed(self) -> Array:
        """Systems × segments × columns: what is added up over the segments, of a mean the scores."""
        return self.statistics if self.metric.pooling == "sum" else self.scores[:, :, None]

    def of_sums(self, sums: Array, size: int | None = None) -> Array:
        """The corpus scores of sums, rows × columns, each over `size` segments (by default all)."""
        if self.metric.pooling == "mean":
            means: Array = sums[..., 0] / (self.size if size is None else size)
            return means
        shape = sums.shape[:-1]
        flat = np.ascontiguousarray(sums.reshape(-1, len(self.names)).T)
        scores = self.metric.from_stats(dict(zip(self.names, flat, strict=True)), self.settings).score
        return np.asarray(scores, dtype=np.float64).reshape(shape)

    def corpus_scores(self) -> Array:
        """The corpus score of each system, as `metrics.corpus_score` has it."""
        return self.of_sums(self.summed.sum(axis=1))

    def select_systems(self, systems: Sequence[int]) -> StatisticsTable:
        """The same of some of the systems."""
        at = list(systems)
        return StatisticsTable(self.metric, self.settings, self.names, self.statistics[at], self.scores[at])

    def select_segments(self, segments: NDArray[np.intp]) -> StatisticsTable:
        """The same of some of the segments."""
        chosen = self.statistics[:, segments], self.scores[:, segments]
        return StatisticsTable(self.metric, self.settings, self.names, *chosen)


def table(metric: Metric, settings: Settings, systems: Sequence[Sequence[Segment]]) -> StatisticsTable:
    """Score the segments of each system without marks. Raises what the metric raises.

    >>> from metrics import METRICS, settings
    >>> a, b = (Segment(tuple(text.split()), (("a", "b", "c"),)) for text in ("a b", "a b c"))
    >>> found = table(METRICS["wer"], settings("wer"), [[a, a], [a, b]])
    >>> found.corpus_scores().round(3).tolist()
    [0.333, 0.167]
    """
    return joined(metric, settings, [[rows(metric, settings, segments)] for segments in systems])


#: What comes of some segments of a system: the names of the statistics, their values, and the scores.
Rows = tuple[tuple[str, ...], Array, Array]


def rows(metric: Metric, settings: Settings, segments: Sequence[Segment]) -> Rows:
    """The statistics and the scores of segments of one system, in arrays that are cheap to send."""
    each = (
        metric.corpus(segments, settings)
        if metric.corpus
        else (metric.statistics(segment, settings) for segment in segments)
    )
    return of_statistics(metric, settings, each)


def of_statistics(metric: Metric, settings: Settings, each: Iterable[Mapping[str, float]]) -> Rows:
    """The same from the statistics of each segment."""
    statistics = list(each)
    names = tuple(dict.fromkeys([name for shape in dict.fromkeys(map(tuple, statistics)) for name in shape]))
    values = np.array([[stats.get(name, 0.0) for name in names] for stats in statistics], dtype=np.float64)
    values = values.reshape(len(statistics), len(names))
    # One by one: powers and logarithms of whole arrays differ in the last place, and then ties of two segments break.
    scores = np.array([metric.from_stats(stats, settings).score for stats in statistics], dtype=np.float64)
    if metric.pooling == "mean":
        names, values = (), np.empty((len(statistics), 0))
    return names, values, scores


def joined(metric: Metric, settings: Settings, systems: Sequence[Sequence[Rows]]) -> StatisticsTable:
    """The rows of each system's chunks, in their order, as one table; what one lacks counts as 0."""
    names = tuple(dict.fromkeys([name for chunks in systems for row_names, _, _ in chunks for name in row_names]))
    size = sum(len(scores) for _, _, scores in systems[0]) if systems else 0
    statistics = np.zeros((len(systems), size, len(names)))
    scores_of = np.empty((len(systems), size))
    for system, chunks in enumerate(systems):
        at = 0
        for row_names, values, scores in chunks:
            end = at + len(scores)
            statistics[system, at:end, [names.index(name) for name in row_names]] = values.T
            scores_of[system, at:end] = scores
            at = end
    return StatisticsTable(metric, settings, names, statistics, scores_of)
