"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

import metrics
from metrics import formula
from metrics.types import Metric, Result
from viz.components import address, fragment
from viz.draw.evidence.fragment import header
from viz.draw.pen import theme
from viz.draw.texts import Texts
from viz.frame import guide, menus, notes, strip
from viz.pages.compare import lines
from viz.pages.sentence import entering, error_classes, look, one_metric, several_metrics, steps
from viz.pages.sentence import menus as sentence_menus
from viz.pages.sentence.examples import BY_NAME
from viz.pages.sentence.record import VIEWS
from viz.state import address as addresses
from viz.state import cache, controls, inputs, session, visits
from viz.state.cache import Problem
from viz.state.inputs import Missing

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Ask for input, score, draw, and caption with the signature."""
    if not visits.start("sentence"):
        address.ask()
        return
    left, middle, right = st.columns([4.3, 5.2, 2.9], gap="medium")
    candidate = left.text_area(
        "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
    )
    references = middle.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )
    with right:
        entering.forget_example()
        menus.example_menu(BY_NAME, "example", _take_example)
        with st.container(key="tools"):
            text, share_, save = st.columns(3, gap="small")
            with text:
                menus.text_menu()
            with share_:
                menus.share_menu()
            with save:
                sentence_menus.save_menu()
    texts = inputs.read(candidate or "", references or "", session.text_settings())
    _fall_back()
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(not isinstance(texts, Missing))
        lines.point_out("The candidate", candidate or "", None)
        guide.show(entering.pasted(), [] if isinstance(texts, Missing) else [texts])
    if not isinstance(texts, Missing):
        view(texts)
    elif half := inputs.one_sided(candidate or "", references or "", session.text_settings()):
        view(half, texts)
    else:
        addresses.keep()
        address.show()
        notes.say(texts)


def _take_example() -> None:
    if name := st.session_state.example:
        entering.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


SETTINGS = 640  # pixels for what can be set of a metric, where the page has them
STACKED = 480  # pixels of a page below which settings stand one below the other
EMPTY_SIDE = "The steps without one are below."
LONG = 200  # words of a candidate whose scoring may take long enough to say so


@st.fragment
def view(texts: Texts, missing: Missing | None = None) -> None:
    """The score strip, and one of the views of the sentence. Where one side has no words, only the steps have something
    to show; `missing` says what is."""
    if st.session_state.pop("whole_page", False) or _fall_back():
        st.rerun()
    if missing:
        place = st.empty()
    long = len(texts.candidate) > LONG  # else the sign that says so would take more time than the scoring
    if not long and not missing:
        _find(texts)
    chosen = st.segmented_control(
        "View",
        _views(),
        key="view",
        required=True,
        format_func=VIEWS.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )
    if missing:
        with place:
            shown = chosen == "steps" and missing.is_untyped
            notes.say(replace(missing, then=EMPTY_SIDE) if shown else missing)
        if chosen != "steps":
            steps.forget()
            addresses.keep()
            address.show()
            return
    tiles = st.container()  # before the sign, which must not move them
    with st.spinner("Scoring") if long else nullcontext():
        glances = session.glances(texts)
    with tiles:
        strip.show(strip.scores(glances), _open_metric)
    if chosen != "steps":
        steps.forget()
    if chosen == "all":
        several_metrics.all_metrics(texts)
    elif chosen == "steps":
        _steps(texts)
    elif chosen == "two":
        several_metrics.two_metrics(texts)
    elif chosen == "errors":
        error_classes.draw(texts)
    else:
        _one_metric(texts)
    addresses.keep()
    address.show()


def _views() -> list[str]:
    """The views that the chosen metric has."""
    metric = metrics.METRICS[st.session_state.metric]
    return [name for name in VIEWS if name != "steps" or metric.program]


def _fall_back() -> bool:
    """Leave a view that the chosen metric does not have, and say so above; whether one was left."""
    state = st.session_state
    if (state.get("view") or "metric") in _views():
        return False
    label = metrics.METRICS[state.metric].label
    state.problems = [*state.get("problems", []), f"{label} has no steps that can be watched; its score stands here."]
    state.view = "metric"
    return True


def _find(texts: Texts) -> None:
    """Find what takes time before anything is sent: a browser draws once what comes at once."""
    session.glances(texts)
    if st.session_state.get("view") != "metric":
        return
    result = session.score(st.session_state.metric, texts)
    if not isinstance(result, Problem):
        look.keep_look()
        one_metric.markup(texts, result)


def _open_metric() -> None:
    """Where no metric is shown by itself, its tile opens it."""
    if st.session_state.view in ("all", "errors"):
        st.session_state.view = "metric"


def _one_metric(texts: Texts) -> None:
    """The chosen metric: its settings, its evidence, and what there is to know about it."""
    key = st.session_state.metric
    metric = metrics.METRICS[key]
    result = session.score(key, texts)
    look.keep_look()
    # The evidence is sent first, though its settings stand above it: new controls take the browser longer than the
    # evidence, and what comes together is seen together.
    right = _heading(metric)
    with st.container():
        _printed(key, texts)
        if isinstance(result, Problem):
            st.warning(theme.markdown(str(result)))
        else:
            one_metric.draw(texts, result)
    now = key, session.metric_settings(key)
    if st.session_state.get("settings_of") != now:
        time.sleep(fragment.SEEN)
    st.session_state.settings_of = now
    with right:
        _settings(metric, texts, result)


def _steps(texts: Texts) -> None:
    """The steps of the chosen metric's algorithm, below its settings."""
    metric = metrics.METRICS[st.session_state.metric]
    with _heading(metric):
        _settings(metric, texts, None)
    steps.draw(texts)


def _heading(metric: Metric) -> Any:
    """The metric's name, and the place at its right for what can be set."""
    with st.container(key="above"):
        left, right = st.columns([5, 7], gap="medium", vertical_alignment="bottom")
    left.html(header(metric.name, metric.idea))
    return right


def _settings(metric: Metric, texts: Texts, result: Result | Problem | None) -> None:
    """What can be set, in one row: its room is kept, so that the evidence stays where it is when it comes."""
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = SETTINGS if fragment.room() < STACKED else min(SETTINGS, (fragment.room() - 16) * 7 // 12)
        if isinstance(result, Result):
            room -= one_metric.picture_switch(result)
            room -= one_metric.round_controls(result)
        elif st.session_state.view == "steps":
            room -= steps.picture_switch(texts)
        controls.metric_settings(metric.key, len(texts.references), room)


def _printed(key: str, texts: Texts) -> None:
    """What the paper prints for an example by this metric, beside our number."""
    state = st.session_state
    example = BY_NAME.get(state.get("example") or "")
    if not example or not example.printed:
        return
    if (state.candidate, state.references) != (example.candidate, example.references):
        return
    notes = []
    for printed in example.printed:
        if printed.metric != key:
            continue
        result = cache.score(printed.metric, texts.segment, metrics.settings(printed.metric, **printed.settings))
        if isinstance(result, Problem):
            continue
        ours = result.score if printed.part == "score" else result.parts[printed.part]
        name = metrics.METRICS[printed.metric].label + (f", {printed.how}" if printed.how else "")
        note = f"<b>{name}</b>: {printed.where} prints {printed.value}, here <b>{formula.shown(ours)}</b>."
        notes.append(note + (f' <span class="er">Erratum: {printed.erratum}.</span>' if printed.erratum else ""))
    if notes:
        st.html('<div class="pr">' + "<br>".join(notes) + "</div>")


page()
