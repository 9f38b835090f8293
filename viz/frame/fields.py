"""Draw the text fields that several pages share."""

from __future__ import annotations

import streamlit as st

from ..components import inputs
from ..draw.pen import theme
from ..draw.texts import ProcessedTexts
from ..state import pending_widgets

LINE_MOST = 120  # letters of the candidate that are shown while the text fields are folded


def fold_texts(texts: ProcessedTexts) -> None:
    """Draw the line that replaces the text fields while they are folded.

    It has the candidate's beginning and what else is given."""
    begins, length = theme.safe(" ".join(texts.candidate_words[:40]), LINE_MOST), len(texts.candidate)
    more = [theme.count_text(len(texts.references), "reference"), *(["source"] if texts.source.strip() else [])]
    counts = f"({theme.count_text(length, 'word')}) · {' · '.join(more)}"
    inputs.show(f'<b>Candidate</b> <span dir="auto">{begins}</span> <span>{counts}</span> <u>Edit</u>')


def fold_pair(pair: tuple[ProcessedTexts, ProcessedTexts], names: tuple[str, str]) -> None:
    """Draw the line that replaces the text fields of two outputs while they are folded."""
    parts = []
    for texts, name in zip(pair, names, strict=True):
        begins, length = theme.safe(" ".join(texts.candidate_words[:20]), LINE_MOST), len(texts.candidate)
        words = f"({theme.count_text(length, 'word')})"
        parts.append(f'<b dir="auto">{theme.safe(name, 24)}</b> <span dir="auto">{begins}</span> <span>{words}</span>')
    more = theme.count_text(len(pair[0].references), "reference")
    more += " · source" if pair[0].source.strip() else ""
    inputs.show(f"{' '.join(parts)} <span>· {more}</span> <u>Edit</u>")


def references() -> None:
    """Draw the field for the references."""
    st.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )


def source(text: str, typed: bool) -> None:
    """Draw the button that opens and closes the field for the source, and the field where it is open.

    The source is cleared with the other texts: where one of them was `typed` before and all are empty now, it is
    emptied too."""
    state = st.session_state
    if state.get("texts_typed") and not typed:
        pending_widgets.give_value("source", "")
        text, state.source_open = "", False
    state.texts_typed = typed
    is_open = state.get("source_open", False)
    says = "Close the source" if is_open else "Edit the source" if text.strip() else "Add the source"
    st.button(says, key="source_button", type="tertiary", on_click=_toggle_source)
    if is_open:
        st.text_area(
            "Source, shown above the words and scored by nothing",
            key="source",
            height=68,
            placeholder="Paste what was translated",
            persist_state="session",
        )


def _toggle_source() -> None:
    """Open the field for the source, or close it where it is open, in a callback."""
    state = st.session_state
    state.source_open = not state.get("source_open", False)
