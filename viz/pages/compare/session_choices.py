"""Keep the visitor's selections in a comparison in Streamlit's session, with the texts they belong to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ...draw.compare.changed_words import FATES
from ...state import codec, session
from . import slots
from .record import SORTED, CompareState

#: The session's keys of selections that belong to one comparison, and their initial values.
STEP = {"step": None, "change": None, "grid_reference": None}


def read(state: CompareState) -> CompareState:
    """Return the page state with the systems of the session, without selections made in another comparison."""
    systems = slots.systems()
    wordless = state.wordless and not all(text.strip() for _, text in systems)
    state = replace(state, systems=systems, sides=slots.sides(), wordless=wordless)
    other: dict[str, Any] = {}
    if state.systems and st.session_state.get("step_of") not in (None, state.comparison_of):
        other = {f.name: f.default for f in codec.fields(CompareState) if f.key in STEP}
    if state.compare != "words":
        other["effect"] = None  # its texts may have changed in the meantime
    return replace(state, **other) if other else state


def assign_step(state: CompareState) -> None:
    """Assign the selected step to the comparison on the page, if it is assigned to none."""
    if st.session_state.get("step_of") is None:
        st.session_state.step_of = state.comparison_of


def choose_step(step: int | None) -> None:
    """Select a step of the comparison on the page, or none."""
    _keep_steps()
    st.session_state.step = step


def open_reference(number: object, count: int) -> None:
    """Store which of `count` references has its grid open.

    Invalid numbers count as none, because the browser may send anything."""
    _keep_steps()
    st.session_state.grid_reference = codec.number_sent(number, count)


def show_change(number: int) -> None:
    """Show the part of a long comparison around one of its changed cells."""
    _keep_steps()
    st.session_state.change = number


def _keep_steps() -> None:
    """Assign the selections to the comparison on the page, and reset them if they belong to another one."""
    state, now = st.session_state, session.read_state(CompareState).comparison_of
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def chosen_effect(page_state: CompareState, of: object) -> int | None:
    """Return the selected change of a word, None if there is none.

    A selection is dropped if it was made when `of`, the identity of what is drawn, had another value."""
    state = st.session_state
    is_current = state.get("effect_of") in (None, of)
    state.effect_of = of
    if not is_current:
        state.effect = None
    return page_state.effect if is_current else None


def choose_effect(effect: int | None) -> None:
    """Select a change of a word, or none."""
    st.session_state.effect = effect


def chosen_edit(page_state: CompareState, count: int) -> int | None:
    """Return the selected row of `count` edits, None if there is none.

    A selection is dropped if it was made in other texts."""
    state = st.session_state
    is_current = state.get("edits_of") in (None, page_state.edits_of)
    state.edits_of = page_state.edits_of
    if not is_current:
        state.edit = None
    return page_state.edit if is_current and page_state.edit is not None and page_state.edit < count else None


def choose_edit(row: int | None) -> None:
    """Select a row of the edits, or none."""
    st.session_state.edit = row


def sort_edits(by: object) -> None:
    """Store the order of the edits.

    An invalid value means the order of the texts, because the browser may send anything."""
    st.session_state.edits_by = by if by in SORTED else ""


def switch_off(fates: object) -> None:
    """Store which fates the legend has switched off, given as names with spaces between them; ignore unknown names."""
    given = fates.split() if isinstance(fates, str) else []
    st.session_state.fates_off = tuple(sorted({*given}.intersection(FATES)))
