"""The standings of all systems of a corpus by a metric: scores, ranks, intervals and pairwise tests."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from . import resampling
from .resampling import Interval
from .table import Array, StatisticsTable

#: The most numbers that a test of all pairs may compute with the usual trials; above it, FEWER trials are drawn.
WORK, FEWER = 2e11, 1000


class Standings(NamedTuple):
    """The standings of the systems of a corpus by a metric, in the order of the systems' indices.

    Attributes:
        scores: the corpus score of each system.
        intervals: the 95 % interval of each score; None for a single segment.
        ranks: the rank of each system from 1; equal scores have equal ranks.
        rank_ranges: for each system the lowest and the highest of the middle 95 % of its ranks over resamples.
        p: for each pair of systems, in both orders, the p of approximate randomisation, corrected for all pairs (Holm);
            1 on the diagonal.
        trials: the number of trials of approximate randomisation.
        p_raw: like `p`, but not corrected, as sacreBLEU computes it.
    """

    scores: tuple[float, ...]
    intervals: tuple[Interval | None, ...]
    ranks: tuple[int, ...]
    rank_ranges: tuple[tuple[int, int], ...]
    p: tuple[tuple[float, ...], ...]
    trials: int
    p_raw: tuple[tuple[float, ...], ...]


def compute_standings(table: StatisticsTable) -> Standings:
    """Compute the scores, ranks, intervals and pairwise tests of the systems of a table."""
    scores = table.corpus_scores()
    (samples,) = resampling.scores_of_resamples([table])
    drawn = _rank_rows(table.metric.sign * samples)
    pairs = [*combinations(range(len(scores)), 2)]
    work = float(resampling.TRIALS) * table.size * len(pairs) * table.summed_columns.shape[2]
    trials = resampling.TRIALS if work <= WORK else FEWER
    (tests,) = resampling.randomisation_tests([table], pairs, trials)
    p, p_raw = np.ones((2, len(scores), len(scores)))
    corrected = resampling.holm_correction([each.p for each in tests])
    for (a, b), test, each in zip(pairs, tests, corrected, strict=True):
        p[a, b] = p[b, a] = each
        p_raw[a, b] = p_raw[b, a] = test.sacrebleu
    ends = [resampling.interval(each) for each in drawn]
    return Standings(
        tuple(scores.tolist()),
        tuple(resampling.intervals(samples, table.size) or [None] * len(scores)),
        rank_systems(table),
        tuple([(round(low), round(high)) for low, high in ends]),
        tuple([tuple(row) for row in p.tolist()]),
        trials,
        tuple([tuple(row) for row in p_raw.tolist()]),
    )


def rank_systems(table: StatisticsTable) -> tuple[int, ...]:
    """Return the rank of each system of a table from 1, the best; equal scores have equal ranks."""
    return tuple(_rank_rows(table.metric.sign * table.corpus_scores()[:, None])[:, 0].astype(int).tolist())


def _rank_rows(scores: Array) -> Array:
    """Return the rank of each row within each column, from 1 for the largest score; scores equal to rounding tie."""
    above = scores[None, :, :] > scores[:, None, :] + resampling.ROUNDING
    row_ranks: Array = 1.0 + above.sum(axis=1)
    return row_ranks


def scaled_ranks(values: Array) -> Array:
    """Return the rank of each value, scaled to 0 to 1; equal values share the mean of their ranks, and NaN stays NaN.

    Values are equal if they are so to 9 decimals.

    >>> scaled_ranks(np.array([3.0, np.nan, 1.0, 3.0, 7.0])).tolist()
    [0.5, nan, 0.0, 0.5, 1.0]
    """
    out, has_value = np.full(values.shape, np.nan), ~np.isnan(values)
    _, group, sizes = np.unique(values[has_value].round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    out[has_value] = (ends - (sizes + 1) / 2)[group] / max(1, int(has_value.sum()) - 1)
    return out
