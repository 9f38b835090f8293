"""The fields that pages have in common."""

from __future__ import annotations

import streamlit as st


def references() -> None:
    """The field of the references, which pages share."""
    st.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )
