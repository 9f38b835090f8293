"""The strip of metrics, a tile each, as a part of the page."""

from __future__ import annotations

from pathlib import Path

from . import served

# Radio buttons of our own: Streamlit's are known by their labels, so that a number in them would lose the clicks during
# which it changes, and a number outside of them can be neither copied nor read aloud.
component = served.component("bitext_strip", Path(__file__).with_suffix(".js"))
