"""Draw the Save menu of the Agreement page: table, judged outputs, wrong pairs, reasons, experiments and a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from metrics.corpus.agreement import AgreementColumn, Overlap
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import ExperimentOutcome
from metrics.corpus.signatures import signatures
from metrics.types import reference_count

from ...frame import menus
from ...save import agreement_files
from ...save.sentence_page import Files
from ...state.visit import session
from . import chosen_output, experiments, pairs, reasons, report, visitor_corpus
from .agreement_job import AgreementJob
from .reasons import ReasonsAgreement
from .record import AgreementState


def show() -> None:
    """Draw the Save menu of the page's results."""
    menus.save_menu("save_agreement", lambda: (_available_files(), menus.KINDS))


def _available_files() -> Files | None:
    """Return the files that can be saved, None if there is no table; no file is made before the visitor asks for it."""
    state, corpus = session.read_state(AgreementState), visitor_corpus.visitor_job()
    if corpus is None:
        return None
    table = chosen_output.known_table(corpus, state)
    if not table.rows:
        return None
    signed = metric_signatures(corpus)
    when, link = menus.date_of_saved_file(), menus.address_for_saved_file(state)
    out: list[tuple[str, str, Callable[[], str | bytes]]] = [
        (
            "Report, HTML",
            "html",
            lambda: report.make_report(corpus, state, table, signed, when, link, finished_experiments(corpus)),
        ),
        ("Table, CSV", "csv", partial(agreement_files.table_csv, table)),
        ("Table, LaTeX", "tex", lambda: _table_text("latex", corpus, table, signed)),
        ("Table, Markdown", "md", lambda: _table_text("markdown", corpus, table, signed)),
        ("Outputs, CSV", "outputs.csv", partial(agreement_files.outputs_csv, table, corpus.judged)),
    ]
    if column := chosen_output.find_column(table, chosen_output.selected_column_key(corpus, state)):
        out.append(("Wrong pairs, CSV", "wrong.csv", partial(_wrong_pairs_csv, corpus, table, column)))
        if column.key in corpus.tables:
            out.append(("Reasons, CSV", "reasons.csv", partial(_reasons_csv, corpus, table, column)))
    for experiment, outcome in finished_experiments(corpus):
        if experiment.key == state.experiment:
            of = experiment, outcome
            out += [
                ("Experiment, CSV", f"{experiment.key}.csv", partial(agreement_files.experiment_csv, *of)),
                ("Experiment, LaTeX", f"{experiment.key}.tex", partial(agreement_files.experiment_text, "latex", *of)),
                ("Experiment, Markdown", f"{experiment.key}.md", partial(agreement_files.experiment_text, "", *of)),
            ]
    return "agreement", out


def metric_signatures(corpus: AgreementJob) -> list[str]:
    """Return the signatures of all scored metrics, each with all settings that are needed to repeat its scores."""
    tables = [corpus.tables[key] for key in corpus.settings if key in corpus.tables]
    number = reference_count(map(corpus.material.references_of, range(corpus.segment_count)))
    return [sign.whole for sign in signatures(tables, corpus.text, number)]


def finished_experiments(corpus: AgreementJob) -> Sequence[tuple[Experiment, ExperimentOutcome]]:
    """Return the experiments that have an outcome, each with its latest one, in the order of the page's list."""
    last: dict[str, ExperimentOutcome] = {}
    for request, outcome in corpus.finished_results("experiment"):
        if isinstance(request, tuple) and isinstance(outcome, ExperimentOutcome):
            last[str(request[1])] = outcome
    return [(experiment, last[key]) for key, experiment in experiments.BY_KEY.items() if key in last]


def _table_text(form: str, corpus: AgreementJob, table: Table, signed: Sequence[str]) -> str:
    """Return the table of coefficients as text: as LaTeX if `form` is "latex", else as Markdown.

    `signed` are the signatures of the scores. If people marked errors, the text also says how much of what each metric
    finds wrong lies in marked words."""
    marked: dict[str, Sequence[Overlap]] = {}
    for row in table.rows if corpus.judged.spans else ():
        metric_reasons = reasons.reasons_agreement(corpus, table, row.column, now=True)
        if isinstance(metric_reasons, ReasonsAgreement):
            marked[row.column.key] = metric_reasons.overlaps
    return agreement_files.table_text(form, table, signed, marked)


def _wrong_pairs_csv(corpus: AgreementJob, table: Table, column: AgreementColumn) -> str:
    """Return the pairs of outputs that a column ranks against people as CSV, with the explanations that are known."""
    wrong_pairs = pairs.misranked_pairs(corpus, table, column)
    if column.key in corpus.tables and corpus.judged.spans:
        pairs.compute_marked_credits(corpus, table, column, wrong_pairs)
    return agreement_files.wrong_pairs_csv(
        wrong_pairs.pairs, corpus.names, pairs.known_explanations(corpus, table, column)
    )


def _reasons_csv(corpus: AgreementJob, table: Table, column: AgreementColumn) -> str:
    """Return how well a metric's reasons agree with people as CSV, "" if that cannot be computed."""
    metric_reasons = reasons.reasons_agreement(corpus, table, column, now=True)
    return agreement_files.reasons_csv(*metric_reasons) if isinstance(metric_reasons, ReasonsAgreement) else ""
