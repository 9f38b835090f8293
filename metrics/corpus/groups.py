"""Scores of selected segments of a corpus, with intervals, fast enough for a click however many segments there are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .resampling import SEED, Interval, interval, sums
from .table import Array, StatisticsTable

#: The number of random pieces into which more segments than this are grouped before they are resampled.
PIECES = 400


class Scores(NamedTuple):
    """The corpus scores of A and B on some segments.

    Attributes:
        scores: the scores of A and B.
        intervals: the 95 % intervals of the two scores.
        delta: the 95 % interval of B's score less A's.
    """

    scores: tuple[float, float]
    intervals: tuple[Interval, Interval]
    delta: Interval


def score_group(table: StatisticsTable, a: int, b: int, segments: NDArray[np.intp]) -> Scores:
    """Return the scores of systems `a` and `b` on some segments, at least one.

    Of more than `PIECES` segments the resamples are drawn from pieces, whose sums vary as those of their segments do.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import table as table_of
    >>> from metrics.types import Segment
    >>> a, b = (Segment(tuple(text.split()), (("a", "b", "c"),)) for text in ("a b", "a b c"))
    >>> found = score_group(table_of(METRICS["wer"], settings("wer"), [[a, a], [a, b]]), 0, 1, np.array([1]))
    >>> [round(score, 3) for score in found.scores], found.delta.low == found.delta.high
    ([0.333, 0.0], True)
    """
    system_sums = [table.summed[n][segments] for n in (a, b)]
    scores = table.scores_of_sums(np.stack([each.sum(axis=0) for each in system_sums]), len(segments))
    resample_scores = [
        table.scores_of_sums(each, len(segments)) for each in sums([_pieces(each) for each in system_sums])
    ]
    one, other = (interval(each) for each in resample_scores)
    return Scores((float(scores[0]), float(scores[1])), (one, other), interval(resample_scores[1] - resample_scores[0]))


def _pieces(values: Array) -> Array:
    """Return the sums of random pieces of rows; arrays of the same length are divided into the same pieces."""
    if len(values) <= PIECES:
        return values
    order = np.random.default_rng(SEED).permutation(len(values))
    starts = np.linspace(0, len(values), PIECES, endpoint=False).astype(int)
    piece_sums: Array = np.add.reduceat(values[order], starts, axis=0)
    return piece_sums
