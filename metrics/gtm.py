"""Runs of matching words; a run of length l counts l to the power of e, so long runs win.

The General Text Matcher of Turian, Shen and Melamed (2003). Hits are cells of the bitext grid whose two words are
equal. A run is a diagonal sequence of hits and its minimum enclosing square is an aligned block. A matching uses no
word twice; its size is (Σ length^e)^(1/e) over its runs (equation 5), and precision and recall divide the size by the
candidate length and by the mean reference length.

>>> from metrics import score
>>> r = score("gtm", "the gunman kill police".split(), ["police killed the gunman".split()])
>>> round(r.score, 4)
0.559
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from .bitext import indexed, long_runs
from .formula import Expr, Number, Power, Product, Quotient, Step, Sum, Terms, step
from .types import Alignment, Layer, Metric, Result, Run, Score, Segment, Settings, f_measure, first_line, setting


@dataclass(frozen=True, slots=True)
class GTMSettings(Settings):
    exponent: float = setting(
        2.0,
        "number",
        "Exponent e",
        "1 counts words; the larger, the more a long run counts.",
        least=1,
        most=90,
        step=0.1,
        shown=(1.0, 3.0),
    )
    solver: str = setting(
        "greedy",
        "choice",
        "Solver",
        "greedy takes the longest free run first, as the authors' program does; exact finds the largest matching.",
        options=("greedy", "exact"),
    )


def greedy_matching(segment: Segment) -> list[Run]:
    """The authors' greedy matching: longest run first, remainders of runs included; before the cap.

    Ties: the later start in the candidate first, then the later start in the concatenated references, as in the
    authors' program. Sorted in the order in which the runs were taken.
    """
    candidate, references = segment
    heap: list[tuple[int, int, int, int]] = []
    for k, reference in enumerate(references):
        heap += [(-length, -i, -k, -j) for length, i, j in long_runs(candidate, indexed(reference))]
    heapify(heap)
    free_rows = (1 << len(candidate)) - 1
    free_columns = [(1 << len(r)) - 1 for r in references]
    out: list[Run] = []
    while heap:
        length, i, k, j = (-v for v in heappop(heap))
        full = (1 << length) - 1
        free = (free_rows >> i) & (free_columns[k] >> j) & full
        if free == full:
            free_rows &= ~(full << i)
            free_columns[k] &= ~(full << j)
            out.append(Run(i, k, j, length))
            continue
        while free:  # what is left of a run is again a run
            start = (free & -free).bit_length() - 1
            rest = free >> start
            size = (~rest & (rest + 1)).bit_length() - 1
            if size > 1:
                heappush(heap, (-size, -i - start, -k, -j - start))
            free &= ~(((1 << size) - 1) << start)
    # Single hits last: the latest candidate word with the latest free place of the same word.
    remaining: dict[str, list[tuple[int, int]]] = {}
    for i in range(len(candidate) - 1, -1, -1):
        if not free_rows >> i & 1:
            continue
        word = candidate[i]
        places = remaining.get(word)
        if places is None:
            places = remaining[word] = [
                (k, j)
                for k, reference in enumerate(references)
                for j in indexed(reference).places.get(word, ())
                if free_columns[k] >> j & 1
            ]
        if places:
            k, j = places.pop()
            out.append(Run(i, k, j, 1))
    return out


def capped(runs: list[Run], cap: float) -> list[Run]:
    """The longest runs with at most `cap` hits in all; the run that crosses the cap is cut, perhaps to a fraction."""
    if sum(run.length for run in runs) <= cap:
        return runs
    out: list[Run] = []
    for run in sorted(runs, key=lambda run: -run.length):
        if cap <= 0:
            break
        length = min(run.length, cap)
        out.append(run if length == run.length else run._replace(length=length))
        cap -= length
    return out


def _align(segment: Segment, settings: GTMSettings) -> Alignment:
    candidate, references = segment
    n, m = len(candidate), sum(map(len, references)) / len(references)
    runs = greedy_matching(segment)
    if len(references) > 1:
        runs = capped(runs, min(n, m))
    credits = tuple([run.length**settings.exponent for run in runs])
    power = math.fsum(credits)
    stats = {
        "match_power": power,
        "match_size": power ** (1 / settings.exponent),
        "candidate_length": n,
        "reference_length": m,
    }
    layer = Layer("blocks", tuple(runs), credits, statistics=("match_power",), area=True)
    return Alignment(stats, (layer,), {})


def _from_stats(stats: Mapping[str, float], settings: GTMSettings) -> Score:
    """Equations 2, 3 and 5. Documents add up sizes and lengths (§2.2), so the size is a statistic of its own."""
    size, n, m = stats["match_size"], stats["candidate_length"], stats["reference_length"]
    precision, recall = size / n if n else 0.0, size / m if m else 0.0
    parts = {"precision": precision, "recall": recall, "match_size": size}
    return Score(f_measure(precision, recall), parts)


def _formula(result: Result) -> tuple[Step, ...]:
    layer, e = result.layers[0], Number(result.settings.to_dict()["exponent"])
    lengths = [Number(run.length) for run in layer.marks if isinstance(run, Run)]
    if e.value == 1:
        size = step("match size", Terms(0, lengths))
    else:
        power = Terms(0, [Power(length, e) for length in lengths])
        root = Quotient(Number(1), e)
        size = step("match size", Power(power, root), Power(Number(power.value), root))
    p = step("P", Quotient(size.number(), Number(result.stats["candidate_length"])))
    r = step("R", Quotient(size.number(), Number(result.stats["reference_length"])), beside=True)
    f: Expr = Quotient(Product(Number(2), p.symbol(), r.symbol()), Sum(p.symbol(), r.symbol()))
    return size, p, r, step("F", f)


METRIC = Metric(
    key="gtm",
    label="GTM",
    name="General Text Matcher",
    idea=first_line(__doc__),
    family="blocks",
    citation="Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX",
    higher_is_better=True,
    pooling="sum",
    Settings=GTMSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
)
