"""What stands above the evidence of a segment: where it is, the way to the next one, how it is looked at, and the
reader's tags and note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from . import served
from .fragment import last_sent, new_events

_component = served.component("bitext_segment_head", Path(__file__).with_suffix(".js"))


class SegmentHeading(NamedTuple):
    """A segment: its title, and what stands below that: its place in the order, its document."""

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
    """Draw the head. `ways` to look at the segment are pairs of a name and a label, of which `way` is the one in use;
    `opens` says where the segment can be opened; `marks` are its tags and its note, None where there can be none, and
    `known_tags` are tags that other segments have. `on_event` is called with ("go", 1 or -1), ("way", a name),
    ("open", True), ("marks", the tags and the note as they were typed). With a greater number to `seek` than before
    the head is brought into sight; who comes back from where a segment was opened finds the page where it was left."""

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            on_event(name, value)

    data = {**place._asdict(), "ways": list(ways), "way": way, "opens": opens, "marks": marks}
    _component(key=key, data={**data, "known": list(known_tags), "seek": seek}, on_told_change=report)
