"""The Learn page in the browser: the list of chapters with its marks, and a chapter's bar, sentences and screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import fragment, served

HERE = Path(__file__).parent

_chapter = served.component("bitext_lesson", HERE / "lesson.js")
_chapters = served.component("bitext_chapters", HERE / "chapters.js")


def show(data: Mapping[str, Any], on_event: Callable[[str, object], None]) -> None:
    """Draw a screen with its bar. `on_event` is called with what the reader did, a name and a value."""

    def report() -> None:
        for name, value in fragment.new_events("lesson", fragment.last_sent("lesson", "told")):
            on_event(name, value)

    _chapter(
        key="lesson",
        data={**data, "room": fragment.room()},
        on_told_change=report,
        on_room_change=lambda: fragment.measured("lesson"),
    )


def chapters(cards: Sequence[Mapping[str, object]], opened: Callable[[str, object], None]) -> None:
    """Draw the list of chapters. `opened` is called with the key of the one that is chosen, and the number of its
    first screen that is not done."""

    def report() -> None:
        event = fragment.last_sent("chapters", "open")
        if isinstance(event, list | tuple) and len(event) == 2:
            opened(str(event[0]), event[1])

    _chapters(key="chapters", data={"chapters": list(cards)}, on_open_change=report)
