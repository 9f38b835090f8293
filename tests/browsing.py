"""Pages of the app in a browser: what tests do on them, and what they read from them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from waiting import until

import metrics
from metrics.alignment import bitext
from metrics.types import Hit, Result
from viz.draw.pen import marks, theme
from viz.pages.compare.examples import PAIRS
from viz.pages.compare.record import CompareState
from viz.pages.sentence.examples import EXAMPLES
from viz.state.examples import ComparisonExample
from viz.state.link import to_query

LOADED = ".bitext tr.term, [data-testid=stAlert]"
VERMILION = "rgb(213, 94, 0)"
VIEWPORT = {"width": 1280, "height": 840}
WINDOW = {"width": 1280, "height": 1200}  # so high that nothing scrolls
FIRST = EXAMPLES[0]
CANDIDATE = FIRST.candidate.split()
REFERENCES = [line.split() for line in FIRST.references.split("\n")]
PAIR = PAIRS[0]
HITS = set(bitext.hits(CANDIDATE, [tuple(r) for r in REFERENCES]))
EMPTY, INTERIOR = Hit(1, 1, 7), Hit(4, 0, 6)  # with × London; a cell without a match in the block of the longest run
Visit = Callable[..., Any]


class Watch:
    """What pages must not do, and did."""

    def __init__(self, address: str) -> None:
        self.address, self.faults = address, list[str]()

    def over(self, page: Any) -> Any:
        page.on("console", lambda m: self.faults.append(f"console: {m.text}") if self.wrong(m) else None)
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.asked(request.url))
        page.on("websocket", lambda socket: self.asked(socket.url))
        return page

    def wrong(self, message: Any) -> bool:
        # Under a page's path Streamlit first looks for itself there, which the browser reports.
        return message.type == "error" and not re.search("/(compare|learn)/_stcore/", message.location["url"])

    def asked(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != urlsplit(self.address).netloc:
            self.faults.append(f"request to {url}")

    def none(self) -> None:
        found, self.faults[:] = [*self.faults], []
        assert not found


class Tabs:
    """Tabs that show the app, each used by one test after the other: a new one takes a browser as long as two pages."""

    def __init__(self, new_page: Callable[..., Any], watch: Watch) -> None:
        self.new_page, self.watch, self.free = new_page, watch, dict[str, list[Any]]()

    def take(self, options: Mapping[str, Any]) -> Any:
        """A tab with playwright's context options, with nothing stored in it and nowhere to go back to."""
        free = self.free.setdefault(json.dumps(options, sort_keys=True), [])
        page = free.pop() if free else self.watch.over(self.new_page(**options))
        page.bring_to_front()  # Chromium draws one frame a second of those behind it
        return page

    def give_back(self, page: Any, options: Mapping[str, Any]) -> None:
        """Leave the app, which may store something, and forget what is stored, where the tab has been, and its size."""
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
    """The number on a tile."""
    return tile(page, key).locator("span").first.text_content()


def box(page: Any, label: str) -> Any:
    return page.get_by_label(label, exact=True)


def unfold(page: Any, name: str) -> None:
    """Open what stands behind a line: `of-ties`, `of-references`, `of-signature` or `of-metric`. A browser keeps open
    what somebody opened before."""
    page.wait_for_selector(f"details.{name} > summary")
    if page.locator(f"details.{name}[open]").count() == 0:
        page.locator(f"details.{name} > summary").click()


def open_inputs(page: Any) -> None:
    """Open the texts of the Sentence page, which fold to a line while nobody is in them."""
    page.locator("[data-inputs]").click()


def open_settings(page: Any) -> Any:
    """Open the settings of the chosen metric; where they stand."""
    page.locator(".st-key-settings [data-testid=stPopover] button").click()
    return page.get_by_test_id("stPopoverBody")


def type_texts(page: Any, candidate: str, references: str) -> None:
    """Type both texts and wait until the app has answered."""
    for label, text in (("References, one per line", references), ("Candidate", candidate)):
        box(page, label).fill(text)
        box(page, label).press("Control+Enter")
        settle(page)
    words = [page.locator(".word_lines .ln").nth(n).locator("bdi") for n in (0, 1)]
    for line, text in zip(words, (candidate, references.split("\n")[0]), strict=True):
        # Else there is a sentence, or a window.
        if 0 < len(text.split()) <= 40 and page.locator(".bitext .word_lines").count():
            until(lambda: len(line.all_text_contents()), len(text.split()))
            until(lambda: line.first.text_content(), theme.visible(text.split()[0], 60))
    settle(page)


#: Notes in each page whether it waits for an answer of the server, which is there before the run is said to go on.
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
    """Wait until the app has nothing left to do: what the page does by itself within `later` milliseconds of its own
    clock is done, every question is answered, and no run goes on."""
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
    """Wait until what a selector finds keeps its place and size."""
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


def choose(page: Any, see: Any, key: str) -> None:
    """Choose a metric by its tile."""
    tile(page, key).click()
    see(page.locator(".bitext").first).to_have_attribute("data-metric", key)
    settle(page)


def show(page: Any, view: str) -> None:
    page.locator(".st-key-view").get_by_role("radio", name=view, exact=True).click()
    settle(page)


def names(cells: Sequence[Hit] | set[Hit]) -> set[str]:
    return {name for hit in cells for name in (f"c{hit.i}", f"r{hit.k}_{hit.j}")}


def all_of(page: Any, selector: str, name: str) -> set[str]:
    """The values of a `data-` attribute of everything that a selector finds."""
    script = "([selector, name]) => [...document.querySelectorAll(selector)].map(e => e.dataset[name])"
    return set(page.evaluate(script, [selector, name]))


def cells(page: Any, selector: str = ".figure [data-cell]") -> set[Hit]:
    """The cells of the marks that a selector finds."""
    return {Hit(*map(int, name.split(","))) for name in all_of(page, selector, "cell")}


def used(page: Any) -> set[Hit]:
    """The cells of all terms, by the table."""
    return {Hit(*map(int, c.split(","))) for found in all_of(page, "tr.term", "cells") for c in found.split()}


def place(page: Any, cell: Hit) -> tuple[float, float]:
    """Where the middle of a cell is in the window."""
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


def framed(page: Any, layer: str = ".light") -> set[Hit]:
    """The cells that have a frame of the light, or of what is chosen."""
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
    """The words of the lines that have a vermilion outline, whichever rule gives it."""
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
    """What stands in vermilion in the formula."""
    return page.evaluate(
        """colour => [...document.querySelector('.formula').querySelectorAll('*')].filter(
            e => getComputedStyle(e).color === colour && getComputedStyle(e.parentElement).color !== colour
        ).map(e => e.textContent).join('')""",
        VERMILION,
    )


class Chosen(NamedTuple):
    """Everything that shows a choice: rows, rows as a screen reader is told, addends, words, framed cells."""

    rows: set[str]
    selected: set[str]
    addends: set[str]
    words: set[str]
    framed: set[Hit]


def chosen(page: Any) -> Chosen:
    return Chosen(
        all_of(page, "tr.term.chosen", "term"),
        all_of(page, "tr.term[aria-selected=true]", "term"),
        all_of(page, ".formula .addend.chosen", "term"),
        all_of(page, ".word_lines .chosen", "word"),
        framed(page, ".pick"),
    )


def term(result: Result, name: str | None) -> Chosen:
    """How a choice of the term with this name has to be shown."""
    if name is None:
        return Chosen(set(), set(), set(), set(), set())
    mark = next(each.mark for each in marks.terms(result) if f"{each.layer}:{each.t}" == name)
    return Chosen({name}, {name}, {name}, set(marks.touched(mark).names()), set(mark.cells()))


def address(page: Any) -> str:
    """What the address bar has now; `page.url` would only follow when the browser is asked something."""
    return page.evaluate("location.href")


def menu(page: Any, name: str) -> Any:
    page.get_by_test_id("stPopover").get_by_role("button", name=name, exact=True).click()
    return page.get_by_test_id("stPopoverBody")


def close_menu(page: Any) -> None:
    """Close what is open; a key that is pressed while a menu draws its content anew does not reach it."""
    settle(page)

    def closed() -> bool:
        if page.get_by_test_id("stPopoverBody").count():
            page.keyboard.press("Escape")
            settle(page)
        return not page.get_by_test_id("stPopoverBody").count()

    until(closed)


def overflow(page: Any) -> int:
    """Pixels by which the page scrolls sideways."""
    return page.evaluate(
        "Math.max(...['html', '.stMain'].map(s => document.querySelector(s)).filter(Boolean)"
        ".map(e => e.scrollWidth - e.clientWidth))"
    )


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    # Found and measured at once: a locator does it one after the other, and what is drawn anew between has no place.
    script = "selector => [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect().toJSON())"
    return page.evaluate(script, selector)


def result(key: str, **settings: Any) -> Result:
    return metrics.score(key, CANDIDATE, REFERENCES, **settings)


def numbers(page: Any) -> list[str]:
    """Both scores and their difference."""
    return page.locator("[data-verdict] .num").all_inner_texts()


def expected(a: str, b: str, key: str = "gtm", references: str = PAIR.references) -> list[str]:
    given = [line.split() for line in references.split("\n")]
    before, after = (metrics.score(key, text.split(), given) for text in (a, b))
    return [
        theme.score_text(before.score),
        theme.score_text(after.score),
        theme.change_text(after.score - before.score),
    ]
