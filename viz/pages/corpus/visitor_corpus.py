"""The corpus of a visitor: which one it is, how a tab finds it again, and what is read of it."""

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
    """The visitor's corpus, None where there is none."""
    job: CorpusJob | None = st.session_state.get("corpus")
    return job


def begin(scoring: CorpusJob) -> None:
    """Score a corpus, in the place of the former one."""
    drop()
    st.session_state.update(corpus=corpora.add(scoring), corpus_lost=False)
    st.session_state.corpus_segment = None
    scoring.start()


def drop() -> None:
    """Forget the corpus."""
    if former := st.session_state.pop("corpus", None):
        former.stop()


def name() -> str | None:
    """What the tab keeps for a reload."""
    job = scoring()
    return job.name if job else None


def take(stored_name: object) -> None:
    """Find what the tab had before it was loaded again."""
    if not isinstance(stored_name, str) or scoring():
        return
    if job := corpora.find_by_name(stored_name):
        st.session_state.corpus = job
        st.session_state.whole_page = True
    else:
        st.session_state.corpus_lost = True


def texts(job: CorpusJob, system: int, segment: int) -> ProcessedTexts | MissingText:
    """A segment of a system, ready to be drawn with what people marked in it."""
    return outputs.texts(job.material, job.text, job.names[system], segment, judged(job, [system], segment))


def pair_texts(job: CorpusJob, a: int, b: int, segment: int) -> list[ProcessedTexts] | MissingText:
    """A segment of two systems, ready to be drawn with what people marked in them."""
    people = judged(job, [a, b], segment)
    return outputs.pair_texts(job.material, job.text, (job.names[a], job.names[b]), segment, people)


def judged(job: CorpusJob, systems: Sequence[int], segment: int) -> JudgementRecord | None:
    """What people said, where they said it of these outputs: of a system whose lines were moved it was of others."""
    names = [job.names[n] for n in systems]
    lines = [[m.systems[name].lines[segment : segment + 1] for name in names] for m in (job.material, job.stands)]
    return job.judged if lines[0] == lines[1] else None
