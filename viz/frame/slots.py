"""Read and write the systems that are compared, which the session holds in numbered slots.

Two to eight slots are in use: `system_0` … are the texts, `name_0` … the names, `systems` is the number of slots in
use, and `side_a` and `side_b` are the slots of A and B. Callers that replace texts must remember the former ones."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ..state.links import codec
from ..state.texts.inputs import NAME_MOST, SYSTEMS_MOST, default_name
from ..state.visit import pending_widgets


def systems() -> tuple[tuple[str, str], ...]:
    """Return the systems in use as pairs of name and text; without a given name it is the letter of the slot."""
    state = st.session_state
    return tuple([(given_name(slot) or default_name(slot), state.get(text_key(slot)) or "") for slot in slots_in_use()])


def slots_of_a_and_b() -> tuple[int, int]:
    """Return the slots of A and B."""
    return st.session_state.get("side_a", 0), st.session_state.get("side_b", 1)


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


def replace_systems(given: Sequence[tuple[str, str]], ab: tuple[int, int] = (0, 1)) -> None:
    """Replace all systems by two to eight others, given as pairs of name and text, and remove the what-if text.

    `ab` are the slots of A and B."""
    state = st.session_state
    for slot in range(SYSTEMS_MOST):
        write_slot(slot, *(given[slot] if slot < len(given) else ("", "")))
    state.systems, state.filled, state.wordless = len(given), False, False
    state.side_a, state.side_b = ab
    state.whatif, state.whatif_of, state.whatif_now, state.whatif_past = "", None, "", ()
