"""Test saved comparisons in a browser: nothing is requested, words, cells and steps highlight each other, and the
menu's files hold what the page compares."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import metrics
from metrics.analysis.difference import match_difference
from tests.helpers.browsing import Visit, enter, save_page
from tests.helpers.comparisons import GUNMAN, HOSTILE, REFERENCES, TWO_SYSTEMS, example_pair, score_both, texts_of
from viz.draw.compare import differences
from viz.pages.compare.record import CompareState
from viz.save.comparison_report import ComparisonReport, difference_svg, edits_csv, ledger_csv, page_html, report_json
from viz.state.links import link

pytestmark = pytest.mark.alone


def test_a_browser_opens_the_page_without_a_request(page_opener: Callable[..., Any], tmp_path: Path) -> None:
    """Check that the page needs no request on a phone, on a desktop, in light and dark, and on paper."""
    names = ("a very long name of a system, <b>", "שלום")
    address = save_page(tmp_path, page_html(*texts_of("x " + HOSTILE, HOSTILE, HOSTILE + "\ny"), names, "sia"))
    page = page_opener()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(address)
    for width, scheme in ((390, "light"), (390, "dark"), (1280, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(media="screen", color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        bars = page.locator("svg.wf:visible")
        assert bars.count() > 1 and bars.first.bounding_box()["width"] <= width
        back, ink = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
        assert ("255" in back) == (scheme == "light") and back != ink
        page.emulate_media(media="print")
        for drawing in page.locator(".picture svg").all():  # no part of a grid is cut off on paper
            box = drawing.bounding_box()
            assert box["x"] + box["width"] <= width
    assert requests == [address] and errors == []


def test_words_cells_and_steps_light_each_other(page_opener: Callable[..., Any], tmp_path: Path) -> None:
    """Check the highlights of a hovered word, cell and step.

    A word highlights its partner and both on the grids, a cell the same cell on every grid, and a step all its
    cells."""
    a, b, names = example_pair(GUNMAN)
    page = page_opener()
    page.set_viewport_size({"width": 1400, "height": 1800})
    page.goto(save_page(tmp_path, page_html(a, b, names, "gtm")))

    def words_in_state(state: str = "lit") -> set[str]:
        found = page.locator(f"[data-word].{state}").evaluate_all("e => e.map(e => e.dataset.word)")
        return set(found)

    def sides_with_class(name: str) -> list[str]:
        sides = "e => e.map(e => e.ownerSVGElement.querySelector('.grid').dataset.side)"
        return sorted(page.locator(f"g.{name}").evaluate_all(sides))

    for summary in page.locator(".own summary").all():
        summary.click()
    page.locator(".strips .word_lines [data-word=a4]").hover()
    assert words_in_state() == {"a4", "b5", "d5", "r0_6", "r1_4"}
    assert sides_with_class("light") == ["a", "a", "b", "b", "d", "d"]
    page.locator("[data-cell='a0,0,0']").first.hover()
    assert words_in_state() == {"a0", "b0", "d0", "r0_0"} and sides_with_class("light") == ["a", "b", "d"]
    page.locator(".gained[data-cell]").first.hover()
    assert page.locator(".tip").text_content() == "+ the × the (row 7 × 8, R1): newly matched, word 7 of B"

    before, after = score_both(a, b, "gtm")
    found, steps = match_difference(before, after), metrics.ledger(before, after)
    gained = found.gained[0]
    page.locator(".gained[data-cell]").first.click()
    chosen = [n for n, step in enumerate(steps) if gained in differences.cells_of_step(step, found.rows)]
    picked = page.locator("tr[aria-selected=true]")
    assert picked.get_attribute("data-term") == f"step:{chosen[0]}"
    places = differences.cells_of_step(steps[chosen[0]], found.rows)
    cells = page.locator(".ref .chosen[data-cell]").evaluate_all("e => e.map(e => e.dataset.cell)")
    assert set(cells) == {f"d{row},{k},{j}" for row, k, j in places}
    assert {f"b{found.rows[gained.row].b}", f"r{gained.k}_{gained.j}"} <= words_in_state("chosen")
    page.locator(".gained[data-cell]").first.click()
    assert picked.get_attribute("data-term") == f"step:{chosen[1]}", "the next step of the same cell"
    page.keyboard.press("Escape")
    assert picked.count() == 0 and words_in_state("chosen") == set()


def test_the_menu_saves_what_the_page_compares(visit: Visit, app_url: str, tmp_path: Path) -> None:
    """Check that the menu's files hold the comparison of A and B, or of a text and its changed copy."""
    a, b, _ = example_pair(GUNMAN)
    query = urlencode(link.to_query(CompareState(metric="gtm", systems=TWO_SYSTEMS, references=REFERENCES)))
    for more, expected in (("", ("old", "new")), ("&compare=whatif", ("old", "What if"))):
        page = visit(f"compare?{query}{more}", ".st-key-save_comparison button")
        page.wait_for_selector(".frame.pair")
        if more:  # change the copy of A into B
            enter(page.locator(".st-key-whatif textarea"), TWO_SYSTEMS[1][1])
            page.get_by_text("+0.091").first.wait_for()
        page.locator(".st-key-save_comparison button").first.click()
        saved = {}
        kinds = {"Report": "html", "Ledger": "csv", "Edits": "edits.csv", "Result": "json", "Difference": "svg"}
        for label, ending in kinds.items():
            with page.expect_download() as download:
                page.get_by_role("button", name=f"{label}, {ending.split('.')[-1].upper()}").click()
            assert download.value.suggested_filename == f"gtm_comparison.{ending}"
            path = tmp_path / f"saved.{ending}"
            download.value.save_as(path)
            saved[ending] = path.read_text(encoding="utf-8-sig" if ending.endswith("csv") else "utf-8")
        assert saved == {
            "html": page_html(a, b, expected, "gtm", report=_expected_report(saved["html"])),
            "csv": ledger_csv(a, b, expected, "gtm"),
            "edits.csv": edits_csv(a, b, expected, "gtm"),
            "json": report_json(a, b, expected, "gtm"),
            "svg": difference_svg(a, b, expected, "gtm"),
        }


def _expected_report(html: str) -> ComparisonReport:
    """Return a report's options as the menu sets them; check that `html` has no link to an app on this machine."""
    assert not re.findall("<a |localhost|127.0.0.1", html)
    days = date.today(), date.today() - timedelta(days=1)  # midnight may have passed since the report was made
    return ComparisonReport(date=next(said for day in days if (said := f"{day.day} {day:%B %Y}") in html))
