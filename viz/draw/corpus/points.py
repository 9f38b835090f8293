"""Segments as points: what a canvas needs of them, in a bounded number of bytes, and what stands around it.

Up to POINTS_MOST segments each has a point of its own. Of more the part that is plotted is divided into cells, each
with how many segments lie in it and the one that opens; so that many are seen as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compare.scores import MARKS
from ..pen import theme
from . import axes
from .histogram import PLACES, SAME

Array = NDArray[np.float64]
POINTS_MOST = 3_000
CELLS = (96, 60)  # across and up
FINE = 9_999  # of which both sides of the part that is plotted are a whole number


class Points(NamedTuple):
    """Points in the order of x, then of y: where they are, from 0 to FINE, the number of the segment that each opens,
    how many segments it stands for (none given: one), and whether it is for the better (+), the worse (-), neither, or
    one of those that are looked at (*)."""

    xs: list[int]
    ys: list[int]
    segments: list[int]
    counts: list[int]
    tones: str


def points(
    xs: Array,
    ys: Array,
    numbers: NDArray[np.intp],
    tones: NDArray[np.int8],
    x: axes.AxisScale,
    y: axes.AxisScale,
    most: int = POINTS_MOST,
) -> Points:
    """The points of segments with these `numbers`, on scales; `tones` are 1, -1, 0, or 2 of those that are looked at.
    What lies beyond a scale is put to its end.

    >>> points(np.array([0.5, 0.0]), np.array([1.0, 0.5]), np.array([7, 9]), np.array([1, 0]),
    ...        axes.across(0, 1), axes.up(0, 1))
    Points(xs=[0, 5000], ys=[5000, 9999], segments=[9, 7], counts=[], tones='0+')
    """
    right, high = _share(xs, x), _share(ys, y)
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


def _share(values: Array, scale: axes.AxisScale) -> Array:
    shares: Array = ((values - scale.low) / (scale.high - scale.low)).clip(0.0, 1.0)
    return shares


def data(
    point_set: Points,
    x: axes.AxisScale,
    y: axes.AxisScale,
    labels: tuple[str, str],
    look: str = "dots",
    whole: bool = False,
) -> dict[str, Any]:
    """What the browser is given: the points, and how to say where one is. With the `look` "line" a point is seen when
    it is pointed at; `whole` where x counts something."""
    return {
        **point_set._asdict(),
        "low": [x.low, y.low],
        "high": [x.high, y.high],
        "labels": [theme.visible(each, 40) for each in labels],
        "whole": whole,
        "look": look,
        "fine": FINE,
        "cells": CELLS if point_set.counts else None,
    }


class CanvasChart(NamedTuple):
    """A chart as markup, and its points for the canvas on it."""

    markup: str
    points: dict[str, Any]


def of_pair(
    a: Array, b: Array, numbers: NDArray[np.intp], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> CanvasChart:
    """Each segment's score of A across and of B up, on one scale."""
    low, high = _range(np.concatenate([a, b]))
    x, y = axes.across(low, high), axes.up(low, high)
    tones = _tones(b - a, higher_is_better)
    above = "better" if higher_is_better else "worse"
    below = "worse" if higher_is_better else "better"
    out = axes.across_axis(x, f"{metric} of {names[0]}") + axes.up_axis(y, names[1])
    out += axes.line(x.start, y.start, x.end, y.end, "equal")
    out += axes.text(x.start + 8, y.end + 16, f"{MARKS[above]} {names[1]} {above}", above, "start")
    out += axes.text(x.end - 6, y.start - 8, f"{MARKS[below]} {names[1]} {below}", below, "end")
    title = f"{metric} of each segment, {names[0]} against {names[1]}"
    return CanvasChart(
        axes.chart("pair", title, _many(of, len(numbers)), out, _SAYS, points=True),
        data(points(a, b, numbers, tones, x, y), x, y, names),
    )


def of_metrics(
    one: Array,
    other: Array,
    numbers: NDArray[np.intp],
    labels: tuple[str, str],
    higher_is_better: tuple[bool, bool],
    names: tuple[str, str],
    tells: Sequence[str],
    of: str,
) -> CanvasChart:
    """Each segment's difference by one metric across and by another up. `tells` are what is told to open those in which
    the first metric has B better and the other A, and the other way round."""
    x, y = axes.across(*_around(one)), axes.up(*_around(other))
    first, second = _tones(one, higher_is_better[0]), _tones(other, higher_is_better[1])
    torn = (first > 0) & (second < 0), (first < 0) & (second > 0)
    counts = [int(np.count_nonzero(each)) for each in torn]
    out = []
    # The quarters in which the metrics have another winner.
    for sign, says in ((1, labels[0]), (-1, labels[1])):
        right = (sign > 0) == higher_is_better[0]
        above = (sign < 0) == higher_is_better[1]
        left_edge, wide = (x.position(0), x.end - x.position(0)) if right else (x.start, x.position(0) - x.start)
        top, high = (y.end, y.position(0) - y.end) if above else (y.position(0), y.start - y.position(0))
        out.append(axes.rect(left_edge, top, wide, high, "torn"))
        place = (x.end - 6, "end") if right else (x.start + 8, "start")
        spot = top + 16 if above else top + high - 8
        out.append(axes.text(place[0], spot, f"{says} alone: better", "said", place[1]))
    out += [axes.across_axis(x, f"Δ {labels[0]}", sign=True), axes.up_axis(y, f"Δ {labels[1]}", sign=True)]
    title = f"{labels[0]} and {labels[1]} name another winner in {sum(counts):,} of {len(numbers):,}"
    under = "".join(
        f'<button type="button" data-tell="{theme.safe(tell, 400)}">{count:,} better by {label} alone</button> '
        for tell, count, label in zip(tells, counts, map(theme.safe, labels), strict=True)
        if count
    )
    tones = np.where(first == second, first, 0).astype(np.int8)
    subtitle = _many(f"{names[1]} less {names[0]}; {of}", len(numbers))
    return CanvasChart(
        axes.chart("metrics", title, subtitle, "".join(out), under, points=True),
        data(points(one, other, numbers, tones, x, y), x, y, (f"Δ {labels[0]}", f"Δ {labels[1]}")),
    )


_SAYS = "A point opens its segment; arrow keys walk, Enter opens."


def _many(of: str, size: int) -> str:
    return f"{of}; the darker, the more segments" if size > POINTS_MOST else of


def _tones(changes: Array, higher_is_better: bool) -> NDArray[np.int8]:
    unchanged = np.abs(changes.round(PLACES)) < SAME
    tones: NDArray[np.int8] = np.where(unchanged, 0, np.sign(changes if higher_is_better else -changes)).astype(np.int8)
    return tones


def _range(values: Array) -> tuple[float, float]:
    """From the least to the largest, with a little room on both sides."""
    low, high = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    room = (high - low) * 0.03 or 0.5
    return low - room, high + room


def _around(values: Array) -> tuple[float, float]:
    most = float(np.abs(values).max(initial=0.0)) * 1.05 or 1.0
    return -most, most
