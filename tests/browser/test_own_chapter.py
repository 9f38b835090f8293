"""Tests in a browser of a chapter that a teacher wrote: its file is opened, corrected and presented.

It is shown at once with messages on what is wrong in it. After a reload it is still there: from the page's address
or, where it is too long for one, from the browser tab's storage."""

from __future__ import annotations

import pytest

from tests.helpers.app import PHONE, ROOT

pytestmark = pytest.mark.alone

TINY = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
MINE = TINY.replace('"tiny"', '"mine"').replace('title = "Hits and GTM"', 'title = "Mine & <b>yours</b>"')
WRONG = MINE.replace("right = 0", "right = 7").replace("{main.matches}", "{main.<img src=x>}")


def upload_chapter(page, text):
    if not page.locator(".chapter").count():
        page.get_by_role("button", name="Chapters").click()
    page.wait_for_selector(".chapter")
    if not page.locator(".st-key-own_chapter input[type=file], [data-testid=stPopoverBody] input[type=file]").count():
        page.get_by_role("button", name="Open a chapter of your own").click()
    page.wait_for_selector("input[type=file]", state="attached")
    file = {"name": "mine.toml", "mimeType": "application/toml", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(file)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_it_is_shown_at_once_with_its_messages_until_they_are_gone(visit, see, options):
    page = visit("learn", ".chapter", **options)
    upload_chapter(page, WRONG)
    page.wait_for_selector(".course:has-text('Mine & <b>yours</b>')")
    lines = page.locator(".faults li")
    see(lines).to_have_count(2)
    see(lines.first).to_contain_text("screen 1 (question): text: {main.<img src=x>} cannot be read")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    page.wait_for_selector(".course:has-text('Mine & <b>yours</b>')")
    see(lines).to_have_count(2)
    if not options:
        page.get_by_role("button", name="Present").click()
        see(lines.first).to_be_hidden()
        page.keyboard.press("Escape")
        see(lines.first).to_be_visible()
    upload_chapter(page, MINE)
    page.wait_for_selector(".lesson .quiz [data-answer='2']")
    see(lines).to_have_count(0)
    page.locator("[data-answer='0']").click()
    page.wait_for_selector(".said:has-text('Right.')")
    page.get_by_role("button", name="Chapters").click()
    see(page.locator(".chapter").first).to_contain_text("Mine & <b>yours</b>")
    see(page.locator(".chapter").first).to_contain_text("1 of 6 done")
    see(page.locator(".chapter").first).to_contain_text("Your own · GTM")
    see(page.locator(".chapter").nth(1)).to_contain_text("1. Start here")
    page.get_by_role("button", name="Take your chapter off the list").click()
    see(page.locator(".chapter").first).to_contain_text("Start here")
    page.wait_for_url(lambda address: "file=" not in address)


def test_one_too_long_for_a_link_is_kept_in_the_tab(visit, see):
    page = visit("learn", ".chapter")
    upload_chapter(page, MINE + "".join([f"# {n * 7919 % 1_000_003:x}\n" for n in range(4_000)]))
    page.wait_for_selector(".course:has-text('Mine & <b>yours</b>')")
    page.wait_for_url(lambda address: "kept=" in address and "file=" not in address)
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector(".course .where:has-text('2 of 6')")
    page.wait_for_url("**screen=2**")
    page.reload()
    page.wait_for_selector(".course .where:has-text('2 of 6')")
    see(page.locator(".course")).to_contain_text("Mine & <b>yours</b>")
