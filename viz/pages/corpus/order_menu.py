"""The order of the segments and the way to one of them by its number, to be seen and chosen above their table."""

from __future__ import annotations

import streamlit as st

from ...draw.pen import theme
from ...frame.corpora import Scoring
from ...state import handed
from .order import Shown
from .record import Corpus

SORT, GO = "corpus_order", "corpus_go"
NAME_MOST = 30  # letters of a system's name


def orders(found: Scoring, shown: Corpus, seen: Shown) -> dict[tuple[str, bool], str]:
    """What the segments can be sorted by, whether that is turned round, and how it reads."""
    a, b = (theme.visible(found.names[n], NAME_MOST) for n in (shown.a, shown.b))
    other, better = (theme.visible(found.names[n], NAME_MOST) for n in seen.sides)
    out = {
        ("worth", False): f"Most for {better}",
        ("worth", True): f"Most for {other}",
        ("delta", False): f"Largest Δ, {other} → {better}",
        ("delta", True): f"Smallest Δ, {other} → {better}",
    }
    for sort, name in (("a", a), ("b", b)):
        out |= {(sort, False): f"Highest score of {name}", (sort, True): f"Lowest score of {name}"}
    out |= {("length", False): "Longest", ("length", True): "Shortest"}
    out |= {("number", False): "As in the files", ("number", True): "From the end of the files"}
    if seen.beside is not None:
        both = f"the metric and {seen.beside.label}"
        out |= {("apart", False): f"Most apart by {both}", ("apart", True): f"Least apart by {both}"}
    for sort, said in seen.beside_it.items():
        if sort != "length":
            out |= {(sort, False): f"By {said}", (sort, True): f"By {said}, turned round"}
    return out


def draw(found: Scoring, shown: Corpus, seen: Shown) -> None:
    """The choice of the order, and a field for the number of a segment."""
    state, there = st.session_state, orders(found, shown, seen)

    def sort() -> None:
        # A browser that has not got the order of a column's head yet sends the one before, which nobody has chosen.
        handed.settle()
        if state[SORT] in there and state[SORT] != (state.get("corpus_sort"), state.get("corpus_up")):
            state.corpus_sort, state.corpus_up = state[SORT]
            state.corpus_segment, state.corpus_from_top = None, True

    def go() -> None:
        if state[GO] is not None:
            state.corpus_segment = min(max(int(state[GO]), 1), found.size) - 1
        state[GO] = None

    now = shown.sort, shown.up
    handed.put(SORT, now if now in there else ("number", False))
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_order_bar"):
        st.selectbox(
            "Order",
            [*there],
            key=SORT,
            format_func=lambda each: theme.markdown(there.get(each, "")),
            label_visibility="collapsed",
            on_change=sort,
        )
        st.number_input(
            "Go to segment",
            1,
            found.size,
            value=None,
            step=1,
            key=GO,
            placeholder="Go to segment",
            label_visibility="collapsed",
            on_change=go,
        )
