"""Find the verdict that the Sentence page shows above its evidence.

Finding the edit that costs most takes longer than all scores. So it starts only once the browser has shown the rest
for a while, and a change of the texts stays fast."""

from __future__ import annotations

import streamlit as st

from metrics.types import Result

from ...draw.evidence import verdict as drawing
from ...draw.texts import ProcessedTexts
from ...frame.strip import StripVerdict
from ...state.results import edits, scoring
from ...state.results.cache import Problem
from .record import SentenceState

VIEWS = ("metric", "cost")  # the views of one metric's score
KEPT = 50  # the last results whose dearest edit was asked for, and is shown at once
LONGEST = 200  # up to this number of candidate words, the browser asks for the dearest edit by itself


def verdict(texts: ProcessedTexts, page_state: SentenceState) -> StripVerdict | None:
    """Return the verdict on the shown score, with the edit that costs most once the browser has asked for it.

    Return None if the view is not about one metric, or if the score takes too long."""
    result = scoring.score(page_state, page_state.metric, texts) if page_state.view in VIEWS else None
    if not isinstance(result, Result):
        return None
    state, name = st.session_state, f"{hash(result):x}"

    def keep_asked(asked_name: str) -> None:
        if asked_name == name:
            state.dearest = [*state.get("dearest", ())[1 - KEPT :], name]

    dearest_known = name in state.get("dearest", ())
    result_verdict = edits.verdict_with_edit(texts, result) if dearest_known else edits.quick_verdict(result)
    if isinstance(result_verdict, Problem):
        return None
    waits = not dearest_known and len(texts.candidate) <= LONGEST
    return StripVerdict(drawing.html(result_verdict, live=True), name if waits else None, keep_asked)
