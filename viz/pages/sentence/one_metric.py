"""One metric's evidence: the fragment of its result, and what chooses among its alignments and rounds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

import metrics
from metrics.types import Hit, Result

from ...components import fragment as component
from ...draw.evidence import arcs, charts, ledger
from ...draw.evidence import fragment as fragments
from ...draw.evidence.drawn import Drawn, Picture
from ...draw.evidence.fragment import TOO_MANY, fragment, inspector_width
from ...draw.pen import picture as pictures
from ...draw.pen import svg
from ...draw.pen.grid import DIRECT, Window
from ...draw.pen.marks import Selection
from ...draw.texts import Texts
from ...save import sentence_page, tikz
from ...save.sentence_page import Files
from ...state import cache, codec, session
from ...state.cache import TIES_MOST, Problem
from ...state.memory import remembered
from ...state.pages import FIRST_METRIC
from ..learn import chapter_files, lessons
from . import look as looks
from .record import TERMS_MOST

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
DETAIL_AT = {"detail_i": 1, "detail_j": 1, "detail_reference": 0}  # where the detail window is at first
DETAIL = 40  # words a side of the detail window of a long text


def draw(texts: Texts, found: Result) -> None:
    """The whole evidence of a result. What is chosen in the browser changes nothing here but the link and the files."""
    shown = markup(texts, found)
    if is_long(texts):
        _overview(texts, found)
    component.show("evidence", shown, st.session_state.get("term"), told)


def markup(texts: Texts, found: Result) -> str:
    """The fragment of a result as it is looked at now. The script chooses, so that a choice changes nothing in it."""
    _go_on(found)
    if not is_long(texts):
        st.session_state.update(DETAIL_AT)
    drawn = looked_at(texts, found)
    return _fragment(found, texts, drawn.tie, drawn.tint, drawn.rounds, drawn.width, drawn.picture, drawn.window)


@remembered
def _fragment(found: Result, *look: Any) -> str:
    label, taught = metrics.METRICS[found.metric].label, chapter_files.of_metric(found.metric)
    return fragment(_drawn(found, *look), f"Learn how {label} works on this sentence" if taught else "")


def told(what: str, value: object) -> None:
    """Keep what the user did in the browser."""
    state = st.session_state
    if what == "term":
        state.term = value if isinstance(value, str) else None
    elif what == "tie" and (tie := codec.number_sent(value, TIES_MOST)) is not None:
        state.tie, state.term = tie, None
    elif what == "tint":
        state.tint = bool(value)
    elif what == "open" and value == "learn":
        _open_chapter()


def _open_chapter() -> None:
    """Open the chapter of the metric, with the sentence that is shown."""
    state, key = st.session_state, st.session_state.metric
    texts = state.get("candidate") or "", state.get("references") or ""
    changed = codec.changed(session.metric_settings(key))
    session.restore(lessons.of_sentence(key, *texts, session.text_settings(), changed), [])
    state.whole_page = True


def files(texts: Texts) -> Files | Problem:
    """What can be saved of the result that is looked at, as it is seen."""
    key = st.session_state.get("metric") or FIRST_METRIC
    found = session.score(key, texts)
    if isinstance(found, Problem):
        return found
    drawn = looked_at(texts, found)
    result, ours, theirs = drawn.result, texts.candidate_words, texts.reference_words
    signature = result.signature(texts.settings.signature())
    return key, [
        ("Figure, SVG", "svg", lambda: svg.captioned(picture_to_save(drawn))),
        ("Page, HTML", "html", lambda: sentence_page.page_html(drawn)),
        ("Result, JSON", "json", lambda: sentence_page.result_json(texts, result)),
        ("Ledger, CSV", "csv", lambda: ledger.csv_text(ours, theirs, result, signature)),
        ("Figure, TikZ", "tex", lambda: tikz.document(picture_to_save(drawn))),
    ]


def picture_to_save(drawn: Drawn) -> pictures.Picture:
    """The picture as it is seen. ValueError, with a sentence for the user, where there is none."""
    if not cache.drawable(drawn.result, drawn.rounds):
        raise ValueError(TOO_MANY)
    return fragments.picture_of(drawn, saved=True)


# ---------------------------------------------------------------- what is looked at


def identity(result: Result) -> tuple[Any, ...]:
    """What a result follows from; what is chosen in it belongs to it."""
    return (result.metric, result.settings, result.segment)


def looked_at(texts: Texts, found: Result) -> Drawn:
    """A result as it is looked at now: the alignment stepped to, the rounds shown, grid or arcs, the chosen term."""
    state = st.session_state
    own = looks.has_look(found.metric)  # else what was chosen belongs to another result
    room = component.room()
    drawn = _drawn(
        found,
        texts,
        (state.get("tie") or 0) if own else 0,
        bool(state.get("tint", True)),
        rounds_shown(found) if own else None,
        room - inspector_width(room),
        picture_of(found),
        window_of(texts) if is_long(texts) else None,
    )
    return replace(drawn, chosen=selection(drawn.result)) if own else drawn


def _drawn(
    found: Result,
    texts: Texts,
    tie: int,
    tint: bool,
    rounds: int | None,
    width: int | None,
    picture: Picture,
    window: Window | None,
) -> Drawn:
    ties = cache.ties(found)
    results: Sequence[Result] = ties.results if ties and ties.results else [found]
    tie = tie if tie < len(results) else 0
    result = results[tie]
    alone = [cache.alone(result, k) for k in range(len(texts.references))] if len(texts.references) > 1 else ()
    hits = _hits(texts, window)
    return Drawn(
        texts, result, hits, ties, tie, tint, None, rounds, width, picture, window, cache.remark(result), alone
    )


def _hits(texts: Texts, window: Window | None) -> Sequence[Hit]:
    return cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)


def selection(result: Result) -> Selection | None:
    """The chosen term, None if there is none in this result."""
    names = (st.session_state.get("term") or "").partition(":")[::2]
    layer, number = [codec.number_sent(name, TERMS_MOST) for name in names]
    if layer is None or number is None:
        return None
    chosen = Selection(layer, number)
    return chosen if chosen.of(result) else None


def picture_of(result: Result, most: int = arcs.ARCS_MOST) -> Picture:
    """Whether arcs, of which there may be `most`, or the grid are shown."""
    if not arcs.picture_kind(result, most):
        return "grid"
    return "arcs" if (st.session_state.get("picture_chosen") or first_picture(result)) == "arcs" else "grid"


def first_picture(result: Result) -> Picture:
    """What a result shows at first: chunks are seen best on a grid, pairs as arcs."""
    return "grid" if arcs.grid_first(result) else "arcs"


def picture_switch(result: Result, most: int = arcs.ARCS_MOST) -> int:
    """The choice between arcs and grid, where a result has both; the pixels that it takes."""
    kind = arcs.picture_kind(result, most)
    if not kind:
        return 0
    names = {"arcs": "Lines" if kind == "crossings" else "Arcs", "grid": "Grid"}
    st.session_state.picture = picture_of(result, most)
    st.segmented_control(
        "Picture", list(names), key="picture", required=True, format_func=names.__getitem__, on_change=_choose_picture
    )
    return 140


def _choose_picture() -> None:
    """Keep what was chosen apart from what is shown, so that what a metric shows first never stays for the next one."""
    st.session_state.picture_chosen = st.session_state.picture


# ---------------------------------------------------------------- rounds

EACH = 1.2  # seconds for which each round is seen while they play


def last_round(result: Result) -> int:
    return max([layer.number or 0 for layer in result.layers], default=0)


def rounds_shown(result: Result) -> int | None:
    """How many rounds are shown; None where the result has none or one."""
    last = last_round(result)
    if last < 2:
        return None
    return max(1, min(last, st.session_state.get("rounds") or last))


def _go_on(result: Result) -> None:
    """Show the round that playing has reached; before the slider is drawn, whose value it is."""
    state, last = st.session_state, last_round(result)
    if last < 2:
        state.playing = False  # another metric was chosen while rounds were playing
        return
    if next_round := state.pop("next_round", None):
        state.rounds, state.round_since = next_round, time.monotonic()
    state.rounds, state.rounds_first = rounds_shown(result), last


def round_controls(result: Result) -> int:
    """The slider through the rounds, and what plays them; the pixels that they take."""
    state, last = st.session_state, last_round(result)
    if last < 2:
        return 0
    noun = next(layer.noun for layer in result.layers if layer.number).capitalize()
    st.slider(f"{noun}s shown", 1, last, key="rounds", width=170)
    # The style sheet shows the one or, to those who want less motion, the other.
    st.button("Pause" if state.get("playing") else "Play", key="play", on_click=_play)
    st.button(f"Next {noun.lower()}", key="step_rounds", on_click=_step, args=(last,))
    if state.get("playing"):
        _clock(last)
    return 260


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
    st.session_state.rounds = st.session_state.rounds % last + 1


def _play() -> None:
    state = st.session_state
    state.playing = not state.get("playing")
    if state.playing:
        state.next_round = 1


# ---------------------------------------------------------------- long texts


def is_long(texts: Texts) -> bool:
    """Whether the texts are too long for a picture of the whole grid."""
    return max(len(texts.candidate), *map(len, texts.references)) > DIRECT


def window_of(texts: Texts) -> Window:
    """The part of a long text that is shown in detail."""
    state = st.session_state
    k = min(state.get("detail_reference") or 0, len(texts.references) - 1)
    n, m = len(texts.candidate), len(texts.references[k])
    i = min(state.get("detail_i", 1) - 1, max(0, n - DETAIL))
    j = min(state.get("detail_j", 1) - 1, max(0, m - DETAIL))
    return Window(k, i, j, min(DETAIL, n), min(DETAIL, m))


def _overview(texts: Texts, result: Result) -> None:
    """The whole bitext from afar and the controls of the detail window."""
    state, window = st.session_state, window_of(texts)
    n, m = len(texts.candidate), len(texts.references[window.k])
    state.detail_i, state.detail_j = window.i + 1, window.j + 1
    cells = cache.covered(result, rounds_shown(result))  # the fragment says so where they are too many
    used = [] if isinstance(cells, Problem) else [cell for cell in cells if cell.k == window.k]
    all_ = cache.density(texts.segment, window.k, charts.overview_step(n, m))
    figure = charts.overview(n, m, all_, used, window, min(440, component.room() - 40))

    def move() -> None:
        points = state.overview.selection.points
        middle = charts.clicked_square(points[0]) if points else None
        if middle:
            state.detail_i = max(1, middle[0] - DETAIL // 2 + 1)
            state.detail_j = max(1, middle[1] - DETAIL // 2 + 1)

    if len(texts.references) > 1:
        st.selectbox(
            "Reference",
            range(len(texts.references)),
            key="detail_reference",
            format_func=lambda k: f"Reference {k + 1}",
            persist_state="session",
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
