"""The statistics table of a corpus: an array systems × segments × statistics, for one metric.

It is enough to compute the corpus score, all resamples of the corpus (`resampling`), a ledger by the roles of
statistics, and the worth of a segment. So the texts are scored once, without marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..types import Metric, Segment, Settings

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StatisticsTable:
    """The statistics and the scores, by one metric, of each segment of each system.

    Attributes:
        metric: the metric.
        settings: its settings.
        names: the names of the statistics.
        statistics: an array systems × segments × `names`, whose sums over segments make the corpus score. It has no
            columns for a metric that averages segments, whose corpus score is the mean of `scores`.
        scores: an array systems × segments.
        sentence_settings: the settings with which `scores` are made; None where these are `settings`.
    """

    metric: Metric
    settings: Settings
    names: tuple[str, ...]
    statistics: Array
    scores: Array
    sentence_settings: Settings | None = None

    @property
    def size(self) -> int:
        """Return the number of segments."""
        return int(self.scores.shape[1])

    @property
    def oriented_scores(self) -> Array:
        """Return the scores, systems × segments, negated for an error rate, so that higher is always better."""
        return self.metric.sign * self.scores

    @property
    def summed_columns(self) -> Array:
        """Return what is summed over the segments: the statistics or, for a metric that averages segments, the scores.

        The array is systems × segments × columns.
        """
        return self.statistics if self.metric.pooling == "sum" else self.scores[:, :, None]

    def scores_of_sums(self, sums: Array, size: int | None = None) -> Array:
        """Return the corpus score for each row of sums (rows × columns), each over `size` segments, by default all."""
        if self.metric.pooling == "mean":
            return sums[..., 0] / (self.size if size is None else size)
        shape = sums.shape[:-1]
        flat = np.ascontiguousarray(sums.reshape(-1, len(self.names)).T)
        scores = self.metric.from_stats(dict(zip(self.names, flat, strict=True)), self.settings).score
        return np.asarray(scores, dtype=np.float64).reshape(shape)

    def corpus_scores(self) -> Array:
        """Return the corpus score of each system, equal to that of `metrics.corpus_score`."""
        return self.scores_of_sums(self.summed_columns.sum(axis=1))

    def sentence_scores_note(self) -> str:
        """Return a sentence on how the score of a single segment is made where that differs from the corpus score's.

        It is "" for most metrics.

        >>> from metrics import METRICS, settings
        >>> bleu = score_table(METRICS["bleu"], settings("bleu"), [[Segment(("a", "b"), (("a", "c"),))]])
        >>> bleu.sentence_scores_note(), bleu.with_sentence_scores().sentence_scores_note()
        ('', 'BLEU of a single segment is smoothed (smoothing exp, effective order); the corpus score is not.')
        """
        chosen = self.sentence_settings or self.settings
        changes = [
            f"{rule.label.lower()}{'' if value is True else f' {value}'}"
            for name, rule in self.settings.rules().items()
            if (value := getattr(chosen, name)) != getattr(self.settings, name)
        ]
        if self.metric.corpus:
            return f"{self.metric.label} of a single segment uses counts of the whole corpus."
        how = f"smoothed ({', '.join(changes)})"
        return f"{self.metric.label} of a single segment is {how}; the corpus score is not." if changes else ""

    def with_sentence_scores(self) -> StatisticsTable:
        """Return the table with the scores of single sentences, made with `Metric.settings_of_segment`.

        They are rounded to 12 decimals: powers and logarithms of whole arrays differ in the last digit, which would
        break ties. The table stays the same for a metric whose sentences are scored as its corpora are.
        """
        settings = self.metric.settings_of_segment(self.settings)
        if settings == self.settings or self.metric.pooling == "mean":
            return self
        columns = np.ascontiguousarray(self.statistics.reshape(-1, len(self.names)).T)
        scores = self.metric.from_stats(dict(zip(self.names, columns, strict=True)), settings).score
        rounded = np.asarray(scores, dtype=np.float64).reshape(self.scores.shape).round(12)
        return replace(self, scores=rounded, sentence_settings=settings)

    def select_systems(self, systems: Sequence[int]) -> StatisticsTable:
        """Return the table restricted to the given systems."""
        at = list(systems)
        return replace(self, statistics=self.statistics[at], scores=self.scores[at])

    def select_segments(self, segments: NDArray[np.intp]) -> StatisticsTable:
        """Return the table restricted to the given segments."""
        return replace(self, statistics=self.statistics[:, segments], scores=self.scores[:, segments])


def score_table(metric: Metric, settings: Settings, systems: Sequence[Sequence[Segment]]) -> StatisticsTable:
    """Score the segments of each system, without marks, and return the table of their statistics and scores.

    Raises what the metric raises.

    >>> from metrics import METRICS, settings
    >>> a, b = (Segment(tuple(text.split()), (("a", "b", "c"),)) for text in ("a b", "a b c"))
    >>> found = score_table(METRICS["wer"], settings("wer"), [[a, a], [a, b]])
    >>> found.corpus_scores().round(3).tolist()
    [0.333, 0.167]
    """
    return join_chunks(metric, settings, [[score_rows(metric, settings, segments)] for segments in systems])


#: The scores of some segments of a system: the names of the statistics, their values, and the scores.
Rows = tuple[tuple[str, ...], Array, Array]


def score_rows(metric: Metric, settings: Settings, segments: Sequence[Segment]) -> Rows:
    """Score segments of one system; return their statistics and scores as arrays, which are cheap to send."""
    return rows_of_statistics(metric, settings, metric.corpus_statistics(segments, settings))


def rows_of_statistics(metric: Metric, settings: Settings, each: Iterable[Mapping[str, float]]) -> Rows:
    """Return two arrays, the statistics and the scores of segments, given the named statistics of each."""
    statistics = list(each)
    names = tuple(dict.fromkeys([name for shape in dict.fromkeys(map(tuple, statistics)) for name in shape]))
    values = np.array([[stats.get(name, 0.0) for name in names] for stats in statistics], dtype=np.float64)
    values = values.reshape(len(statistics), len(names))
    # Segment by segment: powers and logarithms of whole arrays differ in the last digit, which would break ties.
    scores = np.array([metric.from_stats(stats, settings).score for stats in statistics], dtype=np.float64)
    if metric.pooling == "mean":
        names, values = (), np.empty((len(statistics), 0))
    return names, values, scores


def join_chunks(metric: Metric, settings: Settings, systems: Sequence[Sequence[Rows]]) -> StatisticsTable:
    """Return the table made of chunks of rows: for each system, its chunks in the order of the segments.

    A statistic that a chunk lacks counts as 0.
    """
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
