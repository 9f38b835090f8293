"""Open what a click in a chart, in the patterns or in the table of systems points to, and wait for pending results."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.filter import LETTERS_MOST

from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from ...state import codec
from . import filters, visitor_corpus
from .filters import Selected
from .record import FilterPart

TICK = 0.5  # seconds between two checks for a pending result


def open_target(job: CorpusJob, name: str, value: str) -> None:
    """Open a segment, select those of a filter or a document, or make a pair of systems A and B, in a callback.

    Invalid values are ignored, because the browser may send anything."""
    state = st.session_state
    if name == "segment" and (number := codec.number_sent(value, job.size)) is not None:
        state.corpus_segment = number
    if name == "filter" and 0 < len(value) <= LETTERS_MOST:
        select(FilterPart(value, value))
    if name == "document" and (number := codec.number_sent(value, job.size)) is not None:
        select(filters.of_document(job, job.document(number)))
    if name == "pair":
        pair = [codec.number_sent(each, len(job.names)) for each in value.split(",")]
        if len(pair) == 2 and None not in pair and pair[0] != pair[1]:
            state.corpus_a, state.corpus_b = pair
            state.whole_page = True


def scroll_to_segment() -> None:
    """Scroll to the table and to the evidence of the selected segment."""
    st.session_state.corpus_seek = st.session_state.get("corpus_seek", 0) + 1


def select(part: FilterPart) -> None:
    """Add a part to the filter, and show its segments in the table."""
    filters.add(part)
    st.session_state.corpus_view = "segments"


def describe_segments(job: CorpusJob, numbers: NDArray[np.intp]) -> str:
    """Return how many segments are shown, and whether they are those of the filter."""
    if len(numbers) == job.size:
        return theme.count_text(job.size, "segment")
    return f"{len(numbers):,} of {theme.count_text(job.size, 'segment')}, those of the filter"


def describe_scope(job: CorpusJob, selected: Selected) -> str:
    """Return in which segments patterns are searched, and whether tests on them are valid."""
    if selected.subset is None:
        return f"looked for in all {theme.count_text(job.size, 'segment')}"
    fair = "" if selected.subset.fair else "; these were chosen by outputs or scores, so q says nothing of chance"
    return f"looked for in {describe_segments(job, selected.subset.numbers)}{fair}"


def draw_pending(job: CorpusJob, says: str) -> None:
    """Draw a sentence while a result is pending, and rerun the page when it is known."""
    _wait_fragment(job.revision(), says)


@st.fragment(run_every=TICK)
def _wait_fragment(known_count: int, says: str) -> None:
    """Draw the sentence, as a fragment; rerun the page when the job knows more than `known_count`."""
    job = visitor_corpus.scoring()
    if job is None or job.revision() != known_count or not job.busy:
        st.rerun()
    job.keep_alive()
    st.html(f'<p class="finding" role="status">{theme.safe(says, 300)}</p>')
