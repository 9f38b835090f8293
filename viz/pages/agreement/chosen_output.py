"""Find out which column, which list of outputs and which output of a judged corpus the visitor is looking at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics import METRICS
from metrics.corpus.agreement import AgreementColumn, AgreementColumnKind
from metrics.corpus.agreement import AgreementTable as Table

from ...state import codec
from . import agreement_job
from .agreement_job import AgreementJob
from .record import AgreementState


class ChosenOutput(NamedTuple):
    """An output; for a pair of outputs, with the `other` system that it is compared with."""

    system: int
    segment: int
    other: int | None = None


class OutputList(NamedTuple):
    """The outputs in the order in which a view lists them, and what that order is."""

    outputs: Sequence[ChosenOutput]
    says: str = ""


def column(corpus: AgreementJob, state: AgreementState) -> str:
    """Return the key of the selected column.

    It is another program's score if one is selected or no metric can be scored, else the selected metric."""
    others = [each.key for each in corpus.others]
    if state.column in others:
        return state.column
    return others[0] if others and not corpus.scoring else state.metric


def why_not_scored(corpus: AgreementJob) -> str:
    """Return a sentence that says why the selected column has no scores."""
    if corpus.scoring:
        return "This metric is not scored yet."
    return "Without a reference no metric can be scored. How far judges agree stands under Table and Judges."


def column_of_table(table: Table, key: str) -> AgreementColumn | None:
    """Return the column with this key, None if the table does not have it (yet)."""
    return next((row.column for row in table.rows if row.column.key == key), None)


def choose_column(table: Table, key: str) -> None:
    """Select a column of the table, in a callback; unknown keys are ignored because the browser may send anything."""
    state = st.session_state
    if column_of_table(table, key) is None:
        return
    if key in METRICS:
        state.metric, state.agreement_column = key, ""
    else:
        state.agreement_column = key
    state.whole_page = True


def chosen_output(corpus: AgreementJob, state: AgreementState, listed: OutputList) -> ChosenOutput | None:
    """Return the selected output, else the first in the list; None if the list is empty."""
    if (
        state.system is not None
        and state.segment is not None
        and state.system < len(corpus.systems)
        and state.segment < corpus.size
    ):
        other = state.other if state.other is not None and state.other < len(corpus.systems) else None
        return ChosenOutput(state.system, state.segment, None if other == state.system else other)
    return listed.outputs[0] if listed.outputs else None


def choose(output: ChosenOutput) -> None:
    """Select an output, in a callback."""
    state = st.session_state
    state.agreement_system, state.agreement_segment, state.agreement_other = output


def label_of(of: AgreementColumn) -> str:
    """Return the label of a column's scores on an axis, with a minus sign for an error rate, whose sign is turned."""
    metric = METRICS.get(of.key) if of.kind is AgreementColumnKind.METRIC else None
    return of.label if metric is None or metric.higher_is_better else f"−{of.label}"


def toggle_choice(what: str, value: str) -> None:
    """Select a `value` of the kind `what` in a view, or deselect it if it is selected, in a callback."""
    state, name = st.session_state, f"{what}:{value}"
    former = state.get("agreement_choice", "")
    state.update(agreement_system=None, agreement_segment=None, agreement_other=None)
    state.agreement_choice = "" if former == name else name


def choice(state: AgreementState, what: str) -> str:
    """Return the selected value of the kind `what` in a view, "" if there is none."""
    kind, _, value = state.choice.partition(":")
    return value if kind == what else ""


def choice_index(state: AgreementState, what: str, of: Sequence[object]) -> int | None:
    """Return the index in `of` that the selected value of the kind `what` names, None if there is none."""
    return codec.number_sent(choice(state, what), len(of))


def scaled_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, scaled to 0 to 1; ties share the middle of their ranks, and NaN stays NaN.

    >>> scaled_ranks(np.array([3.0, np.nan, 1.0, 3.0])).tolist()
    [0.75, nan, 0.0, 0.75]
    """
    out = np.full(values.shape, np.nan)
    has_value = ~np.isnan(values)
    _, group, sizes = np.unique(values[has_value].round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    out[has_value] = (ends - (sizes + 1) / 2)[group] / max(1, int(has_value.sum()) - 1)
    return out


def rank_differences(table: Table, of: AgreementColumn) -> NDArray[np.float64]:
    """Return how much higher the column ranks each output than people do, from -1 to 1, as systems × segments.

    NaN where the column or people say nothing of an output."""
    has_both = ~(np.isnan(table.people) | np.isnan(of.scores))
    ours, theirs = (np.where(has_both, each, np.nan) for each in (of.scores, table.people))
    return scaled_ranks(ours) - scaled_ranks(theirs)


def most_disputed(corpus: AgreementJob, state: AgreementState, table: Table, only: int | None = None) -> OutputList:
    """Return the outputs on which the selected column and people differ most, the largest difference first.

    With `only`, the outputs of this system alone."""
    of = column_of_table(table, column(corpus, state))
    if of is None:
        return judged(corpus, table)

    def make() -> OutputList:
        distance = np.abs(rank_differences(table, of))
        order = np.argsort(-np.where(np.isnan(distance), -1.0, distance), axis=None, kind="stable")
        numbers = order[: int((~np.isnan(distance)).sum())]
        ranked_outputs = [ChosenOutput(*agreement_job.output_of(corpus, int(n))) for n in numbers]
        outputs = [each for each in ranked_outputs if only in (None, each.system)]
        return OutputList(outputs, f"where {of.label} and people differ most")

    return corpus.remembered(("torn", of.key, table.scale, only), make)


def judged(corpus: AgreementJob, table: Table) -> OutputList:
    """Return the outputs that people judged, ordered by system and segment."""

    def make() -> OutputList:
        return OutputList([ChosenOutput(*output) for output in agreement_job.judged_outputs(table)])

    return corpus.remembered(("judged", table.scale), make)
