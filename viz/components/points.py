"""Draw charts of a corpus's segments: HTML with links, and one point per segment, which opens the segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import served
from .fragment import event_reporter

_component = served.component("bitext_points", Path(__file__).with_suffix(".js"))


def show(key: str, markup: str, points: Mapping[str, Any] | None, on_event: Callable[[str, str], None]) -> None:
    """Draw a chart as the component `key`.

    `markup` is its HTML. `points`, if not None, are drawn on the element `.dots` in it. `on_event` gets the name and
    value of what was clicked, unchecked; for a point, "segment" and its number. Unchanged data are sent only once."""
    report = event_reporter(key, lambda name, value: on_event(name, str(value)))
    _component(key=key, data={"markup": markup, "points": points}, on_told_change=report)


def highlight_segment(chosen: int | None, key: str = "corpus_lit") -> None:
    """Highlight the segment with the number `chosen` in all charts of the page; None highlights nothing.

    The choice is not part of a chart's data, because changed data would be sent again."""
    _component(key=key, data={"chosen": chosen})
