"""Draw the scores of two candidates, which the reader can change, as curves over a parameter of the metric.

A click on a point, or on a change of alignment or of the better candidate, shows the grids there."""

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
from ...draw.learn.chapter import Chapter, CurvePreset
from ...draw.pen.numbers import score_text
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts.inputs import MissingText
from . import parameters

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
NAMES = ("A", "B")
LISTED_MOST = 6  # up to this number, all changes are listed
BESIDE, WIDE = 760, 940  # least widths in pixels: two grids side by side; chart and changes side by side


def draw(chapter: Chapter) -> None:
    """Draw the curves of `chapter` with a menu of their parameters, one at a time; nothing if it has none."""
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
    _draw_curve(f"{chapter.key}_{number}", presets[number])


def _titles(presets: Sequence[CurvePreset]) -> list[str]:
    """Return the labels of the curves' parameters for the menu, numbered where a label occurs more than once."""
    labels = [metrics.METRICS[preset.metric].Settings.rules()[preset.parameter].label for preset in presets]
    return [
        f"{label}, pair {labels[: n + 1].count(label)}" if labels.count(label) > 1 else label
        for n, label in enumerate(labels)
    ]


def _draw_curve(name: str, preset: CurvePreset) -> None:
    """Draw one curve: the fields of the three sentences, the chart, the list of changes, and the selected grids.

    `name` is part of the session keys of its widgets, and `preset` has its parameter and first sentences."""
    metric = metrics.METRICS[preset.metric]
    with st.container(horizontal=True, gap="small"):
        a = st.text_input("Candidate A", preset.a, key=f"a_{name}")
        b = st.text_input("Candidate B", preset.b, key=f"b_{name}")
        reference = st.text_input("Reference", preset.reference, key=f"r_{name}")
    texts = parameters.read_texts(a, b, reference)
    if isinstance(texts, MissingText):
        st.info(escape_markdown(str(texts)))
        return
    curve = parameters.compute_curve(metric.key, parameters.segments_of(texts), preset.settings, preset.parameter)
    if isinstance(curve, Problem):
        st.warning(escape_markdown(str(curve)))
        return
    chart, changes = st.columns((3, 2)) if component.place_width() >= WIDE else (st.container(), st.container())
    with chart:
        selection = _draw_chart(name, curve, (a, b, reference))
    with changes:
        _draw_changes(name, curve)
    _draw_grids(name, curve, selection, texts, preset.settings)


def _draw_chart(name: str, curve: ParameterCurve, given: tuple[str, ...]) -> tuple[str, float] | None:
    """Draw the chart, and return the selection: ("value", clicked value) or ("change", index of a change).

    Return None at first, and after the sentences in `given` have changed."""
    state, key = st.session_state, f"looked_{name}"
    if state.get(key, (given,))[0] != given:
        state.pop(key, None)

    def click() -> None:
        if what := drawing.clicked_point(curve, component.clicked_point(f"chart_{name}")):
            state[key] = (given, what)

    selection = state[key][1] if key in state else None
    marked_value = (
        None if selection is None else selection[1] if selection[0] == "value" else curve.changes[int(selection[1])].at
    )
    st.plotly_chart(
        drawing.figure(curve, NAMES, marked_value, min(drawing.WIDE, component.place_width() - 24)),
        key=f"chart_{name}",
        width="content",
        config=CONFIG,
        alt=" ".join([f"{curve.rule.label} and the scores of A and B.", *_change_sentences(curve)]),
        on_select=click,
        selection_mode="points",
    )
    state[f"given_{name}"] = given
    return selection


def _change_sentences(curve: ParameterCurve) -> list[str]:
    """Return one sentence for each change of alignment or of the better candidate along the curve."""
    return [drawing.change_text(curve, change, NAMES) for change in curve.changes]


def _draw_changes(name: str, curve: ParameterCurve) -> None:
    """Draw a button for every change along the curve, which shows the grids before and after it.

    Of more than LISTED_MOST changes, only changes of the better candidate get a button; the chart marks all of them."""
    if not curve.changes:
        st.caption(
            "Neither an alignment nor the better candidate changes in this range. Click a point to see the grids there."
        )
        return
    st.caption("Click a point, or a change, to see the grids there.")

    def look(number: int) -> None:
        st.session_state[f"looked_{name}"] = (st.session_state[f"given_{name}"], ("change", float(number)))

    several = len(curve.changes) > LISTED_MOST
    for number, says in enumerate(map(escape_markdown, _change_sentences(curve))):
        if several and curve.changes[number].kind != "better":
            continue
        st.button(says, key=f"change_{name}_{number}", type="tertiary", on_click=look, args=(number,))


def _draw_grids(
    name: str,
    curve: ParameterCurve,
    selection: tuple[str, float] | None,
    texts: tuple[ProcessedTexts, ProcessedTexts],
    settings: Settings,
) -> None:
    """Draw the grids of the selection of `_draw_chart`; nothing if it is None.

    For a value these are the grids of both candidates. For a change of alignment they are the grids of its candidate
    before and after the change."""
    if selection is None:
        return
    label = curve.rule.label
    if selection[0] == "change" and int(selection[1]) < len(curve.changes):
        change = curve.changes[int(selection[1])]
        grids = _change_grids(change, label)
    else:
        value = int(selection[1]) if curve.whole else selection[1]
        chosen = replace(settings, **{curve.parameter: value})
        results = [cache.score(curve.metric, each.segment, chosen) for each in texts]
        grids = [
            (f"{NAMES[n]}, {label} {drawing.heading_text(value)}", n, result)
            for n, result in enumerate(results)
            if not isinstance(result, Problem)
        ]
    for column, (says, n, result) in zip(_grid_containers(len(grids)), grids, strict=True):
        with column:
            st.markdown(f"**{escape_markdown(says)}**: {score_text(result.score)}")
            _draw_grid(f"grid_{name}_{says}", texts[n], result)


def _change_grids(change: CurveChange, label: str) -> list[tuple[str, int, Result]]:
    """Return (heading, index of the candidate, result) for each grid that shows a change.

    `label` is the label of the parameter, for the headings."""
    at = drawing.heading_text(change.at)
    if change.kind == "alignment":
        n = change.candidate or 0
        sides = (("before", change.results_before), ("from", change.results_after))
        return [(f"{NAMES[n]}, {side} {label} {at}", n, results[n]) for side, results in sides]
    return [(f"{NAMES[n]}, {label} {at}", n, result) for n, result in enumerate(change.results_after)]


def _grid_containers(count: int) -> Sequence[Any]:
    """Return containers of Streamlit for `count` grids, side by side if the page is wide enough."""
    if component.place_width() >= BESIDE:
        return list(st.columns(max(count, 1)))[:count]
    return [st.container() for _ in range(count)]


def _draw_grid(key: str, texts: ProcessedTexts, result: Result) -> None:
    """Draw the grid of one result; `key` identifies it among the widgets of the page."""
    room = component.place_width()
    width = room // 2 - 24 if room >= BESIDE else room - 24
    drawn = DrawnResult(texts, result, cache.hits(texts.segment), width=width)
    component.show(key, fragments.root_element(result.metric, figure.figure(drawn)), fits_place=False)
