"""Hold the visitor's judged corpus in the session, and find it again after a reload."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...draw.texts import ProcessedTexts
from ...frame import outputs
from ...state.inputs import MissingKind, MissingText
from . import agreement_job
from .agreement_job import AgreementJob
from .record import AgreementState

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."
UNREFERRED = MissingText(MissingKind.REFERENCE, "There is no reference, so that no metric can be scored.")


def corpus() -> AgreementJob | None:
    """Return the visitor's corpus, None if there is none."""
    judged_corpus: AgreementJob | None = st.session_state.get("agreement")
    return judged_corpus


def begin(judged_corpus: AgreementJob) -> None:
    """Start scoring a corpus, which replaces the former one."""
    drop()
    st.session_state.update(agreement=agreement_job.add(judged_corpus), agreement_lost=False)
    forget_choice()
    judged_corpus.start()


def forget_choice() -> None:
    """Deselect the output and what is selected in a view."""
    st.session_state.update(agreement_system=None, agreement_segment=None, agreement_other=None, agreement_choice="")


def look_at(state: AgreementState) -> None:
    """Select the output that a page state names."""
    st.session_state.update(
        agreement_system=state.system,
        agreement_segment=state.segment,
        agreement_other=state.other,
        agreement_choice=state.choice,
    )


def drop() -> None:
    """Stop and forget the corpus."""
    if former := st.session_state.pop("agreement", None):
        former.stop()


def name() -> str | None:
    """Return the name of the corpus, which the tab keeps for a reload; None if there is no corpus."""
    judged_corpus = corpus()
    return judged_corpus.name if judged_corpus else None


def take(kept_name: object) -> None:
    """Find the corpus whose name the tab kept, after a reload."""
    if not isinstance(kept_name, str) or corpus():
        return
    if judged_corpus := agreement_job.find_by_name(kept_name):
        st.session_state.agreement = judged_corpus
        st.session_state.whole_page = True
    else:
        st.session_state.agreement_lost = True


def texts(judged_corpus: AgreementJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """Return an output ready to be drawn, or why it cannot be."""
    if not judged_corpus.material.references:
        return UNREFERRED
    return outputs.texts(
        judged_corpus.material, judged_corpus.text, judged_corpus.systems[system], segment, judged_corpus.judged
    )


def pair_texts(
    judged_corpus: AgreementJob, systems: tuple[int, int], segment: int
) -> list[ProcessedTexts] | MissingText:
    """Return two systems' outputs for a segment ready to be drawn, or why they cannot be."""
    if not judged_corpus.material.references:
        return UNREFERRED
    one, other = (judged_corpus.systems[n] for n in systems)
    return outputs.pair_texts(judged_corpus.material, judged_corpus.text, (one, other), segment, judged_corpus.judged)


def unreferenced_texts(
    judged_corpus: AgreementJob, systems: Sequence[int], segment: int
) -> list[tuple[str, ProcessedTexts]]:
    """Return pairs of a system's name and its output for a segment, ready to be drawn without references."""
    return outputs.unreferenced_texts(
        judged_corpus.material,
        judged_corpus.text,
        [judged_corpus.systems[n] for n in systems],
        segment,
        judged_corpus.judged,
    )
