"""Draw a button that copies a text to the clipboard."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_copy", Path(__file__).with_suffix(".js"))


def show(text: str, label: str) -> None:
    """Draw a button labelled `label` that copies `text` and reports when it is copied."""
    _component(key="copy", data={"text": text, "label": label})
