"""The package `bitext_grid`, as the wheel holds it."""

from __future__ import annotations

from pathlib import Path

import hatch_build
from tests.helpers.app import ROOT


def write_package(folder: Path) -> Path:
    """Write the package into `folder`, and return the folder."""
    hatch_build.write(ROOT, folder / "bitext_grid")
    return folder
