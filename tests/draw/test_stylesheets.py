"""Tests of style sheets: one file for each subject, each included once, and none too long."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import viz.pages  # noqa: F401  hands the list of pages in
from tests.helpers.app import ROOT
from viz.draw.evidence import fragment
from viz.draw.learn import lesson
from viz.draw.pen.stylesheets import read_sections, read_sheets
from viz.frame import head
from viz.state.links import pages

SHEETS = sorted((ROOT / "viz").rglob("*.css"))
LINES_MOST = 600
STREAMLIT = ROOT / "viz" / "frame" / "styles" / "streamlit.css"


def test_sheets_are_read_in_the_order_that_is_stated(tmp_path: Path) -> None:
    for name, rule in (("a", "p { x: 1 }\n"), ("b", "p { x: 2 }\n"), ("c", "p { x: 3 }\n")):
        (tmp_path / f"{name}.css").write_text(rule, encoding="utf-8")
    assert read_sheets(tmp_path, "b", "a") == "p { x: 2 }\n\np { x: 1 }\n"
    assert read_sheets(tmp_path, "c") == "p { x: 3 }\n"


def test_every_sheet_is_on_a_page_once() -> None:
    assert len(SHEETS) > 40
    texts = {page.name: head.style_rules(page.name, page.style) for page in pages.all_pages()}
    for path in {*SHEETS} - {STREAMLIT}:
        sheet = path.read_text(encoding="utf-8")
        times = Counter(text.count(sheet) for text in texts.values())
        assert times[1] and not {*times} - {0, 1}, path


def test_what_all_pages_have_begins_with_their_layout() -> None:
    assert fragment.RULES.startswith("/* What is drawn of a result") and head.RULES.startswith("/* The frame */")
    assert lesson.STYLE.startswith("/* The Learn page")


def test_no_sheet_is_too_long_to_look_over() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SHEETS}
    assert not {path: many for path, many in lines.items() if many > LINES_MOST}


# ---------------------------------------------------------------- Streamlit's own page

#: How a selector names an element of Streamlit; the classes `st-key-…` are names that our pages give.
OF_STREAMLIT = re.compile(r"\.st[A-Z]\w*|data-(?:testid|baseweb|stale)|st-emotion|#root\b|withScreencast")


def selectors_of_streamlit(text: str) -> list[str]:
    """Return what in a style sheet depends on Streamlit's own elements."""
    return OF_STREAMLIT.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


def test_what_depends_on_streamlits_page_stands_in_one_sheet() -> None:
    found = {path: selectors_of_streamlit(path.read_text(encoding="utf-8")) for path in SHEETS}
    assert len(found.pop(STREAMLIT)) > 100
    assert not {path: names for path, names in found.items() if names}


def test_selectors_of_streamlit_are_known() -> None:
    sheet = """/* .stApp */ .stMain > p {} [data-testid="stPopover"] {} [data-baseweb] {}
        .st-key-tools { color: var(--st-text-color) }"""
    assert selectors_of_streamlit(sheet) == [".stMain", "data-testid", "data-baseweb"]


def test_a_section_is_on_its_page_alone_and_behind_what_the_page_has() -> None:
    sections = read_sections(STREAMLIT)
    names = {page.name for page in pages.all_pages()}
    assert {*sections} <= {"", *names} and len(sections) > 2
    for page in pages.all_pages():
        text = head.style_rules(page.name, page.style)
        for name, section in sections.items():
            assert text.count(section) == (name in ("", page.name)), (page.name, name)
        assert text.endswith(sections[""] + page.style + sections.get(page.name, ""))


def test_selected_rows_and_pressed_buttons_have_one_colour() -> None:
    """What is pressed, or a selected row of a table; selected marks and words of a result are vermilion."""
    selected = re.compile(r'\[aria-(?:checked|pressed)="true"\]|tr\[aria-selected="true"\]|tr\.chosen|\.row\.chosen')
    named = 0
    for path in {*SHEETS} - {STREAMLIT}:
        for rule in re.finditer(r"([^{}]+)\{([^{}]*)\}", path.read_text(encoding="utf-8")):
            if selected.search(rule[1]):
                assert not re.search(r"var\(--(?:blue|vermilion)\)", rule[2]), f"{path}: {rule[1]}"
                named += "var(--selected)" in rule[2]
    assert named >= 8
