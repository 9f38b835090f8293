"""The view of one output's words: all changes of one word are tried, shown and ranked, and any one can be kept."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence

import streamlit as st

import metrics
from metrics.analysis.worth import Effect, Joint
from metrics.types import Metric

from ...components import fragment
from ...components.word_worth import component
from ...draw.compare import worth
from ...draw.pen import theme
from ...draw.texts import Texts
from ...frame import menus
from ...state import cache
from ...state.cache import Problem
from . import chosen as choices
from . import editing
from . import effects as effects_of
from .record import WHATIF, Compare

KEY = "attribution"
QUIET = 0.3  # seconds before progress is shown
STEP = 0.25  # seconds between two reports of progress


# ---------------------------------------------------------------- the view


def draw(texts: Texts, name: str, slot: int, shown: Compare) -> None:
    """The view of one system's words by the chosen metric; `slot` is the system's, or WHATIF, whose text a change is
    tried on."""
    key = shown.metric
    metric, settings = metrics.METRICS[key], shown.settings_of(key)
    glance = cache.glance(key, texts.segment, settings)
    if isinstance(glance, Problem):
        st.warning(theme.markdown(str(glance)))
        return
    score = glance.score
    st.html(worth.header(metric, name, score))
    tried = effects_of.search(key, texts.segment, settings)
    _wait(tried)
    effects = tuple(tried.found)
    identity = (key, settings, texts.segment)
    used = effects_of.used_words(metric, texts.segment, settings)
    chips = worth.chips(effects, metric, used=used)
    chosen = choices.chosen_effect(shown, identity)
    if chosen is not None and chosen >= len(effects):
        chosen = None
    st.html(worth.strip(texts, name, effects, metric, chips, chosen) + worth.legend(effects, metric, chips))
    if tried.problem:
        st.warning(theme.markdown(str(tried.problem)))
    if note := worth.covered(effects, tried.total, len(texts.candidate)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="rd">{html.escape(note)}</div>', width="content")
            if not tried.done:
                st.button("Go on", key=f"{KEY}_more", on_click=tried.more_time)
    if not effects:
        return
    joint = None if note else _together(tried)
    found = worth.findings(effects, texts, metric, score, joint, not note, used)
    st.html(f'<div class="rd fx">{"".join(f"<p>{sentence}</p>" for sentence in found)}</div>')
    if fragment.on_phone():
        panel, table = st.container(), st.container()  # so that a choice is seen
    else:
        table, panel = st.columns([7, 5], gap="large")
    with table:
        _table(texts, metric, effects, chips, chosen, shown, used)
    with panel:
        _panel(texts, metric, effects, chosen, slot, shown)


def _wait(tried: effects_of.Search) -> None:
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


def _together(tried: effects_of.Search) -> Joint | None:
    """The words that cost most together, as far as they are found in time."""
    search = tried.together
    if search.waits:
        search.go_on(QUIET)
    if search.waits:
        with st.spinner("Looking for the words that cost most together"):
            while search.waits:
                search.go_on(STEP)
    return search.found


def _table(
    texts: Texts,
    metric: Metric,
    effects: Sequence[Effect],
    chips: Sequence[int],
    chosen: int | None,
    shown: Compare,
    used: Collection[int],
) -> None:
    """The ranked list of all changes, and the choice of one in the list or in the strip."""
    with st.container(horizontal=True, gap="small", key=f"{KEY}_controls"):
        menus.switch("Changes", f"{KEY}_show", worth.SHOWN)
        menus.switch("Order", f"{KEY}_order", worth.ORDERS)

    def report() -> None:
        n = fragment.last_sent(f"{KEY}_table", "pick")
        # The browser may send anything.
        if isinstance(n, int | float) and 0 <= n < len(effects):
            choices.choose_effect(int(n))
        elif n == -1:
            choices.choose_effect(None)

    settings = shown.settings_of(metric.key)
    reasons = {
        n: effects_of.why(metric.key, texts.segment, settings, effects[n])
        for n in worth.surprising(effects, metric, used)
    }
    component(
        key=f"{KEY}_table",
        data=worth.table_data(
            effects,
            texts,
            metric,
            worth.ranked(effects, metric, shown.words, shown.order, used),
            chips,
            chosen,
            reasons,
        ),
        on_pick_change=report,
    )


def _panel(
    texts: Texts, metric: Metric, effects: Sequence[Effect], chosen: int | None, slot: int, shown: Compare
) -> None:
    """The chosen change in words, the text around it, and the button that takes it to the what-if."""
    if chosen is None:
        st.html('<div class="rd hint">Choose a word above or a row of the list to see its change and to try it.</div>')
        return
    effect = effects[chosen]
    typed = shown.whatif if slot == WHATIF else shown.systems[slot][1]
    changed = worth.changed_text(effect, texts, typed, lambda text: cache.tokens(text, texts.settings))
    why = html.escape(effects_of.why(metric.key, texts.segment, shown.settings_of(metric.key), effect))
    said = f"<p>{worth.does(effect, texts, metric)}</p>" + (f"<p>{why}</p>" if why else "")
    st.html(f'<div class="rd fx">{said}</div>{worth.around(effect, texts)}')
    st.button("Try it", key=f"{KEY}_try", on_click=_try, args=(slot, changed.text), type="primary")
    if not changed.exact:
        st.caption("As one text these words are split in another way, so the score there may differ a little.")


def _try(slot: int, text: str) -> None:
    """Put a changed text into the what-if, where the text before it can be brought back. From now on the what-if text
    is the one that is examined, so that the next change builds on this one."""
    if slot != WHATIF:
        editing.start_whatif(slot)
    editing.edit_whatif(text)
    st.session_state.output, st.session_state.compare_view = WHATIF, "whatif"
