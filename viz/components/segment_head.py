"""Draw the head of a segment, above its evidence.

It shows where the segment is, the way to the next one, the ways to look at it, and the reader's tags and note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from . import served
from .fragment import last_sent, new_events

_component = served.component("bitext_segment_head", Path(__file__).with_suffix(".js"))


class SegmentHeading(NamedTuple):
    """The title of a segment, and the line below it: its place in the order and its document."""

    title: str
    about: str


def show(
    place: SegmentHeading,
    ways: Sequence[tuple[str, str]],
    way: str,
    opens: str,
    marks: tuple[str, str] | None,
    known_tags: Sequence[str],
    on_event: Callable[[str, object], None],
    seek: int = 0,
    key: str = "segment_head",
) -> None:
    """Draw the head of a segment.

    Args:
        place: the heading.
        ways: the ways to look at the segment, as pairs of name and label.
        way: the name of the way in use.
        opens: where the segment can be opened.
        marks: its tags and its note, None if it cannot have any.
        known_tags: the tags of other segments.
        on_event: callback that gets ("go", 1 or -1), ("way", a name), ("open", True) or ("marks", tags and note as
            typed).
        seek: if greater than before, the head is scrolled into view. Who returns from an opened segment finds the page
            where it was left.
        key: the key of the component."""

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            on_event(name, value)

    data = {**place._asdict(), "ways": list(ways), "way": way, "opens": opens, "marks": marks}
    _component(key=key, data={**data, "known": list(known_tags), "seek": seek}, on_told_change=report)
