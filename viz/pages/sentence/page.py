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
from viz.draw.pen import theme
from viz.draw.texts import ProcessedTexts
from viz.frame import evidence, fields, guide, hints, menus, notes, strip
from viz.pages.compare import lines
from viz.pages.compare.opening_state import drop_source
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
from viz.pages.sentence.examples import BY_NAME
from viz.pages.sentence.record import VIEWS, SentenceState
from viz.state import cache, controls, inputs, navigation, pending_widgets, scoring, session
from viz.state.cache import Problem
from viz.state.inputs import MissingText
from viz.state.run_queue import RUN_QUEUE

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Ask for input, score, draw, and caption with the signature."""
    state = navigation.start(SentenceState)
    if state is None:
        address.ask()
        return
    if _fall_back(state) or drop_source(state.source, state.references):
        state = session.begin(SentenceState)
    box = st.container(key="inputs")
    with box:
        st.text_area(
            "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
        )
        fields.references()
        menus.language_menu()
        fields.source(state.source, bool((state.candidate + state.references).strip()))
        opening_state.forget_example(state)
        menus.example_menu(BY_NAME, "example", _take_example)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read(state.candidate, state.references, state.text, source=state.source, marks=state.marked)
    if not isinstance(texts, MissingText):
        with box:
            fields.fold_texts(texts)
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(state, not isinstance(texts, MissingText))
        lines.point_out("The candidate", state.candidate, None)
        hints.languages(state.references)
        hints.references(state.references, [state.candidate])
        boxes = {"candidate": state.candidate, "references": state.references}
        guide.show(opening_state.pasted(state), [] if isinstance(texts, MissingText) else [texts], boxes)
    if not isinstance(texts, MissingText):
        sentence_view(state.typed_texts, texts)
    elif half := inputs.one_sided(state.candidate, state.references, state.text, state.source, state.marked):
        sentence_view(state.typed_texts, half, texts)
    else:
        address.show(state)
        notes.say(texts)


def _take_example() -> None:
    pending_widgets.settle()
    if name := st.session_state.get("example"):
        opening_state.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


SETTINGS = 640  # pixels for what can be set of a metric, where the page has them
STACKED = 480  # pixels of a page below which settings stand one below the other
EMPTY_SIDE = "The steps without one are below."
LONG = 200  # words of a candidate whose scoring may take long enough to say so


@st.fragment
def sentence_view(typed: tuple[object, ...], texts: ProcessedTexts, missing: MissingText | None = None) -> None:
    """The score strip, and one of the views of the sentence, of which `typed` has become `texts`. Where one side has no
    words, only the steps have something to show; `missing` says what is."""
    state = look.advanced(session.this_run(SentenceState))
    # A click that leaves a text area can be told together with what was typed there.
    if st.session_state.pop("whole_page", False) or state.typed_texts != typed or _fall_back(state):
        st.rerun()
    if missing:
        place = st.empty()
    long = len(texts.candidate) > LONG  # else the sign that says so would take more time than the scoring
    markup = None if long or missing else _find(texts, state)
    menus.switch("View", "view", {view: VIEWS[view] for view in _views(state)})
    if missing:
        with place:
            steps_said = state.view == "steps" and missing.is_untyped
            notes.say(replace(missing, advice=EMPTY_SIDE) if steps_said else missing)
        if state.view != "steps":
            steps.forget()
            address.show(state)
            return
    tiles = st.container() if long else nullcontext()  # before the sign, which must not move them
    with st.spinner("Scoring") if long else nullcontext():
        glances = scoring.glances(state, texts)
    with tiles:
        strip.show(strip.scores(glances), state.metric, _open_metric, verdict.verdict(texts, state))
    if state.view != "steps":
        steps.forget()
    if state.view == "all":
        several_metrics.all_metrics(texts, state)
    elif state.view == "steps":
        _steps(texts, state)
    elif state.view == "two":
        several_metrics.two_metrics(texts, state)
    elif state.view == "cost":
        look.keep(state)
        cost.draw(texts, state)
    elif state.view == "errors":
        error_classes.draw(texts, state)
    else:
        _one_metric(texts, state, markup)
    address.show(state)


def _views(state: SentenceState) -> list[str]:
    """The views that the chosen metric has."""
    metric = metrics.METRICS[state.metric]
    return [name for name in VIEWS if name != "steps" or metric.program]


def _fall_back(page_state: SentenceState) -> bool:
    """Leave a view that the chosen metric does not have, and say so above; whether one was left."""
    if page_state.view in _views(page_state):
        return False
    state, label = st.session_state, metrics.METRICS[page_state.metric].label
    state.problems = [*state.get("problems", []), f"{label} has no steps that can be watched; its score stands here."]
    pending_widgets.give_value("view", "metric")
    return True


def _find(texts: ProcessedTexts, state: SentenceState) -> str | None:
    """Find what takes time before anything is sent, for a browser draws once what comes at once: all scores, and the
    markup of the evidence where that is shown."""
    scoring.glances(state, texts)
    if state.view == "metric" and isinstance(result := scoring.score(state, state.metric, texts), Result):
        return one_metric.markup(texts, result, one_metric.look_of(state))
    return None


def _open_metric() -> None:
    """Where no metric is shown by itself, its tile opens it."""
    if st.session_state.view in ("all", "errors"):
        pending_widgets.give_value("view", "metric")


def _one_metric(texts: ProcessedTexts, state: SentenceState, markup: str | None) -> None:
    """The chosen metric: its settings, its evidence, of which the `markup` may be made already, and what there is to
    know about it."""
    metric = metrics.METRICS[state.metric]
    result, result_look = scoring.score(state, state.metric, texts), one_metric.look_of(state)
    look.keep(state)
    # The evidence is sent first, though its settings stand above it: new controls take the browser longer than the
    # evidence, and what comes together is seen together.
    above = st.container(key="beside_verdict")
    if printed := _printed(texts, state):
        st.html(printed)
    if isinstance(result, Problem):
        st.warning(theme.markdown(str(result)))
    else:
        one_metric.settle(texts, result, result_look)
        answer = if_matched.answer(texts, result, state)
        one_metric.draw(texts, result, result_look, markup or one_metric.markup(texts, result, result_look), answer)
    now = state.metric, state.settings_of(state.metric)
    if st.session_state.get("settings_of") != now:
        RUN_QUEUE.pause(fragment.SEEN)
    st.session_state.settings_of = now
    with above:
        _settings(metric, texts, state, result)


def _steps(texts: ProcessedTexts, state: SentenceState) -> None:
    """The steps of the chosen metric's algorithm, below its settings."""
    metric = metrics.METRICS[state.metric]
    with _heading(metric):
        _settings(metric, texts, state, None)
    steps.draw(texts, state)


def _heading(metric: Metric) -> Any:
    """The metric's name, at the right of which what can be set has its place."""
    above = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above")
    above.html(header(metric.name, metric.about.idea))
    return above


def _settings(metric: Metric, texts: ProcessedTexts, state: SentenceState, result: Result | Problem | None) -> None:
    """What can be set, in one row, of the evidence behind a button: its room is kept, so that the evidence stays where
    it is when it comes."""
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = SETTINGS if fragment.room() < STACKED else min(SETTINGS, (fragment.room() - 16) * 7 // 12)
        if state.view == "steps":
            room -= steps.picture_switch(texts, state)
        elif isinstance(result, Result):
            visible_picture = evidence.picture_of(texts, result, state.picture)
            one_metric.picture_switch(visible_picture, arcs.picture_kind(result), is_long(texts))
            one_metric.round_controls(result)
        controls.metric_settings(metric.key, len(texts.references), room if state.view == "steps" else 0)


def _printed(texts: ProcessedTexts, state: SentenceState) -> str:
    """What the paper prints for an example by this metric, beside our number; "" where it prints nothing."""
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
