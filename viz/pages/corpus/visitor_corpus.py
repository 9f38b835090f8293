"""Hold the visitor's corpus in the session, and name its texts for its link."""

from __future__ import annotations

import streamlit as st

from ...frame.corpora import CorpusJob
from ...frame.visitor_corpora import VisitorCorpora
from . import link_texts

CORPORA: VisitorCorpora[CorpusJob] = VisitorCorpora("corpus")
visitor_job = CORPORA.current


def begin_scoring(job: CorpusJob) -> None:
    """Put a corpus into the session in place of the former one, and start scoring it."""
    st.session_state.corpus_segment = None
    CORPORA.begin_scoring(job)


def name_texts(job: CorpusJob, language: str) -> bool:
    """Store the names of the texts of a corpus for its link; return whether the session had others.

    `language` is the one in which they were scored, if they are named for the first time."""
    state = st.session_state
    if state.get("corpus_named", ("",))[0] != job.name:
        state.corpus_named = job.name, link_texts.write_texts(link_texts.texts_of(job.unrepaired_material, language))
    changed = bool(state.get("corpus_texts") != state.corpus_named[1])
    state.corpus_texts = state.corpus_named[1]
    return changed
