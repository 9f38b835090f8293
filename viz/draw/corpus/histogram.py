"""Draw the histogram of the differences between B's and A's segment scores; a bar opens its segments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compare.scores import DECIMALS, MARKS, verdict
from ..pen.numbers import count_text
from . import axes

Array = NDArray[np.float64]
#: How many bars are on each side of zero.
BARS = 8
#: The part of the segments whose differences set the width of the bars; larger ones share the last bar.
MIDDLE = 0.98
SAME = 0.5 * 10.0**-DECIMALS  # smaller differences are printed as zero
EACH = 9  # up to so many bars, each edge has a number; beyond, every other edge
PLACES = 9  # decimals to which differences are rounded before they are compared, as filters do
ROOM = 3.0  # gap between two bars


class Bar(NamedTuple):
    """The number (`size`) of segments whose difference is at least `low` and below `high`; None for an open end."""

    low: float | None
    high: float | None
    size: int


def histogram_bars(changes: Array) -> list[Bar]:
    """Return the bars of a histogram of differences, which count them in equal steps away from zero.

    Differences that are printed as zero have their own bar in the middle. The first and the last bar have an open end,
    so that a few large differences do not widen all bars. Without other differences there is only the middle bar.

    >>> [bar.size for bar in histogram_bars(np.array([-0.2, 0.0, 0.0001, 0.1, 0.2]))][6:11]
    [0, 0, 2, 0, 0]
    """
    changes = changes.round(PLACES)
    sizes = np.abs(changes)
    sizes = sizes[sizes >= SAME]
    middle = Bar(-SAME, SAME, len(changes) - len(sizes))
    if not len(sizes):
        return [middle]
    by = max(axes.round_step(float(np.quantile(sizes, MIDDLE)), BARS), 2 * SAME)
    most = max(1, min(BARS, math.ceil(float(sizes.max()) / by)))
    edges = [SAME, *[float(f"{n * by:.12g}") for n in range(1, most)], math.inf]
    above = np.histogram(changes[changes >= SAME], edges)[0]
    below = np.histogram(-changes[-changes >= SAME], edges)[0]
    out = [Bar(_finite_or_none(-edges[n + 1]), -edges[n], int(below[n])) for n in reversed(range(most))]
    out.append(middle)
    return out + [Bar(edges[n], _finite_or_none(edges[n + 1]), int(above[n])) for n in range(most)]


def _finite_or_none(value: float) -> float | None:
    return None if math.isinf(value) else value


def draw(
    changes: Array, metric: str, higher_is_better: bool, names: tuple[str, str], tell: Callable[[Bar], str], of: str
) -> str:
    """Return the histogram of the differences between B's and A's segment scores as HTML.

    `changes` are the differences, `metric` is the label of the metric, and `names` are those of A and B. `tell` makes
    the event that opens the segments of a bar, and `of` says which segments these are."""
    drawn_bars = histogram_bars(changes)
    counts = {"better": 0, "worse": 0, "same": 0}
    for bar in drawn_bars:
        counts[_bar_tone(bar, higher_is_better)] += bar.size
    better, worse = (f"{counts[tone]:,}" for tone in ("better", "worse"))
    same_count = int(np.count_nonzero(changes.round(PLACES) == 0))
    near_text = f", less than {SAME:g} apart in {near:,}" if (near := counts["same"] - same_count) else ""
    title = f"{names[1]} is better in {better}, worse in {worse}{near_text}, the same in {same_count:,}"
    scale = axes.y_scale(0, max(1, *[bar.size for bar in drawn_bars]) * 1.08)
    broad = (axes.WIDE - axes.RIGHT - axes.LEFT) / len(drawn_bars)
    foot, out = axes.HIGH - axes.BOTTOM, [axes.y_axis(scale, "Segments")]
    middle_bar, label_step = len(drawn_bars) // 2, 1 if len(drawn_bars) <= EACH else 2
    for n, bar in enumerate(drawn_bars):
        x, y = axes.LEFT + n * broad, scale.position(bar.size)
        tone = _bar_tone(bar, higher_is_better)
        if bar.size:
            inside = axes.rect(x, axes.TOP, broad, foot - axes.TOP, "reach")
            inside += axes.rect(x + ROOM / 2, min(y, foot - 1.5), broad - ROOM, max(foot - y, 1.5), f"bar {tone}")
            inside += axes.text(x + broad / 2, y - 4, f"{bar.size:,}", "count")
            verdict_text = f", {same_count:,} of them the same" if tone == "same" else f": {tone}"
            says = f"{count_text(bar.size, 'segment')} with {_range_text(bar)}{verdict_text}{axes.OPENS}"
            out.append(axes.clickable(tell(bar), says, inside))
        edge = middle_bar - n if n < middle_bar else n - middle_bar - 1
        if bar.low is not None and n != middle_bar and edge and edge % label_step == 0:
            out.append(axes.text(x, foot + 16, axes.signed_tick_text(bar.low), "tick"))
    out.append(axes.line(axes.LEFT, foot, axes.WIDE - axes.RIGHT, foot, "zero"))
    middle = axes.LEFT + broad * len(drawn_bars) / 2
    out.append(axes.text(middle, foot + 16, "0", "tick"))
    out.append(axes.text(middle, axes.HIGH - 7, f"Δ {metric}, {names[1]} less {names[0]}", "axis"))
    if len(drawn_bars) > 1:
        left_tone, right = ("worse", "better") if higher_is_better else ("better", "worse")
        out.append(axes.text(axes.LEFT, 12, f"{MARKS[left_tone]} {left_tone}", left_tone, "start"))
        out.append(axes.text(axes.WIDE - axes.RIGHT, 12, f"{right} {MARKS[right]}", right, "end"))
    return axes.chart("changes", title, of, "".join(out), "Click a bar to open its segments.")


def _bar_tone(bar: Bar, higher_is_better: bool) -> str:
    if bar.low == -SAME and bar.high == SAME:
        return "same"
    return verdict(1.0 if bar.low is not None and bar.low > 0 else -1.0, higher_is_better)


def _range_text(bar: Bar) -> str:
    if bar.low == -SAME and bar.high == SAME:
        return f"less than {SAME:g} between them"
    if bar.low is None:
        return f"Δ below {axes.signed_tick_text(bar.high or 0.0)}"
    if bar.high is None:
        return f"Δ of {axes.signed_tick_text(bar.low)} and more"
    return f"Δ from {axes.signed_tick_text(bar.low)} to {axes.signed_tick_text(bar.high)}"
