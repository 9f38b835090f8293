"""Draw the optional parts below a chapter's screens, each hidden until the reader chooses it.

These are curves over parameters of its metrics, the search for a counterexample to greedy matching, and a table of
sentences in several orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ...draw.learn.chapter import Chapter
from . import curves, greedy, order_table


def draw_functions_by_title(chapter: Chapter) -> dict[str, Callable[[], None]]:
    """Return the functions that draw the optional parts of `chapter`, by their titles."""
    out: dict[str, Callable[[], None]] = {}
    if chapter.curves:
        out["The score as a curve"] = partial(curves.draw, chapter)
    if chapter.hunt:
        out["Greedy against exact"] = partial(greedy.draw, chapter.hunt)
    if chapter.orders:
        out["Order matters"] = order_table.draw
    return out


def draw(chapter: Chapter) -> None:
    """Draw the menu of the optional parts of `chapter`, and the chosen part below it; nothing if it has none."""
    chapter_parts = draw_functions_by_title(chapter)
    if not chapter_parts:
        return
    chosen = st.segmented_control(
        "More on this chapter", list(chapter_parts), key=f"beyond_{chapter.key}", label_visibility="collapsed"
    )
    if chosen:
        chapter_parts[chosen]()
