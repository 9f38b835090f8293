"""Draw the optional parts below a chapter's screens, each hidden until the reader chooses it.

The parts are curves over parameters of its metrics, the hunt for a counterexample, and the table of orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ...draw.learn.chapter import Chapter
from . import curves, greedy, order_table


def parts(chapter: Chapter) -> dict[str, Callable[[], None]]:
    """Return, for each optional part that `chapter` has, its title mapped to the function that draws it."""
    out: dict[str, Callable[[], None]] = {}
    if chapter.curves:
        out["The score as a curve"] = partial(curves.draw, chapter)
    if chapter.hunt:
        out["Greedy against exact"] = partial(greedy.draw, chapter.hunt)
    if chapter.orders:
        out["Order matters"] = order_table.draw
    return out


def draw(chapter: Chapter) -> None:
    """Draw the choice among the optional parts of `chapter`, and the chosen part below it; nothing if it has none."""
    chapter_parts = parts(chapter)
    if not chapter_parts:
        return
    chosen = st.segmented_control(
        "More on this chapter", list(chapter_parts), key=f"beyond_{chapter.key}", label_visibility="collapsed"
    )
    if chosen:
        chapter_parts[chosen]()
