"""Draw outputs and systems as points, with people's judgement across and the score up.

A click on a point opens its output."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.agreement import AgreementColumn, AgreementColumnKind, CoefficientValue, system_means
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.coefficients import Level

from ...components import points
from ...draw.agreement import scatter
from ...draw.agreement.coefficients import coefficient_text
from ...draw.corpus.points import CanvasChart
from ...draw.pen.text import escape_markdown, visible
from ...frame import menus
from ...state.links import codec
from . import agreement_job, chosen_output, segment
from .agreement_job import AgreementJob
from .record import POINTS, AgreementState

#: The words before the coefficients of chance and of judges.
SAID = {AgreementColumnKind.CHANCE: "chance", AgreementColumnKind.JUDGE: "one judge against the others"}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the charts of outputs and of systems at the left, and the selected output at the right.

    If there is a choice of what the vertical axis shows, a row of buttons for it is drawn above the charts."""
    left_side, right = segment.left_and_right_columns()
    kind, _, value = state.choice.partition(":")
    only = codec.parse_sent_number(value, len(corpus.names)) if kind == "system" else None
    listed = chosen_output.most_disputed(corpus, state, table, only)
    offered = _axis_columns(corpus, state, table)
    with left_side:
        if not offered or (corpus.scoring and "scores" not in offered):
            st.info(chosen_output.why_not_scored(corpus))
        else:
            if len(offered) > 1:
                if st.session_state.get("agreement_points") not in offered:
                    st.session_state.agreement_points = next(iter(offered))
                menus.draw_choice_buttons(
                    "Up", "agreement_points", {name: _axis_button_label(each) for name, each in offered.items()}
                )
            of = offered.get(state.points) or next(iter(offered.values()))
            chosen = chosen_output.chosen_output(corpus, state, listed)
            points.highlight_segment(
                None if chosen is None else agreement_job.output_number(corpus, chosen.system, chosen.segment)
            )
            with st.container(key="agreement_charts"):
                for name, make in (("outputs", outputs_chart), ("systems", systems_chart)):
                    cache_key = name, of.key, table.scale, table.group, table.stage, only
                    drawn = corpus.cached(cache_key, partial(make, corpus, table, of, only))
                    points.show(f"people_{name}", drawn.markup, drawn.points or None, partial(_open_point, corpus))
    with right:
        segment.draw(corpus, state, table, listed)


def _axis_columns(corpus: AgreementJob, state: AgreementState, table: Table) -> Mapping[str, AgreementColumn]:
    """Return the columns that the vertical axis can show, by their names in POINTS.

    They are the selected scores, one judge against the others, and chance, as far as the table has them."""
    keys = dict(zip(POINTS, (chosen_output.selected_column_key(corpus, state), "judge", "chance"), strict=True))
    each = {name: chosen_output.find_column(table, key) for name, key in keys.items()}
    return {name: of for name, of in each.items() if of}


def _axis_button_label(column: AgreementColumn) -> str:
    """Return the label of the button that puts a column on the vertical axis."""
    name = SAID.get(column.kind, "")
    return name[:1].upper() + name[1:] or escape_markdown(visible(column.label, 40))


def _axis_labels(table: Table, column: AgreementColumn) -> tuple[str, str]:
    """Return the labels of the horizontal and of the vertical axis."""
    if column.kind is AgreementColumnKind.JUDGE:
        return f"the other judges: {table.scale}", "one judge"
    return (
        f"people: {table.scale}",
        "chance" if column.kind is AgreementColumnKind.CHANCE else chosen_output.axis_label(column),
    )


def _compared_judgements(table: Table, column: AgreementColumn) -> NDArray[np.float64]:
    """Return the judgements that a column is compared with, as systems × segments.

    They are those of all people, except that one judge is compared with the other judges."""
    return table.people if column.people is None else column.people


def _chart_titles(table: Table, column: AgreementColumn, level: Level) -> tuple[str, str]:
    """Return the title and the subtitle of the chart of outputs ("segment") or of systems ("system")."""
    where = "on each output" if level == "segment" else "on systems"
    subject = "One judge and the others" if column.kind is AgreementColumnKind.JUDGE else f"{column.label} and people"
    return f"{subject} {where}", _coefficients_text(table, column, level)


def outputs_chart(
    corpus: AgreementJob, table: Table, of: AgreementColumn, only_system: int | None, still: bool = False
) -> CanvasChart:
    """Return the chart of the judged outputs.

    Args:
        of: the column with the scores.
        only_system: the index of a system whose outputs stand out, None for none.
        still: whether the chart is for a saved file, where a click opens nothing."""
    titles = _chart_titles(table, of, "segment")
    return scatter.outputs_chart(
        _compared_judgements(table, of), of.scores, only_system, _axis_labels(table, of), titles, corpus.names, still
    )


def _coefficients_text(table: Table, column: AgreementColumn, level: Level) -> str:
    """Return a text with Pearson's coefficient of a chart, then those of chance and of one judge.

    Coefficients that are not known yet are left out."""
    parts = []
    for row in sorted(table.rows, key=lambda row: row.column.key != column.key):
        cell = row.cells_at(level).get("pearson")
        if row.column.key != column.key and row.column.kind not in SAID:
            continue
        if cell and isinstance(cell.coefficient, CoefficientValue):
            ends = (
                f" ({coefficient_text(cell.interval.low)} to {coefficient_text(cell.interval.high)})"
                if cell.interval
                else ""
            )
            parts.append(f"{SAID.get(row.column.kind, 'Pearson')} {coefficient_text(cell.coefficient.value)}{ends}")
    sentence = ", ".join(parts)
    return sentence[:1].upper() + sentence[1:]


def systems_chart(
    corpus: AgreementJob, table: Table, of: AgreementColumn, only_system: int | None, still: bool = False
) -> CanvasChart:
    """Return the chart of the systems, each at its mean judgement and mean score.

    Args:
        of: the column with the scores.
        only_system: the index of a system that stands out, None for none.
        still: whether the chart is for a saved file, where a click opens nothing."""
    segments = cast(NDArray[np.bool_], (~np.isnan(_compared_judgements(table, of))).any(axis=0))
    people, means = system_means(of, table.people, segments)
    return scatter.systems_chart(
        people, means, only_system, _axis_labels(table, of), _chart_titles(table, of, "system"), corpus.names, still
    )


def _open_point(corpus: AgreementJob, name: str, value: str) -> None:
    """Select the output or the system of a clicked point; a callback.

    `name` says which ("segment" or "system"), `value` is its number. Other values are ignored, because the browser may
    send anything."""
    number = codec.parse_sent_number(value, len(corpus.names) * corpus.segment_count)
    if number is None:
        return
    if name == "segment":
        chosen_output.select_output_by_number(corpus, number)
    if name == "system":
        chosen_output.toggle_view_selection("system", str(number))
