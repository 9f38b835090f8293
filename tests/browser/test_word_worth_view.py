"""Test the view of each word's worth in a browser: words and rows highlight each other, and nothing is too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.helpers.app import PHONE, served_page
from tests.helpers.browsing import Watch
from tests.helpers.contrast import use_colour_scheme
from tests.helpers.effects import GTM, effects_of
from tests.helpers.fragments import process_texts
from tests.helpers.word_worth import APP, OUTPUT, REFERENCES
from viz.draw.compare import worth

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def view_url() -> Iterator[str]:
    """Yield the address of an app that shows only this view."""
    with served_page(APP) as app:
        yield app.address


@pytest.fixture
def visit(page_opener: Callable[..., Any], view_url: str) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens the view, and check at the end that no page had an error or a dialog."""
    watch = Watch(view_url)

    def open_(output: str = OUTPUT, references: str = REFERENCES, **options: Any) -> Any:
        page = watch.watch_page(page_opener(**options))
        page.goto(f"{view_url}/?{urlencode({'system_0': output, 'system_1': 'x', 'references': references})}")
        page.wait_for_selector(".effects tbody tr")
        return page

    yield open_
    watch.assert_no_faults()


def test_words_and_rows_belong_together(visit) -> None:
    """Check that hovering a word shows its worth and highlights its row, and that clicking it selects the row."""
    page = visit()
    dead = page.locator(".worth .e6")
    dead.hover()
    assert page.locator(".tip").inner_text() == worth.tooltip_text(
        effects_of("gtm", process_texts(OUTPUT, REFERENCES))[6], process_texts(OUTPUT, REFERENCES), GTM
    )
    assert page.locator(".effects .lit").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='0']").hover()
    assert page.locator(".worth .lit").inner_text() == "the" and page.locator(".tip").count() == 0
    dead.click()
    page.wait_for_selector(".worth .e6.sel")
    assert page.locator(".effects tr[aria-selected=true]").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='6']").focus()
    page.keyboard.press("Escape")
    page.wait_for_selector(".worth:not(:has(.sel))")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".worth .sel")
    page.get_by_role("button", name="Try it").click()
    page.wait_for_function("document.body.innerText.includes('view: whatif, what if: the gunman')")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_nothing_is_broader_than_the_page(visit, options) -> None:
    hostile = "<img src=x onerror=alert(1)> $x$ %{x} \u202eevil שלום עולם " + "w" * 300
    page = visit(hostile, hostile[::-1] + "\n" + "z" * 300, **options)
    for scheme in ("light", "dark"):
        use_colour_scheme(page, scheme)
        width = page.evaluate("document.documentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for place in (".worth", ".effects", ".fx"):
            box = page.locator(place).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (scheme, place)
