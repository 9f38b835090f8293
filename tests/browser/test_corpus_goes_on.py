"""Tests in a browser of a corpus whose scoring is stopped, left for another page, and gone on with."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.helpers.browsing import FILES, files_for_chooser, open_corpus_page, settle
from tests.helpers.corpora import REAL, REFERENCE
from tests.helpers.waiting import until

pytestmark = pytest.mark.alone

BUTTON = ".st-key-corpus_go_on button"


def test_a_stopped_corpus_that_was_left_goes_on_with_what_is_missing(page_opener: Any, app_url: str) -> None:
    page = page_opener()
    open_corpus_page(page, app_url)
    large = [[f"{line} {n}" for n in range(100) for line in lines] for lines in (*REAL, REFERENCE)]
    page.set_input_files(FILES, files_for_chooser(*zip(("A.txt", "B.txt", "reference.txt"), large, strict=True)))
    page.locator(".st-key-corpus_score button").click()
    page.locator(".st-key-corpus_stop button").click()
    page.wait_for_selector(BUTTON)
    settle(page)
    left = metrics_left(page)
    assert left > 0
    assert page.locator(".st-key-corpus_progress, .st-key-corpus_stop").count() == 0

    page.get_by_role("link", name="Sentence", exact=True).first.click()
    page.wait_for_selector(BUTTON, state="detached")
    settle(page)
    page.get_by_role("link", name="Corpus", exact=True).first.click()
    page.wait_for_selector(BUTTON)
    settle(page)
    assert metrics_left(page) == left  # nothing was scored meanwhile, and nothing is lost

    done = share_done(page)
    page.reload()
    page.wait_for_selector(BUTTON)
    assert share_done(page) == done
    page.locator(BUTTON).click()
    page.wait_for_selector(BUTTON, state="detached")
    until(lambda: is_further(page, left))


def is_further(page: Any, left: int) -> bool:
    """Return whether more metrics are scored than when `left` were left, by the progress or because all are."""
    found = re.search(r"(\d+) of (\d+) metrics scored", page.locator(".stMain").inner_text())
    if found:
        return int(found[2]) - int(found[1]) < left
    return not re.search("not scored|…", page.locator(".st-key-strip").inner_text())


def share_done(page: Any) -> str:
    """Return what the page says of how much was scored when it was stopped."""
    return str(page.locator(".st-key-corpus_unscored").inner_text().splitlines()[0])


def metrics_left(page: Any) -> int:
    """Return how many metrics the button that goes on says are left."""
    found = re.match(r"Continue: (\d+) metrics?\b.* left$", page.locator(BUTTON).inner_text())
    assert found
    return int(found[1])
