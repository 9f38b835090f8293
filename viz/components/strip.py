"""The strip of metrics, a tile each, as a part of the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..draw.pen import scripts

# Radio buttons of our own: Streamlit's are known by their labels, so that a number in them would lose the clicks during
# which it changes, and a number outside of them can be neither copied nor read aloud.
component = st.components.v2.component(
    "bitext_strip",
    js=scripts.put_together(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)
