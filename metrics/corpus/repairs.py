"""Repairs of files with shifted lines: what a repair does, and the score with it and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formula import counted
from ..types import Metric, Segment, Settings, TooHard
from .file_warnings import ComparedColumn
from .jobs import ScoringCorpus
from .shifted_lines import Repair
from .table import table


class RepairOffer(NamedTuple):
    """A possible repair of a system's file.

    Attributes:
        system: the name of the system.
        column: the lines of the file.
        repair: the repair.
        metric: the metric of `scores`.
        scores: the score as the file is and with the repair; None if a segment is too hard for the metric.
    """

    system: str
    column: ComparedColumn
    repair: Repair
    metric: Metric
    scores: tuple[float, float] | None

    @property
    def does(self) -> str:
        """Return what the repair does, as a phrase that follows "with"."""
        return describe_repair(self.repair, self.column)

    def sentence(self, decimals: int) -> str:
        """Return both scores and what the repair does, without a full stop."""
        does = self.does
        if self.scores is None:
            return f"it can be scored with {does}"
        before, after = (f"{score:.{decimals}f}" for score in self.scores)
        return f"{self.metric.label} {before} as it stands, {after} with {does}"


def offers(
    columns: Mapping[str, ComparedColumn],
    texts: ScoringCorpus,
    repairs: Mapping[str, Repair],
    metric: Metric,
    settings: Settings,
) -> list[RepairOffer]:
    """Return each repair, given by the name of the system, with the scores that show its effect."""
    return [
        RepairOffer(name, columns[name], of, metric, _scores(texts, name, of, metric, settings))
        for name, of in repairs.items()
    ]


def _scores(
    texts: ScoringCorpus, name: str, of: Repair, metric: Metric, settings: Settings
) -> tuple[float, float] | None:
    """Return the corpus score of a system as it is and after its repair; None if a segment is too hard."""
    stands = texts.segments(texts.names.index(name))
    right = [*map(Segment, of.apply([segment.candidate for segment in stands], ()), texts.references)]
    try:
        before, after = table(metric, settings, [stands, right]).corpus_scores()
    except TooHard:
        return None
    return float(before), float(after)


def repair_corpus(texts: ScoringCorpus, repairs: Mapping[str, Repair]) -> ScoringCorpus:
    """Return the corpus with the given systems repaired.

    Inserted lines are removed, and the output of a lost line is empty.

    So all systems have the same segments.
    """
    systems = [
        tuple(repairs[name].apply(output, ())) if name in repairs else output
        for name, output in zip(texts.names, texts.systems, strict=True)
    ]
    return texts._replace(systems=tuple(systems))


def describe_repair(of: Repair, column: ComparedColumn) -> str:
    """Return what a repair does, as a phrase that follows "with"; lines have the numbers of the file.

    >>> describe_repair(Repair((0, 2, None), (2,)), ComparedColumn("a.txt", ["one", "too many", "two"], []))
    'line 2 taken out and segment 3 left empty'
    """
    taken_lines = [column.number(line) for line in of.taken_lines]
    out = [f"{_numbers(column.unit, taken_lines)} taken out"] if taken_lines else []
    return " and ".join([*out, *([f"{_numbers('segment', of.empty)} left empty"] if of.empty else [])])


def _numbers(noun: str, numbers: Sequence[int]) -> str:
    """Return up to six numbers as text with their noun; of more only how many they are and the first."""
    if len(numbers) > 6:
        return f"{counted(len(numbers), noun)} from {noun} {numbers[0]} on"
    *first_numbers, last = map(str, numbers)
    return f"{noun}s {', '.join(first_numbers)} and {last}" if first_numbers else f"{noun} {last}"
