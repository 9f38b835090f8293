"""Which of two systems is better, whether that is more than chance, and how often people agreed."""

from __future__ import annotations

from ...text import printable
from ..pairs import Pair
from ..patterns import LEVEL


def verdict(pair: Pair, decimals: int, agreed: float | None = None) -> str:
    """What a pair says, in a sentence: what is more than chance goes by randomisation, corrected for all systems.

    `agreed` is the part of pairs of systems with such a difference that people ranked as the metric did, None where
    that is not known (`signatures.agreement`). It is told only of a difference that is more than chance.
    """
    a, b, label = printable(pair.a), printable(pair.b), pair.metric.label
    if not pair.delta:
        return f"{a} and {b} have the same {label}."
    better, worse = (b, a) if (pair.delta > 0) == pair.metric.higher_is_better else (a, b)
    number = f"{abs(pair.delta):.{decimals}f}"
    by = f"{number if float(number) else f'less than {10**-decimals:.{decimals}f}'} {label}"
    corrected = f", corrected for {pair.others} systems" if pair.others > 1 else ""
    p = f"({probability(pair.p_corrected)}{corrected})"
    if pair.p_corrected >= LEVEL:
        return f"{better} is ahead of {worse} by {by}, which may be chance {p}."
    return f"{better} is better than {worse} by {by} {p}{_people(agreed, label)}."


def _people(agreed: float | None, label: str) -> str:
    if agreed is None:
        return ""
    size, coin = ("small", ", as a coin does") if agreed <= 0.5 else ("large", "")
    part = f"{100 * agreed:.0f} %"
    return f"; of system pairs with a difference this {size} people agreed with {label} on about {part}{coin}"


def probability(p: float, name: str = "p") -> str:
    """A probability with as many decimals as it needs to stand on the right side of the level.

    >>> probability(0.00009), probability(0.0438), probability(0.04996), probability(0.5)
    ('p < 0.001', 'p = 0.044', 'p = 0.04996', 'p = 0.500')
    """
    if p < 0.001:
        return f"{name} < 0.001"
    digits = 3
    while digits < 8 and (float(f"{p:.{digits}f}") < LEVEL) != (p < LEVEL):
        digits += 1
    return f"{name} = {p:.{digits}f}"
