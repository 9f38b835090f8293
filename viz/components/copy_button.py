"""Draw a button that copies a text to the clipboard."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_copy", Path(__file__).with_suffix(".js"))


def show(text: str, label: str) -> None:
    """Draw a button with the text `label` that copies `text` to the clipboard and says so."""
    _component(key="copy", data={"text": text, "label": label})
