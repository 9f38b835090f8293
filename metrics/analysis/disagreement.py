"""Explains why two metrics disagree about a translation: one measures a good side of it, the other one a bad side.

A side is an aspect of the translation, such as word choice or word order. Each metric defines which ones it measures
and how they are worded (`Metric.sights`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from ..types import MeasuredAspect, Metric, Result

APART = 0.35  # the smallest difference of two qualities that counts as a disagreement
GOOD, BAD = 0.8, 0.6  # a good side has at least the first value, a bad side at most the second
HIGH, LOW = 0.7, 0.5  # the quality of a good score is at least the first value, that of a bad one at most the second


class Disagreement(NamedTuple):
    """Two metrics that disagree about a segment, by key: the one with the good score, the other one, and the reason."""

    good: str
    bad: str
    says: str


def disagreement(
    metrics: Mapping[str, Metric], results: Mapping[str, Result], numbers: Sequence[int] = ()
) -> Disagreement | None:
    """Return the two metrics that disagree most about a segment and can explain it, or None.

    `results` are results of one segment by metric key. A metric rates aspects of an output, such as its words, their
    order or its length. The first metric rates every aspect that it measures as good. The second rates an aspect as bad
    that the first does not measure, or does not rate as bad, so that neither contradicts the other. On ties the first
    pair in the order of the results counts. `numbers` are the numbers that the reader sees for the
    references, by default 1, 2 …
    """
    qualities = {key: score_quality(metrics[key], result) for key, result in results.items()}
    sights = {
        key: tuple(see(result)) if (see := metrics[key].sights) and qualities[key] is not None else ()
        for key, result in results.items()
    }
    widest_pair, widest = None, APART
    for good, bad in permutations(results, 2):
        high, low = qualities[good], qualities[bad]
        if high is None or low is None or high < HIGH or low > LOW or high - low < widest:
            continue
        if (why := _opposite_sights(sights[good], sights[bad])) and (widest_pair is None or high - low > widest):
            widest_pair, widest = (good, bad, why), high - low
    if not widest_pair:
        return None
    good, bad, why = widest_pair
    return Disagreement(good, bad, _disagreement_sentence(metrics, results[good], results[bad], *why, numbers))


def score_quality(metric: Metric, result: Result) -> float | None:
    """Return how good a translation is according to its score, from 0 to 1, or None if scores have no upper limit."""
    if not metric.higher_is_better:
        return max(0.0, 1.0 - result.score)
    return result.score / metric.most if metric.most < float("inf") else None


def _opposite_sights(
    good: tuple[MeasuredAspect, ...], bad: tuple[MeasuredAspect, ...]
) -> tuple[MeasuredAspect, MeasuredAspect] | None:
    """Return the best side of the translation that the first metric sees, and the worst side that the second sees.

    `good` and `bad` are all the sides that each metric measures. None if one of the two sides is not good or bad
    enough, or if either metric contradicts the other about them.
    """
    best = max([sight for sight in good if sight.high], key=lambda sight: sight.value, default=None)
    worst = min(bad, key=lambda sight: sight.value, default=None)
    if not best or not worst or best.value < GOOD or worst.value > BAD or not worst.low:
        return None
    denied = {sight.of for sight in good if sight.value <= BAD}, {sight.of for sight in bad if sight.value <= BAD}
    return None if worst.of in denied[0] or best.of in denied[1] else (best, worst)


def _disagreement_sentence(
    metrics: Mapping[str, Metric],
    good: Result,
    bad: Result,
    best: MeasuredAspect,
    worst: MeasuredAspect,
    numbers: Sequence[int],
) -> str:
    """Return a sentence with both scores and the reasons for them.

    `best` is the good side of the translation that the first metric sees, `worst` the bad side that the second sees.
    The sentence names the references if different ones decide the scores; `numbers` are the numbers shown for them.
    """
    scores = []
    for result in (good, bad):
        metric = metrics[result.metric]
        less = "" if metric.higher_is_better else " (lower is better)"
        scores.append(f"{metric.label} {result.score:.2f}{less}")
    deciding_numbers = [_deciding_reference(metrics, result) for result in (good, bad)]
    reference_numbers = numbers or range(1, len(good.segment.references) + 1)
    reference_phrases = [
        f" with reference {reference_numbers[k]}"
        if k is not None and deciding_numbers[0] != deciding_numbers[1]
        else ""
        for k in deciding_numbers
    ]
    return f"{' but '.join(scores)}: {best.high}{reference_phrases[0]}, {worst.low}{reference_phrases[1]}."


def _deciding_reference(metrics: Mapping[str, Metric], result: Result) -> int | None:
    """Return the index of the single reference that decides a score.

    None if several references decide, or if there is only one reference.
    """
    penalty = metrics[result.metric].length_penalty
    decide = {k for part, k in result.decides.items() if part != penalty}
    return decide.pop() if len(decide) == 1 and len(result.segment.references) > 1 else None
