"""List the slips that can be made on RIBES: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from typing import Any

from ...formula import format_number
from ...teach.mistakes import RawSlips, reference_name
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    kendall, p, penalty = parts["kendall"], parts["precision"], parts["brevity_penalty"]
    if not kendall:
        return
    alpha, beta = settings.alpha, settings.beta
    rest = p**alpha * penalty**beta
    pairs = stats["concordant"] + stats["discordant"]
    if pairs and stats["discordant"]:
        for number, says in kendall_slips(stats["concordant"], stats["discordant"]):
            yield number * rest, says
    if p < 1:
        yield kendall * penalty**beta, f"Forgot the precision: the share of aligned words, to the power of {alpha:g}."
        yield kendall * p * penalty**beta, f"Forgot α: the precision is taken to the power of {alpha:g}."
    if penalty < 1:
        yield kendall * p**alpha, f"Forgot the brevity penalty, to the power of {beta:g}: the candidate is shorter."
        yield kendall * p**alpha * penalty, f"Forgot β: the brevity penalty is taken to the power of {beta:g}."
    if p < 1 and penalty < 1:
        yield from factor_slips(kendall, p, penalty)
    n, m = stats["candidate_length"], stats["reference_length"]
    if pairs and n * (n - 1) / 2 != pairs:
        share = stats["concordant"] / (n * (n - 1) / 2)
        yield share * rest, "Divided by all pairs of the candidate: only pairs of aligned words have an order."
    for number, says in precision_slip(
        stats["aligned"], n, m, reference_name(result.segment.references, result.decides["score"])
    ):
        yield kendall * number**alpha * penalty**beta, says


def kendall_slips(concordant: float, discordant: float) -> RawSlips:
    """Yield the values that come from taking τ, or the share of discordant pairs, for kendall.

    Each comes with the sentence that explains the mistake. Nothing is yielded if there are no pairs."""
    if pairs := concordant + discordant:
        tau = (concordant - discordant) / pairs
        yield tau, "Took τ as it is: RIBES rescales it from −1 … 1 to 0 … 1, the share of concordant pairs."
        yield discordant / pairs, "Took the share of the discordant pairs: the concordant ones count."


def precision_slip(aligned: float, n: float, m: float, reference: str) -> RawSlips:
    """Yield the value that comes from dividing the aligned words by the reference's length, with an explanation.

    `n` and `m` are the lengths of candidate and reference; `reference` names the reference in the sentence."""
    slip = f"Divided the aligned words by {reference}'s {format_number(m)}"
    yield aligned / m, f"{slip}: p divides by the candidate's {format_number(n)}."


def factor_slips(kendall: float, p: float, penalty: float) -> RawSlips:
    """Yield the scores that come from leaving out precision, brevity penalty or their powers, each with an explanation.

    `kendall`, `p` and `penalty` are the three factors of the score."""
    yield kendall, "That is kendall alone: precision and brevity penalty are factors too."
    yield kendall * p * penalty, "Forgot α and β, the powers of the precision and of the brevity penalty."
