"""The table of metrics and how they agree with people over segments and over systems."""

from __future__ import annotations

from typing import cast

import streamlit as st

from metrics.corpus.agreement import LEVELS
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement.agree import Level

from ...components import links
from ...draw.agreement import coefficients
from ...draw.agreement.coefficients import Look
from ...draw.pen import theme
from . import looking, segment
from .agreeing import Agreeing
from .record import Agreement

GROUPS = {"none": "all outputs at once", "item": "each segment", "sys": "each system"}
TAUS = {"b": "τ-b", "10": "τ of WMT 2010", "13": "τ of WMT 2013"}


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """The table, what is said of it, and at the right the outputs on which the metric and people differ most."""
    left, right = segment.sides()
    with left:
        _menus()
        sort = shown.sort if shown.sort in LEVELS[cast(Level, shown.level)] else "pearson"
        look = Look(cast(Level, shown.level), sort, looking.column(found, shown))
        said = [each for each in (coefficients.answer(table, "segment"), coefficients.answer(table, "system")) if each]
        answers = f'<div class="answers">{"".join([f"<p>{theme.safe(each, 600)}</p>" for each in said])}</div>'
        remarks = "".join([f"<li>{theme.safe(each.text, 900)}</li>" for each in table.remarks])
        notes = f'<ul class="remarks">{remarks}</ul>' if remarks else ""
        links.show("agreement_table", f"{answers}{coefficients.draw(table, look)}{notes}", _told(table))
    with right:
        segment.draw(found, shown, table, looking.torn(found, shown, table))


def _menus() -> None:
    """Over what coefficients are taken, and which of Kendall's."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_how"):
        for key, label, options, first in (
            ("agreement_group", "Over segments, within", GROUPS, "none"),
            ("agreement_tau", "Kendall's", TAUS, "b"),
        ):
            st.session_state.setdefault(key, first)
            st.selectbox(label, list(options), key=key, format_func=options.__getitem__, width=210)


def _told(table: Table) -> links.Told:
    def told(name: str, value: str) -> None:
        state = st.session_state
        level, _, coefficient = value.partition("/")
        if name == "sort" and level in LEVELS and coefficient in LEVELS[cast(Level, level)]:
            state.agreement_level, state.agreement_sort = level, coefficient
        if name == "row":
            looking.choose_column(table, value)

    return told
