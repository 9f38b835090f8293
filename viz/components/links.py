"""Draw HTML whose buttons report clicks to the server: buttons with an attribute `data-tell="NAME:VALUE"`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from . import served
from .fragment import event_reporter

#: A callback that gets the name and the value of a clicked button.
OnEvent: TypeAlias = Callable[[str, str], None]

_component = served.component("bitext_links", Path(__file__).with_suffix(".js"))


def show(key: str, html: str, on_event: OnEvent) -> None:
    """Draw HTML with such buttons as the component `key`.

    `on_event` gets the name and value of each clicked button; they come from the browser, unchecked."""
    report = event_reporter(key, lambda name, value: on_event(name, str(value)))
    _component(key=key, data={"html": html}, on_told_change=report)
