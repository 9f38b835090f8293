"""Shared by all tests: what the machine must have, and a running app with a real browser."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": "Mozilla/5.0 (iPhone) Mobi Safari",
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}  # playwright's options


def missing(what: str) -> None:
    """Skip the test for want of `what`, or fail it where everything is required (REQUIRE_ALL, set by the CI)."""
    if os.environ.get("REQUIRE_ALL"):
        pytest.fail(f"{what} is not installed, and REQUIRE_ALL asks for it")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def start_app(port: int, script: Path = ROOT / "app.py") -> subprocess.Popen[bytes]:
    """The app as a process of its own, answering when this returns."""
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    app = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(150):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return app
        except OSError:
            time.sleep(0.2)
    app.kill()
    raise RuntimeError("the app did not start within 30 s")


@pytest.fixture(scope="session", autouse=True)
def no_browser() -> None:
    """No browser is waited for where there is none; the app in a process of its own waits."""
    from viz.components import fragment

    fragment.SEEN = 0


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The address of a running app."""
    port = free_port()
    app = start_app(port)
    yield f"http://127.0.0.1:{port}"
    app.terminate()
    app.wait(10)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by playwright."""
    program = shutil.which("chromium")
    if not program:
        missing("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page; keyword arguments are playwright's context options. Pages of the same options share a context, so
    that the browser need not read Streamlit's scripts anew for each."""
    contexts: dict[str, Any] = {}

    def make(**options: Any) -> Any:
        key = json.dumps(options, sort_keys=True)
        if key not in contexts:
            contexts[key] = chromium.new_context(**{"viewport": {"width": 1280, "height": 840}, **options})
            contexts[key].set_default_timeout(15_000)
        return contexts[key].new_page()

    yield make
    for context in contexts.values():
        context.close()
