"""List the slips that can be made on BLEU: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

import math
from typing import Any

from ...formula import format_number
from ...teach.mistakes import RawSlips, count_of_words, divide_or_zero
from ...teach.ngrams import ngrams
from ...types import Metric, Result, brevity


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    stats, parts, orders = result.stats, result.parts, settings.max_order
    c, r, penalty = stats["candidate_length"], stats["reference_length"], result.parts["brevity_penalty"]
    precisions = [parts[f"precision_{n}"] for n in range(1, orders + 1)]
    if not result.score:
        return
    mean = _geometric_mean(precisions)
    if penalty < 1:
        theirs = "reference" if len(result.segment.references) == 1 else "reference of the closest length"
        yield (
            mean,
            f"Forgot the brevity penalty: the candidate has {format_number(c)} words, the {theirs} {format_number(r)}.",
        )
        yield mean * math.exp(1 - c / r), "Inverted r/c: the penalty is exp(1 − r/c)."
        yield mean * c / r, "Took c/r for the penalty: it is exp(1 − r/c)."
        yield mean * math.exp(c - r), "Took exp(c − r) for the penalty: it is exp(1 − r/c)."
    elif c > r > 0:
        yield mean * math.exp(1 - r / c), "Rewarded a long candidate: the penalty is at most 1."
        yield mean * math.exp(1 - c / r), "Punished a long candidate: where c is at least r, the penalty is 1."
    if orders > 1:
        yield from mean_slips(precisions, penalty)
        yield penalty * precisions[0], "Counted only single words: longer n-grams count as well."
        yield penalty * precisions[-1], f"Counted only the {orders}-grams: shorter ones count as well."
        flat = _geometric_mean([stats[f"match_{n}"] / c for n in range(1, orders + 1)])
        yield (
            penalty * flat,
            f"Divided every order by the {count_of_words(c)}: each order has one n-gram fewer than the one before.",
        )
    yield from _clipping_slips(result, precisions, penalty)
    yield from _length_slips(result, mean)


def mean_slips(precisions: list[float], penalty: float) -> RawSlips:
    """Yield the scores that come from a wrong mean of the precisions: the arithmetic mean, or the plain product.

    Each comes with the sentence that explains the mistake. `precisions` has at least one value; `penalty` is the
    brevity penalty."""
    orders = len(precisions)
    explanation = "Took the arithmetic mean of the precisions: BLEU takes the root of their product."
    yield penalty * math.fsum(precisions) / orders, explanation
    explanation = f"Forgot the root: the product of {orders} precisions is taken to the power of 1/{orders}."
    yield penalty * math.prod(precisions), explanation


def _clipping_slips(result: Result, precisions: list[float], penalty: float) -> RawSlips:
    candidate, references = result.segment
    unclipped = []
    for n in range(1, len(precisions) + 1):
        reference_ngrams = {ngram for reference in references for ngram in ngrams(reference, n)}
        ours = ngrams(candidate, n)
        unclipped.append(sum([ngram in reference_ngrams for ngram in ours]) / len(ours) if ours else 0.0)
    if any(a > b + 1e-9 for a, b in zip(unclipped, precisions, strict=True)):
        yield (
            penalty * _geometric_mean(unclipped),
            "Counted a repeated n-gram too often: it counts at most as often as a reference has it.",
        )


def _length_slips(result: Result, mean: float) -> RawSlips:
    """Yield the scores that come from dividing by the reference's n-grams, or from using a wrong reference length.

    Each comes with the sentence that explains the mistake. `mean` is the geometric mean of the precisions."""
    stats, references = result.stats, result.segment.references
    c, r = stats["candidate_length"], stats["reference_length"]
    lengths = [*map(len, references)]
    if len(references) == 1 and lengths[0] != c:
        settings: Any = result.settings
        orders = settings.max_order
        recalls = [divide_or_zero(stats[f"match_{n}"], lengths[0] - n + 1) for n in range(1, orders + 1)]
        divisor = f"the candidate's {count_of_words(c)}"
        explanation = f"Divided by the reference's n-grams: the precisions divide by those of {divisor}."
        yield result.parts["brevity_penalty"] * _geometric_mean(recalls), explanation
    why = f"the reference whose length is closest to {format_number(c)} has {count_of_words(r)}"
    if (also := 2 * c - r) != r and also in lengths:
        lengths_text = f"{format_number(r)} and {format_number(also)}"
        why = f"{lengths_text} are equally close to {format_number(c)}, and then the shorter length counts"
    for other in dict.fromkeys([*lengths, math.fsum(lengths) / len(lengths), sum(lengths)]):
        if other != r and brevity(c, other) != brevity(c, r):
            yield brevity(c, other) * mean, f"Took {format_number(other)} for r: {why}."


def _geometric_mean(values: list[float]) -> float:
    """Return the geometric mean of `values`; 0 if one of them is 0 or there are none."""
    return math.prod(values) ** (1 / len(values)) if values and all(values) else 0.0
