"""Tests in a browser of all views of the Corpus page.

They check accessibility by axe, that nothing is wider than the screen, and that file names with markup are only
text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.browsing import score_corpus, settle
from tests.helpers.contrast import axe_violations, use_colour_scheme
from tests.helpers.corpora import load_lines
from viz.pages.corpus.record import VIEWS

pytestmark = pytest.mark.alone

# File names that a browser can send. A system's name is the part before the last full stop.
NAMES = ("<img src=x onerror=alert(1)>.txt", "$x$ *b* :red[c] \u202etxt.txt")


@pytest.fixture(scope="module")
def page(new_page: Any, app_url: str) -> Iterator[Any]:
    """Yield the Corpus page once all findings on two systems with hostile names are computed, by all metrics."""
    page = new_page(locale="en-IE")
    lines = map(load_lines, ("system.MiSS", "system.Online-W", "reference.A", "reference.B"))
    names = (*NAMES, "ref A.txt", "ref B.txt")
    score_corpus(page, app_url, *zip(names, lines, strict=True))
    page.wait_for_selector("text=Looking for causes", state="detached")
    settle(page)
    yield page
    page.close()


def choose_view(page: Any, view: str) -> None:
    page.locator(".st-key-corpus_view").get_by_role("radio", name=VIEWS[view], exact=True).first.click()
    settle(page)


def test_hostile_names_stand_as_they_are(page: Any) -> None:
    assert page.locator("img[src=x]").count() == 0
    assert NAMES[0].removesuffix(".txt") in page.locator(".verdict[role=status]").inner_text()
    assert "$x$ *b* :red[c]" in page.locator(".verdict[role=status]").inner_text()


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_nothing_is_broader_than_the_screen(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for view in VIEWS:
        choose_view(page, view)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, view)
        assert page.evaluate("document.querySelector('.stMain').scrollWidth <= innerWidth"), (width, view)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_it(page: Any, scheme: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    use_colour_scheme(page, scheme)
    for view in VIEWS:
        choose_view(page, view)
        assert axe_violations(page) == [], view
