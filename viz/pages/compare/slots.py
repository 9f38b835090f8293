"""The systems in their slots, as the session holds them; a text that is replaced here is for callers to remember.

Two to eight systems stand in numbered slots: `system_0` … are their texts, `name_0` … their names, `systems` is how
many slots are in use, `side_a` and `side_b` are the slots shown as A and B.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...state import codec, pending_widgets
from ...state.inputs import NAME_MOST, SYSTEMS_MOST
from ...state.pages import FieldFilter
from .record import WHATIF, CompareState, default_name


def systems() -> tuple[tuple[str, str], ...]:
    """The systems in use as pairs of name and text; one whose name is blank has its slot's letter."""
    state = st.session_state
    return tuple([(own_name(slot) or default_name(slot), state.get(text_key(slot)) or "") for slot in used()])


def sides() -> tuple[int, int]:
    """The slots of A and B."""
    return st.session_state.get("side_a", 0), st.session_state.get("side_b", 1)


def side_to_fill(page_state: CompareState) -> str:
    """The side whose output is still to come, `before` or `after` the change; "" where an output without words is meant
    as one, as where one was emptied after both were there."""
    state = st.session_state
    named_sides = zip(page_state.sides, ("before", "after"), strict=True)
    empty = [side for slot, side in named_sides if not page_state.systems[slot][1].strip()]
    if not empty:
        state.filled = True
    elif state.get("filled"):
        state.wordless = True
    return empty[0] if empty and not (page_state.wordless or state.get("filled")) else ""


def used() -> range:
    """The slots in use."""
    return range(st.session_state.get("systems", 0))


def text_key(slot: int) -> str:
    """The session's key of a system's text."""
    return f"system_{slot}"


def name_key(slot: int) -> str:
    """The session's key of a system's name."""
    return f"name_{slot}"


def own_name(slot: int) -> str:
    """The name that a system was given, "" where it is its slot's letter."""
    name: str = (st.session_state.get(name_key(slot)) or "")[:NAME_MOST]
    return name if name.strip() and name != default_name(slot) else ""


def write_slot(slot: int, name: str, text: str) -> None:
    """Write a system's name and text; a blank name is the letter of its slot."""
    pending_widgets.give_value(name_key(slot), codec.sendable(name[:NAME_MOST]) or default_name(slot))
    pending_widgets.give_value(text_key(slot), codec.sendable(text))


def put_record(page_state: CompareState, chosen: FieldFilter) -> CompareState:
    """Put the systems of a record into the session, or of one without systems the sides alone."""
    state, which = st.session_state, {f.name for f in codec.fields(CompareState) if chosen(f)}
    if page_state.systems and "systems" in which:
        put_all(page_state.systems, page_state.sides)
    elif page_state.systems:
        state.side_a, state.side_b = page_state.sides
    if "whatif" in which:
        state.whatif_now = codec.sendable(page_state.whatif)
    return page_state


def put_all(given: Sequence[tuple[str, str]], ab: tuple[int, int] = (0, 1)) -> None:
    """Two to eight systems in the place of those that were there, and no what-if."""
    state = st.session_state
    for slot in range(SYSTEMS_MOST):
        write_slot(slot, *(given[slot] if slot < len(given) else ("", "")))
    state.systems, state.filled, state.wordless = len(given), False, False
    state.side_a, state.side_b = ab
    state.whatif, state.whatif_of, state.whatif_now, state.whatif_past = "", None, "", ()


def move(slots: Sequence[int], names: Sequence[str]) -> None:
    """Put the systems into another order: slot n gets the one of slots[n]; those not named are gone, their what-if
    belongs to A from now on. The names are those that the systems have afterwards, in their new order."""
    state = st.session_state
    moved = [(name, state.get(text_key(slot)) or "") for name, slot in zip(names, slots, strict=True)]
    for slot in used():
        write_slot(slot, *(moved[slot] if slot < len(moved) else ("", "")))
    state.systems = len(moved)
    place = {old: new for new, old in enumerate(slots)}
    if state.whatif_of is not None:
        state.whatif_of = place.get(state.whatif_of, state.side_a)
    if state.get("output") != WHATIF:
        state.output = place.get(state.get("output", -1))
    state.whatif_past = tuple([(place.get(of, state.side_a), text) for of, text in state.whatif_past])
