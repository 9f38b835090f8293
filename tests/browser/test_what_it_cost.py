"""On the Sentence page a chosen edit lights its words and the cells that would match, by mouse and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import address, all_of, choose, framed, open_inputs, settle, show, type_texts, until

import metrics
from metrics.types import Hit

pytestmark = pytest.mark.alone

CANDIDATE = "the men and women that shaped history and he hat a great memory"
REFERENCE = "the men and women who shaped history and he has a wonderful memory"


def picked(page: Any) -> set[Hit]:
    return framed(page, ".pick")


def test_an_edit_opens_its_cells(desk: Any, see: Any) -> None:
    type_texts(desk, CANDIDATE, REFERENCE)
    choose(desk, see, "gtm")
    show(desk, "What it cost")
    costs = desk.locator(".costs li")
    see(costs.first).to_contain_text("that for who costs GTM 0.252: it splits a run of 9 into 4 and 4.")
    see(desk.locator("tr.term")).to_have_count(3)
    for key in metrics.METRICS:  # all metrics have come
        see(desk.locator(f'tr.term [data-by="{key}"]')).to_have_count(3)

    costs.first.click()
    until(lambda: picked(desk), {Hit(n, 0, n) for n in range(9)})
    until(lambda: all_of(desk, ".merged .chosen", "term"), {"edit:0"})
    see(desk.locator("tr.pieces[data-of='edit:0'] .did")).to_be_visible()
    until(lambda: "edit=0" in address(desk), True)

    desk.locator("tr.term[data-term='edit:0']").focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    until(lambda: all_of(desk, ".costs .chosen", "term"), {"edit:1"})
    assert Hit(9, 0, 9) in picked(desk)
    desk.keyboard.press("Escape")
    until(lambda: picked(desk), set())
    settle(desk)
    until(lambda: "edit=" in address(desk), False)

    desk.locator("th [data-sort=wer]").click()
    see(desk.locator("th:has([data-sort=wer])")).to_have_attribute("aria-sort", "descending")
    choose(desk, see, "wer")
    see(costs.first).to_contain_text("adds 0.077 to WER: one fewer substitution would be needed.")
    choose(desk, see, "gtm")
    show(desk, "Metric")


def test_the_verdict_comes_in_two_halves_and_moves_nothing(desk: Any, see: Any) -> None:
    type_texts(desk, CANDIDATE, REFERENCE)
    choose(desk, see, "gtm")
    verdict = desk.locator("[data-verdict]")
    see(verdict).to_contain_text("10 of 13 words match, in 4 pieces; the longest has 4.")
    see(verdict).to_contain_text("Costs most: that for who, 0.276.")
    open_inputs(desk)  # in which is typed
    settle(desk)
    top = desk.locator("[data-metric]").bounding_box()["y"]
    assert verdict.bounding_box()["y"] < top

    # Typed anew, it has its first half until nothing has changed for a while.
    type_texts(desk, f"{CANDIDATE} here", REFERENCE)
    see(verdict).to_contain_text("10 of 14 words match")
    assert desk.locator("[data-metric]").bounding_box()["y"] == top
    see(verdict).to_contain_text("Costs most: ")
    assert desk.locator("[data-metric]").bounding_box()["y"] == top
    choose(desk, see, "wer")
    see(verdict).to_contain_text("WER 0.308: 4 errors: 3 words wrong, 1 too many; 10 of 14 words can stay.")
    show(desk, "All metrics")
    see(verdict).to_have_count(0)
    show(desk, "Metric")
    choose(desk, see, "gtm")


def test_what_would_be_if_a_word_matched(desk: Any, see: Any) -> None:
    """A click on a word without a match, on one of the reference, and on a ring; Escape and a second click leave."""
    type_texts(desk, f"{CANDIDATE} and", REFERENCE)
    choose(desk, see, "gtm")
    answer = desk.locator(".answer .if")
    see(answer).to_have_count(0)
    desk.locator(".word_lines [data-word=c4]").click()
    see(answer).to_contain_text("If who stood in place of that")
    see(answer.locator("tbody tr")).to_have_count(len(metrics.METRICS))
    until(lambda: all_of(desk, ".word_lines .in-question", "word"), {"c4"})
    until(lambda: "asked=c4" in address(desk), True)
    desk.locator(".word_lines [data-word=r0_11]").click()
    see(answer).to_contain_text("If wonderful stood in place of great")
    desk.locator(".word_lines [data-word=r0_11]").click()
    see(answer).to_have_count(0)

    ring = desk.locator('.figure .ring.unused[data-cell="13,0,7"]')
    box = ring.bounding_box()
    desk.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    see(answer).to_contain_text("If and, word 14, stood where the reference has its word 8, in place of")
    desk.keyboard.press("Escape")
    see(answer).to_have_count(0)
    desk.locator(".figure .ring.unused[tabindex='0']").focus()
    desk.keyboard.press("Enter")
    see(answer).to_contain_text("and stands where the reference has it, so no word is wrong")
    answer.get_by_role("button", name="Close").click()
    see(answer).to_have_count(0)
    desk.locator(".word_lines [data-word=c0]").click()  # one that matches is a term
    until(lambda: all_of(desk, "tr.term[aria-selected=true]", "term") != set(), True)
    see(answer).to_have_count(0)
    desk.keyboard.press("Escape")
    settle(desk)
