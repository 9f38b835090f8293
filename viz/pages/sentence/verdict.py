"""The verdict above the page. Which edit costs most takes longer than all scores: it is looked for when a browser has
shown the rest for a while, so that a change of a text costs no more for it."""

from __future__ import annotations

import streamlit as st

from metrics.types import Result

from ...draw.evidence import verdict as drawing
from ...draw.texts import Texts
from ...frame.strip import Verdict
from ...state import edits, scoring
from ...state.cache import Problem
from .record import Sentence

VIEWS = ("metric", "cost")  # that are about one metric's score
KEPT = 50  # results whose dearest edit is shown at once
LONGEST = 200  # words of a candidate whose edits are looked for unasked


def verdict(texts: Texts, shown: Sentence) -> Verdict | None:
    """The verdict on the score that is looked at, with what it cost as soon as that was asked for; None where there is
    none, or where it takes too long."""
    found = scoring.score(shown, shown.metric, texts) if shown.view in VIEWS else None
    if not isinstance(found, Result):
        return None
    state, name = st.session_state, f"{hash(found):x}"

    def keep_asked(told: str) -> None:
        if told == name:
            state.dearest = [*state.get("dearest", ())[1 - KEPT :], name]

    known = name in state.get("dearest", ())
    said = edits.whole_verdict(texts, found) if known else edits.verdict(found)
    if isinstance(said, Problem):
        return None
    waits = not known and len(texts.candidate) <= LONGEST
    return Verdict(drawing.html(said, live=True), name if waits else None, keep_asked)
