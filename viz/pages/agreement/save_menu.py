"""The Save menu of the Agreement page: its table, the judged outputs, where a metric is wrong and why, what came of
experiments, and a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import cast

from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, Group, Overlap, Tau
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import Outcome
from metrics.corpus.signatures import signatures

from ...frame import menus
from ...save import agreement_files
from ...save.sentence_page import Files
from ...state import session
from . import experiments, held, looking, pairs, reasons, report
from .agreeing import Agreeing
from .record import Agreement


def show() -> None:
    """Save what was found."""
    menus.save_menu("save_agreement", lambda: (_offered(), menus.KINDS))


def _offered() -> Files | None:
    """What can be saved. Nothing is made before it is asked for."""
    shown, found = session.looked(Agreement), held.corpus()
    if found is None:
        return None
    table = found.table(found.asked(shown.scale, cast(Group, shown.group), cast(Tau, shown.tau)))
    if not table.rows:
        return None
    signed = signatures_of(found)
    today = date.today()
    when, link = f"{today.day} {today:%B %Y}", menus.saved_address(shown)
    out: list[tuple[str, str, Callable[[], str | bytes]]] = [
        ("Report, HTML", "html", lambda: report.made(found, shown, table, signed, when, link, repeated(found))),
        ("Table, CSV", "csv", partial(agreement_files.table_csv, table)),
        ("Table, LaTeX", "tex", lambda: _text("latex", found, table, signed)),
        ("Table, Markdown", "md", lambda: _text("markdown", found, table, signed)),
        ("Outputs, CSV", "outputs.csv", partial(agreement_files.outputs_csv, table, found.judged)),
    ]
    if column := looking.of_table(table, looking.column(found, shown)):
        out.append(("Wrong pairs, CSV", "wrong.csv", partial(_wrong, found, table, column)))
        if column.key in found.tables:
            out.append(("Reasons, CSV", "reasons.csv", partial(_reasons, found, table, column)))
    for experiment, outcome in repeated(found):
        if experiment.key == shown.experiment:
            of = experiment, outcome
            out += [
                ("Experiment, CSV", f"{experiment.key}.csv", partial(agreement_files.experiment_csv, *of)),
                ("Experiment, LaTeX", f"{experiment.key}.tex", partial(agreement_files.experiment_text, "latex", *of)),
                ("Experiment, Markdown", f"{experiment.key}.md", partial(agreement_files.experiment_text, "", *of)),
            ]
    return "agreement", out


def signatures_of(found: Agreeing) -> list[str]:
    """What is needed to repeat the scores."""
    tables = [found.tables[key] for key in found.settings if key in found.tables]
    numbers = {len(each) for each in map(found.material.references_of, range(found.size))}
    each = signatures(tables, found.text, numbers.pop() if len(numbers) == 1 else "var")
    return [sign.whole for sign in each]


def repeated(found: Agreeing) -> Sequence[tuple[Experiment, Outcome]]:
    """The experiments of which something came, each as it was asked for last."""
    last: dict[str, Outcome] = {}
    for asked, outcome in found.came("experiment"):
        if isinstance(asked, tuple) and isinstance(outcome, Outcome):
            last[str(asked[1])] = outcome
    return [(experiment, last[key]) for key, experiment in experiments.BY_KEY.items() if key in last]


def _text(form: str, found: Agreeing, table: Table, signed: Sequence[str]) -> str:
    """The tables with how much of what each metric finds wrong lies in what people marked, where they marked some."""
    marked: dict[str, Sequence[Overlap]] = {}
    for row in table.rows if found.judged.spans else ():
        if known := reasons.reasons_now(found, table, row.column):
            marked[row.column.key] = known.overlaps
    return agreement_files.table_text(form, table, signed, marked)


def _wrong(found: Agreeing, table: Table, of: Column) -> str:
    known = pairs.wrong(found, table, of)
    if of.key in found.tables and found.judged.spans:
        pairs.credits_now(found, table, of, known)
    return agreement_files.wrong_csv(known.pairs, found.systems, pairs.why_known(found, table, of))


def _reasons(found: Agreeing, table: Table, of: Column) -> str:
    known = reasons.reasons_now(found, table, of)
    return agreement_files.reasons_csv(known.overlaps, known.counted) if known else ""
