"""The scoring of a selection of a corpus's segments, with intervals, quickly enough for a click at any corpus size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .resampling import SEED, Interval, interval, resample_sums
from .table import Array, StatisticsTable

#: The number of random pieces into which more segments than this are grouped before they are resampled.
PIECES = 400


class GroupScores(NamedTuple):
    """The corpus scores of systems A and B over a selection of segments.

    Attributes:
        scores: the scores of A and B.
        intervals: the 95 % interval of each of the two scores.
        delta: the 95 % interval of B's score less A's.
    """

    scores: tuple[float, float]
    intervals: tuple[Interval, Interval]
    delta: Interval


def score_group(table: StatisticsTable, a: int, b: int, segments: NDArray[np.intp]) -> GroupScores:
    """Return the corpus scores of two systems over a selection of segments.

    `a` and `b` are the indices of the systems, and `segments` those of the selected segments, at least one. Where more
    than `PIECES` segments are selected, resamples are drawn from random groups of segments to save time; the sums of
    such groups vary as the sums of their segments do.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import score_table as table_of
    >>> from metrics.types import Segment
    >>> a, b = (Segment(tuple(text.split()), (("a", "b", "c"),)) for text in ("a b", "a b c"))
    >>> found = score_group(table_of(METRICS["wer"], settings("wer"), [[a, a], [a, b]]), 0, 1, np.array([1]))
    >>> [round(score, 3) for score in found.scores], found.delta.low == found.delta.high
    ([0.333, 0.0], True)
    """
    system_sums = [table.summed_columns[n][segments] for n in (a, b)]
    scores = table.scores_of_sums(np.stack([each.sum(axis=0) for each in system_sums]), len(segments))
    resample_scores = [
        table.scores_of_sums(each, len(segments))
        for each in resample_sums([_sum_random_groups(each) for each in system_sums])
    ]
    one, other = (interval(each) for each in resample_scores)
    return GroupScores(
        (float(scores[0]), float(scores[1])), (one, other), interval(resample_scores[1] - resample_scores[0])
    )


def _sum_random_groups(values: Array) -> Array:
    """Return the sums of `PIECES` random groups of rows; `values` itself if it has no more rows than that.

    Arrays with the same number of rows are divided into the same groups.
    """
    if len(values) <= PIECES:
        return values
    order = np.random.default_rng(SEED).permutation(len(values))
    starts = np.linspace(0, len(values), PIECES, endpoint=False).astype(int)
    return np.add.reduceat(values[order], starts, axis=0)
