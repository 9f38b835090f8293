"""Draw the line into which the text inputs of a page collapse once the texts are scored."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_inputs", Path(__file__).with_suffix(".js"))


def show(html: str) -> None:
    """Collapse the container with the key `inputs` into a line with this HTML, which opens it when clicked.

    The container collapses again when the focus leaves it. If this is not called, it stays open."""
    _component(key="inputs_line", data={"line": html})
