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
from viz.draw.evidence.drawn import is_long
from viz.draw.evidence.fragment import header
from viz.draw.pen import theme
from viz.draw.texts import Texts
from viz.frame import evidence, fields, guide, hints, menus, notes, strip
from viz.pages.compare import lines
from viz.pages.compare.entering import drop_source
from viz.pages.sentence import (
    cost,
    entering,
    error_classes,
    if_matched,
    look,
    one_metric,
    save_menu,
    several_metrics,
    steps,
    verdict,
)
from viz.pages.sentence.examples import BY_NAME
from viz.pages.sentence.record import VIEWS, Sentence
from viz.state import cache, controls, handed, inputs, scoring, session, visits
from viz.state.cache import Problem
from viz.state.inputs import Missing
from viz.state.turns import TURNS

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Ask for input, score, draw, and caption with the signature."""
    shown = visits.start(Sentence)
    if shown is None:
        address.ask()
        return
    if _fall_back(shown) or drop_source(shown.source, shown.references):
        shown = session.begin(Sentence)
    box = st.container(key="inputs")
    with box:
        st.text_area(
            "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
        )
        fields.references()
        menus.language_menu()
        fields.source(shown.source, bool((shown.candidate + shown.references).strip()))
        entering.forget_example(shown)
        menus.example_menu(BY_NAME, "example", _take_example)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read(shown.candidate, shown.references, shown.text, source=shown.source, marks=shown.marked)
    if not isinstance(texts, Missing):
        with box:
            fields.fold_texts(texts)
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(shown, not isinstance(texts, Missing))
        lines.point_out("The candidate", shown.candidate, None)
        hints.languages(shown.references)
        hints.references(shown.references, [shown.candidate])
        boxes = {"candidate": shown.candidate, "references": shown.references}
        guide.show(entering.pasted(shown), [] if isinstance(texts, Missing) else [texts], boxes)
    if not isinstance(texts, Missing):
        sentence_view(shown.typed, texts)
    elif half := inputs.one_sided(shown.candidate, shown.references, shown.text, shown.source, shown.marked):
        sentence_view(shown.typed, half, texts)
    else:
        address.show(shown)
        notes.say(texts)


def _take_example() -> None:
    handed.settle()
    if name := st.session_state.get("example"):
        entering.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


SETTINGS = 640  # pixels for what can be set of a metric, where the page has them
STACKED = 480  # pixels of a page below which settings stand one below the other
EMPTY_SIDE = "The steps without one are below."
LONG = 200  # words of a candidate whose scoring may take long enough to say so


@st.fragment
def sentence_view(typed: tuple[object, ...], texts: Texts, missing: Missing | None = None) -> None:
    """The score strip, and one of the views of the sentence, of which `typed` has become `texts`. Where one side has no
    words, only the steps have something to show; `missing` says what is."""
    shown = look.advanced(session.this_run(Sentence))
    # A click that leaves a text area can be told together with what was typed there.
    if st.session_state.pop("whole_page", False) or shown.typed != typed or _fall_back(shown):
        st.rerun()
    if missing:
        place = st.empty()
    long = len(texts.candidate) > LONG  # else the sign that says so would take more time than the scoring
    made = None if long or missing else _find(texts, shown)
    menus.switch("View", "view", {view: VIEWS[view] for view in _views(shown)})
    if missing:
        with place:
            steps_said = shown.view == "steps" and missing.is_untyped
            notes.say(replace(missing, then=EMPTY_SIDE) if steps_said else missing)
        if shown.view != "steps":
            steps.forget()
            address.show(shown)
            return
    tiles = st.container() if long else nullcontext()  # before the sign, which must not move them
    with st.spinner("Scoring") if long else nullcontext():
        glances = scoring.glances(shown, texts)
    with tiles:
        strip.show(strip.scores(glances), shown.metric, _open_metric, verdict.verdict(texts, shown))
    if shown.view != "steps":
        steps.forget()
    if shown.view == "all":
        several_metrics.all_metrics(texts, shown)
    elif shown.view == "steps":
        _steps(texts, shown)
    elif shown.view == "two":
        several_metrics.two_metrics(texts, shown)
    elif shown.view == "cost":
        look.keep(shown)
        cost.draw(texts, shown)
    elif shown.view == "errors":
        error_classes.draw(texts, shown)
    else:
        _one_metric(texts, shown, made)
    address.show(shown)


def _views(shown: Sentence) -> list[str]:
    """The views that the chosen metric has."""
    metric = metrics.METRICS[shown.metric]
    return [name for name in VIEWS if name != "steps" or metric.program]


def _fall_back(shown: Sentence) -> bool:
    """Leave a view that the chosen metric does not have, and say so above; whether one was left."""
    if shown.view in _views(shown):
        return False
    state, label = st.session_state, metrics.METRICS[shown.metric].label
    state.problems = [*state.get("problems", []), f"{label} has no steps that can be watched; its score stands here."]
    handed.put("view", "metric")
    return True


def _find(texts: Texts, shown: Sentence) -> str | None:
    """Find what takes time before anything is sent, for a browser draws once what comes at once: all scores, and the
    markup of the evidence where that is shown."""
    scoring.glances(shown, texts)
    if shown.view == "metric" and isinstance(result := scoring.score(shown, shown.metric, texts), Result):
        return one_metric.markup(texts, result, one_metric.look_of(shown))
    return None


def _open_metric() -> None:
    """Where no metric is shown by itself, its tile opens it."""
    if st.session_state.view in ("all", "errors"):
        handed.put("view", "metric")


def _one_metric(texts: Texts, shown: Sentence, made: str | None) -> None:
    """The chosen metric: its settings, its evidence, whose markup may be `made` already, and what there is to know
    about it."""
    metric = metrics.METRICS[shown.metric]
    result, seen = scoring.score(shown, shown.metric, texts), one_metric.look_of(shown)
    look.keep(shown)
    # The evidence is sent first, though its settings stand above it: new controls take the browser longer than the
    # evidence, and what comes together is seen together.
    above = st.container(key="beside_verdict")
    if printed := _printed(texts, shown):
        st.html(printed)
    if isinstance(result, Problem):
        st.warning(theme.markdown(str(result)))
    else:
        one_metric.settle(texts, result, seen)
        answer = if_matched.answer(texts, result, shown)
        one_metric.draw(texts, result, seen, made or one_metric.markup(texts, result, seen), answer)
    now = shown.metric, shown.settings_of(shown.metric)
    if st.session_state.get("settings_of") != now:
        TURNS.pause(fragment.SEEN)
    st.session_state.settings_of = now
    with above:
        _settings(metric, texts, shown, result)


def _steps(texts: Texts, shown: Sentence) -> None:
    """The steps of the chosen metric's algorithm, below its settings."""
    metric = metrics.METRICS[shown.metric]
    with _heading(metric):
        _settings(metric, texts, shown, None)
    steps.draw(texts, shown)


def _heading(metric: Metric) -> Any:
    """The metric's name, at the right of which what can be set has its place."""
    above = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above")
    above.html(header(metric.name, metric.about.idea))
    return above


def _settings(metric: Metric, texts: Texts, shown: Sentence, result: Result | Problem | None) -> None:
    """What can be set, in one row, of the evidence behind a button: its room is kept, so that the evidence stays where
    it is when it comes."""
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = SETTINGS if fragment.room() < STACKED else min(SETTINGS, (fragment.room() - 16) * 7 // 12)
        if shown.view == "steps":
            room -= steps.picture_switch(texts, shown)
        elif isinstance(result, Result):
            seen = evidence.picture_of(texts, result, shown.picture)
            one_metric.picture_switch(seen, arcs.picture_kind(result), is_long(texts))
            one_metric.round_controls(result)
        controls.metric_settings(metric.key, len(texts.references), room if shown.view == "steps" else 0)


def _printed(texts: Texts, shown: Sentence) -> str:
    """What the paper prints for an example by this metric, beside our number; "" where it prints nothing."""
    example = BY_NAME.get(shown.example or "")
    if not example or not example.printed:
        return ""
    if (shown.candidate, shown.references) != (example.candidate, example.references):
        return ""
    notes = []
    for printed in example.printed:
        if printed.metric != shown.metric:
            continue
        result = cache.score(printed.metric, texts.segment, metrics.settings(printed.metric, **printed.settings))
        if isinstance(result, Problem):
            continue
        ours = result.score if printed.part == "score" else result.parts[printed.part]
        name = metrics.METRICS[printed.metric].label + (f", {printed.how}" if printed.how else "")
        note = f"<b>{name}</b>: {printed.where} prints {printed.value}, here <b>{formula.shown(ours)}</b>."
        notes.append(note + (f' <span class="er">Erratum: {printed.erratum}.</span>' if printed.erratum else ""))
    return f'<div class="pr">{"<br>".join(notes)}</div>' if notes else ""


page()
