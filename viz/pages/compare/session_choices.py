"""Keep the visitor's selections in a comparison in the session, with the texts they belong to.

A selection, such as a step, is an index. It means nothing in other texts, so it is dropped when the texts change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ...draw.compare.changed_words import FATES
from ...frame import slots
from ...state.links import codec
from ...state.links.pages import FieldFilter
from ...state.visit import session
from .record import SORTED, CompareState

#: The session's keys of selections that belong to one comparison, and their initial values.
STEP = {"step": None, "change": None, "grid_reference": None}


def read(state: CompareState) -> CompareState:
    """Return the page state with the systems of the session, and without selections made in another comparison."""
    systems = slots.systems()
    wordless = state.wordless and not all(text.strip() for _, text in systems)
    state = replace(state, systems=systems, sides=slots.slots_of_a_and_b(), wordless=wordless)
    other: dict[str, Any] = {}
    if state.systems and st.session_state.get("step_of") not in (None, state.comparison_key):
        other = {f.name: f.default for f in codec.link_fields(CompareState) if f.key in STEP}
    if state.compare != "words":
        other["effect"] = None  # its texts may have changed in the meantime
    return replace(state, **other) if other else state


def assign_step(state: CompareState) -> None:
    """Assign the selected step to the comparison that the page shows, if it is assigned to none."""
    if st.session_state.get("step_of") is None:
        st.session_state.step_of = state.comparison_key


def choose_step(step: int | None) -> None:
    """Select the step with this index in the comparison that the page shows, or none."""
    _assign_or_reset_selections()
    st.session_state.step = step


def open_reference(number: object, count: int) -> None:
    """Store the index of the reference whose grid is open; there are `count` references.

    Invalid numbers count as none, because the browser may send anything."""
    _assign_or_reset_selections()
    st.session_state.grid_reference = codec.parse_sent_number(number, count)


def show_change(number: int) -> None:
    """Show the part of a long comparison around the changed cell with index `number`."""
    _assign_or_reset_selections()
    st.session_state.change = number


def _assign_or_reset_selections() -> None:
    """Assign step, changed cell and open reference to the comparison that the page shows.

    They are reset first if they belong to another comparison."""
    state, now = st.session_state, session.read_state(CompareState).comparison_key
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def chosen_effect(page_state: CompareState, drawn_key: object) -> int | None:
    """Return the index of the selected change of a word, None if there is none.

    `drawn_key` identifies the output, metric and settings that are drawn. A selection that was made when it had another
    value is dropped."""
    state = st.session_state
    is_current = state.get("effect_of") in (None, drawn_key)
    state.effect_of = drawn_key
    if not is_current:
        state.effect = None
    return page_state.effect if is_current else None


def choose_effect(effect: int | None) -> None:
    """Select the change of a word with this index, or none."""
    st.session_state.effect = effect


def chosen_edit(page_state: CompareState, count: int) -> int | None:
    """Return the index of the selected row of edits, None if there is none; there are `count` rows.

    A selection that was made in other texts is dropped."""
    state = st.session_state
    is_current = state.get("edits_of") in (None, page_state.edits_key)
    state.edits_of = page_state.edits_key
    if not is_current:
        state.edit = None
    return page_state.edit if is_current and page_state.edit is not None and page_state.edit < count else None


def choose_edit(row: int | None) -> None:
    """Select the row of edits with this index, or none."""
    st.session_state.edit = row


def sort_edits(by: object) -> None:
    """Store the order of the edits, one of SORTED.

    An invalid value means the order of the texts, because the browser may send anything."""
    st.session_state.edits_by = by if by in SORTED else ""


def switch_off_fates(fates: object) -> None:
    """Store which fates of words and cells, such as "kept" or "lost", the legend has switched off.

    `fates` has their names with spaces between them; unknown names are ignored."""
    given = fates.split() if isinstance(fates, str) else []
    st.session_state.fates_off = tuple(sorted({*given}.intersection(FATES)))


def side_to_fill(page_state: CompareState) -> str:
    """Return which output is still missing: "before" for A, "after" for B, "" if neither is.

    An empty output is not missing if the visitor said that it is intended, or emptied it after both outputs were
    there."""
    state = st.session_state
    named_sides = zip(page_state.sides, ("before", "after"), strict=True)
    empty = [side for slot, side in named_sides if not page_state.systems[slot][1].strip()]
    if not empty:
        state.filled = True
    elif state.get("filled"):
        state.wordless = True
    return empty[0] if empty and not (page_state.wordless or state.get("filled")) else ""


def put_record(page_state: CompareState, chosen: FieldFilter) -> CompareState:
    """Write the systems of a page state into the session, and return the page state.

    If `chosen`, which says what is restored, does not admit the field `systems`, only the slots of A and B are
    written."""
    state, which = st.session_state, {f.name for f in codec.link_fields(CompareState) if chosen(f)}
    if page_state.systems and "systems" in which:
        slots.replace_systems(page_state.systems, page_state.sides)
    elif page_state.systems:
        state.side_a, state.side_b = page_state.sides
    if "whatif" in which:
        state.whatif_now = codec.replace_surrogates(page_state.whatif)
    return page_state
