"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import nullcontext

import streamlit as st

import metrics
from metrics import formula
from metrics.text import TextSettings
from metrics.types import Metric, Result
from viz.components import fragment
from viz.draw import theme
from viz.draw.fragment import header
from viz.draw.texts import Texts
from viz.state import cache, controls, inputs, link, session
from viz.state.cache import Glance, Problem
from viz.state.examples import BY_NAME
from viz.views import error_classes, menus, one_metric, several_metrics

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Ask for input, score, draw, and caption with the signature."""
    session.start()
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
        st.selectbox(
            "Example", list(BY_NAME), key="example", index=None, placeholder="Choose one", on_change=_take_example
        )
        with st.container(key="tools"):
            text, share_, save = st.columns(3, gap="small")
            with text.popover("Text", width="stretch"):
                controls.text_settings(TextSettings)
            with share_:
                menus.share_menu()
            with save:
                menus.save_menu()
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    texts = inputs.read(candidate or "", references or "", session.text_settings())
    if isinstance(texts, str):
        session.keep_in_address()
        (st.info if texts.startswith("Paste") else st.warning)(theme.visible(texts, 400))
        return
    view(texts)


def _take_example() -> None:
    if name := st.session_state.example:
        session.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


LONG = 200  # words of a candidate whose scoring may take long enough to say so


@st.fragment
def view(texts: Texts) -> None:
    """The score strip, and one of the views of the sentence."""
    chosen = st.segmented_control(
        "View",
        list(link.VIEWS),
        key="view",
        required=True,
        format_func=link.VIEWS.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )
    _tiles()
    long = len(texts.candidate) > LONG  # else the sign that says so would take more time than the scoring
    with st.spinner("Scoring") if long else nullcontext():
        glances = session.glances(texts)
    _numbers(glances)
    if chosen == "all":
        several_metrics.all_metrics(texts)
    elif chosen == "two":
        several_metrics.two_metrics(texts)
    elif chosen == "errors":
        error_classes.draw(texts)
    else:
        _one_metric(texts)
    session.keep_in_address()


def _one_metric(texts: Texts) -> None:
    """The chosen metric: its settings, its evidence, and what there is to know about it."""
    key = st.session_state.metric
    metric = metrics.METRICS[key]
    result = session.score(key, texts)
    session.keep_look()
    # The evidence is sent first, though its settings stand above it: new controls take the browser longer than the
    # evidence, and what comes together is seen together.
    above, below = st.container(key="above"), st.container()
    with below:
        _printed(texts)
        if isinstance(result, Problem):
            st.warning(theme.markdown(str(result)))
        else:
            one_metric.draw(texts, result)
    if st.session_state.get("settings_of") != key:
        time.sleep(fragment.SEEN)
    st.session_state.settings_of = key
    with above:
        _settings(metric, texts, result)


def _settings(metric: Metric, texts: Texts, result: Result | Problem) -> None:
    """The metric's name, and at its right what can be set."""
    left, right = st.columns([5, 7], gap="medium", vertical_alignment="bottom")
    left.html(header(metric.name, metric.idea))
    with right.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = 640
        if isinstance(result, Result):
            room -= one_metric.picture_switch(result)
            room -= one_metric.round_controls(result)
        controls.metric_settings(metric.key, len(texts.references), room)


def _tiles() -> None:
    """The score strip, which is also the menu: a tile for each metric. It stands before the scoring, so that a run that
    is given up there for a click leaves it in the page: the browser forgets the choice of a control that went."""
    st.segmented_control(
        "Metric",
        list(metrics.METRICS),
        key="metric",
        required=True,
        format_func=lambda key: metrics.METRICS[key].label,
        label_visibility="collapsed",
        width="stretch",
        wrap=True,
        on_change=_open_metric,
        persist_state="session",
    )


def _open_metric() -> None:
    """Where no metric is shown by itself, its tile opens it."""
    if st.session_state.get("view") in ("all", "errors"):
        st.session_state.view = "metric"


def _numbers(glances: Mapping[str, Glance | Problem]) -> None:
    """The numbers on the tiles.

    They are written by the style sheet and not into the options, because the browser names a choice by its label: a
    tile that is clicked while the scores change would no longer be known.
    """
    rules = []
    for position, (key, glance) in enumerate(glances.items()):
        metric = metrics.METRICS[key]
        score, below = (
            ("–", "too hard") if isinstance(glance, Problem) else (theme.score_text(glance.score), _below(key, glance))
        )
        filled = 0.0 if isinstance(glance, Problem) else 100 * min(1.0, glance.score)
        colour = theme.BLUE if metric.higher_is_better else theme.OCHRE
        tile = f".st-key-metric button:nth-of-type({position + 1})"
        bar = f"linear-gradient(90deg,{colour} {filled:.1f}%,rgba(128,128,128,.25) {filled:.1f}%)"
        rules += [f'{tile} p::after{{content:"{score}"}}', f'{tile} p::before{{content:"{below}"}}']
        rules.append(f"{tile}::after{{background:{bar}}}")
    st.html(f"<style>{''.join(rules)}</style>")


def _below(key: str, glance: Glance) -> str:
    """The third line of a tile."""
    if glance.summary is not None:
        return glance.summary
    if "precision" in glance.parts:
        p, r = glance.parts["precision"], glance.parts["recall"]
        return f"P {theme.fraction_text(p)} R {theme.fraction_text(r)}"
    return "" if metrics.METRICS[key].higher_is_better else "↓ is better"


def _printed(texts: Texts) -> None:
    """What the paper prints for an example, beside our number."""
    state = st.session_state
    example = BY_NAME.get(state.get("example") or "")
    if not example or not example.printed:
        return
    if (state.candidate, state.references) != (example.candidate, example.references):
        return
    notes = []
    for printed in example.printed:
        result = cache.score(printed.metric, texts.segment, metrics.settings(printed.metric, **printed.settings))
        if isinstance(result, Problem):
            continue
        ours = result.score if printed.part == "score" else result.parts[printed.part]
        name = metrics.METRICS[printed.metric].label + (f", {printed.how}" if printed.how else "")
        note = f"<b>{name}</b>: {printed.where} prints {printed.value}, here <b>{formula.shown(ours)}</b>."
        notes.append(note + (f' <span class="er">Erratum: {printed.erratum}.</span>' if printed.erratum else ""))
    st.html('<div class="pr">' + "<br>".join(notes) + "</div>")


page()
