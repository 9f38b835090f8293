"""Tests in a browser of the Compare page's view "Edits": the edits that lead from output A to output B.

The line of merged words, the table, the lines of words and the grid highlight each other. An edit can be tried in
the view "What if"."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import metrics
from metrics.types import Segment
from tests.helpers.browsing import PAIR, Visit, address, comparison, overflow, save_page, settle, until
from tests.helpers.corpora import load_lines
from tests.helpers.fragments import process_texts
from viz.save.comparison_report import page_html
from viz.state.results import edits as edits_of

pytestmark = pytest.mark.alone

NAMES = ("system.SMU", "system.Online-W", "reference.A")

WORDS = PAIR.a.split(), PAIR.b.split()
ROW = ".shares tr.term"


def edit_shares(key: str) -> list[float]:
    """Return the share of each edit in the change of metric `key`'s score, in the order of the table's rows.

    None of the sample pair's edits is a shift."""
    references = tuple(tuple(line.split()) for line in PAIR.references.split("\n"))
    segment = Segment(tuple(WORDS[0]), references)
    found = edits_of.worth_of(key, segment, tuple(WORDS[1]), metrics.settings(key), True)
    return [share.share for share in found.shares]


def row_terms(page: Any) -> list[str]:
    return page.locator(ROW).evaluate_all("rows => rows.map(row => row.dataset.term)")


def chosen_words(page: Any) -> set[str]:
    return {*page.locator(".word_lines:not(.merged) .chosen").evaluate_all("e => e.map(e => e.dataset.word)")}


def test_an_edit_is_chosen_sorted_and_tried(visit: Visit, see: Any) -> None:
    page = visit(comparison(view="edits"), ".merged")
    settle(page)
    assert page.locator(".verdict").inner_text().startswith(("All", *"123456789"))
    count = page.locator(ROW).count()
    assert count == page.locator(".merged [data-term]").count() == len(edit_shares("gtm"))

    page.locator('.merged [data-term="edit:1"]').hover()
    see(page.locator(f'{ROW}[data-term="edit:1"]')).to_have_class("term lit")
    page.locator('.merged [data-term="edit:1"]').click()
    see(page.locator(f'{ROW}[aria-selected="true"]')).to_have_attribute("data-term", "edit:1")
    words = page.locator(f'{ROW}[data-term="edit:1"]').get_attribute("data-words").split()
    assert chosen_words(page) == {word for word in words if word[0] in "abr"} != set()
    see(page.locator(".did:visible")).to_have_count(1)
    lit = page.locator(".ref:not([hidden]) .chosen[data-cell]").evaluate_all("e => e.map(e => e.dataset.cell)")
    cells = page.locator(f'{ROW}[data-term="edit:1"]').get_attribute("data-cells").split()
    assert {*lit} <= {*cells} and (lit or not cells)
    until(lambda: parse_qs(address(page)).get("edit"), ["1"])

    order = sorted(range(count), key=lambda row: (-round(edit_shares("wer")[row] * -1, 9), row))
    page.get_by_role("button", name="Show all").last.click()
    page.locator("[data-sort=wer]").click()
    until(lambda: row_terms(page), [f"edit:{row}" for row in order])
    until(lambda: parse_qs(address(page)).get("sorted"), ["wer"])
    settle(page)
    see(page.locator(f'{ROW}[aria-selected="true"]')).to_have_attribute("data-term", "edit:1")
    page.locator("[data-sort=wer]").click()
    until(lambda: parse_qs(address(page)).get("sorted"), ["-wer"])
    assert row_terms(page) != [f"edit:{row}" for row in order]

    settle(page)
    page.keyboard.press("Escape")
    see(page.locator(f'{ROW}[aria-selected="true"]')).to_have_count(0)
    page.locator(ROW).first.focus()  # by keyboard
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    see(page.locator(f'{ROW}[aria-selected="true"]')).to_have_attribute("data-term", row_terms(page)[1])
    settle(page)
    back = page.locator(f'{ROW}[aria-selected="true"] .back').inner_text()
    assert overflow(page) <= 0

    page.locator(".did:visible button").click()
    see(page.locator(".st-key-whatif textarea")).to_be_visible()
    text = page.locator(".st-key-whatif textarea").input_value()
    assert text != PAIR.b and {*text.split()} <= {*WORDS[0], *WORDS[1]}
    see(page.locator("[data-verdict] .num").nth(1)).to_have_text(back)


def test_a_link_brings_back_the_view(visit: Visit, see: Any) -> None:
    page = visit(f"{comparison(view='edits')}&edit=1&sorted=-gtm", ".merged")
    see(page.locator(f'{ROW}[aria-selected="true"]')).to_have_attribute("data-term", "edit:1")
    see(page.locator("th[aria-sort=ascending]")).to_have_text("GTM")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_table_scrolls_in_itself(visit: Visit, see: Any, width: int) -> None:
    page = visit(comparison(view="edits"), ".merged", viewport={"width": width, "height": 800})
    settle(page)
    assert overflow(page) <= 0
    assert page.locator(f"{ROW} td.what").first.bounding_box()["x"] >= 0


def test_all_metrics_fit_into_a_saved_report(page_opener: Any, tmp_path: Path) -> None:
    """Check that the edits' table of a saved report is not wider than its place, with a column for every metric.

    The texts have so many edits that shares are estimated by sampling and marked "≈". In narrow cells a number goes
    below its sign."""
    lines = [load_lines(name)[16] for name in NAMES]
    a, b = (process_texts(line, *lines[2:]) for line in lines[:2])
    page = page_opener(viewport={"width": 1280, "height": 800})
    page.goto(save_page(tmp_path, page_html(a, b, ("One", "Other"), "gtm")))
    room, wide = page.locator(".terms.shares").evaluate("e => [e.clientWidth, e.scrollWidth]")
    assert (
        page.locator(".shares thead th").count() == len(metrics.METRICS) + 2
        and "≈" in page.locator(".shares").inner_text()
    )
    assert wide <= room
