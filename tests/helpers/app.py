"""Start the app in a process of its own, and find the browser and the other programs that tests need."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from tests.helpers.waiting import LIMIT

ROOT = Path(__file__).parents[2]
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


def run_python(code: str, **options: Any) -> str:
    """Return what a program of Python prints in a process of its own, which can import the project."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=LIMIT, **options
    ).stdout


def chromium_program() -> str | None:
    """Return the path of Debian's Chromium, or None if it is not installed.

    The headless shell is preferred, because it is a sixth faster."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def skip_missing(what: str) -> None:
    """Skip the test because the program or package `what` is missing.

    Fail it instead if the environment variable REQUIRE_ALL is set, as on the CI server."""
    if os.environ.get("REQUIRE_ALL"):
        pytest.fail(f"{what} is not installed, and REQUIRE_ALL asks for it")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def start_app(
    port: int, script: Path = ROOT / "app.py", first: Path | None = None, log: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start the app as a process of its own, and return the process once the app answers.

    Args:
        port: the port on which it listens.
        script: the Streamlit page to run.
        first: a folder with a module `sitecustomize`, which Python imports first; None for none.
        log: the open file that gets the output."""
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    paths = {"PYTHONPATH": os.pathsep.join([str(first), str(ROOT)])} if first else {}
    app = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **paths})
    wait_for_app(app, port)
    return app


def wait_for_app(app: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a started server answers; if it does not, kill it and raise RuntimeError."""
    end = time.monotonic() + LIMIT
    while app.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=LIMIT)
            return
        except OSError:
            time.sleep(0.1)
    app.kill()
    raise RuntimeError("the app did not start")


def end_app(app: subprocess.Popen[bytes]) -> None:
    """End the app's process, and wait until it has ended."""
    app.terminate()
    try:
        app.wait(LIMIT)
    finally:
        app.kill()


class ServedApp(NamedTuple):
    """A running server: its port and its process."""

    port: int
    process: psutil.Process

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def served_page(code: str) -> Iterator[ServedApp]:
    """Yield a running server of a Streamlit page with this code, and end it."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "page.py"
        script.write_text(code, encoding="utf-8")
        with served(script) as page:
            yield page


@contextmanager
def served(script: Path = ROOT / "app.py", **given: Any) -> Iterator[ServedApp]:
    """Yield the app, or the Streamlit page `script`, as a running server, and end it; `given` goes to `start_app`."""
    port = free_port()
    app = start_app(port, script, **given)
    try:
        yield ServedApp(port, psutil.Process(app.pid))
    finally:
        end_app(app)
