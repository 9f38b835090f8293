"""How the causes of the difference of two corpora read: "longer runs", "fewer matched words".

What is more or less is said where that explains on which side the share stands: more of what is right, or less of what
costs, makes a score better. Where B has more of something that yet counts against it, as long runs in sentences that
say little, it is said that it counts less. A metric whose causes read otherwise says so itself (`Metric.causes`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..types import Cause, Metric, Settings

#: How causes read, in the order of `changes.CAUSES`; `{name}` is which of several statistics it is, such as "2-grams".
CAUSES: Mapping[str, Cause] = {
    "order": Cause("more words out of order", "fewer words out of order", "words out of order", True),
    "matches": Cause("more matched words", "fewer matched words", "matched words"),
    "contiguity": Cause("longer runs", "shorter runs", "runs"),
    "gaps": Cause("less lost to gaps", "more lost to gaps", "words behind gaps"),
    "edits": Cause("more edits", "fewer edits", "edits", True),
    "length": Cause("longer output", "shorter output", "lengths", True),
}

#: What stands for `{name}` where a cause has all of several statistics.
ALL = "n-grams"


def describe_cause(metric: Metric, settings: Settings, cause: str, name: str, share: float, change: float) -> str:
    """A cause with its share of B's score less A's, where B has by `change` more of what it counts than A; `name` tells
    statistics of one cause apart, and is what a value is called that follows from lengths alone.

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
    if cause == "references":  # where they are longer each match and each edit is a smaller part of them
        which = "other" if not change or (change > 0) == (share > 0) else "longer" if change > 0 else "shorter"
        return f"{which} references decide"
    wording = cause_wording(metric, settings, cause)
    if change and (change > 0) == (good != wording.cost):
        return describe_segment_cause(metric, settings, cause, name, share)
    verb, amount = "cost" if wording.cost else "count", "more" if good != wording.cost else "less"
    return f"{wording.noun} that {verb} {amount}".format(name=name or ALL)


def describe_segment_cause(metric: Metric, settings: Settings, cause: str, name: str, share: float) -> str:
    """A cause in a single segment, where there is more of what makes a score better, and less of what makes it worse.

    >>> from metrics import METRICS, settings
    >>> describe_segment_cause(METRICS["per"], settings("per"), "matches", "", -0.01)
    'more matched words'
    """
    wording = cause_wording(metric, settings, cause)
    good = (share > 0) == metric.higher_is_better
    return (wording.more if good != wording.cost else wording.less).format(name=name or ALL)


def cause_wording(metric: Metric, settings: Settings, cause: str) -> Cause:
    """How a cause reads of a metric; KeyError for a penalty and for references, of which nothing is counted."""
    own_causes = metric.causes(settings) if metric.causes else {}
    return own_causes.get(cause) or CAUSES[cause]
