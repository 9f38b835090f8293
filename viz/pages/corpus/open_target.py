"""What a place of a chart, of the patterns and of the table of systems leads to, and what is said while it is found."""

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

TICK = 0.5  # seconds between two looks at what is being found


def open_target(job: CorpusJob, name: str, value: str) -> None:
    """Open a segment, select those of a filter or a document, or have a pair of systems become A and B; what was told
    may be anything."""
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


def seek() -> None:
    """Have the table and the evidence of the chosen segment be brought into sight."""
    st.session_state.corpus_seek = st.session_state.get("corpus_seek", 0) + 1


def select(part: FilterPart) -> None:
    """Show the segments of a part of the filter in the table."""
    filters.add(part)
    st.session_state.corpus_view = "segments"


def describe_segments(job: CorpusJob, numbers: NDArray[np.intp]) -> str:
    """Which segments are shown."""
    if len(numbers) == job.size:
        return theme.count_text(job.size, "segment")
    return f"{len(numbers):,} of {theme.count_text(job.size, 'segment')}, those of the filter"


def whole(job: CorpusJob, selected: Selected) -> str:
    """In which segments patterns are looked for."""
    if selected.subset is None:
        return f"looked for in all {theme.count_text(job.size, 'segment')}"
    fair = "" if selected.subset.fair else "; these were chosen by outputs or scores, so q says nothing of chance"
    return f"looked for in {describe_segments(job, selected.subset.numbers)}{fair}"


def wait(job: CorpusJob, says: str) -> None:
    """Say that something is being found, and show it when it is."""
    _wait(job.revision(), says)


@st.fragment(run_every=TICK)
def _wait(known_count: int, says: str) -> None:
    job = visitor_corpus.scoring()
    if job is None or job.revision() != known_count or not job.busy:
        st.rerun()
    job.hear()
    st.html(f'<p class="finding" role="status">{theme.safe(says, 300)}</p>')
