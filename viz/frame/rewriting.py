"""Texts that a click has rewritten, as lines that were joined to one.

What stands in the boxes is what is scored, so links and files hold the choice as they hold the texts; as long as
nothing else was typed one click takes it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from ..state import codec, pending_widgets, session

KEY = "rewritten"  # where the session holds what was rewritten last


class Rewriting(NamedTuple):
    """What was done, in a sentence, and by the session's keys of text boxes their new texts and the former ones."""

    says: str
    texts: Mapping[str, tuple[str, str]]


def rewrite(says: str, texts: Mapping[str, str]) -> None:
    """Put texts in the place of others, by the session's keys of their boxes; `says` is what was done."""
    state = st.session_state
    new = {key: codec.sendable(text) for key, text in texts.items()}
    state[KEY] = Rewriting(says, {key: (text, state.get(key) or "") for key, text in new.items()})
    _write_boxes(new)


def last() -> Rewriting | None:
    """What was rewritten last, where all of it still stands as it was written; None for all else."""
    state = st.session_state
    rewriting: Rewriting | None = state.get(KEY)
    stands = rewriting and all((state.get(key) or "") == new for key, (new, _) in rewriting.texts.items())
    return rewriting if stands else None


def take_back() -> None:
    """Put the former texts back."""
    if rewriting := last():
        st.session_state[KEY] = None
        _write_boxes({key: former for key, (_, former) in rewriting.texts.items()})


def _write_boxes(texts: Mapping[str, str]) -> None:
    """Write texts into their boxes, as a load of their own: going back brings back those that stood there."""
    session.leave()
    for key, text in texts.items():
        pending_widgets.give_value(key, text)
