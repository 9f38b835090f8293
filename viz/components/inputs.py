"""Draw the line into which the text inputs of a page collapse once the texts are scored."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_inputs", Path(__file__).with_suffix(".js"))


def show(html: str) -> None:
    """Collapse the page's text inputs, the container with the key `inputs`, into one line with this HTML.

    A click on the line opens the container, and it collapses again when the focus leaves it. If this is not called, it
    stays open."""
    _component(key="inputs_line", data={"line": html})
