"""List the slips that can be made on SIA: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...formula import format_number
from ...teach.mistakes import RawSlips, mean_length_phrase
from ...types import Hit, Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    stats, score, a = result.stats, result.score, settings.decay
    n, m, penalty = stats["candidate_length"], stats["mean_reference_length"], result.parts["length_penalty"]
    if not n or not score:
        return
    rounds = [stats[f"gain_{number}"] for number in range(1, len(result.layers) + 1)]
    if settings.iterative and settings.schedule == "geometric" and a != 1:
        yield score / a, f"Counted the first round fully: it is multiplied by α = {a:g} too."
        yield penalty * sum(rounds) / n, f"Forgot the decay: round r counts {a:g} to the power of r."
        if len(rounds) > 1:
            yield (
                penalty * a * sum(rounds) / n,
                f"Multiplied every round by {a:g}: round r counts {a:g} to the power of r.",
            )
            yield penalty * a * rounds[0] / n, f"Stopped after the first round: there are {len(rounds)}."
    if penalty < 1:
        yield from penalty_slip(score, penalty, n, m)
    yield (
        score * n / m,
        f"Divided by {mean_length_phrase(result.segment.references, m)}: a round divides by the candidate's "
        f"{format_number(n)}.",
    )
    firsts = [next(iter(layer.cells())) for layer in result.layers]
    if any(cell.i or cell.j for cell in firsts):
        measured = _weighted_gain(result, lambda s, d, e: s / math.sqrt(d * e), 0)
        yield (
            penalty * measured / n,
            "Measured the first gap from the first words: it starts just before both sentences.",
        )
    yield penalty * _weighted_gain(result, lambda s, d, e: s / (d * e)) / n, "Forgot the root: a cell earns 1/√(Δi·Δj)."
    yield penalty * _weighted_gain(result, lambda s, d, e: s) / n, "Forgot the gaps: a cell earns 1/√(Δi·Δj), not 1."
    mean = _weighted_gain(result, lambda s, d, e: 2 * s / (d + e))
    if abs(mean - stats["weighted_gain"]) > 1e-9:
        yield penalty * mean / n, "Took the mean of the two gaps: √(Δi·Δj) counts."


def penalty_slip(score: float, penalty: float, n: float, m: float) -> RawSlips:
    """Yield the score that comes from forgetting the length penalty, with the sentence that explains the mistake.

    `n` is the candidate's length, and `m` the references' mean length."""
    yield score / penalty, f"Forgot the length penalty {format_number(n)}/{format_number(m)}: the candidate is shorter."


def _weighted_gain(result: Result, credit: Callable[[float, int, int], float], start: int = -1) -> float:
    """Return the sum of all rounds' weighted credits if a cell's credit is `credit(similarity, rows, columns)`.

    `rows` and `columns` are the distances to the cell before in the chain, at least 1; a chain's first cell is measured
    from position `start` in both sentences."""
    total = 0.0
    for layer in result.layers:
        i, j, last = -1, -1, (start, start)
        for mark, worth in zip(layer.marks, layer.credits, strict=True):
            if isinstance(mark, Hit):
                likeness = worth * math.sqrt((mark.i - i) * (mark.j - j))
                i, j = mark.i, mark.j
                total += layer.weight * credit(likeness, max(i - last[0], 1), max(j - last[1], 1))
                last = i, j
    return total
