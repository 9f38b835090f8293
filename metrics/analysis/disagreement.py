"""Where two metrics disagree about a translation, why: one sees a side of it that is good, the other one that is not.

What each sees and says of it is its own (`Metric.sights`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from ..types import Metric, Result, Sight

APART = 0.35  # by which qualities differ at least
GOOD, BAD = 0.8, 0.6  # what a side that is good has at least, and one that is not at most
HIGH, LOW = 0.7, 0.5  # the least quality of a score that is called good, and the most of one that is not


class Disagreement(NamedTuple):
    """The metrics that disagree, the one that finds the translation good first, and why in a sentence."""

    good: str
    bad: str
    says: str


def disagreement(
    metrics: Mapping[str, Metric], results: Mapping[str, Result], numbers: Sequence[int] = ()
) -> Disagreement | None:
    """Of the metrics of some results of one segment, by their keys, the two that disagree most and can say why; None
    where none do.

    The one finds good what it sees, the other does not because of a side that the first does not find bad: neither says
    what the other one denies. Of equal differences the first in the order of the results counts. `numbers` are those
    by which the references are called, 1, 2 … where there are none.
    """
    qualities = {key: quality(metrics[key], result) for key, result in results.items()}
    sights = {
        key: tuple(see(result)) if (see := metrics[key].sights) and qualities[key] is not None else ()
        for key, result in results.items()
    }
    widest_pair, widest = None, APART
    for good, bad in permutations(results, 2):
        high, low = qualities[good], qualities[bad]
        if high is None or low is None or high < HIGH or low > LOW or high - low < widest:
            continue
        if (why := _why(sights[good], sights[bad])) and (widest_pair is None or high - low > widest):
            widest_pair, widest = (good, bad, why), high - low
    if not widest_pair:
        return None
    good, bad, why = widest_pair
    return Disagreement(good, bad, _sentence(metrics, results[good], results[bad], *why, numbers))


def quality(metric: Metric, result: Result) -> float | None:
    """How good a score says that a translation is, from 0 to 1; None where scores have no highest value."""
    if not metric.higher_is_better:
        return max(0.0, 1.0 - result.score)
    return result.score / metric.most if metric.most < float("inf") else None


def _why(good: tuple[Sight, ...], bad: tuple[Sight, ...]) -> tuple[Sight, Sight] | None:
    """The best side that the one sees, and the worst that the other sees, unless one of them sees both otherwise."""
    best = max([sight for sight in good if sight.high], key=lambda sight: sight.value, default=None)
    worst = min(bad, key=lambda sight: sight.value, default=None)
    if not best or not worst or best.value < GOOD or worst.value > BAD or not worst.low:
        return None
    denied = {sight.of for sight in good if sight.value <= BAD}, {sight.of for sight in bad if sight.value <= BAD}
    return None if worst.of in denied[0] or best.of in denied[1] else (best, worst)


def _sentence(
    metrics: Mapping[str, Metric], good: Result, bad: Result, best: Sight, worst: Sight, numbers: Sequence[int]
) -> str:
    """Both scores, and what they come from; with which reference, where each is decided by another one."""
    scores = []
    for result in (good, bad):
        metric = metrics[result.metric]
        less = "" if metric.higher_is_better else " (lower is better)"
        scores.append(f"{metric.label} {result.score:.2f}{less}")
    deciding_numbers = [_reference(metrics, result) for result in (good, bad)]
    reference_numbers = numbers or range(1, len(good.segment.references) + 1)
    reference_phrases = [
        f" with reference {reference_numbers[k]}"
        if k is not None and deciding_numbers[0] != deciding_numbers[1]
        else ""
        for k in deciding_numbers
    ]
    return f"{' but '.join(scores)}: {best.high}{reference_phrases[0]}, {worst.low}{reference_phrases[1]}."


def _reference(metrics: Mapping[str, Metric], result: Result) -> int | None:
    """The one reference of several that decides a score, None where more have a part in it."""
    penalty = metrics[result.metric].length_penalty
    decide = {k for part, k in result.decides.items() if part != penalty}
    return decide.pop() if len(decide) == 1 and len(result.segment.references) > 1 else None
