"""The Agreement page: how well metrics agree with people, where they do not, and the sentences that show it."""

from __future__ import annotations

from typing import cast

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement import CoefficientValue, Group, Tau
from viz.components import address
from viz.draw.agreement.coefficients import number
from viz.draw.pen import theme
from viz.frame import menus, strip
from viz.pages.agreement import pairs, upload, visitor_corpus
from viz.pages.agreement.agreement_job import AgreementJob
from viz.pages.agreement.record import VIEWS, AgreementState
from viz.pages.agreement.views import DRAWS
from viz.state import navigation, session

#: Seconds between two looks at what is found, while there is no number yet, and later.
SOON, TICK = 0.2, 0.5
STAGES = {"coefficients": "Coefficients", "intervals": "Intervals by resampling segments"}


def page() -> None:
    """Ask for files, score them in the background, and show what is known so far."""
    state = navigation.start(AgreementState)
    if state is None:
        address.ask()
        return
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    corpus = visitor_corpus.corpus()
    if st.session_state.get("agreement_lost") and not corpus:
        st.warning(visitor_corpus.LOST)
    upload.draw(state, corpus)
    if corpus is None:
        address.show(state)
        return
    corpus.hear()
    revision = corpus.revision
    table = _table(corpus, state)
    with st.container(key="agreement_notes"):  # places stay where they are, whatever is said
        _say(corpus, table)
    if corpus.scoring:
        strip.show(_tiles(corpus, table), state.metric, _leave_column)
    st.session_state.agreement_told_progress = watched = corpus.busy or corpus.revision != revision
    with st.container(key="agreement_watch"):
        if watched:
            st.fragment(agreement_progress, run_every=TICK if corpus.tables else SOON)(corpus.revision)
    agreement_view()


def _leave_column() -> None:
    """A metric is looked at, and no other program's scores."""
    st.session_state.agreement_column = ""


def _table(corpus: AgreementJob, state: AgreementState) -> Table:
    """The table of what is asked for, as far as it is known."""
    return corpus.table(corpus.table_request(state.scale, cast(Group, state.group), cast(Tau, state.tau)))


def _say(corpus: AgreementJob, table: Table) -> None:
    """What went wrong, and what is said of the corpus and its judgements."""
    scoring = corpus.scoring
    problems = [each for each in (scoring.problem if scoring else "", *corpus.problems()) if each]
    for problem in problems:
        st.error(theme.markdown(theme.visible(problem, 400)))
    for each in scoring.without_score() if scoring else ():
        st.warning(theme.markdown(theme.visible(f"{each}.", 600)))
    if corpus.stopped and table.stage != "intervals":
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_stopped"):
            st.info(f"Stopped: {len(corpus.tables)} of {len(corpus.settings)} metrics are scored.")
            st.button("Go on with these", key="agreement_resume", on_click=corpus.go_on)
    if corpus.says:
        st.html(f'<div class="lead_line">{theme.safe(corpus.says, 600)}</div>')


def agreement_progress(revision: int) -> None:
    """How far the job is, a fragment; when there is more to show the whole page runs."""
    corpus = visitor_corpus.corpus()
    if corpus is None:
        return
    corpus.hear()
    if corpus.revision != revision or not corpus.busy:
        st.rerun()
    fraction, says = _progress(corpus)
    with st.container(horizontal=True, vertical_alignment="center", key="agreement_progress"):
        st.progress(fraction, says)
        st.button("Stop", key="agreement_stop", on_click=corpus.stop)


def _progress(corpus: AgreementJob) -> tuple[float, str]:
    """How much of what is being done is done, and what that is."""
    scoring = corpus.scoring
    if scoring and not scoring.ended:
        progress = scoring.progress
        fraction = (
            sum(progress.segments_done.values()) / (progress.size * len(progress.segments_done)) if progress else 0.0
        )
        time_left = f", about {progress.seconds:.0f} s left" if progress and progress.seconds else ""
        return fraction, f"{len(scoring.tables)} of {len(scoring.settings)} metrics scored{time_left}"
    if progress_ := corpus.progress:
        return progress_.done_rows / progress_.of, f"{STAGES[progress_.stage]}: {progress_.done_rows} of {progress_.of}"
    return corpus.view_progress


def _tiles(corpus: AgreementJob, table: Table) -> dict[str, strip.Tile]:
    """The tiles of the metrics: Pearson at the level of segments and of systems, as far as they are known."""
    rows = {row.column.key: row for row in table.rows}
    ended = corpus.scored
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
        texts = ["…" if value is None else number(value) for value in values]
        out[key] = strip.Tile(
            (
                strip.TileLine(texts[0], f"Pearson over segments {texts[0]}"),
                strip.TileLine(f"{_short(values[1])} systems", f"Pearson over systems {texts[1]}"),
            )
        )
    return out


def _short(value: float | None) -> str:
    """A coefficient over systems as a tile has room for it; its interval is wider than the digits that are left out."""
    return "…" if value is None else f"{value:.2f}".replace("-", "−")


@st.fragment
def agreement_view() -> None:
    """What is looked at, and the chosen output with what people said of it."""
    st.session_state.setdefault("agreement_view", "table")
    state = session.this_run(AgreementState)
    corpus = visitor_corpus.corpus()
    if st.session_state.pop("whole_page", False) or corpus is None:
        st.rerun()
    table = _table(corpus, state)
    menus.switch("View", "agreement_view", VIEWS)
    st.html(f'<h2 class="view_name">{VIEWS[state.view]}</h2>')
    pairs.explain_only(corpus, state, table)
    DRAWS[state.view](corpus, state, table)
    address.show(state)
    if corpus.busy and not st.session_state.get("agreement_told_progress"):
        st.rerun()  # something is looked for since, of which the whole page shows how far it is


page()
