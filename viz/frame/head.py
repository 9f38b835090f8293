"""What every page has before its own: the style sheet, the title for a screen reader, and Help in the menu bar."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st

from ..components import fragment
from ..draw.evidence.fragment import STYLE
from ..draw.pen import theme
from ..draw.pen.stylesheets import read_sheets
from ..state.pages import Page
from . import guide

#: What the frame of all pages looks like.
RULES = read_sheets(
    Path(__file__).parent / "styles",
    "page",
    "strip",
    "inputs",
    "head",
    "scores",
    "worth",
    "share",
    "motion",
    "print",
)


class _Markup(str):
    """HTML that Streamlit takes as it is: of a plain text it would look through all lines for what indents them."""

    def _repr_html_(self) -> str:
        return str(self)


def title(page: Page) -> str:
    """The name of a page in the browser's tab."""
    return f"{page.title} · Bitext Grid"


def show(page: Page) -> None:
    """Draw the head of a page."""
    st.html(_markup(title(page), page.style))
    fragment.ahead()
    if st.button("Help", key="help_open", type="tertiary"):
        guide.open_help()


@cache
def _markup(title: str, style: str) -> _Markup:
    """A page's title and all rules, without comments and indents. Rules that only one page needs stand on no other: a
    browser matches all against what a click draws anew."""
    rules = re.sub(r"\s+", " ", re.sub(r"/\*.*?(?:\*/|\Z)", "", STYLE + RULES + style, flags=re.DOTALL))
    name = title.partition(" · ")[0]
    heading = f'<h1 class="sr" data-name="{theme.safe(name)}">{theme.safe(title)}</h1>'
    return _Markup(f"{heading}<style>{rules}</style>")
