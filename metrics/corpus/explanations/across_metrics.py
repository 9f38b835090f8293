"""The verdict across metrics: how many metrics name which of two systems, and how many of them beyond chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...text import printable
from ...types import Metric, signed
from ..pairs import SystemPair
from ..patterns import LEVEL
from .significance import probability


class Vote(NamedTuple):
    """The verdict of one metric on two systems.

    Attributes:
        metric: the metric.
        delta: B's score less A's.
        p: the p value of the difference; None while it is not tested.
    """

    metric: Metric
    delta: float
    p: float | None

    @property
    def sure(self) -> bool:
        """Return whether the difference is more than chance."""
        return self.p is not None and self.p < LEVEL

    def for_b(self, decimals: int) -> bool | None:
        """Return whether B is better; None where the scores are equal to this many decimals."""
        if not round(abs(self.delta), decimals):
            return None
        return (self.delta > 0) == self.metric.higher_is_better


def vote(pair: SystemPair) -> Vote:
    """Return the vote of a tested pair; its p is that of randomisation, corrected for all systems."""
    return Vote(pair.metric, pair.delta, pair.p_corrected)


class Camp(NamedTuple):
    """The metrics that name the same system, or no system if `name` is "".

    Metrics beyond chance come first; within these and the others, those that most papers report come first.
    """

    name: str
    votes: tuple[Vote, ...]

    @property
    def sure(self) -> int:
        """Return how many of the metrics are beyond chance."""
        return sum([each.sure for each in self.votes])


def camps(names: tuple[str, str], votes: Iterable[Vote], decimals: int) -> list[Camp]:
    """Return the metrics grouped by the system that they name, without empty groups.

    The larger camp comes first; of equal ones the one with more metrics beyond chance, then B's. The metrics that see
    no difference in this many decimals come last.

    >>> from metrics import METRICS
    >>> found = [Vote(METRICS["ter"], -0.02, 0.01), Vote(METRICS["bleu"], 0.01, 0.2), Vote(METRICS["per"], 0.03, 0.001)]
    >>> [(each.name, [vote.metric.key for vote in each.votes], each.sure) for each in camps(("A", "B"), found, 4)]
    [('B', ['ter', 'bleu'], 1), ('A', ['per'], 1)]
    """
    given = sorted(votes, key=_report_order)
    sides = {side: [each for each in given if each.for_b(decimals) is side] for side in (True, False, None)}
    unsorted_camps = [
        Camp("" if side is None else printable(names[side]), tuple(sorted(those, key=lambda each: not each.sure)))
        for side, those in sides.items()
        if those
    ]
    return sorted(unsorted_camps, key=lambda camp: (not camp.name, -len(camp.votes), -camp.sure))


def _report_order(vote: Vote) -> float:
    """Return the sort key that puts the metrics that most papers report first."""
    return vote.metric.reported or math.inf


def lead(names: tuple[str, str], votes: Sequence[Vote], decimals: int) -> str:
    """Return a clause on the metrics that most papers report, such as "chrF and BLEU say B, beyond chance".

    Return "" if none of these metrics is among the votes.
    """
    first = sorted([each for each in votes if each.metric.reported], key=_report_order)
    labels_by_verdict: dict[str, list[str]] = {}
    for each in first:
        labels_by_verdict.setdefault(_vote_clause(names, each, decimals), []).append(each.metric.label)
    parts = [
        f"{' and '.join(labels)} {what.replace('says', 'say', 1) if len(labels) > 1 else what}"
        for what, labels in labels_by_verdict.items()
    ]
    return "; ".join(parts)


def _vote_clause(names: tuple[str, str], vote: Vote, decimals: int) -> str:
    """Return what one metric says of the two systems, as the end of a clause."""
    side = vote.for_b(decimals)
    if side is None:
        return "says that both are the same"
    chance = "" if vote.p is None else ", beyond chance" if vote.sure else ", which may be chance"
    return f"says {printable(names[side])}{chance}"


def camp_text(camp: Camp, of: int | None = None, tested: bool = True) -> str:
    """Return how many metrics are in a camp, and how many of them beyond chance.

    For example "9 of 14 metrics say B, 6 beyond chance".

    `of` is the number of all metrics, if it is to be named. `tested` says whether all metrics are tested; otherwise
    chance is not mentioned.

    >>> from metrics import METRICS
    >>> [camp] = camps(("A", "B"), [Vote(METRICS["ter"], -0.02, 0.01)], 4)
    >>> camp_text(camp, 1), camp_text(camp), camp_text(camp, 1, tested=False)
    ('1 of 1 metric says B, beyond chance', '1 says B, beyond chance', '1 of 1 metric says B')
    """
    size = len(camp.votes)
    head = f"{size}" if of is None else f"{size} of {of} {'metric' if of == 1 else 'metrics'}"
    if not camp.name:
        return f"{head} {'sees' if size == 1 else 'see'} no difference"
    text = f"{head} {'says' if size == 1 else 'say'} {camp.name}"
    if not tested:
        return text
    if camp.sure == size:
        return f"{text}, {'all ' if size > 1 else ''}beyond chance"
    return f"{text}, {camp.sure or 'none'} beyond chance" if size > 1 else f"{text}, which may be chance"


def sentence(names: tuple[str, str], votes: Sequence[Vote], decimals: int) -> str:
    """Return the verdict of all metrics: first of those that most papers report, then how many name which system.

    The metrics of all camps but the first are named. Where some metrics are not tested, chance is not mentioned. Return
    "" without metrics.

    "chrF and BLEU say New, beyond chance. 9 of 14 metrics say New, 6 beyond chance; 5 say Old, none beyond chance:
    NIST, PER, ..."
    """
    all_camps = [*camps(names, votes, decimals)]
    if not all_camps:
        return ""
    tested = all(each.p is not None for each in votes)
    camps_text = "; ".join(_camp_sentences(all_camps, len(votes), tested))
    first = lead(names, votes, decimals)
    return f"{first}. {camps_text}." if first else f"{camps_text}."


def _camp_sentences(all_camps: Sequence[Camp], of: int, tested: bool) -> Iterator[str]:
    """Yield a clause for each camp, with the names of the metrics for all but the first."""
    for number, camp in enumerate(all_camps):
        text = camp_text(camp, None if number else of, tested)
        yield f"{text}: {', '.join([each.metric.label for each in camp.votes])}" if number else text


def vote_text(vote: Vote, decimals: int) -> str:
    """Return a metric's difference and p as text, such as "+0.0119, p = 0.020".

    The difference goes from the worse system to the better one.
    """
    change = -vote.delta if vote.for_b(decimals) is False else vote.delta
    change_text = signed(change, decimals) if round(abs(change), decimals) else "0"
    return change_text if vote.p is None else f"{change_text}, {probability(vote.p)}"
