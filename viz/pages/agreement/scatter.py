"""Draw outputs and systems as points, with people's judgement across and the score up; a point opens its output."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.agreement import AgreementColumn, AgreementColumnKind, CoefficientValue, system_means
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.agreement_table import Level

from ...components import points
from ...draw.agreement import scatter
from ...draw.agreement.coefficients import number
from ...draw.corpus.points import CanvasChart
from ...draw.pen import theme
from ...frame import menus
from ...state import codec
from . import agreement_job, chosen_output, segment
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput
from .record import POINTS, AgreementState

#: The words before the coefficients of chance and of judges.
SAID = {AgreementColumnKind.CHANCE: "chance", AgreementColumnKind.JUDGE: "one judge against the others"}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw both charts of the selected column at the left, and the selected output at the right.

    If several columns can be the vertical axis, a selector of it is drawn above the charts."""
    left_side, right = segment.sides()
    only = chosen_output.choice_index(state, "system", corpus.systems)
    listed = chosen_output.most_disputed(corpus, state, table, only)
    offered = _offered(corpus, state, table)
    with left_side:
        if not offered or (corpus.scoring and "scores" not in offered):
            st.info(chosen_output.why_not_scored(corpus))
        else:
            if len(offered) > 1:
                if st.session_state.get("agreement_points") not in offered:
                    st.session_state.agreement_points = next(iter(offered))
                menus.switch("Up", "agreement_points", {name: _name(each) for name, each in offered.items()})
            of = offered.get(state.points) or next(iter(offered.values()))
            chosen = chosen_output.chosen_output(corpus, state, listed)
            points.highlight_segment(
                None if chosen is None else agreement_job.number_of(corpus, chosen.system, chosen.segment)
            )
            with st.container(key="agreement_charts"):
                for name, make in (("outputs", of_outputs), ("systems", of_systems)):
                    cache_key = name, of.key, table.scale, table.group, table.stage, only
                    drawn = corpus.remembered(cache_key, partial(make, corpus, table, of, only))
                    points.show(f"people_{name}", drawn.markup, drawn.points or None, partial(_open_point, corpus))
    with right:
        segment.draw(corpus, state, table, listed)


def _offered(corpus: AgreementJob, state: AgreementState, table: Table) -> Mapping[str, AgreementColumn]:
    """Return the columns that the vertical axis can show, by their names in POINTS.

    They are the selected scores, one judge, and chance, as far as the table has them."""
    keys = dict(zip(POINTS, (chosen_output.column(corpus, state), "judge", "chance"), strict=True))
    each = {name: chosen_output.column_of_table(table, key) for name, key in keys.items()}
    return {name: of for name, of in each.items() if of}


def _name(of: AgreementColumn) -> str:
    """Return the label of a column in the choice of the vertical axis."""
    name = SAID.get(of.kind, "")
    return name[:1].upper() + name[1:] or theme.markdown(theme.visible(of.label, 40))


def _labels(table: Table, of: AgreementColumn) -> tuple[str, str]:
    """Return the labels of both axes."""
    if of.kind is AgreementColumnKind.JUDGE:
        return f"the other judges: {table.scale}", "one judge"
    return f"people: {table.scale}", "chance" if of.kind is AgreementColumnKind.CHANCE else chosen_output.label_of(of)


def _people(table: Table, of: AgreementColumn) -> NDArray[np.float64]:
    """Return the judgements that a column is compared with."""
    return table.people if of.people is None else of.people


def _titles(table: Table, of: AgreementColumn, level: Level) -> tuple[str, str]:
    """Return the title and the subtitle of a chart."""
    where = "on each output" if level == "segment" else "on systems"
    subject = "One judge and the others" if of.kind is AgreementColumnKind.JUDGE else f"{of.label} and people"
    return f"{subject} {where}", _coefficients_text(table, of, level)


def of_outputs(
    corpus: AgreementJob, table: Table, of: AgreementColumn, only: int | None, still: bool = False
) -> CanvasChart:
    """Return the chart of the judged outputs; with `only`, the index of a system whose outputs stand out."""
    titles = _titles(table, of, "segment")
    return scatter.outputs_chart(_people(table, of), of.scores, only, _labels(table, of), titles, corpus.systems, still)


def _coefficients_text(table: Table, of: AgreementColumn, level: Level) -> str:
    """Return Pearson's coefficient for the chart, then that of chance, and of one judge if there are several."""
    parts = []
    for row in sorted(table.rows, key=lambda row: row.column.key != of.key):
        cell = row.cells_at(level).get("pearson")
        if row.column.key != of.key and row.column.kind not in SAID:
            continue
        if cell and isinstance(cell.coefficient, CoefficientValue):
            ends = f" ({number(cell.interval.low)} to {number(cell.interval.high)})" if cell.interval else ""
            parts.append(f"{SAID.get(row.column.kind, 'Pearson')} {number(cell.coefficient.value)}{ends}")
    sentence = ", ".join(parts)
    return sentence[:1].upper() + sentence[1:]


def of_systems(
    corpus: AgreementJob, table: Table, of: AgreementColumn, only: int | None, still: bool = False
) -> CanvasChart:
    """Return the chart of the systems."""
    segments = cast(NDArray[np.bool_], (~np.isnan(_people(table, of))).any(axis=0))
    people, means = system_means(of, table.people, segments)
    return scatter.systems_chart(
        people, means, only, _labels(table, of), _titles(table, of, "system"), corpus.systems, still
    )


def _open_point(corpus: AgreementJob, name: str, value: str) -> None:
    """Select an output or a system, in a callback; other values are ignored because the browser may send anything."""
    number = codec.number_sent(value, len(corpus.systems) * corpus.size)
    if number is None:
        return
    if name == "segment":
        chosen_output.choose(ChosenOutput(*agreement_job.output_of(corpus, number)))
    if name == "system":
        chosen_output.toggle_choice("system", str(number))
