"""Write the texts of a corpus into a workspace file, and read them back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

import metrics

from ...frame import file_intake, plain_texts
from ...frame.corpora import CorpusJob
from . import scoring, visitor_corpus
from .record import CorpusState

NAME = "corpus"  # the file's key of the texts


def give() -> Callable[[], Mapping[str, Any]]:
    """Return a callable that returns the texts of the visitor's corpus as they were given, for the workspace file.

    It returns an empty dict if there is no corpus."""
    job = visitor_corpus.visitor_job()
    return dict if job is None else partial(_corpus_texts, job)


def _corpus_texts(job: CorpusJob) -> Mapping[str, Any]:
    """Return the texts of a corpus, with marked errors, as JSON values for a workspace file."""
    marks = plain_texts.marked_error_rows(job.judged, job.unrepaired_material) if job.judged else []
    return {NAME: {**plain_texts.material_to_json(job.unrepaired_material), **({"spans": marks} if marks else {})}}


def take(state: CorpusState, extra: Mapping[str, Any]) -> None:
    """Score the corpus in a workspace file, with the settings of its page state.

    `extra` are the values in the file that are no page state. Raises ValueError if they are not a valid corpus."""
    if NAME not in extra:
        return
    material = plain_texts.material_from_json(extra[NAME])
    if not material.systems or not material.references:
        raise ValueError("a system and references are needed")
    settings = {key: state.settings_of(key) for key in metrics.METRICS}
    marks = [*plain_texts.json_lines_files("spans.jsonl", extra[NAME].get("spans", []))]
    judged = file_intake.read_judgements(marks, material) if marks else None
    if isinstance(judged, str):
        raise ValueError(judged.rstrip("."))
    wanted = scoring.chosen_metrics(state, len(material))
    first = state.metric if state.metric in wanted else wanted[0]
    job = CorpusJob(material, state.text, settings, first, wanted=wanted)
    st.session_state.metric = first
    job.judged = judged
    visitor_corpus.begin_scoring(job)
    last = len(material.systems) - 1
    st.session_state.update(
        corpus_a=min(state.a, last), corpus_b=min(state.b, last), corpus_segment=state.segment, corpus_says=""
    )
