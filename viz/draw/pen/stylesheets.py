"""Read style sheets, one file per subject, and join them in a stated order.

The order matters because of two equally strong CSS rules the later one wins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_SECTION = re.compile(r"^/\* page: (\w+) \*/\n", re.MULTILINE)


def read_sheets(folder: Path, *names: str) -> str:
    """Return the style sheets `names` of a folder, joined in the given order with an empty line between two.

    >>> read_sheets(Path(__file__).parents[2] / "frame" / "styles", "page", "strip").startswith("/* The frame */")
    True
    """
    return "\n".join([(folder / f"{name}.css").read_text(encoding="utf-8") for name in names])


def read_sections(path: Path) -> Mapping[str, str]:
    """Return the sections of a style sheet by the names of their pages; what stands before the first has the name "".

    A section begins with the line `/* page: name */`.

    >>> sections = read_sections(Path(__file__).parents[2] / "frame" / "styles" / "streamlit.css")
    >>> sections["learn"].startswith("/* The menus"), "/* page" in sections[""]
    (True, False)
    """
    common, *rest = _SECTION.split(path.read_text(encoding="utf-8"))
    return {"": common, **dict(zip(rest[::2], rest[1::2], strict=True))}
