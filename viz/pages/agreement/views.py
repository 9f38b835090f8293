"""What can stand at the left, by the names of the views."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from metrics.corpus.agreement import Agreement as Table

from . import experiments, judges, reasons, scatter, table, wrong
from .agreeing import Agreeing
from .record import VIEWS, Agreement

#: What draws a view of a corpus, of what is looked at, with the table as far as it is known.
DRAWS: Mapping[str, Callable[[Agreeing, Agreement, Table], None]] = {
    "table": table.draw,
    "scatter": scatter.draw,
    "wrong": wrong.draw,
    "reasons": reasons.draw,
    "judges": judges.draw,
    "experiments": experiments.draw,
}
assert [*DRAWS] == [*VIEWS]
