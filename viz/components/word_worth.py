"""The words of an output with what each is worth, and the table of changes, as a part of the page."""

from __future__ import annotations

from pathlib import Path

from . import served

# A table of the browser's own: st.dataframe takes a third of a second to appear, and a screen reader reads this one.
component = served.component("bitext_effects", Path(__file__).with_suffix(".js"))
