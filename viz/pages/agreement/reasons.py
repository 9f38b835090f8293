"""Draw which of a metric's reasons agree with people; each reason opens the outputs that show it.

The reasons of a score are what the metric finds wrong in an output, and what it counts there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import streamlit as st

import metrics
from metrics.corpus.agreement import (
    AgreementColumn,
    FindingCorrelation,
    OutputFindings,
    Overlap,
    correlate_findings,
    find_in_segments,
    marked_words_by_output,
    overlap_by_fault,
)
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.processes import run_each_in_process, run_in_process

from ...components import links
from ...draw.agreement import reasons
from ...draw.pen.text import safe
from ...frame.background import CheckWanted
from . import agreement_job, chosen_output, output_list, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState

#: Outputs in one batch.
AT_ONCE = 200


class ReasonsAgreement(NamedTuple):
    """The agreement of the reasons of a metric's scores with people.

    Attributes:
        overlaps: for each kind of fault that the metric finds, how much of it lies in words that people marked; empty
            if people marked nothing.
        counted: for each thing that the metric counts in an output, how its number correlates with judgements."""

    overlaps: tuple[Overlap, ...]
    counted: tuple[FindingCorrelation, ...]


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the reasons with the outputs of the selected reason at the left, and the selected output at the right."""
    left_side, right = segment.left_and_right_columns()
    of = chosen_output.find_column(table, chosen_output.selected_column_key(corpus, state))
    metric_reasons = None if of is None else reasons_agreement(corpus, table, of)
    listed = _outputs_of_reason(
        corpus, state, table, metric_reasons if isinstance(metric_reasons, ReasonsAgreement) else None
    )
    with left_side:
        if of is None and not corpus.scoring:
            st.info(chosen_output.why_not_scored(corpus))
        elif of is None or of.key not in metrics.METRICS:
            st.info("Reasons are shown only for a metric that is scored here: choose one above.")
        elif not isinstance(metric_reasons, ReasonsAgreement):
            says = metric_reasons or f"Looking at what {of.label} finds in each output."
            st.html(f'<p class="finding" role="status">{safe(says, 300)}</p>')
        else:
            if not corpus.judged.spans:
                st.caption("No errors are marked, so their places cannot be compared.")
            kind, _, value = state.choice.partition(":")
            html = reasons.fault_table(metric_reasons.overlaps, of.label, value if kind == "fault" else "")
            html += reasons.findings_table(metric_reasons.counted, of.label, table.scale, state.choice)
            links.show("agreement_reasons", html, partial(_choose_reason, metric_reasons))
            output_list.draw(corpus, state, table, of, listed, "agreement_outputs")
    with right:
        segment.draw(corpus, state, table, listed)


def _choose_reason(metric_reasons: ReasonsAgreement, name: str, value: str) -> None:
    """Select a reason, so that its outputs are listed; a callback.

    `name` and `value` are the event of the browser and the key of the reason. Unknown ones are ignored, because the
    browser may send anything."""
    if (name, value) in [
        *[("fault", each.fault) for each in metric_reasons.overlaps],
        *[(way, reasons.finding_key(each)) for each in metric_reasons.counted for way in ("by", "against")],
    ]:
        chosen_output.toggle_view_selection(name, value)


def _outputs_of_reason(
    corpus: AgreementJob, state: AgreementState, table: Table, metric_reasons: ReasonsAgreement | None
) -> OutputList:
    """Return the outputs that show the selected reason.

    If no reason is selected, they are the outputs on which the metric and people differ most."""
    kind, _, value = state.choice.partition(":")
    for overlap in metric_reasons.overlaps if metric_reasons else ():
        if (kind, value) == ("fault", overlap.fault):
            return OutputList(_chosen_outputs(overlap.outputs), f"with most {overlap.fault} in marked words")
    for each in metric_reasons.counted if metric_reasons else ():
        if value == reasons.finding_key(each) and kind in ("by", "against"):
            way = "for" if kind == "by" else "against"
            name = each.name.replace("_", " ")
            return OutputList(
                _chosen_outputs(each.supporting if kind == "by" else each.opposing), f"speak most {way} {name}"
            )
    return chosen_output.most_disputed(corpus, state, table)


def _chosen_outputs(outputs: Iterable[tuple[int, int]]) -> list[ChosenOutput]:
    """Return pairs of system and segment as ChosenOutput records."""
    return [ChosenOutput(*output) for output in outputs]


def reasons_agreement(
    corpus: AgreementJob, table: Table, column: AgreementColumn, now: bool = False
) -> ReasonsAgreement | str | None:
    """Return how well the metric's reasons agree with people; None while that is computed, which this call starts.

    With `now`, it is computed in the calling thread if it is not known. Returns a sentence if computing fails, and None
    if the column has no metric that is scored here."""
    if column.key not in corpus.tables:
        return None
    request, compute = ("reasons", column.key, table.scale), partial(_compute_reasons, corpus, table, column)
    return corpus.compute_now(request, compute) if now else corpus.find_in_background(request, compute)


def _compute_reasons(
    corpus: AgreementJob, table: Table, column: AgreementColumn, check_wanted: CheckWanted
) -> ReasonsAgreement:
    """Compute how well a metric's reasons agree with people, batch by batch of outputs."""
    metric, settings = metrics.METRICS[column.key], corpus.settings[column.key]
    outputs, seen_outputs = agreement_job.judged_outputs(table), dict[tuple[int, int], OutputFindings]()
    given = [
        (metric, settings, {output: corpus.words_of_output(*output) for output in outputs[at : at + AT_ONCE]})
        for at in range(0, len(outputs), AT_ONCE)
    ]
    for n, batch in enumerate(run_each_in_process(CORES, find_in_segments, given)):
        seen_outputs |= batch
        corpus.view_progress = ViewProgress(
            (n + 1) / (len(given) + 1), f"What {column.label} finds: {len(seen_outputs):,} of {len(outputs):,} outputs"
        )
        check_wanted()
    lines = [texts.lines for texts in corpus.material.systems.values()]
    inside: tuple[Overlap, ...] = ()
    if corpus.judged.spans:
        marks = run_in_process(CORES, marked_words_by_output, corpus.judged, lines, corpus.text)
        inside = run_in_process(CORES, overlap_by_fault, seen_outputs, marks, corpus.segment_count)
    return ReasonsAgreement(inside, run_in_process(CORES, correlate_findings, seen_outputs, table.people))
