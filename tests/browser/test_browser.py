"""The app in a real browser: what is on screen is what the core computed, and stays so in links and files.

Every page that is opened here must stay without console errors, dialogs and requests to other hosts (see `Watch`).
Opening a page costs more than using it, so that tests share two: `first` shows the first example and is left as it was
found, and on `desk` texts are typed.
"""

from __future__ import annotations

import csv
import json
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from conftest import PHONE, ROOT, missing
from contrast import CONTRAST

import metrics
from metrics.alignment import bitext
from metrics.analysis import changes
from metrics.types import Hit, Result
from viz.draw import marks, theme
from viz.state.examples import BY_NAME, EXAMPLES, PAIRS, Pair
from viz.state.link import COMPARE_VIEWS, VIEWS, Compare, to_query

pytestmark = pytest.mark.browser

LOADED = ".bitext tr.term, [data-testid=stAlert]"
VERMILION = "rgb(213, 94, 0)"
WINDOW = {"width": 1280, "height": 1200}  # so high that nothing scrolls
FIRST = EXAMPLES[0]
CANDIDATE = FIRST.candidate.split()
REFERENCES = [line.split() for line in FIRST.references.split("\n")]
LONG = (
    "the committee said on monday that the new rules for small banks will take effect next year , although several "
    "members of the board had asked for more time to study what they cost",
    "the committee announced on monday that new rules for small banks will come into force next year , although some "
    "members of the board wanted more time to study the costs\n"
    "on monday , the committee said the new rules for smaller banks would take effect next year , although several "
    "board members had asked for more time to study the cost",
)
Visit = Callable[..., Any]


# ---------------------------------------------------------------- help


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
        return message.type == "error" and "/compare/_stcore/" not in message.location["url"]

    def asked(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != urlsplit(self.address).netloc:
            self.faults.append(f"request to {url}")

    def none(self) -> None:
        found, self.faults[:] = [*self.faults], []
        assert not found


@pytest.fixture(scope="module")
def watch(app_url: str) -> Watch:
    return Watch(app_url)


@pytest.fixture
def visit(new_page: Callable[..., Any], watch: Watch) -> Iterator[Visit]:
    """Opens the app. Afterwards every page must have been quiet and have kept to its host."""
    pages = []

    def open_(query: str = "", wait: str = LOADED, **options: Any) -> Any:
        page = watch.over(new_page(**options))
        pages.append(page)
        page.goto(query if query.startswith("http") else f"{watch.address}/{query}")
        page.wait_for_selector(wait)
        return page

    yield open_
    for page in pages:
        page.close()
    watch.none()


@pytest.fixture(scope="module")
def opened(new_page: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """Opens a page that several tests use, by its name."""
    pages: dict[str, Any] = {}

    def page(name: str, query: str = "") -> Any:
        if name not in pages:
            pages[name] = watch.over(new_page())
            pages[name].set_viewport_size(WINDOW)
            pages[name].goto(f"{watch.address}/{query}")
            pages[name].wait_for_selector(LOADED)
            settle(pages[name])
        return pages[name]

    return page


@pytest.fixture
def first(opened: Callable[..., Any], watch: Watch) -> Iterator[Any]:
    """A page with GTM on the first example, with nothing lit and nothing chosen."""
    page = opened("first")
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

    expect.set_options(timeout=10_000)
    return expect


def link(candidate: str = FIRST.candidate, references: str = FIRST.references, **more: Any) -> str:
    return "?" + urlencode({"candidate": candidate, "references": references, **more})


def tile(page: Any, key: str) -> Any:
    return page.locator(".st-key-metric [role=radio]").nth(list(metrics.METRICS).index(key))


def score_on(page: Any, key: str) -> str:
    """The number on a tile."""
    return tile(page, key).locator("span").first.text_content()


def box(page: Any, label: str) -> Any:
    return page.get_by_label(label, exact=True)


def type_texts(page: Any, candidate: str, references: str) -> None:
    """Type both texts and wait until the app has answered."""
    for label, text in (("References, one per line", references), ("Candidate", candidate)):
        box(page, label).fill(text)
        box(page, label).press("Control+Enter")
        settle(page)
    words = [page.locator(".bx .ln").nth(n).locator("bdi") for n in (0, 1)]
    for line, text in zip(words, (candidate, references.split("\n")[0]), strict=True):
        if 0 < len(text.split()) <= 40 and page.locator(".bitext .bx").count():  # else there is a sentence, or a window
            until(lambda: len(line.all_text_contents()), len(text.split()))
            until(lambda: line.first.text_content(), theme.visible(text.split()[0], 60))
    settle(page)


def settle(page: Any) -> None:
    """Wait until the app has nothing left to do."""
    page.wait_for_timeout(60)
    page.wait_for_selector(".stApp[data-test-script-state=notRunning]")


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
    return set(page.locator(selector).evaluate_all("(all, name) => all.map(e => e.dataset[name])", name))


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
        page.locator(".bx [data-word]").evaluate_all(
            """(words, colour) => words.filter(e => {
                const s = getComputedStyle(e);
                return s.outlineStyle === 'solid' && s.outlineColor === colour && parseFloat(s.outlineWidth) > 0;
            }).map(e => e.dataset.word)""",
            VERMILION,
        )
    )


def vermilion_formula(page: Any) -> str:
    """What stands in vermilion in the formula."""
    return page.locator(".formula").first.evaluate(
        """(formula, colour) => [...formula.querySelectorAll('*')].filter(
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
        all_of(page, ".bx .chosen", "word"),
        framed(page, ".pick"),
    )


def term(result: Result, name: str | None) -> Chosen:
    """How a choice of the term with this name has to be shown."""
    if name is None:
        return Chosen(set(), set(), set(), set(), set())
    mark = next(each.mark for each in marks.terms(result) if f"{each.layer}:{each.t}" == name)
    return Chosen({name}, {name}, {name}, set(marks.touched(mark).names()), set(mark.cells()))


def until(found: Callable[[], Any], wanted: Any, seconds: float = 10) -> None:
    """Wait until `found` returns what is wanted; the assertion shows what it returned instead."""
    end = time.monotonic() + seconds
    while (last := found()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert last == wanted


def address(page: Any) -> str:
    """What the address bar has now; `page.url` would only follow when the browser is asked something."""
    return page.evaluate("location.href")


def menu(page: Any, name: str) -> Any:
    page.get_by_test_id("stPopover").get_by_role("button", name=name, exact=True).click()
    return page.get_by_test_id("stPopoverBody")


def close_menu(page: Any) -> None:
    """Close what is open; a key that is pressed while a menu draws its content anew does not reach it."""
    settle(page)
    for _ in range(40):
        if not page.get_by_test_id("stPopoverBody").count():
            return
        page.keyboard.press("Escape")
        page.wait_for_timeout(150)
    pytest.fail("the menu stayed open")


def overflow(page: Any) -> int:
    """Pixels by which the page scrolls sideways."""
    return page.evaluate(
        "Math.max(...['html', '.stMain'].map(s => document.querySelector(s)).filter(Boolean)"
        ".map(e => e.scrollWidth - e.clientWidth))"
    )


def result(key: str, **settings: Any) -> Result:
    return metrics.score(key, CANDIDATE, REFERENCES, **settings)


# ---------------------------------------------------------------- light and choice

HITS = set(bitext.hits(CANDIDATE, [tuple(r) for r in REFERENCES]))
EMPTY, INTERIOR = Hit(1, 1, 7), Hit(4, 0, 6)  # with × London; a cell without a match in the block of the longest run


def test_every_hook_is_on_the_page(first: Any) -> None:
    """What stands for a term, a word and a cell has its name, in the table, the formula, the words and the grids."""
    terms = {"0:0", "0:1", "0:2", "0:3"}
    assert all_of(first, ".bitext", "metric") == {"gtm"}
    for selector in ("tr.term", ".formula .addend", ".figure svg [data-term]"):
        assert all_of(first, selector, "term") == terms, selector
        assert first.locator(selector).count() == len(terms), selector
    words = {f"c{i}" for i in range(8)} | {f"r{k}_{j}" for k, line in enumerate(REFERENCES) for j in range(len(line))}
    for selector in (".bx [data-word]", ".figure svg [data-word]"):
        assert all_of(first, selector, "word") == words, selector
    assert cells(first) == HITS
    assert used(first) == {cell for mark in result("gtm").layers[0].marks for cell in mark.cells()}
    assert first.locator(".js-plotly-plot").count() == 0


def test_light(first: Any, see: Any) -> None:
    """A word lights its partners, a cell its words and its term, a term its cells, an empty cell says its words."""

    def lit(words: set[str], cells: set[Hit], terms: set[str]) -> None:
        until(lambda: lit_words(first), words)
        until(lambda: framed(first), cells)
        until(lambda: all_of(first, "tr.term.lit", "term"), terms)

    for word in ("c4", "r0_5", "r1_0", "c1"):
        partners = {h for h in HITS if word in names([h])}
        assert partners
        first.locator(f".bx [data-word={word}]").hover()
        lit(names(partners) | {word}, partners, set())
    first.locator(".figure svg [data-word=r0_0]").hover()  # "Britain" has no partner
    lit({"r0_0"}, set(), set())

    for cell, says, terms in (
        (Hit(5, 0, 6), "crisis × crisis (6 × 7, R1): used", {"0:0"}),
        (
            Hit(2, 0, 2),
            "France × France (3 × 3, R1): match, not used: the word is in the longer run “France discussed”",
            set(),
        ),
        (EMPTY, "with × London (2 × 8, R2)", set()),
    ):
        x, y = place(first, cell)
        first.mouse.move(x, y)
        see(first.locator(".tip")).to_have_text(says)
        first.mouse.move(x + 3, y + 2)  # within the same cell
        see(first.locator(".tip")).to_have_text(says)
        lit(names([cell]), {cell}, terms)

    run = set(result("gtm").layers[0].marks[0].cells())
    first.mouse.move(*place(first, INTERIOR))
    lit(names(run), run, {"0:0"})
    see(first.locator(".tip")).to_contain_text("this crisis in London")
    for place_ in ("tr.term[data-term='0:1']", ".formula .addend[data-term='0:1'] mn >> nth=0"):
        first.mouse.move(5, 5)
        first.locator(place_).hover()
        run = set(result("gtm").layers[0].marks[1].cells())
        lit(names(run), run, {"0:1"})
        until(lambda: vermilion_formula(first), "+22")
    first.mouse.move(5, 5)
    see(first.locator(".tip, .lit, .light")).to_have_count(0)


def test_choose_and_let_go(first: Any, see: Any) -> None:
    """By row, addend, word, cell and block; what is chosen is vermilion, and nothing else; three ways to let go."""
    gtm = result("gtm")

    def shows(name: str | None, formula: str = "") -> None:
        until(lambda: chosen(first), term(gtm, name))
        until(lambda: vermilion_formula(first), formula)
        assert all_of(first, ".figure [data-term].chosen", "term") == ({name} if name else set())
        assert cells(first, ".figure [data-cell].chosen") == (term(gtm, name).framed if name else set())

    def away() -> None:
        first.mouse.move(5, 5)  # what is hovered is vermilion too

    row = first.locator("tr.term").first
    addend = first.locator(".formula .addend[data-term='0:1'] mn").first
    word = first.locator(".bx [data-word=c4]")
    shows(None)
    row.click()
    away()
    shows("0:0", "42")  # 4²
    until(lambda: "term=0%3A0" in address(first), True)
    row.click()
    away()
    shows(None)
    addend.click()
    away()
    shows("0:1", "22")
    addend.click()
    away()
    shows(None)
    word.click()
    away()
    shows("0:0", "42")
    word.click()
    away()
    shows(None)
    first.mouse.click(*place(first, Hit(3, 1, 3)))  # "discussed", in the second run
    away()
    shows("0:1", "22")
    first.mouse.click(*place(first, INTERIOR))
    away()
    shows("0:0", "42")
    first.keyboard.press("Escape")
    shows(None)
    for paper in (EMPTY, Hit(0, 0, 11)):
        first.mouse.click(*place(first, Hit(1, 0, 9)))
        away()
        shows("0:2", "12")
        first.mouse.click(*place(first, paper))
        away()
        shows(None)
    first.mouse.click(*place(first, Hit(2, 0, 2)))  # a match that is not used belongs to no term
    away()
    shows(None)
    until(lambda: "term=" in address(first), False)


def test_choose_by_keyboard(first: Any, see: Any) -> None:
    """Arrows, Home and End walk through the rows and light them; Enter and Space choose; Escape lets go."""
    gtm, rows = result("gtm"), first.locator("tr.term")
    first.mouse.move(5, 5)
    rows.first.focus()
    first.keyboard.press("ArrowDown")
    until(lambda: framed(first), set(gtm.layers[0].marks[1].cells()))
    first.keyboard.press("Enter")
    until(lambda: chosen(first), term(gtm, "0:1"))
    until(lambda: "term=0%3A1" in address(first), True)
    settle(first)
    assert first.evaluate("document.activeElement.dataset.term") == "0:1", "focus survives the answer"
    first.keyboard.press("End")
    first.keyboard.press("Space")
    until(lambda: chosen(first), term(gtm, "0:3"))
    first.keyboard.press("Home")
    first.keyboard.press("ArrowUp")
    first.keyboard.press("Enter")
    until(lambda: chosen(first), term(gtm, "0:0"))
    first.keyboard.press("Escape")
    until(lambda: chosen(first), term(gtm, None))
    assert rows.evaluate_all("all => all.filter(e => e.tabIndex === 0).length") == 1, "one stop on the way by Tab"
    first.keyboard.press("Tab")
    until(lambda: framed(first), set())


def test_a_choice_is_seen_before_the_server_hears_of_it(first: Any) -> None:
    """Nothing is sent until a frame shows the choice; quick choices end with the last one."""
    first.evaluate(
        """() => {
            window.told = [];
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) {
                told.push([document.querySelectorAll('.chosen').length, performance.now() - window.painted]);
                send.call(this, data);
            };
            new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
                if (document.querySelector('.chosen')) window.painted ??= performance.now();
            }))).observe(document.querySelector('.bitext'), {subtree: true, attributes: true});
        }"""
    )
    rows = first.locator("tr.term")
    rows.nth(1).hover()
    settle(first)
    assert first.evaluate("told") == [], "light is not told"
    rows.nth(1).click()
    until(lambda: first.evaluate("told.length > 0"), True)
    marked, since = first.evaluate("told[0]")
    assert marked >= 9 and since is not None and since >= -1
    first.evaluate("for (const n of [2, 2, 0, 3, 2, 1, 0]) document.querySelectorAll('tr.term')[n].click()")
    seen = set()
    for _ in range(40):
        seen |= all_of(first, "tr.term.chosen", "term")
        first.wait_for_timeout(15)
    settle(first)
    assert seen == {"0:0"}, "an answer that comes late undoes nothing"
    until(lambda: "term=0%3A0" in address(first), True)


def test_terms_that_share_a_cell_or_a_word_are_visited_in_turn(desk: Any, see: Any) -> None:
    type_texts(desk, "a b c d", "a b c d")
    choose(desk, see, "bleu")
    shared = ["0:1", "1:0", "1:1", "2:0", "2:1", "3:0"]  # b is in two pairs, in two triples and in all four words
    see(desk.locator("tr.term")).to_have_count(10)
    for way in ("cell", "word"):
        for name in [*shared, None]:
            if way == "cell":
                desk.mouse.click(*place(desk, Hit(1, 0, 1)))
            else:
                desk.locator(".bx [data-word=c1]").click()
            until(lambda: all_of(desk, "tr.term.chosen", "term"), {name} - {None})


def test_rounds(first: Any, see: Any) -> None:
    """The slider and Play go through SIA's rounds; Play stops by itself at the last."""
    layers = result("sia").layers
    last = len(layers)
    assert last == 3
    choose(first, see, "sia")
    see(first.locator(".note.round")).to_contain_text(f"Round {last} takes")
    rounds = first.locator(".st-key-rounds input")
    rounds.focus()
    first.keyboard.press("Home")
    see(first.locator(".note.round")).to_contain_text("Round 1 takes")
    until(lambda: used(first), {cell for mark in layers[0].marks for cell in mark.cells()})
    until(lambda: "rounds=1" in address(first), True)
    every = {cell for layer in layers for mark in layer.marks for cell in mark.cells()}
    first.get_by_role("button", name="Play").click()
    see(first.locator(".note.round")).to_contain_text("Round 1 takes")
    see(first.get_by_role("button", name="Pause")).to_be_visible()
    see(first.locator(".note.round")).to_contain_text(f"Round {last} takes", timeout=20_000)
    see(first.get_by_role("button", name="Play")).to_be_visible()
    time.sleep(1.5)  # longer than a round: it has stopped
    assert f"Round {last} takes" in first.locator(".note.round").text_content()
    until(lambda: used(first), every)
    choose(first, see, "gtm")


def test_ties(desk: Any, see: Any) -> None:
    """Stepping through equally good alignments changes the cells and leaves the score; their tint can be switched."""
    type_texts(desk, "the gunman police killed", "police killed the gunman")
    choose(desk, see, "rouge_l")
    note = desk.locator(".ties")
    see(note).to_contain_text("number 1 is shown. The score is the same for all.")
    score, before = score_on(desk, "rouge_l"), used(desk)
    desk.locator("tr.term").first.click()
    until(lambda: len(all_of(desk, "tr.term.chosen", "term")), 1)
    note.get_by_role("button", name="Next").click()
    see(note).to_contain_text("number 2 is shown")
    until(lambda: used(desk).isdisjoint(before), True)
    assert score_on(desk, "rouge_l") == score
    assert len(used(desk)) == len(before) == 2
    assert all_of(desk, ".chosen", "term") == set(), "a choice belongs to one alignment"
    until(lambda: "tie=1" in address(desk), True)
    tint = desk.locator(".figure :is(.always, .sometimes)").first
    see(tint).to_be_visible()
    desk.get_by_label("Tint their cells").uncheck()
    see(tint).to_be_hidden()
    desk.locator(".ties").get_by_role("button", name="Previous").click()
    see(desk.locator(".ties")).to_contain_text("number 1 is shown")
    see(desk.locator(".figure :is(.always, .sometimes)").first).to_be_hidden()
    desk.get_by_label("Tint their cells").check()
    see(desk.locator(".figure :is(.always, .sometimes)").first).to_be_visible()
    settle(desk)


def test_a_folded_reference_opens(desk: Any, see: Any) -> None:
    type_texts(desk, "a b c", "a b c\nx c y")
    choose(desk, see, "rouge_l")
    folded = desk.locator("details.folded")
    see(folded.locator("summary")).to_have_text("Reference 2: 1 match, none used")
    see(folded.locator("svg")).to_be_hidden()
    folded.locator("summary").click()
    see(folded.locator("svg")).to_be_visible()
    desk.mouse.move(*place(desk, Hit(2, 1, 1)))
    until(lambda: lit_words(desk), {"c2", "r1_1"})
    desk.locator(".as-text summary").click()
    see(desk.locator(".as-text pre")).to_have_text("a b c (1–3 × 1–3, R1), credit 3 = 3")


# ---------------------------------------------------------------- input and settings


def test_type_choose_and_set(desk: Any, see: Any) -> None:
    """From two typed texts to every metric's score, by mouse and by keyboard."""
    page = desk
    candidate, references = "the cat sat on a mat", "a cat sat on the mat\nthere was a cat on the mat"
    type_texts(page, candidate, references)

    def score(key: str, **settings: Any) -> str:
        given = [line.split() for line in references.split("\n")]
        return theme.score_text(metrics.score(key, candidate.split(), given, **settings).score)

    for key in metrics.METRICS:
        until(lambda: score_on(page, key), score(key))
    choose(page, see, "gtm")
    see(page.locator(".figure svg text[data-word^=c]")).to_have_text(candidate.split())
    see(page.locator(".figure svg text[data-word^=r]")).to_have_text(references.split())

    see(tile(page, "gtm")).to_have_attribute("aria-checked", "true")
    choose(page, see, "dcs")
    for key in ("sia", "gtm"):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        see(page.locator(".vh b")).to_have_text(metrics.METRICS[key].name)
        see(tile(page, key)).to_have_attribute("aria-checked", "true")

    slider = page.get_by_role("slider", name="Exponent")
    before = float(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    exponent = float(slider.input_value())
    assert exponent > before
    see(page.locator(".sig")).to_contain_text(f"exponent:{exponent}")
    until(lambda: score_on(page, "gtm"), score("gtm", exponent=exponent))
    assert score("gtm", exponent=exponent) != score("gtm")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    until(lambda: score_on(page, "gtm"), score("gtm"))


def test_a_click_during_scoring_counts(desk: Any, see: Any) -> None:
    """A tile that is clicked while the scores on the tiles change is chosen all the same."""
    page = desk
    for round_, key in enumerate(("rouge_l", "sia", "dcs")):
        words = [f"w{round_}{n * n % 977}" for n in range(700)]
        box(page, "Candidate").fill(" ".join(words))
        box(page, "Candidate").press("Control+Enter")
        box(page, "References, one per line").fill(" ".join(words[::-1]))
        box(page, "References, one per line").press("Control+Enter")
        page.wait_for_timeout(100)
        tile(page, key).click()
        see(page.locator(".vh b")).to_have_text(metrics.METRICS[key].name)
        settle(page)
        until(lambda: tile(page, key).get_attribute("aria-checked"), "true")
    type_texts(page, "a b", "a b")


# ---------------------------------------------------------------- the other views


def test_views(desk: Any, see: Any) -> None:
    """All metrics, two metrics, error classes, and back to one metric by its small grid."""
    page = desk
    type_texts(page, FIRST.candidate, FIRST.references)
    choose(page, see, "gtm")
    show(page, "All metrics")
    small = page.locator(".multiples button")
    see(small).to_have_count(len(metrics.METRICS))
    assert small.locator("svg").evaluate_all("all => all.every(e => e.getBoundingClientRect().width > 50)")
    see(page.locator(".divided tr").nth(1)).to_be_visible()
    until(lambda: "view=all" in address(page), True)
    page.mouse.move(*place(page, Hit(5, 0, 6)))
    see(page.locator(".tip")).to_contain_text("crisis × crisis (6 × 7, R1)")

    page.locator("[data-open=dcs]").click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    see(tile(page, "dcs")).to_have_attribute("aria-checked", "true")

    show(page, "Two metrics")
    see(page.locator(".vh b")).to_have_text("dcs and ROUGE-L")
    see(page.locator(".lg")).to_contain_text("used by both")
    page.locator(".st-key-view").get_by_role("radio", name="Two metrics").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    settle(page)
    see(page.locator(".vh b")).to_have_text("Error classes")

    type_texts(page, "police kill the gunman", "the police killed the gunman")
    word = page.locator(".bx [data-word=c1]")
    assert "same stem" in word.get_attribute("title")
    word.hover()
    until(lambda: lit_words(page), {"c1", "r0_2"})
    see(page.locator(".inspector .classes")).to_contain_text("Inflection")
    show(page, "Metric")


def test_arcs(desk: Any, see: Any) -> None:
    """Pairs are chosen by their arcs and light their words; the grid is one click away and in the link."""
    page = desk
    type_texts(page, "the gunman police killed", "police killed the gunman")
    choose(page, see, "rouge_s")
    see(page.locator(".figure .drawing.arcs")).to_be_visible()
    terms = all_of(page, "tr.term", "term")
    assert terms and all_of(page, ".figure [data-term]", "term") >= terms
    name = sorted(terms)[0]
    page.locator(f"tr.term[data-term='{name}']").click()
    page.mouse.move(5, 5)
    assert all_of(page, ".figure .chosen[data-term]", "term") == {name}
    assert len(all_of(page, ".bx .chosen", "word")) == 4
    page.get_by_role("radio", name="Grid").click()
    see(page.locator(".figure .drawing.grid")).to_be_visible()
    settle(page)
    until(lambda: all_of(page, "tr.term.chosen", "term"), {name})
    until(lambda: "picture=grid" in address(page), True)
    page.get_by_role("radio", name="Arcs").click()
    see(page.locator(".figure .drawing.arcs")).to_be_visible()
    settle(page)


# ---------------------------------------------------------------- sharing and saving


def test_link(visit: Visit, see: Any) -> None:
    """A shared link and a reload bring back texts, settings, metric, score and the chosen term."""
    page = visit(link("Ein kleiner Test & mehr", "Ein großer Test & mehr\n100% Test"))
    choose(page, see, "rouge_w")
    page.locator(".st-key-settings .stSlider input").first.focus()
    signature = page.locator(".sig").text_content()
    page.keyboard.press("ArrowRight")
    see(page.locator(".sig")).not_to_have_text(signature)
    menu(page, "Text").get_by_text("Lower case").click()
    see(page.locator(".sig")).to_contain_text("case:lc")
    close_menu(page)
    page.locator("tr.term").nth(1).click()
    until(lambda: "term=0%3A1" in address(page), True)
    shared = menu(page, "Share").get_by_test_id("stCode").text_content().strip()
    shown = state(page)
    assert shown["term"] == ["0:1"]
    other = visit(shared)
    until(lambda: state(other), shown)
    until(lambda: "rouge_w." in address(page) and "text.lowercase=yes" in address(page), True)
    page.reload()
    page.wait_for_selector(LOADED)
    until(lambda: state(page), shown)


def state(page: Any) -> dict[str, Any]:
    """What a link has to bring back, as it is on screen; the signature names every setting."""
    return {
        "candidate": box(page, "Candidate").input_value(),
        "references": box(page, "References, one per line").input_value(),
        "chosen": page.locator(".st-key-metric [aria-checked=true]").all_text_contents(),
        "tiles": page.locator(".st-key-metric [role=radio]").all_text_contents(),
        "signature": page.locator(".sig").all_text_contents(),
        "term": [*all_of(page, "tr.term.chosen", "term")],
    }


def scene(page: Any) -> dict[str, Any]:
    """Where one is, and what is shown there."""
    return {
        "path": urlsplit(address(page)).path,
        "view": page.locator(":is(.st-key-view, .st-key-compare_view) [aria-checked=true]").all_text_contents(),
        "metric": page.locator(
            ".st-key-metric [aria-checked=true] b, .scores [aria-selected=true] th"
        ).all_text_contents(),
        "signature": page.locator(".sig").all_text_contents(),
        "texts": page.locator(".stTextArea textarea").evaluate_all("all => all.map(area => area.value)"),
        "names": page.locator("[class*=st-key-name_] input").evaluate_all("all => all.map(box => box.value)"),
        "term": [*all_of(page, "tr.term.chosen", "term")],
    }


def test_back_and_forward(visit: Visit, see: Any) -> None:
    """Page, view, metric, setting, pair and sides are steps; typing is none and is not undone."""
    page = visit()
    settle(page)
    steps = [scene(page)]

    def step(done: Any) -> None:
        until(lambda: scene(page) != steps[-1], True)
        settle(page)
        steps.append(scene(page))

    before = page.evaluate("history.length")
    step(choose(page, see, "dcs"))
    step(menu(page, "Text").get_by_text("Lower case").click())
    close_menu(page)
    step(show(page, "All metrics"))
    step(page.get_by_role("link", name="Compare", exact=True).click())
    step(tile(page, "sia").click())
    chooser = page.get_by_role("combobox", name="Example")
    chooser.click()
    step(page.get_by_role("option", name="eight systems").click())
    assert steps[-1]["view"] == ["All systems"]
    step(page.locator(".st-key-systems_b_3 button").click())
    assert page.evaluate("history.length") == before + len(steps) - 1
    for wanted in steps[-2:2:-1]:
        page.go_back()
        until(lambda: scene(page), wanted)
        settle(page)
    box(page, "Candidate").fill("typed on the way")
    box(page, "Candidate").press("Control+Enter")
    settle(page)
    for wanted in steps[:4]:
        wanted["texts"][0] = "typed on the way"
    for wanted in steps[2::-1]:
        page.go_back()
        until(lambda: scene(page), wanted)
        settle(page)
    for wanted in steps[1:]:
        page.go_forward()
        until(lambda: scene(page), wanted)
        settle(page)
    assert page.evaluate("history.length") == before + len(steps) - 1


def test_reload(visit: Visit, see: Any) -> None:
    """What a link cannot hold comes back in its tab, the other page's texts and the what-if with it, and a link that
    is opened there wins. Where there is nothing to bring back, the page runs once."""
    long = " ".join(letter * 300 for letter in "abcdefghijklmnopqrstuv")
    page = visit()
    settle(page)
    box(page, "Candidate").fill(long)
    box(page, "Candidate").press("Control+Enter")
    see(page.get_by_test_id("stAlert")).to_contain_text("too long for a link")
    page.get_by_role("link", name="Compare", exact=True).click()
    see(page.get_by_test_id("stAlert")).to_contain_text("Paste the output after the change")
    page.locator(".st-key-compare_view").get_by_role("radio", name="What if").click()
    page.locator(".st-key-whatif textarea").fill("what if")
    page.locator(".st-key-whatif textarea").press("Control+Enter")
    until(lambda: "whatif" in address(page), True)
    settle(page)
    shown = scene(page)
    assert long in shown["texts"] and "what if" in shown["texts"]
    page.reload()
    page.wait_for_selector(".st-key-whatif textarea")
    until(lambda: scene(page), shown)
    page.get_by_role("link", name="Sentence", exact=True).click()
    see(box(page, "Candidate")).to_have_value(long)
    settle(page)

    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{address(page).split('?')[0]}{link('a b', 'a c', metric='ter')}")
    page.wait_for_selector(LOADED)
    until(lambda: "page=sentence" in address(page), True)
    page.wait_for_timeout(300)
    assert box(page, "Candidate").input_value() == "a b" and len(sent) == 1
    share = menu(page, "Share")
    see(share).to_contain_text("The link holds the candidate, the references, the metric and the view.")
    share.get_by_role("button", name="Copy the link").click()
    see(share.get_by_role("status")).to_have_text("Copied")


def test_workspace_file(desk: Any, visit: Visit, see: Any, tmp_path: Any) -> None:
    """Texts too long for a link go into a file, which brings everything back."""
    long = " ".join(f"word{n % 700}" for n in range(900))
    page = desk
    type_texts(page, long, f"{long} end")
    see(page.locator(".stPlotlyChart")).to_have_count(1)
    choose(page, see, "rouge_l")
    share = menu(page, "Share")
    see(share).to_contain_text("too long for a link")
    with page.expect_download() as download:
        share.get_by_role("button", name="Workspace file").click()
    file = tmp_path / "workspace.json"
    download.value.save_as(file)
    close_menu(page)
    assert json.loads(file.read_text())["query"]["candidate"] == long
    assert "kept=" in address(page) and "candidate=" not in address(page)
    other = visit()
    opened = menu(other, "Share").locator("input[type=file]")
    opened.set_input_files(file)
    until(lambda: state(other), state(page))
    close_menu(other)
    file.write_text("{}")
    menu(other, "Share").locator("input[type=file]").set_input_files(file)
    see(other.get_by_test_id("stAlert")).to_contain_text("This file is not a workspace")
    type_texts(page, "a b", "a b")


def test_save(first: Any, watch: Watch, new_page: Callable[..., Any], see: Any, tmp_path: Any) -> None:
    """Five files: each of its kind, and each says by its signature how to repeat the score. The web page shows the
    chosen term, and lights and chooses as the app does, without a request."""
    signature = first.locator(".sig").text_content()
    first.locator("tr.term").nth(1).click()
    first.mouse.move(5, 5)
    until(lambda: "term=0%3A1" in address(first), True)
    settle(first)
    save = menu(first, "Save")
    saved = {}
    for label, ending in (
        ("Figure, SVG", "svg"),
        ("Page, HTML", "html"),
        ("Result, JSON", "json"),
        ("Ledger, CSV", "csv"),
        ("Figure, TikZ", "tex"),
    ):
        with first.expect_download() as download:
            save.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"gtm.{ending}"
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        saved[ending] = path.read_text(encoding="utf-8")
    close_menu(first)
    plain = {ending: text.replace("\\_", "_").replace("<wbr>", "") for ending, text in saved.items()}
    assert {ending: signature in text for ending, text in plain.items()} == dict.fromkeys(saved, True)
    assert ET.fromstring(saved["svg"]).tag.endswith("svg")
    assert json.loads(saved["json"])["score"] == result("gtm").score
    lines = list(csv.reader(saved["csv"].splitlines()[1:]))
    assert lines[1][1] == "this crisis in London" and float(lines[1][4]) == 16.0
    assert "\\begin{tikzpicture}" in saved["tex"]

    page, requests = new_page(), []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: watch.faults.append(f"console of the file: {message.text}"))
    page.on("pageerror", lambda error: watch.faults.append(f"error of the file: {error}"))
    page.goto((tmp_path / "gtm.html").as_uri())
    gtm = result("gtm")
    until(lambda: chosen(page), term(gtm, "0:1"))
    page.mouse.click(*place(page, INTERIOR))
    page.mouse.move(2, 2)
    until(lambda: chosen(page), term(gtm, "0:0"))
    until(lambda: vermilion_formula(page), "42")
    page.keyboard.press("Escape")
    until(lambda: chosen(page), term(gtm, None))
    page.locator("tr.term").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    until(lambda: chosen(page), term(gtm, "0:3"))
    page.locator(".bx [data-word=c4]").hover()
    until(lambda: framed(page), {h for h in HITS if h.i == 4})
    page.mouse.move(*place(page, EMPTY))
    see(page.locator(".tip")).to_have_text("with × London (2 × 8, R2)")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    assert page.evaluate("window.ran") is None, "no other script may run"
    assert [urlsplit(url).scheme for url in requests] == ["file"]
    page.close()
    watch.faults[:] = [fault for fault in watch.faults if "Content Security Policy" not in fault]


# ---------------------------------------------------------------- similar words

BITEXT = [("the home is little", "la maison est petite"), ("the house is small", "la maison est petite")] * 30
BITEXT += [
    ("the house", "la maison"),
    ("the home", "la maison"),
    ("is small", "est petite"),
    ("is little", "est petite"),
]


def text_file(name: str, lines: Sequence[str]) -> dict[str, Any]:
    return {"name": name, "mimeType": "text/plain", "buffer": "\n".join(lines).encode()}


def similar_words(page: Any, see: Any, kind: str) -> Any:
    """The open menu of SIA's settings with a kind of word similarity chosen in it."""
    opened = menu(page, "More settings")
    opened.get_by_role("combobox", name="Similar words").click()
    page.get_by_role("option", name=kind).click()
    settle(page)
    return opened


def test_a_similarity_trained_on_a_bitext(desk: Any, see: Any) -> None:
    """Similar words are aligned after the training, the training shows how far it is, and it can be stopped."""
    type_texts(desk, "the home is little", "the house is small")
    choose(desk, see, "sia")
    assert len(used(desk)) == 2
    opened = similar_words(desk, see, "trained")
    for patience, model, says in ((1, "1", "In use: table(ibm1(en.txt)"), (60, "3", "Training was stopped")):
        files = opened.locator("input[type=file]")
        files.nth(0).set_input_files(text_file("en.txt", [english for english, _ in BITEXT * patience]))
        files.nth(1).set_input_files(text_file("fr.txt", [french for _, french in BITEXT * patience]))
        opened.get_by_role("radio", name=model, exact=True).click()
        settle(desk)  # the button is drawn anew with the files and the model
        opened.get_by_role("button", name="Train", exact=True).click()
        if patience > 1:
            see(opened.get_by_text("Training: round")).to_be_visible()
            opened.get_by_role("button", name="Stop training").click()
        see(opened.get_by_text(says)).to_be_visible(timeout=20_000)
        close_menu(desk)
        until(lambda: len(used(desk)), 4)  # home ≈ house, little ≈ small
        if patience == 1:
            opened = menu(desk, "More settings")


def test_a_translation_table(desk: Any, see: Any) -> None:
    """A table's faults are named with their line; a good one is used."""
    type_texts(desk, "the home is little", "the house is small")
    choose(desk, see, "sia")
    opened = similar_words(desk, see, "translation table")
    opened.locator("input[type=file]").set_input_files(text_file("lex.e2f", ["home maison 0.5", "house maison"]))
    see(opened.get_by_text("line 2")).to_be_visible()
    assert len(used(desk)) == 2
    opened.locator("input[type=file]").set_input_files(text_file("lex.e2f", ["home maison 0.5", "house maison 0.5"]))
    see(opened.get_by_text("In use: table(lex.e2f")).to_be_visible()
    until(lambda: len(used(desk)), 3)
    close_menu(desk)


# ---------------------------------------------------------------- bad and hostile input

HOSTILE = (
    "<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md** [a](http://b) `code` <img/src=x/onerror=alert(1)> "
    "\u202eevil a\u0001b c\u0007d 👩‍👩‍👧 שלום مرحبا {{x}} \\frac{1}{2} ${7*7} "
    "javascript:alert(1) </div></style> ' \" <svg/onload=alert(1)>"
)


def test_hostile_text_is_only_text(desk: Any, see: Any) -> None:
    page = desk
    type_texts(page, HOSTILE, HOSTILE)
    tokens = HOSTILE.split()
    words = [theme.visible(w, 60) for w in tokens]
    assert "a\ufffdb" in words
    see(page.locator(".bx .ln:first-child .tk bdi")).to_have_text(words)
    for key in metrics.METRICS:
        choose(page, see, key)
        for lines in (".bx .ln:first-child .tk bdi", ".bx .ln:last-child .tk bdi"):
            until(lambda: page.locator(lines).all_text_contents(), words)
        if page.get_by_role("radio", name="Grid").count():
            page.get_by_role("radio", name="Grid").click()
            settle(page)
        labels = [theme.visible(w, 16) for w in tokens]
        for side in "cr":
            until(lambda: page.locator(f".figure svg text[data-word^={side}]").all_text_contents(), labels)
        injected = page.locator(".bitext").evaluate_all(
            "all => all.flatMap(e => [...e.querySelectorAll('script, img, iframe, style, a, [onerror], [onload], "
            ":is(.tk, td, text, .figure, .formula) b')]).map(e => e.outerHTML.slice(0, 200))"
        )
        assert not injected
    choose(page, see, "gtm")
    page.mouse.move(*place(page, Hit(1, 0, 1)))
    see(page.locator(".tip")).to_contain_text("<b>bold</b> × <b>bold</b> (2 × 2): used")
    page.locator(".as-text summary").click()
    see(page.locator(".as-text pre")).to_contain_text("<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md**")


def test_labels_are_written_in_their_own_direction(desk: Any, see: Any) -> None:
    """A full stop stands where the word ends: at the left of a Hebrew word, at the right of an English one."""
    type_texts(desk, "לירושלים שעה. London.", "בשעה. שעה. London.")
    choose(desk, see, "gtm")
    ends = desk.locator(".figure svg text[data-word]").evaluate_all(
        """all => all.filter(e => e.textContent.endsWith('.')).map(e => {
            const x = n => e.getExtentOfChar(n).x;
            return [e.textContent, x(e.getNumberOfChars() - 1) > x(0)];
        })"""
    )
    assert len(ends) == 5
    assert all(last_is_right == (text == "London.") for text, last_is_right in ends)
    beside = desk.locator(".figure svg text[data-word^=c]").evaluate_all(
        "all => all.map(e => Math.round(e.getBoundingClientRect().right))"
    )
    assert max(beside) - min(beside) <= 2, "labels beside a grid end at its edge"
    assert desk.locator(".bx .ws").evaluate_all("all => all.map(e => e.dir)") == ["rtl", "rtl"]


def test_bad_input_gets_one_sentence(desk: Any, see: Any) -> None:
    """What is wrong is said at once, and the text stays in its box."""
    page = desk
    ok = "a b c"
    cases = (
        (" ".join(["w"] * 2_001), ok, "The candidate has 2,001 words, 1 more than the 2,000 that fit."),
        (ok, "\n".join(["r"] * 17), "17 references are 1 more than the 16 that fit."),
        (" \t \n ", ok, "Paste a candidate above, or choose an example."),
        (ok, "\n \n", "Paste a reference above, or choose an example."),
        ("x" * 1_000_000, ok, "The candidate has 1,000,000 characters, 800,000 more than the 200,000 that fit."),
    )
    choose(page, see, "gtm")
    for candidate, references, says in cases:
        type_texts(page, ok, ok)
        see(page.locator(".terms tr.term")).to_have_count(1)
        box(page, "References, one per line").fill(references)
        box(page, "Candidate").fill(candidate)
        box(page, "Candidate").press("Control+Enter")
        see(page.get_by_test_id("stAlert")).to_contain_text(says)
        see(page.get_by_test_id("stAlert")).to_have_count(1)
        see(page.locator(".bitext")).to_have_count(0)
        assert box(page, "Candidate").input_value() == candidate
        assert box(page, "References, one per line").input_value() == references
    type_texts(page, "\u0001\u0002 \ufeff \u200b", "\u0001\u0002 x")  # unprintable, but words
    see(page.locator(".bx [data-word=c0]")).to_have_text("\ufffd\ufffd")
    see(page.get_by_test_id("stException")).to_have_count(0)


# ---------------------------------------------------------------- layout, legible, reachable, on a phone


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    return page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")


def test_layout(desk: Any, see: Any) -> None:
    """Two columns from 1,000 pixels on; two long references side by side; a chosen term, its addend and its cells are
    in the window together; nothing scrolls sideways."""
    page = desk
    type_texts(page, *LONG)
    choose(page, see, "gtm")
    try:
        for width, columns in ((1920, 2), (1024, 2), (960, 1), (768, 1), (1280, 2)):
            page.set_viewport_size({"width": width, "height": 800})

            def fits(width: int = width) -> bool:
                drawn = boxes(page, ".figure .drawing > svg")
                return all(svg["left"] >= 0 and svg["right"] <= width for svg in drawn)

            until(fits, True)
            page.wait_for_timeout(250)  # the width is told a little later
            settle(page)
            until(fits, True)
            parts = (".frame > .figure", ".frame > .inspector", ".frame > .words")
            (figure,), (inspector,), (lines,) = (boxes(page, part) for part in parts)
            assert overflow(page) <= 0, width
            assert (inspector["left"] >= figure["right"]) == (columns == 2), width
            assert lines["bottom"] <= figure["top"] + 1 and inspector["right"] <= width
            assert all(button["height"] < 50 for button in boxes(page, ".st-key-tools button")), (
                "names stand on one line"
            )
            tops = [round(button["top"]) for button in boxes(page, ".st-key-metric [role=radio]")]
            assert tops.count(tops[0]) in (len(tops), len(tops) / 2), "one row of tiles, or two that are as long"
            if columns == 2:
                assert 360 <= inspector["width"] <= 420 and abs(inspector["top"] - lines["top"]) < 2
                page.locator(".below").evaluate("e => e.scrollIntoView()")
                assert boxes(page, ".inspector")[0]["bottom"] <= boxes(page, ".below")[0]["top"], "nothing overlaps"
                page.evaluate("document.querySelector('.stMain').scrollTop = 0")
        panels = boxes(page, ".figure path.grid")
        assert len(panels) == 2 and abs(panels[0]["top"] - panels[1]["top"]) < 1
        assert panels[0]["right"] < panels[1]["left"] and panels[1]["right"] < boxes(page, ".inspector")[0]["left"]
        for key in ("gtm", "sia", "bleu"):
            choose(page, see, key)
            count = page.locator("tr.term").count()
            for number in (0, count // 2, count - 1, 1):
                page.evaluate("number => document.querySelectorAll('tr.term')[number].click()", number)
                see(page.locator("tr.term.chosen")).to_have_count(1)
                parts = [boxes(page, s) for s in ("tr.term.chosen", ".formula .addend.chosen", ".figure .pick rect")]
                for found in parts:
                    assert found, (key, number)
                    for part in found:
                        assert part["top"] >= 60 and part["bottom"] <= 800, (key, number)
            page.keyboard.press("Escape")
    finally:
        page.set_viewport_size(WINDOW)
        settle(page)


def contrast(page: Any, least: float, *selectors: str) -> None:
    """Everything that the selectors find, and each finds something, reaches a contrast."""
    for selector in selectors:
        found = page.evaluate(CONTRAST, selector)
        assert found, selector
        assert not [x for x in found if x[0] < least], selector


def paint(page: Any, scheme: str) -> None:
    """Have a page in light or in dark colours."""
    page.emulate_media(color_scheme=scheme)
    ground = "rgb(23, 22, 20)" if scheme == "dark" else "rgb(255, 255, 255)"
    until(lambda: page.locator(".stApp").evaluate("e => getComputedStyle(e).backgroundColor"), ground)
    time.sleep(0.3)  # colours move in transitions


TEXT = (
    *(
        ".bx .tk bdi",
        ".bx .lb",
        ".figure svg text[data-word]",
        ".terms th",
        ".terms td",
        ".sig",
        ".lg span",
        ".about p",
    ),
    *(".vh b", ".vh span", ".rf td", ".rf th", ".score dt", ".score dd", ".formula mn", ".formula mtext", "summary"),
    *(
        ".strip .tile b",
        ".strip .tile span:not(.sr)",
        ".stButtonGroup button p",
        "[data-testid=stWidgetLabel] p",
        "textarea",
    ),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(first: Any, see: Any, scheme: str) -> None:
    """Text reaches 4.5:1 against its ground, marks reach 3:1 (WCAG 1.4.3 and 1.4.11)."""
    page = first
    paint(page, scheme)
    for key in ("gtm", "sia", "dcs", "wer"):
        choose(page, see, key)
        time.sleep(0.3)  # colours move in transitions
        contrast(page, 4.5, *TEXT)
        contrast(page, 3, ".figure [data-cell]:not(text)")
    choose(page, see, "gtm")
    page.locator("tr.term").first.click()
    page.mouse.move(5, 5)
    until(lambda: len(all_of(page, ".bx .chosen", "word")), 8)
    time.sleep(0.3)
    contrast(page, 4.5, ".bx .chosen bdi", ".terms td")
    contrast(page, 3, ".figure [data-cell].chosen", ".figure text.chosen", ".formula .chosen mn")
    paint(page, "light")


def test_phone(visit: Visit, see: Any) -> None:
    """Nothing but the grid scrolls sideways, tiles stand four in a row, cells can be seen and touched."""
    page = visit(**PHONE)
    settle(page)
    tops = page.locator(".st-key-metric [role=radio]").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == -(-len(metrics.METRICS) // 4) and tops.count(tops[0]) == 4
    panels = boxes(page, ".figure path.grid")
    assert len(panels) == 2
    assert min(panel["height"] / len(CANDIDATE) for panel in panels) >= 11

    gtm = result("gtm")
    page.locator("tr.term").first.tap()
    until(lambda: chosen(page), term(gtm, "0:0"))
    foot = page.locator(".foot")
    see(foot).to_contain_text("this crisis in London")
    see(foot).to_be_in_viewport()
    assert all(part["bottom"] <= boxes(page, ".foot")[0]["top"] for part in boxes(page, ".figure .pick rect"))
    page.touchscreen.tap(*place(page, Hit(3, 1, 3)))
    until(lambda: chosen(page), term(gtm, "0:1"))
    page.locator(".bx [data-word=c1]").tap()
    until(lambda: chosen(page), term(gtm, "0:2"))
    page.locator("tr.term[data-term='0:2']").tap()
    until(lambda: chosen(page), term(gtm, None))
    see(foot).to_have_count(0)
    large = BY_NAME["English, 30 words and four references"]
    for query in ("", link(large.candidate, large.references)):
        if query:
            page.goto(page.url.split("?")[0] + query)
            page.wait_for_selector(LOADED)
        for key in ("gtm", "sia", "rouge_s"):
            choose(page, see, key)
            see(page.locator(".figure .drawing > svg").first).to_be_visible()
            assert overflow(page) <= 0, key


def test_everything_has_a_name(first: Any, see: Any) -> None:
    """What the keyboard can reach has an accessible name, and figures say what they show."""
    page = first
    tools = page.context.new_cdp_session(page)
    for key in ("rouge_s", "sia"):
        choose(page, see, key)
        see(page.locator(".terms tr.term").first).to_be_visible()
        nodes = tools.send("Accessibility.getFullAXTree")["nodes"]
        focusable = [
            node
            for node in nodes
            if not node["ignored"]
            and any(p["name"] == "focusable" and p["value"]["value"] for p in node["properties"])
            and node["role"]["value"] != "main"  # Streamlit's frame, which only scrolls
        ]
        assert len(focusable) > 15
        assert not [n["role"]["value"] for n in focusable if not n.get("name", {}).get("value", "").strip()]
        figures = page.locator(".bitext svg:is([role=img], [role=group])").evaluate_all(
            "all => all.map(e => e.ariaLabel)"
        )
        assert figures and all(name and len(name) > 10 for name in figures)
    page.locator("body").press("Home")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
    assert any("TR.term" in e for e in reached) and any(e.startswith("TEXTAREA") for e in reached)
    choose(page, see, "gtm")


def test_keyboard_and_copying_on_the_strip(desk: Any, see: Any) -> None:
    """Tab enters at the chosen tile, arrow keys walk, the space bar chooses; a score can be marked without choosing."""
    page = desk
    choose(page, see, "gtm")
    focused = "document.activeElement.dataset.key"
    page.locator(".st-key-view [aria-checked=true]").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "gtm"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "dcs" and all_of(page, ".bitext", "metric") == {"gtm"}
    page.keyboard.press("Space")
    see(page.locator(".bitext").first).to_have_attribute("data-metric", "dcs")
    settle(page)
    assert page.evaluate(focused) == "dcs", "the focus stays"
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == next(iter(metrics.METRICS)), "after the last comes the first"

    at = boxes(page, ".tile[data-key=rouge_l] b + span")[0]
    y = (at["top"] + at["bottom"]) / 2
    page.mouse.move(at["left"] + 1, y)
    page.mouse.down()
    page.mouse.move(at["right"] - 1, y, steps=4)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == score_on(page, "rouge_l")
    settle(page)
    assert all_of(page, ".bitext", "metric") == {"dcs"}
    tree = page.locator(".strip").aria_snapshot()
    assert f'radio "GTM {score_on(page, "gtm")} precision ' in tree, "name, score, detail"
    assert page.locator(".tile[data-key=nist] .bar").count() == 0 < page.locator(".tile[data-key=bleu] .bar").count()
    for link in page.get_by_test_id("stTopNavLink").all():
        page.keyboard.press("Tab")  # what is reached by the keyboard shows its focus
        link.focus()
        assert link.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


#: Not ours to mend: Streamlit's box for files is a presentation that has a name and takes the focus.
FOREIGN = "[data-testid=stFileUploaderDropzone]"


def violations(page: Any, rules: Sequence[str] = ()) -> list[str]:
    """What axe-core finds on a page by these rules, by all of its own where there are none."""
    try:
        import axe_playwright_python
    except ImportError:
        missing("axe-playwright-python")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {})}
    found = page.evaluate("([exclude, options]) => axe.run({exclude}, options)", [[[FOREIGN]], options])["violations"]
    return [f"{v['id']}: {node['html'][:200]}" for v in found for node in v["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(first: Any, pair: Any, see: Any, scheme: str) -> None:
    """In every view of both pages, with a term chosen and a menu open; in the dark their first views, colours alone."""
    rules = ["color-contrast"] if scheme == "dark" else []
    ours, theirs = ([*views.values()][: 1 if scheme == "dark" else None] for views in (VIEWS, COMPARE_VIEWS))
    paint(first, scheme)
    for view in reversed(ours):  # the page is left in its first view, as it was found
        show(first, view)
        if view == "Metric":
            choose(first, see, "sia")
            first.locator("tr.term").first.click()
            first.mouse.move(5, 5)
            menu(first, "Share")
            time.sleep(0.3)  # colours move in transitions
        assert not violations(first, rules), view
    close_menu(first)
    first.keyboard.press("Escape")
    choose(first, see, "gtm")
    paint(first, "light")
    paint(pair, scheme)
    for view in reversed(theirs):
        pair.locator(".st-key-compare_view").get_by_role("radio", name=view, exact=True).click()
        settle(pair)
        assert not violations(pair, rules), view
    paint(pair, "light")


# ---------------------------------------------------------------- two outputs

PAIR = PAIRS[0]


def comparison(pair: Pair = PAIR, metric: str = "gtm", view: str = "difference") -> str:
    workspace = Compare(references=pair.references, metric=metric, systems=pair.systems, compare=view)
    return "compare?" + urlencode(to_query(workspace))


def numbers(page: Any) -> list[str]:
    """Both scores and their difference."""
    return page.locator(".nb dd").all_inner_texts()


def expected(a: str, b: str, key: str = "gtm", references: str = PAIR.references) -> list[str]:
    given = [line.split() for line in references.split("\n")]
    before, after = (metrics.score(key, text.split(), given) for text in (a, b))
    return [theme.score_text(before.score), theme.score_text(after.score), theme.signed(after.score - before.score)]


def type_output(page: Any, slot: int, text: str) -> None:
    area = page.locator(f".st-key-system_{slot} textarea")
    area.fill(text)
    area.press("Control+Enter")
    settle(page)


def test_compare_two_outputs(visit: Visit, see: Any) -> None:
    """From the Sentence page to a step and its cells, and back by a link."""
    page = visit()
    page.get_by_role("link", name="Compare", exact=True).click()
    see(page.locator(".nb dd").first).to_be_visible()
    settle(page)
    assert numbers(page) == expected(PAIR.a, PAIR.b)

    page.locator(".strip [data-key=dcs]").click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    until(lambda: numbers(page), expected(PAIR.a, PAIR.b, "dcs"))
    see(page.locator(".inspector")).to_contain_text("A is scored against reference 2, B against reference 1.")

    changed = PAIR.b.replace("dead", "down")
    type_output(page, 1, changed)
    until(lambda: numbers(page), expected(PAIR.a, changed, "dcs"))

    given = [line.split() for line in PAIR.references.split("\n")]
    results = [metrics.score("dcs", text.split(), given) for text in (PAIR.a, changed)]
    steps = metrics.ledger(*results)
    rows = page.locator(".ledger tr.term")
    see(rows).to_have_count(len(steps))
    for number, step in enumerate(steps):
        rows.nth(number).click()
        see(rows.nth(number)).to_have_attribute("aria-selected", "true")
        see(page.locator(".pieces.chosen")).to_have_count(1)
        count = len(changes.grouped(step.pieces, *results))
        see(page.locator(".pieces.chosen tr")).to_have_count(count)
    settle(page)

    page.get_by_role("button", name="Swap").click()
    until(lambda: numbers(page), expected(changed, PAIR.a, "dcs"))
    settle(page)
    again = visit(page.url)
    until(lambda: numbers(again), expected(changed, PAIR.a, "dcs"))


def test_a_cell_leads_to_its_step(pair: Any, see: Any) -> None:
    """In the grid of the difference and in those of A and of B; a hovered cell says its words, and its light crosses to
    the strips. A reference that a step is about, or that is chosen, is opened."""
    page = pair
    for summary in page.locator(".own summary").all():
        summary.click()
    for side, role in (("d", "gained"), ("d", "elsewhere"), ("a", "used"), ("b", "used")):
        cell = page.locator(f".bitext [data-cell^={side}].{role}:visible").last
        cell.scroll_into_view_if_needed()
        cell.hover()
        _, k, j = cell.get_attribute("data-cell").split(",")
        word = PAIR.references.split("\n")[int(k)].split()[int(j)]
        see(page.locator(".tip")).to_contain_text(f"× {word} (")
        assert {f"r{k}_{j}"} <= all_of(page, ".bx .lit", "word")
        cell.click()
        see(page.locator(".ledger tr.term[aria-selected=true]")).to_have_count(1)
        see(page.locator(".pieces.chosen tbody").first).to_contain_text(word)
        page.keyboard.press("Escape")
        see(page.locator(".ledger tr.term[aria-selected=true]")).to_have_count(0)
    for summary in page.locator(".own summary").all():
        summary.click()

    page.locator(".refs [data-show='1']").click()
    see(page.locator(".ref[data-reference='1']")).to_be_visible()
    see(page.locator(".ref[data-reference='0']")).to_be_hidden()
    page.locator(".bx [data-word=r0_1]").click()
    see(page.locator(".ref[data-reference='0']")).to_be_visible()
    step = page.locator(".ledger tr.term[data-words*='a6']").last  # the word that was deleted without a match
    step.click()
    assert "a6" in all_of(page, ".bx .chosen", "word")


def test_words_and_cells_of_a_fate_are_switched_off_and_on(pair: Any, see: Any) -> None:
    """By the legend, without the server; what is switched off stays so when another metric is drawn."""
    page, words, cells = pair, pair.locator(".bx .im").first, pair.locator(".ref:visible .gained")
    switch = page.get_by_role("button", name="newly matched")
    see(cells.first).to_be_visible()
    tint = words.evaluate("e => getComputedStyle(e).backgroundColor")
    switch.click()
    see(switch).to_have_attribute("aria-pressed", "false")
    assert words.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert not cells.evaluate_all("all => all.filter(e => e.getClientRects().length).length")
    choose(page, see, "wer")
    see(switch).to_have_attribute("aria-pressed", "false")
    choose(page, see, "gtm")
    switch.press("Enter")
    see(switch).to_have_attribute("aria-pressed", "true")
    see(cells.first).to_be_visible()
    assert words.evaluate("e => getComputedStyle(e).backgroundColor") == tint


def seen_at_once(page: Any, see: Any) -> None:
    settle(page)
    for selector in (".strip", ".why", ".ledger tr.term >> nth=0", ".ref:not([hidden]) svg >> nth=0"):
        box_ = page.locator(selector).first.bounding_box()
        assert box_["y"] >= 0 and box_["y"] + box_["height"] <= 800, selector
    page.locator(".ledger tr.term").first.click()
    picked = boxes(page, ".ref:not([hidden]) .pick rect")
    assert picked and all(box_["y"] >= 0 and box_["y"] + box_["height"] <= 800 for box_ in picked)
    see(page.locator(".ledger tr.term").first).to_be_in_viewport()
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0


def test_everything_is_seen_at_once(visit: Visit, see: Any) -> None:
    """With four references of 32 words, and with two of 35: tiles, sentence, steps and the difference of the chosen
    step, in 1280 × 800. Rows that are alike are folded, and all are there on demand."""
    words = [f"w{n}" for n in range(32)]
    lines = [" ".join([*words[n:], *words[:n]]) for n in (0, 8, 16, 24)]
    a, b = " ".join([*words[:9], "old", *words[10:]]), " ".join([*words[:20], "new", *words[21:]])
    pair = Pair("", a, b, "\n".join(lines))
    page = visit(comparison(pair), wait=".frame.pair", viewport={"width": 1280, "height": 800})
    seen_at_once(page, see)
    talks = ROOT / "tests" / "data" / "ted-zh-en"
    names_ = ("system.MiSS", "system.Online-W", "reference.A", "reference.B")
    mine, theirs, *lines = [(talks / f"{name}.en.txt").read_text().splitlines()[5] for name in names_]
    typed = {"Output before": mine, "Output after": theirs, "References, one per line": "\n".join(lines)}
    for label, text in typed.items():
        box(page, label).fill(text)
        box(page, label).press("Control+Enter")
        settle(page)
    until(lambda: page.locator("path.grid").first.get_attribute("data-folds") is not None, True)
    seen_at_once(page, see)
    rows = page.get_by_role("button", name="Show all")
    fold = page.locator(".ref:visible .fold").first.bounding_box()
    page.mouse.move(fold["x"] + 3.5 * fold["height"], fold["y"] + fold["height"] / 2)
    see(page.locator(".tip")).to_be_visible()
    rows.click()
    see(page.get_by_role("button", name="Fold", exact=False)).to_be_visible()
    see(page.locator(".ref .fold")).to_have_count(0)


def test_a_setting_that_lifts_a_score_of_zero_is_set_by_a_click(visit: Visit, see: Any) -> None:
    page = visit(comparison(Pair("", "a b x y", "b a y z", "a c b d y e"), "bleu"), wait=".offer button")
    page.locator(".offer button").click()
    see(page.locator(".offer")).to_have_count(0)
    until(lambda: numbers(page)[0] != "0.000", True)
    until(lambda: "bleu.smoothing=exp" in address(page), True)


def test_what_if_words_and_all_systems(visit: Visit, see: Any) -> None:
    """A word that costs is tried, the try undone; a system is added and compared."""
    page = visit(comparison(view="words"), wait=".effects tr.term")
    settle(page)
    page.locator(".effects tr.term").first.click()
    page.get_by_role("button", name="Try it").click()
    area = page.locator(".st-key-whatif textarea")
    see(area).to_be_visible()
    settle(page)
    tried = area.input_value()
    assert tried != PAIR.a
    until(lambda: numbers(page), expected(PAIR.a, tried))
    area.fill("the gunman was killed")
    area.press("Control+Enter")
    until(lambda: numbers(page), expected(PAIR.a, "the gunman was killed"))
    page.get_by_role("button", name="Undo").click()
    until(lambda: numbers(page), expected(PAIR.a, tried))

    page.locator(".st-key-compare_view").get_by_role("radio", name="All systems", exact=True).click()
    settle(page)
    page.get_by_role("button", name="Add a system").click()
    third = page.locator(".st-key-system_2 textarea")
    third.fill("police killed the gunman")
    third.press("Control+Enter")
    settle(page)
    see(page.locator(".scores thead th")).to_have_count(4)
    until(lambda: "police+killed+the+gunman" in address(page), True)


def test_a_report_of_a_comparison(pair: Any, see: Any, tmp_path: Any) -> None:
    page = pair
    body = menu(page, "Save")
    with page.expect_download() as download:
        body.get_by_role("button", name="Report", exact=False).first.click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert "Shapley" in text
    for number in expected(PAIR.a, PAIR.b)[:3]:
        assert number in text
    close_menu(page)


def test_compare_on_a_phone(visit: Visit, see: Any) -> None:
    """Nothing but the grids scrolls sideways, in every view."""
    page = visit(comparison(), wait=".nb", **PHONE)
    for view in COMPARE_VIEWS.values():
        page.locator(".st-key-compare_view").get_by_role("radio", name=view, exact=True).click()
        settle(page)
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, view
        see(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_a_comparison(pair: Any, see: Any, scheme: str) -> None:
    page = pair
    paint(page, scheme)
    lines = (".ab .tk bdi", ".ab .lb", ".nb dd", ".nb dt", ".why", ".vh span", ".lg span", ".refs button")
    contrast(page, 4.5, *lines, ".terms td", ".terms .ft", ".terms th")
    page.locator(".ledger tr.term:not([data-cells=''])").first.click()
    page.mouse.move(5, 5)
    see(page.locator(".ab .chosen").first).to_be_visible()
    settle(page)
    time.sleep(0.3)
    contrast(page, 4.5, ".ab .chosen bdi", ".pieces.chosen td", ".terms td")
    paint(page, "light")


# ---------------------------------------------------------------- no other host


def test_menus_and_examples_keep_to_their_host(desk: Any, see: Any) -> None:
    """`Watch` finds requests to another host and console errors, here and where all metrics are shown."""
    page = desk
    type_texts(page, FIRST.candidate, FIRST.references)
    choose(page, see, "sia")
    page.get_by_role("button", name="More settings").click()
    see(page.get_by_test_id("stPopoverBody")).to_be_visible()
    close_menu(page)
    for name in ("Text", "Share", "Save"):
        see(menu(page, name)).to_be_visible()
        close_menu(page)
    for example in ("Hebrew, right to left", "Japanese, by characters"):
        chooser = page.get_by_role("combobox", name="Example")
        chooser.click()
        page.keyboard.type(example)
        page.keyboard.press("Enter")
        see(box(page, "Candidate")).to_have_value(BY_NAME[example].candidate)
        see(page.locator(".vh b")).to_have_text(metrics.METRICS[BY_NAME[example].metric].name)
    see(page.get_by_test_id("stException")).to_have_count(0)


def test_settings_keep_the_app_private() -> None:
    """The settings on which the promises of privacy and speed rest."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    wanted = {
        "server": {
            "headless": True,
            "address": "127.0.0.1",
            "fileWatcherType": "none",
            "maxUploadSize": 50,
            "maxMessageSize": 50,
            "allowedHosts": ["127.0.0.1", "localhost"],
            "enableCORS": True,
            "enableXsrfProtection": True,
        },
        "browser": {"gatherUsageStats": False},
        "client": {"toolbarMode": "viewer", "showErrorDetails": "type", "showErrorLinks": False},
        "runner": {"magicEnabled": False, "postScriptGC": False},
    }
    assert {name: config[name] for name in wanted} == wanted
