"""Measure how long agreement with people takes: `python tests/bench_agreement.py`, on two quiet cores.

Real translations are tiled to 13 systems × 529 segments × 2 references; each system lacks other words. The judgements
are one metric's scores plus noise, rounded to whole numbers. All metrics are compared, in processor seconds. Exits
with 1 if a bound is missed.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "corpus"))
sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from corpora import SYSTEMS, segments

import metrics
from metrics.corpus.agreement import agree, compare, find_in_segment, find_wrong_pairs, metric_column, stages
from metrics.corpus.agreement.experiments import turian
from metrics.corpus.table import table
from metrics.text.judgements import JudgementRecord, RatingScale
from metrics.types import Segment

SYSTEM_COUNT, SEGMENTS = 13, 529
FIRST, ALL = 15.0, 45.0  # seconds until the first table, and for all coefficients and intervals
PSEUDO = 10.0  # seconds for 1,000 pseudo-documents of each of 20 lengths
COMPARED, LOOKED_AT = (
    15.0,
    15.0,
)  # seconds to compare two metrics by Kendall, and for one metric's findings in all outputs


def corpus() -> list[list[Segment]]:
    rng, out = random.Random(1), []
    for system in range(SYSTEM_COUNT):
        theirs = segments(SYSTEMS[system % len(SYSTEMS)])
        tiled = [theirs[n % len(theirs)] for n in range(SEGMENTS)]
        out.append([s._replace(candidate=tuple([w for w in s.candidate if rng.random() > 0.1])) for s in tiled])
    return out


def report(what: str, seconds: float, bound: float) -> bool:
    print(f"{what:52} {seconds:6.1f} s, at most {bound:g}{'  MISSED' if seconds > bound else ''}")
    return seconds > bound


def main() -> int:
    systems = corpus()
    begun = time.process_time()
    tables = [table(metric, metrics.settings(key), systems) for key, metric in metrics.METRICS.items()]
    columns = [metric_column(each) for each in tables]
    noise = np.random.default_rng(1).normal(scale=0.3, size=columns[0].scores.shape)
    ratings = np.round(10 * (columns[0].scores + noise))[:, :, None]
    judged = JudgementRecord(
        tuple(map(str, range(SYSTEM_COUNT))), SEGMENTS, ("x",), (RatingScale("mqm"),), {"mqm": ratings}
    )
    next(stages(columns, judged))
    missed = report("scores and first table", time.process_time() - begun, FIRST)
    for group in ("none", "item", "sys"):
        begun = time.process_time()
        found = agree(columns, judged, group=group)
        missed |= report(f"all coefficients and intervals, grouped: {group}", time.process_time() - begun, ALL)
    begun = time.process_time()
    keys = [*metrics.METRICS]
    compare(found, keys[0], keys[1], "segment", "kendall")
    missed |= report("two metrics compared by Kendall", time.process_time() - begun, COMPARED)
    begun = time.process_time()
    find_wrong_pairs(found.people, columns[0].scores)
    for each in systems:
        for segment in each:
            find_in_segment(tables[0].metric, tables[0].settings, segment)
    missed |= report("what a metric finds, and pairs that it has wrong", time.process_time() - begun, LOOKED_AT)
    said, scored_metrics = (
        turian.people(judged, "mqm", range(SYSTEM_COUNT)),
        {each.metric.key: each for each in tables[:5]},
    )
    begun = time.process_time()
    turian.draw_correlations(scored_metrics, said, said.judged, range(SYSTEM_COUNT), 1, turian.DRAWS)
    missed |= report("20,000 pseudo-documents, five metrics", time.process_time() - begun, PSEUDO)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
