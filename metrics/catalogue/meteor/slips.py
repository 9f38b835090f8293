"""The slips that can be made on METEOR."""

from __future__ import annotations

from typing import Any

from ...formula import shown
from ...teach.mistakes import Found, again
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> Found:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    p, r, penalty, matches = parts["precision"], parts["recall"], parts["penalty"], stats["matches"]
    if not matches:
        return
    alpha, beta, gamma = settings.alpha, settings.beta, settings.gamma
    mean = p * r / (alpha * p + (1 - alpha) * r)
    if penalty:
        yield mean, f"Forgot the penalty: F is multiplied by 1 − {shown(penalty)}."
        yield mean * penalty, "Multiplied by the penalty: it is taken away, so F is multiplied by 1 − penalty."
        f = parts["fragmentation"]
        yield mean * (1 - f**beta), f"Forgot γ: the penalty is {gamma:g} · fragmentation to the power of {beta:g}."
        yield mean * (1 - gamma * f), f"Forgot β: the penalty takes the fragmentation to the power of {beta:g}."
        fewer = gamma * ((stats["chunks"] - 1) / matches) ** beta
        yield mean * (1 - fewer), f"Counted the breaks between chunks: there are {shown(stats['chunks'])} chunks."
        if matches < stats["candidate_length"]:
            said = "Divided the chunks by the candidate's words: fragmentation divides them by the matches."
            yield mean * (1 - gamma * (stats["chunks"] / stats["candidate_length"]) ** beta), said
    elif stats["whole"]:
        counted = gamma * (1 / matches) ** beta
        yield mean * (1 - counted), "Counted a penalty: there is none where both sentences match whole, in one chunk."
    kept = 1 - penalty
    yield 2 * p * r / (p + r) * kept, f"Took the plain harmonic mean: with α = {alpha:g} recall weighs more."
    swapped = p * r / (alpha * r + (1 - alpha) * p)
    yield swapped * kept, f"Swapped α: F = PR/(αP + (1 − α)R), so that {alpha:g} stands beside P below the line."
    yield p * kept, "Took P for F: F weighs P and R."
    yield r * kept, "Took R for F: F weighs P and R."
    yield (p + r) / 2 * kept, "Took the arithmetic mean of P and R: F = PR/(αP + (1 − α)R)."
    if "stem" in settings.stages and "exact" in settings.stages:
        yield again(metric, result, stages=("exact",)), "Left out the words that match by their stems."
