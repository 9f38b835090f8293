"""Style sheets: a file for each subject, read in a stated order, for a later rule wins over an earlier one that is as
strong."""

from __future__ import annotations

from pathlib import Path


def read_sheets(folder: Path, *names: str) -> str:
    """The style sheets of a folder in the order of their names, with an empty line between two.

    >>> read_sheets(Path(__file__).parents[2] / "frame" / "styles", "page", "strip").startswith("/* The frame */")
    True
    """
    return "\n".join([(folder / f"{name}.css").read_text(encoding="utf-8") for name in names])
