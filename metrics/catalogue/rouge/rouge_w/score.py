"""The common sequence of words in which k consecutive words count k to the power of w.

A common sequence in the same order falls into runs of words that are consecutive in both sentences. Each run counts
its length to the power of w, and WLCS is the sum; n and m are the lengths of candidate and reference.

    WLCS = Σ length^w
    P = (WLCS / n^w)^(1/w),  R = (WLCS / m^w)^(1/w)
    F = (1 + β²) · P · R / (R + β² · P)

The published procedure takes every match that it meets and can thus miss its own maximum, which the optimal one
finds. Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

Rewards: order and closeness at once. Against "A B C D E F G", "A B C D H I K" scores 0.571 and "A H B K C I D" only
0.454, where ROUGE-L gives both 0.571.

Cannot see: what is outside the one sequence, so that a phrase that was moved counts nothing. Nor how wide a gap is:
one inserted word breaks a run just as five do.

Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
Skip-Bigram Statistics, section 3.3 (equations 10 to 12).

>>> from metrics import score
>>> [score("rouge_w", ["a", "b"], [["a", "b", "b"]], weight=2.0, variant=v).parts["wlcs"]
...  for v in ("published", "optimal")]
[2.0, 4.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from ....alignment.bitext import indexed
from ....alignment.lcs import Stretch, wlcs_optimal, wlcs_published, wlcs_upper_bounds
from ....formula import Expr, Number, Power, number_of, setting_number
from ....types import (
    Account,
    Layer,
    MeasuredAspect,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    TooHard,
    runs_aspect,
    setting,
    words_aspect,
)
from ....types.work import limited
from ..kind import RougeAmounts, RougeKind, RougeLayer, beta_setting, f_measure_setting, multi_reference_setting
from ..score import align, counts_of_one_reference, describe_words_in_order, from_stats
from ..score import why as of_shares


@dataclass(frozen=True, slots=True)
class RougeWSettings(Settings):
    """The settings of ROUGE-W: how runs are weighted, and how P, R and F are computed from them."""

    weight: float = setting(
        1.2,
        "number",
        "Weight w of consecutive words",
        "k consecutive words count k to the power of w; 1 is ROUGE-L.",
        least=1,
        most=20,
        step=0.1,
        slider_range=(1, 3),
    )
    variant: str = setting(
        "published",
        "choice",
        "Procedure",
        "published takes every match, as printed in the paper; optimal finds the true maximum.",
        options=("published", "optimal"),
    )
    beta: float = beta_setting()
    f_measure: str = f_measure_setting()
    multi_reference: str = multi_reference_setting()


def _wlcs_amounts(segment: Segment, settings: RougeWSettings) -> RougeAmounts:
    candidate, references = segment
    weight = settings.weight
    wlcs = wlcs_published if settings.variant == "published" else wlcs_optimal
    paths: dict[int, list[Stretch]] = {}
    worths: dict[int, list[float]] = {}

    def find(k: int) -> float:
        paths[k] = wlcs(candidate, indexed(references[k]), weight)
        worths[k] = [length**weight for _, _, length in paths[k]]
        return math.fsum(worths[k])

    def draw(k: int) -> list[RougeLayer]:
        runs = tuple([Run(i, k, j, length) for i, j, length in paths[k]])
        return [RougeLayer("WLCS", runs, tuple(worths[k]), "run")]

    if len(references) == 1 or settings.multi_reference in ("sum", "jackknife"):
        return RougeAmounts([*map(find, range(len(references)))], draw, {})
    limited: dict[int, Callable[[], float]] = {k: partial(find, k) for k in range(len(references))}
    return RougeAmounts(wlcs_upper_bounds(candidate, references, weight), draw, limited)


def _weighted_total(length: float, settings: RougeWSettings) -> float:
    return float(length**settings.weight)


def _noun_and_length(layer: Layer, length: int, settings: RougeWSettings) -> tuple[str, float | None]:
    """Return what a layer's credits count, and how many of it the sentence has: ("word", its length).

    With a weight above 1 it is ("", None), because credits are then powers, which count nothing."""
    return ("word", length) if settings.weight == 1 else ("", None)


def _total_expression(length: int, settings: RougeWSettings) -> Expr:
    if settings.weight != 1:
        return Power(Number(length), setting_number(settings.weight))
    return number_of(_weighted_total(length, settings), "word")


KIND = RougeKind(
    "WLCS",
    "wlcs",
    _wlcs_amounts,
    _weighted_total,
    _total_expression,
    _noun_and_length,
    weight=lambda settings: settings.weight,
    path=True,
    area=True,
)


#: The most steps of work that `remark` may take.
REMARK_WORK = 500_000


def remark(result: Result) -> str:
    """Return a sentence with both WLCS values if the published procedure misses the maximum; else "".

    Empty too if finding out would take more than `REMARK_WORK` steps."""
    chosen = cast(RougeWSettings, result.settings)
    try:
        with limited(REMARK_WORK):
            published, optimal = (
                _score_with_settings(result.segment, replace(chosen, variant=v)) for v in ("published", "optimal")
            )
    except TooHard:
        return ""
    if optimal.parts["wlcs"] <= published.parts["wlcs"] * (1 + 1e-12):
        return ""
    return (
        f"The published procedure finds a WLCS of {published.parts['wlcs']:.3f} and scores {published.score:.3f}; "
        f"the largest possible is {optimal.parts['wlcs']:.3f}, for a score of {optimal.score:.3f}."
    )


def _score_with_settings(segment: Segment, settings: RougeWSettings) -> Score[Any]:
    return from_stats(KIND, align(KIND, segment, settings, False).stats, settings)


def why(cause: str, result: Result) -> str:
    """Return why an amount in a ledger is not a whole number: runs are weighted, or "jackknife" averages references."""
    runs = "of WLCS: a run of words counts its length to the power of the weight"
    if result.settings.to_dict()["multi_reference"] != "jackknife" or len(result.segment.references) == 1:
        return runs
    if cause == "matches":
        return of_shares(cause, result)
    return f"{runs}, and a reference by its share of the leave-one-out sets in which it is best"


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains ROUGE-W.

    They say how many words the subsequence has and, if long runs count more, in how many runs."""
    return describe_words_in_order(result, result.settings.to_dict()["weight"] > 1)


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that ROUGE-W measures of a translation, from 0 to 1: how long the subsequence's runs are."""
    runs = [run for layer in result.layers for run in layer.marks if isinstance(run, Run)]
    if counts_of_one_reference(result) is None or not runs:
        return ()
    lengths = [len(run.cells()) for run in runs]
    n, m = len(result.segment.candidate), len(result.segment.references[runs[0].k])
    words = words_aspect(sum(lengths), n, m)
    return (runs_aspect(min(1.0, result.score / words.value), lengths),)
