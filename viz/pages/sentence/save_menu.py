"""Draw the Save menu of the Sentence page, with the files of the open view."""

from __future__ import annotations

from collections.abc import Container

from ...frame import menus
from ...frame.menus import KINDS
from ...save.sentence_page import Files
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import MissingText
from ...state.visit import session
from .record import SentenceState
from .views import DRAWN


def show() -> None:
    """Draw the Save menu of the current result."""
    menus.save_menu("save", _files_of_view)


def _files_of_view() -> tuple[Files | Problem | None, Container[str]]:
    """Return the open view's files, and the endings of the files that are slow to make, such as “html”.

    The first value is the `Problem` that prevents saving, or None if there is nothing to save yet."""
    state = session.read_state(SentenceState)
    texts = inputs.read_texts(state.candidate, state.references, state.text, source=state.source, marks=state.marked)
    if state.view == "steps" and isinstance(texts, MissingText):
        texts = (
            inputs.read_one_sided(state.candidate, state.references, state.text, state.source, state.marked) or texts
        )
    if isinstance(texts, MissingText):
        return None, ()
    files = DRAWN[state.view].files
    assert files, state.view
    return files(texts, state), KINDS if state.view == "steps" else ()
