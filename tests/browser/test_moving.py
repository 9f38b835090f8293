"""Tests in a browser of the screen "Idea", where a student moves the candidate's words as tiles.

The tiles are moved by mouse, keyboard and touch. The student predicts how a move changes the score before it is
made."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect as see

import metrics
from tests.helpers.app import PHONE
from tests.helpers.browsing import settle
from viz.draw.pen.numbers import score_text

pytestmark = pytest.mark.alone
REFERENCE = "the bank will close on friday"


def open_tiles(visit, candidate, metric="", **options):
    query = {"page": "learn", "chapter": "gtm", "screen": 2, "candidate": candidate, "references": REFERENCE}
    page = visit(f"?{urlencode(query)}", ".moving .handling", **options)
    settle(page)
    return page


def shown_score(text):
    return score_text(metrics.score("gtm", text.split(), [REFERENCE.split()]).score)


def shown_sentences(page):
    """Return the sentence as the tiles show it, as the text field holds it, and as the rows of the grid show it."""
    tiles = page.eval_on_selector_all(".moving .tile", "all => all.map((e) => e.dataset.tile)")
    rows = page.eval_on_selector_all(".lesson .drawing text[data-word^=c]", "all => all.map((e) => e.textContent)")
    return " ".join(tiles), page.input_value("[data-name=candidate]"), " ".join(rows)


def check_sentence(page, text):
    """Check that tiles, text field and grid all show the sentence `text`, and that the page shows its score."""
    see(page.locator(".moving .now b")).to_have_text(shown_score(text))
    see(page.locator(".lesson .score b:visible").first).to_have_text(shown_score(text))
    see(page.locator(".moving.waits")).to_have_count(0)
    assert shown_sentences(page) == (text, text, text)


def drag_tile(page, index, target, before=True):
    """Drag the tile with index `index` by mouse to the left edge of the element `target`.

    Where `before` is False, drag it to the right edge. A button may be there only once the drag has begun."""
    page.locator(".moving").evaluate("e => e.scrollIntoView({ block: 'center' })")
    a = page.locator(".moving .tile").nth(index).bounding_box()
    page.mouse.move(a["x"] + a["width"] / 2, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(a["x"] + a["width"] / 2 + 8, a["y"] + a["height"] / 2)
    b = target.bounding_box()
    page.mouse.move(b["x"] + (3 if before else b["width"] - 3), b["y"] + b["height"] / 2, steps=5)
    page.mouse.up()


def test_a_dragged_word_is_asked_about_before_it_counts(visit):
    first = "on friday the old bank will close"
    page = open_tiles(visit, first)
    drag_tile(page, 0, page.locator(".moving .tile").nth(2))
    see(page.locator(".predict p")).to_have_text("Move “on” before “the”: will GTM go up, down or stay the same?")
    assert page.locator(".predict .up").evaluate("e => e === document.activeElement")
    see(page.locator(".moving .now b")).to_have_text(shown_score(first))  # nothing is changed yet
    assert page.input_value("[data-name=candidate]") == first
    page.click(".predict .leave")
    check_sentence(page, first)
    drag_tile(page, 0, page.locator(".moving .tile").nth(2))
    page.click(".predict .up")
    second = "friday on the old bank will close"
    went = f"GTM goes down, from {shown_score(first)} to {shown_score(second)}."
    see(page.locator(".moving .said b")).to_have_text(f"You said up: {went}")
    see(page.locator(".moving .said")).to_contain_text("Also changed: precision")
    check_sentence(page, second)
    drag_tile(page, 6, page.locator(".moving .double"))
    see(page.locator(".tile.copy")).to_have_count(1)
    page.click(".predict .down")
    third = f"{second} close"
    see(page.locator(".moving .said b")).to_have_text(
        f"Right: GTM goes down, from {shown_score(second)} to {shown_score(third)}."
    )
    check_sentence(page, third)
    drag_tile(page, 7, page.locator(".moving .out"))
    page.click(".predict .same")
    see(page.locator(".moving .said b")).to_contain_text("You said the same: GTM goes up")
    check_sentence(page, second)
    page.click(".moving .tools .back")
    check_sentence(page, third)
    page.fill("[data-name=candidate]", "the bank")  # typing still works
    check_sentence(page, "the bank")
    assert page.inner_text(".moving .said") == ""


def test_a_word_is_moved_by_keys_alone(visit):
    page = open_tiles(visit, "the will bank close on on friday")
    page.locator(".moving .tile").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowLeft"):
        page.keyboard.press(key)
    see(page.locator(".moving .said")).to_have_text("Place 2 of 7")
    assert page.locator(".learn .course .where").inner_text().startswith("2 of")  # the keys belong to the tiles
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    see(page.locator(".predict")).to_be_hidden()
    assert page.locator(".tile:focus").get_attribute("data-tile") == "bank"
    for key in ("Enter", "ArrowLeft", "Enter", "Enter"):
        page.keyboard.press(key)
    see(page.locator(".moving .said b")).to_contain_text("Right: GTM goes up")
    assert page.locator(".moving .said").get_attribute("role") == "status"
    check_sentence(page, "the bank will close on on friday")
    assert page.locator(".tile:focus").get_attribute("data-tile") == "bank"
    outline = page.locator(".tile:focus").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid"
    for key in ("End", "ArrowLeft", "Delete", "Tab", "Enter"):
        page.keyboard.press(key)
    see(page.locator(".moving .said b")).to_contain_text("You said down: GTM goes up")
    check_sentence(page, REFERENCE)
    page.keyboard.press("d")
    see(page.locator(".predict p")).to_contain_text("Double “friday”")


def test_words_are_moved_by_fingers_and_typed_text_is_never_lost(visit):
    page = open_tiles(visit, "friday the bank will close on", **PHONE)
    for n in range(6):
        box = page.locator(".moving .tile").nth(n).bounding_box()
        assert box["height"] >= 36
    page.tap(".moving .tile >> nth=0")
    for _ in range(5):
        page.tap(".moving .later")
    page.tap(".moving .put")
    see(page.locator(".predict p")).to_contain_text("Move “friday” to the end")
    see(page.locator(".moving .now")).to_be_in_viewport()
    page.tap(".predict .up")
    see(page.locator(".moving .said b")).to_contain_text("Right: GTM goes up")
    check_sentence(page, REFERENCE)
    touch = page.context.new_cdp_session(page)
    tile = page.locator(".moving .tile").nth(5)
    page.locator(".moving").evaluate("e => e.scrollIntoView({ block: 'center' })")
    a = tile.bounding_box()
    at = {"x": a["x"] + a["width"] / 2, "y": a["y"] + a["height"] / 2}
    begun = {"x": at["x"] + 20, "y": at["y"]}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [begun]})
    see(page.locator(".moving .out")).to_be_visible()
    b = page.locator(".moving .out").bounding_box()
    to = {"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2}
    for part in (0.3, 0.6, 1):
        between = {name: at[name] + (to[name] - at[name]) * part for name in at}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [between]})
    page.wait_for_timeout(300)  # a finger that rests before it lets go; the tap after a fling is not registered
    touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [to]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    see(page.locator(".predict p")).to_contain_text("Take out “friday”")
    page.evaluate("document.querySelector('[data-name=candidate]').value += ' and more'")  # typed and not read yet
    page.tap(".predict .down")
    see(page.locator(".moving .said")).to_have_text("Please wait: the typed text is read first.")
    assert page.input_value("[data-name=candidate]").endswith("and more")


def test_words_that_look_like_markup_stay_words(visit):
    page = open_tiles(visit, "<b>the</b> $bank$ &amp; will")
    assert shown_sentences(page)[0] == "<b>the</b> $bank$ &amp; will" and page.locator(".tile b").count() == 0
    page.locator(".tile").nth(1).press("Delete")
    see(page.locator(".predict p")).to_contain_text("Take out “$bank$”")
    page.click(".predict .same")
    see(page.locator(".moving .said b")).to_contain_text("GTM goes")
    assert shown_sentences(page)[0] == "<b>the</b> &amp; will"


def test_cells_below_movable_words_are_large_and_buttons_come_with_a_word(visit):
    """Check that cells below words that can be moved have 28 pixels, and buttons stand above them only when needed.

    Before, cells had 10 to 26 pixels in a window of 1280 × 720, because the buttons of no word took the room."""
    for chapter, screen in (("gtm", 2), ("bleu", 2), ("lcs", 12), ("references", 2)):
        page = visit(
            f"?page=learn&chapter={chapter}&screen={screen}", ".lesson", viewport={"width": 1280, "height": 720}
        )
        settle(page)
        page.click(".show-me")
        see(page.locator(".moving .note")).to_be_visible()
        settle(page)
        grid = page.locator(".after path.grid").first
        assert grid.evaluate("e => e.dataset.size * e.getScreenCTM().a") >= 27.9, chapter
        see(page.locator(".moving .tools button:visible")).to_have_count(0)
    top = page.locator(".after .drawing").bounding_box()["y"]
    page.click(".moving .tile >> nth=0")
    see(page.locator(".moving .tools button:visible")).to_have_text(["Earlier", "Later", "Double", "Take out"])
    assert abs(page.locator(".after .drawing").bounding_box()["y"] - top) <= 2
    page.click(".moving .tile >> nth=0")
    see(page.locator(".moving .tools button:visible")).to_have_count(0)
    page.evaluate("localStorage.removeItem('bitext-grid:learn')")
