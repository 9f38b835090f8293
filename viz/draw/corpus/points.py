"""Draw segments as points of a scatter plot, with a bounded amount of data for the browser's canvas.

Up to POINTS_MOST segments have a point each. For more, the plot area is divided into cells; each non-empty cell is a
point with the number of its segments and the one that it opens, so that dense places look dense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compare.scores import MARKS
from ..pen.text import safe, visible
from . import axes
from .histogram import PLACES, SAME

Array = NDArray[np.float64]
POINTS_MOST = 3_000
CELLS = (96, 60)  # number of cells in x and in y direction
FINE = 9_999  # coordinates in the plot area are integers from 0 to FINE


class Points(NamedTuple):
    """Points of a scatter plot, sorted by x and then by y.

    Attributes:
        xs, ys: coordinates from 0 to FINE.
        segments: index of the segment that each point opens.
        counts: number of segments of each point; empty where each point is one segment.
        tones: one character for each point: "+" better, "-" worse, "0" neither, "*" highlighted."""

    xs: list[int]
    ys: list[int]
    segments: list[int]
    counts: list[int]
    tones: str


def plot_points(
    xs: Array,
    ys: Array,
    numbers: NDArray[np.intp],
    tones: NDArray[np.int8],
    x: axes.AxisScale,
    y: axes.AxisScale,
    most: int = POINTS_MOST,
) -> Points:
    """Return the points of segments whose indices are `numbers` and whose values are `xs` and `ys`.

    `x` and `y` are the scales of the axes. `tones` are 1 for better, -1 for worse, 0 for neither, or 2 for highlighted.
    Values beyond a scale are drawn at its end. With more than `most` segments, the segments of a cell become one point.

    >>> plot_points(np.array([0.5, 0.0]), np.array([1.0, 0.5]), np.array([7, 9]), np.array([1, 0]),
    ...        axes.x_scale(0, 1), axes.y_scale(0, 1))
    Points(xs=[0, 5000], ys=[5000, 9999], segments=[9, 7], counts=[], tones='0+')
    """
    right, high = _plot_area_fractions(xs, x), _plot_area_fractions(ys, y)
    counts: list[int] = []
    if len(numbers) > most:
        cell = np.minimum((right * CELLS[0]).astype(np.int64), CELLS[0] - 1) * CELLS[1]
        cell += np.minimum((high * CELLS[1]).astype(np.int64), CELLS[1] - 1)
        cells, first, counted = np.unique(cell, return_index=True, return_counts=True)
        numbers, tones, counts = numbers[first], tones[first], counted.tolist()
        right, high = (cells // CELLS[1] + 0.5) / CELLS[0], (cells % CELLS[1] + 0.5) / CELLS[1]
    order = np.lexsort((high, right))
    return Points(
        np.rint(right[order] * FINE).astype(int).tolist(),
        np.rint(high[order] * FINE).astype(int).tolist(),
        numbers[order].tolist(),
        [counts[n] for n in order] if counts else [],
        "".join(["-0+*"[tone + 1] for tone in tones[order].tolist()]),
    )


def _plot_area_fractions(values: Array, scale: axes.AxisScale) -> Array:
    shares: Array = ((values - scale.low) / (scale.high - scale.low)).clip(0.0, 1.0)
    return shares


def browser_data(
    point_set: Points,
    x: axes.AxisScale,
    y: axes.AxisScale,
    labels: tuple[str, str],
    look: str = "dots",
    whole: bool = False,
) -> dict[str, Any]:
    """Return the data that the browser needs: the points, and how to describe a point's position.

    `labels` are those of the x axis and the y axis. With the `look` "dots" all points are drawn; with "line", a point
    is visible only while the pointer is on it. `whole` is whether x values are integers."""
    return {
        **point_set._asdict(),
        "low": [x.low, y.low],
        "high": [x.high, y.high],
        "labels": [visible(each, 40) for each in labels],
        "whole": whole,
        "look": look,
        "fine": FINE,
        "cells": CELLS if point_set.counts else None,
    }


class CanvasChart(NamedTuple):
    """A chart as HTML, and the data of its points for the canvas on it."""

    markup: str
    points: dict[str, Any]


def pair_chart(
    a: Array, b: Array, numbers: NDArray[np.intp], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> CanvasChart:
    """Return the scatter plot of the segments' scores, A's on the x axis and B's on the y axis, on the same scale.

    `numbers` are the indices of the segments, `metric` is the label of the metric, `names` are those of A and B, and
    `of` says which segments these are."""
    low, high = _padded_range(np.concatenate([a, b]))
    x, y = axes.x_scale(low, high), axes.y_scale(low, high)
    tones = _tone_codes(b - a, higher_is_better)
    above = "better" if higher_is_better else "worse"
    below = "worse" if higher_is_better else "better"
    out = axes.x_axis(x, f"{metric} of {names[0]}") + axes.y_axis(y, names[1])
    out += axes.line(x.start, y.start, x.end, y.end, "equal")
    out += axes.text(x.start + 8, y.end + 16, f"{MARKS[above]} {names[1]} {above}", above, "start")
    out += axes.text(x.end - 6, y.start - 8, f"{MARKS[below]} {names[1]} {below}", below, "end")
    title = f"{metric} of each segment, {names[0]} against {names[1]}"
    return CanvasChart(
        axes.chart("pair", title, _density_note(of, len(numbers)), out, _SAYS, points=True),
        browser_data(plot_points(a, b, numbers, tones, x, y), x, y, names),
    )


def metrics_chart(
    one: Array,
    other: Array,
    numbers: NDArray[np.intp],
    labels: tuple[str, str],
    higher_is_better: tuple[bool, bool],
    names: tuple[str, str],
    tells: Sequence[str],
    of: str,
) -> CanvasChart:
    """Return the scatter plot of the segments' differences, B's score minus A's, by two metrics, one on each axis.

    Args:
        one, other: the differences by the first and by the second metric.
        numbers: indices of the segments.
        labels: labels of the two metrics.
        higher_is_better: whether higher scores are better, for each metric.
        names: names of A and B.
        tells: two events that open the segments on whose winner the metrics disagree: those in which the first metric
            has B better and the second one A, and those with the opposite.
        of: text on which segments these are."""
    x, y = axes.x_scale(*_symmetric_range(one)), axes.y_scale(*_symmetric_range(other))
    first, second = _tone_codes(one, higher_is_better[0]), _tone_codes(other, higher_is_better[1])
    torn = (first > 0) & (second < 0), (first < 0) & (second > 0)
    counts = [int(np.count_nonzero(each)) for each in torn]
    out = []
    # The quadrants in which the metrics disagree on the winner.
    for sign, says in ((1, labels[0]), (-1, labels[1])):
        right = (sign > 0) == higher_is_better[0]
        above = (sign < 0) == higher_is_better[1]
        left_edge, wide = (x.position(0), x.end - x.position(0)) if right else (x.start, x.position(0) - x.start)
        top, high = (y.end, y.position(0) - y.end) if above else (y.position(0), y.start - y.position(0))
        out.append(axes.rect(left_edge, top, wide, high, "torn"))
        place = (x.end - 6, "end") if right else (x.start + 8, "start")
        spot = top + 16 if above else top + high - 8
        out.append(axes.text(place[0], spot, f"{says} alone: better", "said", place[1]))
    out += [axes.x_axis(x, f"Δ {labels[0]}", signed_values=True), axes.y_axis(y, f"Δ {labels[1]}", signed_values=True)]
    title = f"{labels[0]} and {labels[1]} disagree on the winner in {sum(counts):,} of {len(numbers):,}"
    under = "".join(
        f'<button type="button" data-tell="{safe(tell, 400)}">{count:,} better by {label} alone</button> '
        for tell, count, label in zip(tells, counts, map(safe, labels), strict=True)
        if count
    )
    tones = np.where(first == second, first, 0).astype(np.int8)
    subtitle = _density_note(f"{names[1]} minus {names[0]}; {of}", len(numbers))
    return CanvasChart(
        axes.chart("metrics", title, subtitle, "".join(out), under, points=True),
        browser_data(plot_points(one, other, numbers, tones, x, y), x, y, (f"Δ {labels[0]}", f"Δ {labels[1]}")),
    )


_SAYS = "Click a point, or use arrow keys and Enter, to open its segment."


def _density_note(of: str, size: int) -> str:
    return f"{of}; darker: more segments" if size > POINTS_MOST else of


def _tone_codes(changes: Array, higher_is_better: bool) -> NDArray[np.int8]:
    unchanged = np.abs(changes.round(PLACES)) < SAME
    tones: NDArray[np.int8] = np.where(unchanged, 0, np.sign(changes if higher_is_better else -changes)).astype(np.int8)
    return tones


def _padded_range(values: Array) -> tuple[float, float]:
    """Return the range from the smallest to the largest of the values and 0, with a margin of 3 % on both sides."""
    low, high = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    room = (high - low) * 0.03 or 0.5
    return low - room, high + room


def _symmetric_range(values: Array) -> tuple[float, float]:
    most = float(np.abs(values).max(initial=0.0)) * 1.05 or 1.0
    return -most, most
