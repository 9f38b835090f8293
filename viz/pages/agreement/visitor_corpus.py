"""Hold the visitor's judged corpus in the session, with what is selected in it."""

from __future__ import annotations

import streamlit as st

from ...frame.visitor_corpora import VisitorCorpora
from .agreement_job import AgreementJob
from .record import AgreementState

CORPORA: VisitorCorpora[AgreementJob] = VisitorCorpora("agreement")
visitor_job = CORPORA.current


def begin_scoring(judged_corpus: AgreementJob) -> None:
    """Put a corpus into the session in place of the former one, and start scoring it."""
    clear_selection()
    CORPORA.begin_scoring(judged_corpus)


def clear_selection() -> None:
    """Deselect the output, and the row or point that is selected in a view."""
    st.session_state.update(agreement_system=None, agreement_segment=None, agreement_other=None, agreement_choice="")


def restore_selection(state: AgreementState) -> None:
    """Select the output that a page state names, and the row or point of its view."""
    st.session_state.update(
        agreement_system=state.system,
        agreement_segment=state.segment,
        agreement_other=state.other,
        agreement_choice=state.choice,
    )
