"""A button that copies a text."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..draw.pen import scripts

_component = st.components.v2.component(
    "bitext_copy", js=scripts.put_together(Path(__file__).with_suffix(".js")), isolate_styles=False
)


def show(text: str, label: str) -> None:
    """A button with a label, which says when the text is copied."""
    _component(key="copy", data={"text": text, "label": label})
