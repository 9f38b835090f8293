"""Shared by all tests: what the machine must have, and a running app with a real browser."""

from __future__ import annotations

import functools
import gc
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
from browsing import LOADED, NOTES_ANSWERS, VIEWPORT, WINDOW, Tabs, Visit, Watch, comparison, settle, show
from new_metric import bare_metric, whole_metric  # noqa: F401, fixtures of all tests
from searching import FREE
from waiting import LIMIT

from metrics.corpus import processes

ROOT = Path(__file__).parent.parent
os.environ["BITEXT_GRID_NICE"] = "0"  # a worker process that gives way to others makes tests wait for these
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


def chromium_program() -> str | None:
    """Debian's Chromium: the same engine without windows, which takes a sixth less time, else the whole browser."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


#: Fixtures with a server or a browser.
SERVED = {"app_url", "chromium"}


def is_alone(item: pytest.Item) -> bool:
    """Whether a test is run with nothing beside it: see `suite.py`."""
    return item.get_closest_marker("alone") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What has a server or a browser says so where it is written."""
    unmarked = [each.nodeid for each in items if SERVED & {*getattr(each, "fixturenames", ())} and not is_alone(each)]
    if unmarked:
        raise pytest.UsageError(f"these need the marker `alone`: {', '.join(unmarked)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nothing starts worker processes unless it says so where it is written."""
    processes.executor = EXECUTOR if is_alone(item) else no_processes


EXECUTOR = processes.executor


def no_processes(number: int) -> Any:
    pytest.fail("a test that scores in worker processes needs the marker `alone`")


def pytest_collection_finish() -> None:
    """What is imported and collected by now stays, and no search for garbage goes through it again."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    """How random input is made in this run."""
    return f"random input: others every time, {FREE} times as much" if FREE else "random input: the same every time"


SPOILT, FAILED = pytest.StashKey[bool](), pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """A test that failed may have left the shared pages, and its own, in any state."""
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    item.config.stash[SPOILT] = report.failed or item.config.stash.get(SPOILT, False)
    return report


def missing(what: str) -> None:
    """Skip the test for want of `what`, or fail it where everything is required (REQUIRE_ALL, set by the CI)."""
    if os.environ.get("REQUIRE_ALL"):
        pytest.fail(f"{what} is not installed, and REQUIRE_ALL asks for it")
    pytest.skip(f"{what} is not installed")


class State(dict[str, Any]):
    """A session that is a plain dict, for what reads and writes it without a page."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    to_dict = dict.copy


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def start_app(
    port: int, script: Path = ROOT / "app.py", first: Path | None = None, log: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """The app as a process of its own, answering when this returns. Each of its processes first does what the module
    `sitecustomize` in the folder `first` says; what it prints goes to the open file `log`."""
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    paths = {"PYTHONPATH": os.pathsep.join([str(first), str(ROOT)])} if first else {}
    app = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **paths})
    wait_for_app(app, port)
    return app


def wait_for_app(app: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a server that was started answers."""
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
    """End it, and wait until it has ended."""
    app.terminate()
    try:
        app.wait(LIMIT)
    finally:
        app.kill()


@pytest.fixture(scope="session", autouse=True)
def no_browser() -> None:
    """No browser is waited for where there is none; the app in a process of its own waits."""
    from viz.components import fragment

    fragment.SEEN = 0


@pytest.fixture(scope="session", autouse=True)
def searches_have_time() -> None:
    """Pages stop what they look for by the clock; a machine that is only slow stops none of it in a test."""
    from viz.pages.compare import effects
    from viz.pages.sentence import cost
    from viz.state import edits

    effects.SECONDS_MOST = effects.TOGETHER_SECONDS_MOST = edits.SECONDS_MOST = cost.WAIT = float(LIMIT)


@pytest.fixture(scope="session", autouse=True)
def packages_are_read_once() -> None:
    """Streamlit's test runner looks for components in all packages that are installed, anew for every page."""
    from streamlit.components.v2 import manifest_scanner as scanner

    scanner.scan_component_manifests = functools.cache(scanner.scan_component_manifests)


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The address of a running app."""
    port = free_port()
    app = start_app(port)
    yield f"http://127.0.0.1:{port}"
    end_app(app)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Chromium, driven by playwright."""
    program = chromium_program()
    if not program:
        missing("chromium-headless-shell")
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
            contexts[key] = chromium.new_context(**{"viewport": VIEWPORT, **options})
            contexts[key].set_default_timeout(LIMIT * 1000)
            contexts[key].add_init_script(NOTES_ANSWERS)
        return contexts[key].new_page()

    yield make
    for context in contexts.values():
        context.close()


# ---------------------------------------------------------------- pages


@pytest.fixture(scope="session")
def watch(app_url: str) -> Watch:
    return Watch(app_url)


@pytest.fixture(scope="session")
def tabs(new_page: Callable[..., Any], watch: Watch) -> Tabs:
    return Tabs(new_page, watch)


@pytest.fixture
def visit(tabs: Tabs, watch: Watch, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens the app, in a tab that is as new. Afterwards every page must have been quiet and have kept to its host."""
    taken = []

    def open_(query: str = "", wait: str = LOADED, **options: Any) -> Any:
        page = tabs.take(options)
        taken.append((page, options))
        page.goto(query if query.startswith("http") else f"{watch.address}/{query}")
        page.wait_for_selector(wait)
        return page

    yield open_
    for page, options in taken:
        if request.node.stash.get(FAILED, False):
            page.close()
        else:
            tabs.give_back(page, options)
    watch.none()


@pytest.fixture(scope="session")
def opened(new_page: Callable[..., Any], watch: Watch, pytestconfig: pytest.Config) -> Callable[..., Any]:
    """Opens a page that several tests use, by its name."""
    pages: dict[str, Any] = {}

    def open_(name: str, query: str = "") -> Any:
        if pytestconfig.stash.get(SPOILT, False):
            for page in pages.values():
                page.close()
            pages.clear()
            watch.faults.clear()
            pytestconfig.stash[SPOILT] = False
        if name not in pages:
            pages[name] = watch.over(new_page())
            pages[name].set_viewport_size(WINDOW)
            pages[name].goto(f"{watch.address}/{query}")
            pages[name].wait_for_selector(LOADED)
            settle(pages[name])
        pages[name].bring_to_front()  # Chromium draws one frame a second of those behind it
        return pages[name]

    return open_


@pytest.fixture
def first(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """A page with GTM on the first example, with the grids and words of both references, and with nothing lit and
    nothing chosen."""
    page = opened("first")
    page.locator(".refs [data-show=all]").click()
    page.evaluate("scrollTo(0, 0)")
    yield page
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    settle(page)
    watch.none()


@pytest.fixture
def desk(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """A page on which texts are typed."""
    page = opened("desk")
    page.mouse.move(5, 5)
    if page.locator(".st-key-view [aria-checked=true]").text_content() != "Metric":
        show(page, "Metric")
    yield page
    watch.none()


@pytest.fixture
def pair(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """A Compare page with GTM on the first pair, with no step chosen."""
    page = opened("pair", comparison())
    yield page
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    settle(page)
    watch.none()


@pytest.fixture
def see(chromium: Any) -> Any:
    """Playwright's `expect`, which waits until what it expects is there."""
    from playwright.sync_api import expect

    expect.set_options(timeout=LIMIT * 1000)
    return expect
