"""Draw two outputs and what changed between them: a strip of all metrics, and the comparison by the selected one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics.types import Hit

from ...components import fragment as component
from ...draw.compare import comparison, differences
from ...draw.compare.comparison import OutputPair
from ...draw.compare.differences import GridRoom, Names
from ...draw.pen.grid import Window
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import notes, output_pair, strip
from ...state.links import codec
from ...state.results import cache, offers, scoring
from ...state.results.cache import Problem
from ...state.visit import controls
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
    """Draw the strip of all metrics, and what changed from `a` to `b` by the selected metric.

    Args:
        names: the names of both outputs.
        evidence: draws the changes, by default as words, grids and steps.
        says: returns HTML on what all metrics say, which is drawn above the strip; None for nothing."""
    tiles = st.container()  # made before the spinner, which must not move the tiles
    with st.spinner("Scoring"):
        glances = [scoring.glances(state, texts) for texts in (a, b)]
    same_text = a.segment.candidate == b.segment.candidate
    with tiles:
        if says and not same_text:
            st.html(f'<div class="verdict">{says(a, b, state)}</div>')
        tiles_ = strip.score_tiles(glances[0]) if same_text else strip.difference_tiles(glances[0], glances[1], names)
        strip.show(tiles_, state.metric)
    with st.container(key="beside_verdict"), st.container(key="settings"):
        controls.draw_metric_settings(state.metric, len(a.references), 0)
    notes.show_unsupported_settings(state)
    pair = _scored_pair(a, b, names, state)
    if isinstance(pair, Problem):
        st.warning(escape_markdown(str(pair)))
        return
    session_choices.assign_step(state)
    part = output_pair.part_around_change(pair, state.change)
    if part:
        _draw_part_controls(pair, part)
    (evidence or _draw_evidence)(pair, part, state)


def _scored_pair(a: ProcessedTexts, b: ProcessedTexts, names: Names, state: CompareState) -> OutputPair | Problem:
    """Return both outputs with their results by the selected metric, or the problem that prevents scoring them."""
    compared = cache.compare_segments(state.metric, a.segment, b.segment, state.settings_of(state.metric))
    return compared if isinstance(compared, Problem) else OutputPair(a, b, names, *compared)


# ---------------------------------------------------------------- the evidence


def _draw_evidence(pair: OutputPair, part: Window | None, state: CompareState) -> None:
    """Draw words, grids and steps as one fragment, and store what the visitor selects in it.

    `part` is the part of a long comparison that is shown, None for the whole."""
    offer = offers.find_offer(pair.results)

    def handle_event(what: str, value: object) -> None:
        if what == "term":
            number = parse_step(value, len(pair.steps))
            session_choices.choose_step(number)
            if part and number is not None and (change := first_change_of_step(pair, part, number)) is not None:
                session_choices.show_change(change)
        elif what == "open" and offer and value == offer.event:
            st.session_state[controls.widget_key(pair.before.metric, offer.name)] = offer.value
        else:
            handle_grid_event(what, value, len(pair.references))

    fragment_html = output_pair.comparison_html(pair, page_grid_room(), part, offer, state.rows)
    step = None if state.step is None or state.step >= len(pair.steps) else f"step:{state.step}"
    opened = opened_reference(pair, part, state)
    component.show("compared", fragment_html, step, handle_event, state.off, reference=opened, depends_on_height=True)


def handle_grid_event(what: str, value: object, reference_count: int) -> None:
    """Store what the visitor selects in the words and grids of two outputs: fates, the open reference, and rows."""
    if what == "off":
        session_choices.switch_off_fates(value)
    elif what == "reference":
        session_choices.open_reference(value, reference_count)
    elif what == "open" and value in ("rows=all", "rows=folded"):
        st.session_state.all_rows = value == "rows=all"


def opened_reference(pair: OutputPair, part: Window | None, state: CompareState) -> int | None:
    """Return the index of the reference whose grid the visitor has opened; None if there is none, or only a `part`."""
    exists = state.reference is not None and state.reference < len(pair.references)
    return state.reference if exists and not part else None


ABOVE_GRID, GRID_LEAST = 330, 360  # pixels of the window above the grid of the difference, and its least height


def page_grid_room() -> GridRoom:
    """Return the width of the page in pixels, and the height that the window has left for the grid."""
    return GridRoom(component.place_width(), max(GRID_LEAST, component.window_height() - ABOVE_GRID))


def parse_step(name: object, count: int) -> int | None:
    """Return the index of the step that the browser names as "step:N", None if it is invalid.

    There are `count` steps."""
    return codec.parse_sent_number(name.removeprefix("step:"), count) if isinstance(name, str) else None


# ---------------------------------------------------------------- long texts


def first_change_of_step(pair: OutputPair, part: Window, step: int) -> int | None:
    """Return the index of the first changed cell that a step has made, to which a long comparison is moved.

    None if `part` shows one of the step's cells already, or if the step changed no cell. `step` is an index."""
    places = differences.cells_of_step(pair.steps[step], pair.difference.rows)
    if any(part.holds(Hit(*place)) for place in places):
        return None
    return next((n for n, place in enumerate(comparison.changed_cells(pair.difference)) if place in places), None)


def _draw_part_controls(pair: OutputPair, part: Window) -> None:
    """Draw the buttons that move a long comparison to earlier and to later changes than those in `part`."""
    places = comparison.changed_cells(pair.difference)
    after = [n for n, p in enumerate(places) if (p.row, p.j) > (part.i + part.rows - 1, part.j)]
    before = [n for n, p in enumerate(places) if p.row < part.i]

    with st.container(horizontal=True, vertical_alignment="center"):
        rows = f"{part.i + 1} to {part.i + part.rows} of {len(pair.difference.rows):,}"
        sentence = f"The outputs are long: the grid shows rows {rows}."
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
