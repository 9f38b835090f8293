"""Measure the time and memory that a corpus takes: `python -m tests.benchmarks.bench_corpus`, on two quiet cores.

Real translations are tiled (repeated) to 4 systems × 3,003 segments. Seconds are scaled to 22 words a segment. Where
other programs load the machine, half of the processor time of two cores replaces the time by the clock. sacreBLEU's
significance tests run on the same texts for comparison. Exits with 1 if a bound is missed."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

os.environ.setdefault("SACREBLEU_SEED", "12345")

import numpy as np
import psutil

import metrics
from metrics.corpus import resampling
from metrics.corpus.jobs import Job, ScoringCorpus
from metrics.corpus.processes import Processes
from metrics.corpus.table import StatisticsTable
from tests.helpers.tiled import tiled

SIZE, WORDS, CORES = 3003, 22, 2
WITH_SYNONYMS, WITHOUT = 14.0, 9.0  # seconds for all metrics
FIRST, SIX = 0.5, 2.5  # seconds until the first numbers, and until six metrics are complete
CANCELLED = 0.5  # seconds until a cancelled job has ended
MEMORY = 700  # megabytes that this process and its workers may use
BOOTSTRAP, RANDOMISATION = 20.0, 12.0  # least speed, as a multiple of sacreBLEU's
INTERVALS, RANDOMISATIONS = 0.5, 3.0  # seconds for all metrics and all pairs of systems


def processor_seconds() -> float:
    """Return the processor seconds that this process and its worker processes have used so far."""
    everyone = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(each.cpu_times()[:2]) for each in everyone)


def memory_megabytes() -> float:
    """Return the megabytes of memory of this process and its worker processes, without memory that they share."""
    everyone = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(each.memory_full_info().uss for each in everyone) / 1e6


@contextmanager
def stopwatch() -> Iterator[Callable[[], tuple[float, float]]]:
    """Yield a function that returns the seconds since the start, as (by the clock, of processor time)."""
    clock, used = time.perf_counter(), processor_seconds()
    yield lambda: (time.perf_counter() - clock, processor_seconds() - used)


def report(what: str, numbers: str, bound: str, missed: bool) -> bool:
    """Print a measurement beside its bound, and return `missed`."""
    print(f"{what:52}{numbers:60}{bound}{'  missed' if missed else ''}", flush=True)
    return missed


def score_corpus(texts: ScoringCorpus, language: str) -> tuple[list[StatisticsTable], float, float, float, float]:
    """Score `texts` by all metrics, and return the tables and the seconds that it took.

    Returns (segment statistics of each metric in the menu's order, clock time until the first numbers, clock time until
    six metrics are done, clock time until all are done, processor time until all are done divided by `CORES`)."""
    settings = [(key, metrics.settings(key).of_texts(language)) for key in metrics.METRICS]
    first: list[float] = []
    tables: list[StatisticsTable] = []
    six = 0.0
    with stopwatch() as now:
        job = Job(settings, texts, workers=Processes(CORES), tell=lambda progress: first.append(now()[0]))
        for table in job.tables():
            tables.append(table)
            if len(tables) == 6:
                six = now()[0]
        clock, used = now()
    return (
        sorted(tables, key=lambda table: [*metrics.METRICS].index(table.metric.key)),
        first[0],
        six,
        clock,
        used / CORES,
    )


def sacrebleu_test_seconds(texts: ScoringCorpus, test: str) -> float:
    """Return the processor seconds of sacreBLEU's significance test of the first system against each other system.

    `test` is the type of test that sacreBLEU's `PairedTest` takes. The segments' statistics are computed beforehand."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    systems = [(name, [" ".join(line) for line in texts.systems[n]]) for n, name in enumerate(texts.names)]
    bleu = BLEU(tokenize="none", references=[[" ".join(each[0]) for each in texts.references]])
    found = {id(lines): bleu._extract_corpus_statistics(lines, None) for _, lines in systems}
    bleu._extract_corpus_statistics = lambda lines, references: found[id(lines)]  # type: ignore[method-assign]
    paired = PairedTest(systems, {"BLEU": bleu}, references=None, test_type=test)
    start = time.process_time()
    paired()
    return time.process_time() - start


def cancellation_seconds() -> float:
    """Return the seconds from the cancellation of a scoring job to its end.

    The texts are so long that the cancellation comes in the middle of a segment."""
    drawn = random.Random(1)
    words, others = (tuple(drawn.choices("abcde", k=3000)) for _ in range(2))
    long = ScoringCorpus(("A",), (tuple([words[n:] for n in range(60)]),), ((others,),) * 60)
    job = Job([("meteor", metrics.settings("meteor"))], long, workers=Processes(CORES))
    at: list[float] = []

    def cancel_job() -> None:
        job.cancelled = True
        at.append(time.perf_counter())

    threading.Timer(0.8, cancel_job).start()
    list(job.tables())
    return time.perf_counter() - at[0]


def main() -> int:
    missed = 0
    texts = tiled(SIZE)
    part = float(np.mean([len(each[0]) for each in texts.references])) / WORDS
    list(Job([("per", metrics.settings("per"))], tiled(200), workers=Processes(CORES)).tables())  # warm
    for language, most in (("german", WITHOUT), ("english", WITH_SYNONYMS)):
        tables, first, six, clock, used = score_corpus(texts, language)
        seconds = min(clock, used) / part
        numbers = f"{clock / part:.1f} s by the clock, {used / part:.1f} s of two cores"
        missed += report(f"4 × {SIZE:,}, all metrics, {language}", numbers, f"at most {most} s", seconds > most)
    missed += report("first numbers, warm", f"{first:.2f} s", f"at most {FIRST} s", first > FIRST)
    missed += report("six metrics whole", f"{six / part:.2f} s", f"at most {SIX} s", six / part > SIX)
    held = memory_megabytes()
    missed += report("memory with workers", f"{held:.0f} MB", f"at most {MEMORY} MB", held > MEMORY)

    seconds = cancellation_seconds()
    missed += report("a cancelled job has ended", f"{seconds:.2f} s", f"at most {CANCELLED} s", seconds > CANCELLED)

    with stopwatch() as now:
        drawn = resampling.scores_of_resamples(tables)
        for samples in drawn:
            for a in range(4):
                resampling.interval(samples[a])
                for b in range(a):
                    resampling.paired_bootstrap_p(samples[b], samples[a], 0.01)
        seconds = min(now())
    missed += report(
        "intervals and bootstraps, all pairs", f"{seconds:.2f} s", f"at most {INTERVALS} s", seconds > INTERVALS
    )
    with stopwatch() as now:
        for a in range(3):
            resampling.randomisation_tests(tables, [(a, b) for b in range(a + 1, 4)])
        seconds = min(now())
    missed += report(
        "randomisations, all pairs", f"{seconds:.2f} s", f"at most {RANDOMISATIONS} s", seconds > RANDOMISATIONS
    )

    bleu = [next(table for table in tables if table.metric.key == "bleu")]
    for name, test, least, ours in (
        ("bootstrap", "bs", BOOTSTRAP, lambda: resampling.scores_of_resamples(bleu)),
        ("randomisation", "ar", RANDOMISATION, lambda: resampling.randomisation_tests(bleu, [(0, 1), (0, 2), (0, 3)])),
    ):
        own = []
        for _ in range(5):
            start = time.process_time()
            ours()
            own.append(time.process_time() - start)
        theirs = sacrebleu_test_seconds(texts, test)
        times = theirs / sorted(own)[2]
        numbers = f"{sorted(own)[2]:.3f} s, sacreBLEU {theirs:.2f} s: {times:.0f} times as fast"
        missed += report(f"{name} of a system with three, BLEU", numbers, f"at least {least:.0f} times", times < least)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
