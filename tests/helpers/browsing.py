"""Act on pages of the app in a browser, and read from them what the tests check."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import metrics
from metrics.alignment import bitext
from metrics.types import Hit, Result
from tests.helpers.waiting import until
from viz.draw.pen import marks
from viz.draw.pen.numbers import change_text, score_text
from viz.draw.pen.text import visible
from viz.frame.examples import EXAMPLES, PAIRS
from viz.pages.compare.record import CompareState
from viz.state.files.examples import ComparisonExample
from viz.state.links.link import to_query

LOADED = ".bitext tr.term, [data-testid=stAlert]"
VERMILION = "rgb(213, 94, 0)"
VIEWPORT = {"width": 1280, "height": 840}
WINDOW = {"width": 1280, "height": 1200}  # high enough that nothing scrolls
FIRST = EXAMPLES[0]
CANDIDATE = FIRST.candidate.split()
REFERENCES = [line.split() for line in FIRST.references.split("\n")]
PAIR = PAIRS[0]
HITS = set(bitext.hits(CANDIDATE, [tuple(r) for r in REFERENCES]))
EMPTY, INTERIOR = (
    Hit(1, 1, 7),
    Hit(4, 0, 6),
)  # a cell without a match (with × London), and a cell inside the longest run
Visit = Callable[..., Any]


class Watch:
    """A record of the faults of pages: console errors, script errors, dialogs, and requests to foreign hosts."""

    def __init__(self, address: str) -> None:
        self.address, self.faults = address, list[str]()

    def watch_page(self, page: Any) -> Any:
        """Record the faults of a page from now on, and return the page."""
        page.on("console", lambda m: self.faults.append(f"console: {m.text}") if self.is_fault(m) else None)
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.check_request(request.url))
        page.on("websocket", lambda socket: self.check_request(socket.url))
        return page

    def is_fault(self, message: Any) -> bool:
        """Return whether a console message is an error of the app."""
        # On the path of a page Streamlit first requests itself below that path, and the browser logs the failure.
        return message.type == "error" and not re.search("/(compare|learn)/_stcore/", message.location["url"])

    def check_request(self, url: str) -> None:
        """Record a fault if `url` leads to another host."""
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != urlsplit(self.address).netloc:
            self.faults.append(f"request to {url}")

    def assert_no_faults(self) -> None:
        """Assert that no fault is recorded, and forget all faults."""
        found, self.faults[:] = [*self.faults], []
        assert not found


class Tabs:
    """A pool of browser tabs for tests that run one after another; opening a tab takes as long as two pages."""

    def __init__(self, new_page: Callable[..., Any], watch: Watch) -> None:
        self.new_page, self.watch, self.free = new_page, watch, dict[str, list[Any]]()

    def take(self, options: Mapping[str, Any]) -> Any:
        """Return a tab with the given options of a playwright context; its storage and history are empty."""
        free = self.free.setdefault(json.dumps(options, sort_keys=True), [])
        page = free.pop() if free else self.watch.watch_page(self.new_page(**options))
        page.bring_to_front()  # Chromium draws background tabs only once a second
        return page

    def give_back(self, page: Any, options: Mapping[str, Any]) -> None:
        """Put a tab back into the pool: leave the app, clear storage and history, and reset the size of the window."""
        page.goto(f"{self.watch.address}/_stcore/health")
        page.evaluate("sessionStorage.clear()")
        page.set_viewport_size(options.get("viewport", VIEWPORT))
        page.emulate_media(media="null")
        page.mouse.move(0, 0)
        tools = page.context.new_cdp_session(page)
        tools.send("Page.resetNavigationHistory")
        tools.detach()
        self.free[json.dumps(options, sort_keys=True)].append(page)


def link(candidate: str = FIRST.candidate, references: str = FIRST.references, **more: Any) -> str:
    return "?" + urlencode({"candidate": candidate, "references": references, **more})


def comparison(pair: ComparisonExample = PAIR, metric: str = "gtm", view: str = "difference") -> str:
    workspace = CompareState(references=pair.references, metric=metric, systems=pair.systems, compare=view)
    return "compare?" + urlencode(to_query(workspace))


def tile(page: Any, key: str) -> Any:
    return page.locator(".st-key-strip [role=radio]").nth(list(metrics.METRICS).index(key))


def score_on(page: Any, key: str) -> str:
    """Return the printed score on the tile of the metric `key`."""
    return tile(page, key).locator("span").first.text_content()


def text_box(page: Any, label: str) -> Any:
    return page.get_by_label(label, exact=True)


def unfold(page: Any, name: str) -> None:
    """Open the <details> element of class `name`: `of-ties`, `of-references`, `of-signature` or `of-metric`.

    It may be open already, because the browser remembers it."""
    page.wait_for_selector(f"details.{name} > summary")
    if page.locator(f"details.{name}[open]").count() == 0:
        page.locator(f"details.{name} > summary").click()


def open_inputs(page: Any) -> None:
    """Open the text inputs of the Sentence page, which shrink to one line while they have no focus."""
    page.locator("[data-inputs]").click()


def open_settings(page: Any) -> Any:
    """Open the settings of the chosen metric, and return the popover that has them."""
    page.locator(".st-key-settings [data-testid=stPopover] button").click()
    return page.get_by_test_id("stPopoverBody")


def enter(field: Any, text: str) -> None:
    """Replace the text of a text area, and send it."""
    field.fill(text)
    field.press("Control+Enter")


def type_texts(page: Any, candidate: str, references: str) -> None:
    """Type candidate and references on the Sentence page, and wait until the page shows them."""
    for label, text in (("References, one per line", references), ("Candidate", candidate)):
        enter(text_box(page, label), text)
        settle(page)
    words = [page.locator(".word_lines .ln").nth(n).locator("bdi") for n in (0, 1)]
    for line, text in zip(words, (candidate, references.split("\n")[0]), strict=True):
        # Other texts are not drawn word by word: there is a message instead, or a part of the words.
        if 0 < len(text.split()) <= 40 and page.locator(".bitext .word_lines").count():
            until(lambda: len(line.all_text_contents()), len(text.split()))
            until(lambda: line.first.text_content(), visible(text.split()[0], 60))
    settle(page)


#: The script that notes in each page whether it waits for an answer of the server.
#: A page waits already before Streamlit's state says that a run goes on.
NOTES_ANSWERS = """{
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (...given) {
        if (!this.heard) {
            this.heard = true;
            this.addEventListener("message", () => { window.waitsForAnswer = false; });
        }
        window.waitsForAnswer = true;
        return send.apply(this, given);
    };
}"""


def settle(page: Any, later: int = 60) -> None:
    """Wait until the app is idle: every message is answered, and no run of the page goes on.

    The check begins `later` milliseconds from now by the page's clock, so that the page's own timers have run."""
    page.wait_for_function(
        """later => new Promise(done => {
            let calm = 0;
            const look = () => {
                const state = document.querySelector(".stApp")?.dataset.testScriptState;
                calm = state === "notRunning" && !window.waitsForAnswer ? calm + 1 : 0;
                if (calm > 2) done(true);
                else setTimeout(look, 10);
            };
            setTimeout(look, later);
        })""",
        arg=later,
    )


def wait_until_still(page: Any, selector: str) -> None:
    """Wait until the elements that `selector` finds no longer move or change their size."""
    page.wait_for_function(
        """selector => new Promise(done => {
            let before = "", same = 0;
            const look = () => {
                const boxes = [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
                const now = JSON.stringify(boxes);
                same = now === before ? same + 1 : 0;
                before = now;
                if (same > 5) done(true);
                else setTimeout(look, 30);
            };
            look();
        })""",
        arg=selector,
    )


def choose_metric(page: Any, see: Any, key: str) -> None:
    """Choose the metric `key` by its tile, and wait until the page shows it; `see` is playwright's `expect`."""
    tile(page, key).click()
    see(page.locator(".bitext").first).to_have_attribute("data-metric", key)
    settle(page)


def show_view(page: Any, view: str) -> None:
    """Show a view of the Sentence page or of the Compare page."""
    page.locator(":is(.st-key-view, .st-key-compare_view)").get_by_role("radio", name=view, exact=True).click()
    settle(page)


def word_names(cells: Sequence[Hit] | set[Hit]) -> set[str]:
    return {name for hit in cells for name in (f"c{hit.i}", f"r{hit.k}_{hit.j}")}


def data_values(page: Any, selector: str, name: str) -> set[str]:
    """Return the values of the attribute `data-{name}` of all elements that `selector` finds."""
    script = "([selector, name]) => [...document.querySelectorAll(selector)].map(e => e.dataset[name])"
    return set(page.evaluate(script, [selector, name]))


def cells(page: Any, selector: str = ".figure [data-cell]") -> set[Hit]:
    """Return the grid cells of the marks that `selector` finds."""
    return {Hit(*map(int, name.split(","))) for name in data_values(page, selector, "cell")}


def table_cells(page: Any) -> set[Hit]:
    """Return the grid cells of all terms, as the rows of the table of terms name them."""
    return {Hit(*map(int, c.split(","))) for found in data_values(page, "tr.term", "cells") for c in found.split()}


def cell_centre(page: Any, cell: Hit) -> tuple[float, float]:
    """Return the centre (x, y) of a grid cell in the window, in pixels."""
    x, y = page.evaluate(
        """([i, k, j]) => {
            const {dataset: p} = document.querySelector(`.figure path.grid[data-k="${k}"]`);
            const at = (from, n) => Number(p[from]) + (n + .5) * p.size;
            const m = document.querySelector(`.figure path.grid[data-k="${k}"]`).getScreenCTM();
            const point = new DOMPoint(at('x', j - p.j), at('y', i - p.i)).matrixTransform(m);
            return [point.x, point.y];
        }""",
        list(cell),
    )
    return x, y


def framed_cells(page: Any, layer: str = ".light") -> set[Hit]:
    """Return the grid cells that have a frame: those of the highlight, or with `layer` ".pick" those of the choice."""
    found = page.evaluate(
        """layer => [...document.querySelectorAll(`.figure ${layer} rect`)].flatMap(rect => {
            const n = name => Number(rect.getAttribute(name));
            const x = n('x') + n('width') / 2, y = n('y') + n('height') / 2;
            return [...rect.closest('svg').querySelectorAll('path.grid')].flatMap(({dataset: p}) => {
                const row = (y - p.y) / p.size - .5, column = (x - p.x) / p.size - .5;
                const one = n('width') < 1.5 * p.size;
                const inside = row > -.5 && column > -.5 && row < p.rows && column < p.columns;
                return one && inside ? [[Math.round(row) + +p.i, +p.k, Math.round(column) + +p.j]] : [];
            });
        })""",
        layer,
    )
    return {Hit(*cell) for cell in found}


def lit_words(page: Any) -> set[str]:
    """Return the names of the highlighted words, which have a vermilion outline in the lines of words."""
    return set(
        page.evaluate(
            """colour => [...document.querySelectorAll('.word_lines [data-word]')].filter(e => {
                const s = getComputedStyle(e);
                return s.outlineStyle === 'solid' && s.outlineColor === colour && parseFloat(s.outlineWidth) > 0;
            }).map(e => e.dataset.word)""",
            VERMILION,
        )
    )


def vermilion_formula(page: Any) -> str:
    """Return the part of the formula's text that is drawn in vermilion."""
    return page.evaluate(
        """colour => [...document.querySelector('.formula').querySelectorAll('*')].filter(
            e => getComputedStyle(e).color === colour && getComputedStyle(e.parentElement).color !== colour
        ).map(e => e.textContent).join('')""",
        VERMILION,
    )


class Chosen(NamedTuple):
    """All parts of a page that show which term is chosen.

    Attributes:
        rows: the names of the chosen rows.
        selected: the names of the rows that are selected for screen readers.
        addends: the names of the chosen addends of the formula.
        words: the names of the chosen words.
        framed: the cells with a frame."""

    rows: set[str]
    selected: set[str]
    addends: set[str]
    words: set[str]
    framed: set[Hit]


def chosen(page: Any) -> Chosen:
    return Chosen(
        data_values(page, "tr.term.chosen", "term"),
        data_values(page, "tr.term[aria-selected=true]", "term"),
        data_values(page, ".formula .addend.chosen", "term"),
        data_values(page, ".word_lines .chosen", "word"),
        framed_cells(page, ".pick"),
    )


def expected_choice(result: Result, name: str | None) -> Chosen:
    """Return how a page must show that the term `name` of `result` is chosen; None means that no term is chosen."""
    if name is None:
        return Chosen(set(), set(), set(), set(), set())
    mark = next(each.mark for each in marks.terms(result) if f"{each.layer}:{each.t}" == name)
    return Chosen({name}, {name}, {name}, set(marks.touched_words(mark).names()), set(mark.cells()))


def address(page: Any) -> str:
    """Return the address that the browser shows; `page.url` is updated only at the next call to the browser."""
    return page.evaluate("location.href")


def menu(page: Any, name: str) -> Any:
    page.get_by_test_id("stPopover").get_by_role("button", name=name, exact=True).click()
    return page.get_by_test_id("stPopoverBody")


def close_menu(page: Any) -> None:
    """Close the open menu; press Escape again where needed, because a menu that is being redrawn misses the key."""
    settle(page)

    def closed() -> bool:
        if page.get_by_test_id("stPopoverBody").count():
            page.keyboard.press("Escape")
            settle(page)
        return not page.get_by_test_id("stPopoverBody").count()

    until(closed)


def overflow(page: Any) -> int:
    """Return by how many pixels the page is wider than its window."""
    return page.evaluate(
        "Math.max(...['html', '.stMain'].map(s => document.querySelector(s)).filter(Boolean)"
        ".map(e => e.scrollWidth - e.clientWidth))"
    )


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    # One script finds and measures at once: with a locator, an element that is redrawn in between has no box.
    script = "selector => [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect().toJSON())"
    return page.evaluate(script, selector)


def result(key: str, **settings: Any) -> Result:
    return metrics.score(key, CANDIDATE, REFERENCES, **settings)


def verdict_numbers(page: Any) -> list[str]:
    """Return the numbers in the verdict of the Compare page, as printed: both scores and their difference."""
    return page.locator("[data-verdict] .num").all_inner_texts()


def expected_numbers(a: str, b: str, key: str = "gtm", references: str = PAIR.references) -> list[str]:
    given = [line.split() for line in references.split("\n")]
    before, after = (metrics.score(key, text.split(), given) for text in (a, b))
    return [score_text(before.score), score_text(after.score), change_text(after.score - before.score)]


SCORED = """() => {
    const said = document.querySelector('.st-key-strip')?.innerText ?? '…';
    return /\\d\\.\\d/.test(said) && !said.includes('…');
}"""


FILES = "input[type=file]"


def files_for_chooser(*names_and_lines: tuple[str, list[str]]) -> list[dict[str, Any]]:
    """Return text files for a file chooser, one for each pair of a file name and the file's lines."""
    return [
        {"name": name, "mimeType": "text/plain", "buffer": "".join(f"{line}\n" for line in lines).encode()}
        for name, lines in names_and_lines
    ]


def open_corpus_page(page: Any, address: str) -> None:
    page.goto(f"{address}/corpus")
    page.wait_for_selector(FILES, state="attached")


def score_corpus(page: Any, address: str, *names_and_lines: tuple[str, list[str]]) -> None:
    """Have the Corpus page score files, and wait until all scores are there."""
    open_corpus_page(page, address)
    page.set_input_files(FILES, files_for_chooser(*names_and_lines))
    page.locator(".st-key-corpus_score button").click()
    page.wait_for_function(SCORED)


def save_page(folder: Path, html: str) -> str:
    """Save a page in a folder, and return the address of its file."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()
