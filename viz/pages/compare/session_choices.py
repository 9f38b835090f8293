"""What is chosen in one comparison, which belongs to its texts and settings, in Streamlit's session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ...draw.compare.changed_words import FATES
from ...state import codec, session
from . import slots
from .record import SORTED, CompareState

#: Keys of what belongs to one comparison, and how it is at first.
STEP = {"step": None, "change": None, "grid_reference": None}


def read(state: CompareState) -> CompareState:
    """The record with the systems, and without what was chosen in another comparison."""
    systems = slots.systems()
    wordless = state.wordless and not all(text.strip() for _, text in systems)
    state = replace(state, systems=systems, sides=slots.sides(), wordless=wordless)
    other: dict[str, Any] = {}
    if state.systems and st.session_state.get("step_of") not in (None, state.comparison_of):
        other = {f.name: f.default for f in codec.fields(CompareState) if f.key in STEP}
    if state.compare != "words":
        other["effect"] = None  # nobody can say whether its texts are still there
    return replace(state, **other) if other else state


def keep(state: CompareState) -> None:
    """Take the chosen step for one of the comparison that is shown, where nothing says of which it is."""
    if st.session_state.get("step_of") is None:
        st.session_state.step_of = state.comparison_of


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
    state, now = st.session_state, session.read_state(CompareState).comparison_of
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def chosen_effect(page_state: CompareState, of: object) -> int | None:
    """The chosen change of a word `of` what is shown; what was chosen of something else is given up."""
    state = st.session_state
    is_current = state.get("effect_of") in (None, of)
    state.effect_of = of
    if not is_current:
        state.effect = None
    return page_state.effect if is_current else None


def choose_effect(effect: int | None) -> None:
    """Choose a change of a word of what is shown, or none."""
    st.session_state.effect = effect


def chosen_edit(page_state: CompareState, count: int) -> int | None:
    """The chosen row of the `count` edits that are shown; what was chosen of other texts is given up."""
    state = st.session_state
    is_current = state.get("edits_of") in (None, page_state.edits_of)
    state.edits_of = page_state.edits_of
    if not is_current:
        state.edit = None
    return page_state.edit if is_current and page_state.edit is not None and page_state.edit < count else None


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
