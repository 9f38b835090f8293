"""What is looked at in one result, which belongs to its texts and settings, in Streamlit's session."""

from __future__ import annotations

import time
from dataclasses import replace

import streamlit as st

from ...state import codec
from .record import SentenceState

#: Keys of what belongs to one result, and how it is at first.
LOOK = {"term": None, "rounds": None, "tie": 0, "walk_step": None, "walk_part": None, "edit": None, "asked": None}


def read(state: SentenceState) -> SentenceState:
    """The record without what was looked at in another result."""
    if st.session_state.get("look_of") == state.result_of:
        return state
    return replace(state, **{f.name: f.default for f in codec.fields(SentenceState) if f.key in LOOK})


def keep(state: SentenceState) -> None:
    """Keep the chosen term, the shown rounds and the tie stepped to only if they are of the result that is shown now.
    For a view that is about to draw it."""
    if st.session_state.get("look_of") != state.result_of:
        st.session_state.update(LOOK)
    st.session_state.look_of = state.result_of


def advanced(page_state: SentenceState) -> SentenceState:
    """The record with the round that playing has reached."""
    state = st.session_state
    if next_round := state.pop("next_round", None):
        state.rounds, state.round_since = next_round, time.monotonic()
        return replace(page_state, rounds=next_round)
    return page_state
