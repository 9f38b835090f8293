"""Draw the frame of charts: scales, ticks, labels, and an SVG that grows with its container.

A chart is drawn in WIDE × HIGH units. Lines and text have the colour `currentColor`; other colours are classes of the
page's style sheet. The title of a chart is also its label for screen readers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from ..pen.stylesheets import read_sheets
from ..pen.text import safe

RULES = read_sheets(Path(__file__).parent, "charts")

WIDE, HIGH = 480, 270
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 20, 44  # margins around the plot area
OPENS = "; opens them"  # the end of the title of a part that answers a click
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class AxisScale(NamedTuple):
    """A linear scale that maps values from `low` to `high` to coordinates from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def position(self, value: float) -> float:
        """Return the coordinate of a value.

        >>> AxisScale(0, 10, 100, 200).position(2.5)
        125.0
        """
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


class ColumnScale(NamedTuple):
    """The linear scale of a column of a table, from `low` at the left to `high` at the right."""

    low: float
    high: float

    @classmethod
    def over(cls, ends: Collection[float]) -> ColumnScale:
        """Return the scale from the lowest to the highest of the given values and ends of intervals."""
        low = min(ends, default=0.0)
        return cls(low, max([*ends, low + 1e-9]))

    def position(self, value: float) -> float:
        """Return the position of a value in percent of the width."""
        return 100 * (value - self.low) / (self.high - self.low)

    def dot_html(self, value: float, interval: tuple[float, float] | None, attributes: str = "") -> str:
        """Return a value as a dot on this scale, with a line over its interval if it has one, as HTML."""
        line = ""
        if interval:
            start, end = map(self.position, interval)
            line = f'<i class="range" style="left:{start:.1f}%;width:{end - start:.1f}%"></i>'
        dot = f'<i class="at" style="left:{self.position(value):.1f}%"></i>'
        return f'<span class="reach"{attributes}>{line}{dot}</span>'


def x_scale(low: float, high: float) -> AxisScale:
    """Return the scale of the x axis, from left to right; where `low` equals `high`, the scale is widened."""
    return AxisScale(*_widened_range(low, high), LEFT, WIDE - RIGHT)


def y_scale(low: float, high: float) -> AxisScale:
    """Return the scale of the y axis, from the bottom to the top; where `low` equals `high`, the scale is widened."""
    return AxisScale(*_widened_range(low, high), HIGH - BOTTOM, TOP)


def _widened_range(low: float, high: float) -> tuple[float, float]:
    if high > low:
        return low, high
    rest = abs(low) / 2 or 0.5
    return low - rest, high + rest


def round_step(span: float, most: int) -> float:
    """Return the smallest round distance between ticks of which at most `most` fit into `span`, which is above 0.

    Round steps are 1, 2, 2.5 and 5 times a power of ten.

    >>> round_step(1.0, 5), round_step(0.07, 8), round_step(529, 6)
    (0.2, 0.01, 100.0)
    """
    least = span / most
    power = 10.0 ** math.floor(math.log10(least))
    factor = next(each for each in _STEPS if each * power >= least * (1 - 1e-9))
    return float(f"{factor * power:.12g}")


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return the round values for ticks between `low` and `high`, at most `most` + 1 of them.

    >>> ticks(-0.23, 0.31, 5)
    [-0.2, 0.0, 0.2]
    """
    if high <= low:
        return [low]
    by = round_step(high - low, most)
    first, last = math.ceil(low / by - 1e-9), math.floor(high / by + 1e-9)
    return [float(f"{n * by:.12g}") for n in range(first, last + 1)]


def tick_text(value: float) -> str:
    """Return the label of a tick as text with at most four digits, or without decimals from 1,000 on.

    >>> tick_text(-0.25), tick_text(1500.0), tick_text(-0.0)
    ('−0.25', '1,500', '0')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value + 0.0:.4g}".replace("-", "−")


def signed_tick_text(value: float) -> str:
    """Return the label of a tick for a difference, with its sign.

    >>> signed_tick_text(0.2), signed_tick_text(0.0), signed_tick_text(-1.5)
    ('+0.2', '0', '−1.5')
    """
    return f"+{tick_text(value)}" if value > 0 else tick_text(value)


def text(x: float, y: float, says: str, kind: str = "", anchor: str = "middle") -> str:
    """Return a text label as SVG, with the CSS class `kind`; its `anchor` is at (`x`, `y`).

    `says` is plain text from any source, and is escaped here."""
    css = f' class="{kind}"' if kind else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{css}{place}>{safe(says, 80)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line as SVG, with the CSS class `kind`."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle as SVG, with the CSS class `kind`; negative sizes become 0."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {place} class="{kind}"/>'


def path(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Return a line through points as SVG, with the CSS class `kind`; "" for no points."""
    drawn = "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return f'<path d="M{drawn}" class="{kind}"/>' if drawn else ""


def x_axis(scale: AxisScale, label: str, signed_values: bool = False) -> str:
    """Return the x axis as SVG: grid lines, numbers at round values, and the label.

    With `signed_values`, values are differences: numbers have signs, and the line at 0 is stronger."""
    out = []
    for value in ticks(scale.low, scale.high):
        x = scale.position(value)
        out.append(line(x, TOP, x, HIGH - BOTTOM, "zero" if signed_values and value == 0 else "grid"))
        out.append(text(x, HIGH - BOTTOM + 16, (signed_tick_text if signed_values else tick_text)(value), "tick"))
    out.append(text((scale.start + scale.end) / 2, HIGH - 7, label, "axis"))
    return "".join(out)


def y_axis(scale: AxisScale, label: str, signed_values: bool = False) -> str:
    """Return the y axis as SVG: grid lines, numbers at round values, and the label.

    With `signed_values`, values are differences: numbers have signs, and the line at 0 is stronger."""
    out = []
    for value in ticks(scale.low, scale.high, 5):
        y = scale.position(value)
        out.append(line(LEFT, y, WIDE - RIGHT, y, "zero" if signed_values and value == 0 else "grid"))
        out.append(text(LEFT - 6, y + 4, (signed_tick_text if signed_values else tick_text)(value), "tick", "end"))
    out.append(
        f'<text class="axis" text-anchor="middle" transform="translate(13 {(TOP + HIGH - BOTTOM) / 2:.0f}) '
        f'rotate(-90)">{safe(label, 40)}</text>'
    )
    return "".join(out)


def clickable(event: str, says: str, inside: str) -> str:
    """Return a part of a chart (the SVG `inside`) that sends `event`, "NAME:VALUE", on a click or Enter.

    `says` is its tooltip and its description for screen readers."""
    label = safe(says, 200)
    return (
        f'<g class="opens" role="button" tabindex="0" data-tell="{safe(event, 400)}" aria-label="{label}">'
        f"<title>{label}</title>{inside}</g>"
    )


def chart(
    name: str, title: str, subtitle: str, inside: str, under: str = "", points: bool = False, high: float = HIGH
) -> str:
    """Return a chart as an HTML figure, with its title, its subtitle, the drawing `inside`, and `under` below it.

    `name` is the name by which scripts know the chart. `title` and `subtitle` are plain text, `inside` is SVG, and
    `under` is HTML. With `points`, a canvas for dots covers the plot area. `high` is the height in units of the SVG."""
    label, dots = safe(title, 300), _dots_canvas(title) if points else ""
    return (
        f'<figure class="chart" data-chart="{name}"><figcaption><b>{label}</b>'
        f'<span>{safe(subtitle, 300)}</span></figcaption><div class="plot">'
        f'<svg viewBox="0 0 {WIDE} {high:g}" role="group" aria-label="{label}">{inside}</svg>{dots}</div>'
        f'<div class="under">{under}</div></figure>'
    )


def without_events(drawn: str) -> str:
    """Return the HTML of a chart as it is drawn in a saved file, where a click opens nothing.

    The canvas, the text under the chart and the remarks on clicks are removed."""
    drawn = re.sub(r'<g class="opens"[^<>]*><title>([^<>]*)', lambda g: f"<g><title>{g[1].removesuffix(OPENS)}", drawn)
    return re.sub(r'<div class="(?:dots|under)"(?:.*?</div>|.*)', "", drawn)


def _dots_canvas(title: str) -> str:
    left_inset, right = 100 * LEFT / WIDE, 100 * RIGHT / WIDE
    top, bottom = 100 * TOP / HIGH, 100 * BOTTOM / HIGH
    return (
        f'<div class="dots" tabindex="0" role="application" style="inset:{top:.3f}% {right:.3f}% {bottom:.3f}% '
        f'{left_inset:.3f}%" aria-label="{safe(title, 300)}: arrow keys walk the points, Enter opens a segment">'
        "<canvas></canvas></div>"
    )
