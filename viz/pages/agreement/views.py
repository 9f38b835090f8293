"""Map the views of the Agreement page to the functions that draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from metrics.corpus.agreement import AgreementTable as Table

from . import experiments, judges, reasons, scatter, table, wrong_pairs
from .agreement_job import AgreementJob
from .record import VIEWS, AgreementState

#: The function that draws each view, from the corpus, the page state and the table as far as it is known.
DRAWS: Mapping[str, Callable[[AgreementJob, AgreementState, Table], None]] = {
    "table": table.draw,
    "scatter": scatter.draw,
    "wrong": wrong_pairs.draw,
    "reasons": reasons.draw,
    "judges": judges.draw,
    "experiments": experiments.draw,
}
assert [*DRAWS] == [*VIEWS]
