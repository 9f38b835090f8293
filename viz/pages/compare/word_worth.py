"""Draw the Words view of one output: every change of one word is tried, shown and ranked, and can be adopted."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence

import streamlit as st

import metrics
from metrics.analysis.worth import JointDeletion, WordChangeEffect
from metrics.types import Metric

from ...components import fragment
from ...components.word_worth import component
from ...draw.compare import worth
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import menus
from ...state.results import cache
from ...state.results.cache import Problem
from . import editing
from . import effects as effects_of
from . import session_choices as choices
from .record import WHATIF, CompareState

KEY = "attribution"
QUIET = 0.3  # seconds of work before progress is shown
STEP = 0.25  # seconds between two reports of progress


# ---------------------------------------------------------------- the view


def draw(texts: ProcessedTexts, name: str, slot: int, state: CompareState) -> None:
    """Draw what every change of one word of an output does to its score by the selected metric.

    `name` is that of the output, and `slot` its slot, WHATIF for the what-if text."""
    key = state.metric
    metric, settings = metrics.METRICS[key], state.settings_of(key)
    glance = cache.glance(key, texts.segment, settings)
    if isinstance(glance, Problem):
        st.warning(escape_markdown(str(glance)))
        return
    score = glance.score
    st.html(worth.heading_html(metric, name, score))
    effect_search = effects_of.shared_effect_search(key, texts.segment, settings)
    _continue_search(effect_search)
    effects = tuple(effect_search.effects)
    identity = (key, settings, texts.segment)
    used = effects_of.matched_word_positions(metric, texts.segment, settings)
    chips = worth.chip_effects(effects, metric, used=used)
    chosen = choices.chosen_effect(state, identity)
    if chosen is not None and chosen >= len(effects):
        chosen = None
    st.html(worth.word_line_html(texts, name, effects, metric, chips, chosen) + worth.legend(effects, metric, chips))
    if effect_search.problem:
        st.warning(escape_markdown(str(effect_search.problem)))
    if note := worth.describe_progress(effects, effect_search.total, len(texts.candidate)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="lead_line">{html.escape(note)}</div>', width="content")
            if not effect_search.done:
                st.button("Continue", key=f"{KEY}_more", on_click=effect_search.allow_more_time)
    if not effects:
        return
    joint = None if note else _costliest_words(effect_search)
    findings = worth.finding_sentences(effects, texts, metric, score, joint, not note, used)
    st.html(f'<div class="lead_line fx">{"".join(f"<p>{sentence}</p>" for sentence in findings)}</div>')
    if fragment.is_phone_wide():
        panel, table = st.container(), st.container()  # the panel first, so that a selection is in sight
    else:
        table, panel = st.columns([7, 5], gap="large")
    with table:
        _draw_table(texts, metric, effects, chips, chosen, state, used)
    with panel:
        _draw_panel(texts, metric, effects, chosen, slot, state)


def _continue_search(effect_search: effects_of.EffectSearch) -> None:
    """Continue a search until it is done or its time is over; show its progress if that takes long."""
    if effect_search.can_continue:
        effect_search.continue_for(QUIET)  # most sentences are done by then
    if not effect_search.can_continue:
        return
    bar = st.progress(0.0)
    while effect_search.can_continue:
        count, total = len(effect_search.effects), effect_search.total
        bar.progress(min(1.0, count / total), f"Tried {count:,} of {total:,} changes")
        effect_search.continue_for(STEP)
    bar.empty()


def _costliest_words(effect_search: effects_of.EffectSearch) -> JointDeletion | None:
    """Return the words that cost most together, as far as they are found in time.

    None if no words cost anything."""
    search = effect_search.joint_search
    if search.can_continue:
        search.continue_for(QUIET)
    if search.can_continue:
        with st.spinner("Looking for the words that cost most together"):
            while search.can_continue:
                search.continue_for(STEP)
    return search.joint


def _draw_table(
    texts: ProcessedTexts,
    metric: Metric,
    effects: Sequence[WordChangeEffect],
    chips: Sequence[int],
    chosen: int | None,
    state: CompareState,
    used: Collection[int],
) -> None:
    """Draw the ranked list of all changes, and store which one the visitor selects.

    Args:
        effects: the effect of each change.
        chips: the indices of the changes that are drawn between the words above the list.
        chosen: the index of the selected change, None for none.
        used: the positions of the candidate's words that the metric matches."""
    with st.container(horizontal=True, gap="small", key=f"{KEY}_controls"):
        menus.draw_choice_buttons("Changes", f"{KEY}_show", worth.SHOWN)
        menus.draw_choice_buttons("Order", f"{KEY}_order", worth.ORDERS)

    def store_selection() -> None:
        n = fragment.last_sent(f"{KEY}_table", "pick")
        # The browser may send anything.
        if isinstance(n, int | float) and 0 <= n < len(effects):
            choices.choose_effect(int(n))
        elif n == -1:
            choices.choose_effect(None)

    settings = state.settings_of(metric.key)
    reasons = {
        n: effects_of.explain_effect(metric.key, texts.segment, settings, effects[n])
        for n in worth.surprising_deletions(effects, metric, used)
    }
    component(
        key=f"{KEY}_table",
        data=worth.browser_data(
            effects,
            texts,
            metric,
            worth.sorted_effect_indices(effects, metric, state.words, state.order, used),
            chips,
            chosen,
            reasons,
        ),
        on_pick_change=store_selection,
    )


def _draw_panel(
    texts: ProcessedTexts,
    metric: Metric,
    effects: Sequence[WordChangeEffect],
    chosen: int | None,
    slot: int,
    state: CompareState,
) -> None:
    """Draw the selected change in words, the text around it, and the button that makes it the what-if text.

    `chosen` is the index of the change in `effects`, None for none; `slot` is that of the output."""
    if chosen is None:
        hint = "Choose a word above or a row of the list to see its change and to try it."
        st.html(f'<div class="lead_line hint">{hint}</div>')
        return
    effect = effects[chosen]
    typed = state.whatif if slot == WHATIF else state.systems[slot][1]
    changed = worth.changed_text(effect, texts, typed, lambda text: cache.tokens(text, texts.settings))
    why = html.escape(effects_of.explain_effect(metric.key, texts.segment, state.settings_of(metric.key), effect))
    change_html = f"<p>{worth.describe_effect(effect, texts, metric)}</p>" + (f"<p>{why}</p>" if why else "")
    st.html(f'<div class="lead_line fx">{change_html}</div>{worth.change_context(effect, texts)}')
    st.button("Try it", key=f"{KEY}_try", on_click=_try_change, args=(slot, changed.text), type="primary")
    if not changed.exact:
        st.caption("As one text, these words are tokenised differently, so its score may differ a little.")


def _try_change(slot: int, text: str) -> None:
    """Make a changed text the what-if text; a callback.

    The Words view then examines the what-if text, so that the next change builds on this one."""
    if slot != WHATIF:
        editing.start_whatif(slot)
    editing.edit_whatif(text)
    st.session_state.output, st.session_state.compare_view = WHATIF, "whatif"
