"""The comparison of two systems by a metric: how much their scores differ, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..types import Metric
from . import resampling
from .resampling import Interval
from .table import Array, StatisticsTable


class SystemPair(NamedTuple):
    """The comparison of systems A and B by a metric.

    Attributes:
        a: the name of system A.
        b: the name of system B.
        metric: the metric.
        scores: the corpus scores of A and B.
        interval: the 95 % interval of B's score less A's; None for a single segment.
        p_bootstrap: sacreBLEU's p of the paired bootstrap.
        p_randomisation: sacreBLEU's p of approximate randomisation.
        p_corrected: the p that decides what is reported: of randomisation, counting also the trials that tie with the
            real difference (`resampling.Randomised`), corrected for the number of systems that are compared with A
            (Holm).
        others: the number of systems that are compared with A.
    """

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
        """Return B's score less A's."""
        return self.scores[1] - self.scores[0]


def compare_with_others(
    names: Sequence[str], tables: Sequence[StatisticsTable], drawn: Sequence[Array], a: int = 0
) -> list[SystemPair]:
    """Return the comparison of one system with each other system, by the metric of each table.

    `names` are the names of the systems, and `a` is the index of the one that the others are compared with. `drawn`
    are, for each table, the scores of all systems on the same resamples (`resampling.resampled`).
    """
    others = [n for n in range(len(names)) if n != a]
    randomisations = resampling.randomisation_tests(tables, [(a, b) for b in others])
    out = []
    for table, samples, ps in zip(tables, drawn, randomisations, strict=True):
        scores = table.corpus_scores()
        for b, p, corrected in zip(others, ps, resampling.holm_correction([each.p for each in ps]), strict=True):
            delta_interval = resampling.interval(samples[b] - samples[a]) if table.size > 1 else None
            bootstrap = resampling.paired_bootstrap_p(samples[a], samples[b], float(scores[b] - scores[a]))
            pair_scores = float(scores[a]), float(scores[b])
            tests = bootstrap, p.sacrebleu, corrected
            out.append(SystemPair(names[a], names[b], table.metric, pair_scores, delta_interval, *tests, len(others)))
    return out
