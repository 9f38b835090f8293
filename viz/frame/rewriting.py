"""Replace the texts in fields by a click, such as joining their lines, and undo that.

The text fields hold what is scored, so links and files keep the rewritten texts like any others. One click undoes the
last rewriting as long as nothing else was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from ..state.links import codec
from ..state.visit import pending_widgets, session

KEY = "rewritten"  # the session's key of the last rewriting


class Rewriting(NamedTuple):
    """A replacement of texts in their fields by a click.

    Attributes:
        says: a sentence that says what was done.
        texts: the new and the former text of each field, by the field's key in the session."""

    says: str
    texts: Mapping[str, tuple[str, str]]


def rewrite_fields(says: str, texts: Mapping[str, str]) -> None:
    """Replace the texts of fields, and remember the former ones for `undo_rewriting`.

    `texts` has the new texts by the fields' keys in the session; `says` is a sentence that says what was done."""
    state = st.session_state
    new = {key: codec.replace_surrogates(text) for key, text in texts.items()}
    state[KEY] = Rewriting(says, {key: (text, state.get(key) or "") for key, text in new.items()})
    _write_fields(new)


def last_rewriting() -> Rewriting | None:
    """Return the last rewriting, None if one of its texts has been changed since or was restored."""
    state = st.session_state
    rewriting: Rewriting | None = state.get(KEY)
    stands = rewriting and all((state.get(key) or "") == new for key, (new, _) in rewriting.texts.items())
    return rewriting if stands else None


def undo_rewriting() -> None:
    """Restore the texts from before the last rewriting; a callback."""
    if rewriting := last_rewriting():
        st.session_state[KEY] = None
        _write_fields({key: former for key, (_, former) in rewriting.texts.items()})


def _write_fields(texts: Mapping[str, str]) -> None:
    """Write texts into their fields as a new step of the browser's history.

    The browser's back button then restores the former texts."""
    session.keep_texts_of_load()
    for key, text in texts.items():
        pending_widgets.give_value(key, text)
