"""The views of the Sentence page, and the drawing of those of one metric.

All are drawn from the texts, the state of the page, and the HTML of the evidence of the chosen metric if it is made
already."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import metrics
from metrics import formula
from metrics.types import Metric, Result

from ...components import fragment
from ...draw.evidence import arcs
from ...draw.evidence.drawn_result import is_long
from ...draw.evidence.fragment import header
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import evidence
from ...frame.examples import BY_NAME
from ...frame.views import View, checked_views
from ...state.results import cache, scoring
from ...state.results.cache import Problem
from ...state.visit import controls
from ...state.visit.run_queue import RUN_QUEUE
from . import cost, error_classes, if_matched, look, one_metric, several_metrics, steps
from .record import VIEWS, SentenceState

SETTINGS = 640  # the greatest width in pixels of a metric's settings
STACKED = 480  # the page width in pixels below which settings are stacked


def _draw_one_metric(texts: ProcessedTexts, state: SentenceState, markup: str | None) -> None:
    """Draw the chosen metric: its settings, its evidence, and the numbers that papers print for the example.

    `markup` is the HTML of the evidence if it is made already, else None."""
    metric = metrics.METRICS[state.metric]
    result, result_look = scoring.score(state, state.metric, texts), one_metric.look_of(state)
    look.drop_stale_selections(state)
    # The evidence is sent before its settings, though they are above it: a browser takes longer for new controls, and
    # it draws at once what arrives together.
    above = st.container(key="beside_verdict")
    if printed := _printed_numbers_html(texts, state):
        st.html(printed)
    if isinstance(result, Problem):
        st.warning(escape_markdown(str(result)))
    else:
        one_metric.set_controls(texts, result, result_look)
        answer = if_matched.answer_html(texts, result, state)
        one_metric.draw(
            texts, result, result_look, markup or one_metric.evidence_html(texts, result, result_look), answer
        )
    now = state.metric, state.settings_of(state.metric)
    if st.session_state.get("settings_of") != now:
        RUN_QUEUE.pause(fragment.SEEN)
    st.session_state.settings_of = now
    with above:
        _draw_settings(metric, texts, state, result)


def _draw_steps(texts: ProcessedTexts, state: SentenceState, markup: str | None) -> None:
    """Draw the settings of the chosen metric, and the steps of its algorithm."""
    metric = metrics.METRICS[state.metric]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above"):
        st.html(header(metric.name, metric.about.idea))
        _draw_settings(metric, texts, state, None)
    steps.draw(texts, state)


def _draw_settings(
    metric: Metric, texts: ProcessedTexts, state: SentenceState, result: Result | Problem | None
) -> None:
    """Draw the menu of pictures, the controls of rounds and the settings of the metric in one row.

    `result` is the result that the view shows; None for the view of steps. In all other views the settings are
    behind a button whose space is reserved, so that the evidence does not move."""
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = SETTINGS if fragment.place_width() < STACKED else min(SETTINGS, (fragment.place_width() - 16) * 7 // 12)
        if state.view == "steps":
            room -= steps.picture_switch(texts, state)
        elif isinstance(result, Result):
            visible_picture = evidence.choose_picture(texts, result, state.picture)
            one_metric.picture_switch(visible_picture, arcs.picture_kind(result), is_long(texts))
            one_metric.round_controls(result)
        controls.draw_metric_settings(metric.key, len(texts.references), room if state.view == "steps" else 0)


def _printed_numbers_html(texts: ProcessedTexts, state: SentenceState) -> str:
    """Return, as HTML, the numbers that papers print for the shown example by the chosen metric, next to ours.

    Return "" if there are none."""
    example = BY_NAME.get(state.example or "")
    if not example or not example.printed:
        return ""
    if (state.candidate, state.references) != (example.candidate, example.references):
        return ""
    notes = []
    for printed in example.printed:
        if printed.metric != state.metric:
            continue
        result = cache.score(printed.metric, texts.segment, metrics.settings(printed.metric, **printed.settings))
        if isinstance(result, Problem):
            continue
        ours = result.score if printed.part == "score" else result.parts[printed.part]
        name = metrics.METRICS[printed.metric].label + (f", {printed.how}" if printed.how else "")
        note = f"<b>{name}</b>: {printed.where} prints {printed.value}, here <b>{formula.format_number(ours)}</b>."
        notes.append(note + (f' <span class="er">Erratum: {printed.erratum}.</span>' if printed.erratum else ""))
    return f'<div class="pr">{"<br>".join(notes)}</div>' if notes else ""


def _draw_cost(texts: ProcessedTexts, state: SentenceState, markup: str | None) -> None:
    """Draw what the errors of the candidate cost."""
    look.drop_stale_selections(state)
    cost.draw(texts, state)


def _draw_without_markup(draw: Callable[[ProcessedTexts, SentenceState], None]) -> Callable[..., None]:
    """Return the drawing of a view that does not show the evidence of one metric."""
    return lambda texts, state, markup: draw(texts, state)


DRAWN = checked_views(
    VIEWS,
    {
        "metric": View(_draw_one_metric, files=one_metric.files),
        "steps": View(_draw_steps, lambda state: bool(metrics.METRICS[state.metric].program), steps.files),
        "cost": View(_draw_cost, files=cost.files),
        "all": View(_draw_without_markup(several_metrics.all_metrics), files=several_metrics.files_of_all_metrics),
        "two": View(_draw_without_markup(several_metrics.two_metrics), files=several_metrics.files_of_two_metrics),
        "errors": View(_draw_without_markup(error_classes.draw), files=error_classes.files),
    },
)
