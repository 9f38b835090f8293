"""What a chapter has beside its screens, below them, hidden until it is chosen: curves over its metrics'
parameters, the hunt for a counterexample, the table of orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ...draw.learn.chapter import Chapter
from . import curves, greedy, order_table


def parts(chapter: Chapter) -> dict[str, Callable[[], None]]:
    """What draws each part that a chapter has, by its title; empty where it has none."""
    out: dict[str, Callable[[], None]] = {}
    if chapter.curves:
        out["The score as a curve"] = partial(curves.draw, chapter)
    if chapter.hunt:
        out["Greedy against exact"] = partial(greedy.draw, chapter.hunt)
    if chapter.orders:
        out["Order matters"] = order_table.draw
    return out


def draw(chapter: Chapter) -> None:
    """The parts of a chapter to choose from, and the one that is chosen below them; nothing where it has none."""
    chapter_parts = parts(chapter)
    if not chapter_parts:
        return
    chosen = st.segmented_control(
        "More on this chapter", list(chapter_parts), key=f"beyond_{chapter.key}", label_visibility="collapsed"
    )
    if chosen:
        chapter_parts[chosen]()
