"""Read style sheets, one file per subject, and join them in a stated order.

The order matters because of two equally strong CSS rules the later one wins."""

from __future__ import annotations

from pathlib import Path


def read_sheets(folder: Path, *names: str) -> str:
    """Return the style sheets `names` of a folder, joined in the given order with an empty line between two.

    >>> read_sheets(Path(__file__).parents[2] / "frame" / "styles", "page", "strip").startswith("/* The frame */")
    True
    """
    return "\n".join([(folder / f"{name}.css").read_text(encoding="utf-8") for name in names])
