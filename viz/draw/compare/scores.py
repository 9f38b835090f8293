"""Scores of several systems side by side, and what a difference of two is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from metrics.analysis.worth import SAME

from ..pen import theme

DECIMALS = 3  # that scores are printed with unless more are asked for
Verdict = Literal["better", "worse", "same"]
MARKS = {"better": "▲", "worse": "✕", "same": ""}  # so that colour is never alone
BEST = "★"


def verdict(delta: float, higher_is_better: bool, decimals: int = DECIMALS) -> Verdict:
    """What a change of a score by `delta` is: "same" where it is printed as zero, below half a thousandth.

    >>> verdict(0.02, True), verdict(0.02, False), verdict(-0.0004, True)
    ('better', 'worse', 'same')
    """
    if abs(delta) < _equality_threshold(decimals):
        return "same"
    return "better" if (delta > 0) == higher_is_better else "worse"


def _equality_threshold(decimals: int) -> float:
    return SAME * 10.0 ** (DECIMALS - decimals)


def delta_text(delta: float, decimals: int = DECIMALS) -> str:
    """A difference of scores as the table prints it: `0` if it rounds to zero.

    >>> delta_text(0.0912), delta_text(-0.086), delta_text(-0.0004)
    ('+0.091', '−0.086', '0')
    """
    return "0" if abs(delta) < _equality_threshold(decimals) else theme.change_text(delta, decimals)


def direction(higher_is_better: bool) -> tuple[str, str]:
    """Which scores of a metric are better, as a sign and in words.

    >>> direction(True), direction(False)
    (('↑', 'higher is better'), ('↓', 'lower is better'))
    """
    return ("↑", "higher is better") if higher_is_better else ("↓", "lower is better")


def short_names(names: Sequence[str], most: int = 18) -> list[str]:
    """The names in at most `most` characters each, cut where that leaves them different: at the end, in the middle, or
    around the first character in which a name differs from all others. Names that are the same get their numbers.

    >>> short_names(["baseline", "submission-2021-run-1", "submission-2021-run-2"])
    ['baseline', 'subm…2021-run-1', 'subm…2021-run-2']
    >>> short_names(["A", "A", "a name that runs on and on, and ends"])
    ['1: A', '2: A', 'a name that runs …']
    """
    out = []
    for name in names:
        others = [other for other in names if other != name]
        differs = max([_shared(name, other) for other in others], default=0)
        out.append(_distinct(name, others, _cuts(most, differs)) if len(name) > most else name)
    return number_duplicates(out)


def number_duplicates(names: Sequence[str]) -> list[str]:
    """The names, those that are the same with their numbers."""
    count = Counter(names)
    return [name if count[name] == 1 else f"{number}: {name}" for number, name in enumerate(names, 1)]


def _shared(name: str, other: str) -> int:
    """With how many equal characters two names start."""
    return next((n for n, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))


def _cuts(most: int, differs: int) -> list[Callable[[str], str]]:
    """The ways to cut a name, the best first; `differs` is where it stops to be like another."""
    head, start = 4, max(4, differs - 2)
    rest = most - head - 1
    return [
        lambda name: name if len(name) <= most else name[: most - 1] + "…",
        lambda name: name if len(name) <= most else f"{name[:head]}…{_from_a_word(name[-rest:])}",
        lambda name: f"{name[:head]}…{name[start : start + rest - 1]}…",
    ]


def _from_a_word(end: str) -> str:
    """The end of a name from where a word of it starts, if one does in its first half."""
    starts = re.search(r"[\W_]", end[: len(end) // 2])
    return end[starts.end() :] if starts else end


def _distinct(name: str, others: Sequence[str], cuts: Sequence[Callable[[str], str]]) -> str:
    """The name in the first cut that no other name shares, in the last one where all do."""
    return next((cut(name) for cut in cuts if cut(name) not in map(cut, others)), cuts[-1](name))


class ScoreHolder(Protocol):
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
        best_systems = tuple([n for n, value in scored.items() if abs(value - top) < SAME])
        return best_systems if len(best_systems) < len(scored) else ()
