"""Measure how often the significance tests reject for equal systems, and how often intervals contain the true value.

Equal systems: segments are drawn from real ones, and the two outputs of each are swapped at random. At the level 0.05,
the randomisation test must reject for 4 to 6 of 100 of 2,000 pairs, for every metric. The rate of sacreBLEU's paired
bootstrap is printed for comparison.

Intervals: a set of segments is taken as the population. For about 95 of 100 corpora drawn from it, the interval of a
score, of a difference and of each cause of a difference must contain the population's value.

usage: python -m tests.benchmarks.soak_significance, from the project's root"""

import sys
import time

import numpy as np

import metrics
from metrics.corpus import ledger, resampling
from metrics.corpus.table import StatisticsTable, score_table
from tests.helpers.corpora import SYSTEMS, load_segments

PAIRS, SIZE, TRIALS, RESAMPLES = 2000, 200, 399, 400
DRAWN = 400  # number of corpora whose intervals are checked


def select_segments(found: StatisticsTable, system_indices, segment_indices) -> StatisticsTable:
    """Return the statistics of the given segments of the given systems as a table of their own."""
    return StatisticsTable(
        found.metric,
        found.settings,
        found.names,
        found.statistics[system_indices, segment_indices],
        found.scores[system_indices, segment_indices],
    )


def check_rejection_rates(tables: list[StatisticsTable]) -> bool:
    """Print how often the tests reject for two equal systems, by metric; return whether all rates are right."""
    chance = np.random.default_rng(7)
    rejected = np.zeros((2, len(tables)))
    for _ in range(PAIRS):
        at, first = chance.choice(tables[0].size, SIZE), chance.integers(2, size=SIZE)
        some = [select_segments(found, np.stack([first, 1 - first]), at) for found in tables]
        seed = int(chance.integers(1 << 30))
        samples = resampling.scores_of_resamples(some, RESAMPLES, seed)
        for t, ((tested,), (a, b), found) in enumerate(
            zip(resampling.randomisation_tests(some, [(0, 1)], TRIALS, seed), samples, some, strict=True)
        ):
            scores = found.corpus_scores()
            rejected[0, t] += tested.p <= 0.05
            rejected[1, t] += resampling.paired_bootstrap_p(a, b, float(scores[1] - scores[0])) <= 0.05
    good = True
    for found, ours, theirs in zip(tables, *(rejected / PAIRS), strict=True):
        right = 0.04 <= ours <= 0.06
        good &= right
        print(
            f"{found.metric.key:8s} equal systems: randomisation rejects in {100 * ours:.1f} of 100, "
            f"sacreBLEU's paired bootstrap in {100 * theirs:.1f}{'' if right else '   WRONG'}"
        )
    return good


def check_interval_coverage(found: StatisticsTable) -> bool:
    """Print how often a metric's intervals contain the population's values, and return whether all rates are right."""
    chance = np.random.default_rng(3)
    real = found.corpus_scores()
    hits = {"score": 0, "difference": 0}
    summed = found.metric.pooling == "sum"
    causes = {(step.cause, step.name): step.share for step in ledger.ledger_from_roles(found).steps} if summed else {}
    of_cause = dict.fromkeys(causes, 0)
    for _ in range(DRAWN):
        some = select_segments(found, np.array([[0], [1]]), chance.choice(found.size, SIZE))
        ((a, b),) = resampling.scores_of_resamples([some], RESAMPLES)
        for name, samples, value in (("score", a, real[0]), ("difference", b - a, real[1] - real[0])):
            low, high = resampling.interval(samples)
            hits[name] += low <= value <= high
        steps = {(step.cause, step.name): step for step in ledger.ledger_from_roles(some).steps} if summed else {}
        for player, share in causes.items():
            of_cause[player] += player in steps and steps[player].low <= share <= steps[player].high
    parts = {**hits, **{" ".join(player).strip(): number for player, number in of_cause.items()}}
    # Many resamples have no penalty at all, so its interval is not of this kind: it is printed but not checked.
    wrong = [
        name for name, number in parts.items() if not name.startswith("penalty") and not 0.9 <= number / DRAWN <= 0.985
    ]
    told = ", ".join(f"{name} {100 * number / DRAWN:.0f}" for name, number in parts.items())
    print(f"{found.metric.key:8s} of 100 intervals have the real number: {told}{f'   WRONG: {wrong}' if wrong else ''}")
    return not wrong


if __name__ == "__main__":
    start = time.perf_counter()
    systems = [load_segments(name) for name in SYSTEMS[:2]]
    tables = [score_table(metric, metrics.settings(key), systems) for key, metric in metrics.METRICS.items()]
    good = [check_rejection_rates(tables), *[check_interval_coverage(found) for found in tables]]
    print(f"{time.perf_counter() - start:.0f} s")
    sys.exit(not all(good))
