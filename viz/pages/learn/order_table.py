"""Draw a table of small sentences from papers, in which the words change their order, scored by every metric."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import metrics
from metrics.analysis import word_order
from metrics.analysis.word_order import VariantRow

from ...components import fragment as component
from ...draw.learn import order_table as drawing


def draw() -> None:
    """Draw the table, with a sentence on what it shows."""
    rows = _rows()
    st.caption(drawing.summary_sentence(rows))
    component.show("order", drawing.fragment(rows), fits_place=False)


@st.cache_data(max_entries=1, show_spinner=False)
def _rows() -> Sequence[VariantRow]:
    """Return the rows of the table, one for each sentence; cached."""
    return word_order.variant_table(metrics.METRICS)
