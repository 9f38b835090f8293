"""The score as a curve over a parameter, for two candidates that can be changed, and the grids on either side of what
changes. A point of the curve opens its grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

import metrics
from metrics.analysis.curves import CurveChange, ParameterCurve
from metrics.types import Result, Settings

from ...components import fragment as component
from ...draw.evidence import figure
from ...draw.evidence import fragment as fragments
from ...draw.evidence.drawn_result import DrawnResult
from ...draw.learn import curves as drawing
from ...draw.learn.chapter import Chapter, Preset
from ...draw.pen import theme
from ...draw.texts import ProcessedTexts
from ...state import cache
from ...state.cache import Problem
from ...state.inputs import MissingText
from . import parameters

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
NAMES = ("A", "B")
LISTED_MOST = 6  # changes that are all listed
BESIDE, WIDE = 760, 940  # pixels from which two grids, and the chart and what changes, stand side by side


def draw(chapter: Chapter) -> None:
    """The curves that belong to a chapter; nothing where there are none."""
    presets = chapter.curves
    if not presets:
        return
    number = 0
    if len(presets) > 1:
        name = f"curve_{chapter.key}"
        choice = st.segmented_control(
            "Parameter",
            range(len(presets)),
            key=name,
            default=0,
            required=True,
            format_func=_titles(presets).__getitem__,
        )
        number = choice or 0
    _one(f"{chapter.key}_{number}", presets[number])


def _titles(presets: Sequence[Preset]) -> list[str]:
    """The parameters by their labels, numbered where one comes twice."""
    labels = [metrics.METRICS[preset.metric].Settings.rules()[preset.parameter].label for preset in presets]
    return [
        f"{label}, pair {labels[: n + 1].count(label)}" if labels.count(label) > 1 else label
        for n, label in enumerate(labels)
    ]


def _one(name: str, preset: Preset) -> None:
    """One curve: the three sentences, the chart, what changes, and the grids of what is looked at."""
    metric = metrics.METRICS[preset.metric]
    with st.container(horizontal=True, gap="small"):
        a = st.text_input("Candidate A", preset.a, key=f"a_{name}")
        b = st.text_input("Candidate B", preset.b, key=f"b_{name}")
        reference = st.text_input("Reference", preset.reference, key=f"r_{name}")
    texts = parameters.read(a, b, reference)
    if isinstance(texts, MissingText):
        st.info(theme.markdown(str(texts)))
        return
    curve = parameters.curve(metric.key, parameters.segments_of(texts), preset.settings, preset.parameter)
    if isinstance(curve, Problem):
        st.warning(theme.markdown(str(curve)))
        return
    chart, changes = st.columns((3, 2)) if component.room() >= WIDE else (st.container(), st.container())
    with chart:
        selection = _chart(name, curve, (a, b, reference))
    with changes:
        _changes(name, curve)
    _grids(name, curve, selection, texts, preset.settings)


def _chart(name: str, curve: ParameterCurve, given: tuple[str, ...]) -> tuple[str, float] | None:
    """The chart; and what is looked at: a clicked point or a chosen change, None at first or for other sentences."""
    state, key = st.session_state, f"looked_{name}"
    if state.get(key, (given,))[0] != given:
        state.pop(key, None)

    def click() -> None:
        if what := drawing.clicked(curve, component.clicked_point(f"chart_{name}")):
            state[key] = (given, what)

    selection = state[key][1] if key in state else None
    marked_value = (
        None if selection is None else selection[1] if selection[0] == "value" else curve.changes[int(selection[1])].at
    )
    st.plotly_chart(
        drawing.figure(curve, NAMES, marked_value, min(drawing.WIDE, component.room() - 24)),
        key=f"chart_{name}",
        width="content",
        config=CONFIG,
        alt=" ".join([f"{curve.rule.label} and the scores of A and B.", *_sentences(curve)]),
        on_select=click,
        selection_mode="points",
    )
    state[f"given_{name}"] = given
    return selection


def _sentences(curve: ParameterCurve) -> list[str]:
    return [drawing.change_text(curve, change, NAMES) for change in curve.changes]


def _changes(name: str, curve: ParameterCurve) -> None:
    """Every change as a button that opens its grids; of many those of the better candidate, the chart marks all."""
    if not curve.changes:
        st.caption(
            "Neither an alignment nor the better candidate changes in this range. Click a point to see the grids there."
        )
        return
    st.caption("Click a point, or a change, to see the grids there.")

    def look(number: int) -> None:
        st.session_state[f"looked_{name}"] = (st.session_state[f"given_{name}"], ("change", float(number)))

    several = len(curve.changes) > LISTED_MOST
    for number, says in enumerate(map(theme.markdown, _sentences(curve))):
        if several and curve.changes[number].kind != "better":
            continue
        st.button(says, key=f"change_{name}_{number}", type="tertiary", on_click=look, args=(number,))


def _grids(
    name: str,
    curve: ParameterCurve,
    selection: tuple[str, float] | None,
    texts: tuple[ProcessedTexts, ProcessedTexts],
    settings: Settings,
) -> None:
    """The grids of both candidates at a value, or of the candidate that a change is about on either side of it."""
    if selection is None:
        return
    label = curve.rule.label
    if selection[0] == "change" and int(selection[1]) < len(curve.changes):
        change = curve.changes[int(selection[1])]
        grids = _sides(change, label)
    else:
        value = int(selection[1]) if curve.whole else selection[1]
        chosen = replace(settings, **{curve.parameter: value})
        results = [cache.score(curve.metric, each.segment, chosen) for each in texts]
        grids = [
            (f"{NAMES[n]}, {label} {drawing.heading_text(value)}", n, result)
            for n, result in enumerate(results)
            if not isinstance(result, Problem)
        ]
    for column, (says, n, result) in zip(_columns(len(grids)), grids, strict=True):
        with column:
            st.markdown(f"**{theme.markdown(says)}**: {theme.score_text(result.score)}")
            _grid(f"grid_{name}_{says}", texts[n], result)


def _sides(change: CurveChange, label: str) -> list[tuple[str, int, Result]]:
    """What to show of a change: headings, numbers of candidates and their results."""
    at = drawing.heading_text(change.at)
    if change.kind == "alignment":
        n = change.candidate or 0
        sides = (("before", change.results_before), ("from", change.results_after))
        return [(f"{NAMES[n]}, {side} {label} {at}", n, results[n]) for side, results in sides]
    return [(f"{NAMES[n]}, {label} {at}", n, result) for n, result in enumerate(change.results_after)]


def _columns(count: int) -> Sequence[Any]:
    """Places for so many grids: side by side where there is room."""
    if component.room() >= BESIDE:
        return list(st.columns(max(count, 1)))[:count]
    return [st.container() for _ in range(count)]


def _grid(key: str, texts: ProcessedTexts, result: Result) -> None:
    room = component.room()
    width = room // 2 - 24 if room >= BESIDE else room - 24
    drawn = DrawnResult(texts, result, cache.hits(texts.segment), width=width)
    component.show(key, fragments.root(result.metric, figure.figure(drawn)), measures=False)
