"""The Save menu of the Sentence page: what the view that is open shows."""

from __future__ import annotations

from collections.abc import Container

from ...frame import menus
from ...frame.menus import KINDS
from ...save.sentence_page import Files
from ...state import inputs, session
from ...state.cache import Problem
from ...state.inputs import MissingText
from . import cost, error_classes, one_metric, several_metrics, steps
from .record import SentenceState

#: What is saved of the views that are not one metric's evidence.
VIEWS = {
    "all": several_metrics.all_files,
    "two": several_metrics.two_files,
    "errors": error_classes.files,
    "steps": steps.files,
    "cost": cost.files,
}


def show() -> None:
    """Save what is shown."""
    menus.save_menu("save", _offered)


def _offered() -> tuple[Files | Problem | None, Container[str]]:
    state = session.read_state(SentenceState)
    texts = inputs.read(state.candidate, state.references, state.text, source=state.source, marks=state.marked)
    if state.view == "steps" and isinstance(texts, MissingText):
        texts = inputs.one_sided(state.candidate, state.references, state.text, state.source, state.marked) or texts
    if isinstance(texts, MissingText):
        return None, ()
    return VIEWS.get(state.view, one_metric.files)(texts, state), KINDS if state.view == "steps" else ()
