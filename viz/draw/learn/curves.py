"""Draw candidates' scores over a parameter of a metric as a Plotly figure, and say in words what changes where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metrics import formula
from metrics.analysis.curves import CurveChange, ParameterCurve

from ..pen import theme
from ..pen.text import safe

Figure = dict[str, Any]

WIDE, NARROW, HIGH = 640, 460, 330  # pixels
_LINES = (("first", "solid", "circle"), ("second", "dash", "square"))  # role of the colour, line, marker
_MARKS = {"alignment": ("diamond-open", theme.VIOLET), "better": ("x-thin-open", theme.GREY)}


def figure(curve: ParameterCurve, names: Sequence[str], marked_value: float | None = None, width: int = WIDE) -> Figure:
    """Return the figure with the curve of each candidate, marks at the changes, and a line at `marked_value`.

    A change is a value from which on another candidate is better, or a candidate has another alignment. Every
    point can be clicked: its `customdata` are "value" and the value, or "change" and the index of the change. For a
    single value, the candidates' points are on one vertical line."""
    data = [_curve_line(curve, n, name) for n, name in enumerate(names)]
    data += [_change_markers(curve, kind) for kind in _MARKS if any(change.kind == kind for change in curve.changes)]
    lines = [_vertical_line(change.at, theme.GREY, 1, "dot") for change in curve.changes]
    if marked_value is not None:
        lines.append(_vertical_line(marked_value, theme.VERMILION, 2, "solid"))
    top = max([1.0, *[score for scores in curve.scores for score in scores]])
    axis = {"fixedrange": True, "zeroline": False, "gridcolor": theme.FAINT, "tickfont": {"size": 13}}
    least, most = curve.values[0], curve.values[-1]
    edge = (most - least) * 0.02
    room = 34 if width >= NARROW else 56  # pixels for one line of the legend, or two
    return {
        "data": data,
        "layout": {
            "autosize": False,
            "width": width,
            "height": HIGH - 34 + room,
            "margin": {"l": 52, "r": 44, "t": room, "b": 48, "autoexpand": False},
            "hovermode": "closest",
            "dragmode": False,
            "clickmode": "event+select",
            "showlegend": True,
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 13}},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "shapes": lines,
            "annotations": [_end_label(curve, n, name) for n, name in enumerate(names)],
            "xaxis": axis
            | {"title": {"text": safe(curve.rule.label)}, "range": [least - edge, most + edge]}
            | ({"tickvals": [*curve.values], "ticktext": [f"{v:g}" for v in curve.values]} if curve.whole else {}),
            "yaxis": axis | {"title": {"text": "Score"}, "range": [-0.03 * top, 1.04 * top]},
        },
    }


def _curve_line(curve: ParameterCurve, n: int, name: str) -> Figure:
    role, dash, symbol = _LINES[n % len(_LINES)]
    colour, opacity = theme.role_colour(role), 1 if curve.whole else 0
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": safe(name, 24),
        "showlegend": False,
        "x": [*curve.values],
        "y": [*curve.scores[n]],
        "line": {"color": colour, "width": 2, "dash": dash},
        # Lines cannot be clicked, so a line without steps has invisible points.
        "marker": {"symbol": symbol, "color": colour, "size": 10, "opacity": opacity},
        "selected": {"marker": {"opacity": opacity}},
        "unselected": {"marker": {"opacity": opacity}},
        "customdata": [["value", value] for value in curve.values],
        "hovertemplate": f"{safe(name, 24)}<br>%{{x:.3~f}}: %{{y:.4f}}<extra></extra>",
    }


def _end_label(curve: ParameterCurve, n: int, name: str) -> Figure:
    """Return the name of candidate `n` at the end of its line, as a Plotly annotation.

    It is shifted to the right where it would cover the first candidate's name."""
    role, _, _ = _LINES[n % len(_LINES)]
    ends = [scores[-1] for scores in curve.scores]
    close = n and abs(ends[n] - ends[0]) < 0.05
    return {
        "text": f"<b>{safe(name, 12)}</b>",
        "x": curve.values[-1],
        "y": ends[n],
        "xanchor": "left",
        "xshift": 22 if close else 8,
        "showarrow": False,
        "font": {"color": theme.role_colour(role), "size": 14},
    }


def _score_after(change: CurveChange, kind: str) -> float:
    """Return the score at a change: after a change of alignment, or where the lines of two candidates meet.

    `kind` is "alignment" or "better"."""
    candidate = change.candidate if kind == "alignment" else 0
    assert candidate is not None
    return change.results_after[candidate].score


def _change_markers(curve: ParameterCurve, kind: str) -> Figure:
    """Return the marks of all changes of a kind, "alignment" or "better", as Plotly markers on the curves."""
    symbol, colour = _MARKS[kind]
    numbered_changes = [(n, change) for n, change in enumerate(curve.changes) if change.kind == kind]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "another alignment" if kind == "alignment" else "another is better",
        "x": [change.at for _, change in numbered_changes],
        "y": [_score_after(change, kind) for _, change in numbered_changes],
        "marker": {"symbol": symbol, "color": colour, "size": 13, "line": {"width": 2}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "customdata": [["change", n] for n, _ in numbered_changes],
        "hovertemplate": "%{x:.9~f}<extra></extra>",
    }


def _vertical_line(at: float, colour: str, width: float, dash: str) -> Figure:
    line = {"color": colour, "width": width, "dash": dash}
    return {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "layer": "below", "line": line}


def clicked_point(curve: ParameterCurve, point: object) -> tuple[str, float] | None:
    """Return ("value", the value) or ("change", its index) for a clicked point of the figure.

    None where the point is malformed, because a browser may send anything."""
    data = point.get("customdata") if isinstance(point, dict) else None
    if not isinstance(data, list | tuple) or len(data) != 2 or not isinstance(data[1], int | float):
        return None
    what, number = data
    if what == "value":
        return (what, float(number)) if curve.values[0] <= number <= curve.values[-1] else None
    return (what, float(number)) if what == "change" and number in range(len(curve.changes)) else None


def value_text(value: float) -> str:
    """Return a value of a parameter as text, with as many decimals as it needs, at most nine.

    >>> value_text(2.0), value_text(1.29248125), value_text(0.1 + 0.2)
    ('2', '1.29248125', '0.3')
    """
    return f"{round(value, 9):.9f}".rstrip("0").rstrip(".").replace("-", "−")


def heading_text(value: float) -> str:
    """Return a value of a parameter after its name: short, with "=" or, where it is rounded, "≈".

    >>> heading_text(2.0), heading_text(1.29248125)
    ('= 2', '≈ 1.2925')
    """
    return f"{'=' if abs(round(value, 4) - value) < 1e-9 else '≈'} {value_text(round(value, 4))}"


def change_text(curve: ParameterCurve, change: CurveChange, names: Sequence[str]) -> str:
    """Return a sentence on what changes at a value of the parameter: `From 2 on, A has another alignment; …`"""
    where = f"From {value_text(change.at)} on"
    if change.kind == "alignment":
        number = change.candidate or 0
        before, after = (results[number].score for results in (change.results_before, change.results_after))
        jump = abs(before - after) > 1e-6
        scores = (
            f"its score goes from {formula.format_number(before)} to {formula.format_number(after)}"
            if jump
            else "the score is the same there"
        )
        return f"{where}, {names[number]} has another alignment; {scores}."
    if change.candidate is None:
        return f"{where}, both score the same, {formula.format_number(change.results_after[0].score)}."
    return f"{where}, {names[change.candidate]} is better; at that value {_scores_phrase(change)}."


def _scores_phrase(change: CurveChange) -> str:
    first, second = [result.score for result in change.results_after]
    if abs(first - second) < 1e-6:
        return f"both score {formula.format_number(first)}"
    return f"the scores are {formula.format_number(first)} and {formula.format_number(second)}"
