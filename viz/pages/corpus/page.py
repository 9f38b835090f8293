"""The Corpus page: which system is better, whether that is more than chance, why, and which segments made it so."""

from __future__ import annotations

import dataclasses
import time

import streamlit as st

from viz.components import address, segments
from viz.draw.pen import theme
from viz.frame import menus, strip
from viz.frame.corpora import Scoring, Some
from viz.pages.corpus import (
    charts,
    columns,
    entering,
    filter_menu,
    filters,
    held,
    order,
    order_menu,
    patterns,
    segment,
    systems,
    telling,
    why,
)
from viz.pages.corpus.record import VIEWS, Corpus
from viz.state import session, visits

#: Seconds between two looks at a job, of which no number is there yet, and later.
SOON, TICK = 0.08, 0.5
#: Seconds for which what is said below the chosen metric's test and causes waits for more of its kind.
PATIENCE = 2.0
#: Seconds for which the first run waits for a number.
FIRST = 0.5


def page() -> None:
    """Ask for files, score them in the background, and show what is known so far."""
    reloaded = address.may_have_kept()
    shown = visits.start(Corpus)
    if shown is None:
        address.ask()
        return
    found = held.scoring()
    if found is None and reloaded:  # what a tab kept is shown at once, not after what asks for texts
        address.ask_beside()
        return
    with st.container(key="corpus_problems"):  # places stay where they are, whatever is said
        for problem in st.session_state.pop("problems", []):
            st.warning(theme.markdown(problem))
        if st.session_state.get("corpus_lost") and not found:
            st.warning(held.LOST)
    if found and max(shown.a, shown.b) >= len(found.names):  # a link may ask for any
        last = len(found.names) - 1
        st.session_state.update(corpus_a=min(shown.a, last), corpus_b=min(shown.b, last))
        shown = session.begin(Corpus)
    with st.container(key="corpus_top"):
        entering.draw(shown, found)
    if found is None:
        address.show(shown)
        return
    found.hear()
    found.wait_for_a_score(FIRST)  # sooner there than a look later
    known, ended = found.known() + len(found.tables), found.ended
    telling.ask(found, shown)  # what is missing is looked for from here on
    with st.container(key="corpus_notes"):
        if not ended or found.busy or found.known() + len(found.tables) != known:
            parts = known, ended, _whole_of(found, shown)
            st.fragment(corpus_progress, run_every=TICK if found.tables else SOON)(shown, *parts, time.monotonic())
        if found.problem:
            st.error(theme.markdown(theme.visible(found.problem, 400)))
        for each in found.without_score():
            st.warning(theme.markdown(theme.visible(f"{each}.", 600)))
        if says := st.session_state.get("corpus_says"):
            st.html(f'<div class="rd">{theme.safe(says, 600)}</div>')
        entering.doubts(found, shown)
    corpus_view()


def _whole_of(found: Scoring, shown: Corpus) -> tuple[bool, bool, bool]:
    """What a reader waits for: a number, that of the chosen metric, and its test and causes."""
    return bool(found.tables), shown.metric in found.tables, telling.is_known(found, shown)


def corpus_progress(shown: Corpus, known: int, ended: bool, whole: tuple[bool, bool, bool], since: float) -> None:
    """How far the job is, a fragment; when there is more to show the whole page runs, at once for what a reader waits
    for."""
    found = held.scoring()
    if found is None:
        return
    found.hear()
    more = found.known() + len(found.tables) != known
    waited = more and time.monotonic() > since + PATIENCE
    reached = _whole_of(found, shown) != whole
    if reached or waited or found.ended != ended or (ended and not found.busy) or (more and not found.busy):
        st.rerun()
    if found.ended:
        what = "for causes and chance" if found.looks else "whether something is wrong with the texts"
        st.html(f'<div class="rd">Looking {what}.</div>')
        return
    progress = found.progress
    done = sum(progress.done.values()) / (progress.size * len(progress.done)) if progress else 0.0
    left = f", about {progress.seconds:.0f} s left" if progress and progress.seconds else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done, f"{len(found.tables)} of {len(found.settings)} metrics scored{left}")
        st.button("Stop", on_click=found.stop)


@st.fragment
def corpus_view() -> None:
    """What is said of both systems, their segments, and the evidence of the chosen one: all that follows the filter."""
    st.session_state.setdefault("corpus_view", "segments")
    shown = session.this_run(Corpus)
    found = held.scoring()
    if st.session_state.pop("whole_page", False) or found is None:
        st.rerun()
    st.session_state.corpus_said = _apart_from_segments(shown)
    selected = filters.selected(found, shown)
    if selected.some is not None:
        telling.ask(found, shown, selected.some)
    # Where the segments stand must not depend on what is said above them: what a fragment in another one has sent, the
    # browser may have to put there after what that one would have sent was given up for a later run.
    above, controls, below = (st.container(key=f"corpus_{name}") for name in ("above", "controls", "below"))
    scored = shown.metric in found.tables
    # What a reader waits for comes first, after what can be typed and before what says more of it.
    with controls:
        if scored:
            _controls(found, shown, selected)
    with below:
        if scored and shown.view != "all":
            if st.session_state.pop("corpus_filtered", False) and not selected.has(shown.segment):
                st.session_state.corpus_segment = None
                shown = dataclasses.replace(shown, segment=None)
            st.session_state.looked = shown
            corpus_segments()
        else:
            if scored:
                systems.draw(found, shown, selected)
            address.show(shown)
    with above:
        _above(found, shown, selected)


def _apart_from_segments(shown: Corpus) -> Corpus:
    """What the page shows, but for what only the segments and their evidence follow."""
    marks = shown.marks if "tag" in shown.where else ""
    return dataclasses.replace(shown, segment=None, sort="worth", up=False, seen="difference", against="", marks=marks)


def _above(found: Scoring, shown: Corpus, selected: filters.Selected) -> None:
    """What is said of the systems by all metrics and by the chosen one, the strip and why."""
    telling.across(found, shown, selected)
    said = theme.safe(telling.sentence(found, shown, selected), 1_000)
    st.html(f'<div class="story"><p class="verdict" role="status">{said}</p></div>')
    strip.show(telling.tiles(found, shown, selected), shown.metric, _whole)
    if selected.some is not None and found.looks:
        asked = shown.metric, shown.a, selected.some
        corpus_tested(asked, found.pairs(*asked) is not None)
    if shown.metric in found.tables:
        why.draw(found, shown, selected)


def _controls(found: Scoring, shown: Corpus, selected: filters.Selected) -> None:
    """The views and the filter."""
    menus.switch("View", "corpus_view", VIEWS)
    if shown.view != "all":
        filters.draw(found, shown, selected, lambda: _menus(found, shown, selected))


@st.fragment
def corpus_segments() -> None:
    """The segments, and the evidence of the chosen one: all that changes with another segment or another order."""
    shown = session.this_run(Corpus)
    found = held.scoring()
    if (
        st.session_state.get("whole_page")
        or found is None
        or st.session_state.get("corpus_said") != _apart_from_segments(shown)  # a bar of a chart is a filter, say
    ):
        st.rerun()
    selected, ledger = filters.selected(found, shown), found.ledger(shown.metric, shown.a, shown.b)
    seen = order.Shown(found, shown, None if isinstance(ledger, str) else ledger, selected.numbers)
    if len(seen.order):
        left, right = st.columns([7, 5], gap="medium")
        with left.container(key="corpus_list" if shown.view == "segments" else "corpus_views"):
            if shown.view == "charts":
                charts.draw(found, shown, seen)
            elif shown.view == "patterns":
                patterns.draw(found, shown, selected)
            else:
                _table(found, shown, seen)
        with right:
            segment.draw(found, shown, seen)
    address.show(shown)


def _menus(found: Scoring, shown: Corpus, selected: filters.Selected) -> None:
    """What stands beside the field of the filter."""
    filter_menu.draw(found, shown, selected)
    if shown.view == "segments":
        columns.menu(found, shown)


@st.fragment(run_every=TICK)
def corpus_tested(asked: tuple[str, int, Some], known: bool) -> None:
    """Waits for the tests of the segments of a filter: for that of the chosen metric, then for all others."""
    found = held.scoring()
    if found is None or not found.looks or (not known and found.pairs(*asked) is not None):
        st.rerun()
    found.hear()


def _whole() -> None:
    """Another metric has other settings, whose menu is not among what follows the filter."""
    st.session_state.whole_page = True


def _table(found: Scoring, shown: Corpus, seen: order.Shown) -> None:
    of = f"{found.name[:6]} {shown.metric} {shown.a} {shown.b} {seen.by} {shown.where} {hash(shown.marks)}"
    state = st.session_state
    if state.pop("corpus_from_top", False):  # what was sorted or filtered begins with its first
        state.corpus_top = of, shown.up
    order_menu.draw(found, shown, seen)
    segments.show(
        seen.columns(),
        seen.rows,
        len(seen.order),
        of,
        shown.sort,
        shown.up,
        seen.chosen,
        0 if state.get("corpus_top") == (of, shown.up) else seen.at,
        lambda name: _turn(name, seen.chosen),
        _pick,
        lambda number: _open(found, shown, number),
        sought=seen.sought,
    )


def _turn(name: str, chosen: int) -> None:
    """Sort by a column; the segment that is looked at stays, so that its evidence is not sent again."""
    state = st.session_state
    state.corpus_up = not state.get("corpus_up", False) if state.get("corpus_sort", "worth") == name else False
    state.corpus_sort, state.corpus_segment, state.corpus_from_top = name, chosen, True


def _open(found: Scoring, shown: Corpus, number: int) -> None:
    if number < found.size:
        st.session_state.corpus_segment = number
        segment.open_segment(found, shown, number)


def _pick(number: int) -> None:
    st.session_state.corpus_segment = number


page()
