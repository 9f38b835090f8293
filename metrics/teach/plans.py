"""Defines what the exercises of a metric are made of: settings, numbers of references, and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..types import Result


class ExercisePlan(NamedTuple):
    """The settings of an exercise that are not the defaults, by name, and its number of references."""

    given: Mapping[str, Any]
    references: int = 1


class SeparateCount(NamedTuple):
    """A count that two parts of the score (P and R) may take from different references.

    `label_format` is the label of the count in answers, with a place for the number of the reference. `of` maps the
    name of each such part to its letter in the formula and to the statistic that holds its count."""

    label_format: str
    of: Mapping[str, tuple[str, str]]


class PartQuestion(NamedTuple):
    """The way in which an exercise asks for a part of a score, such as precision.

    Attributes:
        asks: the question.
        label: name of the part in answers.
        step: name of the formula's step that computes it, if it differs from the name of the part.
        slips: function of result and value that returns numbers mistaken for the part, each with a sentence. Other
            parts and the score are added elsewhere.
        fraction: whether a student may turn the fraction round by mistake.
        separate_count: set if the part is a count that may come from several references."""

    asks: str
    label: str
    step: str = ""
    slips: Callable[[Result, float], Iterable[tuple[float, str]]] = lambda result, value: ()
    fraction: bool = True
    separate_count: SeparateCount | None = None


def missed_one_slip(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """Return the number that results if one item is overlooked in a count, with its sentence."""
    return [(value - 1, "There is one more.")] if value > 1 else []


def missed_root_slip(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """Return the number that results if the square root of a part is forgotten, with its sentence."""
    return [(value * value, "Forgot the root.")]


def missed_penalty_slip(result: Result, value: float) -> Iterable[tuple[float, str]]:
    """Return the number that results if the penalty for short candidates is forgotten, with its sentence.

    Returns nothing if there is no penalty."""
    return [(1.0, "It is 1 only if the candidate is not shorter.")] if value < 1 else []


#: Questions for parts that several metrics have, by the name of the part.
PRECISION_AND_RECALL: Mapping[str, PartQuestion] = {
    "precision": PartQuestion("What is P, the precision?", "P", "P"),
    "recall": PartQuestion("What is R, the recall?", "R", "R"),
}
BREVITY_PENALTY: Mapping[str, PartQuestion] = {
    "brevity_penalty": PartQuestion("What is BP, the brevity penalty?", "BP", "BP", missed_penalty_slip)
}
EDITS: Mapping[str, PartQuestion] = {
    "edits": PartQuestion("How many edits are there?", "the number of edits", fraction=False)
}


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans that a metric's exercises at levels 1, 2 and 3 are drawn from, and what is required of their sentences.

    Attributes:
        levels: the possible plans of each level.
        what: name of the optimal answers in the plural, such as "matchings".
        count: returns the number of optimal answers, and whether all are known to have the same score. None if the
            metric itself finds equally good alignments (`Metric.ties`).
        shows: whether a result shows what is peculiar to the metric; if not, another metric would give the same score.
        seldom_tied: whether short sentences hardly ever have several optimal answers, so that none are searched for.
        searching: settings whose program searches for the best alignment, if that of the defaults does not.
        parts: the parts of a score whose value is the same for all optimal answers.
        part_questions: the questions for these parts, by name; other parts are not asked for.
        rivals: whether a part is asked for only if all references with the same score give the same part. False if
            something else than the score decides which reference counts."""

    levels: tuple[Sequence[ExercisePlan], Sequence[ExercisePlan], Sequence[ExercisePlan]]
    what: str
    count: Callable[[Result], tuple[int, bool]] | None = None
    shows: Callable[[Result], bool] = lambda result: True
    seldom_tied: bool = False
    searching: Mapping[str, Any] = field(default_factory=dict)
    parts: Callable[[Result], Mapping[str, float]] = lambda result: result.parts
    part_questions: Mapping[str, PartQuestion] = field(default_factory=dict)
    rivals: bool = True
