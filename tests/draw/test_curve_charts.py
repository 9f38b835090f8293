"""Tests of charts of a score over a setting: points, changes and what a click opens are those of the curve."""

import math

import plotly.graph_objects as go
import pytest

from viz.draw.learn import curves
from viz.draw.pen import theme
from viz.pages.learn import chapter_files, parameters
from viz.state.results.cache import Problem

NAMES = ("A", "B")
PRESETS = [preset for chapter in chapter_files.shelf().chapters.values() for preset in chapter.curves]


@pytest.fixture(scope="module", params=PRESETS, ids=lambda preset: f"{preset.metric}-{preset.parameter}")
def curve(request):
    preset = request.param
    texts = parameters.read_texts(preset.a, preset.b, preset.reference)
    assert not isinstance(texts, parameters.MissingText)
    found = parameters.compute_curve(preset.metric, parameters.segments_of(texts), preset.settings, preset.parameter)
    assert not isinstance(found, Problem)
    return found


def test_each_preset_has_a_change_to_see(curve):
    assert curve.changes and curve.complete


def test_lines_are_the_scores_and_marks_the_changes(curve):
    figure = curves.figure(curve, NAMES, marked_value=curve.values[1])
    go.Figure(figure)  # Plotly raises for a figure that it does not accept
    lines = [trace for trace in figure["data"] if "lines" in trace["mode"]]
    for trace, scores in zip(lines, curve.scores, strict=True):
        assert trace["x"] == [*curve.values]
        assert trace["y"] == [*scores]
        assert [curves.clicked_point(curve, {"customdata": data}) for data in trace["customdata"]] == [
            ("value", value) for value in curve.values
        ]
    markers = [trace for trace in figure["data"] if trace["mode"] == "markers"]
    marked = [place for each in markers for place in zip(each["x"], each["y"], each["customdata"], strict=True)]
    assert len(marked) == len(curve.changes)
    for x, y, data in marked:
        what, number = curves.clicked_point(curve, {"customdata": data})
        change = curve.changes[int(number)]
        assert (what, x) == ("change", change.at)
        assert y in [result.score for result in change.results_after]
    assert [line["line"]["color"] for line in figure["layout"]["shapes"]].count(theme.VERMILION) == 1


def test_changes_in_words(curve):
    for change in curve.changes:
        says = curves.change_text(curve, change, NAMES)
        assert says.startswith(f"From {curves.value_text(change.at)} on, ")
        assert says.endswith(".")


def test_words_are_hostile(curve):
    figure = curves.figure(curve, ("<b>", "$x$"))
    text = str(figure)
    assert "<b>&lt;b&gt;" in text
    assert "$x$" not in text


def test_what_is_no_point_of_the_figure_is_nothing(curve):
    numbers = ["x", math.nan, math.inf, -1, 10**400, None]
    values, changes = (*numbers, curve.values[-1] + 1), (*numbers, len(curve.changes), 0.5)
    data = [[1, 2], ["value"], *[["value", n] for n in values], *[["change", n] for n in changes]]
    for point in ({}, None, *[{"customdata": each} for each in (*data, [["value"], 1])]):
        assert curves.clicked_point(curve, point) is None


def test_what_cannot_be_a_curve_is_said_in_a_sentence():
    assert str(parameters.read_texts("", "a", "b")) == "A curve needs two candidates and a reference."
    assert str(parameters.read_texts("a", "b", " ")) == "A curve needs two candidates and a reference."
    assert "41 words" in str(parameters.read_texts("a", "b " * 41, "b"))
