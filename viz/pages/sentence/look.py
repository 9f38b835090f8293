"""Keep in Streamlit's session what the user selected in a result, which is only valid for that result."""

from __future__ import annotations

import time
from dataclasses import replace

import streamlit as st

from ...state.links import codec
from .record import SentenceState

#: The session keys of selections that belong to one result, with their initial values.
LOOK = {"term": None, "rounds": None, "tie": 0, "walk_step": None, "walk_part": None, "edit": None, "asked": None}


def read(state: SentenceState) -> SentenceState:
    """Return the state without the selections that belong to another result than the one it shows."""
    if st.session_state.get("look_of") == state.result_of:
        return state
    return replace(state, **{f.name: f.default for f in codec.link_fields(SentenceState) if f.key in LOOK})


def drop_stale_selections(state: SentenceState) -> None:
    """Drop the selections from the session if they belong to another result than the one that `state` shows.

    A view calls this before it draws the result."""
    if st.session_state.get("look_of") != state.result_of:
        st.session_state.update(LOOK)
    st.session_state.look_of = state.result_of


def with_played_round(page_state: SentenceState) -> SentenceState:
    """Return the state with the round that the automatic play of rounds has reached."""
    state = st.session_state
    if next_round := state.pop("next_round", None):
        state.rounds, state.round_since = next_round, time.monotonic()
        return replace(page_state, rounds=next_round)
    return page_state
