"""What is chosen in one comparison, which belongs to its texts and settings, in Streamlit's session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ...draw.compare.changed_words import FATES
from ...state import codec, session
from . import slots
from .record import SORTED, Compare

#: Keys of what belongs to one comparison, and how it is at first.
STEP = {"step": None, "change": None, "grid_reference": None}


def read(shown: Compare) -> Compare:
    """The record with the systems, and without what was chosen in another comparison."""
    systems = slots.systems()
    wordless = shown.wordless and not all(text.strip() for _, text in systems)
    shown = replace(shown, systems=systems, sides=slots.sides(), wordless=wordless)
    other: dict[str, Any] = {}
    if shown.systems and st.session_state.get("step_of") not in (None, shown.comparison_of):
        other = {f.name: f.default for f in codec.fields(Compare) if f.key in STEP}
    if shown.compare != "words":
        other["effect"] = None  # nobody can say whether its texts are still there
    return replace(shown, **other) if other else shown


def keep(shown: Compare) -> None:
    """Take the chosen step for one of the comparison that is shown, where nothing says of which it is."""
    if st.session_state.get("step_of") is None:
        st.session_state.step_of = shown.comparison_of


def choose_step(step: int | None) -> None:
    """Choose a step of the comparison that is shown, or none."""
    _keep_steps()
    st.session_state.step = step


def open_reference(number: object, count: int) -> None:
    """Keep which of `count` references has its grid open; the browser may send anything."""
    _keep_steps()
    st.session_state.grid_reference = codec.number_sent(number, count)


def show_change(number: int) -> None:
    """Show the part of a long comparison around one of its changes."""
    _keep_steps()
    st.session_state.change = number


def _keep_steps() -> None:
    """What is chosen of another comparison belongs to that one."""
    state, now = st.session_state, session.looked(Compare).comparison_of
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def chosen_effect(shown: Compare, of: object) -> int | None:
    """The chosen change of a word `of` what is shown; what was chosen of something else is given up."""
    state = st.session_state
    own = state.get("effect_of") in (None, of)
    state.effect_of = of
    if not own:
        state.effect = None
    return shown.effect if own else None


def choose_effect(effect: int | None) -> None:
    """Choose a change of a word of what is shown, or none."""
    st.session_state.effect = effect


def chosen_edit(shown: Compare, count: int) -> int | None:
    """The chosen row of the `count` edits that are shown; what was chosen of other texts is given up."""
    state = st.session_state
    own = state.get("edits_of") in (None, shown.edits_of)
    state.edits_of = shown.edits_of
    if not own:
        state.edit = None
    return shown.edit if own and shown.edit is not None and shown.edit < count else None


def choose_edit(row: int | None) -> None:
    """Choose a row of the edits that are shown, or none."""
    st.session_state.edit = row


def sort_edits(by: object) -> None:
    """Keep the order of the edits; the browser may send anything."""
    st.session_state.edits_by = by if by in SORTED else ""


def switch_off(fates: object) -> None:
    """Show words of these fates, a space between them, no more as such; the browser may send anything."""
    given = fates.split() if isinstance(fates, str) else []
    st.session_state.fates_off = tuple(sorted({*given}.intersection(FATES)))
