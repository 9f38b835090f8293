"""The reasons why a metric gives two outputs the same score.

Its errors are equally many, its statistics are equal, both scores are 0, or the difference is too small to be printed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..types import Metric, Result

#: "errors": an error rate counts as many errors in both; "zero": both scores are 0; "counts": all statistics are equal;
#: "less": the scores differ by less than is printed; "chance": different statistics give the same score.
Reason = Literal["errors", "zero", "counts", "less", "chance"]

EQUAL = 1e-12  # scores that differ by less count as the same: the difference is rounding


class EqualScoreReason(NamedTuple):
    """The reason why two scores are the same, and, for error rates, the number of errors that both outputs have."""

    reason: Reason
    errors: int | None = None


def equal_score_reason(metric: Metric, before: Result, after: Result) -> EqualScoreReason:
    """Return the reason why two results have scores that are printed as the same number.

    >>> from metrics import METRICS, score
    >>> a, b = (score("wer", words.split(), ["a b c d".split()]) for words in ("a b x d", "a b c y"))
    >>> equal_score_reason(METRICS["wer"], a, b)
    EqualScoreReason(reason='errors', errors=1)
    """
    if abs(after.score - before.score) > EQUAL:
        return EqualScoreReason("less")
    counts = [count_errors(metric, result) for result in (before, after)]
    if counts[0] is not None and counts[0] == counts[1]:
        return EqualScoreReason("errors", counts[0])
    if not before.score and not after.score:
        return EqualScoreReason("zero")
    return EqualScoreReason("counts" if dict(before.stats) == dict(after.stats) else "chance")


def count_errors(metric: Metric, result: Result) -> int | None:
    """Return how many errors an error rate counts in a result.

    It is the score times the length that it is divided by. None if the metric is not an error rate with a single such
    length, or if the product is not a whole number.
    """
    lengths = [value for name, value in result.stats.items() if metric.role(name).kind == "reference length"]
    if metric.higher_is_better or len(lengths) != 1:
        return None
    errors = result.score * lengths[0]
    return round(errors) if abs(errors - round(errors)) < 1e-6 else None
