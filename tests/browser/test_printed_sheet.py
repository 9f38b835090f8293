"""Test in a browser how a sheet of exercises is printed."""

from __future__ import annotations

import re

import pytest

import metrics
from viz.save.sheet import sheet_html


@pytest.mark.alone
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_page_holds_two_exercises(paper, page_opener):
    """Check that a printed page holds two of the longest exercises undivided, and that the key starts a new page."""
    exercises = metrics.sheet(["meteor"], 3, 4, 5, references=2)
    page = page_opener()
    page.set_content(sheet_html(exercises, ["https://example.org/learn?chapter=meteor&screen=6"] * 4))

    def count_pages():
        return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))

    whole = count_pages()
    page.evaluate("document.querySelector('.key').remove()")
    assert count_pages() == 2 and whole > 2
    page.evaluate("document.querySelectorAll('article').forEach((e, n) => n && e.remove())")
    assert count_pages() == 1
