"""Define what all tests share: checks of the programs on this machine, and a running app with a real browser."""

from __future__ import annotations

import functools
import gc
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from metrics.corpus import processes
from tests.helpers.app import FLAGS, ROOT, chromium_program, served, skip_missing
from tests.helpers.browsing import (
    LOADED,
    NOTES_ANSWERS,
    VIEWPORT,
    WINDOW,
    Tabs,
    Visit,
    Watch,
    comparison,
    settle,
    show_view,
)
from tests.helpers.new_metric import bare_metric, whole_metric  # noqa: F401, fixtures of all tests
from tests.helpers.searching import FREE
from tests.helpers.waiting import LIMIT

os.environ["BITEXT_GRID_NICE"] = "0"  # a worker process with low priority would make tests wait for other programs
#: Fixtures that start a server or a browser.
SERVED = {"app_url", "chromium"}


def has_alone_marker(item: pytest.Item) -> bool:
    """Return whether a test has the marker `alone`: it must not run at the same time as other tests."""
    return item.get_closest_marker("alone") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raise UsageError if a test uses a server or a browser but lacks the marker `alone`.

    Raise it also if a test uses a browser and stands outside of `tests/browser`."""
    used = {each: SERVED & {*getattr(each, "fixturenames", ())} for each in items}
    unmarked = [each.nodeid for each in items if used[each] and not has_alone_marker(each)]
    if unmarked:
        raise pytest.UsageError(f"these need the marker `alone`: {', '.join(unmarked)}")
    outside = [each.nodeid for each in items if "chromium" in used[each] and each.path.parent.name != "browser"]
    if outside:
        raise pytest.UsageError(f"these use a browser and belong in tests/browser: {', '.join(outside)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forbid worker processes to tests without the marker `alone`."""
    processes.worker_executor = EXECUTOR if has_alone_marker(item) else refuse_worker_processes


EXECUTOR = processes.worker_executor


def refuse_worker_processes(number: int) -> Any:
    """Fail the test, because it lacks the marker `alone`."""
    pytest.fail("a test that scores in worker processes needs the marker `alone`")


def pytest_collection_finish() -> None:
    """Exempt all modules and tests that are loaded by now from garbage collection, to save time."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    """Return the line of pytest's header that says whether random input is new in this run."""
    return f"random input: others every time, {FREE} times as many" if FREE else "random input: the same every time"


SPOILT, FAILED = pytest.StashKey[bool](), pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Record that a test failed, because it may have left its own page and the shared pages in any state."""
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    item.config.stash[SPOILT] = report.failed or item.config.stash.get(SPOILT, False)
    return report


@pytest.fixture(scope="session", autouse=True)
def no_browser() -> None:
    """Make pages that run in the test process not wait for a browser; an app in a process of its own still waits."""
    from viz.components import fragment

    fragment.SEEN = 0


@pytest.fixture(scope="session", autouse=True)
def searches_have_time() -> None:
    """Raise the time limits of the pages' searches, so that none ends early in a test on a slow machine."""
    from viz.pages.compare import effects
    from viz.pages.sentence import cost
    from viz.state.results import edits

    effects.SECONDS_MOST = effects.TOGETHER_SECONDS_MOST = edits.SECONDS_MOST = cost.WAIT = float(LIMIT)


@pytest.fixture(scope="session", autouse=True)
def packages_are_read_once() -> None:
    """Cache which installed packages have Streamlit components.

    Streamlit's test runner would search for them for every page."""
    from streamlit.components.v2 import manifest_scanner as scanner

    scanner.scan_component_manifests = functools.cache(scanner.scan_component_manifests)


@pytest.fixture
def made_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a metric to the catalogue whose results are made by hand."""
    from metrics import METRICS
    from tests.helpers.segments import MADE

    monkeypatch.setitem(METRICS, "made", MADE)


@pytest.fixture
def tiny_chapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all chapters by one small chapter."""
    from viz.pages.learn import chapter_files

    tiny = chapter_files.shelf(ROOT / "tests" / "data" / "chapters")
    monkeypatch.setattr(chapter_files, "shelf", lambda folder=None: tiny)


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """Yield the address of a running app."""
    with served() as app:
        yield app.address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Yield the browser Chromium, driven by playwright; skip the test if it is not installed."""
    program = chromium_program()
    if not program:
        skip_missing("chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a browser page; its keyword arguments are options of a playwright context.

    Pages with the same options share a context, so that the browser reads Streamlit's scripts only once."""
    contexts: dict[str, Any] = {}

    def make_page(**options: Any) -> Any:
        key = json.dumps(options, sort_keys=True)
        if key not in contexts:
            contexts[key] = chromium.new_context(**{"viewport": VIEWPORT, **options})
            contexts[key].set_default_timeout(LIMIT * 1000)
            contexts[key].add_init_script(NOTES_ANSWERS)
        return contexts[key].new_page()

    yield make_page
    for context in contexts.values():
        context.close()


@pytest.fixture
def page_opener(new_page: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a page as `new_page` does; after the test its pages are closed."""
    pages = []

    def open_page(**options: Any) -> Any:
        pages.append(new_page(**options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


# ---------------------------------------------------------------- pages


@pytest.fixture(scope="session")
def watch(app_url: str) -> Watch:
    return Watch(app_url)


@pytest.fixture(scope="session")
def tabs(new_page: Callable[..., Any], watch: Watch) -> Tabs:
    return Tabs(new_page, watch)


@pytest.fixture
def visit(tabs: Tabs, watch: Watch, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Yield a function that opens the app in a clean browser tab.

    After the test, assert that no page logged an error or sent a request to another host."""
    taken = []

    def open_in_tab(query: str = "", wait: str = LOADED, **options: Any) -> Any:
        page = tabs.take(options)
        taken.append((page, options))
        page.goto(query if query.startswith("http") else f"{watch.address}/{query}")
        page.wait_for_selector(wait)
        return page

    yield open_in_tab
    for page, options in taken:
        if request.node.stash.get(FAILED, False):
            page.close()
        else:
            tabs.give_back(page, options)
    watch.assert_no_faults()


@pytest.fixture(scope="session")
def opened(new_page: Callable[..., Any], watch: Watch, pytestconfig: pytest.Config) -> Callable[..., Any]:
    """Return a function that opens a page that several tests share, and later returns it again by its name."""
    pages: dict[str, Any] = {}

    def open_shared_page(name: str, query: str = "") -> Any:
        if pytestconfig.stash.get(SPOILT, False):
            for page in pages.values():
                page.close()
            pages.clear()
            watch.faults.clear()
            pytestconfig.stash[SPOILT] = False
        if name not in pages:
            pages[name] = watch.watch_page(new_page())
            pages[name].set_viewport_size(WINDOW)
            pages[name].goto(f"{watch.address}/{query}")
            pages[name].wait_for_selector(LOADED)
            settle(pages[name])
        pages[name].bring_to_front()  # Chromium draws background tabs only once a second
        return pages[name]

    return open_shared_page


@pytest.fixture
def first(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """Yield the Sentence page with GTM on the first example, shared by several tests.

    It shows the grids and words of both references; nothing is highlighted or chosen."""
    page = opened("first")
    page.locator(".refs [data-show=all]").click()
    page.evaluate("scrollTo(0, 0)")
    yield page
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    settle(page)
    watch.assert_no_faults()


@pytest.fixture
def desk(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """Yield a Sentence page, shared by several tests, on which they type texts; it shows the view Metric."""
    page = opened("desk")
    page.mouse.move(5, 5)
    if page.locator(".st-key-view [aria-checked=true]").text_content() != "Metric":
        show_view(page, "Metric")
    yield page
    watch.assert_no_faults()


@pytest.fixture
def pair(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """Yield the Compare page with GTM on the first pair of outputs, shared by several tests; no step is chosen."""
    page = opened("pair", comparison())
    yield page
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    settle(page)
    watch.assert_no_faults()


@pytest.fixture
def see(chromium: Any) -> Any:
    """Return playwright's `expect`, which waits until its expectation holds."""
    from playwright.sync_api import expect

    expect.set_options(timeout=LIMIT * 1000)
    return expect
