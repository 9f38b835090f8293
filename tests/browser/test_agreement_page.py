"""Tests of the Agreement page in a browser, on the judged sample, by mouse, by keyboard and with axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.browsing import settle
from tests.helpers.contrast import axe_violations, use_colour_scheme
from viz.pages.agreement.record import VIEWS

pytestmark = pytest.mark.alone

HEAD = ".segment_head h2"
PEOPLE = ".said.chosen[data-segment]"


@pytest.fixture(scope="module")
def page(new_page: Any, app_url: str) -> Iterator[Any]:
    """Yield the Agreement page once all metrics have scored the sample whose outputs people judged."""
    page = new_page(locale="en-IE")
    page.goto(f"{app_url}/agreement")
    page.get_by_role("button", name="Look at the judged sample").click()
    page.wait_for_selector(".agreed tr[data-row='gtm'] td b")
    page.wait_for_selector(".st-key-agreement_progress", state="detached")  # each arriving metric redraws charts
    settle(page)
    yield page
    page.close()


def choose_view(page: Any, view: str) -> None:
    page.locator(".st-key-agreement_view").get_by_role("radio", name=VIEWS[view], exact=True).first.click()


def test_a_point_opens_its_grid_by_keys_and_by_mouse(page: Any, see: Any) -> None:
    choose_view(page, "scatter")
    dots = page.locator("[data-chart='outputs'] .dots")
    dots.focus()
    page.keyboard.press("Home")
    says = page.locator("[data-chart='outputs'] .under")
    see(says).to_contain_text("people: mqm")
    _, number, rest = says.inner_text().split(":")[0].replace(",", "").split(" ", 2)
    page.keyboard.press("Enter")
    see(page.locator(HEAD)).to_have_text(f"Segment {number} · {rest}")
    see(page.locator(f"{PEOPLE[:-1]}='{int(number) - 1}']")).to_be_visible()
    see(page.locator("[data-chart='outputs'] .spot.chosen")).to_have_attribute("data-segment", str(int(number) - 1))
    see(page.locator(".bitext [data-metric='gtm'], .bitext[data-metric='gtm']").first).to_be_visible()
    before = page.locator(HEAD).inner_text()
    page.keyboard.press("End")
    spot = page.locator("[data-chart='outputs'] .spot.near").bounding_box()
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    see(page.locator(HEAD)).not_to_have_text(before)


def test_a_system_shows_its_outputs(page: Any, see: Any) -> None:
    choose_view(page, "scatter")
    system = page.locator("[data-chart='systems'] g.opens").first
    name = system.get_attribute("aria-label").split(":")[0]
    system.click()
    see(page.locator("[data-chart='outputs'] figcaption")).to_contain_text(f"in blue those of {name}")
    see(page.locator(HEAD)).to_contain_text(name)
    system.click()
    see(page.locator("[data-chart='outputs'] figcaption")).not_to_contain_text("in blue those of")


def test_pairs_are_walked_by_keys_and_open_on_compare(page: Any, see: Any) -> None:
    choose_view(page, "wrong")
    rows = page.locator(".segments .row")
    rows.nth(2).click()
    number = rows.nth(2).get_attribute("data-segment")
    see(page.locator(HEAD)).to_contain_text(f"Segment {int(number) + 1} · ")
    see(page.locator("section.why")).to_contain_text("People prefer")
    page.locator(".segments").focus()
    page.keyboard.press("ArrowDown")
    see(rows.nth(3)).to_have_class("row chosen")
    number = rows.nth(3).get_attribute("data-segment")
    see(page.locator(HEAD)).to_contain_text(f"Segment {int(number) + 1} · ")
    page.locator(".segment_head").get_by_role("radio", name="Edits").click()
    see(page.locator(".bitext .merged, .bitext .edits").first).to_be_visible()
    page.locator(".segment_head .open").click()
    page.wait_for_url("**/compare**")
    page.go_back()
    see(page.locator(HEAD)).to_contain_text(f"Segment {int(number) + 1} · ")


def test_what_is_pressed_while_the_pair_changes_is_clicked(page: Any, see: Any) -> None:
    """Check that a click on a button counts although another pair of outputs is shown between press and release.

    The buttons have to stay in place: if another button replaced one between press and release, the browser would
    report no click."""
    choose_view(page, "wrong")
    rows, way = page.locator(".segments .row"), page.locator(".segment_head").get_by_role("radio")
    see(way.nth(1)).to_be_visible()
    way.first.click()
    see(way.first).to_have_attribute("aria-checked", "true")
    settle(page)
    number = rows.nth(5).get_attribute("data-segment")
    place = way.nth(1).bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    rows.nth(5).evaluate("row => row.click()")
    see(page.locator(HEAD)).to_contain_text(f"Segment {int(number) + 1} · ")
    settle(page)
    page.mouse.up()
    see(way.nth(1)).to_have_attribute("aria-checked", "true")


def test_a_reason_opens_its_outputs_and_a_reload_finds_all(page: Any, see: Any) -> None:
    choose_view(page, "reasons")
    page.locator("[data-tell='fault:unmatched words']").click()
    see(page.locator(".segment_head .about")).to_contain_text("with most unmatched words in marked words")
    settle(page)  # the address bar is written last, and the reload reads it
    page.reload()
    see(page.locator(".reasons tr.chosen")).to_contain_text("Unmatched words")
    choose_view(page, "table")
    page.locator(".agreed [data-tell='sort:segment/kendall']").click()
    see(page.locator(".agreed th[aria-sort='descending']").first).to_contain_text("Kendall")
    page.locator(".agreed tr[data-row='ter'] button").first.click()
    see(page.locator(".strip .tile[aria-checked='true']")).to_contain_text("TER")


def test_an_experiment_is_repeated_and_opens_the_outputs_of_its_numbers(page: Any, see: Any) -> None:
    choose_view(page, "experiments")
    page.locator("[data-tell='experiment:orange']").click()
    see(page.locator(".experiment h3")).to_contain_text("ORANGE")
    page.locator("[data-tell^='opens:']").first.click()
    see(page.locator(HEAD)).to_contain_text("Segment ")
    see(page.locator(".bitext").first).to_be_visible()
    page.locator("[data-tell='experiment:']").click()
    see(page.locator("[data-tell='experiment:orange']")).to_have_text("Show what came of it")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_it(page: Any, see: Any, scheme: str) -> None:
    see(page.locator(".st-key-agreement_progress")).to_have_count(0)
    use_colour_scheme(page, scheme)
    for view in ("table", "scatter", "wrong", "reasons", "judges") if scheme == "light" else ("table", "wrong"):
        choose_view(page, view)
        settle(page)
        see(page.locator(".st-key-agreement_progress, .finding")).to_have_count(0)
        assert not axe_violations(page, ["color-contrast"] if scheme == "dark" else []), view
    choose_view(page, "experiments")
    see(page.locator("[data-tell='experiment:orange']")).to_be_visible()
    assert not axe_violations(page, ["color-contrast"] if scheme == "dark" else []), "the list of experiments"
    page.locator("[data-tell='experiment:orange']").click()
    see(page.locator("[data-tell^='opens:']").first).to_be_visible()
    page.locator(".st-key-agreement_takes summary").click()
    see(page.locator(".st-key-agreement_draws")).to_be_visible()
    settle(page)
    assert not axe_violations(page, ["color-contrast"] if scheme == "dark" else []), "an experiment"
    page.locator("[data-tell='experiment:']").click()
    see(page.locator("[data-tell='experiment:orange']")).to_be_visible()
    use_colour_scheme(page, "light")
