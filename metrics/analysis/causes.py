"""Wordings of the causes that make the scores of two corpora differ: "longer runs", "fewer matched words".

A cause is worded as more or less of something if that explains the sign of its share: more of what is right, or less of
what costs, makes a score better. If B has more of something that yet counts against it, such as long runs in sentences
with little weight, the wording is that it counts less. A metric can define its own wordings (`Metric.causes`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..types import Cause, Metric, Settings

#: The wordings of the causes, in the order of `changes.CAUSES`. `{name}` is the statistic's name, such as "2-grams".
CAUSES: Mapping[str, Cause] = {
    "order": Cause("more words out of order", "fewer words out of order", "words out of order", True),
    "matches": Cause("more matched words", "fewer matched words", "matched words"),
    "contiguity": Cause("longer runs", "shorter runs", "runs"),
    "gaps": Cause("less lost to gaps", "more lost to gaps", "words after gaps"),
    "edits": Cause("more edits", "fewer edits", "edits", True),
    "length": Cause("longer output", "shorter output", "lengths", True),
}

#: The text for `{name}` if a cause covers several statistics.
ALL = "n-grams"


def describe_cause(metric: Metric, settings: Settings, cause: str, name: str, share: float, change: float) -> str:
    """Return the wording of a cause of the difference between two corpora, such as "fewer matched words".

    `share` is what the cause contributes to B's score minus A's. `change` is how much more B has than A of what the
    cause counts. `name` says which of several statistics with this cause is meant, such as "2-grams"; for a value that
    follows from lengths alone, it is the value's name.

    >>> from metrics import METRICS, settings
    >>> describe_cause(METRICS["gtm"], settings("gtm"), "contiguity", "", -0.01, -3), describe_cause(
    ...     METRICS["wer"], settings("wer"), "edits", "", -0.01, -3
    ... )
    ('shorter runs', 'fewer edits')
    >>> describe_cause(METRICS["gtm"], settings("gtm"), "matches", "", -0.01, 2)
    'matched words that count less'
    """
    good = (share > 0) == metric.higher_is_better
    if cause == "penalty":
        return f"{'less' if good else 'more'} {name or 'penalty'}"
    if cause == "references":  # in a longer reference, each match and each edit is a smaller part
        which = "other" if not change or (change > 0) == (share > 0) else "longer" if change > 0 else "shorter"
        return f"{which} references decide"
    wording = cause_wording(metric, settings, cause)
    if change and (change > 0) == (good != wording.cost):
        return describe_segment_cause(metric, settings, cause, name, share)
    verb, amount = "cost" if wording.cost else "count", "more" if good != wording.cost else "less"
    return f"{wording.noun} that {verb} {amount}".format(name=name or ALL)


def describe_segment_cause(metric: Metric, settings: Settings, cause: str, name: str, share: float) -> str:
    """Return the wording of a cause in a single segment, such as "more matched words".

    In a single segment, more of something always makes the score better if it is right, and worse if it costs. So only
    the sign of `share` decides whether the wording says more or less. `name` says which of several statistics with this
    cause is meant.

    >>> from metrics import METRICS, settings
    >>> describe_segment_cause(METRICS["per"], settings("per"), "matches", "", -0.01)
    'more matched words'
    """
    wording = cause_wording(metric, settings, cause)
    good = (share > 0) == metric.higher_is_better
    return (wording.more if good != wording.cost else wording.less).format(name=name or ALL)


def cause_wording(metric: Metric, settings: Settings, cause: str) -> Cause:
    """Return the wordings of a cause for a metric: the metric's own ones, or else those of CAUSES.

    Raises KeyError for "penalty" and "references", since these causes count nothing.
    """
    own_causes = metric.causes(settings) if metric.causes else {}
    return own_causes.get(cause) or CAUSES[cause]
