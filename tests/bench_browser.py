"""How long a change takes to be on screen, in a real browser: `python tests/bench_browser.py`.

Starts the app and Chromium on this machine. A time runs from the event in the page to the frame after the last change
of words, formula, table and figure; hovering does not count as a change. Everything is warm: each state was shown
before. Exits with 1 if a median misses its target.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

from conftest import FLAGS, ROOT, free_port, start_app
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(ROOT))
from viz.examples import BY_NAME, EXAMPLES, Example

TIMES = 14
SIZES = (  # name, example, target in seconds
    ("8 × 20 words", EXAMPLES[0], 0.25),
    ("30 words × 4 references", BY_NAME["English, 30 words and four references"], 0.35),
)
GTM = 4  # its tile

WATCH = """() => {
    const parts = {words: '.bx', formula: '.stMarkdown, .katex-display', table: '.terms',
                   figure: '.stPlotlyChart', settings: '.st-key-settings'};
    const bench = window.bench = {start: 0, last: 0, changed: {}};
    const bare = value => (value ?? '').replace(/\\b(lit)\\b/g, '').trim();
    const light = m => m.target.closest?.('.lit-layer, .hoverlayer') ||
        [...m.addedNodes, ...m.removedNodes].some(n => n.classList?.contains('lit-layer')) ||
        m.attributeName === 'class' && bare(m.oldValue) === bare(m.target.getAttribute('class'));
    const touches = (m, selector) => {
        const at = m.target.nodeType === 1 ? m.target : m.target.parentElement;
        return at?.closest(selector) || [...m.addedNodes].some(
            n => n.nodeType === 1 && (n.matches(selector) || n.querySelector(selector)));
    };
    new MutationObserver(list => {
        if (!bench.start) return;
        const names = new Set();
        for (const m of list) {
            if (light(m)) continue;
            for (const [name, selector] of Object.entries(parts)) if (touches(m, selector)) names.add(name);
        }
        if (!names.size) return;
        // A frame is on screen when what was queued in its callbacks has run.
        requestAnimationFrame(() => setTimeout(() => {
            bench.last = performance.now();
            for (const name of names) bench.changed[name] = bench.last - bench.start;
        }));
    }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true,
        attributeOldValue: true, attributeFilter: ['d', 'class', 'style', 'transform', 'aria-selected']});
    const begin = () => { if (bench.armed) { bench.armed = false; bench.start = performance.now() } };
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, begin, true);
}"""
QUIET = """() => bench.start && bench.last && performance.now() - bench.last > 450
    && document.querySelector('.stApp[data-test-script-state=notRunning]')"""


def measure(page: Any, act: Callable[[], None], must: Sequence[str]) -> float:
    """Seconds from the event of `act` to the last change on screen; the parts in `must` have to change."""
    page.evaluate("bench.start = bench.last = 0; bench.changed = {}; bench.armed = true")
    act()
    page.wait_for_function(QUIET, timeout=10_000)
    changed = page.evaluate("bench.changed")
    missing = [name for name in must if name not in changed]
    if missing:
        raise RuntimeError(f"{', '.join(missing)} did not change")
    return float(page.evaluate("bench.last - bench.start")) / 1000


def press(page: Any, x: float, y: float) -> Callable[[], None]:
    """A click at a point that the mouse already hovers, so that only the click is timed."""
    page.mouse.move(x, y)
    page.wait_for_timeout(150)

    def click() -> None:
        page.mouse.down()
        page.mouse.up()

    return click


def middle(element: Any) -> tuple[float, float]:
    element.scroll_into_view_if_needed()
    b = element.bounding_box()
    return b["x"] + b["width"] / 2, b["y"] + b["height"] / 2


def metric_changes(page: Any) -> Iterator[float]:
    tiles = page.locator(".st-key-metric button")
    order = cycle([0, 4, 1, 6, 2, 5, 3])
    for _ in range(7):
        measure(page, press(page, *middle(tiles.nth(next(order)))), ["formula"])
    for _ in range(TIMES):
        # Two metrics may use the same words; then only their strips stay as they are.
        yield measure(page, press(page, *middle(tiles.nth(next(order)))), ["formula", "table", "figure"])


def setting_changes(page: Any) -> Iterator[float]:
    slider = page.locator(".st-key-settings .stSlider input").first
    slider.focus()
    for n in range(TIMES + 2):
        key = "ArrowRight" if n % 2 else "ArrowLeft"
        seconds = measure(page, lambda: page.keyboard.press(key), ["formula", "table"])  # noqa: B023
        if n > 1:
            yield seconds


def row_clicks(page: Any) -> Iterator[float]:
    rows = page.locator(".terms tr.term")
    for n in range(TIMES + 1):
        seconds = measure(page, press(page, *middle(rows.nth(n % 3))), ["words", "formula", "table", "figure"])
        if n:
            yield seconds


def grid_clicks(page: Any) -> Iterator[float]:
    page.locator(".st-key-scroll").scroll_into_view_if_needed()
    for n in range(TIMES + 1):
        # The dots that the chosen term does not have, so that each click chooses another term.
        spots = page.evaluate(
            """() => [...document.querySelectorAll('.st-key-scroll .points path')].filter(
                e => e.parentElement.closest('.trace').__data__[0].trace.name === 'used'
            ).map(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })
            .filter(([x, y]) => !document.elementsFromPoint(x, y).some(e => e.closest('.points')
                && e.parentElement.closest('.trace').__data__[0].trace.name === 'selected') && y < innerHeight)"""
        )
        x, y = spots[n * 5 % len(spots)]
        seconds = measure(page, press(page, x, y), ["words", "formula", "table", "figure"])
        if n:
            yield seconds


ACTIONS = (
    ("metric, by its tile", metric_changes),
    ("setting, slider by keyboard", setting_changes),
    ("term, by its row", row_clicks),
    ("term, on the grid", grid_clicks),
)


def opened(browser: Any, url: str, example: Example) -> Any:
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    query = {"candidate": example.candidate, "references": example.references, "metric": "gtm"}
    page.goto(f"{url}/?{urlencode(query)}")
    page.wait_for_selector(".js-plotly-plot .points path", timeout=30_000)
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    return page


def main() -> int:
    program = shutil.which("chromium")
    if not program:
        print("chromium is not installed")
        return 1
    port = free_port()
    app = start_app(port)
    missed = 0
    print(f"{'':26}{'':30}{'median':>9}{'p90':>9}{'target':>9}")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            for size, example, target in SIZES:
                page = opened(browser, f"http://127.0.0.1:{port}", example)
                for name, action in ACTIONS:
                    tiles = page.locator(".st-key-metric button")
                    if name.startswith("setting"):
                        tiles.nth(GTM).click()
                        page.wait_for_timeout(1000)
                    seconds = sorted(action(page))
                    median, p90 = statistics.median(seconds), seconds[int(0.9 * (len(seconds) - 1) + 0.5)]
                    verdict = "" if median <= target else "  missed"
                    missed += bool(verdict)
                    print(f"{size:26}{name:30}{median:8.3f}s{p90:8.3f}s{target:8.2f}s{verdict}", flush=True)
                page.context.close()
            browser.close()
    finally:
        app.terminate()
        app.wait(10)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
