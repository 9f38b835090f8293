"""Tests in a browser of exercises in which a student types the lines of a calculation, and of what guessing costs.

They are done on the page and in a chapter saved as a file."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.helpers.browsing import Visit, save_page
from viz.pages.learn import chapter_files
from viz.pages.learn.save_menu import saved_chapter

pytestmark = pytest.mark.alone

LESSON = ".lesson"


def open_exercise(visit: Visit, code: str) -> Any:
    chapter = chapter_files.chapter_of_metric(code.partition("-")[0])
    page = visit(f"?page=learn&chapter={chapter.key}&screen=6&exercise={code}", LESSON)
    page.evaluate("localStorage.clear()")
    return page


def test_lines_are_judged_as_they_are_typed_and_shown_as_they_are_read(visit: Visit, see: Any) -> None:
    page = open_exercise(visit, "gtm-1-5")  # the match size is √17, P divides it by 10 and R by 8
    lines, wrong = page.locator(".work .line"), page.locator(".first-wrong")
    lines.nth(0).locator("input").fill("√17")
    see(lines.nth(0).locator(".reads math msqrt")).to_have_count(1)
    see(lines.nth(0)).to_have_attribute("data-how", "right")
    lines.nth(2).locator("input").fill("3")
    see(wrong).to_contain_text("What is R, the recall?")
    lines.nth(1).locator("input").fill("sqrt(17)/8")
    see(wrong).to_have_text("What is P, the precision? That is R; the question asks for P.")
    lines.nth(1).locator("input").fill("√17/(10")
    see(lines.nth(1).locator(".reads")).to_contain_text("opens a bracket that it does not close")
    see(lines.nth(1)).to_have_attribute("data-how", "")
    see(wrong).to_contain_text("What is R, the recall?")
    lines.nth(2).get_by_role("button").click()
    see(lines.nth(2)).to_have_attribute("data-how", "right")
    see(lines.nth(2).locator(".reads")).to_contain_text("Right: R = 4.123/8 = 0.5154")

    # The last line alone is enough. An exercise solved with help does not count as right first time.
    page.locator(".answers input").fill("2√17/(10+8)")
    see(page.locator(".answers .reads math mfrac")).to_have_count(1)
    page.keyboard.press("Enter")
    see(page.locator(".said")).to_contain_text("Right: ")
    see(page.locator(".course .known")).to_have_text("Right first time: 0 of 1 exercise")


def test_a_wrong_answer_is_tried_again_on_another_exercise_of_the_kind(visit: Visit, see: Any) -> None:
    page = open_exercise(visit, "wer-2-3")
    field, said, again = page.locator(".answers input"), page.locator(".said"), page.locator(".again")
    for text in ("", "two thirds", "1/0"):  # an answer that cannot be read costs nothing
        field.fill(text)
        page.keyboard.press("Enter")
        see(said).to_contain_text("; write" if text else "Type a number")
        see(field).to_be_enabled()
    field.fill("1")
    page.keyboard.press("Enter")
    see(said).to_contain_text("No. It is not 1; a whole number is not accepted as rounded. The right number is lower.")
    see(again).to_contain_text("“Show me” says what is missing.")
    see(field).to_be_disabled()
    see(page.locator(".course .known")).to_have_text("Right first time: 0 of 1 exercise")
    page.reload()  # a reload does not give another try
    see(page.locator(".answers input")).to_be_disabled()
    page.locator(".work .line input").first.fill("2")  # the work can still be judged
    again.get_by_role("button", name="Another of this kind").click()
    see(page).not_to_have_url(re.compile("wer-2-3(&|$)"))
    see(page).to_have_url(re.compile("exercise=wer-2-"))
    see(page.locator(".answers input")).to_be_enabled()


def test_a_saved_chapter_has_another_exercise_of_the_kind(page_opener: Any, see: Any, tmp_path: Any) -> None:
    chapter = chapter_files.shelf().chapters["gtm"]
    page = page_opener(offline=True)
    page.goto(f"{save_page(tmp_path, saved_chapter(chapter, 5))}#{len(chapter.screens) + 1}")
    screen = page.locator(".screen:visible")
    words = screen.locator(".word_lines").first.inner_text()
    screen.locator(".answers input").fill("0.0123")
    page.keyboard.press("Enter")
    see(screen.locator(".answers input")).to_be_disabled()
    screen.get_by_role("button", name="Another of this kind").click()
    see(screen.locator(".answers input")).to_be_enabled()
    assert screen.locator(".word_lines").first.inner_text() != words
    screen.locator(".answers input").fill("0.0123")
    page.keyboard.press("Enter")
    see(screen.locator(".again")).to_contain_text("as this file has no other")
    see(page.locator(".course .known")).to_have_text("Right first time: 0 of 2 exercises")
