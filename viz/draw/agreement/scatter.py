"""Draw outputs and systems as points: people's judgement on the x axis, a metric's score on the y axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.table import Array

from ..corpus import axes, points
from ..corpus.points import CanvasChart
from ..pen.numbers import count_text
from ..pen.text import label_width, visible

#: How many outputs are drawn with a point each; with more, neighbours share points.
MOST = 8_000
#: Into how many groups the outputs are split by people's judgement; the line connects the means of the groups.
GROUPS = 12
NAME_MOST, HIGH = 16, 15  # letters of a system's name at its point, and their height in pixels
SAYS = "Click a point, or use arrow keys and Enter, to open its output. Line: the mean of outputs judged alike."


def outputs_chart(
    people: Array,
    scores: Array,
    only: int | None,
    labels: tuple[str, str],
    titles: tuple[str, str],
    systems: Sequence[str],
    still: bool = False,
) -> CanvasChart:
    """Return the chart of all judged outputs, each as a point.

    Outputs that lack a judgement or a score are omitted.

    Args:
        people: the judgements, of shape systems × segments.
        scores: the scores, of the same shape.
        only: index of the system whose points are highlighted, or None for all systems.
        labels: labels of the x axis and of the y axis.
        titles: the title of the chart, and its subtitle or "".
        systems: names of the systems.
        still: whether the chart is for a saved file: its points are part of the SVG and open nothing."""
    judged_mask = ~(np.isnan(people) | np.isnan(scores))
    numbers = np.flatnonzero(judged_mask)
    xs, ys = people[judged_mask], scores[judged_mask]
    x, y = axes.x_scale(*_padded_range(xs)), axes.y_scale(*_padded_range(ys))
    size = people.shape[1]
    chosen_mask = np.ones(len(numbers), dtype=bool) if only is None else numbers // size == only
    tones = np.where(chosen_mask, 2, 0).astype(np.int8)
    out = axes.x_axis(x, labels[0]) + axes.y_axis(y, labels[1])
    out += axes.path(
        [(x.position(a), y.position(b)) for a, b in _group_means(xs[chosen_mask], ys[chosen_mask])], "course means"
    )
    of = count_text(len(numbers), "judged output")
    subtitle = of if only is None else f"{of}, in blue those of {visible(systems[only], 40)}"
    subtitle = f"{titles[1]}; {subtitle}" if titles[1] else subtitle
    point_set = points.plot_points(xs, ys, numbers, tones, x, y, MOST)
    if still:
        return CanvasChart(axes.chart("outputs", titles[0], subtitle, _points_path_svg(point_set, x, y) + out), {})
    data = points.browser_data(point_set, x, y, labels)
    system_data = {"systems": [visible(name, 40) for name in systems], "size": size}
    return CanvasChart(axes.chart("outputs", titles[0], subtitle, out, SAYS, points=True), data | system_data)


def _points_path_svg(point_set: points.Points, x: axes.AxisScale, y: axes.AxisScale) -> str:
    """Return the points as dots of one SVG path, for a saved file, which has no canvas."""
    places = [
        (x.start + right / points.FINE * (x.end - x.start), y.start + high / points.FINE * (y.end - y.start))
        for right, high in zip(point_set.xs, point_set.ys, strict=True)
    ]
    return f'<path d="{"".join([f"M{dot_x:.1f} {foot:.1f}h0" for dot_x, foot in places])}" class="cloud"/>'


def _group_means(xs: Array, ys: Array) -> list[tuple[float, float]]:
    """Return the mean (x, y) of each group of points, in the order of x.

    The points are sorted by x and cut into about GROUPS groups, which are about equally large. Points with the same x
    are in the same group."""
    if not len(xs):
        return []
    order = np.argsort(xs, kind="stable")
    xs, ys = xs[order], ys[order]
    _, starts = np.unique(xs, return_index=True)
    least, cuts = len(xs) / GROUPS, [0]
    for start in starts.tolist():
        if start - cuts[-1] >= least:
            cuts.append(start)
    if len(xs) - cuts[-1] < least / 2 and len(cuts) > 1:
        cuts.pop()
    parts = zip(cuts, [*cuts[1:], len(xs)], strict=True)
    return [(float(xs[a:b].mean()), float(ys[a:b].mean())) for a, b in parts]


def systems_chart(
    people: Array,
    scores: Array,
    only: int | None,
    labels: tuple[str, str],
    titles: tuple[str, str],
    systems: Sequence[str],
    still: bool = False,
) -> CanvasChart:
    """Return the chart of the systems: the mean judgement on the x axis, the corpus score on the y axis.

    A click on a system shows its outputs.

    Args:
        people: the mean judgement of each system; NaN for a system that was not judged.
        scores: the corpus score of each system.
        only: index of the system to highlight, or None.
        labels, titles, systems: as in `outputs_chart`.
        still: whether the chart is for a saved file, where a click does nothing."""
    judged_systems = np.flatnonzero(~(np.isnan(people) | np.isnan(scores)))
    x = axes.x_scale(*_padded_range(people[judged_systems], 0.08))
    y = axes.y_scale(*_padded_range(scores[judged_systems], 0.08))
    out = [axes.x_axis(x, labels[0]), axes.y_axis(y, labels[1])]
    used_places: list[tuple[float, float, float]] = []
    for n in judged_systems[np.argsort(-scores[judged_systems], kind="stable")].tolist():
        at = x.position(float(people[n])), y.position(float(scores[n]))
        name = visible(systems[n], NAME_MOST)
        label_x, foot, anchor = _place_label(at, name, used_places)
        kind = "spot one" if n == only else "spot all"
        inside = (
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{6 if n == only else 4.5}" class="{kind}"/>'
            + axes.text(label_x, foot, name, "faint", anchor)
            + f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="12" class="reach"/>'
        )
        says = f"{systems[n]}: people {people[n]:.3g}, {labels[1]} {scores[n]:.3g}"
        says += "" if still else "; shows its outputs"
        out.append(axes.clickable(f"system:{n}", says.replace("-", "−"), inside))
    subtitle = count_text(len(judged_systems), "system")
    subtitle += "" if still else "; click a system to see its outputs above"
    subtitle = f"{titles[1]}; {subtitle}" if titles[1] else subtitle
    drawn = axes.chart("systems", titles[0], subtitle, "".join(out))
    return CanvasChart(axes.without_events(drawn) if still else drawn, {})


def _place_label(
    at: tuple[float, float], name: str, used_places: list[tuple[float, float, float]]
) -> tuple[float, float, str]:
    """Return where the name of the point `at` is drawn, as x, y and SVG text anchor, so that it covers no other name.

    The first free place is chosen: at the right of the point, at its left, or higher or lower. Where none is free, it
    is at the right. `used_places` has the (left, right, y) of the names so far, in pixels; the new name is added."""
    wide = 6.4 * label_width(name)
    for foot in (at[1] + 4, at[1] - 9, at[1] + 17, at[1] - 22, at[1] + 30):
        for anchor in ("start", "end"):
            start = at[0] + 8 if anchor == "start" else at[0] - 8 - wide
            inside = start >= axes.LEFT and start + wide <= axes.WIDE
            free = all(abs(foot - other) >= HIGH - 2 or start + wide < a or start > b for a, b, other in used_places)
            if inside and free:
                used_places.append((start, start + wide, foot))
                return (at[0] + 8 if anchor == "start" else at[0] - 8), foot, anchor
    return at[0] + 8, at[1] + 4, "start"


def _padded_range(values: NDArray[np.float64], margin_share: float = 0.03) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    more = (high - low) * margin_share or abs(low) * margin_share or 0.5
    return low - more, high + more
