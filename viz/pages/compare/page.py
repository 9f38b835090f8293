"""Run the Compare page: two outputs with the same references, and everything that changed from one to the other."""

from __future__ import annotations

from functools import partial

import streamlit as st

from viz.components import address, fragment
from viz.draw.texts import ProcessedTexts
from viz.frame import examples, fields, guide, hints, lines, menus, notes, slots
from viz.frame.examples import PAIR_BY_NAME
from viz.pages.compare import (
    editing,
    opening_state,
    save_menu,
    session_choices,
    systems,
)
from viz.pages.compare.record import VIEWS, CompareState
from viz.pages.compare.views import DRAWN
from viz.state.texts import inputs
from viz.state.texts.inputs import SYSTEMS_LEAST, MissingText
from viz.state.visit import navigation, pending_widgets, session


def page() -> None:
    """Ask for two outputs and their references, score them, and draw what changed."""
    state = navigation.prepare_run(CompareState)
    if state is None:
        address.ask_for_texts()
        return
    if examples.clear_stale_source(state.source, state.references):
        state = session.read_for_run(CompareState)
    a, b = state.sides
    box = st.container(key="inputs")
    with box:
        for slot, role in ((a, "before"), (b, "after")):
            _draw_system(slot, role)
        fields.draw_references_field()
        menus.language_menu()
        typed = any(text.strip() for _, text in state.systems) or bool(state.references.strip())
        fields.draw_source_field(state.source, typed)
        opening_state.forget_example(state)
        menus.example_menu(PAIR_BY_NAME, "pair", _take_example, labelled=False)
        st.button("Swap", key="swap", on_click=editing.swap_a_and_b, width="stretch")
        menus.draw_menu_row(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read_systems(state.systems, state.references, state.text, source=state.source, marks=state.marked)
    if not isinstance(texts, MissingText) and not session_choices.side_to_fill(state):
        with box:
            fields.draw_folded_pair((texts[a], texts[b]), (state.names[a], state.names[b]))
    # One container for all notes: Streamlit knows the fragment below, and clicks in it, by its position.
    with st.container(key="notes"):
        notes.show(state, not isinstance(texts, MissingText))
        for slot, (name, text) in enumerate(state.systems):
            lines.draw_note_on_lines(name, text, str(slot), partial(editing.take_as_systems, slot=slot))
        hints.show_language_hint(state.references)
        hints.show_reference_hints(state.references, [text for _, text in state.systems])
        boxes = {slots.text_key(slot): text for slot, (_, text) in enumerate(state.systems)}
        boxes["references"] = state.references
        guide.draw_guide_line(
            opening_state.has_own_texts(state), [] if isinstance(texts, MissingText) else texts, boxes
        )
    if isinstance(texts, MissingText):
        address.show(state)
        notes.show_missing_text(texts)
        if len(state.systems) > SYSTEMS_LEAST:
            systems.draw_editor(state)  # the error may be in the text of a system that is neither A nor B
        return
    compare_view(state.typed_texts, texts)


def _draw_system(slot: int, role: str) -> None:
    """Draw the fields for the name and the text of the system in `slot`; `role` is "before" or "after" the change."""
    st.text_input(
        f"Name of the output {role}",
        key=f"name_{slot}",
        label_visibility="collapsed",
        placeholder=f"Name, {role}",
        on_change=editing.cut_name,
        args=(slot,),
        persist_state="session",
    )
    st.text_area(
        f"Output {role}",
        key=f"system_{slot}",
        height=90,
        label_visibility="collapsed",
        placeholder=f"Paste the output {role} the change",
        persist_state="session",
    )


def _take_example() -> None:
    """Load the selected example; a callback."""
    pending_widgets.restore_given_values()
    if name := st.session_state.pair:
        opening_state.load_pair(PAIR_BY_NAME[name])


@st.fragment
def compare_view(typed: tuple[object, ...], texts: list[ProcessedTexts]) -> None:
    """Draw the selected view of the comparison, as a fragment.

    `texts` were read from the values in `typed`. If the visitor has typed something else since, the whole page
    reruns."""
    st.session_state.setdefault("compare_view", "difference")
    state = session.state_of_this_run(CompareState)
    # A click outside a text area may arrive in one message with what was typed there.
    if st.session_state.pop("whole_page", False) or state.typed_texts != typed:
        st.rerun()
    menus.draw_choice_buttons("View", "compare_view", VIEWS)
    DRAWN[state.compare].draw(texts, state)
    fragment.measure_page()
    address.show(state)


page()
