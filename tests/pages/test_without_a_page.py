"""Test that the pages do not need each other: the folder of each is removed, and the other pages are opened."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.app import ROOT
from tests.helpers.waiting import LIMIT

NAMES = [path.parent.name for path in sorted((ROOT / "viz" / "pages").glob("*/page.py"))]
OPEN = f"""
import sys
from streamlit.testing.v1 import AppTest
from viz import pages as registered
from viz.state.links import pages

assert registered.__file__.startswith(sys.argv[1]), registered.__file__
names = [page.name for page in pages.all_pages()]
for name in names:
    at = AppTest.from_file(sys.argv[1] + "/app.py", default_timeout={LIMIT})
    at.query_params["page"] = name
    at.run()
    assert not at.exception, at.exception[0].stack_trace
    assert at.session_state["page"] == name, name
    shown = [element.proto.json for element in at.get("bidi_component")]
    assert shown, name
print(*names)
"""


@pytest.mark.slow
@pytest.mark.parametrize("removed", NAMES)
def test_the_other_pages_open(removed: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "app.py", tmp_path)
    ignored = shutil.ignore_patterns("__pycache__", "pictures", "*.md")
    shutil.copytree(ROOT / "viz", tmp_path / "viz", ignore=ignored)
    folder = tmp_path / "viz" / "pages"
    shutil.rmtree(folder / removed)
    (folder / "__init__.py").write_text(
        "from ..state.links import pages\n"
        f"from . import {', '.join(name for name in NAMES if name != removed)}\n"
        f"pages.set_pages([{', '.join(f'{name}.PAGE' for name in NAMES if name != removed)}])\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    run = subprocess.run(
        [sys.executable, "-c", OPEN, str(tmp_path)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert not run.returncode, run.stderr
    assert run.stdout.split() == [name for name in NAMES if name != removed]
