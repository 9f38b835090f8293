"""Return which column, which list of outputs and which output of a judged corpus the visitor is looking at.

A column is one of the agreement table: the scores of a metric or of another program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics import METRICS
from metrics.corpus.agreement import AgreementColumn, AgreementColumnKind, Group, Tau
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.standings import scaled_ranks

from . import agreement_job, visitor_corpus
from .agreement_job import AgreementJob
from .record import AgreementState


class ChosenOutput(NamedTuple):
    """The selected output, or the selected pair of outputs of one segment.

    Attributes:
        system: the index of the system.
        segment: the index of the segment.
        other: for a pair, the index of the system of the second output; else None."""

    system: int
    segment: int
    other: int | None = None


class OutputList(NamedTuple):
    """The outputs that a view lists.

    Attributes:
        outputs: the outputs in the order of the list.
        says: what the list holds, in words."""

    outputs: Sequence[ChosenOutput]
    says: str = ""


def known_table(corpus: AgreementJob, state: AgreementState) -> Table:
    """Return the agreement table for the choices of the page, as far as it is known."""
    return corpus.table_so_far(corpus.table_request(state.scale, cast(Group, state.group), cast(Tau, state.tau)))


def selected_column_key(corpus: AgreementJob, state: AgreementState) -> str:
    """Return the key of the selected column of the agreement table.

    It is another program's score if the visitor selected one or no metric can be scored, else the selected metric."""
    others = [each.key for each in corpus.others]
    if state.column in others:
        return state.column
    return others[0] if others and not corpus.scoring else state.metric


def why_not_scored(corpus: AgreementJob) -> str:
    """Return a sentence that says why the selected column has no scores, or none yet."""
    if corpus.scoring:
        return "This metric is not scored yet."
    return "Without a reference, no metric can be scored. How far judges agree is shown under Table and Judges."


def find_column(table: Table, key: str) -> AgreementColumn | None:
    """Return the column of `table` with this key, None if the table does not have it (yet)."""
    return next((row.column for row in table.rows if row.column.key == key), None)


def select_column(table: Table, key: str) -> None:
    """Select the metric or other program's score with this key; a callback.

    Keys that the table does not have are ignored, because the browser may send anything."""
    state = st.session_state
    if find_column(table, key) is None:
        return
    if key in METRICS:
        state.metric, state.agreement_column = key, ""
    else:
        state.agreement_column = key
    state.whole_page = True


def chosen_output(corpus: AgreementJob, state: AgreementState, listed: OutputList) -> ChosenOutput | None:
    """Return the selected output, else the first one in the list; None if the list is empty."""
    if (
        state.system is not None
        and state.segment is not None
        and state.system < len(corpus.names)
        and state.segment < corpus.segment_count
    ):
        other = state.other if state.other is not None and state.other < len(corpus.names) else None
        return ChosenOutput(state.system, state.segment, None if other == state.system else other)
    return listed.outputs[0] if listed.outputs else None


def select_output(output: ChosenOutput) -> None:
    """Select an output; a callback."""
    state = st.session_state
    state.agreement_system, state.agreement_segment, state.agreement_other = output


def select_output_by_number(corpus: AgreementJob, number: int) -> None:
    """Select the output with this number (`agreement_job.output_number`), if there is one; a callback."""
    if number < len(corpus.names) * corpus.segment_count:
        select_output(ChosenOutput(*agreement_job.output_from_number(corpus, number)))


def axis_label(scores_column: AgreementColumn) -> str:
    """Return the label of a column's axis in a chart: its name, with a minus sign for an error rate.

    The table turns the sign of error rates, so that higher is better in all columns."""
    metric = METRICS.get(scores_column.key) if scores_column.kind is AgreementColumnKind.METRIC else None
    return scores_column.label if metric is None or metric.higher_is_better else f"−{scores_column.label}"


def toggle_view_selection(kind: str, value: str) -> None:
    """Select a row or point of a view, or deselect it if it is selected; a callback.

    `kind` is the kind of the selected thing, such as "system", and `value` names it. The selected output is
    deselected."""
    state, name = st.session_state, f"{kind}:{value}"
    former = state.get("agreement_choice", "")
    visitor_corpus.clear_selection()
    state.agreement_choice = "" if former == name else name


def rank_differences(table: Table, of: AgreementColumn) -> NDArray[np.float64]:
    """Return how much higher the column ranks each output than people do, as an array of systems × segments.

    Ranks are scaled to 0 to 1, so that the values go from -1 to 1. NaN where an output has no score or no judgement."""
    has_both = ~(np.isnan(table.people) | np.isnan(of.scores))
    ours, theirs = (np.where(has_both, each, np.nan) for each in (of.scores, table.people))
    return scaled_ranks(ours) - scaled_ranks(theirs)


def most_disputed(
    corpus: AgreementJob, state: AgreementState, table: Table, only_system: int | None = None
) -> OutputList:
    """Return the outputs on which the selected column and people differ most, the largest difference first.

    With `only_system`, the index of a system, the list has the outputs of this system alone. If the column has no
    scores, it has all judged outputs."""
    of = find_column(table, selected_column_key(corpus, state))
    if of is None:
        return judged_output_list(corpus, table)

    def sort_outputs() -> OutputList:
        distance = np.abs(rank_differences(table, of))
        order = np.argsort(-np.where(np.isnan(distance), -1.0, distance), axis=None, kind="stable")
        numbers = order[: int((~np.isnan(distance)).sum())]
        ranked_outputs = [ChosenOutput(*agreement_job.output_from_number(corpus, int(n))) for n in numbers]
        outputs = [each for each in ranked_outputs if only_system in (None, each.system)]
        return OutputList(outputs, f"where {of.label} and people differ most")

    return corpus.cached(("torn", of.key, table.scale, only_system), sort_outputs)


def judged_output_list(corpus: AgreementJob, table: Table) -> OutputList:
    """Return the list of the outputs that people judged, ordered by system and segment."""

    def list_outputs() -> OutputList:
        return OutputList([ChosenOutput(*output) for output in agreement_job.judged_outputs(table)])

    return corpus.cached(("judged", table.scale), list_outputs)
