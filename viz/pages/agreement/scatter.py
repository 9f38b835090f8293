"""Outputs and systems as points: people's judgement across, the score up; a point opens its output."""

from __future__ import annotations

from functools import partial
from typing import cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, Kind, Value, system_means
from metrics.corpus.agreement.agree import Level

from ...components import points
from ...draw.agreement import scatter
from ...draw.agreement.coefficients import number
from ...draw.corpus.points import Drawn
from ...state import codec
from . import agreeing, looking, segment
from .agreeing import Agreeing
from .looking import Chosen
from .record import Agreement

#: What is said before the coefficient of chance, and of judges.
SAID = {Kind.CHANCE: "chance", Kind.JUDGE: "one judge against the others"}


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """Both charts of the column that is looked at, and at the right the chosen output."""
    left, right = segment.sides()
    of, only = looking.of_table(table, looking.column(found, shown)), looking.number(shown, "system", found.systems)
    listed = looking.torn(found, shown, table, only)
    with left:
        if of is None:
            st.info(looking.not_scored(found))
        else:
            chosen = looking.chosen(found, shown, listed)
            points.light(None if chosen is None else agreeing.number_of(found, chosen.system, chosen.segment))
            with st.container(key="agreement_charts"):
                for name, make in (("outputs", _outputs), ("systems", _systems)):
                    asked = name, of.key, table.scale, table.group, table.stage, only
                    drawn = found.remembered(asked, partial(make, found, table, of, only))
                    points.show(f"people_{name}", drawn.markup, drawn.points or None, partial(_told, found))
    with right:
        segment.draw(found, shown, table, listed)


def _labels(table: Table, of: Column) -> tuple[str, str]:
    return f"people: {table.scale}", looking.label_of(of)


def _outputs(found: Agreeing, table: Table, of: Column, only: int | None) -> Drawn:
    title = f"{of.label} and people on each output"
    said = _said(table, of, "segment")
    return scatter.of_outputs(table.people, of.scores, only, _labels(table, of), (title, said), found.systems)


def _said(table: Table, of: Column, level: Level) -> str:
    """Pearson of what is drawn, and beside it that of chance, and of one judge where there are several."""
    parts = []
    for row in table.rows:
        cell = row.of(level).get("pearson")
        if row.column.key != of.key and row.column.kind not in (Kind.CHANCE, Kind.JUDGE):
            continue
        if cell and isinstance(cell.found, Value):
            ends = f" ({number(cell.interval.low)} to {number(cell.interval.high)})" if cell.interval else ""
            name = {Kind.CHANCE: "chance ", Kind.JUDGE: "one judge against the others "}.get(
                row.column.kind, "Pearson "
            )
            parts.append(f"{name}{number(cell.found.value)}{ends}")
    return ", ".join(parts)


def _systems(found: Agreeing, table: Table, of: Column, only: int | None) -> Drawn:
    segments = cast(NDArray[np.bool_], (~np.isnan(table.people)).any(axis=0))
    people, means = system_means(of, table.people, segments)
    titles = f"{of.label} and people on systems", _said(table, of, "system")
    return scatter.of_systems(people, means, only, _labels(table, of), titles, found.systems)


def _told(found: Agreeing, name: str, value: str) -> None:
    """Open an output, or show a system's; what was told may be anything."""
    number = codec.number_sent(value, len(found.systems) * found.size)
    if number is None:
        return
    if name == "segment":
        looking.choose(Chosen(*agreeing.output_of(found, number)))
    if name == "system":
        looking.turn("system", str(number))
