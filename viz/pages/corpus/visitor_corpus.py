"""Hold the visitor's corpus in the session, find it again after a reload, and prepare its texts for drawing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.text.judgements import JudgementRecord

from ...draw.texts import ProcessedTexts
from ...frame import corpora, outputs
from ...frame.corpora import CorpusJob
from ...state.texts.inputs import MissingText
from . import link_texts

LOST = "The server was restarted and no longer has this corpus: choose its files again. Your settings are kept."


def visitor_job() -> CorpusJob | None:
    """Return the visitor's corpus from the session, None if there is none."""
    job: CorpusJob | None = st.session_state.get("corpus")
    return job


def begin_scoring(job: CorpusJob) -> None:
    """Put a corpus into the session in place of the former one, and start scoring it."""
    drop_corpus()
    st.session_state.update(corpus=corpora.register_job(job), corpus_lost=False)
    st.session_state.corpus_segment = None
    job.start()


def name_texts(job: CorpusJob, language: str) -> bool:
    """Store the names of the texts of a corpus for its link; return whether the session had others.

    `language` is the one in which they were scored, if they are named for the first time."""
    state = st.session_state
    if state.get("corpus_named", ("",))[0] != job.name:
        state.corpus_named = job.name, link_texts.write_texts(link_texts.texts_of(job.unrepaired_material, language))
    changed = bool(state.get("corpus_texts") != state.corpus_named[1])
    state.corpus_texts = state.corpus_named[1]
    return changed


def drop_corpus() -> None:
    """Stop scoring the corpus, and remove it from the session."""
    if former := st.session_state.pop("corpus", None):
        former.stop()


def name() -> str | None:
    """Return the name of the corpus, which the tab keeps for a reload; None if there is no corpus."""
    job = visitor_job()
    return job.name if job else None


def take(stored_name: object) -> None:
    """Find the corpus that the tab kept by name, after a reload.

    If the server no longer has it, the next run says so."""
    if not isinstance(stored_name, str) or visitor_job():
        return
    if job := corpora.find_job_by_name(stored_name):
        st.session_state.corpus = job
        st.session_state.whole_page = True
    else:
        st.session_state.corpus_lost = True


def drawable_output(job: CorpusJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """Return a system's output for a segment with its references, ready to be drawn, or why it cannot be.

    The errors that people marked are attached."""
    return outputs.drawable_output(
        job.material, job.text, job.names[system], segment, applicable_judgements(job, [system], segment)
    )


def drawable_pair(job: CorpusJob, a: int, b: int, segment: int) -> list[ProcessedTexts] | MissingText:
    """Return the outputs of systems `a` and `b` for a segment with their references, ready to be drawn, or why not.

    The errors that people marked are attached."""
    people = applicable_judgements(job, [a, b], segment)
    return outputs.drawable_pair(job.material, job.text, (job.names[a], job.names[b]), segment, people)


def applicable_judgements(job: CorpusJob, systems: Sequence[int], segment: int) -> JudgementRecord | None:
    """Return the corpus's judgements if they apply to these systems' outputs for a segment, else None.

    They do not apply if a repair has moved the lines of a system since they were judged."""
    names = [job.names[n] for n in systems]
    lines = [
        [m.systems[name].lines[segment : segment + 1] for name in names]
        for m in (job.material, job.unrepaired_material)
    ]
    return job.judged if lines[0] == lines[1] else None
