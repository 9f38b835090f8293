"""Point out several lines in a text field for one output, because they may be the outputs of several systems."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ..draw.pen.text import escape_markdown
from ..state.links.pages import Outputs
from ..state.texts import inputs, reading
from . import hints, notes


def draw_note_on_lines(name: str, text: str, key: str, take: Callable[[Outputs], None]) -> None:
    """Draw a note that the output called `name` has several lines, if it has.

    Where the lines are likely to be outputs of several systems, a button calls `take` with their names and texts.
    `key` is part of the button's key."""
    if len(lines := inputs.reference_lines(text)) < 2:
        return
    given = inputs.pasted_systems(text)
    says = f"{name} has {len(lines)} lines, which are read as one output."
    if all(given_name for given_name, _ in given) or reading.lines_have_same_meaning(text):
        notes.show_offer(says, "Take each line as a system", f"lines_{key}", take, (given,))
    elif reading.suggest_joining(text):
        hints.show(f"lines_{key}", says)
    else:
        st.info(escape_markdown(says))


def too_many_message(count: int) -> str:
    """Return the message that `count` lines were left out, because no more systems fit."""
    return f"At most {inputs.SYSTEMS_MOST} systems fit, so {count} of the lines are left out."
