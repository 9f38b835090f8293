"""Draw the Words view of one output: all changes of one word are tried, shown and ranked, and each can be adopted."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence

import streamlit as st

import metrics
from metrics.analysis.worth import Effect, JointDeletion
from metrics.types import Metric

from ...components import fragment
from ...components.word_worth import component
from ...draw.compare import worth
from ...draw.pen import theme
from ...draw.texts import ProcessedTexts
from ...frame import menus
from ...state import cache
from ...state.cache import Problem
from . import editing
from . import effects as effects_of
from . import session_choices as choices
from .record import WHATIF, CompareState

KEY = "attribution"
QUIET = 0.3  # seconds of work before progress is shown
STEP = 0.25  # seconds between two reports of progress


# ---------------------------------------------------------------- the view


def draw(texts: ProcessedTexts, name: str, slot: int, state: CompareState) -> None:
    """Draw the words of one output by the selected metric.

    `slot` is the slot of its system, or WHATIF for the what-if text."""
    key = state.metric
    metric, settings = metrics.METRICS[key], state.settings_of(key)
    glance = cache.glance(key, texts.segment, settings)
    if isinstance(glance, Problem):
        st.warning(theme.markdown(str(glance)))
        return
    score = glance.score
    st.html(worth.header(metric, name, score))
    effect_search = effects_of.search(key, texts.segment, settings)
    _continue_search(effect_search)
    effects = tuple(effect_search.effects)
    identity = (key, settings, texts.segment)
    used = effects_of.used_words(metric, texts.segment, settings)
    chips = worth.chip_effects(effects, metric, used=used)
    chosen = choices.chosen_effect(state, identity)
    if chosen is not None and chosen >= len(effects):
        chosen = None
    st.html(worth.strip(texts, name, effects, metric, chips, chosen) + worth.legend(effects, metric, chips))
    if effect_search.problem:
        st.warning(theme.markdown(str(effect_search.problem)))
    if note := worth.describe_progress(effects, effect_search.total, len(texts.candidate)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="lead_line">{html.escape(note)}</div>', width="content")
            if not effect_search.done:
                st.button("Go on", key=f"{KEY}_more", on_click=effect_search.more_time)
    if not effects:
        return
    joint = None if note else _find_joint(effect_search)
    findings = worth.findings(effects, texts, metric, score, joint, not note, used)
    st.html(f'<div class="lead_line fx">{"".join(f"<p>{sentence}</p>" for sentence in findings)}</div>')
    if fragment.on_phone():
        panel, table = st.container(), st.container()  # the panel first, so that a selection is in sight
    else:
        table, panel = st.columns([7, 5], gap="large")
    with table:
        _draw_table(texts, metric, effects, chips, chosen, state, used)
    with panel:
        _draw_panel(texts, metric, effects, chosen, slot, state)


def _continue_search(effect_search: effects_of.EffectSearch) -> None:
    """Continue a search until it is done or its time is over, and show its progress if that takes long."""
    if effect_search.waits:
        effect_search.go_on(QUIET)  # most sentences are done by then
    if not effect_search.waits:
        return
    bar = st.progress(0.0)
    while effect_search.waits:
        count, total = len(effect_search.effects), effect_search.total
        bar.progress(min(1.0, count / total), f"Tried {count:,} of {total:,} changes")
        effect_search.go_on(STEP)
    bar.empty()


def _find_joint(effect_search: effects_of.EffectSearch) -> JointDeletion | None:
    """Return the words that cost most together, as far as they are found in time; None if no words cost anything."""
    search = effect_search.joint_search
    if search.waits:
        search.go_on(QUIET)
    if search.waits:
        with st.spinner("Looking for the words that cost most together"):
            while search.waits:
                search.go_on(STEP)
    return search.joint


def _draw_table(
    texts: ProcessedTexts,
    metric: Metric,
    effects: Sequence[Effect],
    chips: Sequence[int],
    chosen: int | None,
    state: CompareState,
    used: Collection[int],
) -> None:
    """Draw the ranked list of all changes, and store the selected one."""
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

    settings = state.settings_of(metric.key)
    reasons = {
        n: effects_of.why_effect(metric.key, texts.segment, settings, effects[n])
        for n in worth.surprising_deletions(effects, metric, used)
    }
    component(
        key=f"{KEY}_table",
        data=worth.table_data(
            effects,
            texts,
            metric,
            worth.ranked(effects, metric, state.words, state.order, used),
            chips,
            chosen,
            reasons,
        ),
        on_pick_change=report,
    )


def _draw_panel(
    texts: ProcessedTexts, metric: Metric, effects: Sequence[Effect], chosen: int | None, slot: int, state: CompareState
) -> None:
    """Draw the selected change in words, the text around it, and the button that tries it as a what-if text."""
    if chosen is None:
        hint = "Choose a word above or a row of the list to see its change and to try it."
        st.html(f'<div class="lead_line hint">{hint}</div>')
        return
    effect = effects[chosen]
    typed = state.whatif if slot == WHATIF else state.systems[slot][1]
    changed = worth.changed_text(effect, texts, typed, lambda text: cache.tokens(text, texts.settings))
    why = html.escape(effects_of.why_effect(metric.key, texts.segment, state.settings_of(metric.key), effect))
    change_html = f"<p>{worth.describe_effect(effect, texts, metric)}</p>" + (f"<p>{why}</p>" if why else "")
    st.html(f'<div class="lead_line fx">{change_html}</div>{worth.change_context(effect, texts)}')
    st.button("Try it", key=f"{KEY}_try", on_click=_try, args=(slot, changed.text), type="primary")
    if not changed.exact:
        st.caption("As one text these words are split in another way, so the score there may differ a little.")


def _try(slot: int, text: str) -> None:
    """Make a changed text the what-if text, in a callback.

    The Words view then examines the what-if text, so that the next change builds on this one."""
    if slot != WHATIF:
        editing.start_whatif(slot)
    editing.edit_whatif(text)
    st.session_state.output, st.session_state.compare_view = WHATIF, "whatif"
