"""Point out several lines in a text field for one output, because they may be the outputs of several systems."""

from __future__ import annotations

import streamlit as st

from ...draw.pen import theme
from ...frame import hints, notes
from ...state import inputs, reading
from . import editing


def draw_note_on_lines(name: str, text: str, slot: int | None) -> None:
    """Draw a note that the output called `name` has several lines, if it has.

    Where the lines are likely to be outputs of several systems, a button makes each a system. `slot` is that of the
    output,
    None for the candidate of the Sentence page."""
    if len(lines := inputs.reference_lines(text)) < 2:
        return
    given = inputs.pasted_systems(text)
    says = f"{name} has {len(lines)} lines, which are read as one output."
    if all(given_name for given_name, _ in given) or reading.lines_have_same_meaning(text):
        take = (given, slot)
        notes.show_offer(says, "Take each line as a system", f"lines_{slot}", editing.take_as_systems, take)
    elif reading.suggest_joining(text):
        hints.show(f"lines_{slot}", says)
    else:
        st.info(theme.escape_markdown(says))
