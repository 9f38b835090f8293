"""The slips that can be made on chrF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...teach.mistakes import Found, again, of_beta, of_f, ratio
from ...teach.slips import APART
from ...types import Metric, Result, f_measure
from .program import Against, Counts


def slips(metric: Metric, result: Result) -> Found:
    settings: Any = result.settings
    if not result.score:
        return
    against = Against(result.segment, settings, result.decides["score"])
    kept = [each for each in against.counts if each.both]
    beta = settings.beta
    if settings.eps_smoothing:
        said = "Took one F of the mean precision and the mean recall: epsilon smoothing takes the mean of an F of each."
        yield again(metric, result, eps_smoothing=False), said
    else:
        yield from _of_means(result, kept, beta)
    if not settings.whitespace:
        yield again(metric, result, whitespace=True), "Counted the spaces: chrF counts letters without them."
    else:
        yield again(metric, result, whitespace=False), "Left the spaces out: here a space is a letter, too."
    if settings.char_order > 1:
        yield again(metric, result, char_order=1), "Counted single letters alone: letters in a row count as well."
    if settings.word_order:
        yield again(metric, result, word_order=0), "Left the words out: they are further orders here, as in chrF++."
    kinds = [(ours, {*theirs}) for ours, theirs in against.grams]
    loose = [sum([gram in theirs for gram in ours]) for ours, theirs in kinds]
    if not settings.eps_smoothing and loose != [each.match for each in against.counts]:
        some = [each._replace(match=many) for each, many in zip(against.counts, loose, strict=True) if each.both]
        p, r = _mean([each.match / each.ours for each in some]), _mean([each.match / each.theirs for each in some])
        yield f_measure(p, r, beta), "Counted an n-gram too often: each counts as often as the side that has fewer."


def _of_means(result: Result, kept: Sequence[Counts], beta: float) -> Found:
    """What is taken for the F of the mean precision and the mean recall."""
    p, r = result.parts["precision"], result.parts["recall"]
    yield from of_f(p, r, ("the candidate's n-grams", "the reference's"), beta)
    yield from of_beta(p, r, beta)
    if len(kept) > 1:
        each = _mean([f_measure(one.precision, one.recall, beta) for one in kept])
        said = "Took the mean of an F of each order: chrF takes the means of P and R first, then one F."
        yield from _apart(result, each, said)
        matches = sum([one.match for one in kept])
        p, r = ratio(matches, sum([one.ours for one in kept])), ratio(matches, sum([one.theirs for one in kept]))
        said = "Added the n-grams of all orders up: each order has a precision and a recall."
        yield from _apart(result, f_measure(p, r, beta), said)


def _apart(result: Result, value: float, said: str) -> Found:
    """A slip, but where it comes so near to the score that an exercise could not tell the two apart."""
    if abs(value - result.score) >= APART:
        yield value, said


def _mean(values: list[float]) -> float:
    return sum(values) / (len(values) or 1)
