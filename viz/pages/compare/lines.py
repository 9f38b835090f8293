"""Several lines in a box that holds one output: they may be systems."""

from __future__ import annotations

import streamlit as st

from ...draw.pen import theme
from ...frame import hints, notes
from ...state import inputs, reading
from . import editing


def point_out(name: str, text: str, slot: int | None) -> None:
    """Say that a box with the text of an output has several lines, with the click that makes systems of them; `slot` is
    the system's, None for the candidate of the Sentence page."""
    if len(lines := inputs.lines(text)) < 2:
        return
    given = inputs.pasted(text)
    says = f"{name} has {len(lines)} lines, which are read as one output."
    if all(given_name for given_name, _ in given) or reading.alike(text):
        take = (given, slot)
        notes.offer(says, "Take each line as a system", f"lines_{slot}", editing.take_as_systems, take)
    elif reading.suggest_joining(text):
        hints.show(f"lines_{slot}", says)
    else:
        st.info(theme.markdown(says))
