"""Run the Compare page: two outputs with the same references, and everything that changed from one to the other."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from viz.components import address, fragment
from viz.draw.pen.text import escape_markdown
from viz.draw.texts import ProcessedTexts
from viz.frame import examples, fields, guide, hints, lines, menus, notes, slots
from viz.frame.examples import PAIR_BY_NAME
from viz.pages.compare import (
    editing,
    edits,
    opening_state,
    save_menu,
    session_choices,
    systems,
    two_outputs,
    word_worth,
)
from viz.pages.compare.record import VIEWS, WHATIF, CompareState
from viz.state.texts import inputs
from viz.state.texts.inputs import SYSTEMS_LEAST, MissingText
from viz.state.visit import controls, navigation, pending_widgets, session


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
    a, b = state.sides
    if state.compare == "whatif":
        _draw_whatif(texts, state)
    elif state.compare == "words":
        _draw_words(texts, state)
    elif state.compare == "all":
        systems.draw(texts, state)
    elif side := session_choices.side_to_fill(state):
        systems.ask_for_output(side)
    else:
        view = (edits.draw, edits.verdict_html) if state.compare == "edits" else ()
        two_outputs.draw(texts[a], texts[b], (state.names[a], state.names[b]), state, *view)
    fragment.measure_page()
    address.show(state)


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
    state, keys = st.session_state, list(metrics.METRICS)

    def store_metric() -> None:
        state.metric = state.attribution_metric

    with st.container(horizontal=True, vertical_alignment="bottom"):
        slot = _pick_output(page_state)
        state.attribution_metric = page_state.metric
        st.selectbox(
            "Metric", keys, key="attribution_metric", width=170, format_func=_metric_label, on_change=store_metric
        )
        controls.draw_metric_settings(page_state.metric, len(texts[0].references), 0)
    notes.show_unsupported_settings(page_state)
    if slot != WHATIF:
        word_worth.draw(texts[slot], page_state.names[slot], slot, page_state)
    elif changed := _read_whatif(page_state):
        word_worth.draw(changed[1], "What if", slot, page_state)


def _metric_label(key: str) -> str:
    """Return the label of the metric with this key."""
    return metrics.METRICS[key].label


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


page()
