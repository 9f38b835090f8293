"""Measure the speed of the Corpus page against a bare Streamlit page.

    python -m tests.benchmarks.bench_corpus_page [SEGMENTS]

Starts both pages and Chromium on this machine. Two systems of SEGMENTS segments (100,000 by default) are uploaded and
scored by the page itself; actions on it alternate with clicks on the bare page.
`tests/helpers/tiled.py` makes the texts.

- First numbers: from the pointer on "Score" to the frame with the first score of a metric.
- First paint of a scored corpus: from a reload to the first row, compared with the Sentence page in the same browser.
- Sorting, filtering, a row and an arrow key: from the event to the frame after its last change, and the bytes
  received. The click on the bare page chooses a metric, as for the other pages.

Exits with 1 if a target is missed."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.benchmarks import bench_browser as bench
from tests.benchmarks.bench_browser import Change, measure, report_ratio, watched_page
from tests.benchmarks.bench_load import report
from tests.helpers.app import FLAGS, chromium_program, served, served_page
from tests.helpers.tiled import tiled

SIZE = 100_000
#: The most that actions may take, as multiples of a bare page or click; below, the most kilobytes.
PAINTED, SORTED, FOUND = 1.5, 4.0, 3.0
SORTED_MOST, FOUND_MOST = 50, 120
FIRST_NUMBERS = 0.5  # seconds
TIMES = 9
ORDERS = ("delta", "b", "number", "worth")
FILTERS = ("gtm < 0.5", 'has("the")', "length > 12 and delta.gtm > 0", "worth > 0", 'matches("a.e")')
# The script that measures the milliseconds from the click to the frame after the first tile with a number.
FIRST = """() => {
    let start = 0;
    addEventListener('pointerdown', () => start = performance.now(), {capture: true, once: true});
    window.firstNumber = new Promise(done => new MutationObserver((_, watch) => {
        const tiles = [...document.querySelectorAll('.st-key-strip [role=radio]')];
        if (!tiles.some(tile => !tile.textContent.includes('…'))) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    }).observe(document.body, {subtree: true, childList: true, characterData: true}));
}"""
EXAMPLE = "?candidate=the+cat+sat+on+the+mat&references=a+cat+sat+on+a+mat"


class ReceivedBytes:
    """A counter of the bytes that a page receives over its WebSockets."""

    def __init__(self, page: Any) -> None:
        self.bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self.count_frame))

    def count_frame(self, frame: Any) -> None:
        self.bytes += len(frame)


def write_files(folder: Path, size: int) -> list[str]:
    """Write two systems' outputs and a reference to `folder`, with `size` lines each, and return the files' paths."""
    made = tiled(size)
    texts = {"A.txt": made.systems[0], "B.txt": made.systems[1], "reference.txt": [each[0] for each in made.references]}
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(map(" ".join, lines)) + "\n", encoding="utf-8")
    return [str(folder / name) for name in texts]


def upload_and_score(page: Any, url: str, paths: list[str]) -> float:
    """Upload the files `paths`, score them and wait until all is computed.

    Returns the seconds from the click on "Score" to the first score on the page."""
    page.goto(f"{url}/corpus")
    page.set_input_files("input[type=file]", paths)
    page.wait_for_selector(".recognised", timeout=120_000)
    page.wait_for_timeout(1500)
    button = page.locator(".st-key-corpus_score button")
    start = time.monotonic()
    page.evaluate(FIRST)
    button.click()
    first = float(page.evaluate("firstNumber")) / 1000
    page.wait_for_selector('.st-key-strip:not(:has-text("…"))', timeout=900_000)
    page.wait_for_selector("text=Looking for causes", state="detached", timeout=600_000)
    page.wait_for_timeout(2000)
    print(f"{'all scores, causes and chances':54}{time.monotonic() - start:.0f} s", flush=True)
    return first


def first_paint_seconds(page: Any, url: str) -> float:
    """Return the seconds until the page `url` shows its first row or evidence; the browser has cached all scripts."""
    page.goto("about:blank")
    page.goto(url, wait_until="commit")
    page.wait_for_function("bench.opened", timeout=60_000)
    page.wait_for_timeout(1500)
    return float(page.evaluate("bench.opened")) / 1000


def repeat_action(page: Any, received: ReceivedBytes, act: Callable[[int], Change]) -> Iterator[tuple[float, int]]:
    """Repeat `act`, and yield (seconds until the last change, bytes received) for all repetitions but the first two.

    `act` gets the number of the repetition and returns the timing of the change."""
    for n in range(TIMES + 2):
        before = received.bytes
        change = act(n)
        page.wait_for_timeout(150)
        if n > 1:
            yield change.last, received.bytes - before


def click_seconds(bare_page: Any) -> float:
    """Return the seconds of a click on the bare Streamlit page that chooses another metric."""
    key = next(key for key in ("gtm", "sia") if key != bare_page.locator("[data-metric]").get_attribute("data-metric"))
    button = bare_page.get_by_role("radio", name=key, exact=True)
    return bench.time_click(bare_page, button, f'[data-metric="{key}"]').last


def action_misses_target(
    page: Any, bare_page: Any, received: ReceivedBytes, what: str, act: Any, most_times: float, most_kilobytes: int
) -> bool:
    """Repeat an action, alternating with clicks on the bare page; print both, and return whether a target is missed.

    Args:
        page: the Corpus page.
        bare_page: the bare Streamlit page.
        received: the counter of the bytes that the Corpus page receives.
        what: the printed name of the action.
        act: does the action on the Corpus page, given the number of the repetition, and returns its timing.
        most_times: the action may take so many times as long as a click on the bare page.
        most_kilobytes: the action may make the page receive so many kilobytes."""
    seconds, weights = [], []
    for second, weight in repeat_action(page, received, act):
        seconds.append((second, click_seconds(bare_page)))
        weights.append(weight)
    missed = report_ratio(what, seconds, most_times)
    weight = statistics.median(weights) / 1000
    return report(f"  {what}, kilobytes", f"{weight:.0f}", str(most_kilobytes), weight > most_kilobytes) or missed


def main(size: int) -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        names = write_files(Path(folder), size)
        with sync_playwright() as playwright, served() as app, served_page(bench.BARE) as bare:
            browser = playwright.chromium.launch(executable_path=chromium_program(), args=FLAGS)
            context = browser.new_context(viewport={"width": 1280, "height": 1000})
            page = context.new_page()
            received = ReceivedBytes(page)
            first = upload_and_score(page, app.address, names)
            missed += report("first numbers", f"{first:.2f} s", f"{FIRST_NUMBERS} s", first > FIRST_NUMBERS)
            sentence = context.new_page()
            page.add_init_script(f"({bench.EARLY})('.segments .row')")
            sentence.add_init_script(f"({bench.EARLY})('{bench.EVIDENCE} *')")
            pages = (page, f"{app.address}/corpus?page=corpus"), (sentence, f"{app.address}/{EXAMPLE}")
            both = [tuple(first_paint_seconds(*each) for each in pages) for _ in range(4)]
            missed += report_ratio("first paint, beside Sentence's", both[1:], PAINTED)  # type: ignore[arg-type]
            with watched_page(browser, bare.address) as other:
                page.evaluate(bench.WATCH, ".segments, .segment_head, .st-key-corpus_room, .st-key-corpus_filter")

                def sort_table(n: int) -> Change:
                    name = ORDERS[n % len(ORDERS)]
                    head = page.locator(f".segments [data-sort={name}]")
                    return bench.time_click(page, head, f"[aria-sort$=scending] [data-sort={name}]")

                def filter_table(n: int) -> Change:
                    field = page.get_by_label("Filter", exact=True)
                    field.fill(FILTERS[n % len(FILTERS)])
                    return measure(page, "keydown", lambda: field.press("Enter"), ".segments .row")

                def choose_row(n: int) -> Change:
                    wanted = page.locator(".segments .row:not(.chosen)").nth(3 + n % 9)
                    number = wanted.get_attribute("data-segment")
                    return bench.time_click(
                        page, wanted.locator(".cell").first, f'.segments .chosen[data-segment="{number}"]'
                    )

                def press_arrow_key(n: int) -> Change:
                    page.locator(".segments").focus()
                    return measure(page, "keydown", lambda: page.keyboard.press("ArrowDown"), ".segments .chosen")

                for what, each, most, kilobytes in (
                    ("a row to its fragment", choose_row, FOUND, FOUND_MOST),
                    ("an arrow key to its fragment", press_arrow_key, FOUND, FOUND_MOST),
                    ("sorting", sort_table, SORTED, SORTED_MOST),
                    ("filtering", filter_table, SORTED, SORTED_MOST),
                ):
                    missed += action_misses_target(page, other, received, what, each, most, kilobytes)
            browser.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZE))
