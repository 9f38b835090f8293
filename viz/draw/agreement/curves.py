"""Draw the charts of an experiment: curves with their intervals, and scatter plots of outputs.

A click on a point opens the outputs that it represents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from metrics.corpus.agreement.experiments.experiment import Chart, CurvePoint, ExperimentCurve

from ..corpus import axes
from ..corpus.points import CanvasChart, browser_data, plot_points
from ..pen import theme
from ..pen.numbers import count_text
from ..pen.text import safe

#: Forms of points and dash patterns of lines, which together tell the curves of a chart apart.
FORMS = ("dot", "square", "diamond", "triangle", "ring", "cross")
DASHES = ("", "7 3", "2 3", "9 3 2 3")
#: The ticks of a logarithmic scale, within each power of ten.
_ROUND = (1.0, 2.0, 5.0)


class CurveLook(NamedTuple):
    """The colour, the points and the line of a curve.

    Attributes:
        colour: CSS classes of the colour.
        form: form of the points, one of `FORMS`.
        dashes: dash pattern of the line, one of `DASHES`."""

    colour: str
    form: str
    dashes: str


def curve_looks(curves: Sequence[ExperimentCurve]) -> list[CurveLook]:
    """Return a look for each curve, no two alike.

    Baselines are grey. A curve whose `pair` is the name of an earlier curve gets the colour and points of that curve,
    with other dashes."""
    out: list[CurveLook] = []
    of: dict[str, CurveLook] = {}
    other = 0
    for curve in curves:
        if curve.is_baseline:
            out.append(CurveLook("beside", FORMS[4 + other % 2], DASHES[2 - other % 2]))
            other += 1
        elif first := of.get(curve.pair):
            out.append(_distinct_look(first, DASHES.index(first.dashes) + 2, out))
        else:
            n = len(of)
            plain = CurveLook(theme.round_class(n % len(theme.ROUNDS) + 1), FORMS[n % 4], "")
            of[curve.name] = _distinct_look(plain, n // 4, out)
            out.append(of[curve.name])
    return out


def _distinct_look(look: CurveLook, dash: int, others: Sequence[CurveLook]) -> CurveLook:
    """Return `look` with dash pattern DASHES[`dash`], or with the next one that makes it differ from all `others`."""
    each = [look._replace(dashes=DASHES[(dash + n) % len(DASHES)]) for n in range(len(DASHES))]
    return next((one for one in each if one not in others), each[0])


def chart(chart_data: Chart, name: str, segments: int = 0, still: bool = False) -> CanvasChart:
    """Return the drawn chart: line curves, or a scatter plot on a canvas where the chart has no lines.

    Args:
        name: prefix of the events that clicks on points of curves send.
        segments: number of segments of a system; a point of a scatter plot opens the output with the index
            system × `segments` + segment.
        still: whether the chart is for a saved file, where the points of curves open nothing."""
    all_points = [point for curve in chart_data.curves for point in curve.points]
    if not all_points:
        return CanvasChart(axes.chart(chart_data.key, chart_data.title, "Nothing can be drawn.", ""), {})
    if not chart_data.lines:
        return _scatter_plot(chart_data, all_points, segments)
    values = [_axis_value(point.x, chart_data.log) for point in all_points]
    room = (max(values) - min(values)) * 0.03
    x = axes.x_scale(min(values) - room, max(values) + room)
    ends = [end for p in all_points for end in (p.y, p.low, p.high) if end is not None]
    room = (max(ends) - min(ends)) * 0.05
    y = axes.y_scale(min(ends) - room, max(ends) + room)
    looks = [*zip(chart_data.curves, curve_looks(chart_data.curves), strict=True)]
    out = [_x_axis_svg(x, chart_data), axes.y_axis(y, chart_data.y)]
    out += [_interval_band_svg(curve.points, look, chart_data.log, x, y) for curve, look in looks]
    for n, (curve, look) in enumerate(looks):
        out.append(_curve_line_svg(curve.points, look, chart_data.log, x, y))
        for m, point in enumerate(curve.points):
            out.append(_curve_point_svg(curve, point, look, f"{name}.{n}.{m}", chart_data, x, y, still))
    key = "".join([_legend_entry_html(curve, look) for curve, look in looks])
    opens = (
        "Click a point to open outputs that show it. " if not still and any(point.opens for point in all_points) else ""
    )
    says = safe(chart_data.says, 300) if chart_data.says else ""
    under = f'<div class="key">{key}</div>{opens}{says}'
    return CanvasChart(
        axes.chart(chart_data.key, chart_data.title, f"{chart_data.y}, by {chart_data.x}", "".join(out), under), {}
    )


def _axis_value(value: float, log: bool) -> float:
    return math.log10(value) if log else value


def log_ticks(low: float, high: float) -> list[float]:
    """Return the tick values of a logarithmic axis from 10 to the power `low` to 10 to the power `high`.

    >>> log_ticks(0, 2.72)
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]
    """
    powers = range(math.floor(low), math.ceil(high) + 1)
    ticks = [n * 10.0**power for power in powers for n in _ROUND]
    return [each for each in ticks if low - 1e-9 <= math.log10(each) <= high + 1e-9]


def _x_axis_svg(x: axes.AxisScale, chart_data: Chart) -> str:
    if not chart_data.log:
        return axes.x_axis(x, chart_data.x)
    out = []
    for value in log_ticks(x.low, x.high):
        at = x.position(math.log10(value))
        out.append(axes.line(at, axes.TOP, at, axes.HIGH - axes.BOTTOM, "grid"))
        out.append(axes.text(at, axes.HIGH - axes.BOTTOM + 16, axes.tick_text(value), "tick"))
    out.append(axes.text((x.start + x.end) / 2, axes.HIGH - 7, f"{chart_data.x} (log scale)", "axis"))
    return "".join(out)


def _interval_band_svg(
    curve_points: Sequence[CurvePoint], look: CurveLook, log: bool, x: axes.AxisScale, y: axes.AxisScale
) -> str:
    """Return the area between the interval ends of a curve's points as SVG.

    The result is "" where fewer than two points have an interval."""
    ends = [
        (x.position(_axis_value(p.x, log)), y.position(p.low), y.position(p.high))
        for p in curve_points
        if p.low is not None and p.high is not None
    ]
    if len(ends) < 2:
        return ""
    upper_edge = [f"{at:.1f},{high:.1f}" for at, _, high in ends]
    back = [f"{at:.1f},{low:.1f}" for at, low, _ in reversed(ends)]
    return f'<polygon class="band {look.colour}" points="{" ".join([*upper_edge, *back])}"/>'


def _curve_line_svg(
    curve_points: Sequence[CurvePoint], look: CurveLook, log: bool, x: axes.AxisScale, y: axes.AxisScale
) -> str:
    d = "L".join([f"{x.position(_axis_value(p.x, log)):.1f} {y.position(p.y):.1f}" for p in curve_points])
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    return f'<path class="curve {look.colour}" d="M{d}"{dashes}/>'


def _curve_point_svg(
    curve: ExperimentCurve,
    point: CurvePoint,
    look: CurveLook,
    name: str,
    chart_data: Chart,
    x: axes.AxisScale,
    y: axes.AxisScale,
    still: bool,
) -> str:
    at, up = x.position(_axis_value(point.x, chart_data.log)), y.position(point.y)
    interval = "" if point.low is None or point.high is None else f", 95 % {point.low:.3f} to {point.high:.3f}"
    says = f"{curve.name}, {chart_data.x} {axes.tick_text(point.x)}: {point.y:.3f}{interval}".replace("-", "−")
    drawn = f'<g class="{look.colour}">{point_mark(look.form, at, up)}</g>'
    if still or not point.opens:
        return f"<g><title>{safe(says, 200)}</title>{drawn}</g>"
    return axes.clickable(f"opens:{name}", says, f'<circle class="reach" cx="{at:.1f}" cy="{up:.1f}" r="8"/>{drawn}')


RADIUS = 3.4  # of the marks of points


def point_mark(kind: str, x: float, y: float) -> str:
    """Return the mark of a point as SVG: a shape `kind` (one of `FORMS`) around (`x`, `y`)."""
    r = RADIUS
    if kind == "square":
        return f'<rect class="mark" x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}"/>'
    if kind in ("diamond", "triangle"):
        s = 1.35 * r
        corners = ((0, -s), (s, 0), (0, s), (-s, 0)) if kind == "diamond" else ((0, -s), (s, 0.8 * s), (-s, 0.8 * s))
        return f'<polygon class="mark" points="{" ".join([f"{x + a:.1f},{y + b:.1f}" for a, b in corners])}"/>'
    if kind == "cross":
        way = f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 -{2 * r:.1f}l-{2 * r:.1f} {2 * r:.1f}"
        return f'<path class="mark open" d="{way}"/>'
    open_ = " open" if kind == "ring" else ""
    return f'<circle class="mark{open_}" cx="{x:.1f}" cy="{y:.1f}" r="{r:g}"/>'


def _legend_entry_html(curve: ExperimentCurve, look: CurveLook) -> str:
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    mark = f'<g class="{look.colour}">{point_mark(look.form, 15, 7)}</g>'
    sample = f'<path class="curve {look.colour}" d="M0 7H30"{dashes}/>{mark}'
    drawn = f'<svg viewBox="0 0 30 14" width="30" height="14" aria-hidden="true">{sample}</svg>'
    return f"<span>{drawn}{safe(curve.name, 60)}</span>"


def _scatter_plot(chart_data: Chart, all_points: Sequence[CurvePoint], segments: int) -> CanvasChart:
    """Return the scatter plot of the points; each point opens its output.

    `segments` is the number of segments of a system, which the index of an output is computed with."""
    xs, ys = (np.array([point[n] for point in all_points], dtype=np.float64) for n in (0, 1))
    x, y = axes.x_scale(float(xs.min()), float(xs.max())), axes.y_scale(float(ys.min()), float(ys.max()))
    numbers = np.array(
        [p.opens[0].system * segments + p.opens[0].segment if p.opens else 0 for p in all_points], dtype=np.intp
    )
    drawn = plot_points(xs, ys, numbers, np.zeros(len(all_points), dtype=np.int8), x, y)
    inside = axes.x_axis(x, chart_data.x) + axes.y_axis(y, chart_data.y)
    sent_data: dict[str, Any] = browser_data(drawn, x, y, (chart_data.x, chart_data.y))
    subtitle = f"{count_text(len(all_points), 'output')}. {chart_data.says}"
    note = "Click a point to open its output."
    return CanvasChart(axes.chart(chart_data.key, chart_data.title, subtitle, inside, note, points=True), sent_data)
