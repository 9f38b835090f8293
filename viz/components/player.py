"""The player of a trace as a part of a page, which steps in the browser and tells the server where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import served
from .fragment import last_sent, measured, new_events, room

_component = served.component("bitext_player", Path(__file__).with_suffix(".js"))


def show(
    key: str, name: str, html: str, chunk: Mapping[str, Any] | None, on_event: Callable[[str, object], None]
) -> None:
    """Draw a player, known by its `name`; `chunk` are steps of it, as `draw.player` makes them, None where the browser
    has what it wants.

    `on_event` is called with what the user did: ("step", [the number of the step that is shown, from 1 on, the name of
    the player that has it]), ("more", the number from 0 on of the first step that is wanted).
    """

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            on_event(name, value)

    _component(
        key=key,
        data={
            "name": name,
            "html": None if chunk is None or chunk["from"] else html,
            "chunk": None if chunk is None else dict(chunk),
            "room": room(),
        },
        on_told_change=report,
        on_room_change=lambda: measured(key),
    )
