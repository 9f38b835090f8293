"""Measure how fast the app is in a browser, compared with a bare Streamlit page.

    python -m tests.benchmarks.bench_browser

Starts both and Chromium on this machine and measures them in turn, so that ratios hold on a slow or busy machine too.

- A metric or a setting: from the event in the page to the frame after the last change of the evidence. Each state has
  been shown before.
- A term: from the event to the frame that first shows it; the page may tell the server only afterwards.
- A step of an algorithm: from a key in the page to the frame that shows it.
- An opening: from the navigation to the frame with the evidence, in a browser context with an empty cache.

Exits with 1 if a target is missed.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import TimeoutError, sync_playwright

from metrics import METRICS
from tests.benchmarks.bench_load import report
from tests.helpers.app import FLAGS, chromium_program, served, served_page
from tests.helpers.browsing import open_settings
from viz.frame.examples import BY_NAME, EXAMPLES, PAIRS
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import SentenceState
from viz.state.files.examples import ComparisonExample
from viz.state.links import link

MANY = BY_NAME["English, 30 words and four references"]
SIZES = (
    ("8 × 20 words", EXAMPLES[0], 2.2),
    ("30 words × 4 references", MANY, 2.7),
)  # name, example, and the most that a change may take, as a multiple of the bare page
AT_ONCE = 0.03  # the most that a term may take, in seconds
OPENED, FIRST = 1.3, 2.2  # the most that a page may take to open, as a multiple of the bare page
COMPARED = (  # on the Compare page
    ("8 × 9 and 15 words", PAIRS[0]),
    (
        "30 words × 4 references",
        ComparisonExample("", (("A", MANY.candidate), ("B", MANY.candidate)), MANY.references, MANY.metric),
    ),
)
STEPPED = tuple([(" ".join(f"w{n * n % 23 + shift}" for n in range(30))) for shift in (0, 1)])  # 30 words a side
ENDS, END_MOST = (
    ("Home", "End") * 5,
    0.2,
)  # keys that jump between the ends of the steps, and seconds that a jump may take
COMPARED_MOST = 0.3  # seconds that a word of B may take

TIMES = 14
OPENINGS, STARTS = 5, 3

BARE = f"""
import streamlit as st
key = st.segmented_control("Metric", {list(METRICS)}, default="gtm", required=True, key="strip")
st.html(f'<p data-metric="{{key}}"><b>{{key}}</b></p>')
"""
EVIDENCE = "[data-metric]"
COMPARISON = ".frame.pair"
OUTPUT = ".st-key-system_1 textarea"  # B

# The script that each page runs first: it notes when the evidence is on screen and when a message goes to the server.
EARLY = """seen => {
    window.bench = {start: 0, first: 0, last: 0, sent: 0, opened: 0, awaited: '', wanted: ''};
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        if (bench.start && !bench.sent) bench.sent = performance.now();
        send.call(this, data);
    };
    // What is queued in a frame's callbacks runs when the frame is on screen.
    const look = () => document.querySelector(seen)
        ? setTimeout(() => bench.opened = performance.now()) : requestAnimationFrame(look);
    requestAnimationFrame(look);
}"""
# The script that times changes of a part. To be cheap it remembers which elements are inside the part.
WATCH = """part => {
    const inside = new WeakMap();
    const belongs = m => {
        const e = m.target.nodeType === 1 ? m.target : m.target.parentElement;
        if (!e) return false;
        if (!inside.has(e)) inside.set(e, Boolean(e.closest(part)));
        const found = n => n.nodeType === 1 && (n.matches(part) || n.querySelector(part));
        return inside.get(e) || [...m.addedNodes].some(found);
    };
    new MutationObserver(list => {
        if (!bench.start || !list.some(belongs)) return;
        requestAnimationFrame(() => setTimeout(() => {
            bench.last = performance.now();
            if (document.querySelector(bench.wanted)) bench.first ||= bench.last;
        }));
    }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true,
        attributeFilter: ['class', 'data-metric']});
    const begin = event => {
        if (event.type === bench.awaited) { bench.awaited = ''; bench.start = performance.now() }
    };
    for (const type of ['pointerdown', 'pointerover', 'keydown']) addEventListener(type, begin, true);
}"""
# The script that returns the seconds from a key to the paint of its step. Browsers report no paint, but a message that
# is posted in the frame's callback arrives after it.
STEP = """key => new Promise(done => {
    const start = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    requestAnimationFrame(() => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => done((performance.now() - start) / 1000);
        port2.postMessage(0);
    });
})"""
QUIET = """() => bench.first && performance.now() - bench.last > 300 &&
    document.querySelector('.stApp[data-test-script-state=notRunning]')"""


class Change(NamedTuple):
    """The timing of a change on a page, from the event in the page.

    Attributes:
        first: seconds from the event to the frame that first shows what was wanted.
        last: seconds from the event to the frame after the last change.
        asked: whether a message went to the server before the first frame."""

    first: float
    last: float
    asked: bool


def measure(page: Any, event: str, act: Callable[[], None], wanted: str) -> Change:
    """Return the timing of the change that calling `act` causes on the page, until the page is quiet.

    `event` is the browser's event from which time counts, such as "keydown". `wanted` is the selector of what must
    appear;
    RuntimeError is raised if it finds nothing within 10 s."""
    known = {"start": 0, "first": 0, "last": 0, "sent": 0, "awaited": event, "wanted": wanted}
    page.evaluate("known => Object.assign(bench, known)", known)
    act()
    try:
        page.wait_for_function(QUIET, timeout=10_000)
    except TimeoutError:
        raise RuntimeError(f"{wanted} is not on screen 10 s after {event}: {page.evaluate('bench')}") from None
    start, first, last, sent = page.evaluate("[bench.start, bench.first, bench.last, bench.sent]")
    return Change((first - start) / 1000, (last - start) / 1000, 0 < sent < first)


def element_center(element: Any) -> tuple[float, float]:
    element.scroll_into_view_if_needed()
    b = element.bounding_box()
    return b["x"] + b["width"] / 2, b["y"] + b["height"] / 2


def time_click(page: Any, element: Any, wanted: str) -> Change:
    """Return the timing of a click on `element` until the selector `wanted` finds something.

    The mouse is there already, so that hovering is not timed."""
    page.mouse.move(*element_center(element))
    page.wait_for_timeout(100)

    def click() -> None:
        page.mouse.down()
        page.mouse.up()

    return measure(page, "pointerdown", click, wanted)


def time_hover(page: Any, element: Any, wanted: str) -> Change:
    """Return the timing of moving the mouse onto `element` until the selector `wanted` finds something."""
    at = element_center(element)
    page.mouse.move(1, 1)
    page.wait_for_timeout(100)
    return measure(page, "pointerover", lambda: page.mouse.move(*at), wanted)


# ---------------------------------------------------------------- actions on the page


def metric_change_seconds(page: Any, untimed: int = 2) -> Iterator[float]:
    """Yield the seconds of choosing a metric by its tile, after `untimed` choices that are not timed.

    The bare Streamlit page has the same tiles."""
    tiles, keys = page.locator(".st-key-strip [role=radio]"), list(METRICS)
    at = keys.index(page.locator(EVIDENCE).get_attribute("data-metric"))
    for n in range(untimed + TIMES):
        at = (at + 4) % len(keys)  # 4 and the 15 metrics have no common factor, so each metric gets its turn
        change = time_click(page, tiles.nth(at), f'[data-metric="{keys[at]}"]')
        if n >= untimed:
            yield change.last


def setting_change_seconds(page: Any) -> Iterator[float]:
    """Yield the seconds of moving the slider of GTM's exponent by the keyboard, up and down in turn."""
    page.locator(".st-key-strip [role=radio]").nth([*METRICS].index("gtm")).click()
    page.wait_for_selector('[data-metric="gtm"]')
    page.wait_for_timeout(500)
    slider = open_settings(page).locator(".stSlider input").first
    slider.focus()
    for n in range(TIMES + 2):
        key = "ArrowRight" if n % 2 else "ArrowLeft"
        change = measure(page, "keydown", lambda: page.keyboard.press(key), EVIDENCE)
        if n > 1:
            yield change.last


def time_term_choices(page: Any) -> dict[str, list[Change]]:
    """Return the timings by action: choosing a term by its row or its mark, and highlighting a row or a word."""
    found = page.locator("tr[data-term]").all()[:3]
    rows = [f'tr[data-term="{row.get_attribute("data-term")}"]' for row in found]
    marks: list[str] = []
    words: list[str] = []
    for row in reversed(rows):  # the first row may be chosen already, and a click would end that
        time_click(page, page.locator(row), f"{row}.chosen")
        for places, attribute in ((marks, "data-cell"), (words, "data-word")):
            value = page.locator(f"[{attribute}].chosen").first.get_attribute(attribute)
            places.append(f'[{attribute}="{value}"]')
    marks.reverse()
    changes: dict[str, list[Change]] = {}
    chosen = product((("row", rows), ("mark", marks)), range(TIMES))
    for n, ((how, places), _) in enumerate(chosen, 1):  # never click the chosen term: that would end the choice
        at = n % len(rows)
        change = time_click(page, page.locator(places[at]).first, f"{rows[at]}.chosen")
        changes.setdefault(f"a term chosen by its {how}", []).append(change)
    for (what, places), n in product((("row", rows), ("word", words)), range(TIMES)):
        place = places[n % len(places)]
        change = time_hover(page, page.locator(place).first, f"{place}.lit")
        changes.setdefault(f"a {what} lit", []).append(change)
    return changes


def word_change_seconds(page: Any) -> Iterator[float]:
    """Yield the seconds of replacing a word of output B on the Compare page."""
    area = page.locator(OUTPUT)
    words = area.input_value().split()
    for n in range(TIMES + 6):
        at = len(words) // 2 + n % 3
        area.fill(" ".join([*words[:at], "mended", *words[at + 1 :]]))
        change = measure(page, "keydown", lambda: area.press("Control+Enter"), "body")
        if n > 5:
            yield change.last


# ---------------------------------------------------------------- pages, servers and sessions


@contextmanager
def page_without_cache(browser: Any, url: str, seen: str = f"{EVIDENCE} *") -> Iterator[tuple[Any, list[str]]]:
    """Yield a page opened without a cache, and the list of the addresses that it has requested.

    The page is yielded once the selector `seen` finds something. The window is so high that little scrolling is
    needed."""
    context = browser.new_context(viewport={"width": 1280, "height": 1800})
    context.set_default_timeout(15_000)
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script(f"({EARLY})({json.dumps(seen)})")
    page.goto(url, wait_until="commit")
    page.wait_for_function("bench.opened", timeout=60_000)
    page.wait_for_timeout(500)
    yield page, requests
    context.close()


@contextmanager
def watched_page(browser: Any, url: str, part: str = EVIDENCE, seen: str = f"{EVIDENCE} *") -> Iterator[Any]:
    """Yield an open page on which changes inside the element with selector `part` are timed.

    The page is yielded once the selector `seen` finds something."""
    with page_without_cache(browser, url, seen) as (page, _):
        page.wait_for_timeout(1500)
        page.evaluate(WATCH, part)
        yield page


class Opening(NamedTuple):
    """The timing of a page's opening: seconds until it is on screen, and the number of its requests for Plotly."""

    seconds: float
    plotly: int


def measure_opening(browser: Any, url: str) -> Opening:
    with page_without_cache(browser, url) as (page, requests):
        return Opening(page.evaluate("bench.opened") / 1000, sum("plotly" in address.lower() for address in requests))


# ---------------------------------------------------------------- reports


def report_median_seconds(what: str, seconds: Sequence[float], target: float) -> bool:
    """Print the median of `seconds` beside the target, and return whether the median exceeds it."""
    median = statistics.median(seconds)
    return report(what, f"{median:.3f} s", f"{target:.2f} s", median > target)


def report_ratio(what: str, seconds: Sequence[tuple[float, float]], target: float) -> bool:
    """Print the medians of (our seconds, the bare page's seconds); return whether their ratio exceeds the target."""
    ours, bare = (statistics.median(side) for side in zip(*seconds, strict=True))
    numbers = f"{ours:.3f} s, bare {bare:.3f} s, {ours / bare:.2f} times"
    return report(what, numbers, f"{target} times", ours > target * bare)


def report_count(what: str, number: int) -> bool:
    """Print a number that should be 0, and return whether it is larger."""
    return report(what, str(number), "0", number > 0)


def find_missed_changes(browser: Any, app: str, bare: str) -> Iterator[bool]:
    """Measure all changes on the app's pages, and yield for each kind whether it misses its target.

    `app` and `bare` are the addresses of the app and of the bare Streamlit page."""
    for size, example, most in SIZES:
        query = urlencode({"candidate": example.candidate, "references": example.references, "metric": "gtm"})
        with watched_page(browser, f"{app}/?{query}") as page, watched_page(browser, bare) as other:
            both = [*zip(metric_change_seconds(page, len(METRICS)), metric_change_seconds(other), strict=True)]
            yield report_ratio(f"{size}: a metric chosen", both, most)
            both = [*zip(setting_change_seconds(page), metric_change_seconds(other), strict=True)]
            yield report_ratio(f"{size}: a setting", both, most)
            terms = time_term_choices(page)
        for how, each in terms.items():
            yield report_median_seconds(f"{size}: {how}", [change.first for change in each], AT_ONCE)
        early = sum(change.asked for each in terms.values() for change in each)
        yield report_count(f"{size}: messages before a term is seen", early)
    for key in ("rouge_l", "rouge_w", "wer", "rouge_s"):
        sentence = SentenceState(candidate=STEPPED[0], references=STEPPED[1], metric=key, view="steps", step=600)
        with watched_page(browser, f"{app}/?{urlencode(link.to_query(sentence))}", seen=".controls .count") as page:
            steps = [page.evaluate(STEP, key) for key in ["ArrowRight"] * 20 + ["ArrowLeft"] * 20]
            yield report_median_seconds(f"30 × 30 words: a step of {METRICS[key].label}", steps, AT_ONCE)
            yield report_median_seconds(
                f"30 × 30 words: from end to end of {METRICS[key].label}",
                [page.evaluate(STEP, k) for k in ENDS],
                END_MOST,
            )
    for size, pair in COMPARED:
        shown = CompareState(references=pair.references, systems=pair.systems)
        with watched_page(browser, f"{app}/compare?{urlencode(link.to_query(shown))}", COMPARISON, OUTPUT) as page:
            yield report_median_seconds(f"{size}: a word of B", [*word_change_seconds(page)], COMPARED_MOST)


def find_missed_openings(browser: Any, app: str, bare: str) -> Iterator[bool]:
    """Measure the openings of the app and of the bare page in turn, and yield whether each misses its target.

    Both are opened on running servers (`app` and `bare` are their addresses), and on servers just started."""
    measure_opening(browser, app), measure_opening(browser, bare)
    warm = [(measure_opening(browser, app), measure_opening(browser, bare)) for _ in range(OPENINGS)]
    yield report_ratio("first page, warm server", [(ours.seconds, theirs.seconds) for ours, theirs in warm], OPENED)
    first = []
    for _ in range(STARTS):
        with served() as fresh:
            ours = measure_opening(browser, fresh.address)
        with served_page(BARE) as fresh:
            first.append((ours, measure_opening(browser, fresh.address)))
    yield report_ratio("first visitor after a start", [(ours.seconds, theirs.seconds) for ours, theirs in first], FIRST)
    yield report_count("requests for Plotly", sum(ours.plotly for ours, _ in warm + first))


def main() -> int:
    program = chromium_program()
    if not program:
        print("chromium-headless-shell is not installed")
        return 1
    with sync_playwright() as playwright, served() as app, served_page(BARE) as bare:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        missed = sum(find_missed_changes(browser, app.address, bare.address))
        missed += sum(find_missed_openings(browser, app.address, bare.address))
        browser.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
