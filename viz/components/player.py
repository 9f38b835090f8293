"""Draw the player of a trace: the steps of an algorithm, through which the reader goes in the browser.

The browser reports the current step to the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import served
from .fragment import event_reporter, place_width, store_measurement

_component = served.component("bitext_player", Path(__file__).with_suffix(".js"))


def show(
    key: str, name: str, html: str, chunk: Mapping[str, Any] | None, on_event: Callable[[str, object], None]
) -> None:
    """Draw a player of the steps of an algorithm.

    Args:
        key: the key of the component.
        name: the identity of the trace; another name makes the browser begin anew.
        html: the HTML of the player, sent with the first steps only.
        chunk: steps of the trace and the index of the first of them, as `draw.player` makes them; None if the browser
            has all steps that it needs.
        on_event: callback that gets the name and value of each thing that the user did: ("step", [the number of the
            step shown, from 1, and the name of its player]) or ("more", the index from 0 of the first step that the
            browser needs)."""
    _component(
        key=key,
        data={
            "name": name,
            "html": None if chunk is None or chunk["from"] else html,
            "chunk": None if chunk is None else dict(chunk),
            "room": place_width(),
        },
        on_told_change=event_reporter(key, on_event),
        on_room_change=lambda: store_measurement(key),
    )
