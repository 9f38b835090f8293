"""The view of one output's words: all changes of one word are tried, shown and ranked, and any one can be kept."""

from __future__ import annotations

import html
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import streamlit as st

import metrics
from metrics.analysis import changes
from metrics.analysis.changes import Effect
from metrics.types import Metric, Segment, Settings, TooHard
from metrics.work import limited

from . import cache, evidence, session, theme, worth
from .inputs import Texts
from .memory import remembered
from .worth import Joint

KEY = "attribution"
SECONDS_MOST = 2.5  # for trying changes, until the user asks for more
EFFECT_BYTES = 250  # of a change that was tried
EFFECT_WORK = 400_000  # steps that one change may take
QUIET = 0.3  # seconds before progress is shown
STEP = 0.25  # seconds between two reports of progress

# A table of the browser's own for the reasons given in evidence_table.
_component = st.components.v2.component(
    "bitext_effects",
    js="\n".join(
        [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("table.js", "attribution.js")]
    ),
    isolate_styles=False,
)


# ---------------------------------------------------------------- trying every change


class Search:
    """The effects of one output, as far as they were found. All sessions share it, and one at a time goes on with it.

    `problem` is a sentence where the metric could not score a changed output; the effects before it stand.
    """

    def __init__(self, metric: Metric, segment: Segment, settings: Settings) -> None:
        self._label = metric.label
        self.total = changes.effect_count(segment)
        self.found: list[Effect] = []
        self.done = False
        self.problem = ""
        self.seconds_left = SECONDS_MOST
        self._rest = changes.effects(metric, segment, settings)
        self._lock = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether it may go on without being asked."""
        return not self.done and self.seconds_left > 0

    def go_on(self, seconds: float) -> None:
        """Find more effects, for about so long and one at least."""
        with self._lock:
            start, before = perf_counter(), len(self.found)
            try:
                while not self.done and (len(self.found) == before or perf_counter() - start < seconds):
                    with limited(EFFECT_WORK):
                        effect = next(self._rest, None)
                    if effect is None:
                        self.done = True
                    else:
                        self.found.append(effect)
            except TooHard as error:
                self.done, self.problem = True, f"{self._label}: {error}."
            self.seconds_left -= perf_counter() - start

    def weight(self) -> int:
        """The bytes of all effects, once they are found."""
        return EFFECT_BYTES * self.total

    def more_time(self) -> None:
        self.seconds_left = SECONDS_MOST


@remembered
def search(key: str, segment: Segment, settings: Settings) -> Search:
    """The search of a metric's effects on a segment."""
    return Search(metrics.METRICS[key], segment, settings)


# ---------------------------------------------------------------- the view


def draw(texts: Texts, name: str, slot: int) -> None:
    """The view of one system's words by the chosen metric; `slot` is the system's, whose text a change is tried on."""
    state = st.session_state
    key = state.metric
    metric, settings = metrics.METRICS[key], session.metric_settings(key)
    try:
        score = cache.glance(key, texts.segment, settings).score
    except TooHard as error:
        st.warning(theme.markdown(f"{metric.label}: {error}."))
        return
    st.html(worth.header(metric, name, score))
    tried = search(key, texts.segment, settings)
    _wait(tried)
    effects = tuple(tried.found)
    identity = (key, settings, texts.segment)
    shown = worth.chips(effects, metric)
    chosen = _chosen(identity, effects)
    st.html(worth.strip(texts, name, effects, metric, shown, chosen) + worth.legend(effects, metric, shown))
    if tried.problem:
        st.warning(theme.markdown(tried.problem))
    if note := worth.covered(effects, tried.total, len(texts.candidate)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="rd">{html.escape(note)}</div>', width="content")
            if not tried.done:
                st.button("Go on", key=f"{KEY}_more", on_click=tried.more_time)
    if not effects:
        return
    joint = None if note else _joint(key, texts.segment, settings, tuple(worth.costing(effects, metric)))
    found = worth.findings(effects, texts, metric, score, joint, not note)
    st.html(f'<div class="rd fx">{"".join(f"<p>{sentence}</p>" for sentence in found)}</div>')
    if evidence.on_phone():
        panel, table = st.container(), st.container()  # so that a choice is seen
    else:
        table, panel = st.columns([7, 5], gap="large")
    with table:
        _table(texts, metric, effects, shown, chosen, identity)
    with panel:
        _panel(texts, metric, effects, chosen, slot)


def _wait(tried: Search) -> None:
    """Go on with a search until it is done or its time is over, and show how far it is if that takes long."""
    if tried.waits:
        tried.go_on(QUIET)  # most sentences are done by then
    if not tried.waits:
        return
    bar = st.progress(0.0)
    while tried.waits:
        done = len(tried.found)
        bar.progress(min(1.0, done / tried.total), f"Tried {done:,} of {tried.total:,} changes")
        tried.go_on(STEP)
    bar.empty()


@remembered
def _joint(key: str, segment: Segment, settings: Settings, worst: tuple[int, ...]) -> Joint | None:
    """What the costly words of an output cost together; None where they cannot be scored."""
    metric = metrics.METRICS[key]

    def without(positions: Sequence[int]) -> float:
        gone = frozenset(positions)
        left = tuple([word for i, word in enumerate(segment.candidate) if i not in gone])
        return metric.from_stats(metric.statistics(segment._replace(candidate=left), settings), settings).score

    try:
        with limited(cache.WORK):
            return worth.together(worst, metric, without)
    except TooHard:
        return None


def _chosen(identity: tuple[Any, ...], effects: Sequence[Effect]) -> int | None:
    """The number of the chosen effect; None if the choice belongs to another output, metric or settings."""
    pick = st.session_state.get(f"{KEY}_pick")
    return pick[1] if pick and pick[0] == identity and pick[1] < len(effects) else None


def _table(
    texts: Texts,
    metric: Metric,
    effects: Sequence[Effect],
    shown: Sequence[int],
    chosen: int | None,
    identity: tuple[Any, ...],
) -> None:
    """The ranked list of all changes, and the choice of one in the list or in the strip."""
    state = st.session_state
    with st.container(horizontal=True, gap="small", key=f"{KEY}_controls"):
        kind = _switch("Changes", f"{KEY}_show", worth.SHOWN)
        order = _switch("Order", f"{KEY}_order", worth.ORDERS)

    def report() -> None:
        n = state[f"{KEY}_table"].pick
        # The browser may send anything.
        if isinstance(n, int | float) and 0 <= n < len(effects):
            state[f"{KEY}_pick"] = (identity, int(n))
        elif n == -1:
            state[f"{KEY}_pick"] = None

    _component(
        key=f"{KEY}_table",
        data=worth.table_data(effects, texts, metric, worth.ranked(effects, metric, kind, order), shown, chosen),
        on_pick_change=report,
    )


def _switch(label: str, key: str, options: Mapping[str, str]) -> str:
    first = next(iter(options))
    chosen = st.segmented_control(
        label,
        list(options),
        key=key,
        default=first,
        required=True,
        format_func=options.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen or first


def _panel(texts: Texts, metric: Metric, effects: Sequence[Effect], chosen: int | None, slot: int) -> None:
    """The chosen change in words, the text around it, and the button that takes it to the what-if."""
    if chosen is None:
        st.html('<div class="rd">Choose a word above or a row of the list to see its change and to try it.</div>')
        return
    effect = effects[chosen]
    changed = worth.changed_text(effect, texts, session.systems()[slot][1])
    st.html(f'<div class="rd fx"><p>{worth.does(effect, texts, metric)}</p></div>{worth.around(effect, texts)}')
    st.button("Try it", key=f"{KEY}_try", on_click=_try, args=(slot, changed.text), type="primary")
    if not changed.exact:
        st.caption("As one text these words are split in another way, so the score there may differ a little.")


def _try(slot: int, text: str) -> None:
    """Put a changed text into the what-if, where the text before it can be brought back."""
    session.start_whatif(slot)
    session.edit_whatif(text)
    st.session_state.compare_view = "whatif"
