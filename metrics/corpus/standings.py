"""All systems of a corpus by a metric: scores and ranks with intervals, and which pairs differ by more than chance."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from . import resampling
from .resampling import Interval
from .table import Array, StatisticsTable

#: Numbers of a test of all pairs by so many trials; where there are more, FEWER trials are drawn.
WORK, FEWER = 2e11, 1000


class Standings(NamedTuple):
    """Of each system, by its number, the score with its 95 % interval (None of one segment), and the rank from 1,
    equal ones the same, with the least and the largest of the middle 95 % of its ranks over resamples. `p` is that of
    randomisation for each pair of systems, in so many `trials`, corrected for all pairs (Holm), in both orders; a
    system beside itself has 1."""

    scores: tuple[float, ...]
    intervals: tuple[Interval | None, ...]
    ranks: tuple[int, ...]
    rank_ranges: tuple[tuple[int, int], ...]
    p: tuple[tuple[float, ...], ...]
    trials: int


def standings(table: StatisticsTable) -> Standings:
    """The standings of a table's systems."""
    better = 1.0 if table.metric.higher_is_better else -1.0
    scores = table.corpus_scores()
    (samples,) = resampling.resampled([table])
    drawn = _ranks(better * samples)
    pairs = [*combinations(range(len(scores)), 2)]
    work = float(resampling.TRIALS) * table.size * len(pairs) * table.summed.shape[2]
    trials = resampling.TRIALS if work <= WORK else FEWER
    (tests,) = resampling.randomised([table], pairs, trials)
    p = np.ones((len(scores), len(scores)))
    for (a, b), each in zip(pairs, resampling.holm([each.p for each in tests]), strict=True):
        p[a, b] = p[b, a] = each
    ends = [resampling.interval(each) for each in drawn]
    return Standings(
        tuple(scores.tolist()),
        tuple(resampling.intervals(samples, table.size) or [None] * len(scores)),
        ranks(table),
        tuple([(round(low), round(high)) for low, high in ends]),
        tuple([tuple(row) for row in p.tolist()]),
        trials,
    )


def ranks(table: StatisticsTable) -> tuple[int, ...]:
    """The rank of each system from 1, equal ones the same."""
    better = 1.0 if table.metric.higher_is_better else -1.0
    return tuple(_ranks(better * table.corpus_scores()[:, None])[:, 0].astype(int).tolist())


def _ranks(scores: Array) -> Array:
    """The rank of each row in each column: one more than how many are above it by more than rounding."""
    above = scores[None, :, :] > scores[:, None, :] + resampling.ROUNDING
    row_ranks: Array = 1.0 + above.sum(axis=1)
    return row_ranks
