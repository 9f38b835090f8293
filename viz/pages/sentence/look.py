"""What is looked at in one result, which belongs to its texts and settings, in Streamlit's session."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ...state import codec, session
from ...state.pages import FIRST_METRIC
from .record import Sentence

#: Keys of what belongs to one result, and how it is at first.
LOOK = {"term": None, "rounds": None, "tie": 0, "walk_step": None, "walk_part": None}


def read(given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the record, without what was looked at in another result."""
    own = _has_look()
    return given if own else given | {f.name: f.default for f in codec.fields(Sentence) if f.key in LOOK}


def keep_look() -> None:
    """Keep the chosen term, the shown rounds and the tie stepped to only if they are of the result that is shown now.
    For a view that is about to draw it."""
    if not _has_look():
        st.session_state.update(LOOK)
    st.session_state.look_of = look_now()


def has_look(metric: str) -> bool:
    """Whether the keys of LOOK are of this metric's result on the texts and settings in use."""
    return metric == st.session_state.get("metric") and _has_look()


def _has_look() -> bool:
    return st.session_state.get("look_of") == look_now()


def look_now() -> tuple[object, ...]:
    """What the result that is shown follows from."""
    state = st.session_state
    metric = state.get("metric") or FIRST_METRIC
    texts = state.get("candidate"), state.get("references")
    return *texts, session.text_settings(), metric, session.metric_settings(metric)
