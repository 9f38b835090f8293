"""Format scores of several systems side by side, and say whether a difference of two scores is better or worse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from metrics.analysis.worth import SAME

from ..pen.numbers import change_text

DECIMALS = 3  # default number of decimals of printed scores
Verdict = Literal["better", "worse", "same"]
MARKS = {"better": "▲", "worse": "✕", "same": ""}  # signs, so that nothing is told by colour alone
BEST = "★"


def verdict(delta: float, higher_is_better: bool, decimals: int = DECIMALS) -> Verdict:
    """Return whether a change of a score by `delta` is an improvement.

    It is "same" where the change is printed as zero; with three decimals that is below half a thousandth.

    >>> verdict(0.02, True), verdict(0.02, False), verdict(-0.0004, True)
    ('better', 'worse', 'same')
    """
    if abs(delta) < _equality_threshold(decimals):
        return "same"
    return "better" if (delta > 0) == higher_is_better else "worse"


def _equality_threshold(decimals: int) -> float:
    return SAME * 10.0 ** (DECIMALS - decimals)


def delta_text(delta: float, decimals: int = DECIMALS) -> str:
    """Return a difference of scores as the table prints it, or "0" where it rounds to zero.

    >>> delta_text(0.0912), delta_text(-0.086), delta_text(-0.0004)
    ('+0.091', '−0.086', '0')
    """
    return "0" if abs(delta) < _equality_threshold(decimals) else change_text(delta, decimals)


def better_direction(higher_is_better: bool) -> tuple[str, str]:
    """Return which scores of a metric are better, as an arrow and in words.

    >>> better_direction(True), better_direction(False)
    (('↑', 'higher is better'), ('↓', 'lower is better'))
    """
    return ("↑", "higher is better") if higher_is_better else ("↓", "lower is better")


def short_names(names: Sequence[str], most: int = 18) -> list[str]:
    """Return the names, each cut to at most `most` characters, so that different names stay different.

    A name is cut at the end, in the middle, or around the first character in which it differs from all others; the
    first cut that keeps it different is chosen. Names that are the same get a number in front.

    >>> short_names(["baseline", "submission-2021-run-1", "submission-2021-run-2"])
    ['baseline', 'subm…2021-run-1', 'subm…2021-run-2']
    >>> short_names(["A", "A", "a name that runs on and on, and ends"])
    ['1: A', '2: A', 'a name that runs …']
    """
    out = []
    for name in names:
        others = [other for other in names if other != name]
        differs = max([_common_prefix_length(name, other) for other in others], default=0)
        out.append(_first_distinct_cut(name, others, _name_cutters(most, differs)) if len(name) > most else name)
    return number_duplicates(out)


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names, with a number in front of each name that occurs more than once."""
    count = Counter(names)
    return [name if count[name] == 1 else f"{number}: {name}" for number, name in enumerate(names, 1)]


def _common_prefix_length(name: str, other: str) -> int:
    """Return the length of the common prefix of two names."""
    return next((n for n, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))


def _name_cutters(most: int, differs: int) -> list[Callable[[str], str]]:
    """Return functions that cut a name to `most` characters: at its end, in its middle, or around its difference.

    `differs` is the length of the longest prefix that the name shares with another name."""
    head, start = 4, max(4, differs - 2)
    rest = most - head - 1
    return [
        lambda name: name if len(name) <= most else name[: most - 1] + "…",
        lambda name: name if len(name) <= most else f"{name[:head]}…{_from_word_start(name[-rest:])}",
        lambda name: f"{name[:head]}…{name[start : start + rest - 1]}…",
    ]


def _from_word_start(end: str) -> str:
    """Return the end of a name, which may begin within a word, from the next word on.

    Where no word starts in its first half, all of it is returned, so that it does not become too short."""
    starts = re.search(r"[\W_]", end[: len(end) // 2])
    return end[starts.end() :] if starts else end


def _first_distinct_cut(name: str, others: Sequence[str], cuts: Sequence[Callable[[str], str]]) -> str:
    """Return the name as shortened by the first function of `cuts` that makes it differ from the shortened `others`.

    Where none does, the last function shortens it."""
    return next((cut(name) for cut in cuts if cut(name) not in map(cut, others)), cuts[-1](name))


class ScoreHolder(Protocol):
    """Any object that has a score, such as a result or a page's record of a result."""

    @property
    def score(self) -> float: ...


class ScoreRow(NamedTuple):
    """The scores of one metric, one for each system.

    `key` and `label` are those of the metric. A value is None where the metric could not score the system; `problem`
    then says why."""

    key: str
    label: str
    higher_is_better: bool
    values: tuple[float | None, ...]
    problem: str = ""

    @property
    def delta(self) -> float | None:
        """Return the score of the second system minus that of the first, or None unless both exist."""
        first, second = self.values[:2] if len(self.values) >= 2 else (None, None)
        return None if first is None or second is None else second - first

    @property
    def verdict(self) -> Verdict | None:
        """Return whether the second system's score is better than the first system's, or None unless both exist."""
        return None if self.delta is None else verdict(self.delta, self.higher_is_better)

    @property
    def best(self) -> tuple[int, ...]:
        """Return the indices of the systems with the best score, including ties.

        The result is empty where fewer than two systems are scored or all scores are the same."""
        scored = {n: value for n, value in enumerate(self.values) if value is not None}
        if len(scored) < 2:
            return ()
        top = (max if self.higher_is_better else min)(scored.values())
        best_systems = tuple([n for n, value in scored.items() if abs(value - top) < SAME])
        return best_systems if len(best_systems) < len(scored) else ()
