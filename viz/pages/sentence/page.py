"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

import metrics
from metrics import formula
from metrics.types import Metric, Result
from viz.components import address, fragment
from viz.draw.evidence import arcs
from viz.draw.evidence.drawn_result import is_long
from viz.draw.evidence.fragment import header
from viz.draw.pen.text import escape_markdown
from viz.draw.texts import ProcessedTexts
from viz.frame import evidence, fields, guide, hints, lines, menus, notes, strip
from viz.frame.examples import BY_NAME, clear_stale_source
from viz.pages.sentence import (
    cost,
    error_classes,
    if_matched,
    look,
    one_metric,
    opening_state,
    save_menu,
    several_metrics,
    steps,
    verdict,
)
from viz.pages.sentence.record import VIEWS, SentenceState
from viz.state.results import cache, scoring
from viz.state.results.cache import Problem
from viz.state.texts import inputs
from viz.state.texts.inputs import MissingText
from viz.state.visit import controls, navigation, pending_widgets, session
from viz.state.visit.run_queue import RUN_QUEUE

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Draw the whole page: the text areas, the notes on the texts, and the sentence view."""
    state = navigation.prepare_run(SentenceState)
    if state is None:
        address.ask_for_texts()
        return
    if _leave_missing_view(state) or clear_stale_source(state.source, state.references):
        state = session.read_for_run(SentenceState)
    box = st.container(key="inputs")
    with box:
        st.text_area(
            "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
        )
        fields.draw_references_field()
        menus.language_menu()
        fields.draw_source_field(state.source, bool((state.candidate + state.references).strip()))
        opening_state.forget_example(state)
        menus.example_menu(BY_NAME, "example", _load_chosen_example)
        menus.draw_menu_row(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read_texts(state.candidate, state.references, state.text, source=state.source, marks=state.marked)
    if not isinstance(texts, MissingText):
        with box:
            fields.draw_folded_texts(texts)
    # One container for all notes: Streamlit identifies the fragment below, and clicks in it, by its position.
    with st.container(key="notes"):
        notes.show(state, not isinstance(texts, MissingText))
        lines.draw_note_on_lines("The candidate", state.candidate, "None", opening_state.open_lines_as_outputs)
        hints.show_language_hint(state.references)
        hints.show_reference_hints(state.references, [state.candidate])
        boxes = {"candidate": state.candidate, "references": state.references}
        guide.draw_guide_line(
            opening_state.has_users_texts(state), [] if isinstance(texts, MissingText) else [texts], boxes
        )
    if not isinstance(texts, MissingText):
        sentence_view(state.typed_texts, texts)
    elif half := inputs.read_one_sided(state.candidate, state.references, state.text, state.source, state.marked):
        sentence_view(state.typed_texts, half, texts)
    else:
        address.show(state)
        notes.show_missing_text(texts)


def _load_chosen_example() -> None:
    """Load the example that was chosen in the menu of examples."""
    pending_widgets.restore_given_values()
    if name := st.session_state.get("example"):
        opening_state.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


SETTINGS = 640  # the greatest width in pixels of a metric's settings
STACKED = 480  # the page width in pixels below which settings are stacked
EMPTY_SIDE = "The steps for an empty text are below."
LONG = 200  # beyond this number of candidate words, a spinner is shown while scoring


@st.fragment
def sentence_view(typed: tuple[object, ...], texts: ProcessedTexts, missing: MissingText | None = None) -> None:
    """Draw the score strip and the open view, such as “Steps”.

    `typed` are the fields of the state from which `texts` were read; if they have changed since, the whole page runs
    again. `missing` is None, or says which side has no words; then only the steps can be shown."""
    state = look.with_played_round(session.state_of_this_run(SentenceState))
    # One event can report both a click and the text typed into the area that the click leaves.
    if st.session_state.pop("whole_page", False) or state.typed_texts != typed or _leave_missing_view(state):
        st.rerun()
    if missing:
        place = st.empty()
    long = len(texts.candidate) > LONG  # for shorter texts the spinner would take longer than the scoring
    markup = None if long or missing else _score_and_markup(texts, state)
    menus.draw_choice_buttons("View", "view", {view: VIEWS[view] for view in _view_names(state)})
    if missing:
        with place:
            steps_said = state.view == "steps" and missing.is_untyped
            notes.show_missing_text(replace(missing, advice=EMPTY_SIDE) if steps_said else missing)
        if state.view != "steps":
            steps.forget()
            address.show(state)
            return
    tiles = st.container() if long else nullcontext()  # placed before the spinner, which must not move them
    with st.spinner("Scoring") if long else nullcontext():
        glances = scoring.glances(state, texts)
    with tiles:
        strip.show(strip.score_tiles(glances), state.metric, _open_metric, verdict.verdict(texts, state))
    if state.view != "steps":
        steps.forget()
    if state.view == "all":
        several_metrics.all_metrics(texts, state)
    elif state.view == "steps":
        _draw_steps(texts, state)
    elif state.view == "two":
        several_metrics.two_metrics(texts, state)
    elif state.view == "cost":
        look.drop_stale_selections(state)
        cost.draw(texts, state)
    elif state.view == "errors":
        error_classes.draw(texts, state)
    else:
        _draw_one_metric(texts, state, markup)
    address.show(state)


def _view_names(state: SentenceState) -> list[str]:
    """Return the names of the views that the chosen metric has; not every metric has steps."""
    metric = metrics.METRICS[state.metric]
    return [name for name in VIEWS if name != "steps" or metric.program]


def _leave_missing_view(page_state: SentenceState) -> bool:
    """Leave a view that the chosen metric does not have, and note it for the user; return whether it was left."""
    if page_state.view in _view_names(page_state):
        return False
    state, label = st.session_state, metrics.METRICS[page_state.metric].label
    state.problems = [*state.get("problems", []), f"{label} has no steps to watch; its score is shown instead."]
    pending_widgets.give_value("view", "metric")
    return True


def _score_and_markup(texts: ProcessedTexts, state: SentenceState) -> str | None:
    """Compute the scores by all metrics, and return the HTML of the evidence if the open view shows it, else None.

    This takes time, so it is done before anything is sent: a browser draws at once what arrives together."""
    scoring.glances(state, texts)
    if state.view == "metric" and isinstance(result := scoring.score(state, state.metric, texts), Result):
        return one_metric.evidence_html(texts, result, one_metric.look_of(state))
    return None


def _open_metric() -> None:
    """Open the view of one metric after a click on its tile, if the open view is not about a single metric."""
    if st.session_state.view in ("all", "errors"):
        pending_widgets.give_value("view", "metric")


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


def _draw_steps(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw the settings of the chosen metric, and the steps of its algorithm."""
    metric = metrics.METRICS[state.metric]
    with _draw_heading(metric):
        _draw_settings(metric, texts, state, None)
    steps.draw(texts, state)


def _draw_heading(metric: Metric) -> Any:
    """Draw the metric's name and idea, and return the container at its right, for the settings."""
    above = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above")
    above.html(header(metric.name, metric.about.idea))
    return above


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


page()
