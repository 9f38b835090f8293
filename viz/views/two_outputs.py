"""Two outputs and what changed between them: the scores, the words, the cells, and every step from A's score to B's."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.analysis.changes import Place
from metrics.types import Result
from viz.components import fragment as component
from viz.components import score_table
from viz.draw import comparison, differences, theme
from viz.draw.comparison import Pair
from viz.draw.differences import Names
from viz.draw.fragment import header, root
from viz.draw.grid import Window
from viz.draw.scores import verdict as verdict_of
from viz.draw.texts import Texts
from viz.state import cache, controls, session
from viz.state.cache import Problem
from viz.state.scores import rows_for_pair
from viz.views import one_metric

TABLE, EVIDENCE, GAP = 4.6, 7.4, 32  # shares of the page's breadth, and the pixels between them
WATERFALL_MOST = 760  # pixels across


def draw(a: Texts, b: Texts, names: Names) -> None:
    """The table of all metrics, and for the chosen one everything that changed."""
    if a.segment.candidate == b.segment.candidate:
        first, second = map(theme.markdown, names)
        st.info(f"{first} and {second} are the same words, so every score is equal.")
    key = st.session_state.metric
    with st.spinner("Scoring"):
        glances = [session.glances(texts) for texts in (a, b)]
    left, right = st.columns([TABLE, EVIDENCE], gap="large")
    with left:
        rows = rows_for_pair(glances[0], glances[1], metrics.METRICS)
        score_table.show(rows, score_table.pair_columns(*names), key, _choose_metric)
    with right:
        metric = metrics.METRICS[key]
        name, tools = st.columns([5, 2.4], vertical_alignment="top")
        name.html(header(metric.name, metric.idea))
        with tools.container(horizontal=True, horizontal_alignment="right"):
            controls.metric_settings(key, len(a.references), 0)
        pair = _pair(a, b, names)
        if isinstance(pair, Problem):
            st.warning(theme.markdown(str(pair)))
            return
        part = _part(pair)
        _numbers(pair)
        _words(pair, part)
        _waterfall(pair)
    if part:
        _part_controls(pair, part)
    _evidence(pair, part)


def _choose_metric(key: str) -> None:
    st.session_state.metric = key


def _pair(a: Texts, b: Texts, names: Names) -> Pair | Problem:
    """The pair for the chosen metric, or why it cannot be scored."""
    key = st.session_state.metric
    compared = cache.compared(key, a.segment, b.segment, session.metric_settings(key))
    if isinstance(compared, Problem):
        return compared
    before, after, found, steps = compared
    return Pair(a, b, names, before, after, found, steps, session.chosen_step(len(steps)))


def _identity(before: Result, after: Result) -> Any:
    return one_metric.identity(before), one_metric.identity(after)


# ---------------------------------------------------------------- numbers and words


def _numbers(pair: Pair) -> None:
    """Both scores, their difference in words and colour, how many cells were kept, gained, lost and moved."""
    verdict = verdict_of(pair.delta, pair.higher_is_better)
    numbers = [
        (theme.score_text(pair.before.score), theme.safe(pair.names[0], 16), ""),
        (theme.score_text(pair.after.score), theme.safe(pair.names[1], 16), ""),
        (theme.signed(pair.delta), verdict, verdict),
        *[(str(count), name, "") for name, count in differences.counts(pair.found).items()],
    ]
    items = "".join([f'<span class="{look}"><b>{number}</b><bdi>{says}</bdi></span>' for number, says, look in numbers])
    st.html(f'<div class="nb">{items}</div>')
    if said := comparison.decisions(pair):
        st.html(f'<div class="rd">{said}</div>')


def _words(pair: Pair, part: Window | None) -> None:
    """The words of both, in three classes that can be switched, or the plain word diff."""
    shown = st.segmented_control(
        "Show in the words",
        [*differences.CLASSES, "diff"],
        selection_mode="multi",
        default=list(differences.CLASSES),
        key="strip_classes",
        format_func=lambda name: "Word diff" if name == "diff" else name.capitalize(),
        label_visibility="collapsed",
        persist_state="session",
    )
    classes = [name for name in shown if name != "diff"]
    strips = comparison.strips(pair, classes, "diff" in shown, part)
    component.show("compared_words", root(pair.before.metric, strips), measures=False)


# ---------------------------------------------------------------- the steps


def _waterfall(pair: Pair) -> None:
    figure = differences.waterfall(
        pair.steps,
        pair.before.score,
        pair.after.score,
        pair.names,
        pair.higher_is_better,
        pair.step,
        _evidence_width(),
    )

    def select() -> None:
        points = st.session_state.waterfall.selection.points
        step = differences.clicked_step(points[0]) if points else None
        session.choose_step(None if step == pair.step else step)  # a second click takes the choice back

    with st.container(key="scroll_waterfall"):
        st.plotly_chart(
            figure,
            key="waterfall",
            width="content",
            config=one_metric.CONFIG,
            alt="Steps from the score of A to the score of B",
            on_select=select,
            selection_mode="points",
        )


def _evidence_width() -> int:
    """The pixels of the column at the right, which on phones is as broad as the page."""
    room = component.room()
    return room if one_metric.on_phone() else min(WATERFALL_MOST, int((room - GAP) * EVIDENCE / (TABLE + EVIDENCE)))


# ---------------------------------------------------------------- the grids and the steps


def _evidence(pair: Pair, part: Window | None) -> None:
    """A and B, and below them their difference beside the steps; what is chosen there is chosen here."""
    windows = differences.windows(pair.found.rows, part) if part else (None, None)
    hits = [
        cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
        for texts, window in zip((pair.a, pair.b), windows, strict=True)
    ]
    chosen = None if pair.step is None else f"step:{pair.step}"

    def told(what: str, value: object) -> None:
        if what == "term":
            session.choose_step(step_of(value, len(pair.steps)))

    shown = comparison.fragment(pair, hits, component.room(), part)
    component.show("compared", shown, chosen, told, measures=False)


def step_of(name: object, count: int) -> int | None:
    """The number of the step that has a name, one of `count`; the browser may send anything."""
    number = name.removeprefix("step:") if isinstance(name, str) else ""
    return int(number) if number.isdecimal() and int(number) < count else None


# ---------------------------------------------------------------- long texts


def _changed(pair: Pair) -> list[Place]:
    found = pair.found
    return sorted({*found.gained, *found.lost, *[place for moved in found.moved for place in moved]})


def _part(pair: Pair) -> Window | None:
    """The part of a long difference that is shown; None where all of it is."""
    if not pair.long:
        return None
    known, number = st.session_state.get("change_at") or (None, 0)
    places = _changed(pair)
    mine = known == _identity(pair.before, pair.after) and number < len(places)
    return differences.window(pair.found, pair.references, places[number] if mine else None)


def _part_controls(pair: Pair, part: Window) -> None:
    """Steps from one changed place to the next one outside of what is shown."""
    places = _changed(pair)
    after = [n for n, p in enumerate(places) if (p.row, p.j) > (part.i + part.rows - 1, part.j)]
    before = [n for n, p in enumerate(places) if p.row < part.i]

    def to(number: int) -> None:
        st.session_state.change_at = (_identity(pair.before, pair.after), number)

    with st.container(horizontal=True, vertical_alignment="center"):
        rows = f"{part.i + 1} to {part.i + part.rows} of {len(pair.found.rows):,}"
        st.html(f'<div class="rd">The outputs are long: rows {rows} are shown.</div>', width="content")
        st.button("Earlier changes", disabled=not before, on_click=to, args=(before[-1] if before else 0,))
        st.button("Later changes", disabled=not after, on_click=to, args=(after[0] if after else 0,))
