"""Read and write the systems that are compared, which the session holds in numbered slots.

Two to eight slots are in use: `system_0` … are the texts, `name_0` … the names, `systems` is the number of slots in
use, and `side_a` and `side_b` are the slots of A and B. Callers that replace texts must remember the former ones."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...state import codec, pending_widgets
from ...state.inputs import NAME_MOST, SYSTEMS_MOST
from ...state.pages import FieldFilter
from .record import WHATIF, CompareState, default_name


def systems() -> tuple[tuple[str, str], ...]:
    """Return the systems in use as pairs of name and text; without a given name it is the letter of the slot."""
    state = st.session_state
    return tuple([(given_name(slot) or default_name(slot), state.get(text_key(slot)) or "") for slot in slots_in_use()])


def slots_of_a_and_b() -> tuple[int, int]:
    """Return the slots of A and B."""
    return st.session_state.get("side_a", 0), st.session_state.get("side_b", 1)


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


def slots_in_use() -> range:
    """Return the numbers of the slots in use."""
    return range(st.session_state.get("systems", 0))


def text_key(slot: int) -> str:
    """Return the key under which the session holds the text of the system in `slot`."""
    return f"system_{slot}"


def name_key(slot: int) -> str:
    """Return the key under which the session holds the name of the system in `slot`."""
    return f"name_{slot}"


def given_name(slot: int) -> str:
    """Return the name that was given to the system in `slot`, "" if it is only called by its slot's letter."""
    name: str = (st.session_state.get(name_key(slot)) or "")[:NAME_MOST]
    return name if name.strip() and name != default_name(slot) else ""


def write_slot(slot: int, name: str, text: str) -> None:
    """Write a system's name and text into `slot`; an empty name becomes the slot's letter."""
    pending_widgets.give_value(name_key(slot), codec.replace_surrogates(name[:NAME_MOST]) or default_name(slot))
    pending_widgets.give_value(text_key(slot), codec.replace_surrogates(text))


def put_record(page_state: CompareState, chosen: FieldFilter) -> CompareState:
    """Write the systems of a page state into the session, and return the page state.

    If `chosen`, which says what is restored, does not admit the field `systems`, only the slots of A and B are
    written."""
    state, which = st.session_state, {f.name for f in codec.link_fields(CompareState) if chosen(f)}
    if page_state.systems and "systems" in which:
        replace_systems(page_state.systems, page_state.sides)
    elif page_state.systems:
        state.side_a, state.side_b = page_state.sides
    if "whatif" in which:
        state.whatif_now = codec.replace_surrogates(page_state.whatif)
    return page_state


def replace_systems(given: Sequence[tuple[str, str]], ab: tuple[int, int] = (0, 1)) -> None:
    """Replace all systems by two to eight others, given as pairs of name and text, and remove the what-if text.

    `ab` are the slots of A and B."""
    state = st.session_state
    for slot in range(SYSTEMS_MOST):
        write_slot(slot, *(given[slot] if slot < len(given) else ("", "")))
    state.systems, state.filled, state.wordless = len(given), False, False
    state.side_a, state.side_b = ab
    state.whatif, state.whatif_of, state.whatif_now, state.whatif_past = "", None, "", ()


def reorder_systems(slots: Sequence[int], names: Sequence[str]) -> None:
    """Reorder the systems: slot n gets the system that was in slots[n].

    Systems that are not in `slots` are removed; their what-if texts then belong to A. `names` are the names in the new
    order."""
    state = st.session_state
    moved = [(name, state.get(text_key(slot)) or "") for name, slot in zip(names, slots, strict=True)]
    for slot in slots_in_use():
        write_slot(slot, *(moved[slot] if slot < len(moved) else ("", "")))
    state.systems = len(moved)
    place = {old: new for new, old in enumerate(slots)}
    if state.whatif_of is not None:
        state.whatif_of = place.get(state.whatif_of, state.side_a)
    if state.get("output") != WHATIF:
        state.output = place.get(state.get("output", -1))
    state.whatif_past = tuple([(place.get(of, state.side_a), text) for of, text in state.whatif_past])
