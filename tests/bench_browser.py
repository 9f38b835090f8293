"""How fast the app is in a browser, beside a bare Streamlit page: `python tests/bench_browser.py`.

Starts both and Chromium on this machine and measures them in turn, so that ratios hold on a slow or busy machine too.

- A metric or a setting: from the event in the page to the frame after the last change of the evidence. Each state was
  shown before.
- A term: from the event to the frame that first shows it; the server may then be told, and answer.
- A step of an algorithm: from a key in the page to the frame that shows it.
- An opening: from the navigation to the frame with the evidence, in a browser context that has nothing in its cache.

Exits with 1 if a target is missed.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import TimeoutError, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
from browsing import open_settings
from conftest import FLAGS, ROOT, chromium_program, free_port, start_app

from metrics import METRICS
from viz.pages.compare.examples import PAIRS
from viz.pages.compare.record import CompareState
from viz.pages.sentence.examples import BY_NAME, EXAMPLES
from viz.pages.sentence.record import SentenceState
from viz.state import link
from viz.state.examples import ComparisonExample

APP = ROOT / "app.py"
MANY = BY_NAME["English, 30 words and four references"]
SIZES = (("8 × 20 words", EXAMPLES[0], 2.2), ("30 words × 4 references", MANY, 2.7))  # the most a change may take
AT_ONCE = 0.03  # the most that a term may take, in seconds
OPENED, FIRST = 1.3, 2.2  # the most that a page may take to open
COMPARED = (  # on the Compare page
    ("8 × 9 and 15 words", PAIRS[0]),
    (
        "30 words × 4 references",
        ComparisonExample("", (("A", MANY.candidate), ("B", MANY.candidate)), MANY.references, MANY.metric),
    ),
)
STEPPED = tuple([(" ".join(f"w{n * n % 23 + shift}" for n in range(30))) for shift in (0, 1)])  # 30 words a side
ENDS, END_MOST = ("Home", "End") * 5, 0.2  # from one end of the steps to the other, and seconds that it may take
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

# In the page before anything else: when the evidence is on screen, and when a message goes to the server.
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
# It must cost little itself: elements outside of the part are known after one look.
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
# Seconds from a key to the paint of the step that it shows, waited for as a browser lets it be known: a message that is
# posted in the frame's callback comes after the paint.
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
    """Seconds from an event to the frame that first shows what was wanted, and to the frame after the last change; and
    whether a message went to the server before that first frame."""

    first: float
    last: float
    asked: bool


def measure(page: Any, event: str, act: Callable[[], None], wanted: str) -> Change:
    """What follows on the event of `act`, until the page is quiet and has what the selector `wanted` finds."""
    known = {"start": 0, "first": 0, "last": 0, "sent": 0, "awaited": event, "wanted": wanted}
    page.evaluate("known => Object.assign(bench, known)", known)
    act()
    try:
        page.wait_for_function(QUIET, timeout=10_000)
    except TimeoutError:
        raise RuntimeError(f"{wanted} is not on screen 10 s after {event}: {page.evaluate('bench')}") from None
    start, first, last, sent = page.evaluate("[bench.start, bench.first, bench.last, bench.sent]")
    return Change((first - start) / 1000, (last - start) / 1000, 0 < sent < first)


def middle(element: Any) -> tuple[float, float]:
    element.scroll_into_view_if_needed()
    b = element.bounding_box()
    return b["x"] + b["width"] / 2, b["y"] + b["height"] / 2


def clicked(page: Any, element: Any, wanted: str) -> Change:
    """A click where the mouse is already, so that hovering is not timed."""
    page.mouse.move(*middle(element))
    page.wait_for_timeout(100)

    def click() -> None:
        page.mouse.down()
        page.mouse.up()

    return measure(page, "pointerdown", click, wanted)


def hovered(page: Any, element: Any, wanted: str) -> Change:
    at = middle(element)
    page.mouse.move(1, 1)
    page.wait_for_timeout(100)
    return measure(page, "pointerover", lambda: page.mouse.move(*at), wanted)


# ---------------------------------------------------------------- what is done on the page


def metric_changes(page: Any, warm: int = 2) -> Iterator[float]:
    """Metrics are chosen by their tiles, some before any is timed. The bare page has the same."""
    tiles, keys = page.locator(".st-key-strip [role=radio]"), list(METRICS)
    at = keys.index(page.locator(EVIDENCE).get_attribute("data-metric"))
    for n in range(warm + TIMES):
        at = (at + 4) % len(keys)  # 4 and 15 have no common factor: each in its turn
        change = clicked(page, tiles.nth(at), f'[data-metric="{keys[at]}"]')
        if n >= warm:
            yield change.last


def setting_changes(page: Any) -> Iterator[float]:
    """GTM's exponent goes up and down by the keyboard."""
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


def term_changes(page: Any) -> dict[str, list[Change]]:
    """Terms are chosen by their rows and marks, and rows and words are lit."""
    found = page.locator("tr[data-term]").all()[:3]
    rows = [f'tr[data-term="{row.get_attribute("data-term")}"]' for row in found]
    marks: list[str] = []
    words: list[str] = []
    for row in reversed(rows):  # the first may be chosen already
        clicked(page, page.locator(row), f"{row}.chosen")
        for places, attribute in ((marks, "data-cell"), (words, "data-word")):
            value = page.locator(f"[{attribute}].chosen").first.get_attribute(attribute)
            places.append(f'[{attribute}="{value}"]')
    marks.reverse()
    changes: dict[str, list[Change]] = {}
    chosen = product((("row", rows), ("mark", marks)), range(TIMES))
    for n, ((how, places), _) in enumerate(chosen, 1):  # never the term that is chosen: another click ends that
        at = n % len(rows)
        change = clicked(page, page.locator(places[at]).first, f"{rows[at]}.chosen")
        changes.setdefault(f"a term chosen by its {how}", []).append(change)
    for (what, places), n in product((("row", rows), ("word", words)), range(TIMES)):
        place = places[n % len(places)]
        change = hovered(page, page.locator(place).first, f"{place}.lit")
        changes.setdefault(f"a {what} lit", []).append(change)
    return changes


def word_changes(page: Any) -> Iterator[float]:
    """A word of B is changed on the Compare page."""
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
def served(script: Path) -> Iterator[str]:
    """The address of a server that has just started."""
    port = free_port()
    app = start_app(port, script)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        app.terminate()
        app.wait(10)


@contextmanager
def opened(browser: Any, url: str, seen: str = f"{EVIDENCE} *") -> Iterator[tuple[Any, list[str]]]:
    """A page with its evidence on screen, nothing of it from a cache, and the addresses of all that it asked for. The
    window is so high that little has to be scrolled to."""
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
def watched(browser: Any, url: str, part: str = EVIDENCE, seen: str = f"{EVIDENCE} *") -> Iterator[Any]:
    """A page whose changes in a part are timed."""
    with opened(browser, url, seen) as (page, _):
        page.wait_for_timeout(1500)
        page.evaluate(WATCH, part)
        yield page


class Opening(NamedTuple):
    """Seconds until a page is on screen, and how many requests were for Plotly."""

    seconds: float
    plotly: int


def opening(browser: Any, url: str) -> Opening:
    with opened(browser, url) as (page, requests):
        return Opening(page.evaluate("bench.opened") / 1000, sum("plotly" in address.lower() for address in requests))


# ---------------------------------------------------------------- what is printed


def report(what: str, numbers: str, target: str, missed: bool) -> bool:
    print(f"{what:54}{numbers:46}at most {target}{'  missed' if missed else ''}", flush=True)
    return missed


def within(what: str, seconds: Sequence[float], most: float) -> bool:
    """Print the median of some seconds; whether it misses its target."""
    median = statistics.median(seconds)
    return report(what, f"{median:.3f} s", f"{most:.2f} s", median > most)


def ratio(what: str, seconds: Sequence[tuple[float, float]], most: float) -> bool:
    """Print the medians of our seconds and the bare page's; whether their ratio misses its target."""
    ours, bare = (statistics.median(side) for side in zip(*seconds, strict=True))
    numbers = f"{ours:.3f} s, bare {bare:.3f} s, {ours / bare:.2f} times"
    return report(what, numbers, f"{most} times", ours > most * bare)


def count(what: str, number: int) -> bool:
    return report(what, str(number), "0", number > 0)


def changes(browser: Any, app: str, bare: str) -> Iterator[bool]:
    """What is done on the pages; whether each misses its target."""
    for size, example, most in SIZES:
        query = urlencode({"candidate": example.candidate, "references": example.references, "metric": "gtm"})
        with watched(browser, f"{app}/?{query}") as page, watched(browser, bare) as other:
            both = [*zip(metric_changes(page, len(METRICS)), metric_changes(other), strict=True)]
            yield ratio(f"{size}: a metric chosen", both, most)
            both = [*zip(setting_changes(page), metric_changes(other), strict=True)]
            yield ratio(f"{size}: a setting", both, most)
            terms = term_changes(page)
        for how, each in terms.items():
            yield within(f"{size}: {how}", [change.first for change in each], AT_ONCE)
        early = sum(change.asked for each in terms.values() for change in each)
        yield count(f"{size}: messages before a term is seen", early)
    for key in ("rouge_l", "rouge_w", "wer", "rouge_s"):
        sentence = SentenceState(candidate=STEPPED[0], references=STEPPED[1], metric=key, view="steps", step=600)
        with watched(browser, f"{app}/?{urlencode(link.to_query(sentence))}", seen=".controls .count") as page:
            steps = [page.evaluate(STEP, key) for key in ["ArrowRight"] * 20 + ["ArrowLeft"] * 20]
            yield within(f"30 × 30 words: a step of {METRICS[key].label}", steps, AT_ONCE)
            yield within(
                f"30 × 30 words: from end to end of {METRICS[key].label}",
                [page.evaluate(STEP, k) for k in ENDS],
                END_MOST,
            )
    for size, pair in COMPARED:
        shown = CompareState(references=pair.references, systems=pair.systems)
        with watched(browser, f"{app}/compare?{urlencode(link.to_query(shown))}", COMPARISON, OUTPUT) as page:
            yield within(f"{size}: a word of B", [*word_changes(page)], COMPARED_MOST)


def openings(browser: Any, app: str, bare: str, script: Path) -> Iterator[bool]:
    """Both pages opened in turn, on servers that are warm and on servers that have just started."""
    opening(browser, app), opening(browser, bare)
    warm = [(opening(browser, app), opening(browser, bare)) for _ in range(OPENINGS)]
    yield ratio("first page, warm server", [(ours.seconds, theirs.seconds) for ours, theirs in warm], OPENED)
    first = []
    for _ in range(STARTS):
        with served(APP) as url:
            ours = opening(browser, url)
        with served(script) as url:
            first.append((ours, opening(browser, url)))
    yield ratio("first visitor after a start", [(ours.seconds, theirs.seconds) for ours, theirs in first], FIRST)
    yield count("requests for Plotly", sum(ours.plotly for ours, _ in warm + first))


def main() -> int:
    program = chromium_program()
    if not program:
        print("chromium-headless-shell is not installed")
        return 1
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        with sync_playwright() as playwright, served(APP) as app, served(script) as bare:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            missed += sum(changes(browser, app, bare))
            missed += sum(openings(browser, app, bare, script))
            browser.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
