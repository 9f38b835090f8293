"""Measure how long agreement with people takes: `python -m tests.benchmarks.bench_agreement`, on two quiet cores.

Agreement is how well metrics order segments and systems as people's judgements do. Real translations are tiled
(repeated) to 13 systems × 529 segments × 2 references; each system lacks other words. The judgements are one metric's
scores plus noise, rounded to whole numbers. All metrics are compared, in processor seconds. Exits with 1 if a bound is
missed."""

from __future__ import annotations

import random
import sys
import time

import numpy as np

import metrics
from metrics.corpus.agreement import (
    agreement_table,
    agreement_table_stages,
    compare_rows,
    find_in_segment,
    find_wrong_pairs,
    metric_column,
)
from metrics.corpus.agreement.experiments import turian
from metrics.corpus.table import score_table
from metrics.text.judgements import JudgementRecord, RatingScale
from metrics.types import Segment
from tests.helpers.corpora import SYSTEMS, load_segments

SYSTEM_COUNT, SEGMENTS = 13, 529
FIRST, ALL = 15.0, 45.0  # seconds until the first table, and for all coefficients and intervals
PSEUDO = 10.0  # seconds for 1,000 pseudo-documents of each of 20 lengths
COMPARED, LOOKED_AT = (
    15.0,
    15.0,
)  # seconds to compare two metrics by Kendall, and for one metric's findings in all outputs


def tiled_systems() -> list[list[Segment]]:
    """Return the segments of each system: real ones repeated, without a tenth of the candidates' words."""
    rng, out = random.Random(1), []
    for system in range(SYSTEM_COUNT):
        theirs = load_segments(SYSTEMS[system % len(SYSTEMS)])
        tiled = [theirs[n % len(theirs)] for n in range(SEGMENTS)]
        out.append([s._replace(candidate=tuple([w for w in s.candidate if rng.random() > 0.1])) for s in tiled])
    return out


def print_and_check_bound(what: str, seconds: float, bound: float) -> bool:
    """Print the seconds beside their bound, and return whether they exceed it."""
    print(f"{what:52} {seconds:6.1f} s, at most {bound:g}{'  MISSED' if seconds > bound else ''}")
    return seconds > bound


def main() -> int:
    systems = tiled_systems()
    begun = time.process_time()
    tables = [score_table(metric, metrics.settings(key), systems) for key, metric in metrics.METRICS.items()]
    columns = [metric_column(each) for each in tables]
    noise = np.random.default_rng(1).normal(scale=0.3, size=columns[0].scores.shape)
    ratings = np.round(10 * (columns[0].scores + noise))[:, :, None]
    judged = JudgementRecord(
        tuple(map(str, range(SYSTEM_COUNT))), SEGMENTS, ("x",), (RatingScale("mqm"),), {"mqm": ratings}
    )
    next(agreement_table_stages(columns, judged))
    missed = print_and_check_bound("scores and first table", time.process_time() - begun, FIRST)
    for group in ("none", "item", "sys"):
        begun = time.process_time()
        found = agreement_table(columns, judged, group=group)
        missed |= print_and_check_bound(
            f"all coefficients and intervals, grouped: {group}", time.process_time() - begun, ALL
        )
    begun = time.process_time()
    keys = [*metrics.METRICS]
    compare_rows(found, keys[0], keys[1], "segment", "kendall")
    missed |= print_and_check_bound("two metrics compared by Kendall", time.process_time() - begun, COMPARED)
    begun = time.process_time()
    find_wrong_pairs(found.people, columns[0].scores)
    for each in systems:
        for segment in each:
            find_in_segment(tables[0].metric, tables[0].settings, segment)
    missed |= print_and_check_bound(
        "what a metric finds, and pairs that it has wrong", time.process_time() - begun, LOOKED_AT
    )
    said, scored_metrics = (
        turian.read_ratings(judged, "mqm", range(SYSTEM_COUNT)),
        {each.metric.key: each for each in tables[:5]},
    )
    begun = time.process_time()
    turian.draw_correlations(scored_metrics, said, said.judged, range(SYSTEM_COUNT), 1, turian.DRAWS)
    missed |= print_and_check_bound("20,000 pseudo-documents, five metrics", time.process_time() - begun, PSEUDO)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
