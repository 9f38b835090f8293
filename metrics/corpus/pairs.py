"""Two systems held against each other: by how much they differ, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..types import Metric
from . import resampling
from .resampling import Interval
from .table import Array, StatisticsTable


class SystemPair(NamedTuple):
    """Two systems held against each other by a metric: the difference is B's score less A's. `p_bootstrap` and
    `p_randomisation` are sacreBLEU's. `p_corrected`, by which goes what is said, is that of randomisation with the
    trials that tie (`resampling.Randomised`), corrected for how many systems are held against A (Holm), which are
    `others`. One segment has no interval."""

    a: str
    b: str
    metric: Metric
    scores: tuple[float, float]
    interval: Interval | None
    p_bootstrap: float
    p_randomisation: float
    p_corrected: float
    others: int = 1

    @property
    def delta(self) -> float:
        return self.scores[1] - self.scores[0]


def pairs(
    names: Sequence[str], tables: Sequence[StatisticsTable], drawn: Sequence[Array], a: int = 0
) -> list[SystemPair]:
    """System `a` against each other one, by each table; `drawn` are the scores of all systems on the same resamples
    (`resampling.resampled`)."""
    others = [n for n in range(len(names)) if n != a]
    randomisations = resampling.randomised(tables, [(a, b) for b in others])
    out = []
    for table, samples, ps in zip(tables, drawn, randomisations, strict=True):
        scores = table.corpus_scores()
        for b, p, corrected in zip(others, ps, resampling.holm([each.p for each in ps]), strict=True):
            delta_interval = resampling.interval(samples[b] - samples[a]) if table.size > 1 else None
            bootstrap = resampling.bootstrap(samples[a], samples[b], float(scores[b] - scores[a]))
            pair_scores = float(scores[a]), float(scores[b])
            tests = bootstrap, p.sacrebleu, corrected
            out.append(SystemPair(names[a], names[b], table.metric, pair_scores, delta_interval, *tests, len(others)))
    return out
