"""The Compare page: two outputs over the same references, and everything that changed from one to the other."""

from __future__ import annotations

import streamlit as st

import metrics
from viz.components import address, fragment
from viz.draw.pen import theme
from viz.draw.texts import Texts
from viz.frame import fields, guide, hints, menus, notes
from viz.pages.compare import editing, edits, entering, lines, save_menu, slots, systems, two_outputs, word_worth
from viz.pages.compare.examples import PAIR_BY_NAME
from viz.pages.compare.record import VIEWS, WHATIF, Compare
from viz.state import controls, handed, inputs, session, visits
from viz.state.inputs import SYSTEMS_LEAST, Missing


def page() -> None:
    """Ask for two outputs and their references, score, and show what changed."""
    shown = visits.start(Compare)
    if shown is None:
        address.ask()
        return
    if entering.drop_source(shown.source, shown.references):
        shown = session.begin(Compare)
    a, b = shown.sides
    box = st.container(key="inputs")
    with box:
        for slot, role in ((a, "before"), (b, "after")):
            _system(slot, role)
        fields.references()
        menus.language_menu()
        typed = any(text.strip() for _, text in shown.systems) or bool(shown.references.strip())
        fields.source(shown.source, typed)
        entering.forget_example(shown)
        menus.example_menu(PAIR_BY_NAME, "pair", _take_example, labelled=False)
        st.button("Swap", key="swap", on_click=editing.swap, width="stretch")
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read_systems(shown.systems, shown.references, shown.text, source=shown.source, marks=shown.marked)
    if not isinstance(texts, Missing) and not slots.side_to_fill(shown):
        with box:
            fields.fold_pair((texts[a], texts[b]), (shown.names[a], shown.names[b]))
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(shown, not isinstance(texts, Missing))
        for slot, (name, text) in enumerate(shown.systems):
            lines.point_out(name, text, slot)
        hints.languages(shown.references)
        hints.references(shown.references, [text for _, text in shown.systems])
        boxes = {slots.text_key(slot): text for slot, (_, text) in enumerate(shown.systems)}
        boxes["references"] = shown.references
        guide.show(entering.pasted(shown), [] if isinstance(texts, Missing) else texts, boxes)
    if isinstance(texts, Missing):
        address.show(shown)
        notes.say(texts)
        if len(shown.systems) > SYSTEMS_LEAST:
            systems.editor(shown)  # what is wrong may be the text of a system that is neither A nor B
        return
    compare_view(shown.typed, texts)


def _system(slot: int, role: str) -> None:
    """The name and the text of a system."""
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
    handed.settle()
    if name := st.session_state.pair:
        entering.load_pair(PAIR_BY_NAME[name])


@st.fragment
def compare_view(typed: tuple[object, ...], texts: list[Texts]) -> None:
    """One of the views of the comparison, of which `typed` has become `texts`."""
    st.session_state.setdefault("compare_view", "difference")
    shown = session.this_run(Compare)
    # A click that leaves a text area can be told together with what was typed there.
    if st.session_state.pop("whole_page", False) or shown.typed != typed:
        st.rerun()
    menus.switch("View", "compare_view", VIEWS)
    a, b = shown.sides
    if shown.compare == "whatif":
        _what_if(texts, shown)
    elif shown.compare == "words":
        _attribution(texts, shown)
    elif shown.compare == "all":
        systems.draw(texts, shown)
    elif side := slots.side_to_fill(shown):
        systems.ask(side)
    else:
        view = (edits.draw, edits.says) if shown.compare == "edits" else ()
        two_outputs.draw(texts[a], texts[b], (shown.names[a], shown.names[b]), shown, *view)
    fragment.measure()
    address.show(shown)


def _pick_output(shown: Compare) -> int:
    """One of the systems, A at first, or the what-if text where there is one."""
    state, a = st.session_state, shown.sides[0]
    has_whatif = shown.whatif_of is not None and bool(shown.whatif.strip())
    options = [*range(len(shown.systems)), *([WHATIF] if has_whatif else [])]
    state.output = shown.output if shown.output in options else a
    state.output_first = a  # so that links do not name it
    chosen = st.segmented_control(
        "Output",
        options,
        key="output",
        required=True,
        format_func=lambda slot: "What if" if slot == WHATIF else theme.markdown(shown.names[slot]),
        persist_state="session",
    )
    return a if chosen is None else chosen


def _attribution(texts: list[Texts], shown: Compare) -> None:
    state, keys = st.session_state, list(metrics.METRICS)

    def choose() -> None:
        state.metric = state.attribution_metric

    with st.container(horizontal=True, vertical_alignment="bottom"):
        slot = _pick_output(shown)
        state.attribution_metric = shown.metric
        st.selectbox("Metric", keys, key="attribution_metric", width=170, format_func=_label, on_change=choose)
        controls.metric_settings(shown.metric, len(texts[0].references), 0)
    notes.left_out(shown)
    if slot != WHATIF:
        word_worth.draw(texts[slot], shown.names[slot], slot, shown)
    elif changed := _read_whatif(shown):
        word_worth.draw(changed[1], "What if", slot, shown)


def _label(key: str) -> str:
    return metrics.METRICS[key].label


def _what_if(texts: list[Texts], shown: Compare) -> None:
    """An editable copy of an output, and what its changes do to the score."""
    if shown.whatif_of is None:
        editing.start_whatif(shown.sides[0])
        shown = session.looked(Compare, like=shown)
    left, right = st.columns([7.4, 4.6], gap="large", vertical_alignment="bottom")
    of = shown.whatif_of
    assert of is not None
    with left:
        st.text_area(
            f"What if {theme.markdown(shown.names[of])} were",
            key="whatif",
            height=90,
            on_change=lambda: editing.edit_whatif(st.session_state.whatif),
            persist_state="session",
        )
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Undo", disabled=not shown.past, on_click=editing.undo_whatif)
        st.button("Use as B", disabled=not shown.whatif.strip(), on_click=_use_whatif)
        for slot, name in enumerate(shown.names):
            st.button(f"Copy {theme.markdown(name)}", key=f"copy_{slot}", on_click=editing.start_whatif, args=(slot,))
    if edited := _read_whatif(shown):
        two_outputs.draw(edited[0], edited[1], (shown.names[of], "What if"), shown)


def _use_whatif() -> None:
    editing.use_whatif()
    st.session_state.whole_page = True


def _read_whatif(shown: Compare) -> list[Texts] | None:
    """The system that was changed and its changed text; None where they cannot be read, which is said."""
    assert shown.whatif_of is not None
    texts = [shown.systems[shown.whatif_of], ("The edited text", shown.whatif)]
    edited = inputs.read_systems(texts, shown.references, shown.text, source=shown.source, marks=shown.marked)
    if isinstance(edited, Missing):
        notes.say(edited)
        return None
    return edited


page()
