"""A chapter before a lecture hall, in a browser: keys alone lead through it, and it fills the screen."""

from __future__ import annotations

import pytest
from browsing import settle

pytestmark = pytest.mark.browser

#: The step that the player shows, from 1 on, whether something is asked before it, and which steps are decisions.
STEP = """() => {
    const player = document.querySelector(".player");
    const [, at, all] = player.querySelector(".count").textContent.match(/Step (\\d+) of (\\d+)/).map(Number);
    return { at, all, asked: player.matches(".asks") };
}"""


def presented(visit, chapter, screen=1):
    page = visit(f"?page=learn&chapter={chapter}&screen={screen}&present=1", ".lesson")
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    page.wait_for_selector("html.presenting .lesson .part.now")
    return page


def onwards(page):
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(150)
    settle(page)


def number(page):
    return int(page.locator(".course .where").inner_text().split()[0])


def test_steps_go_from_decision_to_decision(visit):
    """From RIBES' first screen to its paper's example it was 40 keys; the buttons still show every step."""
    page = presented(visit, "ribes")
    pressed, shown = 0, []
    while number(page) < 4 and pressed < 40:
        onwards(page)
        pressed += 1
        if page.locator(".player").count() and not (step := page.evaluate(STEP))["asked"]:
            shown.append(step)
    assert number(page) == 4 and pressed <= 22
    assert len(shown) == 3 and shown[-1]["at"] == shown[-1]["all"], "two words that stand several times, and the end"
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".course .where:has-text('3 of')")
    settle(page)
    onwards(page)  # into the steps again, before the first decision
    first = page.evaluate(STEP)
    assert first["asked"] and first["at"] == shown[0]["at"] - 1
    page.click(".player .on")
    page.click(".player .on")
    page.click(".player .on")
    page.wait_for_selector(".player.asks .question")
    assert page.evaluate(STEP)["at"] == shown[0]["at"], "a button leads to the next step, which is asked for"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".lesson:visible")


def test_the_pair_is_shown_before_any_hint(visit):
    page = presented(visit, "gtm", 5)
    onwards(page)
    assert page.locator(".part.hunt.now").count() and page.locator(".hunt details").count()
    assert not page.locator(".found[data-how='right']").count()
    onwards(page)
    page.wait_for_selector(".hunt.now .found[data-how='right']")
    assert not page.locator(".hunt details[open]").count() and number(page) == 5
    onwards(page)
    assert page.locator(".part.reveal.now:visible").count() and number(page) == 5
    onwards(page)
    page.wait_for_selector(".course .where:has-text('6 of')")
