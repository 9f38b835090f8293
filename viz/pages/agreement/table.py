"""Draw the table of how well metrics agree with people, over segments and over systems."""

from __future__ import annotations

from typing import cast

import streamlit as st

from metrics.corpus.agreement import LEVELS, AgreementColumnKind, compare_rows
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.coefficients import Level

from ...components import links
from ...draw.agreement import coefficients
from ...draw.agreement.coefficients import CoefficientView
from ...draw.pen.text import escape_markdown, safe, visible
from . import chosen_output, segment
from .agreement_job import AgreementJob
from .record import AgreementState

GROUPS = {"none": "all outputs at once", "item": "each segment", "sys": "each system"}
TAUS = {"b": "τ-b", "10": "τ of WMT 2010", "13": "τ of WMT 2013"}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the table with sentences on the best metric at the left, and an output at the right.

    The output is the selected one, or the one on which metric and people differ most."""
    left_side, right = segment.left_and_right_columns()
    with left_side:
        _draw_menus()
        sort = state.sort if state.sort in LEVELS[cast(Level, state.level)] else "pearson"
        look = CoefficientView(cast(Level, state.level), sort, chosen_output.selected_column_key(corpus, state))
        sentences = [coefficients.describe_best_metric(table, level) for level in ("segment", "system")]
        answers = f'<div class="answers">{"".join([f"<p>{safe(each, 600)}</p>" for each in sentences if each])}</div>'
        remarks = "".join([f"<li>{safe(each.text, 900)}</li>" for each in table.remarks])
        notes = f'<ul class="remarks">{remarks}</ul>' if remarks else ""
        links.show("agreement_table", f"{answers}{coefficients.draw(table, look)}{notes}", _choice_handler(table))
        if table.stage == "intervals":
            _draw_comparison(corpus, table, look)
    with right:
        segment.draw(corpus, state, table, chosen_output.most_disputed(corpus, state, table))


def _draw_comparison(corpus: AgreementJob, table: Table, table_view: CoefficientView) -> None:
    """Draw two selectors of metrics, and whether these differ by the coefficient that the table is sorted by."""
    with st.expander("Compare two metrics", on_change="rerun", key="agreement_compare") as box:
        if not box.open:
            return
        rows = [
            row
            for row in coefficients.sorted_rows(table, table_view.level, table_view.sort)
            if row.column.people is None
        ]
        labels = {row.column.key: row.column.label for row in rows if row.column.kind is not AgreementColumnKind.CHANCE}
        if len(labels) < 2:
            st.info("There is only one metric.")
            return
        keys = [*labels]
        chosen = []
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for n, label in enumerate(("One", "The other")):
                key = f"agreement_compare_{n}"
                if st.session_state.get(key) not in keys:
                    st.session_state[key] = next(each for each in keys if each not in chosen)
                answer = st.selectbox(label, keys, key=key, format_func=labels.__getitem__, width=210)
                chosen.append(answer)
        one, other = chosen
        if one == other:
            st.info("Choose two metrics that differ.")
            return
        request = "compare", table.scale, table.group, table.tau, one, other, table_view.level, table_view.sort
        comparison = corpus.find_in_background(
            request, lambda _: compare_rows(table, one, other, table_view.level, table_view.sort)
        )
        if comparison is None:
            st.html('<p class="finding" role="status">Drawing permutations …</p>')
        elif isinstance(comparison, str):
            st.error(escape_markdown(visible(comparison, 400)))
        else:
            answer = coefficients.describe_comparison(
                comparison, (labels[one], labels[other]), table_view.level, table_view.sort
            )
            st.html(f'<p class="answer">{safe(answer, 900)}</p>')


def _draw_menus() -> None:
    """Draw the choices of how coefficients over segments are grouped and of the variant of Kendall's coefficient."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_how"):
        for key, label, options, first in (
            ("agreement_group", "Over segments, within", GROUPS, "none"),
            ("agreement_tau", "Kendall's", TAUS, "b"),
        ):
            st.session_state.setdefault(key, first)
            st.selectbox(label, list(options), key=key, format_func=options.__getitem__, width=210)


def _choice_handler(table: Table) -> links.OnEvent:
    """Return the callback of the table, which sorts it by a clicked head or selects the metric of a clicked row."""

    def handle_choice(name: str, value: str) -> None:
        state = st.session_state
        level, _, coefficient = value.partition("/")
        if name == "sort" and level in LEVELS and coefficient in LEVELS[cast(Level, level)]:
            state.agreement_level, state.agreement_sort = level, coefficient
        if name == "row":
            chosen_output.select_column(table, value)

    return handle_choice
