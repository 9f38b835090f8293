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
from viz.state.examples import BY_NAME, EXAMPLES, PAIRS, Example, Pair
from viz.state.link import Compare, to_query

TIMES = 14
SIZES = (  # name, example, target in seconds
    ("8 × 20 words", EXAMPLES[0], 0.25),
    ("30 words × 4 references", BY_NAME["English, 30 words and four references"], 0.35),
)
_MANY = BY_NAME["English, 30 words and four references"]
COMPARED = (  # likewise
    ("8 × 9 and 15 words", PAIRS[0], 0.3),
    ("30 words × 4 references", Pair("", _MANY.candidate, _MANY.candidate, _MANY.references), 0.3),
)
GTM = 6  # its tile

# It must cost little itself: no styles and classes, which change by the thousand, and one look at each change.
WATCH = """() => {
    const parts = {bx: 'words', stMarkdown: 'formula', terms: 'table', stPlotlyChart: 'figure',
        drawing: 'figure'};
    const selector = Object.keys(parts).map(name => '.' + name).join();
    const bench = window.bench = {start: 0, last: 0, changed: {}};
    const name = e => parts[Object.keys(parts).find(c => e.classList.contains(c))];
    const known = new WeakMap();
    const part = e => {
        if (!known.has(e)) { const at = e.closest(selector); known.set(e, at ? name(at) : null) }
        return known.get(e);
    };
    const hover = m => m.type === 'childList' && (m.target.closest?.('.hoverlayer, .lit-layer') ||
        [...m.addedNodes, ...m.removedNodes].some(n => n.classList?.contains('lit-layer')));
    new MutationObserver(list => {
        if (!bench.start) return;
        const names = new Set();
        for (const m of list) {
            if (hover(m)) continue;
            const found = part(m.target.nodeType === 1 ? m.target : m.target.parentElement ?? document.body);
            if (found) names.add(found);
            else for (const n of m.addedNodes) {
                if (n.nodeType !== 1) continue;
                for (const e of [n, ...n.querySelectorAll(selector)]) if (e.matches(selector)) names.add(name(e));
            }
        }
        if (!names.size) return;
        // A frame is on screen when what was queued in its callbacks has run.
        requestAnimationFrame(() => setTimeout(() => {
            bench.last = performance.now();
            for (const name of names) bench.changed[name] = bench.last - bench.start;
        }));
    }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true,
        attributeFilter: ['d', 'transform', 'aria-selected']});
    const begin = () => { if (bench.armed) { bench.armed = false; bench.start = performance.now() } };
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, begin, true);
}"""
QUIET = """must => must.every(name => name in bench.changed) && performance.now() - bench.last > 450
    && document.querySelector('.stApp[data-test-script-state=notRunning]')"""


def measure(page: Any, act: Callable[[], None], must: Sequence[str]) -> float:
    """Seconds from the event of `act` to the last change on screen; the parts in `must` have to change."""
    page.evaluate("bench.start = bench.last = 0; bench.changed = {}; bench.armed = true")
    act()
    page.wait_for_function(QUIET, arg=list(must), timeout=10_000)
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
        seconds = measure(page, lambda: page.keyboard.press(key), ["formula", "table"])
        if n > 1:
            yield seconds


def row_clicks(page: Any) -> Iterator[float]:
    rows = page.locator(".terms tr.term")
    for n in range(TIMES + 1):
        seconds = measure(page, press(page, *middle(rows.nth(n % 3))), ["words", "formula", "table", "figure"])
        if n:
            yield seconds


def grid_clicks(page: Any) -> Iterator[float]:
    for n in range(TIMES + 1):
        # The dots that the chosen term does not have, so that each click chooses another term.
        spots = page.evaluate(
            """() => {
                const at = name => [...document.querySelectorAll('.st-key-scroll .points path')].filter(
                    e => e.parentElement.closest('.trace').__data__[0].trace.name === name
                ).map(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] });
                const chosen = at('selected');
                return at('used').filter(([x, y]) => y > 0 && y < innerHeight
                    && !chosen.some(([u, v]) => Math.abs(x - u) < 3 && Math.abs(y - v) < 3));
            }"""
        )
        x, y = spots[n * 5 % len(spots)]
        seconds = measure(page, press(page, x, y), ["words", "formula", "table", "figure"])
        if n:
            yield seconds


def word_changes(page: Any) -> Iterator[float]:
    """A word of B is changed on the Compare page."""
    area = page.locator(".st-key-system_1 textarea")
    words = area.input_value().split()
    for n in range(TIMES + 6):
        at = len(words) // 2 + n % 3
        area.fill(" ".join([*words[:at], "mended", *words[at + 1 :]]))
        seconds = measure(page, lambda: area.press("Control+Enter"), ["words", "figure"])
        if n > 5:
            yield seconds


ACTIONS = (
    ("metric, by its tile", metric_changes),
    ("setting, slider by keyboard", setting_changes),
    ("term, by its row", row_clicks),
    ("term, on the grid", grid_clicks),
)


def opened(browser: Any, url: str, example: Example | Pair) -> Any:
    """A page in a window so high that nothing has to be scrolled to."""
    page = browser.new_context(viewport={"width": 1280, "height": 1800}).new_page()
    if isinstance(example, Pair):
        shown = Compare(references=example.references, systems=example.systems)
        page.goto(f"{url}/compare?{urlencode(to_query(shown))}")
    else:
        query = {"candidate": example.candidate, "references": example.references, "metric": "gtm"}
        page.goto(f"{url}/?{urlencode(query)}")
    page.wait_for_selector(".js-plotly-plot .points path, .drawing", timeout=30_000)
    page.wait_for_timeout(2000)
    page.evaluate(WATCH)
    return page


def row(size: str, name: str, target: float, seconds: Sequence[float]) -> bool:
    """Print what sorted times come to; whether their median misses the target."""
    median, p90 = statistics.median(seconds), seconds[int(0.9 * (len(seconds) - 1) + 0.5)]
    verdict = "" if median <= target else "  missed"
    print(f"{size:26}{name:30}{median:8.3f}s{p90:8.3f}s{target:8.2f}s{verdict}", flush=True)
    return bool(verdict)


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
                    missed += row(size, name, target, sorted(action(page)))
                page.context.close()
            for size, pair, target in COMPARED:
                page = opened(browser, f"http://127.0.0.1:{port}", pair)
                missed += row(size, "a word of B", target, sorted(word_changes(page)))
                page.context.close()
            browser.close()
    finally:
        app.terminate()
        app.wait(10)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
