"""Draw two line charts of segments: their cumulated worth, and the difference of their scores along the corpus.

The worth of a segment is what it contributes to the difference of the corpus scores. Each point opens its segment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..pen.numbers import change_text, count_text
from . import axes
from .points import Array, CanvasChart, browser_data, plot_points

#: How many points of a line are drawn: about one for each pixel.
PLACES = 400
CHANGE_DECIMALS = 4  # decimals of differences of corpus scores
#: How many windows of the moving mean fit side by side, and the least number of segments in a window.
WINDOWS, WINDOW_LEAST = 20, 5


def cumulated_worth_chart(
    worth: Array, numbers: NDArray[np.intp], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> CanvasChart:
    """Return the chart of the cumulated worth of segments, which ends at their sum.

    Segments in favour of B, the second system, come first, the largest worth first; those in favour of A come last.
    The line turns where the segments in favour of B end.

    Args:
        worth: what each segment contributes to B's corpus score minus A's.
        numbers: indices of these segments in the corpus.
        metric: name of the metric.
        names: names of A and B.
        of: text on which segments these are."""
    for_b = worth if higher_is_better else -worth
    order = np.argsort(-for_b, kind="stable")
    line = np.concatenate([[0.0], np.cumsum(worth[order])])
    ours, theirs = int(np.count_nonzero(for_b > 0)), int(np.count_nonzero(for_b < 0))
    last = len(worth)
    x = axes.x_scale(0, max(1, last))
    low, high = float(line.min()), float(line.max())
    room = (high - low) * 0.12 or 0.5
    y = axes.y_scale(low - room, high + room)
    places = _drawn_indices(len(line), (ours, last - theirs))
    drawn = [(x.position(n), y.position(float(line[n]))) for n in places.tolist()]
    turned, end = float(line[ours]), float(line[-1])
    out = [
        axes.x_axis(x, f"Segments, the most for {names[1]} first"),
        axes.y_axis(y, f"Δ {metric}, added up", signed_values=True),
        axes.path([(x.start, y.position(0)), *drawn, (x.end, y.position(0))], "area"),
        axes.path(drawn, "course"),
        axes.line(x.position(ours), axes.TOP, x.position(ours), y.start, "turn"),
    ]
    if last - theirs > ours:
        out.append(axes.line(x.position(last - theirs), axes.TOP, x.position(last - theirs), y.start, "turn"))
    sum_label = f"{count_text(ours, 'segment')}: {_change_text(turned)}"
    at = min(max(x.position(ours), x.start + 80), x.end - 80)
    out.append(axes.text(at, y.position(turned) + (-9 if higher_is_better else 19), sum_label, "said"))
    out.append(
        axes.text(
            x.end - 5, y.position(end) + (19 if higher_is_better else -9), f"Δ {_change_text(end)}", "said", "end"
        )
    )
    title = (
        f"{ours:,} {'speaks' if ours == 1 else 'speak'} for {names[1]} ({_change_text(turned)}), "
        f"{theirs:,} for {names[0]} ({_change_text(end - turned)})"
    )
    places = places[places > 0]
    opened = order[places - 1]
    point_set = plot_points(
        places.astype(np.float64), line[places], numbers[opened], np.sign(for_b[opened]).astype(np.int8), x, y
    )
    note = "Click a place to open its segment; dashed: for neither system."
    return CanvasChart(
        axes.chart("worth", title, f"What segments are worth, added up; {of}", "".join(out), note, points=True),
        browser_data(point_set, x, y, ("place", "sum"), "line", whole=True),
    )


def differences_chart(
    changes: Array, numbers: NDArray[np.intp], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> CanvasChart:
    """Return the chart of the segments' differences in the order of the corpus, with their moving mean.

    Each segment is a tick. In a large corpus each place shows only its smallest and its largest difference.

    `changes` are B's score minus A's for each segment; the other parameters are those of `cumulated_worth_chart`."""
    size = len(changes)
    label = "Segments in the order of the files" + ("" if _is_whole_corpus(numbers) else ", those of the filter")
    window = min(size, max(WINDOW_LEAST, size // WINDOWS))
    means: Array = moving_mean(changes, window)
    x = axes.x_scale(0.5, size + 0.5)
    most = float(np.quantile(np.abs(changes), 0.98)) if size else 0.0
    most = max(most, float(np.abs(means).max(initial=0.0))) * 1.08 or 1.0
    y = axes.y_scale(-most, most)
    shown_places = extreme_indices(changes, PLACES)
    good = changes if higher_is_better else -changes
    out = [axes.y_axis(y, f"Δ {metric}", signed_values=True)]
    for tone, tone_places in (
        ("better", shown_places[good[shown_places] > 0]),
        ("worse", shown_places[good[shown_places] < 0]),
    ):
        marks = [
            f"M{x.position(n + 1):.1f} {y.position(0):.1f}V{_clamped_position(y, float(changes[n])):.1f}"
            for n in tone_places.tolist()
        ]
        out.append(f'<path d="{"".join(marks)}" class="ticks {tone}"/>')
    places = _drawn_indices(size, ())
    out.append(axes.path([(x.position(n + 1), y.position(float(means[n]))) for n in places.tolist()], "course"))
    out.append(axes.x_axis(x, label))
    above, below = ("better", "worse") if higher_is_better else ("worse", "better")
    out.append(axes.text(x.end, 12, f"↑ {names[1]} {above}, ↓ {below}", "said", "end"))
    point_set = plot_points(
        (shown_places + 1).astype(np.float64),
        changes[shown_places],
        numbers[shown_places],
        np.sign(good[shown_places]).astype(np.int8),
        x,
        y,
    )
    title = f"{metric} along the corpus, {names[1]} minus {names[0]}"
    note = f"Line: the mean of {count_text(window, 'segment')} around each. Click a tick to open its segment."
    return CanvasChart(
        axes.chart("along", title, of, "".join(out), note, points=True),
        browser_data(point_set, x, y, ("place", f"Δ {metric}"), "line", whole=True),
    )


def moving_mean(values: Array, window: int) -> Array:
    """Return the mean of the `window` values around each value, of fewer values at both ends.

    >>> moving_mean(np.array([0.0, 3.0, 6.0, 9.0]), 3).tolist()
    [1.5, 3.0, 6.0, 7.5]
    """
    sums = np.concatenate([[0.0], np.cumsum(values)])
    at = np.arange(len(values))
    start, end = np.maximum(0, at - (window - 1) // 2), np.minimum(len(values), at + window // 2 + 1)
    means: Array = (sums[end] - sums[start]) / (end - start)
    return means


def extreme_indices(values: Array, places: int) -> NDArray[np.intp]:
    """Return the indices of the smallest and the largest value in each of `places` equal stretches, in order.

    A line of that many places cannot show more. All indices are returned where no stretch has more than two values.

    >>> extreme_indices(np.array([1.0, 5.0, -2.0, 0.0, 0.0, 3.0]), 1).tolist()
    [1, 2]
    """
    if len(values) <= 2 * places:
        return np.arange(len(values))
    edges = np.linspace(0, len(values), places + 1).astype(int)
    parts = [(start, values[start:end]) for start, end in pairwise(edges)]
    return np.unique([start + pick for start, part in parts for pick in (part.argmin(), part.argmax())])


def _drawn_indices(length: int, also: Sequence[int]) -> NDArray[np.intp]:
    """Return the indices of the points that are drawn of a line with `length` points.

    They are its ends, evenly spaced points between them, and the points in `also`."""
    even_places = np.linspace(0, max(0, length - 1), min(length, PLACES)).round().astype(int)
    return np.unique(np.concatenate([even_places, np.array(also, dtype=int)]))


def _is_whole_corpus(numbers: NDArray[np.intp]) -> bool:
    return bool(len(numbers)) and int(numbers[-1]) == len(numbers) - 1


def _clamped_position(scale: axes.AxisScale, value: float) -> float:
    """Return the coordinate of a value, or the end of the scale where the value is beyond it."""
    return scale.position(min(max(value, scale.low), scale.high))


def _change_text(value: float) -> str:
    return "0" if abs(value) < 0.5 * 10**-CHANGE_DECIMALS else change_text(value, CHANGE_DECIMALS)
