"""What of a judged corpus is looked at: the column of scores, the outputs that a view lists, and the chosen one."""

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
    """An output, and the system that it is held against where it is a pair."""

    system: int
    segment: int
    other: int | None = None


class Listed(NamedTuple):
    """Outputs in the order in which a view lists them, and what that order is."""

    outputs: Sequence[ChosenOutput]
    says: str = ""


def column(corpus: AgreementJob, state: AgreementState) -> str:
    """The key of the column that is looked at: scores of another program where they are chosen or where no metric can
    be scored, else the metric's."""
    others = [each.key for each in corpus.others]
    if state.column in others:
        return state.column
    return others[0] if others and not corpus.scoring else state.metric


def not_scored(corpus: AgreementJob) -> str:
    """Why there is nothing of the column that is looked at."""
    if corpus.scoring:
        return "This metric is not scored yet."
    return "Without a reference no metric can be scored. How far judges agree stands under Table and Judges."


def of_table(table: Table, key: str) -> AgreementColumn | None:
    """The column of a key, None where the table has it not (yet)."""
    return next((row.column for row in table.rows if row.column.key == key), None)


def choose_column(table: Table, key: str) -> None:
    """Look at a column of the table, in a callback; the browser may send anything."""
    state = st.session_state
    if of_table(table, key) is None:
        return
    if key in METRICS:
        state.metric, state.agreement_column = key, ""
    else:
        state.agreement_column = key
    state.whole_page = True


def chosen_output(corpus: AgreementJob, state: AgreementState, listed: Listed) -> ChosenOutput | None:
    """The chosen output, the first that is listed where none is; None where there is nothing."""
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
    """Look at an output, in a callback."""
    state = st.session_state
    state.agreement_system, state.agreement_segment, state.agreement_other = output


def label_of(of: AgreementColumn) -> str:
    """What a column's scores are called on an axis: of an error rate the sign is turned."""
    metric = METRICS.get(of.key) if of.kind is AgreementColumnKind.METRIC else None
    return of.label if metric is None or metric.higher_is_better else f"−{of.label}"


def turn(what: str, value: str) -> None:
    """Look at something of a view, or no longer where it is looked at already, in a callback."""
    state, name = st.session_state, f"{what}:{value}"
    former = state.get("agreement_choice", "")
    state.update(agreement_system=None, agreement_segment=None, agreement_other=None)
    state.agreement_choice = "" if former == name else name


def choice(state: AgreementState, what: str) -> str:
    """What of a view is looked at, of a kind; "" where nothing is."""
    kind, _, value = state.choice.partition(":")
    return value if kind == what else ""


def number(state: AgreementState, what: str, of: Sequence[object]) -> int | None:
    """The same as the place of one of some things."""
    return codec.number_sent(choice(state, what), len(of))


def places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each value among all that there are, from 0 to 1, equal ones in the middle of theirs; NaN stays.

    >>> places(np.array([3.0, np.nan, 1.0, 3.0])).tolist()
    [0.75, nan, 0.0, 0.75]
    """
    out = np.full(values.shape, np.nan)
    has_value = ~np.isnan(values)
    _, group, sizes = np.unique(values[has_value].round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    out[has_value] = (ends - (sizes + 1) / 2)[group] / max(1, int(has_value.sum()) - 1)
    return out


def rank_differences(table: Table, of: AgreementColumn) -> NDArray[np.float64]:
    """How much higher the column ranks each output among all than people do, from -1 to 1, systems × segments; NaN
    where one of both says nothing."""
    has_both = ~(np.isnan(table.people) | np.isnan(of.scores))
    ours, theirs = (np.where(has_both, each, np.nan) for each in (of.scores, table.people))
    return places(ours) - places(theirs)


def torn(corpus: AgreementJob, state: AgreementState, table: Table, only: int | None = None) -> Listed:
    """The outputs on which the column that is looked at and people differ most, those first, of all systems or of
    one."""
    of = of_table(table, column(corpus, state))
    if of is None:
        return judged(corpus, table)

    def make() -> Listed:
        distance = np.abs(rank_differences(table, of))
        order = np.argsort(-np.where(np.isnan(distance), -1.0, distance), axis=None, kind="stable")
        numbers = order[: int((~np.isnan(distance)).sum())]
        ranked_outputs = [ChosenOutput(*agreement_job.output_of(corpus, int(n))) for n in numbers]
        outputs = [each for each in ranked_outputs if only in (None, each.system)]
        return Listed(outputs, f"where {of.label} and people differ most")

    return corpus.remembered(("torn", of.key, table.scale, only), make)


def judged(corpus: AgreementJob, table: Table) -> Listed:
    """The outputs that people judged, in their order."""

    def make() -> Listed:
        return Listed([ChosenOutput(*output) for output in agreement_job.judged_outputs(table)])

    return corpus.remembered(("judged", table.scale), make)
