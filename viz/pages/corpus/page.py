"""Run the Corpus page: which system is better, whether that is more than chance, why, and which segments decide."""

from __future__ import annotations

import dataclasses
import time
from functools import partial

import streamlit as st

from viz.components import address, segments
from viz.draw.pen.text import escape_markdown, safe, visible
from viz.frame import menus, strip, visitor_corpora
from viz.frame.corpora import CorpusJob, SegmentSubset
from viz.frame.views import View, checked_views
from viz.pages.corpus import (
    charts,
    columns,
    explanations,
    filter_menu,
    order_menu,
    patterns,
    scoring,
    segment,
    segment_rows,
    systems,
    upload,
    visitor_corpus,
    why,
)
from viz.pages.corpus.filter import filters
from viz.pages.corpus.record import VIEWS, CorpusState
from viz.state.visit import navigation, session

#: Seconds between two updates of the progress: while no metric is scored yet, and later.
SOON, TICK = 0.08, 0.5
#: Seconds for which less important results are collected before the page is drawn again.
PATIENCE = 2.0
#: Seconds for which the first run waits for a score.
FIRST = 0.5


def page() -> None:
    """Ask for files, score them in the background, and draw the results that are known so far."""
    reloaded = address.may_be_reload()
    state = navigation.prepare_run(CorpusState)
    if state is None:
        address.ask_for_texts()
        return
    job = visitor_corpus.visitor_job()
    if job is None and reloaded:  # show the corpus that the tab kept at once, without the form for files before it
        address.ask_for_document()
        return
    with st.container(key="corpus_problems"):  # one container, so that messages do not move the elements below
        for problem in st.session_state.pop("problems", []):
            st.warning(escape_markdown(problem))
        if st.session_state.get("corpus_lost") and not job:
            st.warning(visitor_corpora.LOST)
    if job and max(state.a, state.b) >= len(job.names):  # a link may name systems that do not exist
        last = len(job.names) - 1
        st.session_state.update(corpus_a=min(state.a, last), corpus_b=min(state.b, last))
        state = session.read_for_run(CorpusState)
    if job and state.given and state.given not in job.given_tables:  # of other files
        st.session_state.corpus_given = ""
        state = session.read_for_run(CorpusState)
    if job and visitor_corpus.name_texts(job, state.language):
        state = session.read_for_run(CorpusState)
    with st.container(key="corpus_top"):
        upload.draw(state, job)
    if job is None:
        address.show(state)
        return
    job.keep_alive()
    job.wait_for_first_score(FIRST)  # faster than another run of the page
    known_count, ended = job.revision() + len(job.tables), job.ended
    explanations.request_results(job, state)  # starts the computation of missing results
    with st.container(key="corpus_notes"):
        if not ended or job.is_busy or job.revision() + len(job.tables) != known_count:
            parts = known_count, ended, _milestones(job, state)
            st.fragment(corpus_progress, run_every=TICK if job.tables else SOON)(state, *parts, time.monotonic())
        if job.problem:
            st.error(escape_markdown(visible(job.problem, 400)))
        for each in job.unscored_reasons():
            st.warning(escape_markdown(visible(f"{each}.", 600)))
        scoring.draw_unscored(job)
        if says := st.session_state.get("corpus_says"):
            st.html(f'<div class="lead_line">{safe(says, 600)}</div>')
        upload.draw_warnings(job, state)
    corpus_view()


def _milestones(job: CorpusJob, state: CorpusState) -> tuple[bool, bool, bool]:
    """Return three milestones: any metric is scored; the selected one is; its test and causes are known.

    The page is drawn again at once when one of them is reached."""
    return bool(job.tables), job.is_scored(state.score_key), explanations.has_test_and_causes(job, state)


def corpus_progress(
    state: CorpusState, known_count: int, ended: bool, milestones: tuple[bool, bool, bool], since: float
) -> None:
    """Draw the progress of the job, as a fragment, and rerun the whole page when there is more to show.

    The page reruns at once when one of `_milestones` is reached, and PATIENCE seconds after `since` for other results.

    Args:
        known_count: how many results the page has drawn.
        ended: whether scoring had ended then.
        milestones: the milestones reached then.
        since: when the page was drawn, as `time.monotonic()`."""
    job = visitor_corpus.visitor_job()
    if job is None:
        return
    job.keep_alive()
    more = job.revision() + len(job.tables) != known_count
    waited = more and time.monotonic() > since + PATIENCE
    reached = _milestones(job, state) != milestones
    if reached or waited or job.ended != ended or (ended and not job.is_busy) or (more and not job.is_busy):
        st.rerun()
    if job.ended:
        what = "for causes and chance" if job.is_searching else "for problems in the texts"
        st.html(f'<div class="lead_line">Looking {what}.</div>')
        return
    time_left = f", {seconds} left" if (seconds := scoring.duration_text(job.progress and job.progress.seconds)) else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.done_share(), f"{len(job.tables)} of {len(job.wanted)} metrics scored{time_left}")
        st.button("Stop", key="corpus_stop", on_click=job.stop)


@st.fragment
def corpus_view() -> None:
    """Draw all that depends on the filter, as a fragment: the verdict, the controls, the segments and the evidence."""
    st.session_state.setdefault("corpus_view", "segments")
    state = session.state_of_this_run(CorpusState)
    job = visitor_corpus.visitor_job()
    if st.session_state.pop("whole_page", False) or job is None:
        st.rerun()
    st.session_state.corpus_said = _state_outside_segments(state)
    revision = job.revision()
    selected = filters.select_segments(job, state)
    if selected.subset is not None:
        explanations.request_results(job, state, selected.subset)
    # The position of the segments must not depend on what is drawn above them. If a later run interrupts this one, the
    # browser must still be able to place what the inner fragment has sent already.
    above, controls, below = (st.container(key=f"corpus_{name}") for name in ("above", "controls", "below"))
    scored = job.is_scored(state.score_key)
    # Draw in the order of urgency: fields first, then the segments, then further explanations.
    with controls:
        if scored:
            _draw_controls(job, state, selected)
    with below:
        if scored and state.view != "all":
            if st.session_state.pop("corpus_filtered", False) and not selected.includes(state.segment):
                st.session_state.corpus_segment = None
                state = dataclasses.replace(state, segment=None)
            st.session_state.looked = state
            corpus_segments()
        else:
            if scored:
                DRAWN[state.view].draw(job, state, None, selected)
            address.show(state)
    with above:
        _draw_summary(job, state, selected, revision)


def _state_outside_segments(state: CorpusState) -> CorpusState:
    """Return the page state without the fields on which only the table of segments and their evidence depend.

    When what is left changes, more than these must be drawn again."""
    marks = state.marks if "tag" in state.where or "note" in state.where else ""
    return dataclasses.replace(state, segment=None, sort="worth", up=False, seen="difference", against="", marks=marks)


def _draw_summary(job: CorpusJob, state: CorpusState, selected: filters.SelectedSegments, revision: int) -> None:
    """Draw the verdict of all metrics, that of the selected one, the strip, and the causes.

    `revision` is the job's revision before results for the filter were requested."""
    explanations.draw_votes(job, state, selected)
    sentence = safe(explanations.verdict_sentence(job, state, selected), 1_000)
    st.html(f'<div class="story"><p class="verdict" role="status">{sentence}</p></div>')
    scoring.draw_score_button(job, state.score_key)
    records = {key: table.metric for key, table in job.given_tables.items()}
    strip.show(
        explanations.metric_tiles(job, state, selected),
        state.score_key,
        partial(_open_metric, job),
        None,
        records,
        partial(explanations.open_scores, job),
    )
    if selected.subset is not None and (job.is_searching or job.revision() != revision):
        pair_request = state.score_key, state.a, selected.subset
        corpus_tested(pair_request, job.system_comparisons(*pair_request) is not None)
    if job.is_scored(state.score_key):
        why.draw(job, state, selected)


def _draw_controls(job: CorpusJob, state: CorpusState, selected: filters.SelectedSegments) -> None:
    """Draw the buttons that select the view, and the filter."""
    menus.draw_choice_buttons("View", "corpus_view", VIEWS)
    if state.view != "all":
        filters.draw(job, state, selected, lambda: _draw_menus(job, state, selected))


@st.fragment
def corpus_segments() -> None:
    """Draw the table or charts of the segments and the evidence of the selected segment, as a fragment.

    It reruns alone when another segment or order is selected."""
    state = session.state_of_this_run(CorpusState)
    job = visitor_corpus.visitor_job()
    if (
        st.session_state.get("whole_page")
        or job is None
        or st.session_state.get("corpus_said") != _state_outside_segments(state)  # for example, a new filter
    ):
        st.rerun()
    selected, ledger = filters.select_segments(job, state), job.ledger(state.score_key, state.a, state.b)
    segment_table = segment_rows.SegmentTable(
        job, state, None if isinstance(ledger, str) else ledger, selected.segment_indices
    )
    if len(segment_table.order):
        left_column, right = st.columns([7, 5], gap="medium")
        with left_column.container(key="corpus_list" if state.view == "segments" else "corpus_views"):
            DRAWN[state.view].draw(job, state, segment_table, selected)
        with right:
            segment.draw(job, state, segment_table)
    address.show(state)


def _draw_menus(job: CorpusJob, state: CorpusState, selected: filters.SelectedSegments) -> None:
    """Draw the menus at the right of the field for the filter."""
    filter_menu.draw(job, state, selected)
    if state.view == "segments":
        columns.draw_columns_menu(job, state)


@st.fragment(run_every=TICK)
def corpus_tested(pair_request: tuple[str, int, SegmentSubset], tests_known: bool) -> None:
    """Wait for the tests on the segments of a filter, as a fragment, and rerun the page when they are known.

    `pair_request` are the arguments of `CorpusJob.pairs` for the selected metric. `tests_known` says whether its test
    is known; the tests of the other metrics come after it."""
    job = visitor_corpus.visitor_job()
    if job is None or not job.is_searching or (not tests_known and job.system_comparisons(*pair_request) is not None):
        st.rerun()
    job.keep_alive()


def _open_metric(job: CorpusJob) -> None:
    """Have the whole page rerun, because another metric has another settings menu, outside the fragment; a callback.

    If the metric is not scored and not being scored, it is scored now."""
    explanations.open_scores(job, st.session_state.metric)
    if scoring.is_waiting(job, st.session_state.metric):
        job.go_on([st.session_state.metric])


def _draw_table(job: CorpusJob, page_state: CorpusState, segment_table: segment_rows.SegmentTable) -> None:
    """Draw the table of segments with the selector of its order."""
    order_key = (
        f"{job.name[:6]} {page_state.score_key} {page_state.a} {page_state.b} {segment_table.by} {page_state.where} "
        f"{hash(page_state.marks)}"
    )
    state = st.session_state
    if state.pop("corpus_from_top", False):  # a newly sorted or filtered table begins at its first row
        state.corpus_top = order_key, page_state.up
    order_menu.draw(job, page_state, segment_table)
    segments.show(
        segment_table.column_heads(),
        segment_table.rows,
        len(segment_table.order),
        order_key,
        page_state.sort,
        page_state.up,
        segment_table.chosen_segment,
        0 if state.get("corpus_top") == (order_key, page_state.up) else segment_table.chosen_row,
        lambda name: _sort_by(name, segment_table.chosen_segment),
        _select_segment,
        open_=lambda number: _open_on_other_page(job, page_state, number),
        highlighted_words=segment_table.searched_words,
    )


def _sort_by(name: str, chosen: int) -> None:
    """Sort the segments by the column `name`, or reverse the order if they are sorted by it already; a callback.

    The segment `chosen` stays selected, so that its evidence is not sent again."""
    state = st.session_state
    state.corpus_up = not state.get("corpus_up", False) if state.get("corpus_sort", "worth") == name else False
    state.corpus_sort, state.corpus_segment, state.corpus_from_top = name, chosen, True


def _open_on_other_page(job: CorpusJob, state: CorpusState, number: int) -> None:
    """Open the segment with this index on another page; a callback."""
    if number < job.segment_count:
        st.session_state.corpus_segment = number
        segment.open_segment(job, state, number)


def _select_segment(number: int) -> None:
    """Select the segment with this index; a callback."""
    st.session_state.corpus_segment = number


#: All get the job, the state, the table of segments and the segments that the filter selects. The view of all systems
#: fills the page; it has no table. The others stand beside the chosen segment.
DRAWN = checked_views(
    VIEWS,
    {
        "segments": View(lambda job, state, table, selected: _draw_table(job, state, table)),
        "charts": View(lambda job, state, table, selected: charts.draw(job, state, table)),
        "patterns": View(lambda job, state, table, selected: patterns.draw(job, state, selected)),
        "all": View(lambda job, state, table, selected: systems.draw(job, state, selected)),
    },
)
page()
