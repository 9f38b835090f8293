"""The views of the Compare page, each drawn from the texts of all outputs and the state of the page."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics

from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import notes
from ...frame.views import View, checked_views
from ...state.texts import inputs
from ...state.texts.inputs import MissingText
from ...state.visit import controls, session
from . import editing, edits, session_choices, systems, two_outputs, word_worth
from .record import VIEWS, WHATIF, CompareState


def _draw_two_outputs(
    texts: list[ProcessedTexts],
    state: CompareState,
    evidence: two_outputs.Evidence | None = None,
    says: two_outputs.Says | None = None,
) -> None:
    """Draw A and B, or ask for the output that is still missing; see `two_outputs.draw`."""
    a, b = state.sides
    if side := session_choices.side_to_fill(state):
        systems.ask_for_output(side)
    else:
        two_outputs.draw(texts[a], texts[b], (state.names[a], state.names[b]), state, evidence, says)


def _pick_output(page_state: CompareState) -> int:
    """Draw the selector of the output whose words are examined, and return its slot.

    It is a system, at first A, or WHATIF for the what-if text."""
    state, a = st.session_state, page_state.sides[0]
    has_whatif = page_state.whatif_of is not None and bool(page_state.whatif.strip())
    options = [*range(len(page_state.systems)), *([WHATIF] if has_whatif else [])]
    state.output = page_state.output if page_state.output in options else a
    state.output_first = a  # links leave out the output if it is A
    chosen = st.segmented_control(
        "Output",
        options,
        key="output",
        required=True,
        format_func=lambda slot: "What if" if slot == WHATIF else escape_markdown(page_state.names[slot]),
        persist_state="session",
    )
    return a if chosen is None else chosen


def _draw_words(texts: list[ProcessedTexts], page_state: CompareState) -> None:
    """Draw the Words view: what every change of one word of the selected output does to its score."""
    state, labels = st.session_state, {key: metric.label for key, metric in metrics.METRICS.items()}

    def store_metric() -> None:
        state.metric = state.attribution_metric

    with st.container(horizontal=True, vertical_alignment="bottom"):
        slot = _pick_output(page_state)
        state.attribution_metric = page_state.metric
        st.selectbox(
            "Metric",
            list(labels),
            key="attribution_metric",
            width=170,
            format_func=labels.__getitem__,
            on_change=store_metric,
        )
        controls.draw_metric_settings(page_state.metric, len(texts[0].references), 0)
    notes.show_unsupported_settings(page_state)
    if slot != WHATIF:
        word_worth.draw(texts[slot], page_state.names[slot], slot, page_state)
    elif changed := _read_whatif(page_state):
        word_worth.draw(changed[1], "What if", slot, page_state)


def _draw_whatif(texts: list[ProcessedTexts], state: CompareState) -> None:
    """Draw the what-if view: an editable copy of an output, and what its changes do to the score."""
    if state.whatif_of is None:
        editing.start_whatif(state.sides[0])
        state = session.read_state(CompareState, like=state)
    left_column, right = st.columns([7.4, 4.6], gap="large", vertical_alignment="bottom")
    of = state.whatif_of
    assert of is not None
    with left_column:
        st.text_area(
            f"What if {escape_markdown(state.names[of])} were",
            key="whatif",
            height=90,
            on_change=lambda: editing.edit_whatif(st.session_state.whatif),
            persist_state="session",
        )
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Undo", disabled=not state.past, on_click=editing.undo_whatif)
        st.button("Use as B", disabled=not state.whatif.strip(), on_click=_use_whatif)
        for slot, name in enumerate(state.names):
            st.button(f"Copy {escape_markdown(name)}", key=f"copy_{slot}", on_click=editing.start_whatif, args=(slot,))
    if edited := _read_whatif(state):
        two_outputs.draw(edited[0], edited[1], (state.names[of], "What if"), state)


def _use_whatif() -> None:
    """Replace the text of B by the what-if text, and have the whole page rerun; a callback."""
    editing.use_whatif()
    st.session_state.whole_page = True


def _read_whatif(state: CompareState) -> list[ProcessedTexts] | None:
    """Return the system from which the what-if text was copied, and the what-if text, both ready to be drawn.

    If they cannot be read, draw the reason and return None."""
    assert state.whatif_of is not None
    texts = [state.systems[state.whatif_of], ("The edited text", state.whatif)]
    edited = inputs.read_systems(texts, state.references, state.text, source=state.source, marks=state.marked)
    if isinstance(edited, MissingText):
        notes.show_missing_text(edited)
        return None
    return edited


DRAWN = checked_views(
    VIEWS,
    {
        "difference": View(_draw_two_outputs),
        "edits": View(partial(_draw_two_outputs, evidence=edits.draw, says=edits.verdict_html)),
        "whatif": View(_draw_whatif),
        "words": View(_draw_words),
        "all": View(systems.draw),
    },
)
