"""Metrics that cannot be had of a corpus, since no segment is ever left out of a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .tasks import Hard, Lost

#: Segments that a sentence names.
NAMED = 10


class MissingMetric(NamedTuple):
    """A metric without a score: the outputs that are too hard for it, and the segments over which processes died."""

    metric: str
    hard: tuple[Hard, ...]
    lost: tuple[Lost, ...]

    def says(
        self, files: Sequence[str], number: Callable[[int, int], int] = lambda system, segment: segment + 1
    ) -> str:
        """Why it has no score, as a sentence without its end; `files` are the names of the systems' files, and `number`
        says of a system and a segment, from 0, on which line it stands.

        >>> MissingMetric("gtm", (Hard("gtm", 0, 6, "too long"), Hard("gtm", 0, 8, "too long")), ()).says(["a.txt"])
        'gtm has no score: a.txt, lines 7, 9: too long'
        """
        lines: dict[tuple[int, str], list[int]] = {}
        for each in self.hard:
            lines.setdefault((each.system, each.why), []).append(number(each.system, each.segment))
        why = [f"{files[system]}, {_line_numbers(numbers)}: {reason}" for (system, reason), numbers in lines.items()]
        why += [f"lines {each.start + 1} to {each.end} of {', '.join(files)}: {DIED_TWICE}" for each in self.lost]
        return f"{self.metric} has no score: {'; '.join(why)}"

    def to_dict(self, systems: Sequence[str]) -> dict[str, object]:
        """The same as plain values; segments count from 0."""
        hard = [{"system": systems[each.system], "segment": each.segment, "why": each.why} for each in self.hard]
        lost = [{"start": each.start, "end": each.end, "why": DIED_TWICE} for each in self.lost]
        return {"metric": self.metric, "too_hard": hard, "lost": lost}


def _line_numbers(lines: Sequence[int]) -> str:
    more = f" and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return f"{'lines' if len(lines) > 1 else 'line'} {', '.join(map(str, lines[:NAMED]))}{more}"


#: Why segments are lost.
DIED_TWICE = "the process that scored them died, and died again when it was tried once more"


def missing(hard: Iterable[Hard], lost: Iterable[Lost]) -> list[MissingMetric]:
    """What is missing, by metric."""
    too_hard, died = [*hard], [*lost]
    keys = dict.fromkeys([*[each.metric for each in too_hard], *[each.metric for each in died]])
    return [
        MissingMetric(key, tuple([e for e in too_hard if e.metric == key]), tuple([e for e in died if e.metric == key]))
        for key in keys
    ]
