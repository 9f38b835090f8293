"""What exercises of a metric are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..types import Result


class Plan(NamedTuple):
    """Settings that are not the defaults, and the number of references."""

    given: Mapping[str, Any]
    references: int = 1


def _parts(result: Result) -> Mapping[str, float]:
    return result.parts


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans of the levels 1, 2 and 3, one of which an exercise takes, and what is asked of its sentences.

    `what` names the optimal answers where there are several ("matchings"). `count(result)` says how many there are and
    whether all are known to have the same score; None where the metric itself finds its `ties`. `shows(result)` says
    whether a result shows what is peculiar to the metric, without which another metric would give the score.
    `seldom_tied` metrics leave hardly anything open in sentences of this length, so that none are looked for in which
    several answers are optimal. `searching` are settings whose program searches for the best alignment, and asks for
    it as a drawing, where the defaults have another program.

    `parts(result)` are the parts of a score that have one value whatever optimal answer is found. `rivals` says that a
    part is only asked for where all references that give the same score give the same part; not so where another thing
    than the score decides which of them counts. `joined(result)` are candidate words that the metric may match with
    other words than equal ones.
    """

    levels: tuple[Sequence[Plan], Sequence[Plan], Sequence[Plan]]
    what: str
    count: Callable[[Result], tuple[int, bool]] | None = None
    shows: Callable[[Result], bool] = lambda result: True
    seldom_tied: bool = False
    searching: Mapping[str, Any] = field(default_factory=dict)
    parts: Callable[[Result], Mapping[str, float]] = _parts
    rivals: bool = True
    joined: Callable[[Result], set[int]] = lambda result: set()
