"""One metric's evidence, and what chooses among its alignments and rounds."""

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
from ...state import cache, codec, controls, edits, offers, pending_widgets, scoring, session
from ...state.cache import TIES_MOST, Problem
from ...state.inputs import MAX_WORDS
from ..learn import chapter_files, lessons
from . import if_matched
from .record import SentenceState

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
DETAIL_AT = {"detail_i": 1, "detail_j": 1, "detail_reference_chosen": None}  # where the detail window is at first


def look_of(state: SentenceState) -> EvidenceLook:
    """How the chosen metric's result is looked at, in this window."""
    return state.look(state.metric, component.room(), component.window_height())


def draw(texts: ProcessedTexts, result: Result, look: EvidenceLook, html: str, answer: str) -> None:
    """The whole evidence of a result, from its markup, with the `answer` to what was asked of it. What is chosen in the
    browser changes nothing here but the link and the files."""
    picture = evidence.picture_of(texts, result, look.picture)
    if picture != "text" and (window := evidence.window_of(texts, result, look)):
        _overview(texts, result, look, window)
    evidence.show("evidence", texts, result, look, partial(handle_event, texts, result, look), html, answer)


def markup(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> str:
    """What is drawn of a result; it takes time, and is found before anything is sent."""
    return evidence.markup(texts, result, look, _offer(result))


def settle(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> None:
    """Have the controls show what is looked at, before they are drawn."""
    state, last = st.session_state, evidence.last_round(result)
    if last < 2:
        state.playing = False  # another metric was chosen while rounds were playing
    else:
        state.rounds, state.rounds_first = evidence.rounds_shown(result, look.rounds), last
    if not is_long(texts):
        state.update(DETAIL_AT)


def _offer(result: Result) -> str:
    label, taught = metrics.METRICS[result.metric].label, chapter_files.of_metric(result.metric)
    return f"Learn how {label} works on this sentence" if taught else ""


def handle_event(texts: ProcessedTexts, result: Result, look: EvidenceLook, what: str, value: object) -> None:
    """Keep what the user did in the browser with a result that is looked at. The detail of a long text goes where the
    chosen term is seen."""
    state = st.session_state
    if what == "term":
        state.term = value if isinstance(value, str) else None
        if window := evidence.window_on(texts, result, replace(look, term=state.term)):
            state.detail_i, state.detail_j, state.detail_reference_chosen = window.i + 1, window.j + 1, window.k
    elif what == "reference":
        state.detail_reference_chosen = codec.number_sent(value, len(texts.references))
    elif what == "spot" and isinstance(value, list | tuple) and len(value) == 2:
        i, j = (codec.number_sent(place, MAX_WORDS) for place in value)
        state.detail_i, state.detail_j = (i or 0) + 1, (j or 0) + 1
    elif what == "tie" and (tie := codec.number_sent(value, TIES_MOST)) is not None:
        state.tie, state.term = tie, None
    elif what == "tint":
        state.tint = bool(value)
    elif what == "match":
        state.asked = if_matched.name_of(value)
    elif what == "open" and value == "learn":
        _open_chapter()
    elif what == "open" and (offer := offers.offer([result])) and value == offer.event:
        state[controls.widget_key(result.metric, offer.name)] = offer.value


def _open_chapter() -> None:
    """Open the chapter of the metric, with the sentence that is shown."""
    session.restore(lessons.of_sentence(session.read_state(SentenceState)), [])
    st.session_state.whole_page = True


def files(texts: ProcessedTexts, state: SentenceState) -> Files | Problem:
    """What can be saved of the result that is looked at, as it is seen."""
    plain_result = scoring.score(state, state.metric, texts)
    if isinstance(plain_result, Problem):
        return plain_result
    look = look_of(state)
    drawn = evidence.drawn_result(texts, plain_result, look)
    drawn = replace(drawn, verdict=edits.verdict_of(texts, drawn.result))
    # Of a long text only a part is a picture.
    part = (
        evidence.drawn_result(texts, plain_result, replace(look, picture="grid")) if drawn.picture == "text" else drawn
    )
    result, ours, theirs = drawn.result, texts.candidate_words, texts.reference_words
    signature = result.signature(texts.settings.signature())
    return state.metric, [
        ("Figure, SVG", "svg", lambda: svg.captioned(picture_to_save(part))),
        ("Page, HTML", "html", lambda: sentence_page.page_html(drawn)),
        ("Result, JSON", "json", lambda: sentence_page.result_json(texts, result, drawn.verdict)),
        ("Ledger, CSV", "csv", lambda: ledger.csv_text(ours, theirs, result, signature)),
        ("Figure, TikZ", "tex", lambda: tikz.document(picture_to_save(part))),
    ]


def picture_to_save(drawn: DrawnResult) -> pictures.Picture:
    """The picture as it is seen. ValueError, with a sentence for the user, where there is none."""
    if not cache.drawable(drawn.result, drawn.rounds):
        raise ValueError(TOO_MANY)
    return figure.picture_of(drawn, saved=True)


def picture_switch(visible_picture: Picture, kind: str | None, long: bool = False) -> int:
    """The choice among arcs, where a result has a `kind` of them, the grid, and the whole of a `long` text; the pixels
    that it takes. `visible_picture` is what is seen."""
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
    """Keep what was chosen apart from what is shown, so that what a metric shows first never stays for the next one."""
    st.session_state.picture_chosen = st.session_state.picture


def _choose_reference() -> None:
    """Keep what was chosen apart from what is shown, so that another metric shows at first its own."""
    st.session_state.detail_reference_chosen = st.session_state.detail_reference


# ---------------------------------------------------------------- rounds

EACH = 1.2  # seconds for which each round is seen while they play


def round_controls(result: Result) -> None:
    """The slider through the rounds, and what plays them."""
    state, last = st.session_state, evidence.last_round(result)
    if last < 2:
        return
    noun = next(layer.noun for layer in result.layers if layer.number).capitalize()
    slider_format = f"{noun.lower()} %d"
    st.slider(f"{noun}s shown", 1, last, key="rounds", format=slider_format, width=170, label_visibility="collapsed")
    # The style sheet shows the one or, to those who want less motion, the other.
    st.button("Pause" if state.get("playing") else "Play", key="play", on_click=_play)
    st.button(f"Next {noun.lower()}", key="step_rounds", on_click=_step, args=(last,))
    if state.get("playing"):
        _clock(last)


@st.fragment(run_every=EACH)
def _clock(last: int) -> None:
    """Shows the next round when one was seen long enough, until all are shown; it also runs whenever it is drawn."""
    state = st.session_state
    if time.monotonic() - state.get("round_since", 0) < 0.8 * EACH:
        return
    state.next_round = state.rounds + 1
    state.playing = state.next_round < last
    st.rerun()


def _step(last: int) -> None:
    """Show the next round, after the last one the first."""
    pending_widgets.settle()
    # What the browser sends before it has this holds the round that was shown, which is nobody's choice any more.
    pending_widgets.give_value("rounds", st.session_state.rounds % last + 1)


def _play() -> None:
    state = st.session_state
    state.playing = not state.get("playing")
    if state.playing:
        state.next_round = 1


# ---------------------------------------------------------------- long texts


def _overview(texts: ProcessedTexts, result: Result, look: EvidenceLook, window: Window) -> None:
    """The whole bitext from afar and the controls of the detail window."""
    state, rounds = st.session_state, evidence.rounds_shown(result, look.rounds)
    n, m = len(texts.candidate), len(texts.references[window.k])
    state.detail_i, state.detail_j = window.i + 1, window.j + 1
    cells = cache.covered(result, rounds)  # the fragment says so where they are too many
    used = [] if isinstance(cells, Problem) else [cell for cell in cells if cell.k == window.k]
    all_ = cache.density(texts.segment, window.k, charts.overview_step(n, m))
    figure = charts.overview(n, m, all_, used, window, min(440, look.room - 40))

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
