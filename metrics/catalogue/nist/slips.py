"""List the slips that can be made on NIST: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

import math
from typing import Any

from ...teach.mistakes import RawSlips, count_of_words, divide_or_zero, mean_length_phrase
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    stats, parts, orders = result.stats, result.parts, settings.max_order
    c, r, penalty, score = stats["candidate_length"], stats["reference_length"], parts["brevity_penalty"], result.score
    if not score:
        return
    yield score * math.log(2), "Took the natural logarithm: information is counted in bits, with log₂."
    yield score * math.log10(2), "Took the logarithm to base 10: information is counted in bits, with log₂."
    if penalty < 1:
        theirs = mean_length_phrase(result.segment.references, r)
        yield (
            score / penalty,
            f"Forgot the brevity penalty: the candidate has {count_of_words(c)}, fewer than {theirs}.",
        )
        yield score / penalty * math.exp(1 - r / c), "Took BLEU's brevity penalty: NIST has 0.5 to the power of d²."
        d = math.log(r / c, 1.5)
        yield score / penalty * 0.5**d, "Forgot to square d: the penalty is 0.5 to the power of d²."
    information = math.fsum([stats[f"information_{n}"] for n in range(1, orders + 1)])
    if orders > 1:
        yield from mean_slip(score, orders)
        yield (
            penalty * parts["information_1"],
            "Counted only single words: the information of longer n-grams is added.",
        )
        yield (
            penalty * information / c,
            f"Divided every order by the {count_of_words(c)}: each order has one n-gram fewer than the one before.",
        )
    matches = [len(result.layers[n].marks) for n in range(min(orders, len(result.layers)))]
    shares = [divide_or_zero(count, stats[f"total_{n}"]) for n, count in enumerate(matches, 1)]
    yield penalty * math.fsum(shares), "Counted every match as 1: a match counts its information in bits."
    yield penalty * information, "Forgot to divide: each order divides by the number of the candidate's n-grams."
    lengths = [*map(len, result.segment.references)]
    for other in dict.fromkeys([*lengths, sum(lengths)]):
        wrong = 0.5 ** (math.log(max(other / c, 1), 1.5) ** 2)
        if abs(wrong - penalty) > 1e-9:
            yield (
                score / penalty * wrong,
                f"Took {other} for r: NIST takes the references' mean of {count_of_words(r)}.",
            )
    recalls = [divide_or_zero(stats[f"information_{n}"], r - n + 1) for n in range(1, orders + 1)]
    yield penalty * math.fsum(recalls), "Divided by the n-grams of a reference: each order divides by the candidate's."


def mean_slip(score: float, orders: int) -> RawSlips:
    """Yield the score that comes from averaging over the orders instead of adding them up, with an explanation.

    `orders` is the number of n-gram orders.
    END"""
    yield score / orders, f"Took the mean of the {orders} orders: NIST adds them up."
