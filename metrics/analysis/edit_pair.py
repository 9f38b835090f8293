"""Scores two texts that differ by one edit, and maps the words of each to those of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..types import Metric, Result, Segment, Settings
from .edit_shares import EditShare, WordEdit, apply_edits


class EditPair(NamedTuple):
    """The results before and after one edit, and the mappings between the words of their candidates."""

    before: Result
    after: Result
    back: list[int | None]  # for each word of the second text, its position in the first one; None if it has none
    forth: list[int | None]  # the same for each word of the first text

    def delta(self) -> float:
        """Return the score after the edit minus the score before it."""
        return self.after.score - self.before.score

    def swapped(self) -> EditPair:
        """Return the pair for the reverse of the edit: before and after are swapped."""
        return EditPair(self.after, self.before, self.forth, self.back)


def edit_pair(
    metric: Metric, segment: Segment, settings: Settings, before: Sequence[EditShare], after: Sequence[EditShare]
) -> EditPair:
    """Return the results of the candidate after the edits `before`, and after the edits `after`, as a pair."""
    first, second = (
        metric.score(
            segment._replace(candidate=apply_edits(segment.candidate, [WordEdit(*e[:5]) for e in edits])), settings
        )
        for edits in (before, after)
    )
    places = [_word_origins(len(segment.candidate), edits) for edits in (before, after)]
    ours, theirs = ({place: at for at, place in enumerate(each)} for each in places)
    return EditPair(first, second, [ours.get(place) for place in places[1]], [theirs.get(place) for place in places[0]])


def _word_origins(count: int, edits: Sequence[EditShare]) -> list[tuple[str, int]]:
    """Return the origin of each word after some edits: ("ours", position) or ("theirs", position in the other text)."""
    out, at = list[tuple[str, int]](), 0
    for edit in edits:
        out += [("ours", i) for i in range(at, edit.start)]
        out += [("theirs", edit.at + t) for t in range(len(edit.words))]
        at = edit.end
    return [*out, *[("ours", i) for i in range(at, count)]]
