"""The sentence on two systems: which one is better, whether by more than chance, and how often people agreed."""

from __future__ import annotations

from ...text import printable
from ...types import Metric
from ..pairs import SystemPair
from ..patterns import LEVEL
from ..resampling import Interval


def pair_verdict(
    pair: SystemPair, decimals: int, agreed: float | None = None, why: str = "", with_interval: bool = False
) -> str:
    """Return the sentence that says which of two systems is better and whether that is more than chance.

    Chance is decided by the p of randomisation, corrected for all systems; where it is corrected, sacreBLEU's p of
    randomisation stands before it. `why` is a text with the causes of the
    difference (`why.reasons`), which are named for any difference. With `with_interval` the interval of the difference
    is named as well.

    `agreed` is the fraction of pairs of systems with such a difference that people ranked as the metric did; None if it
    is not known (`signatures.agreement`). It is reported only for a difference that is more than chance.
    """
    if not pair.delta:
        return f"{lead_clause((pair.a, pair.b), pair.metric, 0.0, decimals)}."
    p_text = probability_text(pair.p_corrected)
    if pair.others > 1:
        p_text = f"{probability_text(pair.p_randomisation)}, corrected for {pair.others} systems {p_text}"
    lead_from = f"{_interval_text(pair.interval, pair.delta, decimals)}; " if with_interval and pair.interval else ""
    p = f"({lead_from}{p_text})"
    why = f": {why}" if why else ""
    lead_arguments = (pair.a, pair.b), pair.metric, pair.delta, decimals
    if pair.p_corrected >= LEVEL:
        sentence = f"{lead_clause(*lead_arguments)}, which may be chance {p}{why}"
    else:
        sentence = f"{lead_clause(*lead_arguments, 'better than')} {p}{why}{_people_clause(agreed, pair.metric.label)}"
    return sentence if sentence.endswith("…") else f"{sentence}."


def lead_clause(names: tuple[str, str], metric: Metric, delta: float, decimals: int, is_: str = "ahead of") -> str:
    """Return a clause that says which of two systems has the better score, and by how much.

    `delta` is the second system's score less the first one's; `is_` is the phrase between the names, such as "ahead
    of".

    >>> from metrics import METRICS
    >>> lead_clause(("A", "B"), METRICS["ter"], 0.0312, 3), lead_clause(("A", "B"), METRICS["ter"], 0.0, 3)
    ('A is ahead of B by 0.031 TER', 'A and B have the same TER')
    """
    a, b = map(printable, names)
    if not delta:
        return f"{a} and {b} have the same {metric.label}"
    better, worse = (b, a) if (delta > 0) == metric.higher_is_better else (a, b)
    number = f"{abs(delta):.{decimals}f}"
    by = number if float(number) else f"less than {10**-decimals:.{decimals}f}"
    return f"{better} is {is_} {worse} by {by} {metric.label}"


def _interval_text(interval: Interval, delta: float, decimals: int) -> str:
    """Return the interval of the better system's lead as text; a negative end means that it may be behind."""
    ends = sorted([end if delta > 0 else -end for end in interval])
    low, high = (f"{end:.{decimals}f}".replace("-", "−") for end in ends)
    return f"95 % interval {low} to {high}"


def _people_clause(agreed: float | None, label: str) -> str:
    """Return a clause on how often people agreed with the metric `label`; "" if `agreed` is None."""
    if agreed is None:
        return ""
    size, coin = ("small", ", no better than chance") if agreed <= 0.5 else ("large", "")
    part = f"{100 * agreed:.0f} %"
    return f"; people agreed with {label} on about {part} of system pairs with a difference this {size}{coin}"


def probability_text(p: float, name: str = "p") -> str:
    """Return a probability as text, with as many decimals as keep it on its side of the significance level.

    >>> probability_text(0.00009), probability_text(0.0438), probability_text(0.04996), probability_text(0.5)
    ('p < 0.001', 'p = 0.044', 'p = 0.04996', 'p = 0.500')
    """
    if p < 0.001:
        return f"{name} < 0.001"
    digits = 3
    while digits < 8 and (float(f"{p:.{digits}f}") < LEVEL) != (p < LEVEL):
        digits += 1
    return f"{name} = {p:.{digits}f}"
