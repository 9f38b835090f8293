"""A button that copies a text."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_copy", Path(__file__).with_suffix(".js"))


def show(text: str, label: str) -> None:
    """A button with a label, which says when the text is copied."""
    _component(key="copy", data={"text": text, "label": label})
