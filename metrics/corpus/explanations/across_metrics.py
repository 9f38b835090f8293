"""The verdict across metrics on two systems: how many metrics call which system better, and how many beyond chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...text import printable
from ...types import Metric, signed_text
from ..pairs import SystemPair
from ..patterns import LEVEL
from .segments import ROUNDING
from .significance import probability_text


class Vote(NamedTuple):
    """The verdict of one metric on the systems A and B.

    Attributes:
        metric: the metric.
        delta: B's score less A's.
        p: the p value of the difference; None while it is not tested.
    """

    metric: Metric
    delta: float
    p: float | None

    @property
    def is_beyond_chance(self) -> bool:
        """Return whether the difference of this vote is more than chance; False while it is not tested."""
        return self.p is not None and self.p < LEVEL

    @property
    def calls_b_better(self) -> bool | None:
        """Return whether this metric calls B better; None where both scores are the same.

        A difference that is printed as zero still counts; only a rounding error does not.
        """
        if abs(self.delta) < ROUNDING:
            return None
        return (self.delta > 0) == self.metric.higher_is_better


def vote_of_pair(pair: SystemPair) -> Vote:
    """Return the vote of a tested pair of systems; its p is that of randomisation, corrected for all systems."""
    return Vote(pair.metric, pair.delta, pair.p_corrected)


class Camp(NamedTuple):
    """The metrics that call the same system better; if `name` is "", the metrics that see no difference.

    `votes` has the metrics beyond chance first, and among each kind first those that most papers report.
    """

    name: str
    votes: tuple[Vote, ...]

    @property
    def count_beyond_chance(self) -> int:
        """Return how many metrics of this camp are beyond chance."""
        return sum([each.is_beyond_chance for each in self.votes])


def group_into_camps(names: tuple[str, str], votes: Iterable[Vote]) -> list[Camp]:
    """Return the metrics grouped by the system that they call better, the largest camp first.

    Of equally large camps, the one with more metrics beyond chance comes first, then B's. The metrics that see no
    difference come last. There are no empty camps. `names` are the names of A and B.

    >>> from metrics import METRICS
    >>> found = [Vote(METRICS["ter"], -0.02, 0.01), Vote(METRICS["bleu"], 0.01, 0.2), Vote(METRICS["per"], 0.03, 0.001)]
    >>> camps = group_into_camps(("A", "B"), found)
    >>> [(camp.name, [vote.metric.key for vote in camp.votes], camp.count_beyond_chance) for camp in camps]
    [('B', ['ter', 'bleu'], 1), ('A', ['per'], 1)]
    """
    given = sorted(votes, key=_report_order)
    sides = {side: [each for each in given if each.calls_b_better is side] for side in (True, False, None)}
    unsorted_camps = [
        Camp(
            "" if side is None else printable(names[side]),
            tuple(sorted(those, key=lambda each: not each.is_beyond_chance)),
        )
        for side, those in sides.items()
        if those
    ]
    return sorted(unsorted_camps, key=lambda camp: (not camp.name, -len(camp.votes), -camp.count_beyond_chance))


def _report_order(vote: Vote) -> float:
    """Return the key that sorts votes so that the metrics that most papers report come first."""
    return vote.metric.reported or math.inf


def main_metrics_clause(names: tuple[str, str], votes: Sequence[Vote]) -> str:
    """Return a clause on the metrics that most papers report, such as "chrF and BLEU prefer B, beyond chance".

    Return "" if none of these metrics has a vote.
    """
    first = sorted([each for each in votes if each.metric.reported], key=_report_order)
    labels_by_verdict: dict[str, list[str]] = {}
    for each in first:
        labels_by_verdict.setdefault(_vote_clause(names, each), []).append(each.metric.label)
    parts = [
        f"{' and '.join(labels)} {what.replace('prefers', 'prefer', 1) if len(labels) > 1 else what}"
        for what, labels in labels_by_verdict.items()
    ]
    return "; ".join(parts)


def _vote_clause(names: tuple[str, str], vote: Vote) -> str:
    """Return what one metric says of two systems, to follow its name, such as "prefers B, beyond chance"."""
    side = vote.calls_b_better
    if side is None:
        return "prefers neither"
    chance = "" if vote.p is None else ", beyond chance" if vote.is_beyond_chance else ", which may be chance"
    return f"prefers {printable(names[side])}{chance}"


def camp_text(camp: Camp, metric_count: int | None = None, tested: bool = True) -> str:
    """Return how many metrics are in a camp, such as "9 of 14 metrics prefer B, 6 beyond chance".

    `metric_count` is the number of all metrics, named if it is given. `tested` says whether all metrics are tested;
    otherwise chance is not mentioned.

    >>> from metrics import METRICS
    >>> [camp] = group_into_camps(("A", "B"), [Vote(METRICS["ter"], -0.02, 0.01)])
    >>> camp_text(camp, 1), camp_text(camp), camp_text(camp, 1, tested=False)
    ('1 of 1 metric prefers B, beyond chance', '1 prefers B, beyond chance', '1 of 1 metric prefers B')
    """
    size = len(camp.votes)
    head = (
        f"{size}"
        if metric_count is None
        else f"{size} of {metric_count} {'metric' if metric_count == 1 else 'metrics'}"
    )
    if not camp.name:
        return f"{head} {'sees' if size == 1 else 'see'} no difference"
    text = f"{head} {'prefers' if size == 1 else 'prefer'} {camp.name}"
    if not tested:
        return text
    if camp.count_beyond_chance == size:
        return f"{text}, {'all ' if size > 1 else ''}beyond chance"
    return f"{text}, {camp.count_beyond_chance or 'none'} beyond chance" if size > 1 else f"{text}, which may be chance"


def verdict_across_metrics(names: tuple[str, str], votes: Sequence[Vote]) -> str:
    """Return the verdict of all metrics on two systems.

    It first says what the metrics that most papers report say, then how many metrics call which system better. The
    metrics of all camps but the first are named. Where some metrics are not tested, chance is not mentioned. Return ""
    without metrics.

    "chrF and BLEU prefer B, beyond chance. 9 of 14 metrics prefer B, 6 beyond chance; 5 prefer A, none beyond chance:
    NIST, PER, ..."
    """
    all_camps = [*group_into_camps(names, votes)]
    if not all_camps:
        return ""
    tested = all(each.p is not None for each in votes)
    camps_text = "; ".join(_camp_clauses(all_camps, len(votes), tested))
    first = main_metrics_clause(names, votes)
    return f"{first}. {camps_text}." if first else f"{camps_text}."


def _camp_clauses(all_camps: Sequence[Camp], metric_count: int, tested: bool) -> Iterator[str]:
    """Yield a clause for each camp; all but the first name their metrics.

    `metric_count` is the number of all metrics."""
    for number, camp in enumerate(all_camps):
        text = camp_text(camp, None if number else metric_count, tested)
        yield f"{text}: {', '.join([each.metric.label for each in camp.votes])}" if number else text


def vote_text(vote: Vote, decimals: int) -> str:
    """Return a metric's difference and p as text, such as "+0.0119, p = 0.020".

    The difference goes from the worse system to the better one, so it is negative for an error rate.
    """
    change = -vote.delta if vote.calls_b_better is False else vote.delta
    change_text = signed_text(change, decimals) if round(abs(change), decimals) else "0"
    if change_text == "0" and vote.calls_b_better is not None:
        change_text = f"less than {10**-decimals:.{decimals}f}"
    return change_text if vote.p is None else f"{change_text}, {probability_text(vote.p)}"
