"""Rewrite texts by a click, such as joining lines, and undo it.

The text fields hold what is scored, so links and files keep the rewritten texts like any others. One click undoes the
rewriting as long as nothing else was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from ..state import codec, pending_widgets, session

KEY = "rewritten"  # the session's key of the last rewriting


class Rewriting(NamedTuple):
    """A rewriting of texts.

    `says` is a sentence that says what was done. `texts` maps the session's keys of fields to their new and former
    texts."""

    says: str
    texts: Mapping[str, tuple[str, str]]


def rewrite(says: str, texts: Mapping[str, str]) -> None:
    """Replace the texts of fields, given by session key; `says` is a sentence that says what was done."""
    state = st.session_state
    new = {key: codec.sendable(text) for key, text in texts.items()}
    state[KEY] = Rewriting(says, {key: (text, state.get(key) or "") for key, text in new.items()})
    _write_boxes(new)


def last() -> Rewriting | None:
    """Return the last rewriting if all its texts are still as it left them, else None."""
    state = st.session_state
    rewriting: Rewriting | None = state.get(KEY)
    stands = rewriting and all((state.get(key) or "") == new for key, (new, _) in rewriting.texts.items())
    return rewriting if stands else None


def take_back() -> None:
    """Restore the texts from before the last rewriting, in a callback."""
    if rewriting := last():
        st.session_state[KEY] = None
        _write_boxes({key: former for key, (_, former) in rewriting.texts.items()})


def _write_boxes(texts: Mapping[str, str]) -> None:
    """Write texts into their fields as a new step of the browser's history.

    Going back then restores the former texts."""
    session.keep_texts_of_load()
    for key, text in texts.items():
        pending_widgets.give_value(key, text)
