"""The table of metrics and how they agree with people over segments and over systems."""

from __future__ import annotations

from typing import cast

import streamlit as st

from metrics.corpus.agreement import LEVELS, AgreementColumnKind, compare
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.agreement_table import Level

from ...components import links
from ...draw.agreement import coefficients
from ...draw.agreement.coefficients import CoefficientView
from ...draw.pen import theme
from . import chosen_output, segment
from .agreement_job import AgreementJob
from .record import AgreementState

GROUPS = {"none": "all outputs at once", "item": "each segment", "sys": "each system"}
TAUS = {"b": "τ-b", "10": "τ of WMT 2010", "13": "τ of WMT 2013"}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """The table, what is said of it, and at the right the outputs on which the metric and people differ most."""
    left_side, right = segment.sides()
    with left_side:
        _menus()
        sort = state.sort if state.sort in LEVELS[cast(Level, state.level)] else "pearson"
        look = CoefficientView(cast(Level, state.level), sort, chosen_output.column(corpus, state))
        sentences = [
            each for each in (coefficients.answer(table, "segment"), coefficients.answer(table, "system")) if each
        ]
        answers = f'<div class="answers">{"".join([f"<p>{theme.safe(each, 600)}</p>" for each in sentences])}</div>'
        remarks = "".join([f"<li>{theme.safe(each.text, 900)}</li>" for each in table.remarks])
        notes = f'<ul class="remarks">{remarks}</ul>' if remarks else ""
        links.show("agreement_table", f"{answers}{coefficients.draw(table, look)}{notes}", _choice_handler(table))
        if table.stage == "intervals":
            _compare(corpus, table, look)
    with right:
        segment.draw(corpus, state, table, chosen_output.torn(corpus, state, table))


def _compare(corpus: AgreementJob, table: Table, look: CoefficientView) -> None:
    """Two rows held against each other by the coefficient that the table is sorted by."""
    with st.expander("Compare two metrics", on_change="rerun", key="agreement_compare") as box:
        if not box.open:
            return
        rows = [row for row in coefficients.ordered(table, look.level, look.sort) if row.column.people is None]
        labels = {row.column.key: row.column.label for row in rows if row.column.kind is not AgreementColumnKind.CHANCE}
        if len(labels) < 2:
            st.info("There is one metric alone.")
            return
        keys = [*labels]
        chosen = []
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for n, label in enumerate(("One", "The other")):
                key = f"agreement_compare_{n}"
                if st.session_state.get(key) not in keys:
                    st.session_state[key] = next(each for each in keys if each not in chosen)
                answer = st.selectbox(
                    label, keys, key=key, format_func=lambda each: theme.markdown(labels[each]), width=210
                )
                chosen.append(answer)
        one, other = chosen
        if one == other:
            st.info("Choose two metrics that differ.")
            return
        request = "compare", table.scale, table.group, table.tau, one, other, look.level, look.sort
        comparison = corpus.find(request, lambda _: compare(table, one, other, look.level, look.sort))
        if comparison is None:
            st.html('<p class="finding" role="status">Drawing permutations …</p>')
        elif isinstance(comparison, str):
            st.error(theme.markdown(theme.visible(comparison, 400)))
        else:
            answer = coefficients.compared(comparison, (labels[one], labels[other]), look.level, look.sort)
            st.html(f'<p class="answer">{theme.safe(answer, 900)}</p>')


def _menus() -> None:
    """Over what coefficients are taken, and which of Kendall's."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_how"):
        for key, label, options, first in (
            ("agreement_group", "Over segments, within", GROUPS, "none"),
            ("agreement_tau", "Kendall's", TAUS, "b"),
        ):
            st.session_state.setdefault(key, first)
            st.selectbox(label, list(options), key=key, format_func=options.__getitem__, width=210)


def _choice_handler(table: Table) -> links.OnEvent:
    def handle_choice(name: str, value: str) -> None:
        state = st.session_state
        level, _, coefficient = value.partition("/")
        if name == "sort" and level in LEVELS and coefficient in LEVELS[cast(Level, level)]:
            state.agreement_level, state.agreement_sort = level, coefficient
        if name == "row":
            chosen_output.choose_column(table, value)

    return handle_choice
