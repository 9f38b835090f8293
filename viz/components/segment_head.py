"""Draw the head of a segment: the title and controls above its evidence.

It says which segment is shown, leads to the next one, switches between views of it, and has the reader's tags and
note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from . import served
from .fragment import event_reporter

_component = served.component("bitext_segment_head", Path(__file__).with_suffix(".js"))


class SegmentHeading(NamedTuple):
    """The two lines of text in the head of a segment.

    Attributes:
        title: the title of the segment.
        about: the line below it: the segment's position in the current order, and its document."""

    title: str
    about: str


def show(
    heading: SegmentHeading,
    views: Sequence[tuple[str, str]],
    current_view: str,
    open_label: str,
    tags_and_note: tuple[str, str] | None,
    known_tags: Sequence[str],
    on_event: Callable[[str, object], None],
    seek: int = 0,
    key: str = "segment_head",
) -> None:
    """Draw the head of a segment: the title and controls above its evidence.

    Args:
        heading: the title and the line below it.
        views: the views between which the reader can switch, as pairs of name and label.
        current_view: the name of the current view.
        open_label: the label of the button that opens the segment on another page.
        tags_and_note: the tags and the note that the reader gave the segment; None if it cannot have any.
        known_tags: the tags of other segments, to choose from.
        on_event: callback that gets ("go", 1 or -1) for the next or the previous segment, ("way", name of a view),
            ("open", True) or ("marks", tags and note as typed).
        seek: a counter; when it grows, the head is scrolled into view. It does not grow when the reader returns from an
            opened segment, so that the page stays where it was left.
        key: the key of the component."""
    data = {**heading._asdict(), "ways": list(views), "way": current_view, "opens": open_label, "marks": tags_and_note}
    _component(
        key=key, data={**data, "known": list(known_tags), "seek": seek}, on_told_change=event_reporter(key, on_event)
    )
