"""The Agreement page: how well metrics agree with people, where they do not, and the sentences that show it."""

from __future__ import annotations

from typing import cast

import streamlit as st

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Group, Tau, Value
from viz.components import address
from viz.draw.agreement.coefficients import number
from viz.draw.pen import theme
from viz.frame import menus, strip
from viz.pages.agreement import entering, held, pairs
from viz.pages.agreement.agreeing import Agreeing
from viz.pages.agreement.record import VIEWS, Agreement
from viz.pages.agreement.views import DRAWS
from viz.state import session, visits

#: Seconds between two looks at what is found, while there is no number yet, and later.
SOON, TICK = 0.2, 0.5
STAGES = {"coefficients": "Coefficients", "intervals": "Intervals by resampling segments"}


def page() -> None:
    """Ask for files, score them in the background, and show what is known so far."""
    shown = visits.start(Agreement)
    if shown is None:
        address.ask()
        return
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    found = held.corpus()
    if st.session_state.get("agreement_lost") and not found:
        st.warning(held.LOST)
    entering.draw(shown, found)
    if found is None:
        address.show(shown)
        return
    found.hear()
    known = found.known
    table = _table(found, shown)
    with st.container(key="agreement_notes"):  # places stay where they are, whatever is said
        _say(found, table)
    if found.scoring:
        strip.show(_tiles(found, table), shown.metric, _leave_column)
    st.session_state.agreement_told_progress = watched = found.busy or found.known != known
    with st.container(key="agreement_watch"):
        if watched:
            st.fragment(agreement_progress, run_every=TICK if found.tables else SOON)(found.known)
    agreement_view()


def _leave_column() -> None:
    """A metric is looked at, and no other program's scores."""
    st.session_state.agreement_column = ""


def _table(found: Agreeing, shown: Agreement) -> Table:
    """The table of what is asked for, as far as it is known."""
    return found.table(found.asked(shown.scale, cast(Group, shown.group), cast(Tau, shown.tau)))


def _say(found: Agreeing, table: Table) -> None:
    """What went wrong, and what is said of the corpus and its judgements."""
    scoring = found.scoring
    problems = [each for each in (scoring.problem if scoring else "", *found.problems()) if each]
    for problem in problems:
        st.error(theme.markdown(theme.visible(problem, 400)))
    for each in scoring.without_score() if scoring else ():
        st.warning(theme.markdown(theme.visible(f"{each}.", 600)))
    if found.stopped and table.stage != "intervals":
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_stopped"):
            st.info(f"Stopped: {len(found.tables)} of {len(found.settings)} metrics are scored.")
            st.button("Go on with these", key="agreement_resume", on_click=found.go_on)
    if found.says:
        st.html(f'<div class="rd">{theme.safe(found.says, 600)}</div>')


def agreement_progress(known: int) -> None:
    """How far the job is, a fragment; when there is more to show the whole page runs."""
    found = held.corpus()
    if found is None:
        return
    found.hear()
    if found.known != known or not found.busy:
        st.rerun()
    done, says = _progress(found)
    with st.container(horizontal=True, vertical_alignment="center", key="agreement_progress"):
        st.progress(done, says)
        st.button("Stop", key="agreement_stop", on_click=found.stop)


def _progress(found: Agreeing) -> tuple[float, str]:
    """How much of what is being done is done, and what that is."""
    scoring = found.scoring
    if scoring and not scoring.ended:
        progress = scoring.progress
        done = sum(progress.done.values()) / (progress.size * len(progress.done)) if progress else 0.0
        left = f", about {progress.seconds:.0f} s left" if progress and progress.seconds else ""
        return done, f"{len(scoring.tables)} of {len(scoring.settings)} metrics scored{left}"
    if progress_ := found.progress:
        return progress_.done / progress_.of, f"{STAGES[progress_.stage]}: {progress_.done} of {progress_.of}"
    return found.doing


def _tiles(found: Agreeing, table: Table) -> dict[str, strip.Tile]:
    """The tiles of the metrics: Pearson at the level of segments and of systems, as far as they are known."""
    rows = {row.column.key: row for row in table.rows}
    ended = found.scored
    out = {}
    for key in metrics.METRICS:
        row = rows.get(key)
        if row is None:
            out[key] = strip.Tile(
                (strip.Line("–" if ended else "…", "not scored" if ended else "not scored yet"), strip.Line(""))
            )
            continue
        cells = [row.of(level).get("pearson") for level in ("segment", "system")]
        values = [cell.found.value if cell and isinstance(cell.found, Value) else None for cell in cells]
        texts = ["…" if value is None else number(value) for value in values]
        out[key] = strip.Tile(
            (
                strip.Line(texts[0], f"Pearson over segments {texts[0]}"),
                strip.Line(f"{_short(values[1])} systems", f"Pearson over systems {texts[1]}"),
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
    shown = session.this_run(Agreement)
    found = held.corpus()
    if st.session_state.pop("whole_page", False) or found is None:
        st.rerun()
    table = _table(found, shown)
    menus.switch("View", "agreement_view", VIEWS)
    st.html(f'<h2 class="view_name">{VIEWS[shown.view]}</h2>')
    pairs.explain_only(found, shown, table)
    DRAWS[shown.view](found, shown, table)
    address.show(shown)
    if found.busy and not st.session_state.get("agreement_told_progress"):
        st.rerun()  # something is looked for since, of which the whole page shows how far it is


page()
