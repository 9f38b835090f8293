"""List the slips that can be made on chrF: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...teach.mistakes import RawSlips, beta_slips, divide_or_zero, f_slips, score_with_settings
from ...teach.slips import APART
from ...types import Metric, Result, f_measure
from .program import ChrFComparison, OrderCounts


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    if not result.score:
        return
    against = ChrFComparison(result.segment, settings, result.decides["score"])
    counted_orders = [each for each in against.counts if each.both_have_ngrams]
    beta = settings.beta
    if settings.eps_smoothing:
        explanation = (
            "Took one F of the mean precision and recall: epsilon smoothing takes the mean of the F of each order."
        )
        yield score_with_settings(metric, result, eps_smoothing=False), explanation
    else:
        yield from _mean_slips(result, counted_orders, beta)
    if not settings.whitespace:
        yield (
            score_with_settings(metric, result, whitespace=True),
            "Counted the spaces: chrF counts letters without them.",
        )
    else:
        yield (
            score_with_settings(metric, result, whitespace=False),
            "Left the spaces out: here a space is a letter, too.",
        )
    if settings.char_order > 1:
        yield (
            score_with_settings(metric, result, char_order=1),
            "Counted only single letters: letters in a row count as well.",
        )
    if settings.word_order:
        yield (
            score_with_settings(metric, result, word_order=0),
            "Left the words out: here they are additional orders, as in chrF++.",
        )
    kinds = [(ours, {*theirs}) for ours, theirs in against.grams]
    loose = [sum([gram in theirs for gram in ours]) for ours, theirs in kinds]
    if not settings.eps_smoothing and loose != [each.match for each in against.counts]:
        loose_counts = [
            each._replace(match=many) for each, many in zip(against.counts, loose, strict=True) if each.both_have_ngrams
        ]
        p, r = (
            _arithmetic_mean([each.match / each.ours for each in loose_counts]),
            _arithmetic_mean([each.match / each.theirs for each in loose_counts]),
        )
        yield f_measure(p, r, beta), "Counted an n-gram too often: each counts as often as on the side that has fewer."


def _mean_slips(result: Result, counted_orders: Sequence[OrderCounts], beta: float) -> RawSlips:
    """Yield the scores that come from computing F otherwise than from the mean precision and the mean recall.

    Each comes with the sentence that explains the mistake. `counted_orders` are the n-gram counts of the orders that
    count."""
    p, r = result.parts["precision"], result.parts["recall"]
    yield from f_slips(p, r, ("the candidate's n-grams", "the reference's"), beta)
    yield from beta_slips(p, r, beta)
    if len(counted_orders) > 1:
        each = _arithmetic_mean([f_measure(one.precision, one.recall, beta) for one in counted_orders])
        explanation = "Took the mean of the F of each order: chrF takes the means of P and R first, then one F."
        yield from _distinct_slip(result, each, explanation)
        matches = sum([one.match for one in counted_orders])
        p, r = (
            divide_or_zero(matches, sum([one.ours for one in counted_orders])),
            divide_or_zero(matches, sum([one.theirs for one in counted_orders])),
        )
        explanation = "Added up the n-grams of all orders: each order has its own precision and recall."
        yield from _distinct_slip(result, f_measure(p, r, beta), explanation)


def _distinct_slip(result: Result, value: float, explanation: str) -> RawSlips:
    """Yield a mistaken `value` and its `explanation`, unless the value is so near the score that they look equal."""
    if abs(value - result.score) >= APART:
        yield value, explanation


def _arithmetic_mean(values: list[float]) -> float:
    return sum(values) / (len(values) or 1)
