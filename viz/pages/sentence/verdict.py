"""The verdict above the page. Which edit costs most takes longer than all scores: it is looked for when a browser has
shown the rest for a while, so that a change of a text costs no more for it."""

from __future__ import annotations

import streamlit as st

from metrics.types import Result

from ...draw.evidence import verdict as drawing
from ...draw.texts import ProcessedTexts
from ...frame.strip import StripVerdict
from ...state import edits, scoring
from ...state.cache import Problem
from .record import SentenceState

VIEWS = ("metric", "cost")  # that are about one metric's score
KEPT = 50  # results whose dearest edit is shown at once
LONGEST = 200  # words of a candidate whose edits are looked for unasked


def verdict(texts: ProcessedTexts, page_state: SentenceState) -> StripVerdict | None:
    """The verdict on the score that is looked at, with what it cost as soon as that was asked for; None where there is
    none, or where it takes too long."""
    result = scoring.score(page_state, page_state.metric, texts) if page_state.view in VIEWS else None
    if not isinstance(result, Result):
        return None
    state, name = st.session_state, f"{hash(result):x}"

    def keep_asked(asked_name: str) -> None:
        if asked_name == name:
            state.dearest = [*state.get("dearest", ())[1 - KEPT :], name]

    dearest_known = name in state.get("dearest", ())
    result_verdict = edits.whole_verdict(texts, result) if dearest_known else edits.verdict(result)
    if isinstance(result_verdict, Problem):
        return None
    waits = not dearest_known and len(texts.candidate) <= LONGEST
    return StripVerdict(drawing.html(result_verdict, live=True), name if waits else None, keep_asked)
