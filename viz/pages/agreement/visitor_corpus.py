"""Hold the visitor's judged corpus in the session, and find it again after a reload."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...draw.texts import ProcessedTexts
from ...frame import outputs
from ...state.texts.inputs import MissingKind, MissingText
from . import agreement_job
from .agreement_job import AgreementJob
from .record import AgreementState

LOST = "The server was restarted and no longer has this corpus: choose its files again. Your settings are kept."
UNREFERRED = MissingText(MissingKind.REFERENCE, "There is no reference, so no metric can be scored.")


def visitor_job() -> AgreementJob | None:
    """Return the visitor's judged corpus from the session, None if there is none."""
    judged_corpus: AgreementJob | None = st.session_state.get("agreement")
    return judged_corpus


def begin_scoring(judged_corpus: AgreementJob) -> None:
    """Put a corpus into the session in place of the former one, and start scoring it."""
    drop_corpus()
    st.session_state.update(agreement=agreement_job.register_job(judged_corpus), agreement_lost=False)
    clear_selection()
    judged_corpus.start()


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


def drop_corpus() -> None:
    """Stop the computation of the corpus, and remove it from the session."""
    if former := st.session_state.pop("agreement", None):
        former.stop()


def name() -> str | None:
    """Return the name of the corpus, which the tab keeps for a reload; None if there is no corpus."""
    judged_corpus = visitor_job()
    return judged_corpus.name if judged_corpus else None


def take(kept_name: object) -> None:
    """Find the corpus that the tab kept by name, after a reload.

    If the server no longer has it, the next run says so."""
    if not isinstance(kept_name, str) or visitor_job():
        return
    if judged_corpus := agreement_job.find_job_by_name(kept_name):
        st.session_state.agreement = judged_corpus
        st.session_state.whole_page = True
    else:
        st.session_state.agreement_lost = True


def drawable_output(judged_corpus: AgreementJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """Return a system's output for a segment with its references, ready to be drawn, or why it cannot be."""
    if not judged_corpus.material.references:
        return UNREFERRED
    return outputs.drawable_output(
        judged_corpus.material, judged_corpus.text, judged_corpus.systems[system], segment, judged_corpus.judged
    )


def drawable_pair(
    judged_corpus: AgreementJob, systems: tuple[int, int], segment: int
) -> list[ProcessedTexts] | MissingText:
    """Return two systems' outputs for a segment with their references, ready to be drawn, or why they cannot be."""
    if not judged_corpus.material.references:
        return UNREFERRED
    one, other = (judged_corpus.systems[n] for n in systems)
    return outputs.drawable_pair(
        judged_corpus.material, judged_corpus.text, (one, other), segment, judged_corpus.judged
    )


def drawable_unreferenced_outputs(
    judged_corpus: AgreementJob, systems: Sequence[int], segment: int
) -> list[tuple[str, ProcessedTexts]]:
    """Return pairs of a system's name and its output for a segment, ready to be drawn without references."""
    return outputs.drawable_unreferenced_outputs(
        judged_corpus.material,
        judged_corpus.text,
        [judged_corpus.systems[n] for n in systems],
        segment,
        judged_corpus.judged,
    )
