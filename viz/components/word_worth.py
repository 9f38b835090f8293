"""The component for the words of an output with the worth of each, and for the table of changes."""

from __future__ import annotations

from pathlib import Path

from . import served

# A plain HTML table: st.dataframe takes a third of a second to appear, and this one works with screen readers.
component = served.component("bitext_effects", Path(__file__).with_suffix(".js"))
