"""The strip of metrics, a tile each, as a part of the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

# Radio buttons of our own: Streamlit's are known by their labels, so that a number in them would lose the clicks during
# which it changes, and a number outside of them can be neither copied nor read aloud.
component = st.components.v2.component(
    "bitext_strip",
    js="\n".join([(HERE / name).read_text(encoding="utf-8") for name in ("table.js", "strip.js")]),
    isolate_styles=False,
)
