"""Draw which of a metric's reasons agree with people; each reason opens the outputs that show it."""

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
    marks_of,
    overlaps,
)
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.processes import run_each_in_process, run_in_process

from ...components import links
from ...draw.agreement import reasons
from ...draw.pen import theme
from ...frame.background import CheckWanted
from . import agreement_job, chosen_output, output_list, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState

#: Outputs in one batch.
AT_ONCE = 200


class Reasons(NamedTuple):
    """The agreement of a metric's reasons with people.

    Attributes:
        overlaps: how much of what the metric finds wrong lies in marked words; empty if nothing is marked.
        counted: how what the metric counts correlates with judgements."""

    overlaps: tuple[Overlap, ...]
    counted: tuple[FindingCorrelation, ...]


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the reasons with the outputs of the selected reason at the left, and the selected output at the right."""
    left_side, right = segment.sides()
    of = chosen_output.column_of_table(table, chosen_output.column(corpus, state))
    metric_reasons = None if of is None else _reasons(corpus, table, of)
    listed = _listed(corpus, state, table, metric_reasons if isinstance(metric_reasons, Reasons) else None)
    with left_side:
        if of is None and not corpus.scoring:
            st.info(chosen_output.why_not_scored(corpus))
        elif of is None or of.key not in metrics.METRICS:
            st.info("The reasons are those of a metric that is scored here: choose one above.")
        elif not isinstance(metric_reasons, Reasons):
            says = metric_reasons or f"Looking at what {of.label} finds in each output."
            st.html(f'<p class="finding" role="status">{theme.safe(says, 300)}</p>')
        else:
            if not corpus.judged.spans:
                st.caption("No errors are marked, so that nothing can be said of where they lie.")
            kind, _, value = state.choice.partition(":")
            html = reasons.overlaps(metric_reasons.overlaps, of.label, value if kind == "fault" else "")
            html += reasons.findings_table(metric_reasons.counted, of.label, table.scale, state.choice)
            links.show("agreement_reasons", html, partial(_choose_reason, metric_reasons))
            output_list.draw(corpus, state, table, of, listed, "agreement_outputs")
    with right:
        segment.draw(corpus, state, table, listed)


def _choose_reason(metric_reasons: Reasons, name: str, value: str) -> None:
    """Show the outputs of a reason, in a callback.

    Unknown reasons are ignored, because the browser may send anything."""
    if (name, value) in [
        *[("fault", each.fault) for each in metric_reasons.overlaps],
        *[(way, reasons.finding_key(each)) for each in metric_reasons.counted for way in ("by", "against")],
    ]:
        chosen_output.toggle_choice(name, value)


def _listed(corpus: AgreementJob, state: AgreementState, table: Table, metric_reasons: Reasons | None) -> OutputList:
    """Return the outputs that show the selected reason.

    If no reason is selected, they are the outputs on which metric and people differ most."""
    kind, _, value = state.choice.partition(":")
    for overlap in metric_reasons.overlaps if metric_reasons else ():
        if (kind, value) == ("fault", overlap.fault):
            return OutputList(_chosen_outputs(overlap.outputs), f"with most {overlap.fault} in marked words")
    for each in metric_reasons.counted if metric_reasons else ():
        if value == reasons.finding_key(each) and kind in ("by", "against"):
            way = "for" if kind == "by" else "against"
            name = each.name.replace("_", " ")
            return OutputList(
                _chosen_outputs(each.supporting if kind == "by" else each.against), f"speak most {way} {name}"
            )
    return chosen_output.most_disputed(corpus, state, table)


def _chosen_outputs(outputs: Iterable[tuple[int, int]]) -> list[ChosenOutput]:
    """Return pairs of system and segment as outputs."""
    return [ChosenOutput(*output) for output in outputs]


def _reasons(corpus: AgreementJob, table: Table, of: AgreementColumn) -> Reasons | str | None:
    """Return the agreement of the metric's reasons with people; None while it is computed, a sentence if that fails."""
    if of.key not in metrics.METRICS or of.key not in corpus.tables:
        return None
    return corpus.find(_reasons_request(table, of), partial(_find, corpus, table, of))


def reasons_now(corpus: AgreementJob, table: Table, of: AgreementColumn) -> Reasons | None:
    """Return the agreement of the metric's reasons with people, computed in the calling thread if it is not known.

    None if the column is no scored metric or the computation fails."""
    if of.key not in metrics.METRICS or of.key not in corpus.tables:
        return None
    metric_reasons = corpus.find_now(_reasons_request(table, of), partial(_find, corpus, table, of))
    return None if isinstance(metric_reasons, str) else metric_reasons


def _reasons_request(table: Table, of: AgreementColumn) -> tuple[str, ...]:
    """Return the request of a metric's reasons on a scale."""
    return "reasons", of.key, table.scale


def _find(corpus: AgreementJob, table: Table, of: AgreementColumn, look: CheckWanted) -> Reasons:
    """Compute the agreement of a metric's reasons with people, in batches of outputs."""
    metric, settings = metrics.METRICS[of.key], corpus.settings[of.key]
    outputs, seen_outputs = agreement_job.judged_outputs(table), dict[tuple[int, int], OutputFindings]()
    given = [
        (metric, settings, {output: corpus.segment(*output) for output in outputs[at : at + AT_ONCE]})
        for at in range(0, len(outputs), AT_ONCE)
    ]
    for n, batch in enumerate(run_each_in_process(CORES, find_in_segments, given)):
        seen_outputs |= batch
        corpus.view_progress = ViewProgress(
            (n + 1) / (len(given) + 1), f"What {of.label} finds: {len(seen_outputs):,} of {len(outputs):,} outputs"
        )
        look()
    lines = [texts.lines for texts in corpus.material.systems.values()]
    inside: tuple[Overlap, ...] = ()
    if corpus.judged.spans:
        marks = run_in_process(CORES, marks_of, corpus.judged, lines, corpus.text)
        inside = run_in_process(CORES, overlaps, seen_outputs, marks, corpus.size)
    return Reasons(inside, run_in_process(CORES, correlate_findings, seen_outputs, table.people))
