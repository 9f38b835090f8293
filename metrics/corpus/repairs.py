"""The repairs of files with shifted lines: what a repair does, and the scores with it and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formula import count_with_noun
from ..types import Metric, Segment, Settings, TooHard
from .file_warnings import ComparedColumn
from .jobs import ScoringCorpus
from .shifted_lines import Repair
from .table import score_table


class RepairOffer(NamedTuple):
    """A repair of a system's file that is possible, with the scores that show its effect.

    Attributes:
        system: the name of the system.
        column: the lines of its file.
        repair: the lines that are moved, removed or left empty.
        metric: the metric of `scores`.
        scores: the corpus score of the file as it is, and of the repaired file; None if a segment is too hard for the
            metric.
    """

    system: str
    column: ComparedColumn
    repair: Repair
    metric: Metric
    scores: tuple[float, float] | None

    @property
    def does(self) -> str:
        """Return what this repair does, as a phrase that follows "with"."""
        return describe_repair(self.repair, self.column)

    def sentence(self, decimals: int) -> str:
        """Return a sentence with both scores and what this repair does, without a full stop."""
        does = self.does
        if self.scores is None:
            return f"it can be scored with {does}"
        before, after = (f"{score:.{decimals}f}" for score in self.scores)
        return f"{self.metric.label} {before} as it is, {after} with {does}"


def make_repair_offers(
    columns: Mapping[str, ComparedColumn],
    texts: ScoringCorpus,
    repairs: Mapping[str, Repair],
    metric: Metric,
    settings: Settings,
) -> list[RepairOffer]:
    """Return an offer for each repair, with the system's corpus scores by `metric` before and after it.

    `columns` and `repairs` are given by the names of the systems; `texts` are the words of the whole corpus.
    """
    return [
        RepairOffer(name, columns[name], of, metric, _scores_before_and_after(texts, name, of, metric, settings))
        for name, of in repairs.items()
    ]


def _scores_before_and_after(
    texts: ScoringCorpus, name: str, file_repair: Repair, metric: Metric, settings: Settings
) -> tuple[float, float] | None:
    """Return a system's corpus score as it is and after the repair `file_repair`; None if a segment is too hard."""
    stands = texts.segments(texts.names.index(name))
    right = [*map(Segment, file_repair.apply([segment.candidate for segment in stands], ()), texts.references)]
    try:
        before, after = score_table(metric, settings, [stands, right]).corpus_scores()
    except TooHard:
        return None
    return float(before), float(after)


def repair_corpus(texts: ScoringCorpus, repairs: Mapping[str, Repair]) -> ScoringCorpus:
    """Return the corpus with the repairs applied to the systems that they name.

    Inserted lines are removed, and a segment whose line was lost gets an empty output. So all systems keep the same
    segments.
    """
    systems = [
        tuple(repairs[name].apply(output, ())) if name in repairs else output
        for name, output in zip(texts.names, texts.systems, strict=True)
    ]
    return texts._replace(systems=tuple(systems))


def describe_repair(file_repair: Repair, column: ComparedColumn) -> str:
    """Return what the repair `file_repair` does to the file `column`, as a phrase that follows "with".

    Lines have the numbers that the file gives them.

    >>> describe_repair(Repair((0, 2, None), (2,)), ComparedColumn("a.txt", ["one", "too many", "two"], []))
    'line 2 taken out and segment 3 left empty'
    """
    taken_lines = [column.number(line) for line in file_repair.taken_lines]
    out = [f"{_numbers_text(column.unit, taken_lines)} taken out"] if taken_lines else []
    return " and ".join(
        [
            *out,
            *(
                [f"{_numbers_text('segment', file_repair.empty_segments)} left empty"]
                if file_repair.empty_segments
                else []
            ),
        ]
    )


def _numbers_text(noun: str, numbers: Sequence[int]) -> str:
    """Return numbers as text with their noun; of more than six numbers only their count and the first."""
    if len(numbers) > 6:
        return f"{count_with_noun(len(numbers), noun)} from {noun} {numbers[0]} on"
    *first_numbers, last = map(str, numbers)
    return f"{noun}s {', '.join(first_numbers)} and {last}" if first_numbers else f"{noun} {last}"
