"""The metrics that have no score for a corpus, because no segment is ever left out of a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .tasks import LostSegments, TooHardSegment

#: How many segments a sentence names.
NAMED = 10


class MissingMetric(NamedTuple):
    """A metric without a score: the outputs that are too hard for it, and the segments over which processes died."""

    metric: str
    hard: tuple[TooHardSegment, ...]
    lost: tuple[LostSegments, ...]

    def says(
        self, files: Sequence[str], number: Callable[[int, int], int] = lambda system, segment: segment + 1
    ) -> str:
        """Return why the metric has no score, as a sentence without its full stop.

        `files` are the names of the systems' files. `number` maps the indices of a system and a segment to the line in
        that file.

        >>> too_hard = tuple([TooHardSegment("gtm", 0, line, "too long") for line in (6, 8)])
        >>> MissingMetric("gtm", too_hard, ()).says(["a.txt"])
        'gtm has no score: a.txt, lines 7, 9: too long'
        """
        lines: dict[tuple[int, str], list[int]] = {}
        for each in self.hard:
            lines.setdefault((each.system, each.why), []).append(number(each.system, each.segment))
        why = [f"{files[system]}, {_line_numbers(numbers)}: {reason}" for (system, reason), numbers in lines.items()]
        why += [f"lines {each.start + 1} to {each.end} of {', '.join(files)}: {DIED_TWICE}" for each in self.lost]
        return f"{self.metric} has no score: {'; '.join(why)}"

    def to_dict(self, systems: Sequence[str]) -> dict[str, object]:
        """Return the record as plain values for JSON; segments count from 0."""
        hard = [{"system": systems[each.system], "segment": each.segment, "why": each.why} for each in self.hard]
        lost = [{"start": each.start, "end": each.end, "why": DIED_TWICE} for each in self.lost]
        return {"metric": self.metric, "too_hard": hard, "lost": lost}


def _line_numbers(lines: Sequence[int]) -> str:
    """Return line numbers as text, at most the first `NAMED`."""
    more = f" and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return f"{'lines' if len(lines) > 1 else 'line'} {', '.join(map(str, lines[:NAMED]))}{more}"


#: The reason why segments are lost.
DIED_TWICE = "the process that scored them died, and died again when it was tried once more"


def missing(hard: Iterable[TooHardSegment], lost: Iterable[LostSegments]) -> list[MissingMetric]:
    """Return the metrics without a score, with their reasons."""
    too_hard, died = [*hard], [*lost]
    keys = dict.fromkeys([*[each.metric for each in too_hard], *[each.metric for each in died]])
    return [
        MissingMetric(key, tuple([e for e in too_hard if e.metric == key]), tuple([e for e in died if e.metric == key]))
        for key in keys
    ]
