"""Draw one metric's evidence, and the controls that choose among its alignments, pictures and rounds."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import streamlit as st

import metrics
from metrics.types import Result

from ...components import fragment as component
from ...draw.evidence import charts, figure, ledger
from ...draw.evidence.drawn_result import DrawnResult, EvidenceLook, Picture, is_long
from ...draw.evidence.fragment import TOO_MANY
from ...draw.pen import picture as pictures
from ...draw.pen import svg
from ...draw.pen.grid import Window
from ...draw.texts import ProcessedTexts
from ...frame import evidence
from ...frame.evidence import DETAIL
from ...save import sentence_page, tikz
from ...save.sentence_page import Files
from ...state.links import codec, pages
from ...state.results import cache, edits, offers, scoring
from ...state.results.cache import TIES_MOST, Problem
from ...state.texts.inputs import MAX_WORDS
from ...state.visit import controls, pending_widgets, session
from . import if_matched
from .record import SentenceState

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
DETAIL_AT = {"detail_i": 1, "detail_j": 1, "detail_reference_chosen": None}  # the initial position of the detail window


def look_of(state: SentenceState) -> EvidenceLook:
    """Return the selections and sizes with which the chosen metric's result is drawn in this window."""
    return state.look(state.metric, component.place_width(), component.window_height())


def draw(texts: ProcessedTexts, result: Result, look: EvidenceLook, html: str, answer: str) -> None:
    """Draw the evidence of a result from its HTML, with the answer to what the user asked by a click.

    The browser itself highlights what is selected; the server needs the selections only for the link and the files."""
    picture = evidence.choose_picture(texts, result, look.picture)
    if picture != "text" and (window := evidence.present_window(texts, result, look)):
        _draw_overview(texts, result, look, window)
    evidence.show("evidence", texts, result, look, partial(handle_event, texts, result, look), html, answer)


def evidence_html(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> str:
    """Return the HTML of the evidence of a result; this takes time, so it is done before anything is sent."""
    return evidence.evidence_html(texts, result, look, _chapter_offer(result))


def set_controls(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> None:
    """Set the controls' values in the session to what is shown, before the controls are drawn."""
    state, last = st.session_state, evidence.last_round_number(result)
    if last < 2:
        state.playing = False  # another metric was chosen while rounds were playing
    else:
        state.rounds, state.rounds_first = evidence.shown_round_count(result, look.rounds), last
    if not is_long(texts):
        state.update(DETAIL_AT)


def _chapter_offer(result: Result) -> str:
    """Return the label of the button that opens the chapter on the metric, "" if there is no chapter."""
    label, taught = metrics.METRICS[result.metric].label, pages.explaining_state(SentenceState(metric=result.metric))
    return f"Learn how {label} works on this sentence" if taught else ""


def handle_event(texts: ProcessedTexts, result: Result, look: EvidenceLook, what: str, value: object) -> None:
    """Keep a selection that the user made in the evidence; the browser sent the event `what` with `value`.

    The detail of a long text moves to where the chosen term is visible."""
    state = st.session_state
    if what == "term":
        state.term = value if isinstance(value, str) else None
        if window := evidence.window_with_selected_term(texts, result, replace(look, term=state.term)):
            state.detail_i, state.detail_j, state.detail_reference_chosen = window.i + 1, window.j + 1, window.k
    elif what == "reference":
        state.detail_reference_chosen = codec.parse_sent_number(value, len(texts.references))
    elif what == "spot" and isinstance(value, list | tuple) and len(value) == 2:
        i, j = (codec.parse_sent_number(place, MAX_WORDS) for place in value)
        state.detail_i, state.detail_j = (i or 0) + 1, (j or 0) + 1
    elif what == "tie" and (tie := codec.parse_sent_number(value, TIES_MOST)) is not None:
        state.tie, state.term = tie, None
    elif what == "tint":
        state.tint = bool(value)
    elif what == "match":
        state.asked = if_matched.valid_target_name(value)
    elif what == "open" and value == "learn":
        _open_chapter()
    elif what == "open" and (offer := offers.find_offer([result])) and value == offer.event:
        state[controls.widget_key(result.metric, offer.name)] = offer.value


def _open_chapter() -> None:
    """Open the chapter on the metric on the Learn page, with the sentence that is shown."""
    if to := pages.explaining_state(session.read_state(SentenceState)):
        session.restore(to, [])
        st.session_state.whole_page = True


def files(texts: ProcessedTexts, state: SentenceState) -> Files | Problem:
    """Return the files as which the shown result can be saved, or the `Problem` that prevents it."""
    plain_result = scoring.score(state, state.metric, texts)
    if isinstance(plain_result, Problem):
        return plain_result
    look = look_of(state)
    drawn = evidence.drawn_result(texts, plain_result, look)
    drawn = replace(drawn, verdict=edits.verdict_for_file(texts, drawn.result))
    # A long text shown as text has no picture as a whole, so a part of its grid is saved.
    part = (
        evidence.drawn_result(texts, plain_result, replace(look, picture="grid")) if drawn.picture == "text" else drawn
    )
    result, ours, theirs = drawn.result, texts.candidate_words, texts.reference_words
    signature = result.signature(texts.settings.signature())
    return state.metric, [
        ("Figure, SVG", "svg", lambda: svg.svg_file(picture_to_save(part))),
        ("Page, HTML", "html", lambda: sentence_page.page_html(drawn)),
        ("Result, JSON", "json", lambda: sentence_page.result_json(texts, result, drawn.verdict)),
        ("Ledger, CSV", "csv", lambda: ledger.csv_text(ours, theirs, result, signature)),
        ("Figure, TikZ", "tex", lambda: tikz.document(picture_to_save(part))),
    ]


def picture_to_save(drawn: DrawnResult) -> pictures.Picture:
    """Return the picture as it is shown. Raises ValueError, with a sentence for the user, if it has too many cells."""
    if not cache.has_drawable_cells(drawn.result, drawn.rounds):
        raise ValueError(TOO_MANY)
    return figure.picture_of(drawn, saved=True)


def picture_switch(visible_picture: Picture, kind: str | None, long: bool = False) -> int:
    """Draw the menu of pictures, and return its width in pixels; 0 if there is nothing to choose.

    The choices are arcs or crossing lines, if the result has a `kind` of them, the grid, and, for a `long` text, the
    whole text. `visible_picture` is the current one."""
    names = {"text": "Text"} if long else {}
    names |= {"arcs": "Lines" if kind == "crossings" else "Arcs"} if kind else {}
    names["grid"] = "Part of the grid" if long else "Grid"
    if len(names) < 2:
        return 0
    st.session_state.picture = visible_picture
    st.segmented_control(
        "Picture",
        list(names),
        key="picture",
        required=True,
        format_func=names.__getitem__,
        on_change=_choose_picture,
        label_visibility="collapsed",
    )
    return 140 + 130 * long


def _choose_picture() -> None:
    """Keep the chosen picture under another session key than the shown picture's.

    So the picture that one metric shows by default is never kept for the next metric."""
    st.session_state.picture_chosen = st.session_state.picture


def _choose_reference() -> None:
    """Remember the visitor's choice of a reference apart from the reference that is shown; a callback.

    So another metric starts with its own default."""
    st.session_state.detail_reference_chosen = st.session_state.detail_reference


# ---------------------------------------------------------------- rounds

ROUND_SECONDS = 1.2  # seconds that each round is shown while playing


def round_controls(result: Result) -> None:
    """Draw the slider through the rounds of an alignment, and the buttons that play them and show the next one.

    Nothing is drawn for results of a single round."""
    state, last = st.session_state, evidence.last_round_number(result)
    if last < 2:
        return
    noun = next(layer.noun for layer in result.layers if layer.number).capitalize()
    slider_format = f"{noun.lower()} %d"
    st.slider(f"{noun}s shown", 1, last, key="rounds", format=slider_format, width=170, label_visibility="collapsed")
    # The style sheet shows one of the two buttons: the second if the user prefers reduced motion.
    st.button("Pause" if state.get("playing") else "Play", key="play", on_click=_toggle_playing)
    st.button(f"Next {noun.lower()}", key="step_rounds", on_click=_show_next_round, args=(last,))
    if state.get("playing"):
        _advance_round(last)


@st.fragment(run_every=ROUND_SECONDS)
def _advance_round(last: int) -> None:
    """Show the next round once the current one was shown long enough; stop after the round `last`.

    Streamlit also runs this whenever it is drawn, so it checks the time itself."""
    state = st.session_state
    if time.monotonic() - state.get("round_since", 0) < 0.8 * ROUND_SECONDS:
        return
    state.next_round = state.rounds + 1
    state.playing = state.next_round < last
    st.rerun()


def _show_next_round(last: int) -> None:
    """Show the next round; after the round `last`, the first."""
    pending_widgets.restore_given_values()
    # Until the browser has the new value it still sends the old round, which must be ignored.
    pending_widgets.give_value("rounds", st.session_state.rounds % last + 1)


def _toggle_playing() -> None:
    """Start or stop the automatic play of the rounds."""
    state = st.session_state
    state.playing = not state.get("playing")
    if state.playing:
        state.next_round = 1


# ---------------------------------------------------------------- long texts


def _draw_overview(texts: ProcessedTexts, result: Result, look: EvidenceLook, window: Window) -> None:
    """Draw the overview of a long text, and the controls that move `window`, the part that is shown in detail."""
    state, rounds = st.session_state, evidence.shown_round_count(result, look.rounds)
    n, m = len(texts.candidate), len(texts.references[window.k])
    state.detail_i, state.detail_j = window.i + 1, window.j + 1
    cells = cache.used_cells(result, rounds)  # the fragment reports it if there are too many
    used = [] if isinstance(cells, Problem) else [cell for cell in cells if cell.k == window.k]
    all_ = cache.hits_per_square(texts.segment, window.k, charts.words_per_square(n, m))
    figure = charts.overview_figure(n, m, all_, used, window, min(440, look.room - 40))

    def move() -> None:
        if middle := charts.clicked_square(component.clicked_point("overview")):
            state.detail_i = max(1, middle[0] - DETAIL // 2 + 1)
            state.detail_j = max(1, middle[1] - DETAIL // 2 + 1)

    if len(texts.references) > 1:
        state.detail_reference = window.k
        st.selectbox(
            "Reference",
            range(len(texts.references)),
            key="detail_reference",
            format_func=lambda k: f"Reference {k + 1}",
            on_change=_choose_reference,
        )
    st.plotly_chart(
        figure,
        key="overview",
        width="content",
        config=CONFIG,
        alt="Overview of all matches; the frame is the part shown below",
        on_select=move,
        selection_mode="points",
    )
    st.caption(f"{n:,} × {m:,} words. The frame is shown below in detail; click the overview or move the sliders.")
    with st.container(horizontal=True, gap="medium"):
        if n > DETAIL:
            st.slider("Candidate words from", 1, n - DETAIL + 1, key="detail_i")
        if m > DETAIL:
            st.slider("Reference words from", 1, m - DETAIL + 1, key="detail_j")
