"""Open what a click in a chart, in the patterns or in the table of systems points to, and wait for pending results."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.filter import LETTERS_MOST

from ...draw.pen.numbers import count_text
from ...draw.pen.text import safe
from ...frame.corpora import CorpusJob
from ...state.links import codec
from . import visitor_corpus
from .filter import filters
from .filter.filters import SelectedSegments
from .record import FilterPart

TICK = 0.5  # seconds between two checks for a pending result


def open_target(job: CorpusJob, name: str, value: str) -> None:
    """Open what a click points to; a callback.

    `name` and `value` come from the browser: "segment" or "document" with the index of a segment, "filter" with an
    expression, "pair" with the indices of the systems that become A and B. Invalid values are ignored."""
    state = st.session_state
    if name == "segment" and (number := codec.parse_sent_number(value, job.segment_count)) is not None:
        state.corpus_segment = number
    if name == "filter" and 0 < len(value) <= LETTERS_MOST:
        add_filter_part(FilterPart(value, value))
    if name == "document" and (number := codec.parse_sent_number(value, job.segment_count)) is not None:
        add_filter_part(filters.document_part(job, job.document_name(number)))
    if name == "pair":
        pair = [codec.parse_sent_number(each, len(job.names)) for each in value.split(",")]
        if len(pair) == 2 and None not in pair and pair[0] != pair[1]:
            state.corpus_a, state.corpus_b = pair
            state.whole_page = True


def scroll_to_segment() -> None:
    """Have the browser scroll to the table of segments and to the evidence of the selected one."""
    st.session_state.corpus_seek = st.session_state.get("corpus_seek", 0) + 1


def add_filter_part(part: FilterPart) -> None:
    """Add a part to the filter, and show the segments that it selects in the table."""
    filters.add_part(part)
    st.session_state.corpus_view = "segments"


def describe_segments(job: CorpusJob, numbers: NDArray[np.intp]) -> str:
    """Return a text on how many segments are shown, and whether they are those of the filter.

    `numbers` are the indices of the shown segments."""
    if len(numbers) == job.segment_count:
        return count_text(job.segment_count, "segment")
    return f"{len(numbers):,} of {count_text(job.segment_count, 'segment')}, those of the filter"


def describe_scope(job: CorpusJob, selected: SelectedSegments) -> str:
    """Return a text on the segments in which patterns are searched, and whether tests on them are valid."""
    if selected.subset is None:
        return f"looked for in all {count_text(job.segment_count, 'segment')}"
    fair = "" if selected.subset.fair else "; these were chosen by outputs or scores, so q says nothing about chance"
    return f"looked for in {describe_segments(job, selected.subset.segment_indices)}{fair}"


def draw_pending(job: CorpusJob, says: str) -> None:
    """Draw the sentence `says` while a result is computed, and rerun the page when more results are known."""
    _wait_fragment(job.revision(), says)


@st.fragment(run_every=TICK)
def _wait_fragment(known_revision: int, says: str) -> None:
    """Draw the sentence `says`, as a fragment; rerun the page when the job's revision is no longer `known_revision`."""
    job = visitor_corpus.visitor_job()
    if job is None or job.revision() != known_revision or not job.is_busy:
        st.rerun()
    job.keep_alive()
    st.html(f'<p class="finding" role="status">{safe(says, 300)}</p>')
