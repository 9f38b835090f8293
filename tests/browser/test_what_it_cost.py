"""Tests in a browser of the edits on the Sentence page, which lead from the candidate to a reference.

A chosen edit highlights its words and the cells that would match after it."""

from __future__ import annotations

from typing import Any

import pytest

import metrics
from metrics.types import Hit
from tests.helpers.browsing import (
    address,
    choose_metric,
    data_values,
    framed_cells,
    open_inputs,
    settle,
    show_view,
    type_texts,
    until,
)

pytestmark = pytest.mark.alone

CANDIDATE = "the men and women that shaped history and he hat a great memory"
REFERENCE = "the men and women who shaped history and he has a wonderful memory"


def picked_cells(page: Any) -> set[Hit]:
    return framed_cells(page, ".pick")


def test_an_edit_opens_its_cells(desk: Any, see: Any) -> None:
    type_texts(desk, CANDIDATE, REFERENCE)
    choose_metric(desk, see, "gtm")
    show_view(desk, "What it cost")
    costs = desk.locator(".costs li")
    see(costs.first).to_contain_text("that for who costs GTM 0.252: it splits a run of 9 into 4 and 4.")
    see(desk.locator("tr.term")).to_have_count(3)
    for key in metrics.METRICS:  # all metrics have arrived
        see(desk.locator(f'tr.term [data-by="{key}"]')).to_have_count(3)

    costs.first.click()
    until(lambda: picked_cells(desk), {Hit(n, 0, n) for n in range(9)})
    until(lambda: data_values(desk, ".merged .chosen", "term"), {"edit:0"})
    see(desk.locator("tr.pieces[data-of='edit:0'] .did")).to_be_visible()
    until(lambda: "edit=0" in address(desk), True)

    desk.locator("tr.term[data-term='edit:0']").focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    until(lambda: data_values(desk, ".costs .chosen", "term"), {"edit:1"})
    assert Hit(9, 0, 9) in picked_cells(desk)
    desk.keyboard.press("Escape")
    until(lambda: picked_cells(desk), set())
    settle(desk)
    until(lambda: "edit=" in address(desk), False)

    desk.locator("th [data-sort=wer]").click()
    see(desk.locator("th:has([data-sort=wer])")).to_have_attribute("aria-sort", "descending")
    choose_metric(desk, see, "wer")
    see(costs.first).to_contain_text("adds 0.077 to WER: one fewer substitution would be needed.")
    choose_metric(desk, see, "gtm")
    show_view(desk, "Metric")


def test_the_verdict_comes_in_two_halves_and_moves_nothing(desk: Any, see: Any) -> None:
    type_texts(desk, CANDIDATE, REFERENCE)
    choose_metric(desk, see, "gtm")
    verdict = desk.locator("[data-verdict]")
    see(verdict).to_contain_text("10 of 13 words match, in 4 pieces; the longest has 4.")
    see(verdict).to_contain_text("Biggest cost: that for who, 0.276.")
    open_inputs(desk)  # texts are typed into them below
    settle(desk)
    top = desk.locator("[data-metric]").bounding_box()["y"]
    assert verdict.bounding_box()["y"] < top

    # After new typing only the first half appears until nothing has changed for a while.
    type_texts(desk, f"{CANDIDATE} here", REFERENCE)
    see(verdict).to_contain_text("10 of 14 words match")
    assert desk.locator("[data-metric]").bounding_box()["y"] == top
    see(verdict).to_contain_text("Biggest cost: ")
    assert desk.locator("[data-metric]").bounding_box()["y"] == top
    choose_metric(desk, see, "wer")
    see(verdict).to_contain_text("WER 0.308: 4 errors: 3 words wrong, 1 too many; 10 of 14 words can stay.")
    show_view(desk, "All metrics")
    see(verdict).to_have_count(0)
    show_view(desk, "Metric")
    choose_metric(desk, see, "gtm")


def test_what_would_be_if_a_word_matched(desk: Any, see: Any) -> None:
    """Check the answer to "what if this word matched": each metric's score if it did.

    It is asked by a click on an unmatched word of either text, or on the ring of an unused match. Escape and a
    second click close the answer."""
    type_texts(desk, f"{CANDIDATE} and", REFERENCE)
    choose_metric(desk, see, "gtm")
    answer = desk.locator(".answer .if")
    see(answer).to_have_count(0)
    desk.locator(".word_lines [data-word=c4]").click()
    see(answer).to_contain_text("If who replaced that")
    see(answer.locator("tbody tr")).to_have_count(len(metrics.METRICS))
    until(lambda: data_values(desk, ".word_lines .in-question", "word"), {"c4"})
    until(lambda: "asked=c4" in address(desk), True)
    desk.locator(".word_lines [data-word=r0_11]").click()
    see(answer).to_contain_text("If wonderful replaced great")
    desk.locator(".word_lines [data-word=r0_11]").click()
    see(answer).to_have_count(0)

    ring = desk.locator('.figure .ring.unused[data-cell="13,0,7"]')
    box = ring.bounding_box()
    desk.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    see(answer).to_contain_text("If and, word 14, were moved to where the reference has its word 8, in place of")
    desk.keyboard.press("Escape")
    see(answer).to_have_count(0)
    desk.locator(".figure .ring.unused[tabindex='0']").focus()
    desk.keyboard.press("Enter")
    see(answer).to_contain_text("and is where the reference has it, so no word is wrong")
    answer.get_by_role("button", name="Close").click()
    see(answer).to_have_count(0)
    desk.locator(".word_lines [data-word=c0]").click()  # a matched word chooses its term instead
    until(lambda: data_values(desk, "tr.term[aria-selected=true]", "term") != set(), True)
    see(answer).to_have_count(0)
    desk.keyboard.press("Escape")
    settle(desk)
