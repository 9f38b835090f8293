"""Test saved pages with an algorithm's steps in a browser: they play by their keys and their address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import metrics
import viz
from tests.helpers.browsing import Watch
from tests.helpers.walks import POLICE, walk_of_texts
from viz.save import steps_page

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with a saved page, a page that embeds it in a frame, and a notebook's page with two players."""
    folder = tmp_path_factory.mktemp("steps")
    (folder / "steps.html").write_text(steps_page.page_html(walk_of_texts("rouge_l", *POLICE[:2])), encoding="utf-8")
    frame = '<!DOCTYPE html><iframe src="steps.html?start=3&amp;end=9" width="700" height="500"></iframe>'
    (folder / "frame.html").write_text(frame, encoding="utf-8")
    cells = ["viz.steps('gtm', 'a b c a'.split(), ['a b d a c'.split()])", "viz.steps('per', ['a'], [['a'], ['b']])"]
    shown = [eval(cell, {"viz": viz})._repr_html_() for cell in cells]
    head = '<!DOCTYPE html><meta charset="utf-8"><body>'
    (folder / "notebook.html").write_text(head + "".join(f"<div>{one}</div>" for one in shown), encoding="utf-8")
    return folder


def test_a_saved_page_plays_by_its_keys_and_its_address(page_opener: Callable[..., Any], folder: Path) -> None:
    watch = Watch(folder.as_uri())
    page = watch.watch_page(page_opener(reduced_motion="no-preference"))
    address, count = (folder / "steps.html").as_uri(), len([*metrics.trace("rouge_l", *police_words())])

    def step_count(where: Any = page) -> str:
        return str(where.locator(".count").inner_text())

    def press(*keys: str) -> str:
        for key in keys:
            page.keyboard.press(key)
        return step_count()

    page.goto(address)
    assert step_count() == f"Step 1 of {count}"
    assert press("ArrowRight", "ArrowRight", "ArrowLeft") == f"Step 2 of {count}"
    texts = [step.text for step in metrics.trace("rouge_l", *police_words())]
    assert page.locator(".inspector .says").inner_text() == texts[1]
    assert page.locator(".drawing .filled-now:not(.off)").count() == 1
    assert press("End") == f"Step {count} of {count}" and press("Home") == f"Step 1 of {count}"
    page.locator("summary", has_text="All steps").click()
    assert page.locator(".listed li").first.inner_text().splitlines()[:2] == [texts[0], "P = LCS/4"]
    assert page.locator(".listed li").count() == count
    page.goto(f"{address}?start=3&end=20")
    assert step_count() == "Step 3 of 20" and press("ArrowLeft", "Home") == "Step 3 of 20"
    assert page.locator(".drawing .filled:not(.off)").count() == 5 + 4 + 2, "the border and two cells"
    assert press("End", "ArrowRight") == "Step 20 of 20"
    page.goto(f"{address}?start=x&end=0#start=4")
    assert step_count() == "Step 1 of 1", "of an address that asks for nothing there is still a step"
    page.goto(f"{address}#start=18&end=20&play=1")
    page.locator(".count", has_text="Step 20").wait_for()
    page.goto((folder / "frame.html").as_uri())
    inner = page.frame_locator("iframe")
    assert inner.locator(".count").inner_text() == "Step 3 of 9" and not inner.locator("header").is_visible()
    inner.locator(".drawing").click(position={"x": 3, "y": 3})
    page.keyboard.press("ArrowRight")
    assert inner.locator(".count").inner_text() == "Step 4 of 9"
    watch.assert_no_faults()


def police_words() -> tuple[list[str], list[list[str]]]:
    return POLICE[0].split(), [POLICE[1].split()]


def test_players_in_a_notebook_leave_each_other_alone(page_opener: Callable[..., Any], folder: Path) -> None:
    watch = Watch(folder.as_uri())
    page = watch.watch_page(page_opener())
    page.goto((folder / "notebook.html").as_uri())
    counts = page.locator(".count")
    before = counts.all_inner_texts()
    assert [text[:7] for text in before] == ["Step 1 "] * 2
    page.keyboard.press("ArrowRight")
    assert counts.all_inner_texts() == before, "nobody was asked"
    page.locator(".bitext").nth(1).locator(".drawing").click(position={"x": 3, "y": 3})
    page.keyboard.press("ArrowRight")
    assert [text[:7] for text in counts.all_inner_texts()] == ["Step 1 ", "Step 2 "]
    page.locator(".bitext").nth(0).locator(".last").click()
    assert counts.all_inner_texts()[0].split()[1] == counts.all_inner_texts()[0].split()[3]
    assert page.evaluate("[typeof play, typeof Player, typeof opened]") == ["undefined"] * 3
    watch.assert_no_faults()
