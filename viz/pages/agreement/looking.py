"""What of a judged corpus is looked at: the column of scores, the outputs that a view lists, and the chosen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics import METRICS
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, Kind

from ...state import codec
from . import agreeing
from .agreeing import Agreeing
from .record import Agreement


class Chosen(NamedTuple):
    """An output, and the system that it is held against where it is a pair."""

    system: int
    segment: int
    other: int | None = None


class Listed(NamedTuple):
    """Outputs in the order in which a view lists them, and what that order is."""

    outputs: Sequence[Chosen]
    says: str = ""


def column(found: Agreeing, shown: Agreement) -> str:
    """The key of the column that is looked at: scores of another program where they are chosen or where no metric can
    be scored, else the metric's."""
    others = [each.key for each in found.others]
    if shown.column in others:
        return shown.column
    return others[0] if others and not found.scoring else shown.metric


def not_scored(found: Agreeing) -> str:
    """Why there is nothing of the column that is looked at."""
    if found.scoring:
        return "This metric is not scored yet."
    return "Without a reference no metric can be scored. How far judges agree stands under Table and Judges."


def of_table(table: Table, key: str) -> Column | None:
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


def chosen(found: Agreeing, shown: Agreement, listed: Listed) -> Chosen | None:
    """The chosen output, the first that is listed where none is; None where there is nothing."""
    if (
        shown.system is not None
        and shown.segment is not None
        and shown.system < len(found.systems)
        and shown.segment < found.size
    ):
        other = shown.other if shown.other is not None and shown.other < len(found.systems) else None
        return Chosen(shown.system, shown.segment, None if other == shown.system else other)
    return listed.outputs[0] if listed.outputs else None


def choose(output: Chosen) -> None:
    """Look at an output, in a callback."""
    state = st.session_state
    state.agreement_system, state.agreement_segment, state.agreement_other = output


def label_of(of: Column) -> str:
    """What a column's scores are called on an axis: of an error rate the sign is turned."""
    metric = METRICS.get(of.key) if of.kind is Kind.METRIC else None
    return of.label if metric is None or metric.higher_is_better else f"−{of.label}"


def turn(what: str, value: str) -> None:
    """Look at something of a view, or no longer where it is looked at already, in a callback."""
    state, name = st.session_state, f"{what}:{value}"
    former = state.get("agreement_choice", "")
    state.update(agreement_system=None, agreement_segment=None, agreement_other=None)
    state.agreement_choice = "" if former == name else name


def choice(shown: Agreement, what: str) -> str:
    """What of a view is looked at, of a kind; "" where nothing is."""
    kind, _, value = shown.choice.partition(":")
    return value if kind == what else ""


def number(shown: Agreement, what: str, of: Sequence[object]) -> int | None:
    """The same as the place of one of some things."""
    return codec.number_sent(choice(shown, what), len(of))


def places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each value among all that there are, from 0 to 1, equal ones in the middle of theirs; NaN stays.

    >>> places(np.array([3.0, np.nan, 1.0, 3.0])).tolist()
    [0.75, nan, 0.0, 0.75]
    """
    out = np.full(values.shape, np.nan)
    there = ~np.isnan(values)
    _, group, sizes = np.unique(values[there].round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    out[there] = (ends - (sizes + 1) / 2)[group] / max(1, int(there.sum()) - 1)
    return out


def apart(table: Table, of: Column) -> NDArray[np.float64]:
    """How much higher the column ranks each output among all than people do, from -1 to 1, systems × segments; NaN
    where one of both says nothing."""
    there = ~(np.isnan(table.people) | np.isnan(of.scores))
    ours, theirs = (np.where(there, each, np.nan) for each in (of.scores, table.people))
    return places(ours) - places(theirs)


def torn(found: Agreeing, shown: Agreement, table: Table, only: int | None = None) -> Listed:
    """The outputs on which the column that is looked at and people differ most, those first, of all systems or of
    one."""
    of = of_table(table, column(found, shown))
    if of is None:
        return judged(found, table)

    def make() -> Listed:
        distance = np.abs(apart(table, of))
        order = np.argsort(-np.where(np.isnan(distance), -1.0, distance), axis=None, kind="stable")
        known = order[: int((~np.isnan(distance)).sum())]
        every = [Chosen(*agreeing.output_of(found, int(n))) for n in known]
        outputs = [each for each in every if only in (None, each.system)]
        return Listed(outputs, f"where {of.label} and people differ most")

    return found.remembered(("torn", of.key, table.scale, only), make)


def judged(found: Agreeing, table: Table) -> Listed:
    """The outputs that people judged, in their order."""
    make: Callable[[], Listed] = lambda: Listed([Chosen(*output) for output in agreeing.judged_outputs(table)])  # noqa: E731
    return found.remembered(("judged", table.scale), make)
