"""A grid as SVG on the page. It takes the browser a tenth of a Plotly figure's time, where three of them stand on one
page and all change with every word typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from metrics.types import Hit
from viz.draw import theme

SAYS = {  # role of a marker → what a hovered one is said to be
    "used": "used",
    "unused": "match, not used",
    "kept": "kept",
    "gained": "gained",
    "lost": "lost",
    "moved": "moved",
    "substituted": "substituted",
    "extra": "extra word",
    "missing": "missing word",
}

_component = st.components.v2.component(
    "bitext_drawing", js=Path(__file__).with_name("drawing.js").read_text(encoding="utf-8"), isolate_styles=False
)


def show(
    key: str,
    svg: str,
    rows: Sequence[str],
    columns: Sequence[Sequence[str]],
    alt: str,
    pick: Callable[[Hit], None],
) -> None:
    """Draw `svg`, whose markers have the classes of `svg.panel`; `pick` is called with the cell of a clicked one.

    `rows` and `columns` are all the words of the grid, of which the drawing may show a part; `alt` says what it shows.
    """

    def report() -> None:
        cell = st.session_state[key].pick
        if isinstance(cell, list | tuple) and len(cell) == 3 and all(isinstance(n, int | float) for n in cell):
            i, k, j = (int(n) for n in cell)
            if 0 <= i < len(rows) and 0 <= k < len(columns) and 0 <= j < len(columns[k]):
                pick(Hit(i, k, j))

    _component(
        key=key,
        data={
            "svg": svg,
            "rows": [theme.visible(word) for word in rows],
            "columns": [[theme.visible(word) for word in reference] for reference in columns],
            "alt": alt,
            "says": SAYS,
        },
        on_pick_change=report,
    )
