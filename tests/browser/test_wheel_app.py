"""Test in a browser that the app of the wheel runs in a folder that is not the tree's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import viz.pages  # noqa: F401  registers the pages
from tests.helpers.app import end_app, free_port, wait_for_app
from tests.helpers.wheel import write_package
from viz.state.links import pages

pytestmark = pytest.mark.alone
SETUP_CODE = "import sys; sys.path.insert(0, {folder!r}); "


@pytest.fixture(scope="module")
def package_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package `bitext_grid`, as the wheel holds it."""
    return write_package(tmp_path_factory.mktemp("wheel"))


def test_the_app_runs_from_the_wheel_in_a_folder_that_is_not_ours(
    package_folder: Path, page_opener: Any, tmp_path: Path
) -> None:
    port = free_port()
    code = SETUP_CODE.format(folder=str(package_folder)) + (
        f"import os; os.environ['PYTHONPATH'] = {str(package_folder)!r}; "
        f"from bitext_grid.metrics.command.program import main; main(['--server.port', '{port}'])"
    )
    log = (tmp_path / "log").open("w")
    app = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=log, stderr=log)
    page = page_opener()
    try:
        wait_for_app(app, port)
        assert len(pages.all_pages()) == 5
        for each in pages.all_pages():
            page.goto(f"http://127.0.0.1:{port}/{'' if each is pages.all_pages()[0] else each.name}")
            page.wait_for_selector(f"h1:has-text('{each.title}')")
            page.wait_for_selector(".guide, [data-metric], button")
            assert not page.locator("[data-testid=stException]").count()
    finally:
        end_app(app)
        log.close()
