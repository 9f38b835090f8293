"""Test a saved report on a corpus in a browser."""

from __future__ import annotations

import pytest

from tests.helpers.hostile_corpus import score_hostile_corpus
from tests.helpers.pages import offered_files

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def hostile_corpus():
    return score_hostile_corpus()


def test_a_report_works_from_disk(hostile_corpus, monkeypatch, page_opener, tmp_path):
    """Check that the saved report works offline: no request, no console message, narrow enough, highlights on hover."""
    file, seen = tmp_path / "report.html", []
    file.write_bytes(offered_files(hostile_corpus, monkeypatch)["html"]())
    for scheme, paper in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(23, 22, 20)")):
        page = page_opener(viewport={"width": 390, "height": 800}, color_scheme=scheme, offline=True)
        page.on("request", lambda request: seen.append(request.url))
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto(file.as_uri())
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        word = page.locator(".case [data-word]").first
        word.hover()
        assert page.locator(".case .tip, .case .partner, .case .lit").count()
    assert {*seen} == {file.as_uri()}
