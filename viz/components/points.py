"""Charts of a corpus's segments: markup of which parts lead somewhere, with points on a canvas that open segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import served
from .fragment import last_sent, new_events

_component = served.component("bitext_points", Path(__file__).with_suffix(".js"))


def show(key: str, markup: str, points: Mapping[str, Any] | None, on_event: Callable[[str, str], None]) -> None:
    """Draw a chart, and on its `.dots` the points, where it has any; `on_event` is called with the name and the value
    of what was chosen, "segment" and its number for a point, which may be anything. What is drawn is sent once."""

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            on_event(name, str(value))

    _component(key=key, data={"markup": markup, "points": points}, on_told_change=report)


def light(chosen: int | None, key: str = "corpus_lit") -> None:
    """Have all charts of the page show the chosen segment. It is no part of them: what differs is sent again."""
    _component(key=key, data={"chosen": chosen})
