"""Test the outputs of a notebook in a browser: each highlights its own terms and leaves the rest of the page alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.browsing import Watch
from tests.helpers.notebooks import NOTEBOOK, notebook_page
from viz.draw.pen import theme

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("notebook") / "notebook.html"
    file.write_text(notebook_page(json.loads(json.dumps(NOTEBOOK))), encoding="utf-8")
    return file


#: A script that returns red, green and blue of any colour in CSS notation.
PIXEL = """(colour) => {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_output_lights_its_own_terms(page_opener: Callable[..., Any], page_file: Path, scheme: str) -> None:
    watch = Watch(page_file.as_uri())
    page = watch.watch_page(page_opener(color_scheme=scheme))
    page.goto(page_file.as_uri())
    first, second = page.locator(".bitext").all()
    assert [root.get_attribute("data-metric") for root in (first, second)] == ["gtm", "wer"]

    def lit_names(root: Any) -> set[str]:
        found = root.locator(".lit").evaluate_all("es => es.map(e => e.dataset.word ?? e.dataset.term ?? '')")
        return set(found)

    row = second.locator("tr[data-term]").first
    words = set((row.get_attribute("data-words") or "").split())
    row.hover()
    assert words <= lit_names(second) and len(words) == 2 and lit_names(first) == set()
    row = first.locator("tr[data-term]").first
    row.click()
    name = row.get_attribute("data-term")
    assert name and first.locator(f'.chosen[data-term="{name}"]').count() >= 1
    chosen = first.locator(".words .chosen").evaluate_all("es => es.map(e => e.dataset.word)")
    assert set(chosen) == set((row.get_attribute("data-words") or "").split()) and chosen
    assert second.locator(".chosen").count() == 0 and second.locator(".picked").count() == 0
    colour = first.locator(".word_lines .chosen").first.evaluate("e => getComputedStyle(e).borderBottomColor")
    red, green, blue = (int(theme.VERMILION[n : n + 2], 16) for n in (1, 3, 5))
    assert colour == f"rgb({red}, {green}, {blue})"

    # The ink contrasts with the page's paper in light and dark.
    ink = first.locator(".word_lines bdi").first.evaluate("e => getComputedStyle(e).color")
    paper = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    bright = sum(map(int, re.findall(r"\d+", ink)[:3])) > 380
    assert bright == paper == (scheme == "dark")
    heads = second.locator(".terms thead th").first
    background, text = heads.evaluate(
        f"e => ['backgroundColor', 'color'].map(name => ({PIXEL})(getComputedStyle(e)[name]))"
    )
    assert abs(sum(background) - sum(text)) > 380, f"{text} on {background}"

    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0
    watch.assert_no_faults()


def test_an_output_leaves_the_rest_of_the_notebook_alone(page_opener: Callable[..., Any], page_file: Path) -> None:
    page = page_opener()
    page.goto(page_file.as_uri())
    names = page.evaluate("[typeof bitext, typeof Fragment, typeof Light]")
    assert names == ["undefined"] * 3
    outside = "document.body.insertAdjacentHTML('afterbegin', '<p class=\"note sig words lit chosen\" id=o>x</p>')"
    page.evaluate(outside)
    look = page.locator("#o").evaluate(
        "e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).fontFamily.includes('monospace')]"
    )
    assert look == ["none", False]
