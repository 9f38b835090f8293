"""Outputs and systems as points: people's judgement across, the score up; a point opens its output."""

from __future__ import annotations

from collections.abc import Mapping
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
from ...draw.pen import theme
from ...frame import menus
from ...state import codec
from . import agreeing, looking, segment
from .agreeing import Agreeing
from .looking import Chosen
from .record import POINTS, Agreement

#: What is said before the coefficient of chance, and of judges.
SAID = {Kind.CHANCE: "chance", Kind.JUDGE: "one judge against the others"}


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """Both charts of the column that is looked at, above them what can stand in its place, and at the right the chosen
    output."""
    left, right = segment.sides()
    only = looking.number(shown, "system", found.systems)
    listed = looking.torn(found, shown, table, only)
    offered = _offered(found, shown, table)
    with left:
        if not offered or (found.scoring and "scores" not in offered):
            st.info(looking.not_scored(found))
        else:
            if len(offered) > 1:
                if st.session_state.get("agreement_points") not in offered:
                    st.session_state.agreement_points = next(iter(offered))
                menus.switch("Up", "agreement_points", {name: _name(each) for name, each in offered.items()})
            of = offered.get(shown.points) or next(iter(offered.values()))
            chosen = looking.chosen(found, shown, listed)
            points.light(None if chosen is None else agreeing.number_of(found, chosen.system, chosen.segment))
            with st.container(key="agreement_charts"):
                for name, make in (("outputs", of_outputs), ("systems", of_systems)):
                    asked = name, of.key, table.scale, table.group, table.stage, only
                    drawn = found.remembered(asked, partial(make, found, table, of, only))
                    points.show(f"people_{name}", drawn.markup, drawn.points or None, partial(_told, found))
    with right:
        segment.draw(found, shown, table, listed)


def _offered(found: Agreeing, shown: Agreement, table: Table) -> Mapping[str, Column]:
    """What can stand up: the scores that are looked at, one judge, and chance, those of them that there are."""
    keys = dict(zip(POINTS, (looking.column(found, shown), "judge", "chance"), strict=True))
    each = {name: looking.of_table(table, key) for name, key in keys.items()}
    return {name: of for name, of in each.items() if of}


def _name(of: Column) -> str:
    name = SAID.get(of.kind, "")
    return name[:1].upper() + name[1:] or theme.markdown(theme.visible(of.label, 40))


def _labels(table: Table, of: Column) -> tuple[str, str]:
    if of.kind is Kind.JUDGE:
        return f"the other judges: {table.scale}", "one judge"
    return f"people: {table.scale}", "chance" if of.kind is Kind.CHANCE else looking.label_of(of)


def _people(table: Table, of: Column) -> NDArray[np.float64]:
    """What a column is held against."""
    return table.people if of.people is None else of.people


def _titles(table: Table, of: Column, level: Level) -> tuple[str, str]:
    where = "on each output" if level == "segment" else "on systems"
    both = "One judge and the others" if of.kind is Kind.JUDGE else f"{of.label} and people"
    return f"{both} {where}", _said(table, of, level)


def of_outputs(found: Agreeing, table: Table, of: Column, only: int | None, still: bool = False) -> Drawn:
    """The judged outputs as points."""
    titles = _titles(table, of, "segment")
    return scatter.of_outputs(_people(table, of), of.scores, only, _labels(table, of), titles, found.systems, still)


def _said(table: Table, of: Column, level: Level) -> str:
    """Pearson of what is drawn, then that of chance, and of one judge where there are several."""
    parts = []
    for row in sorted(table.rows, key=lambda row: row.column.key != of.key):
        cell = row.of(level).get("pearson")
        if row.column.key != of.key and row.column.kind not in SAID:
            continue
        if cell and isinstance(cell.found, Value):
            ends = f" ({number(cell.interval.low)} to {number(cell.interval.high)})" if cell.interval else ""
            parts.append(f"{SAID.get(row.column.kind, 'Pearson')} {number(cell.found.value)}{ends}")
    said = ", ".join(parts)
    return said[:1].upper() + said[1:]


def of_systems(found: Agreeing, table: Table, of: Column, only: int | None, still: bool = False) -> Drawn:
    """The systems as points."""
    segments = cast(NDArray[np.bool_], (~np.isnan(_people(table, of))).any(axis=0))
    people, means = system_means(of, table.people, segments)
    return scatter.of_systems(
        people, means, only, _labels(table, of), _titles(table, of, "system"), found.systems, still
    )


def _told(found: Agreeing, name: str, value: str) -> None:
    """Open an output, or show a system's; what was told may be anything."""
    number = codec.number_sent(value, len(found.systems) * found.size)
    if number is None:
        return
    if name == "segment":
        looking.choose(Chosen(*agreeing.output_of(found, number)))
    if name == "system":
        looking.turn("system", str(number))
