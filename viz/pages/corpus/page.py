"""The Corpus page: which system is better, whether that is more than chance, why, and which segments made it so."""

from __future__ import annotations

import dataclasses
import time

import streamlit as st

from viz.components import address, segments
from viz.draw.pen import theme
from viz.frame import menus, strip
from viz.frame.corpora import CorpusJob, SegmentSubset
from viz.pages.corpus import (
    charts,
    columns,
    explanations,
    filter_menu,
    filters,
    order_menu,
    patterns,
    segment,
    segment_rows,
    systems,
    upload,
    visitor_corpus,
    why,
)
from viz.pages.corpus.record import VIEWS, CorpusState
from viz.state import navigation, session

#: Seconds between two looks at a job, of which no number is there yet, and later.
SOON, TICK = 0.08, 0.5
#: Seconds for which what is said below the chosen metric's test and causes waits for more of its kind.
PATIENCE = 2.0
#: Seconds for which the first run waits for a number.
FIRST = 0.5


def page() -> None:
    """Ask for files, score them in the background, and show what is known so far."""
    reloaded = address.may_have_kept()
    state = navigation.start(CorpusState)
    if state is None:
        address.ask()
        return
    job = visitor_corpus.scoring()
    if job is None and reloaded:  # what a tab kept is shown at once, not after what asks for texts
        address.ask_for_document()
        return
    with st.container(key="corpus_problems"):  # places stay where they are, whatever is said
        for problem in st.session_state.pop("problems", []):
            st.warning(theme.markdown(problem))
        if st.session_state.get("corpus_lost") and not job:
            st.warning(visitor_corpus.LOST)
    if job and max(state.a, state.b) >= len(job.names):  # a link may ask for any
        last = len(job.names) - 1
        st.session_state.update(corpus_a=min(state.a, last), corpus_b=min(state.b, last))
        state = session.begin(CorpusState)
    with st.container(key="corpus_top"):
        upload.draw(state, job)
    if job is None:
        address.show(state)
        return
    job.hear()
    job.wait_for_a_score(FIRST)  # sooner there than a look later
    known_count, ended = job.revision() + len(job.tables), job.ended
    explanations.ask(job, state)  # what is missing is looked for from here on
    with st.container(key="corpus_notes"):
        if not ended or job.busy or job.revision() + len(job.tables) != known_count:
            parts = known_count, ended, _whole_of(job, state)
            st.fragment(corpus_progress, run_every=TICK if job.tables else SOON)(state, *parts, time.monotonic())
        if job.problem:
            st.error(theme.markdown(theme.visible(job.problem, 400)))
        for each in job.without_score():
            st.warning(theme.markdown(theme.visible(f"{each}.", 600)))
        if says := st.session_state.get("corpus_says"):
            st.html(f'<div class="lead_line">{theme.safe(says, 600)}</div>')
        upload.doubts(job, state)
    corpus_view()


def _whole_of(job: CorpusJob, state: CorpusState) -> tuple[bool, bool, bool]:
    """What a reader waits for: a number, that of the chosen metric, and its test and causes."""
    return bool(job.tables), state.metric in job.tables, explanations.has_test_and_causes(job, state)


def corpus_progress(
    state: CorpusState, known_count: int, ended: bool, whole: tuple[bool, bool, bool], since: float
) -> None:
    """How far the job is, a fragment; when there is more to show the whole page runs, at once for what a reader waits
    for."""
    job = visitor_corpus.scoring()
    if job is None:
        return
    job.hear()
    more = job.revision() + len(job.tables) != known_count
    waited = more and time.monotonic() > since + PATIENCE
    reached = _whole_of(job, state) != whole
    if reached or waited or job.ended != ended or (ended and not job.busy) or (more and not job.busy):
        st.rerun()
    if job.ended:
        what = "for causes and chance" if job.looks else "whether something is wrong with the texts"
        st.html(f'<div class="lead_line">Looking {what}.</div>')
        return
    progress = job.progress
    done_share = (
        sum(progress.segments_done.values()) / (progress.size * len(progress.segments_done)) if progress else 0.0
    )
    time_left = f", about {progress.seconds:.0f} s left" if progress and progress.seconds else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done_share, f"{len(job.tables)} of {len(job.settings)} metrics scored{time_left}")
        st.button("Stop", on_click=job.stop)


@st.fragment
def corpus_view() -> None:
    """What is said of both systems, their segments, and the evidence of the chosen one: all that follows the filter."""
    st.session_state.setdefault("corpus_view", "segments")
    state = session.this_run(CorpusState)
    job = visitor_corpus.scoring()
    if st.session_state.pop("whole_page", False) or job is None:
        st.rerun()
    st.session_state.corpus_said = _apart_from_segments(state)
    selected = filters.selected(job, state)
    if selected.subset is not None:
        explanations.ask(job, state, selected.subset)
    # Where the segments stand must not depend on what is said above them: what a fragment in another one has sent, the
    # browser may have to put there after what that one would have sent was given up for a later run.
    above, controls, below = (st.container(key=f"corpus_{name}") for name in ("above", "controls", "below"))
    scored = state.metric in job.tables
    # What a reader waits for comes first, after what can be typed and before what says more of it.
    with controls:
        if scored:
            _controls(job, state, selected)
    with below:
        if scored and state.view != "all":
            if st.session_state.pop("corpus_filtered", False) and not selected.has(state.segment):
                st.session_state.corpus_segment = None
                state = dataclasses.replace(state, segment=None)
            st.session_state.looked = state
            corpus_segments()
        else:
            if scored:
                systems.draw(job, state, selected)
            address.show(state)
    with above:
        _draw_summary(job, state, selected)


def _apart_from_segments(state: CorpusState) -> CorpusState:
    """What the page shows, but for what only the segments and their evidence follow."""
    marks = state.marks if "tag" in state.where else ""
    return dataclasses.replace(state, segment=None, sort="worth", up=False, seen="difference", against="", marks=marks)


def _draw_summary(job: CorpusJob, state: CorpusState, selected: filters.Selected) -> None:
    """What is said of the systems by all metrics and by the chosen one, the strip and why."""
    explanations.across(job, state, selected)
    sentence = theme.safe(explanations.sentence(job, state, selected), 1_000)
    st.html(f'<div class="story"><p class="verdict" role="status">{sentence}</p></div>')
    strip.show(explanations.tiles(job, state, selected), state.metric, _whole)
    if selected.subset is not None and job.looks:
        pair_request = state.metric, state.a, selected.subset
        corpus_tested(pair_request, job.pairs(*pair_request) is not None)
    if state.metric in job.tables:
        why.draw(job, state, selected)


def _controls(job: CorpusJob, state: CorpusState, selected: filters.Selected) -> None:
    """The views and the filter."""
    menus.switch("View", "corpus_view", VIEWS)
    if state.view != "all":
        filters.draw(job, state, selected, lambda: _menus(job, state, selected))


@st.fragment
def corpus_segments() -> None:
    """The segments, and the evidence of the chosen one: all that changes with another segment or another order."""
    state = session.this_run(CorpusState)
    job = visitor_corpus.scoring()
    if (
        st.session_state.get("whole_page")
        or job is None
        or st.session_state.get("corpus_said") != _apart_from_segments(state)  # a bar of a chart is a filter, say
    ):
        st.rerun()
    selected, ledger = filters.selected(job, state), job.ledger(state.metric, state.a, state.b)
    segment_table = segment_rows.SegmentTable(job, state, None if isinstance(ledger, str) else ledger, selected.numbers)
    if len(segment_table.order):
        left_column, right = st.columns([7, 5], gap="medium")
        with left_column.container(key="corpus_list" if state.view == "segments" else "corpus_views"):
            if state.view == "charts":
                charts.draw(job, state, segment_table)
            elif state.view == "patterns":
                patterns.draw(job, state, selected)
            else:
                _table(job, state, segment_table)
        with right:
            segment.draw(job, state, segment_table)
    address.show(state)


def _menus(job: CorpusJob, state: CorpusState, selected: filters.Selected) -> None:
    """What stands beside the field of the filter."""
    filter_menu.draw(job, state, selected)
    if state.view == "segments":
        columns.menu(job, state)


@st.fragment(run_every=TICK)
def corpus_tested(pair_request: tuple[str, int, SegmentSubset], tests_known: bool) -> None:
    """Waits for the tests of the segments of a filter: for that of the chosen metric, then for all others."""
    job = visitor_corpus.scoring()
    if job is None or not job.looks or (not tests_known and job.pairs(*pair_request) is not None):
        st.rerun()
    job.hear()


def _whole() -> None:
    """Another metric has other settings, whose menu is not among what follows the filter."""
    st.session_state.whole_page = True


def _table(job: CorpusJob, page_state: CorpusState, segment_table: segment_rows.SegmentTable) -> None:
    order_key = (
        f"{job.name[:6]} {page_state.metric} {page_state.a} {page_state.b} {segment_table.by} {page_state.where} "
        f"{hash(page_state.marks)}"
    )
    state = st.session_state
    if state.pop("corpus_from_top", False):  # what was sorted or filtered begins with its first
        state.corpus_top = order_key, page_state.up
    order_menu.draw(job, page_state, segment_table)
    segments.show(
        segment_table.columns(),
        segment_table.rows,
        len(segment_table.order),
        order_key,
        page_state.sort,
        page_state.up,
        segment_table.chosen_segment,
        0 if state.get("corpus_top") == (order_key, page_state.up) else segment_table.chosen_row,
        lambda name: _turn(name, segment_table.chosen_segment),
        _pick,
        lambda number: _open(job, page_state, number),
        sought=segment_table.sought,
    )


def _turn(name: str, chosen: int) -> None:
    """Sort by a column; the segment that is looked at stays, so that its evidence is not sent again."""
    state = st.session_state
    state.corpus_up = not state.get("corpus_up", False) if state.get("corpus_sort", "worth") == name else False
    state.corpus_sort, state.corpus_segment, state.corpus_from_top = name, chosen, True


def _open(job: CorpusJob, state: CorpusState, number: int) -> None:
    if number < job.size:
        st.session_state.corpus_segment = number
        segment.open_segment(job, state, number)


def _pick(number: int) -> None:
    st.session_state.corpus_segment = number


page()
