"""The app in a real browser: what is on screen is what the core computed, and stays so in links and files.

Every page that is opened here must stay without console errors, dialogs and requests to other hosts (see `visit`).
"""

from __future__ import annotations

import csv
import json
import re
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from conftest import PHONE, ROOT

import metrics
from metrics.alignment import bitext
from metrics.analysis import changes
from metrics.types import Hit, Result
from viz.draw import differences, theme
from viz.state.examples import BY_NAME, EXAMPLES, PAIRS, Pair
from viz.state.link import COMPARE_VIEWS, Compare, to_query

pytestmark = pytest.mark.browser

LOADED = ".js-plotly-plot .points path, [data-testid=stAlert]"
VERMILION = "rgb(213, 94, 0)"
FIRST = EXAMPLES[0]
CANDIDATE = FIRST.candidate.split()
REFERENCES = [line.split() for line in FIRST.references.split("\n")]
Visit = Callable[..., Any]


# ---------------------------------------------------------------- help


@pytest.fixture
def visit(new_page: Callable[..., Any], app_url: str) -> Iterator[Visit]:
    """Opens the app. Afterwards every page must have been quiet and have kept to its host."""
    pages, faults = [], []

    def wrong(message: Any) -> bool:
        # Under a page's path Streamlit first looks for itself there, which the browser reports.
        return message.type == "error" and "/compare/_stcore/" not in message.location["url"]

    def watch(page: Any) -> None:
        page.on("console", lambda m: faults.append(f"console: {m.text}") if wrong(m) else None)
        page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: asked(request.url))
        page.on("websocket", lambda socket: asked(socket.url))

    def asked(url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != urlsplit(app_url).netloc:
            faults.append(f"request to {url}")

    def open_(query: str = "", wait: str = LOADED, **options: Any) -> Any:
        page = new_page(**options)
        pages.append(page)
        watch(page)
        page.goto(query if query.startswith("http") else f"{app_url}/{query}")
        page.wait_for_selector(wait)
        return page

    yield open_
    for page in pages:
        page.close()
    assert not faults


@pytest.fixture
def see(chromium: Any) -> Any:
    """Playwright's `expect`, which waits until what it expects is there."""
    from playwright.sync_api import expect

    expect.set_options(timeout=10_000)
    return expect


def link(candidate: str = FIRST.candidate, references: str = FIRST.references, **more: Any) -> str:
    return "?" + urlencode({"candidate": candidate, "references": references, **more})


def tile(page: Any, key: str) -> Any:
    return page.locator(".st-key-metric button").nth(list(metrics.METRICS).index(key))


def score_on(page: Any, key: str) -> str:
    """The number on a tile, which the style sheet writes."""
    return tile(page, key).locator("p").evaluate("p => JSON.parse(getComputedStyle(p, '::after').content)")


def box(page: Any, label: str) -> Any:
    return page.get_by_label(label, exact=True)


def type_texts(page: Any, candidate: str, references: str) -> None:
    """Type both texts and wait until the app has answered."""
    for label, text in (("References, one per line", references), ("Candidate", candidate)):
        box(page, label).fill(text)
        box(page, label).press("Control+Enter")
    settle(page)


def settle(page: Any) -> None:
    """Wait until the app has nothing left to do."""
    page.wait_for_timeout(60)
    page.wait_for_selector(".stApp[data-test-script-state=notRunning]")


def choose(page: Any, see: Any, key: str) -> None:
    """Choose a metric by its tile."""
    tile(page, key).click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS[key].name)
    settle(page)


def classes(page: Any, selector: str) -> set[str]:
    """The names ("c3", "r0_5") of the words that match a selector."""
    found = page.locator(selector).evaluate_all("elements => elements.flatMap(e => [...e.classList])")
    return {name for name in found if re.fullmatch(r"c\d+|r\d+_\d+", name)}


def names(cells: Sequence[Hit] | set[Hit]) -> set[str]:
    return {name for hit in cells for name in (f"c{hit.i}", f"r{hit.k}_{hit.j}")}


def markers(page: Any, name: str | None = None) -> dict[Hit, tuple[float, float]]:
    """The cells that carry a marker on the grid (of the trace `name`) and where they are on screen."""
    found = page.evaluate(
        """name => [...document.querySelectorAll('.st-key-scroll .points path')].flatMap(path => {
            const trace = path.parentElement.closest('.trace').__data__[0].trace;
            if (name && trace.name !== name) return [];
            const r = path.getBoundingClientRect(), data = trace.customdata[path.__data__.i];
            return [[data[4], data[5], data[6] - 1, r.x + r.width / 2, r.y + r.height / 2]];
        })""",
        name,
    )
    return {Hit(i, k, j): (x, y) for i, k, j, x, y in found}


def framed(page: Any) -> set[Hit]:
    """The cells that the light frames, by the marker in the middle of each frame."""
    frames = page.locator(".lit-layer rect").evaluate_all(
        "all => all.map(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })"
    )
    at = markers(page)
    return {cell for x, y in frames for cell, (u, v) in at.items() if abs(x - u) < 2 and abs(y - v) < 2}


def outlined(page: Any) -> set[str]:
    """The words that have a vermilion outline, whichever rule gives it."""
    found = page.locator(".bx .tk").evaluate_all(
        """(words, colour) => words.filter(e => {
            const s = getComputedStyle(e);
            return s.outlineStyle === 'solid' && s.outlineColor === colour && parseFloat(s.outlineWidth) > 0;
        }).map(e => e.classList[1])""",
        VERMILION,
    )
    return set(found)


def chosen_rows(page: Any) -> list[int]:
    rows = page.locator(".terms tr.term")
    return rows.evaluate_all("all => all.flatMap((e, n) => e.ariaSelected === 'true' ? [n] : [])")


def vermilion_formula(page: Any) -> str:
    """What stands in vermilion in the formula."""
    return page.locator(".st-key-ledger .katex-html").first.evaluate(
        """(formula, colour) => [...formula.querySelectorAll('*')].filter(
            e => getComputedStyle(e).color === colour && getComputedStyle(e.parentElement).color !== colour
        ).map(e => e.textContent).join('')""",
        VERMILION,
    )


def until(found: Callable[[], Any], wanted: Any, seconds: float = 10) -> None:
    """Wait until `found` returns what is wanted; the assertion shows what it returned instead."""
    end = time.monotonic() + seconds
    while (last := found()) != wanted and time.monotonic() < end:
        time.sleep(0.03)
    assert last == wanted


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


def result(key: str, **settings: Any) -> Result:
    return metrics.score(key, CANDIDATE, REFERENCES, **settings)


# ---------------------------------------------------------------- input and settings


def test_type_choose_and_set(visit: Visit, see: Any) -> None:
    """From two typed texts to every metric's score, by mouse and by keyboard."""
    page = visit()
    candidate, references = "the cat sat on a mat", "a cat sat on the mat\nthere was a cat on the mat"
    type_texts(page, candidate, references)

    def score(key: str, **settings: Any) -> str:
        given = [line.split() for line in references.split("\n")]
        return theme.score_text(metrics.score(key, candidate.split(), given, **settings).score)

    for key in metrics.METRICS:
        until(lambda: score_on(page, key), score(key))
    see(page.locator(".st-key-scroll .yaxislayer-above text")).to_have_text(candidate.split())
    see(page.locator(".st-key-scroll .xaxislayer-above text")).to_have_text(references.split())

    see(tile(page, "gtm")).to_have_attribute("aria-checked", "true")
    choose(page, see, "dcs")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["sia"].name)
    see(tile(page, "sia")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["gtm"].name)

    slider = page.get_by_role("slider", name="Exponent")
    before = float(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    exponent = float(slider.input_value())
    assert exponent > before
    see(page.locator(".sig")).to_contain_text(f"exponent:{exponent}")
    until(lambda: score_on(page, "gtm"), score("gtm", exponent=exponent))
    assert score("gtm", exponent=exponent) != score("gtm")


def test_a_click_during_scoring_counts(visit: Visit, see: Any) -> None:
    """A tile that is clicked while the scores on the tiles change is chosen all the same."""
    page = visit()
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


# ---------------------------------------------------------------- the other views


def show(page: Any, view: str) -> None:
    page.locator(".st-key-view").get_by_role("radio", name=view, exact=True).click()
    settle(page)


def test_views(visit: Visit, see: Any) -> None:
    """All metrics, two metrics, error classes, and back to one metric by its small grid."""
    page = visit(link())
    show(page, "All metrics")
    pictures = page.locator(".st-key-multiples img")
    see(pictures).to_have_count(len(metrics.METRICS))
    until(lambda: pictures.evaluate_all("all => all.every(e => e.complete && e.naturalWidth > 50)"), True)
    see(page.locator(".divided tr").nth(1)).to_be_visible()
    assert "view=all" in page.url

    page.locator(".st-key-open_dcs button").click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    see(tile(page, "dcs")).to_have_attribute("aria-checked", "true")

    show(page, "Two metrics")
    see(page.locator(".vh b")).to_have_text("dcs and ROUGE-L")
    see(page.locator(".lg")).to_contain_text("used by both")
    reached = page.url
    page.locator(".st-key-view").get_by_role("radio", name="Two metrics").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    settle(page)
    see(page.locator(".vh b")).to_have_text("Error classes")

    again = visit(reached)
    see(again.locator(".vh b")).to_have_text("dcs and ROUGE-L")


def test_error_classes(visit: Visit, see: Any) -> None:
    """A hovered word lights its partner and says why it is in its class."""
    page = visit(link("police kill the gunman", "the police killed the gunman", view="errors"), wait=".ec .tk")
    word = page.locator(".ec .c1")
    assert "same stem" in word.get_attribute("title")
    word.hover()
    until(lambda: outlined(page), {"c1", "r2"})
    see(page.locator(".classes").first).to_contain_text("Inflection")


def test_ties(visit: Visit, see: Any) -> None:
    """Stepping through equally good alignments changes the grid and leaves the score."""
    page = visit(link("the gunman police killed", "police killed the gunman", metric="rouge_l"))
    note = page.locator(".st-key-ties")
    see(note).to_contain_text("2 alignments are equally good. This is number 1")
    score, first = score_on(page, "rouge_l"), set(markers(page, "used"))
    note.get_by_role("button", name="Next").click()
    see(note).to_contain_text("This is number 2")
    until(lambda: set(markers(page, "used")).isdisjoint(first), True)
    assert score_on(page, "rouge_l") == score
    assert len(markers(page, "used")) == len(first) == 2


# ---------------------------------------------------------------- light and selection


def test_hover(visit: Visit, see: Any) -> None:
    """A word lights its partners and their cells, a cell its words and its row, an empty cell says its words."""
    page = visit()
    hits = set(bitext.hits(CANDIDATE, [tuple(r) for r in REFERENCES]))
    assert set(markers(page)) == hits
    for word in ("c4", "r0_5", "r1_0"):  # "this", once in a reference; "this", "England" of the references
        partners = {h for h in hits if word in names([h])}
        assert partners
        page.locator(f".bx .{word}").hover()
        until(lambda: outlined(page), names(partners) | {word})
        until(lambda: framed(page), partners)
        assert page.locator(".lit-layer rect").count() == len(partners)
    page.locator(".bx .c1").hover()  # "with" has a partner in the first reference only
    until(lambda: framed(page), {Hit(1, 0, 9)})

    cell = Hit(5, 0, 6)  # "crisis"
    page.mouse.move(*markers(page)[cell])
    until(lambda: classes(page, ".bx .lit"), names([cell]))
    see(page.locator(".terms tr.lit")).to_have_count(1)
    see(page.locator(".terms tr.lit td").first).to_have_text("this crisis in London")
    see(page.locator(".hoverlayer .hovertext")).to_contain_text("crisis (6) = crisis (7)")
    assert page.locator(".tip").count() == 0

    at = markers(page)
    page.mouse.move(at[Hit(1, 0, 9)][0], at[Hit(7, 0, 8)][1])  # London × with
    see(page.locator(".tip")).to_have_text("London × with")
    page.mouse.move(5, 5)
    see(page.locator(".tip")).to_have_count(0)
    see(page.locator(".lit")).to_have_count(0)


def test_choose_in_the_table(visit: Visit, see: Any) -> None:
    """A chosen term is vermilion in the formula, in the words and on the grid, and nothing else is."""
    page = visit()
    marks = result("gtm").layers[0].marks
    rows = page.locator(".terms tr.term")
    see(rows).to_have_count(len(marks))

    def shows(row: int | None, formula: str) -> None:
        until(lambda: chosen_rows(page), [] if row is None else [row])
        cells = set() if row is None else set(marks[row].cells())
        until(lambda: set(markers(page, "selected")), cells)
        until(lambda: classes(page, ".bx .tk.sel"), names(cells))
        until(lambda: vermilion_formula(page), formula)

    shows(None, "")
    rows.nth(0).click()
    shows(0, "42")  # 4²
    rows.nth(0).click()
    shows(None, "")

    rows.nth(0).focus()
    page.keyboard.press("ArrowDown")
    until(lambda: framed(page), set(marks[1].cells()))  # the row in focus lights its cells as a hovered one does
    page.keyboard.press("Enter")
    shows(1, "22")
    until(lambda: rows.nth(1).evaluate("e => e === document.activeElement"), True)  # focus survives the answer
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    shows(3, "12")
    page.keyboard.press("Escape")
    shows(None, "")


def test_choose_on_the_grid(visit: Visit, see: Any) -> None:
    """A click on a cell selects its row; where terms share the cell, further clicks visit them all."""
    page = visit()
    page.mouse.click(*markers(page)[Hit(3, 1, 3)])  # "discussed", in the second run
    until(lambda: chosen_rows(page), [1])
    until(lambda: vermilion_formula(page), "22")
    page.mouse.click(*markers(page)[Hit(4, 0, 5)])  # "this", in the first
    until(lambda: chosen_rows(page), [0])
    until(lambda: set(markers(page, "selected")), set(result("gtm").layers[0].marks[0].cells()))

    page = visit(link("a b c d", "a b c d", metric="rouge_n", **{"rouge_n.order": 2}))
    see(page.locator(".terms tr.term")).to_have_count(3)
    for row in (0, 1, 0, 1):  # b is in "a b" and in "b c"
        page.mouse.click(*markers(page)[Hit(1, 0, 1)])
        until(lambda: chosen_rows(page), [row])
    page.mouse.click(*markers(page)[Hit(3, 0, 3)])
    until(lambda: chosen_rows(page), [2])


def test_rounds(visit: Visit, see: Any) -> None:
    """The slider and Play go through SIA's rounds; Play stops by itself at the last."""
    page = visit(link(metric="sia"))
    layers = result("sia").layers
    last = len(layers)
    assert last == 3
    rounds = page.locator(".st-key-rounds input")
    rounds.focus()
    page.keyboard.press("Home")
    see(page.locator(".rd").first).to_contain_text("Round 1 takes")
    first = {cell for mark in layers[0].marks for cell in mark.cells()}
    until(lambda: set(markers(page, "used")), first)
    page.keyboard.press("End")
    see(page.locator(".rd").first).to_contain_text(f"Round {last} takes")
    every = {cell for layer in layers for mark in layer.marks for cell in mark.cells()}
    until(lambda: set(markers(page, "used")), every)

    page.get_by_role("button", name="Play").click()
    see(page.locator(".rd").first).to_contain_text("Round 1 takes")
    see(page.get_by_role("button", name="Pause")).to_be_visible()
    see(page.locator(".rd").first).to_contain_text(f"Round {last} takes", timeout=20_000)
    see(page.get_by_role("button", name="Play")).to_be_visible()
    time.sleep(1.5)  # longer than a round: it has stopped
    assert f"Round {last} takes" in page.locator(".rd").first.text_content()
    until(lambda: set(markers(page, "used")), every)


# ---------------------------------------------------------------- sharing and saving


def test_link(visit: Visit, see: Any) -> None:
    """A shared link and a reload bring back texts, settings, metric and score."""
    page = visit(link("Ein kleiner Test & mehr", "Ein großer Test & mehr\n100% Test"))
    choose(page, see, "rouge_w")
    page.locator(".st-key-settings .stSlider input").first.focus()
    page.keyboard.press("ArrowRight")
    see(page.locator(".sig")).not_to_have_text(page.locator(".sig").text_content())
    menu(page, "Text").get_by_text("Lower case").click()
    see(page.locator(".sig")).to_contain_text("case:lc")
    close_menu(page)
    shared = menu(page, "Share").get_by_test_id("stCode").text_content().strip()
    shown = state(page)
    other = visit(shared)
    until(lambda: state(other), shown)
    until(lambda: "rouge_w." in page.url and "text.lowercase=yes" in page.url, True)
    page.reload()
    page.wait_for_selector(LOADED)
    until(lambda: state(page), shown)


def state(page: Any) -> dict[str, Any]:
    """What a link has to bring back, as it is on screen; the signature names every setting."""
    return {
        "candidate": box(page, "Candidate").input_value(),
        "references": box(page, "References, one per line").input_value(),
        "chosen": page.locator(".st-key-metric [aria-checked=true]").all_text_contents(),
        "tiles": page.locator(".st-key-metric button").all_text_contents(),
        "signature": page.locator(".sig").all_text_contents(),
    }


def test_workspace_file(visit: Visit, see: Any, tmp_path: Any) -> None:
    """Texts too long for a link go into a file, which brings everything back."""
    long = " ".join(f"word{n % 700}" for n in range(900))
    page = visit()
    type_texts(page, long, f"{long} end")
    see(page.locator(".stPlotlyChart")).to_have_count(2)
    choose(page, see, "rouge_l")
    share = menu(page, "Share")
    see(share).to_contain_text("too long for a link")
    with page.expect_download() as download:
        share.get_by_role("button", name="Workspace file").click()
    file = tmp_path / "workspace.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["query"]["candidate"] == long
    assert urlsplit(page.url).query == ""
    other = visit()
    menu(other, "Share").locator("input[type=file]").set_input_files(file)
    until(lambda: state(other), state(page))
    file.write_text("{}")
    third = visit()
    menu(third, "Share").locator("input[type=file]").set_input_files(file)
    see(third.get_by_test_id("stAlert")).to_contain_text("This file is not a workspace")


def test_save(visit: Visit, see: Any, tmp_path: Any) -> None:
    """Five files: each of its kind, and each says by its signature how to repeat the score."""
    page = visit()
    signature = page.locator(".sig").text_content()
    save = menu(page, "Save")
    saved = {}
    for label, ending in (
        ("Figure, SVG", "svg"),
        ("Page, HTML", "html"),
        ("Result, JSON", "json"),
        ("Ledger, CSV", "csv"),
        ("Figure, TikZ", "tex"),
    ):
        with page.expect_download() as download:
            save.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"gtm.{ending}"
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        saved[ending] = path.read_text(encoding="utf-8")
    plain = {ending: text.replace("\\_", "_").replace("<wbr>", "") for ending, text in saved.items()}
    assert {ending: signature in text for ending, text in plain.items()} == dict.fromkeys(saved, True)
    assert ET.fromstring(saved["svg"]).tag.endswith("svg")
    assert saved["html"].lower().startswith("<!doctype html>") and "England" in saved["html"]
    assert json.loads(saved["json"])["score"] == result("gtm").score
    lines = list(csv.reader(saved["csv"].splitlines()[1:]))
    assert lines[1][1] == "this crisis in London" and float(lines[1][4]) == 16.0
    assert "\\begin{tikzpicture}" in saved["tex"]


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


def test_a_similarity_trained_on_a_bitext(visit: Visit, see: Any) -> None:
    """Similar words are aligned after the training, the training shows how far it is, and it can be stopped."""
    page = visit(link("the home is little", "the house is small", metric="sia"))
    assert len(markers(page)) == 2
    opened = similar_words(page, see, "trained")
    for patience, model, says in ((1, "1", "In use: table(ibm1(en.txt)"), (60, "3", "Training was stopped")):
        files = opened.locator("input[type=file]")
        files.nth(0).set_input_files(text_file("en.txt", [english for english, _ in BITEXT * patience]))
        files.nth(1).set_input_files(text_file("fr.txt", [french for _, french in BITEXT * patience]))
        opened.get_by_role("radio", name=model, exact=True).click()
        settle(page)  # the button is drawn anew with the files and the model
        opened.get_by_role("button", name="Train", exact=True).click()
        if patience > 1:
            see(opened.get_by_text("Training: round")).to_be_visible()
            opened.get_by_role("button", name="Stop training").click()
        see(opened.get_by_text(says)).to_be_visible(timeout=20_000)
        close_menu(page)
        until(lambda: len(markers(page)), 4)  # home ≈ house, little ≈ small
        opened = menu(page, "More settings")


def test_a_translation_table(visit: Visit, see: Any) -> None:
    """A table's faults are named with their line; a good one is used."""
    page = visit(link("the home is little", "the house is small", metric="sia"))
    opened = similar_words(page, see, "translation table")
    opened.locator("input[type=file]").set_input_files(text_file("lex.e2f", ["home maison 0.5", "house maison"]))
    see(opened.get_by_text("line 2")).to_be_visible()
    assert len(markers(page)) == 2
    opened.locator("input[type=file]").set_input_files(text_file("lex.e2f", ["home maison 0.5", "house maison 0.5"]))
    see(opened.get_by_text("In use: table(lex.e2f")).to_be_visible()
    until(lambda: len(markers(page)), 3)


# ---------------------------------------------------------------- bad and hostile input

HOSTILE = (
    "<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md** [a](http://b) `code` <img/src=x/onerror=alert(1)> "
    "\u202eevil a\u0001b c\u0007d 👩‍👩‍👧 שלום مرحبا {{x}} \\frac{1}{2} ${7*7} "
    "javascript:alert(1) </div></style> ' \" <svg/onload=alert(1)>"
)


def test_hostile_text_is_only_text(visit: Visit, see: Any) -> None:
    page = visit(wait="textarea")
    type_texts(page, HOSTILE, HOSTILE)
    tokens = HOSTILE.split()
    words = [theme.visible(w, 60) for w in tokens]
    labels = [theme.visible(w, 16) for w in tokens]
    assert "a\ufffdb" in words
    see(page.locator(".bx .ln:first-child .tk bdi")).to_have_text(words)
    for key in metrics.METRICS:
        choose(page, see, key)
        if page.get_by_role("radio", name="Grid").count():
            page.get_by_role("radio", name="Grid").click()
        see(page.locator(".st-key-scroll .yaxislayer-above text")).to_have_count(len(labels))
        for lines in (".bx .ln:first-child .tk bdi", ".bx .ln:last-child .tk bdi"):
            assert page.locator(lines).all_text_contents() == words
        for axis in (".yaxislayer-above", ".xaxislayer-above"):
            until(lambda: page.locator(f".st-key-scroll {axis} text").all_text_contents(), labels)
        injected = page.locator(".bx, .st-key-scroll, .terms").evaluate_all(
            "all => all.flatMap(e => [...e.querySelectorAll("
            "'script, img, iframe, svg[onload], [onerror], b:not(.lb b)')]).map(e => e.outerHTML.slice(0, 200))"
        )
        assert not injected
    choose(page, see, "gtm")
    cell = Hit(1, 0, 1)
    until(lambda: cell in markers(page), True)
    page.mouse.move(*markers(page)[cell])
    see(page.locator(".hoverlayer .hovertext")).to_contain_text("<b>bold</b> (2) = <b>bold</b> (2)")
    page.get_by_text("Matches as text").click()
    see(page.get_by_test_id("stCode")).to_contain_text("<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md**")


def test_bad_input_gets_one_sentence(visit: Visit, see: Any) -> None:
    """What is wrong is said at once, and the text stays in its box."""
    page = visit()
    ok = "a b c"
    cases = (
        (" ".join(["w"] * 2_001), ok, "The candidate has 2,001 words, 1 more than the 2,000 that fit."),
        (ok, "\n".join(["r"] * 17), "17 references are 1 more than the 16 that fit."),
        (" \t \n ", ok, "Paste a candidate above, or choose an example."),
        (ok, "\n \n", "Paste a reference above, or choose an example."),
        ("x" * 1_000_000, ok, "The candidate has 1,000,000 characters, 800,000 more than the 200,000 that fit."),
    )
    for candidate, references, says in cases:
        type_texts(page, ok, ok)
        see(page.locator(".terms tr.term")).to_have_count(1)
        box(page, "References, one per line").fill(references)
        box(page, "Candidate").fill(candidate)
        box(page, "Candidate").press("Control+Enter")
        see(page.get_by_test_id("stAlert")).to_contain_text(says)
        see(page.get_by_test_id("stAlert")).to_have_count(1)
        see(page.locator(".js-plotly-plot")).to_have_count(0)
        assert box(page, "Candidate").input_value() == candidate
        assert box(page, "References, one per line").input_value() == references
    type_texts(page, "\u0001\u0002 \ufeff \u200b", "\u0001\u0002 x")  # unprintable, but words
    see(page.locator(".bx .c0")).to_have_text("\ufffd\ufffd")
    see(page.get_by_test_id("stException")).to_have_count(0)


# ---------------------------------------------------------------- legible, reachable, on a phone

CONTRAST = """selector => {
    const parse = text => {
        const n = text.match(/[\\d.e-]+/g).map(Number), scale = text.startsWith('color(') ? 255 : 1;
        return [n[0] * scale, n[1] * scale, n[2] * scale, n[3] ?? 1];
    };
    const over = (top, below, a) => [0, 1, 2].map(c => top[c] * a + below[c] * (1 - a));
    const luminance = rgb => {
        const [r, g, b] = rgb.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    return [...document.querySelectorAll(selector)].filter(e => e.textContent.trim() || e.tagName === 'path').map(e => {
        const chain = [];
        for (let p = e; p; p = p.parentElement) chain.unshift(p);
        let ground = [255, 255, 255], alpha = 1;
        for (const p of chain) {
            const s = getComputedStyle(p);
            if (p !== e || !(p instanceof SVGElement)) {
                const c = parse(s.backgroundColor);
                ground = over(c, ground, c[3] * alpha);
            }
            alpha *= s.opacity;
        }
        const s = getComputedStyle(e), svg = e instanceof SVGElement;
        const stroked = svg && e.tagName === 'path' && (s.fill === 'none' || parse(s.fill)[3] * s.fillOpacity === 0);
        const colour = parse(stroked ? s.stroke : svg ? s.fill : s.color);
        const own = svg ? (stroked ? s.strokeOpacity : s.fillOpacity) : 1;
        const seen = over(colour, ground, colour[3] * own * alpha);
        const [a, b] = [luminance(seen), luminance(ground)].sort((x, y) => y - x);
        return [(a + .05) / (b + .05), e.textContent.slice(0, 30) || e.tagName];
    });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(visit: Visit, see: Any, scheme: str) -> None:
    """Text reaches 4.5:1 against its ground, marks reach 3:1 (WCAG 1.4.3 and 1.4.11)."""
    page = visit(link(metric="gtm"), color_scheme=scheme)
    ground = page.locator(".stApp").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == ("rgb(23, 22, 20)" if scheme == "dark" else "rgb(255, 255, 255)")
    text = (
        ".bx .tk bdi, .bx .lb, .bd, [class$=tick] text, .annotation-text, .terms th, .terms td, .sig, .lg span, "
        ".vh b, .vh span, .rf td, .rf th, .rd, .katex-html .mord, .st-key-metric button p, "
        ".stButtonGroup button p, [data-testid=stWidgetLabel] p, textarea"
    )
    for key in ("gtm", "sia", "dcs", "rouge_s"):
        choose(page, see, key)
        time.sleep(0.3)  # colours move in transitions
        low = [x for x in page.evaluate(CONTRAST, text) if x[0] < 4.5]
        assert not low, key
        if key != "sia":  # its rounds are coloured cells with digits, and clear markers to click on
            low = [x for x in page.evaluate(CONTRAST, ".st-key-scroll .points path") if x[0] < 3]
            assert not low, key
    choose(page, see, "gtm")
    page.locator(".terms tr.term").first.click()
    until(lambda: chosen_rows(page), [0])
    until(lambda: len(classes(page, ".bx .sel")), 8)
    time.sleep(0.3)
    low = [x for x in page.evaluate(CONTRAST, ".bx .sel bdi, .terms td") if x[0] < 4.5]
    assert not low


def test_phone(visit: Visit, see: Any) -> None:
    """Nothing but the grid scrolls sideways, tiles stand four in a row, cells can be seen."""
    page = visit(**PHONE)
    large = BY_NAME["English, 30 words and four references"]
    for query in ("", link(large.candidate, large.references)):
        if query:
            page.goto(page.url.split("?")[0] + query)
            page.wait_for_selector(LOADED)
        for key in ("gtm", "sia", "rouge_s"):
            choose(page, see, key)
            see(page.locator(".st-key-scroll .js-plotly-plot")).to_be_visible()
            assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, key
    page.goto(page.url.split("?")[0])
    page.wait_for_selector(LOADED)
    tops = page.locator(".st-key-metric button").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert len(set(tops)) == -(-len(metrics.METRICS) // 4) and tops.count(tops[0]) == 4
    sides = page.evaluate(
        """[...Object.values(document.querySelector('.st-key-scroll .js-plotly-plot')._fullLayout)]
            .filter(a => a?._id && a.l2p).map(a => Math.abs(a.l2p(1) - a.l2p(0)))"""
    )
    assert len(sides) == 2 * len(REFERENCES)
    assert min(sides) >= 13 and max(sides) - min(sides) < 0.1
    page.locator(".terms tr.term").first.tap()
    until(lambda: chosen_rows(page), [0])


def test_everything_has_a_name(visit: Visit, see: Any) -> None:
    """What the keyboard can reach has an accessible name, and figures say what they show."""
    page = visit(link(metric="rouge_s"))
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
        figures = page.locator(".stPlotlyChart").evaluate_all("all => all.map(e => [e.role, e.ariaLabel])")
        assert figures and all(role in ("figure", "img") and len(name) > 10 for role, name in figures)
    page.locator("body").press("Home")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
    assert any("TR.term" in e for e in reached) and any(e.startswith("TEXTAREA") for e in reached)


# ---------------------------------------------------------------- two outputs

PAIR = PAIRS[0]


def comparison(pair: Pair = PAIR, metric: str = "gtm", view: str = "difference") -> str:
    workspace = Compare(references=pair.references, metric=metric, systems=pair.systems, compare=view)
    return "compare?" + urlencode(to_query(workspace))


def numbers(page: Any) -> list[str]:
    """Both scores, the difference, kept, gained, lost and moved."""
    return page.locator(".nb b").all_inner_texts()


def expected(a: str, b: str, key: str = "gtm", references: str = PAIR.references) -> list[str]:
    given = [line.split() for line in references.split("\n")]
    before, after = (metrics.score(key, text.split(), given) for text in (a, b))
    scores = [theme.score_text(before.score), theme.score_text(after.score), theme.signed(after.score - before.score)]
    return scores + [str(count) for count in differences.counts(changes.difference(before, after)).values()]


def type_output(page: Any, slot: int, text: str) -> None:
    area = page.locator(f".st-key-system_{slot} textarea")
    area.fill(text)
    area.press("Control+Enter")
    settle(page)


def test_compare_two_outputs(visit: Visit, see: Any) -> None:
    """From the Sentence page to a step of the ledger and its cells, and back by a link."""
    page = visit()
    page.get_by_role("link", name="Compare", exact=True).click()
    see(page.locator(".nb b").first).to_be_visible()
    settle(page)
    assert numbers(page) == expected(PAIR.a, PAIR.b)

    page.locator(".scores tr", has_text="dcs").click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    until(lambda: numbers(page), expected(PAIR.a, PAIR.b, "dcs"))
    see(page.locator(".rd").first).to_contain_text("The decision moved")

    changed = PAIR.b.replace("dead", "down")
    type_output(page, 1, changed)
    until(lambda: numbers(page), expected(PAIR.a, changed, "dcs"))

    given = [line.split() for line in PAIR.references.split("\n")]
    steps = metrics.ledger(*[metrics.score("dcs", text.split(), given) for text in (PAIR.a, changed)])
    rows = page.locator(".st-key-steps tr.term")
    see(rows).to_have_count(len(steps))
    for number, step in enumerate(steps):
        rows.nth(number).click()
        see(rows.nth(number)).to_have_attribute("aria-selected", "true")
        settle(page)
        if step.pieces:
            see(page.locator(".pc caption")).to_have_text(step.name)
            see(page.locator(".pc tbody tr")).to_have_count(len(step.pieces))

    page.get_by_role("button", name="Swap").click()
    until(lambda: numbers(page), expected(changed, PAIR.a, "dcs"))
    again = visit(page.url)
    until(lambda: numbers(again), expected(changed, PAIR.a, "dcs"))


def test_a_cell_leads_to_its_step(visit: Visit, see: Any) -> None:
    """In the grids of A, of B and of the difference; a hovered cell says its words."""
    for grid, role in (("grid_d", "gained"), ("grid_d", "moved"), ("grid_a", "used"), ("grid_b", "used")):
        page = visit(comparison(), wait=f".st-key-{grid} .drawing .{role}")
        settle(page)
        cells = page.locator(f".st-key-{grid} .drawing .{role}")
        cell = cells.last
        cell.hover()
        _, k, j = map(int, re.search(r" x(\d+)_(\d+)_(\d+)", cell.get_attribute("class")).groups())
        word = PAIR.references.split("\n")[k].split()[j]
        until(lambda c=cell: c.locator("title").text_content().split(" × ")[1].split(" ")[0], word)
        cell.click()
        see(page.locator(".st-key-steps tr.term[aria-selected=true]")).to_have_count(1)
        see(page.locator(".pc tbody")).to_contain_text(word)


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
    until(lambda: "police+killed+the+gunman" in page.url, True)


def test_a_report_of_a_comparison(visit: Visit, see: Any, tmp_path: Any) -> None:
    page = visit(comparison(metric="sia"), wait=".nb")
    settle(page)
    body = menu(page, "Save")
    with page.expect_download() as download:
        body.get_by_role("button", name="Report", exact=False).first.click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert "Shapley" in text
    for number in expected(PAIR.a, PAIR.b, "sia")[:3]:
        assert number in text


def test_compare_on_a_phone(visit: Visit, see: Any) -> None:
    """Nothing but the grids scrolls sideways, in every view."""
    page = visit(comparison(), wait=".nb", **PHONE)
    for view in COMPARE_VIEWS.values():
        page.locator(".st-key-compare_view").get_by_role("radio", name=view, exact=True).click()
        settle(page)
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, view
        see(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_a_comparison(visit: Visit, see: Any, scheme: str) -> None:
    page = visit(comparison(), wait=".nb", color_scheme=scheme)
    settle(page)
    text = ".ab .tk bdi, .ab .lb, .nb b, .nb bdi, .scores th, .scores td, .terms td, .lg span, .rd, .vh span, .gh b"
    time.sleep(0.3)
    assert not [x for x in page.evaluate(CONTRAST, text) if x[0] < 4.5]
    for number in range(3):
        page.locator(".st-key-steps tr.term").nth(number).click()
        settle(page)
        time.sleep(0.3)
        assert not [x for x in page.evaluate(CONTRAST, ".ab .sel bdi, .pc td, .terms td") if x[0] < 4.5]


# ---------------------------------------------------------------- no other host


def test_whole_session_keeps_to_its_host(visit: Visit, see: Any) -> None:
    """Every metric, example and menu; `visit` fails on a request to another host and on any console error."""
    page = visit()
    for key in metrics.METRICS:
        choose(page, see, key)
        more = page.get_by_role("button", name="More settings")
        if more.count():
            more.click()
            see(page.get_by_test_id("stPopoverBody")).to_be_visible()
            close_menu(page)
    for name in ("Text", "Share", "Save"):
        see(menu(page, name)).to_be_visible()
        close_menu(page)
    page.get_by_text("Matches as text").click()
    see(page.get_by_test_id("stCode")).to_be_visible()
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
