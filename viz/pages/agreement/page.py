"""Run the Agreement page: how well metrics agree with people, where they do not, and the sentences that show it."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement import CoefficientValue
from viz.components import address
from viz.draw.agreement.coefficients import coefficient_text
from viz.draw.pen.text import escape_markdown, safe, visible
from viz.frame import menus, strip, visitor_corpora
from viz.pages.agreement import chosen_output, pairs, upload, visitor_corpus
from viz.pages.agreement.agreement_job import AgreementJob
from viz.pages.agreement.record import VIEWS, AgreementState
from viz.pages.agreement.views import DRAWN
from viz.state.visit import navigation, session

#: Seconds between two updates of the progress: while no metric is scored yet, and later.
SOON, TICK = 0.2, 0.5
STAGES = {"coefficients": "Coefficients", "intervals": "Intervals by resampling segments"}


def page() -> None:
    """Ask for files, score them in the background, and draw the results that are known so far."""
    state = navigation.prepare_run(AgreementState)
    if state is None:
        address.ask_for_texts()
        return
    for problem in st.session_state.pop("problems", []):
        st.warning(escape_markdown(problem))
    corpus = visitor_corpus.visitor_job()
    if st.session_state.get("agreement_lost") and not corpus:
        st.warning(visitor_corpora.LOST)
    upload.draw(state, corpus)
    if corpus is None:
        address.show(state)
        return
    corpus.keep_alive()
    revision = corpus.revision
    table = chosen_output.known_table(corpus, state)
    with st.container(key="agreement_notes"):  # one container, so that notes do not move the elements below
        _draw_notes(corpus, table)
    if corpus.scoring:
        strip.show(_metric_tiles(corpus, table), state.metric, _deselect_other_score)
    st.session_state.agreement_told_progress = watched = corpus.is_busy or corpus.revision != revision
    with st.container(key="agreement_watch"):
        if watched:
            st.fragment(agreement_progress, run_every=TICK if corpus.tables else SOON)(corpus.revision)
    agreement_view()


def _deselect_other_score() -> None:
    """Deselect the other program's score, because the visitor selected a metric; a callback."""
    st.session_state.agreement_column = ""


def _draw_notes(corpus: AgreementJob, table: Table) -> None:
    """Draw the problems, the reasons why metrics have no scores, and the statement about the corpus."""
    scoring = corpus.scoring
    problems = [each for each in (scoring.problem if scoring else "", *corpus.table_errors()) if each]
    for problem in problems:
        st.error(escape_markdown(visible(problem, 400)))
    for each in scoring.unscored_reasons() if scoring else ():
        st.warning(escape_markdown(visible(f"{each}.", 600)))
    unfinished, table_missing = scoring is not None and scoring.stopped, corpus.stopped and table.stage != "intervals"
    if unfinished or table_missing:
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_stopped"):
            st.info(f"Stopped: {len(corpus.tables)} of {len(corpus.settings)} metrics are scored.")
            if table_missing:
                st.button("Continue with these", key="agreement_resume", on_click=corpus.resume)
            if unfinished:
                st.button("Score the others", key="agreement_others", on_click=corpus.score_others)
    if corpus.says:
        st.html(f'<div class="lead_line">{safe(corpus.says, 600)}</div>')


def agreement_progress(revision: int) -> None:
    """Draw the progress of the job, as a fragment.

    The whole page reruns when the job's revision is no longer `revision`, the one that the page has drawn."""
    corpus = visitor_corpus.visitor_job()
    if corpus is None:
        return
    corpus.keep_alive()
    if corpus.revision != revision or not corpus.is_busy:
        st.rerun()
    fraction, says = _current_progress(corpus)
    with st.container(horizontal=True, vertical_alignment="center", key="agreement_progress"):
        st.progress(fraction, says)
        st.button("Stop", key="agreement_stop", on_click=corpus.stop)


def _current_progress(corpus: AgreementJob) -> tuple[float, str]:
    """Return the part of the current work that is done, from 0 to 1, and a text on what is being done."""
    scoring = corpus.scoring
    if scoring and not scoring.ended:
        progress = scoring.progress
        fraction = (
            sum(progress.segments_done.values()) / (progress.size * len(progress.segments_done)) if progress else 0.0
        )
        time_left = f", about {progress.seconds:.0f} s left" if progress and progress.seconds else ""
        return fraction, f"{len(scoring.tables)} of {len(scoring.settings)} metrics scored{time_left}"
    if progress_ := corpus.progress:
        return (
            progress_.done_rows / progress_.total_rows,
            f"{STAGES[progress_.stage]}: {progress_.done_rows} of {progress_.total_rows}",
        )
    return corpus.view_progress


def _metric_tiles(corpus: AgreementJob, table: Table) -> dict[str, strip.Tile]:
    """Return the tile of each metric, by key, with Pearson's coefficient over segments and over systems.

    A coefficient that is not known yet is drawn as an ellipsis."""
    rows = {row.column.key: row for row in table.rows}
    ended = corpus.is_scored
    out = {}
    for key in metrics.METRICS:
        row = rows.get(key)
        if row is None:
            out[key] = strip.Tile(
                (strip.TileLine("–" if ended else "…", "not scored" if ended else "not scored yet"), strip.TileLine(""))
            )
            continue
        cells = [row.cells_at(level).get("pearson") for level in ("segment", "system")]
        values = [
            cell.coefficient.value if cell and isinstance(cell.coefficient, CoefficientValue) else None
            for cell in cells
        ]
        texts = ["…" if value is None else coefficient_text(value) for value in values]
        out[key] = strip.Tile(
            (
                strip.TileLine(texts[0], f"Pearson over segments {texts[0]}"),
                strip.TileLine(f"{_two_decimals(values[1])} systems", f"Pearson over systems {texts[1]}"),
            )
        )
    return out


def _two_decimals(value: float | None) -> str:
    """Return a coefficient over systems with two decimals, for a tile; an ellipsis for None.

    More decimals would be of no use, because its interval is wider."""
    return "…" if value is None else f"{value:.2f}".replace("-", "−")


@st.fragment
def agreement_view() -> None:
    """Draw the selected view, and the selected output with what people said of it, as a fragment."""
    st.session_state.setdefault("agreement_view", "table")
    state = session.state_of_this_run(AgreementState)
    corpus = visitor_corpus.visitor_job()
    if st.session_state.pop("whole_page", False) or corpus is None:
        st.rerun()
    revision = corpus.revision
    table = chosen_output.known_table(corpus, state)
    menus.draw_choice_buttons("View", "agreement_view", VIEWS)
    st.html(f'<h2 class="view_name">{VIEWS[state.view]}</h2>')
    pairs.drop_other_explanations(corpus, state, table)
    DRAWN[state.view].draw(corpus, state, table)
    address.show(state)
    # A computation began in this run, and perhaps ended since: the whole page shows its progress, or what it found.
    if (corpus.is_busy or corpus.revision != revision) and not st.session_state.get("agreement_told_progress"):
        st.rerun()


page()
