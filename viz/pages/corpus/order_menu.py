"""Draw the selector of the order of the segments, and the field that opens a segment by its number."""

from __future__ import annotations

import streamlit as st

from ...frame.corpora import CorpusJob
from ...state.visit import pending_widgets
from .record import CorpusState
from .segment_rows import SegmentTable

SORT, GO = "corpus_order", "corpus_go"


def order_choices(segment_table: SegmentTable) -> dict[tuple[str, bool], str]:
    """Return the labels of the orders in which segments can be sorted.

    A key has the sort key, such as "worth", and whether the order is reversed."""
    columns = sorted(segment_table.column_of_name.values(), key=lambda column: column.rank)
    return {
        (column.name, up): column.orders[up]
        for column in columns
        if column.shown or column.name == "length"
        for up in (False, True)
    }


def draw_sentence_scores_note(job: CorpusJob, state: CorpusState) -> None:
    """Draw the sentence on how the scores of single segments are made, for a metric that needs one."""
    if note := job.table(state.score_key).sentence_scores_note():
        st.caption(note)


def draw(job: CorpusJob, page_state: CorpusState, segment_table: SegmentTable) -> None:
    """Draw the selector of the order of the segments, and the field that opens a segment by its number."""
    state, order_labels = st.session_state, order_choices(segment_table)

    def store_order() -> None:
        # After a click on a column's head the browser may still send the former order, which must be ignored.
        pending_widgets.restore_given_values()
        if state[SORT] in order_labels and state[SORT] != (state.get("corpus_sort"), state.get("corpus_up")):
            state.corpus_sort, state.corpus_up = state[SORT]
            state.corpus_segment, state.corpus_from_top = None, True

    def open_by_number() -> None:
        if state[GO] is not None:
            state.corpus_segment = min(max(int(state[GO]), 1), job.segment_count) - 1
        state[GO] = None

    now = page_state.sort, page_state.up
    pending_widgets.give_value(SORT, now if now in order_labels else ("number", False))
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_order_bar"):
        st.selectbox(
            "Order",
            [*order_labels],
            key=SORT,
            format_func=lambda each: order_labels.get(each, ""),
            label_visibility="collapsed",
            on_change=store_order,
        )
        st.number_input(
            "Go to segment",
            1,
            job.segment_count,
            value=None,
            step=1,
            key=GO,
            placeholder="Go to segment",
            label_visibility="collapsed",
            on_change=open_by_number,
        )
        draw_sentence_scores_note(job, page_state)
