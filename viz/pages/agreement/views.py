"""The views of the Agreement page, each drawn from the corpus, the page's state and the table as far as it is known."""

from __future__ import annotations

from ...frame.views import View, checked_views
from . import experiments, judges, reasons, scatter, table, wrong_pairs
from .record import VIEWS

DRAWN = checked_views(
    VIEWS,
    {
        "table": View(table.draw),
        "scatter": View(scatter.draw),
        "wrong": View(wrong_pairs.draw),
        "reasons": View(reasons.draw),
        "judges": View(judges.draw),
        "experiments": View(experiments.draw),
    },
)
