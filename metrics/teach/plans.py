"""What exercises of a metric are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..types import Result


class ExercisePlan(NamedTuple):
    """Settings that are not the defaults, and the number of references."""

    given: Mapping[str, Any]
    references: int = 1


class SeparateCount(NamedTuple):
    """A count that several parts take from the reference which decides each of them: what it is called with that
    reference's number, and by the name of each of these parts its letter and the statistic that it takes."""

    label_format: str
    of: Mapping[str, tuple[str, str]]


class PartQuestion(NamedTuple):
    """How a part of a score is asked for: the question, and what the part is called where it is told.

    `step` is the name of the formula's step that makes it, where that is another one than the part's. `slips(result,
    value)` gives numbers that are taken for it, with the sentences that name them, beside other parts and the score. A
    `fraction` may be turned round by mistake. `separate_count` is of a count that need not be of one reference.
    """

    asks: str
    label: str
    step: str = ""
    slips: Callable[[Result, float], Iterable[tuple[float, str]]] = lambda result, value: ()
    fraction: bool = True
    separate_count: SeparateCount | None = None


def one_more(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """The slip of a count of which one was overlooked."""
    return [(value - 1, "There is one more.")] if value > 1 else []


def squared(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """The slip of a part that is a square root."""
    return [(value * value, "Forgot the root.")]


def unpunished(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """The slip of a penalty for candidates that are shorter."""
    return [(1.0, "It would be 1 if the candidate were not shorter.")] if value < 1 else []


#: Parts of several metrics, by their names.
PRECISION_AND_RECALL: Mapping[str, PartQuestion] = {
    "precision": PartQuestion("What is P, the precision?", "P", "P"),
    "recall": PartQuestion("What is R, the recall?", "R", "R"),
}
BREVITY_PENALTY: Mapping[str, PartQuestion] = {
    "brevity_penalty": PartQuestion("What is BP, the brevity penalty?", "BP", "BP", unpunished)
}
EDITS: Mapping[str, PartQuestion] = {
    "edits": PartQuestion("How many edits are there?", "the number of edits", fraction=False)
}


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

    `parts(result)` are the parts of a score that have one value whatever optimal answer is found; those are asked for
    that `part_questions` has, by their names. `rivals` says that a part is only asked for where all references that
    give the same score give the same part; not so where another thing than the score decides which of them counts.
    """

    levels: tuple[Sequence[ExercisePlan], Sequence[ExercisePlan], Sequence[ExercisePlan]]
    what: str
    count: Callable[[Result], tuple[int, bool]] | None = None
    shows: Callable[[Result], bool] = lambda result: True
    seldom_tied: bool = False
    searching: Mapping[str, Any] = field(default_factory=dict)
    parts: Callable[[Result], Mapping[str, float]] = _parts
    part_questions: Mapping[str, PartQuestion] = field(default_factory=dict)
    rivals: bool = True
