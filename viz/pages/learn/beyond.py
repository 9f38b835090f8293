"""What a chapter has beside its five screens, below them, hidden until it is chosen: curves over its metrics'
parameters, the hunt for a counterexample, the table of orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from . import curves, greedy, order, parameters

#: The chapters, by their keys, that the hunt and the table belong to.
HUNT, ORDER = ("gtm",), ("lcs", "skip_bigrams", "sia", "people")


def parts(chapter: str) -> dict[str, Callable[[], None]]:
    """What draws each part that a chapter has, by its title; empty where it has none."""
    out: dict[str, Callable[[], None]] = {}
    if parameters.presets_of(chapter):
        out["The score as a curve"] = partial(curves.draw, chapter)
    if chapter in HUNT:
        out["Greedy against exact"] = greedy.draw
    if chapter in ORDER:
        out["Order matters"] = order.draw
    return out


def draw(chapter: str) -> None:
    """The parts of a chapter to choose from, and the one that is chosen below them; nothing where it has none."""
    found = parts(chapter)
    if not found:
        return
    chosen = st.segmented_control(
        "More on this chapter", list(found), key=f"beyond_{chapter}", label_visibility="collapsed"
    )
    if chosen:
        found[chosen]()
