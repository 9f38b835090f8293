"""The Compare page: two outputs over the same references, and everything that changed from one to the other."""

from __future__ import annotations

import streamlit as st

import metrics
from viz.components import address, fragment
from viz.draw.pen import theme
from viz.draw.texts import Texts
from viz.frame import guide, menus, notes
from viz.pages.compare import editing, entering, lines, slots, systems, two_outputs, word_worth
from viz.pages.compare import menus as compare_menus
from viz.pages.compare.examples import PAIR_BY_NAME
from viz.pages.compare.record import VIEWS, WHATIF
from viz.state import address as addresses
from viz.state import controls, inputs, session, visits
from viz.state.inputs import SYSTEMS_LEAST, Missing


def page() -> None:
    """Ask for two outputs and their references, score, and show what changed."""
    if not visits.start("compare"):
        address.ask()
        return
    a, b = slots.sides()
    left, middle, right, tools = st.columns([3.6, 3.6, 3.6, 2.6], gap="medium")
    for column, slot, role in ((left, a, "before"), (middle, b, "after")):
        with column:
            _system(slot, role)
    right.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )
    with tools:
        _tools()
    references = st.session_state.get("references") or ""
    texts = inputs.read_systems(slots.systems(), references, session.text_settings())
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(not isinstance(texts, Missing))
        for slot, (name, text) in enumerate(slots.systems()):
            lines.point_out(name, text, slot)
        guide.show(entering.pasted(), [] if isinstance(texts, Missing) else texts)
    if isinstance(texts, Missing):
        addresses.keep()
        address.show()
        notes.say(texts)
        if len(slots.systems()) > SYSTEMS_LEAST:
            systems.editor()  # what is wrong may be the text of a system that is neither A nor B
        return
    view(texts)


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


def _tools() -> None:
    entering.forget_example()
    menus.example_menu(PAIR_BY_NAME, "pair", _take_example, labelled=False)
    with st.container(key="tools", gap="small"):
        left, right = st.columns(2, gap="small")
        left.button("Swap", on_click=editing.swap, width="stretch")
        with right:
            menus.text_menu()
        with left:
            menus.share_menu()
        with right:
            compare_menus.save_menu()


def _take_example() -> None:
    if name := st.session_state.pair:
        entering.load_pair(PAIR_BY_NAME[name])


@st.fragment
def view(texts: list[Texts]) -> None:
    """One of the views of the comparison."""
    if st.session_state.pop("whole_page", False):
        st.rerun()
    st.session_state.setdefault("compare_view", "difference")
    chosen = st.segmented_control(
        "View",
        list(VIEWS),
        key="compare_view",
        required=True,
        format_func=VIEWS.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )
    names = [name for name, _ in slots.systems()]
    a, b = slots.sides()
    if chosen == "whatif":
        _what_if(texts, names)
    elif chosen == "words":
        _attribution(texts, names)
    elif chosen == "all":
        systems.draw(texts, names)
    elif side := slots.side_to_fill():
        notes.say(inputs.untyped_output(side))
    else:
        two_outputs.draw(texts[a], texts[b], (names[a], names[b]))
    fragment.measure()
    addresses.keep()
    address.show()


def _pick_output(names: list[str]) -> int:
    """One of the systems, A at first, or the what-if text where there is one."""
    state, a = st.session_state, slots.sides()[0]
    options = [*range(len(names)), *([WHATIF] if editing.has_whatif() else [])]
    if state.get("output") not in options:
        state.output = a
    state.output_first = a  # so that links do not name it
    chosen = st.segmented_control(
        "Output",
        options,
        key="output",
        required=True,
        format_func=lambda slot: "What if" if slot == WHATIF else theme.markdown(names[slot]),
        persist_state="session",
    )
    return a if chosen is None else chosen


def _attribution(texts: list[Texts], names: list[str]) -> None:
    state, keys = st.session_state, list(metrics.METRICS)

    def choose() -> None:
        state.metric = state.attribution_metric

    with st.container(horizontal=True, vertical_alignment="bottom"):
        slot = _pick_output(names)
        state.attribution_metric = state.metric
        st.selectbox("Metric", keys, key="attribution_metric", width=170, format_func=_label, on_change=choose)
        controls.metric_settings(state.metric, len(texts[0].references), 0)
    if slot != WHATIF:
        word_worth.draw(texts[slot], names[slot], slot)
    elif changed := _read_whatif(names):
        word_worth.draw(changed[1], "What if", slot)


def _label(key: str) -> str:
    return metrics.METRICS[key].label


def _what_if(texts: list[Texts], names: list[str]) -> None:
    """An editable copy of an output, and what its changes do to the score."""
    state = st.session_state
    if state.get("whatif_of") is None:
        editing.start_whatif(slots.sides()[0])
    left, right = st.columns([7.4, 4.6], gap="large", vertical_alignment="bottom")
    of: int = state.whatif_of
    with left:
        st.text_area(
            f"What if {theme.markdown(names[of])} were",
            key="whatif",
            height=90,
            on_change=lambda: editing.edit_whatif(state.whatif),
            persist_state="session",
        )
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Undo", disabled=not state.whatif_past, on_click=editing.undo_whatif)
        st.button("Use as B", disabled=not (state.whatif or "").strip(), on_click=_use_whatif)
        for slot, name in enumerate(names):
            st.button(f"Copy {theme.markdown(name)}", key=f"copy_{slot}", on_click=editing.start_whatif, args=(slot,))
    if edited := _read_whatif(names):
        two_outputs.draw(edited[0], edited[1], (names[of], "What if"))


def _use_whatif() -> None:
    editing.use_whatif()
    st.session_state.whole_page = True


def _read_whatif(names: list[str]) -> list[Texts] | None:
    """The system that was changed and its changed text; None where they cannot be read, which is said."""
    state = st.session_state
    of: int = state.whatif_of
    edited = inputs.read_systems(
        [(names[of], slots.systems()[of][1]), ("The edited text", state.whatif or "")],
        state.references,
        session.text_settings(),
    )
    if isinstance(edited, Missing):
        notes.say(edited)
        return None
    return edited


page()
