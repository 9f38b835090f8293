"""The Save menu of the Sentence page: what the view that is open shows."""

from __future__ import annotations

from collections.abc import Container

from ...frame import menus
from ...frame.menus import KINDS
from ...save.sentence_page import Files
from ...state import inputs, session
from ...state.cache import Problem
from ...state.inputs import Missing
from . import cost, error_classes, one_metric, several_metrics, steps
from .record import Sentence

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
    shown = session.looked(Sentence)
    texts = inputs.read(shown.candidate, shown.references, shown.text, source=shown.source, marks=shown.marked)
    if shown.view == "steps" and isinstance(texts, Missing):
        texts = inputs.one_sided(shown.candidate, shown.references, shown.text, shown.source, shown.marked) or texts
    if isinstance(texts, Missing):
        return None, ()
    return VIEWS.get(shown.view, one_metric.files)(texts, shown), KINDS if shown.view == "steps" else ()
