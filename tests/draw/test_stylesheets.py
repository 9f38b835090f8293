"""Tests of style sheets: one file for each subject, each included once, and none too long."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import viz.pages  # noqa: F401  hands the list of pages in
from tests.helpers.app import ROOT
from viz.draw.evidence import fragment
from viz.draw.learn import lesson
from viz.draw.pen.stylesheets import read_sheets
from viz.frame import head
from viz.state.links import pages

SHEETS = sorted((ROOT / "viz").rglob("*.css"))
LINES_MOST = 600


def test_sheets_are_read_in_the_order_that_is_stated(tmp_path: Path) -> None:
    for name, rule in (("a", "p { x: 1 }\n"), ("b", "p { x: 2 }\n"), ("c", "p { x: 3 }\n")):
        (tmp_path / f"{name}.css").write_text(rule, encoding="utf-8")
    assert read_sheets(tmp_path, "b", "a") == "p { x: 2 }\n\np { x: 1 }\n"
    assert read_sheets(tmp_path, "c") == "p { x: 3 }\n"


def test_every_sheet_is_on_a_page_once() -> None:
    assert len(SHEETS) > 40
    texts = {page.name: fragment.STYLE + head.RULES + page.style for page in pages.all_pages()}
    for path in SHEETS:
        sheet = path.read_text(encoding="utf-8")
        times = Counter(text.count(sheet) for text in texts.values())
        assert times[1] and not {*times} - {0, 1}, path


def test_what_all_pages_have_begins_with_their_layout() -> None:
    assert fragment.RULES.startswith("/* What is drawn of a result") and head.RULES.startswith("/* The frame */")
    assert lesson.STYLE.startswith("/* The Learn page")


def test_no_sheet_is_too_long_to_look_over() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SHEETS}
    assert not {path: many for path, many in lines.items() if many > LINES_MOST}
