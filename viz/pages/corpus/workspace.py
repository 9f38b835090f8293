"""The texts of a corpus in a workspace file, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

import metrics

from ...frame import given, plain_texts
from ...frame.corpora import Scoring
from . import held
from .record import Corpus

NAME = "corpus"  # what a file calls them


def give() -> Callable[[], Mapping[str, Any]]:
    """What gives the texts of the visitor's corpus as they were given, nothing where there is none."""
    found = held.scoring()
    return dict if found is None else partial(_given, found)


def _given(found: Scoring) -> Mapping[str, Any]:
    marks = plain_texts.spans(found.judged, found.stands) if found.judged else []
    return {NAME: {**plain_texts.plain(found.stands), **({"spans": marks} if marks else {})}}


def take(shown: Corpus, extra: Mapping[str, Any]) -> None:
    """Score the texts that a file holds, with the settings that it holds. ValueError where they are none."""
    if NAME not in extra:
        return
    material = plain_texts.material(extra[NAME])
    if not material.systems or not material.references:
        raise ValueError("a system and references are needed")
    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    marks = [*plain_texts.table("spans.jsonl", extra[NAME].get("spans", []))]
    judged = given.judgements_of(marks, material) if marks else None
    if isinstance(judged, str):
        raise ValueError(judged.rstrip("."))
    begun = Scoring(material, shown.text, settings, shown.metric, {})
    begun.judged = judged
    held.begin(begun)
    last = len(material.systems) - 1
    st.session_state.update(
        corpus_a=min(shown.a, last), corpus_b=min(shown.b, last), corpus_segment=shown.segment, corpus_says=""
    )
