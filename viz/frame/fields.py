"""Draw the text fields that several pages share, and the line that replaces them while they are folded."""

from __future__ import annotations

import streamlit as st

from ..components import inputs
from ..draw.pen.numbers import count_text
from ..draw.pen.text import safe
from ..draw.texts import ProcessedTexts
from ..state.visit import pending_widgets

LINE_MOST = 120  # letters of the candidate that are shown while the text fields are folded


def draw_folded_texts(texts: ProcessedTexts) -> None:
    """Draw the line that replaces the text fields of one candidate while they are folded.

    It shows the beginning of the candidate, its number of words, the number of references, and whether there is a
    source."""
    begins, length = safe(" ".join(texts.candidate_words[:40]), LINE_MOST), len(texts.candidate)
    more = [count_text(len(texts.references), "reference"), *(["source"] if texts.source.strip() else [])]
    counts = f"({count_text(length, 'word')}) · {' · '.join(more)}"
    inputs.show(f'<b>Candidate</b> <span dir="auto">{begins}</span> <span>{counts}</span> <u>Edit</u>')


def draw_folded_pair(pair: tuple[ProcessedTexts, ProcessedTexts], names: tuple[str, str]) -> None:
    """Draw the line that replaces the text fields of two outputs while they are folded.

    It shows the names and the beginnings of both outputs; `names` are those of the systems."""
    parts = []
    for texts, name in zip(pair, names, strict=True):
        begins, length = safe(" ".join(texts.candidate_words[:20]), LINE_MOST), len(texts.candidate)
        words = f"({count_text(length, 'word')})"
        parts.append(f'<b dir="auto">{safe(name, 24)}</b> <span dir="auto">{begins}</span> <span>{words}</span>')
    more = count_text(len(pair[0].references), "reference")
    more += " · source" if pair[0].source.strip() else ""
    inputs.show(f"{' '.join(parts)} <span>· {more}</span> <u>Edit</u>")


def draw_references_field() -> None:
    """Draw the text field for the references."""
    st.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )


def draw_source_field(text: str, typed: bool) -> None:
    """Draw the button that opens and closes the text field for the source, and the field itself while it is open.

    `text` is the source. `typed` says whether any other text field of the page has text. When they have all been
    emptied since the last run, the source is emptied too."""
    state = st.session_state
    if state.get("texts_typed") and not typed:
        pending_widgets.give_value("source", "")
        text, state.source_open = "", False
    state.texts_typed = typed
    is_open = state.get("source_open", False)
    says = "Close the source" if is_open else "Edit the source" if text.strip() else "Add the source"
    st.button(says, key="source_button", type="tertiary", on_click=_toggle_source_field)
    if is_open:
        st.text_area(
            "Source, shown above the words; no metric uses it",
            key="source",
            height=68,
            placeholder="Paste what was translated",
            persist_state="session",
        )


def _toggle_source_field() -> None:
    """Open the text field for the source, or close it if it is open; a callback."""
    state = st.session_state
    state.source_open = not state.get("source_open", False)
