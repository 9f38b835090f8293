"""List the slips that can be made on METEOR: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from typing import Any

from ...formula import format_number
from ...teach.mistakes import RawSlips, score_with_settings
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    p, r, penalty, matches = parts["precision"], parts["recall"], parts["penalty"], stats["matches"]
    if not matches:
        return
    alpha, beta, gamma = settings.alpha, settings.beta, settings.gamma
    mean = p * r / (alpha * p + (1 - alpha) * r)
    if penalty:
        yield from forgotten_penalty_slips(mean, penalty)
        for number, says in penalty_slips(parts["fragmentation"], beta, gamma):
            yield mean * (1 - number), says
        fewer = gamma * ((stats["chunks"] - 1) / matches) ** beta
        yield (
            mean * (1 - fewer),
            f"Counted the breaks between chunks: there are {format_number(stats['chunks'])} chunks.",
        )
        if matches < stats["candidate_length"]:
            explanation = "Divided the chunks by the candidate's words: fragmentation divides them by the matches."
            yield mean * (1 - gamma * (stats["chunks"] / stats["candidate_length"]) ** beta), explanation
    elif stats["whole"]:
        counted = gamma * (1 / matches) ** beta
        yield mean * (1 - counted), "Counted a penalty: there is none where one chunk covers both sentences."
    factor = 1 - penalty
    for number, says in mean_slips(p, r, alpha):
        yield number * factor, says
    if "stem" in settings.used and "exact" in settings.used:
        yield score_with_settings(metric, result, stages=("exact",)), "Left out the words that match by their stems."


def mean_slips(p: float, r: float, alpha: float) -> RawSlips:
    """Yield the values that come from computing F wrongly, for example without α, each with an explanation."""
    if not p or not r:
        return
    more = "recall" if alpha > 0.5 else "precision"
    yield 2 * p * r / (p + r), f"Took the plain harmonic mean: with α = {alpha:g} {more} weighs more."
    swapped = p * r / (alpha * r + (1 - alpha) * p)
    yield swapped, f"Swapped α: F = PR/(αP + (1 − α)R), so {alpha:g} multiplies P below the line."
    yield p, "Took P for F: F weighs P and R."
    yield r, "Took R for F: F weighs P and R."
    yield (p + r) / 2, "Took the arithmetic mean of P and R: F = PR/(αP + (1 − α)R)."


def penalty_slips(fragmentation: float, beta: float, gamma: float) -> RawSlips:
    """Yield the penalties that come from forgetting γ or β, each with an explanation."""
    yield fragmentation**beta, f"Forgot γ: the penalty is {gamma:g} · fragmentation to the power of {beta:g}."
    yield gamma * fragmentation, f"Forgot β: the penalty takes the fragmentation to the power of {beta:g}."


def forgotten_penalty_slips(mean: float, penalty: float) -> RawSlips:
    """Yield the scores that come from leaving the penalty out or multiplying by it, each with an explanation.

    `mean` is F, which 1 − penalty multiplies."""
    yield mean, f"Forgot the penalty: F is multiplied by 1 − {format_number(penalty)}."
    yield mean * penalty, "Multiplied by the penalty: F is multiplied by 1 − penalty."
