"""What a chapter has beside its five screens, below them, folded until it is opened: curves over its metrics'
parameters, the hunt for a counterexample, the table of orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from viz.state import parameters
from viz.views import curves, greedy, order

#: The chapters, by their keys, that the hunt and the table belong to.
HUNT, ORDER = ("gtm",), ("lcs", "skip_bigrams", "sia", "people")


def parts(chapter: str) -> dict[str, Callable[[], None]]:
    """What draws each part that a chapter has, by its title; empty where it has none."""
    out: dict[str, Callable[[], None]] = {}
    if parameters.presets_of(chapter):
        out["Parameters: the score as a curve"] = partial(curves.draw, chapter)
    if chapter in HUNT:
        out["Greedy against exact: find a counterexample"] = greedy.draw
    if chapter in ORDER:
        out["Order matters: the papers’ sentences under every metric"] = order.draw
    return out


def draw(chapter: str) -> None:
    """The parts of a chapter, each drawn once it is opened."""
    for number, (title, part) in enumerate(parts(chapter).items()):
        with st.expander(title, key=f"beyond_{chapter}_{number}", on_change="rerun") as folded:
            if folded.open:
                part()
