"""The view of each word's worth on a page of its own."""

from __future__ import annotations

APP = """
import sys

import streamlit as st
from viz.draw.evidence.fragment import STYLE
from viz.frame.head import RULES

from viz.pages.compare.record import CompareState
from viz.state.visit import controls, navigation, session
from viz.state.texts import inputs
from viz.pages.compare import word_worth

st.set_page_config(layout="wide")
st.html(f"<style>{STYLE}{RULES}</style>")
state = st.session_state
state.setdefault("compare_view", "words")
navigation.prepare_run(CompareState)
for name in ("system_0", "system_1", "references", "metric"):
    if name in st.query_params and f"set {name}" not in state:
        state[name] = state[f"set {name}"] = st.query_params[name]


@st.fragment
def view():
    page_state = session.read_state(CompareState)
    texts = inputs.read_systems(page_state.systems, state.references, page_state.text)
    word_worth.draw(texts[0], page_state.names[0], 0, page_state)
    st.text(f"view: {state.get('compare_view')}, what if: {state.whatif}")


view()
"""


OUTPUT, REFERENCES = "the gunman was shot by police dead .", "the gunman was shot to death by the police ."
