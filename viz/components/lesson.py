"""Draw the parts of the Learn page: the list of chapters, and the current screen of a chapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import fragment, served

HERE = Path(__file__).parent

_chapter = served.component("bitext_lesson", HERE / "lesson.js")
_chapters = served.component("bitext_chapters", HERE / "chapters.js")


def show(data: Mapping[str, Any], on_event: Callable[[str, object], None]) -> None:
    """Draw the current screen of a chapter, with the bar to move between screens.

    `data` is what the script `lesson.js` draws. `on_event` gets the name and value of each thing that the reader
    did."""
    _chapter(
        key="lesson",
        data={**data, "room": fragment.place_width()},
        on_told_change=fragment.event_reporter("lesson", on_event),
        on_room_change=lambda: fragment.store_measurement("lesson"),
    )


def chapters(cards: Sequence[Mapping[str, object]], opened: Callable[[str, object], None]) -> None:
    """Draw the list of chapters with the reader's progress; `cards` describes each chapter.

    `opened` is called with the key of a chosen chapter and the number of its first unfinished screen."""

    def report() -> None:
        event = fragment.last_sent("chapters", "open")
        if isinstance(event, list | tuple) and len(event) == 2:
            opened(str(event[0]), event[1])

    _chapters(key="chapters", data={"chapters": list(cards)}, on_open_change=report)
