"""The judged corpus of a visitor: which one it is, and how a tab finds it again."""

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
    """The visitor's corpus, None where there is none."""
    judged_corpus: AgreementJob | None = st.session_state.get("agreement")
    return judged_corpus


def begin(judged_corpus: AgreementJob) -> None:
    """Score a corpus, in the place of the former one."""
    drop()
    st.session_state.update(agreement=agreement_job.add(judged_corpus), agreement_lost=False)
    forget_choice()
    judged_corpus.start()


def forget_choice() -> None:
    """Look at no output in particular."""
    st.session_state.update(agreement_system=None, agreement_segment=None, agreement_other=None, agreement_choice="")


def look_at(state: AgreementState) -> None:
    """Look at the output that a record names."""
    st.session_state.update(
        agreement_system=state.system,
        agreement_segment=state.segment,
        agreement_other=state.other,
        agreement_choice=state.choice,
    )


def drop() -> None:
    """Forget the corpus."""
    if former := st.session_state.pop("agreement", None):
        former.stop()


def name() -> str | None:
    """What the tab keeps for a reload."""
    judged_corpus = corpus()
    return judged_corpus.name if judged_corpus else None


def take(kept_name: object) -> None:
    """Find what the tab had before it was loaded again."""
    if not isinstance(kept_name, str) or corpus():
        return
    if judged_corpus := agreement_job.find_by_name(kept_name):
        st.session_state.agreement = judged_corpus
        st.session_state.whole_page = True
    else:
        st.session_state.agreement_lost = True


def texts(judged_corpus: AgreementJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """An output, ready to be drawn."""
    if not judged_corpus.material.references:
        return UNREFERRED
    return outputs.texts(
        judged_corpus.material, judged_corpus.text, judged_corpus.systems[system], segment, judged_corpus.judged
    )


def pair_texts(
    judged_corpus: AgreementJob, systems: tuple[int, int], segment: int
) -> list[ProcessedTexts] | MissingText:
    """Two outputs of a segment, ready to be drawn."""
    if not judged_corpus.material.references:
        return UNREFERRED
    one, other = (judged_corpus.systems[n] for n in systems)
    return outputs.pair_texts(judged_corpus.material, judged_corpus.text, (one, other), segment, judged_corpus.judged)


def unreferenced_texts(
    judged_corpus: AgreementJob, systems: Sequence[int], segment: int
) -> list[tuple[str, ProcessedTexts]]:
    """Outputs of a segment, by their systems' names, without its references."""
    return outputs.unreferenced_texts(
        judged_corpus.material,
        judged_corpus.text,
        [judged_corpus.systems[n] for n in systems],
        segment,
        judged_corpus.judged,
    )
