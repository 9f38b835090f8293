"""The metrics that have no score for a corpus: if a segment cannot be scored, the whole metric has no score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .tasks import LostSegments, TooHardSegment

#: How many segments a sentence names.
NAMED = 10


class MissingMetric(NamedTuple):
    """A metric that has no score for a corpus, with the reasons.

    Attributes:
        metric: the key of the metric.
        hard: the outputs that are too hard for the metric.
        lost: the ranges of segments over which a worker process died twice.
    """

    metric: str
    hard: tuple[TooHardSegment, ...]
    lost: tuple[LostSegments, ...]

    def reason_sentence(
        self, files: Sequence[str], number: Callable[[int, int], int] = lambda system, segment: segment + 1
    ) -> str:
        """Return a sentence, without its full stop, on why the metric has no score.

        `files` are the names of the systems' files. `number` returns the line in the file, given the indices of a
        system and a segment.

        >>> hard = tuple([TooHardSegment("gtm", 0, segment, "too long") for segment in (6, 8)])
        >>> MissingMetric("gtm", hard, ()).reason_sentence(["a.txt"])
        'gtm has no score: a.txt, lines 7, 9: too long'
        """
        lines: dict[tuple[int, str], list[int]] = {}
        for each in self.hard:
            lines.setdefault((each.system, each.why), []).append(number(each.system, each.segment))
        why = [
            f"{files[system]}, {_line_numbers_text(numbers)}: {reason}" for (system, reason), numbers in lines.items()
        ]
        why += [f"lines {each.start + 1} to {each.end} of {', '.join(files)}: {DIED_TWICE}" for each in self.lost]
        return f"{self.metric} has no score: {'; '.join(why)}"

    def to_dict(self, systems: Sequence[str]) -> dict[str, object]:
        """Return this record as plain values for JSON; `systems` are the systems' names, and segments count from 0."""
        hard = [{"system": systems[each.system], "segment": each.segment, "why": each.why} for each in self.hard]
        lost = [{"start": each.start, "end": each.end, "why": DIED_TWICE} for each in self.lost]
        return {"metric": self.metric, "too_hard": hard, "lost": lost}


def _line_numbers_text(lines: Sequence[int]) -> str:
    """Return line numbers as text; of many only the first `NAMED` and how many more there are."""
    more = f" and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return f"{'lines' if len(lines) > 1 else 'line'} {', '.join(map(str, lines[:NAMED]))}{more}"


#: The reason why segments are lost.
DIED_TWICE = "the process that scored them died twice"


def missing_metrics(hard: Iterable[TooHardSegment], lost: Iterable[LostSegments]) -> list[MissingMetric]:
    """Return the metrics without a score, each with the segments that are the reason."""
    too_hard, died = [*hard], [*lost]
    keys = dict.fromkeys([*[each.metric for each in too_hard], *[each.metric for each in died]])
    return [
        MissingMetric(key, tuple([e for e in too_hard if e.metric == key]), tuple([e for e in died if e.metric == key]))
        for key in keys
    ]
