"""Draw the head of every page: the style sheet, a heading for screen readers, and the Help button in the menu bar."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st

from ..components import fragment
from ..draw.evidence.fragment import STYLE
from ..draw.pen.stylesheets import read_sections, read_sheets
from ..draw.pen.text import safe
from ..state.links.pages import Page
from . import guide

_STYLES = Path(__file__).parent / "styles"
_STREAMLIT = read_sections(_STYLES / "streamlit.css")  # the rules that depend on the elements of Streamlit's own page
#: The style rules of the frame that all pages share.
RULES = "".join(
    [
        read_sheets(_STYLES, "page", "strip", "inputs", "head", "scores", "worth", "share", "motion", "print"),
        _STREAMLIT[""],
    ]
)


class _ReadyHtml(str):
    """HTML that Streamlit draws as it is; it would search every line of a plain string for indentation."""

    def _repr_html_(self) -> str:
        return str(self)


def browser_title(page: Page) -> str:
    """Return the title of a page that the browser's tab shows."""
    return f"{page.title} · Bitext Grid"


def style_rules(name: str, style: str) -> str:
    """Return the style rules of the page `name`: those that all pages share, and its own, of which `style` is a part.

    Those of other pages are left out, because a browser matches all rules against whatever a click draws again."""
    return "".join([STYLE, RULES, style, _STREAMLIT.get(name, "")])


def show(page: Page) -> None:
    """Draw the head of a page."""
    st.html(_head_html(browser_title(page), page.name, page.style))
    fragment.load_scripts_first()
    if st.button("Help", key="help_open", type="tertiary"):
        guide.open_help(tuple(page.key_groups))


@cache
def _head_html(title: str, name: str, style: str) -> _ReadyHtml:
    """Return a page's heading and its style rules as HTML, without comments and indentation.

    `name` is the name of the page, and `style` has the rules of its own."""
    rules = re.sub(r"\s+", " ", re.sub(r"/\*.*?(?:\*/|\Z)", "", style_rules(name, style), flags=re.DOTALL))
    heading = f'<h1 class="sr" data-name="{safe(title.partition(" · ")[0])}">{safe(title)}</h1>'
    return _ReadyHtml(f"{heading}<style>{rules}</style>")
