"""Scores of several systems side by side, and what a difference of two is."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from viz.draw import theme

SAME = 0.0005  # scores that are nearer than this are taken for the same: their difference prints as 0.000
Verdict = Literal["better", "worse", "same"]
MARKS = {"better": "▲", "worse": "✕", "same": ""}  # so that colour is never alone
BEST = "★"


def verdict(delta: float, higher_is_better: bool) -> Verdict:
    """What a change of a score by `delta` is: "same" below half a thousandth.

    >>> verdict(0.02, True), verdict(0.02, False), verdict(-0.0004, True)
    ('better', 'worse', 'same')
    """
    if abs(delta) < SAME:
        return "same"
    return "better" if (delta > 0) == higher_is_better else "worse"


def delta_text(delta: float) -> str:
    """A difference of scores as the table prints it: `0` if it rounds to zero.

    >>> delta_text(0.0912), delta_text(-0.086), delta_text(-0.0004)
    ('+0.091', '−0.086', '0')
    """
    return "0" if abs(delta) < SAME else theme.signed(delta)


class Scored(Protocol):
    """Anything with a score: a result, or what a page remembers of one."""

    @property
    def score(self) -> float: ...


class ScoreRow(NamedTuple):
    """A metric's scores, one for each system; None where it could not score one, and `problem` says why."""

    key: str
    label: str
    higher_is_better: bool
    values: tuple[float | None, ...]
    problem: str = ""

    @property
    def delta(self) -> float | None:
        """The second score minus the first; None unless there are both."""
        first, second = self.values[:2] if len(self.values) >= 2 else (None, None)
        return None if first is None or second is None else second - first

    @property
    def gain(self) -> float | None:
        """By how much the second score is better than the first, negative where it is worse; None unless both are."""
        return self.delta if self.delta is None or self.higher_is_better else -self.delta

    @property
    def verdict(self) -> Verdict | None:
        """What the second score is, measured by the first; None unless there are both."""
        return None if self.delta is None else verdict(self.delta, self.higher_is_better)

    @property
    def best(self) -> tuple[int, ...]:
        """The systems with the best score, ties too; none where fewer than two are scored or all are the same."""
        scored = {n: value for n, value in enumerate(self.values) if value is not None}
        if len(scored) < 2:
            return ()
        top = (max if self.higher_is_better else min)(scored.values())
        found = tuple([n for n, value in scored.items() if abs(value - top) < SAME])
        return found if len(found) < len(scored) else ()
