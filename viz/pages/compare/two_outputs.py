"""Two outputs and what changed between them: a strip of all metrics, and the comparison by the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from metrics.types import Hit, Result

from ...components import fragment as component
from ...draw.compare import comparison, differences
from ...draw.compare.comparison import OutputPair
from ...draw.compare.differences import GridRoom, Names
from ...draw.evidence.drawn_result import SettingOffer
from ...draw.pen import theme
from ...draw.pen.grid import Window
from ...draw.texts import ProcessedTexts
from ...frame import notes, strip
from ...state import cache, codec, controls, offers, scoring
from ...state.cache import Problem
from ...state.memory import remembered
from . import session_choices
from .record import CompareState

Evidence = Callable[[OutputPair, Window | None, CompareState], None]
Says = Callable[[ProcessedTexts, ProcessedTexts, CompareState], str]


def draw(
    a: ProcessedTexts,
    b: ProcessedTexts,
    names: Names,
    state: CompareState,
    evidence: Evidence | None = None,
    says: Says | None = None,
) -> None:
    """The strip of all metrics, and for the chosen one everything that changed, or another `evidence` of it. What a
    view `says` of all metrics stands above them, as HTML."""
    tiles = st.container()  # before the sign, which must not move them
    with st.spinner("Scoring"):
        glances = [scoring.glances(state, texts) for texts in (a, b)]
    same_text = a.segment.candidate == b.segment.candidate
    with tiles:
        if says and not same_text:
            st.html(f'<div class="verdict">{says(a, b, state)}</div>')
        tiles_ = strip.scores(glances[0]) if same_text else strip.changes(glances[0], glances[1], names)
        strip.show(tiles_, state.metric)
    with st.container(key="beside_verdict"), st.container(key="settings"):
        controls.metric_settings(state.metric, len(a.references), 0)
    notes.left_out(state)
    pair = _pair(a, b, names, state)
    if isinstance(pair, Problem):
        st.warning(theme.markdown(str(pair)))
        return
    session_choices.keep(state)
    part = part_of(pair, state.change)
    if part:
        _part_controls(pair, part)
    (evidence or _evidence)(pair, part, state)


def _pair(a: ProcessedTexts, b: ProcessedTexts, names: Names, state: CompareState) -> OutputPair | Problem:
    """The pair for the chosen metric, or why it cannot be scored."""
    compared = cache.compared(state.metric, a.segment, b.segment, state.settings_of(state.metric))
    return compared if isinstance(compared, Problem) else OutputPair(a, b, names, *compared)


# ---------------------------------------------------------------- the evidence


def _evidence(pair: OutputPair, part: Window | None, state: CompareState) -> None:
    """Words, grids and steps as one fragment; what is chosen in the browser is kept."""
    offer = offers.offer(pair.results)

    def handle_event(what: str, value: object) -> None:
        if what == "term":
            number = step_of(value, len(pair.steps))
            session_choices.choose_step(number)
            if part and number is not None and (change := change_of(pair, part, number)) is not None:
                session_choices.show_change(change)
        elif what == "off":
            session_choices.switch_off(value)
        elif what == "reference":
            session_choices.open_reference(value, len(pair.references))
        elif what == "open" and value in ("rows=all", "rows=folded"):
            st.session_state.all_rows = value == "rows=all"
        elif what == "open" and offer and value == offer.event:
            st.session_state[controls.widget_key(pair.before.metric, offer.name)] = offer.value

    fragment_html = markup(pair, room(), part, offer, state.rows)
    step = None if state.step is None or state.step >= len(pair.steps) else f"step:{state.step}"
    reference_exists = state.reference is not None and state.reference < len(pair.references) and not part
    component.show(
        "compared",
        fragment_html,
        step,
        handle_event,
        state.off,
        reference=state.reference if reference_exists else None,
        of_window=True,
    )


ABOVE_GRID, GRID_LEAST = 330, 360  # pixels above the grid of the difference in a window, and that it has at least


def room() -> GridRoom:
    """The room of the page, and that of the grid below what stands above it in the window."""
    return GridRoom(component.room(), max(GRID_LEAST, component.window_height() - ABOVE_GRID))


def markup(
    pair: OutputPair, room: GridRoom, part: Window | None, offer: SettingOffer | None = None, rows: bool = False
) -> str:
    """The comparison as HTML for a place with so much `room`; of a long one the `part` that `part_of` names."""
    return _fragment(pair.a, pair.b, pair.names, *pair.results, room, part, offer, rows)


@remembered
def _fragment(a: ProcessedTexts, b: ProcessedTexts, names: Names, before: Result, after: Result, *look: Any) -> str:
    changed = cache.changes(before, after)
    assert not isinstance(changed, Problem), "what changed was found before it is drawn"
    pair, (room, part, offer, all_rows) = OutputPair(a, b, names, before, after, *changed), look
    windows = differences.windows(pair.difference.rows, part) if part else (None, None)
    hits = [
        cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
        for texts, window in zip((a, b), windows, strict=True)
    ]
    return comparison.fragment(pair, hits, room, part, offer, all_rows)


def step_of(name: object, count: int) -> int | None:
    """The number of the step that has a name, one of `count`; the browser may send anything."""
    return codec.number_sent(name.removeprefix("step:"), count) if isinstance(name, str) else None


# ---------------------------------------------------------------- long texts


def part_of(pair: OutputPair, number: int | None = None) -> Window | None:
    """The part of a long difference that is shown, around one of its changes, by default the first; None where all
    of it is."""
    if not pair.long:
        return None
    places = comparison.changed(pair.difference)
    at = places[number] if number is not None and number < len(places) else None
    return differences.window(pair.difference, pair.references, at)


def change_of(pair: OutputPair, part: Window, step: int) -> int | None:
    """The number of the first change of a step; None where `part` shows some of its cells, and where none changed."""
    places = differences.places(pair.steps[step], pair.difference.rows)
    if any(part.holds(Hit(*place)) for place in places):
        return None
    return next((n for n, place in enumerate(comparison.changed(pair.difference)) if place in places), None)


def _part_controls(pair: OutputPair, part: Window) -> None:
    """Steps from one changed place to the next one outside of what is shown."""
    places = comparison.changed(pair.difference)
    after = [n for n, p in enumerate(places) if (p.row, p.j) > (part.i + part.rows - 1, part.j)]
    before = [n for n, p in enumerate(places) if p.row < part.i]

    with st.container(horizontal=True, vertical_alignment="center"):
        rows = f"{part.i + 1} to {part.i + part.rows} of {len(pair.difference.rows):,}"
        sentence = f"The outputs are long: of the grid, rows {rows} are shown."
        st.html(f'<div class="lead_line">{sentence}</div>', width="content")
        st.button(
            "Earlier changes",
            disabled=not before,
            on_click=session_choices.show_change,
            args=(before[-1] if before else 0,),
        )
        st.button(
            "Later changes", disabled=not after, on_click=session_choices.show_change, args=(after[0] if after else 0,)
        )
