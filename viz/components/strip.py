"""The component for the strip of metrics, which has one tile per metric."""

from __future__ import annotations

from pathlib import Path

from . import served

# These are our own radio buttons. Streamlit identifies its buttons by their labels: with a score in the label, a click
# is lost if the score changes meanwhile; a score outside the label can be neither copied nor read aloud.
component = served.component("bitext_strip", Path(__file__).with_suffix(".js"))
