"""Hold the visitor's corpus in the session, find it again after a reload, and prepare its texts for drawing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.text.judgements import JudgementRecord

from ...draw.texts import ProcessedTexts
from ...frame import corpora, outputs
from ...frame.corpora import CorpusJob
from ...state.inputs import MissingText

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."


def scoring() -> CorpusJob | None:
    """Return the visitor's corpus, None if there is none."""
    job: CorpusJob | None = st.session_state.get("corpus")
    return job


def begin(scoring: CorpusJob) -> None:
    """Start scoring a corpus, which replaces the former one."""
    drop()
    st.session_state.update(corpus=corpora.add(scoring), corpus_lost=False)
    st.session_state.corpus_segment = None
    scoring.start()


def drop() -> None:
    """Stop and forget the corpus."""
    if former := st.session_state.pop("corpus", None):
        former.stop()


def name() -> str | None:
    """Return the name of the corpus, which the tab keeps for a reload; None if there is no corpus."""
    job = scoring()
    return job.name if job else None


def take(stored_name: object) -> None:
    """Find the corpus whose name the tab kept, after a reload."""
    if not isinstance(stored_name, str) or scoring():
        return
    if job := corpora.find_by_name(stored_name):
        st.session_state.corpus = job
        st.session_state.whole_page = True
    else:
        st.session_state.corpus_lost = True


def texts(job: CorpusJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """Return a system's output for a segment, ready to be drawn with marked errors, or why it cannot be."""
    return outputs.texts(job.material, job.text, job.names[system], segment, judged(job, [system], segment))


def pair_texts(job: CorpusJob, a: int, b: int, segment: int) -> list[ProcessedTexts] | MissingText:
    """Return two systems' outputs for a segment, ready to be drawn with marked errors, or why they cannot be."""
    people = judged(job, [a, b], segment)
    return outputs.pair_texts(job.material, job.text, (job.names[a], job.names[b]), segment, people)


def judged(job: CorpusJob, systems: Sequence[int], segment: int) -> JudgementRecord | None:
    """Return the judgements if they apply to these outputs, else None.

    They do not apply if a repair has moved the lines of a system since they were judged."""
    names = [job.names[n] for n in systems]
    lines = [[m.systems[name].lines[segment : segment + 1] for name in names] for m in (job.material, job.stands)]
    return job.judged if lines[0] == lines[1] else None
