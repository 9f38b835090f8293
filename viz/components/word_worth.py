"""The words of an output with what each is worth, and the table of changes, as a part of the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

# A table of the browser's own: st.dataframe takes a third of a second to appear, and a screen reader reads this one.
component = st.components.v2.component(
    "bitext_effects",
    js="\n".join([(HERE / name).read_text(encoding="utf-8") for name in ("table.js", "word_worth.js")]),
    isolate_styles=False,
)
