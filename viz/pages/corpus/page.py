"""The Corpus page: which system is better, whether that is more than chance, why, and which segments made it so."""

from __future__ import annotations

import streamlit as st

import metrics
from viz.components import address, segments
from viz.draw.pen import theme
from viz.frame import strip
from viz.pages.corpus import charts, entering, filters, held, order, patterns, segment, systems, telling
from viz.pages.corpus.corpora import Scoring
from viz.pages.corpus.record import VIEWS, Corpus
from viz.state import session, visits

#: Seconds between two looks at a job, of which no number is there yet, and later.
SOON, TICK = 0.15, 0.5


def page() -> None:
    """Ask for files, score them in the background, and show what is known so far."""
    shown = visits.start(Corpus)
    if shown is None:
        address.ask()
        return
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    if st.session_state.get("corpus_lost") and not held.scoring():
        st.warning(held.LOST)
    found = held.scoring()
    if found and max(shown.a, shown.b) >= len(found.names):  # a link may ask for any
        last = len(found.names) - 1
        st.session_state.update(corpus_a=min(shown.a, last), corpus_b=min(shown.b, last))
        shown = session.begin(Corpus)
    entering.draw(shown, found)
    if found is None:
        address.show(shown)
        return
    found.hear()
    known, ended = found.known() + len(found.tables), found.ended
    tiles = _tiles(found, shown)  # what is missing is looked for from here on
    found.ledger(shown.metric, shown.a, shown.b)
    if not ended or found.busy or found.known() + len(found.tables) != known:
        st.fragment(corpus_progress, run_every=TICK if found.tables else SOON)(known, ended)
    if found.problem:
        st.error(theme.markdown(theme.visible(found.problem, 400)))
    for each in found.without_score():
        st.warning(theme.markdown(theme.visible(f"{each}.", 600)))
    if says := st.session_state.get("corpus_says"):
        st.caption(says)
    entering.doubts(found, shown)
    strip.show(tiles, shown.metric)
    corpus_view()


def corpus_progress(known: int, ended: bool) -> None:
    """How far the job is, a fragment; when there is more to show the whole page runs."""
    found = held.scoring()
    if found is None:
        return
    found.hear()
    if found.known() + len(found.tables) != known or found.ended != ended or (ended and not found.busy):
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


def _tiles(found: Scoring, shown: Corpus) -> dict[str, strip.Tile]:
    """The tiles of the metrics, A's and B's corpus scores and the difference; a dot where it is still to come."""
    out, names = {}, (found.names[shown.a], found.names[shown.b])
    for key, metric in metrics.METRICS.items():
        table = found.tables.get(key)
        if table is None:
            said = "not scored" if found.ended else "not scored yet"
            out[key] = strip.Tile((strip.Line("–" if found.ended else "…", said), strip.Line("")))
            continue
        scores = table.corpus_scores()
        pairs = found.pairs(key, shown.a)
        of_b = next((pair for pair in pairs or () if pair.b == names[1]), None)
        out[key] = strip.over_corpus(metric, names, (float(scores[shown.a]), float(scores[shown.b])), of_b)
    return out


@st.fragment
def corpus_view() -> None:
    """The segments, and the evidence of the chosen one."""
    st.session_state.setdefault("corpus_view", "segments")
    shown = session.this_run(Corpus)
    found = held.scoring()
    if st.session_state.pop("whole_page", False) or found is None:
        st.rerun()
    if shown.metric in found.tables:
        telling.draw(found, shown)
        ledger = found.ledger(shown.metric, shown.a, shown.b)
        selected = filters.selected(found, shown)
        st.segmented_control(
            "View",
            list(VIEWS),
            key="corpus_view",
            required=True,
            format_func=VIEWS.__getitem__,
            label_visibility="collapsed",
            persist_state="session",
        )
        if shown.view == "all":
            systems.draw(found, shown)
            address.show(shown)
            return
        filters.draw(found, shown, selected)
        seen = order.Shown(found, shown, None if isinstance(ledger, str) else ledger, selected.numbers)
        if not len(seen.order):
            st.info("No segment is selected by the filter.")
            address.show(shown)
            return
        left, right = st.columns([7, 5], gap="medium")
        with left:
            if shown.view == "charts":
                charts.draw(found, shown, seen)
            elif shown.view == "patterns":
                patterns.draw(found, shown, seen)
            else:
                _table(found, shown, seen)
        with right:
            segment.draw(found, shown, seen)
    address.show(shown)


def _table(found: Scoring, shown: Corpus, seen: order.Shown) -> None:
    segments.show(
        seen.columns((found.names[shown.a], found.names[shown.b])),
        seen.rows,
        len(seen.order),
        f"{found.name[:6]} {shown.metric} {shown.a} {shown.b} {seen.by} {shown.where}",
        shown.sort,
        shown.up,
        seen.chosen,
        seen.at,
        _turn,
        _pick,
        lambda number: _open(found, shown, number),
    )


def _turn(name: str) -> None:
    state = st.session_state
    state.corpus_up = not state.get("corpus_up", False) if state.get("corpus_sort", "worth") == name else False
    state.corpus_sort, state.corpus_segment = name, None


def _open(found: Scoring, shown: Corpus, number: int) -> None:
    if number < found.size:
        st.session_state.corpus_segment = number
        segment.open_segment(found, shown, number)


def _pick(number: int) -> None:
    st.session_state.corpus_segment = number


page()
