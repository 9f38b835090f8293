"""The line to which the texts of a page fold once they are scored."""

from __future__ import annotations

from pathlib import Path

from . import served

_component = served.component("bitext_inputs", Path(__file__).with_suffix(".js"))


def show(html: str) -> None:
    """Fold the container with the key `inputs` to a line with this markup, which opens it; the texts fold again when
    the focus has left them. Without this line they stand open."""
    _component(key="inputs_line", data={"line": html})
