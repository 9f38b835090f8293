"""Tests that the pages are laid out well, legible and reachable on every screen size."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.text import TextSettings
from metrics.types import Hit
from tests.helpers.app import PHONE
from tests.helpers.browsing import (
    CANDIDATE,
    LOADED,
    PAIR,
    WINDOW,
    boxes,
    cell_centre,
    choose_metric,
    chosen,
    close_menu,
    comparison,
    data_values,
    expected_choice,
    link,
    menu,
    overflow,
    result,
    save_page,
    score_on,
    settle,
    show_view,
    tile,
    type_texts,
    until,
)
from tests.helpers.contrast import assert_contrast, axe_violations, use_colour_scheme, wait_for_colours
from viz.draw.evidence.drawn_result import DrawnResult
from viz.frame.examples import BY_NAME
from viz.pages.compare.record import VIEWS as COMPARE_VIEWS
from viz.pages.sentence.record import VIEWS
from viz.save import sentence_page
from viz.state.results import cache
from viz.state.texts import inputs

pytestmark = pytest.mark.alone


LONG = (
    "the committee said on monday that the new rules for small banks will take effect next year , although several "
    "members of the board had asked for more time to study what they cost",
    "the committee announced on monday that new rules for small banks will come into force next year , although some "
    "members of the board wanted more time to study the costs\n"
    "on monday , the committee said the new rules for smaller banks would take effect next year , although several "
    "board members had asked for more time to study the cost",
)
Visit = Callable[..., Any]


def test_layout(desk: Any, see: Any) -> None:
    """Check the layout of the Sentence page from 768 to 1920 pixels of width.

    From 1,000 pixels on there are two columns, the figure at the left. Two long references appear one at a time or
    all at once. A chosen term, its addend and its cells are in the window together. Nothing scrolls sideways."""
    type_texts(desk, *LONG)
    choose_metric(desk, see, "gtm")
    try:
        for width, columns in ((1920, 2), (1024, 2), (960, 1), (768, 1), (1280, 2)):
            desk.set_viewport_size({"width": width, "height": 800})

            def is_figure_in_window(width: int = width) -> bool:
                drawn = boxes(desk, ".figure .ref:not([hidden]) .drawing > svg")
                return all(svg["left"] >= 0 and svg["right"] <= width for svg in drawn)

            until(is_figure_in_window, True)
            settle(desk, 250)  # the width is reported a little later
            until(is_figure_in_window, True)
            parts = (".frame > .figure", ".side > .inspector", ".side > .words")
            (figure,), (inspector,), (lines,) = (boxes(desk, part) for part in parts)
            assert overflow(desk) <= 0, width
            assert (inspector["left"] >= figure["right"]) == (columns == 2), width
            assert lines["bottom"] <= inspector["top"] and inspector["right"] <= width
            if columns == 1:
                assert figure["bottom"] <= lines["top"], "where, words, why"
                views, tiles = (boxes(desk, part)[0] for part in (".st-key-view", ".st-key-strip"))
                assert (
                    views["bottom"] <= tiles["top"]
                    or views["left"] > boxes(desk, "[data-testid=stTopNavLink]")[-1]["right"]
                )
            assert all(button["height"] < 50 for button in boxes(desk, ".st-key-tools button")), (
                "names stand on one line"
            )
            tops = [round(button["top"]) for button in boxes(desk, ".st-key-strip [role=radio]")]
            assert tops.count(tops[0]) in (len(tops), -(-len(tops) // 2)), "one row of tiles, or two nearly as long"
            if columns == 2:
                assert inspector["width"] >= 430 and abs(figure["top"] - lines["top"]) < 2
                desk.locator(".below").evaluate("e => e.scrollIntoView()")
                assert boxes(desk, ".side")[0]["bottom"] <= boxes(desk, ".below")[0]["top"], "nothing overlaps"
                desk.evaluate("document.querySelector('.stMain').scrollTop = 0")
        desk.locator(".refs button", has_text="All").click()
        panels = boxes(desk, ".figure path.grid")
        assert len(panels) == 2 and abs(panels[0]["top"] - panels[1]["top"]) < 1
        assert panels[0]["right"] < panels[1]["left"] and panels[1]["bottom"] < boxes(desk, ".inspector")[0]["top"]
        desk.locator(".refs button").first.click()
        for key in ("gtm", "sia", "bleu"):
            choose_metric(desk, see, key)
            count = desk.locator("tr.term").count()
            for number in (0, count // 2, count - 1, 1):
                desk.evaluate("number => document.querySelectorAll('tr.term')[number].click()", number)
                see(desk.locator("tr.term.chosen")).to_have_count(1)

                def boxes_out_of_window(which: tuple[str, int] = (key, number)) -> list[Any]:
                    parts = [
                        boxes(desk, s) for s in ("tr.term.chosen", ".formula .addend.chosen", ".figure .pick rect")
                    ]
                    assert all(parts), which
                    beyond = [part for found in parts for part in found if part["top"] < 60 or part["bottom"] > 800]
                    return [which, *beyond] if beyond else []

                until(boxes_out_of_window, [])  # the page scrolls smoothly
            desk.keyboard.press("Escape")
        check_settings_row(desk, see)
    finally:
        desk.set_viewport_size(WINDOW)
        settle(desk)


EACH_FRAME = """() => {
    window.tops = new Set();
    const note = () => {
        const words = document.querySelector('.frame > .words');
        if (words && window.tops) window.tops.add(words.getBoundingClientRect().top);
        if (window.tops) requestAnimationFrame(note);
    };
    note();
}"""


def check_settings_row(page: Any, see: Any) -> None:
    """Check that a metric's settings take one row, so that the figure below stays in place when the metric changes.

    In no frame drawn by the browser is the figure elsewhere than before or after the change."""
    for width in (641, 768):
        page.set_viewport_size({"width": width, "height": 800})
        settle(page, 250)
        for key in ("bleu", "rouge_l", "sia", "ter", "gtm"):
            before = boxes(page, ".frame > .figure")[0]["top"]
            page.evaluate(EACH_FRAME)
            tile(page, key).click()
            see(page.locator(".bitext").first).to_have_attribute("data-metric", key)
            settle(page, 100)
            tops = page.evaluate("() => { const tops = [...window.tops]; window.tops = null; return tops; }")
            assert set(tops) <= {before, boxes(page, ".frame > .figure")[0]["top"]}, (width, key)
            assert boxes(page, ".st-key-settings")[0]["height"] <= 48, (width, key)


TEXT = (
    *(
        *(".word_lines .tk bdi", ".word_lines .lb", ".figure svg text[data-word]", ".terms th", ".terms td", ".sig"),
        *(".lg span", ".about p"),
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
    """Check the contrast on the Sentence page: 4.5:1 for text and 3:1 for marks (WCAG 1.4.3 and 1.4.11)."""
    page = first
    use_colour_scheme(page, scheme)
    for key in ("gtm", "sia", "dcs", "wer"):
        choose_metric(page, see, key)
        wait_for_colours(page)
        assert_contrast(page, 4.5, *TEXT)
        assert_contrast(page, 3, ".figure [data-cell]:not(text)")
    choose_metric(page, see, "gtm")
    page.locator("tr.term").first.click()
    page.mouse.move(5, 5)
    until(lambda: len(data_values(page, ".word_lines .chosen", "word")), 8)
    wait_for_colours(page)
    assert_contrast(page, 4.5, ".word_lines .chosen bdi", ".terms td")
    assert_contrast(page, 3, ".figure [data-cell].chosen", ".figure text.chosen", ".formula .chosen mn")
    use_colour_scheme(page, "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_a_comparison(pair: Any, see: Any, scheme: str) -> None:
    use_colour_scheme(pair, scheme)
    for folds in pair.locator(".folds > summary").all():
        folds.click()
    lines = (
        *(".ab .tk bdi", ".ab .lb", "[data-verdict] .num", "[data-verdict] > span", ".vh span", ".lg span"),
        ".refs button",
    )
    assert_contrast(pair, 4.5, *lines, ".terms td", ".terms .ft", ".terms th")
    pair.locator(".ledger tr.term:not([data-cells=''])").first.click()
    pair.mouse.move(5, 5)
    see(pair.locator(".ab .chosen").first).to_be_visible()
    settle(pair)
    wait_for_colours(pair)
    assert_contrast(pair, 4.5, ".ab .chosen bdi", ".pieces.chosen td", ".terms td")
    use_colour_scheme(pair, "light")


def test_phone(visit: Visit, see: Any) -> None:
    """Check that on a phone only the grid and the row of tiles with scores scroll sideways.

    The chosen tile is visible, and cells are large enough to be seen and touched."""
    page = visit(**PHONE)
    settle(page)
    tops = page.locator(".st-key-strip [role=radio]").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert len(set(tops)) == 1 and len(tops) == len(metrics.METRICS)
    (selected,) = boxes(page, ".st-key-strip [aria-checked=true]")
    assert 0 <= selected["left"] < selected["right"] <= 390
    page.locator(".refs [data-show=all]").click()
    panels = boxes(page, ".figure path.grid")
    assert len(panels) == 2
    assert min(panel["height"] / len(CANDIDATE) for panel in panels) >= 11

    gtm = result("gtm")
    page.locator("tr.term").first.tap()
    until(lambda: chosen(page), expected_choice(gtm, "0:0"))
    foot = page.locator(".foot")
    see(foot).to_contain_text("this crisis in London")
    see(foot).to_be_in_viewport()
    until(
        lambda: all(part["bottom"] <= boxes(page, ".foot")[0]["top"] for part in boxes(page, ".figure .pick rect")),
        True,
    )
    page.locator(".figure path.grid[data-k='1']").scroll_into_view_if_needed()
    page.touchscreen.tap(*cell_centre(page, Hit(3, 1, 3)))
    until(lambda: chosen(page), expected_choice(gtm, "0:1"))
    page.locator(".word_lines [data-word=c1]").tap()
    until(lambda: chosen(page), expected_choice(gtm, "0:2"))
    page.locator("tr.term[data-term='0:2']").tap()
    until(lambda: chosen(page), expected_choice(gtm, None))
    see(foot).to_have_count(0)
    large = BY_NAME["English, 30 words and four references"]
    for query in ("", link(large.candidate, large.references)):
        if query:
            page.goto(page.url.split("?")[0] + query)
            page.wait_for_selector(LOADED)
        for key in ("gtm", "sia", "rouge_s"):
            choose_metric(page, see, key)
            see(page.locator(".figure .drawing > svg").first).to_be_visible()
            assert overflow(page) <= 0, key


def saved_page(folder: Path, key: str, **fields: Any) -> str:
    """Save the page that the Save menu makes of two long references scored by metric `key`; return its file address.

    `fields` are further fields of `DrawnResult`, such as `picture`."""
    texts = inputs.read_texts(*LONG, TextSettings())
    assert not isinstance(texts, inputs.MissingText)
    drawn = DrawnResult(texts, metrics.score(key, *texts.segment), cache.hits(texts.segment), **fields)
    return save_page(folder, sentence_page.page_html(drawn))


def test_print(page_opener: Callable[..., Any], tmp_path: Path) -> None:
    """Check that a saved page prints on few sheets, even with hundreds of skip-bigrams.

    The figure comes first, then the formula, then the table. A reference that the score does not use takes one line."""
    page = page_opener()
    for key, picture, most in (("rouge_s", "arcs", 6), ("meteor", "grid", 3)):
        page.goto(saved_page(tmp_path, key, picture=picture))
        sheets = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
        assert 1 < len(re.findall(rb"/Type\s*/Page\b", sheets)) <= most, key
    page.set_viewport_size({"width": 700, "height": 900})
    page.emulate_media(media="print")
    [figure], [table], [formula] = (boxes(page, selector) for selector in (".figure", ".terms", ".formula"))
    assert figure["bottom"] < formula["top"] < formula["bottom"] < table["top"]
    assert page.locator(".unused svg").count() and not page.locator(".unused svg >> visible=true").count()


TEXT_RECTANGLE = "e => (r => (r.selectNodeContents(e), r.getBoundingClientRect().toJSON()))(new Range())"  # of the text


def test_rows_and_labels(page_opener: Callable[..., Any], tmp_path: Path) -> None:
    """Check the table and the labels of the words.

    A credit is on one line beside its value, ranges such as 3–5 do not break, and a badge beside a label leaves room
    for the words."""
    page = page_opener(viewport={"width": 1280, "height": 840})
    page.goto(saved_page(tmp_path, "nist"))
    assert all("log" in credit for credit in page.locator("tr.term td.credit").all_inner_texts()[:9])
    for row in page.locator("tr.term").all()[:9]:
        credit, value = (row.locator(f"td.{look}") for look in ("credit", "value"))
        ends = [cell.evaluate(TEXT_RECTANGLE) for cell in (credit, value)]
        assert ends[0]["height"] < 24 and ends[0]["right"] < ends[1]["left"]
    page.goto(saved_page(tmp_path, "gtm"))
    places = page.locator("tr.term td.where")
    assert re.fullmatch("[0-9]+–[0-9]+ × [0-9]+–[0-9]+, R2", places.first.text_content())
    assert places.locator("span").count() and all(box["height"] < 24 for box in boxes(page, "tr.term td span"))
    for at, credit in zip(places.all(), page.locator("tr.term td.credit").all(), strict=True):
        ends = [cell.evaluate(TEXT_RECTANGLE) for cell in (at, credit)]
        assert ends[0]["right"] <= ends[1]["left"]
    page.goto(saved_page(tmp_path, "bleu"))
    label, badge = boxes(page, ".word_lines .lb:has(.bd)")[0], boxes(page, ".word_lines .bd")[0]
    assert badge["width"] > 100 and label["width"] <= 152 and badge["right"] <= label["right"] + 1


def test_compare_on_a_phone(visit: Visit, see: Any) -> None:
    """Check that on a phone only the grids scroll sideways, in every view of the Compare page."""
    page = visit(comparison(), wait="[data-verdict]", **PHONE)
    for view in COMPARE_VIEWS.values():
        show_view(page, view)
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, view
        see(page.get_by_test_id("stException")).to_have_count(0)


def test_everything_has_a_name(first: Any, see: Any) -> None:
    """Check that every element the keyboard can reach has an accessible name.

    Each figure has one too, which says what it shows."""
    page = first
    tools = page.context.new_cdp_session(page)
    for key in ("rouge_s", "sia"):
        choose_metric(page, see, key)
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
    choose_metric(page, see, "gtm")


def test_keyboard_and_copying_on_the_strip(desk: Any, see: Any) -> None:
    """Check the keys of the strip of scores: Tab enters at the chosen tile, arrows move, Space chooses.

    The number of a tile can be selected for copying without choosing the tile."""
    choose_metric(desk, see, "gtm")
    focused = "document.activeElement.dataset.key"
    desk.locator(".st-key-view [aria-checked=true]").focus()
    desk.keyboard.press("Tab")
    assert desk.evaluate(focused) == "gtm"
    desk.keyboard.press("ArrowRight")
    desk.keyboard.press("ArrowRight")
    assert desk.evaluate(focused) == "dcs" and data_values(desk, ".bitext", "metric") == {"gtm"}
    desk.keyboard.press("Space")
    see(desk.locator(".bitext").first).to_have_attribute("data-metric", "dcs")
    settle(desk)
    assert desk.evaluate(focused) == "dcs", "the focus stays"
    desk.keyboard.press("End")
    desk.keyboard.press("ArrowRight")
    assert desk.evaluate(focused) == next(iter(metrics.METRICS)), "after the last comes the first"

    at = boxes(desk, ".tile[data-key=rouge_l] b + span")[0]
    y = (at["top"] + at["bottom"]) / 2
    desk.mouse.move(at["left"] + 1, y)
    desk.mouse.down()
    desk.mouse.move(at["right"] - 1, y, steps=4)
    desk.mouse.up()
    assert desk.evaluate("getSelection().toString()") == score_on(desk, "rouge_l")
    settle(desk)
    assert data_values(desk, ".bitext", "metric") == {"dcs"}
    tree = desk.locator(".strip").aria_snapshot()
    assert f'radio "GTM {score_on(desk, "gtm")} precision ' in tree, "name, score, detail"
    assert desk.locator(".tile[data-key=nist] .bar").count() == 0 < desk.locator(".tile[data-key=bleu] .bar").count()
    for tab in desk.get_by_test_id("stTopNavLink").all():
        desk.keyboard.press("Tab")  # what is reached by keyboard shows its focus
        tab.focus()
        assert tab.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


REACHED = "scrollable-region-focusable"
MANY = "\n".join(" ".join(f"{word}{n}" for n in range(9) for word in ("the", "cat", "sat")) for _ in range(16))


def check_boxes_take_focus(page: Any, *selectors: str) -> None:
    """Check that the boxes that `selectors` (of CSS) find scroll, have an accessible name and take the keyboard focus.

    By axe, everything else that scrolls on the page must take the focus too."""
    for box in selectors:
        found = page.locator(f"{box}[tabindex='0'][aria-label]")
        more = "all => all.map(e => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2)"
        until(lambda: found.evaluate_all(more), [True])
    assert not axe_violations(page, [REACHED])


def test_what_scrolls_is_reached_by_the_keyboard(visit: Visit) -> None:
    """Check that a box that scrolls takes the keyboard focus unless an element in it does, so that keys can scroll it.

    A box that shows all of its content takes no focus."""
    page = visit(link(view="steps"), ".player", viewport={"width": 1280, "height": 420})
    check_boxes_take_focus(page, ".player .drawing", ".player .code")
    page.locator(".player .drawing").focus()
    page.keyboard.press("PageDown")
    until(lambda: page.locator(".player .drawing").evaluate("e => e.scrollTop > 0"), True)
    page.set_viewport_size({"width": 1280, "height": 1600})
    until(lambda: page.locator("[data-reached]").count(), 0)
    assert not page.locator(":is(.drawing, .code):is([tabindex], [aria-label], [role])").count()

    systems = comparison(PAIR._replace(references=MANY), view="all")
    page = visit(systems, ".word_lines.reach", viewport={"width": 1280, "height": 420})
    check_boxes_take_focus(page, ".word_lines.reach")

    lines = MANY.split("\n")[:10]
    page = visit(link(lines[0], "\n".join(lines)), viewport={"width": 1280, "height": 420})
    page.locator(".refs [data-show=all]").click()
    check_boxes_take_focus(page, ".word_lines.tall")
    show_view(page, "Steps")
    page.wait_for_selector(".player")
    check_boxes_take_focus(page, ".player .drawing")


def check_by_axe(page: Any, scheme: str, views: Sequence[str], prepare_view: Callable[[str], None]) -> None:
    """Check that axe finds nothing in any of a page's `views`, after `prepare_view(view)` has prepared the view.

    In the dark colour scheme, only the colours of the first view are checked."""
    use_colour_scheme(page, scheme)
    for view in reversed(views if scheme == "light" else views[:1]):  # ends with the first view open
        show_view(page, view)
        prepare_view(view)
        assert not axe_violations(page, ["color-contrast"] if scheme == "dark" else []), view


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(first: Any, see: Any, scheme: str) -> None:
    """Check that axe finds nothing in any view of the Sentence page, with a term chosen and a menu open."""

    def prepare_view(view: str) -> None:
        if view == "Metric":
            choose_metric(first, see, "sia")
            first.locator("tr.term").first.click()
            first.mouse.move(5, 5)
            menu(first, "Share")
            wait_for_colours(first)

    check_by_axe(first, scheme, [*VIEWS.values()], prepare_view)
    close_menu(first)
    first.keyboard.press("Escape")
    choose_metric(first, see, "gtm")
    use_colour_scheme(first, "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_comparison(pair: Any, scheme: str) -> None:
    check_by_axe(pair, scheme, [*COMPARE_VIEWS.values()], lambda view: None)
    use_colour_scheme(pair, "light")
