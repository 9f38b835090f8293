"""What charts of a corpus stand on: scales, ticks, and a frame of SVG that grows with the room it has.

A chart is drawn WIDE × HIGH; ink is `currentColor`, colours are classes of the page's style sheet. What a chart says in
its title is what a screen reader hears of it, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..pen import theme
from ..pen.stylesheets import read_sheets

RULES = read_sheets(Path(__file__).parent, "charts")

WIDE, HIGH = 480, 270
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 20, 44  # beside and around what is plotted
OPENS = "; opens them"  # what a title ends with of what answers a click
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class AxisScale(NamedTuple):
    """Values from `low` to `high`, which lie from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def position(self, value: float) -> float:
        """Where a value lies.

        >>> AxisScale(0, 10, 100, 200).position(2.5)
        125.0
        """
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def across(low: float, high: float) -> AxisScale:
    """A scale from left to right; of one value alone it has some room around it."""
    return AxisScale(*_room(low, high), LEFT, WIDE - RIGHT)


def up(low: float, high: float) -> AxisScale:
    """A scale from the foot to the top."""
    return AxisScale(*_room(low, high), HIGH - BOTTOM, TOP)


def _room(low: float, high: float) -> tuple[float, float]:
    if high > low:
        return low, high
    rest = abs(low) / 2 or 0.5
    return low - rest, high + rest


def step(span: float, most: int) -> float:
    """The least of 1, 2, 2.5 and 5 times a power of ten of which `most` reach over a span above 0.

    >>> step(1.0, 5), step(0.07, 8), step(529, 6)
    (0.2, 0.01, 100.0)
    """
    least = span / most
    power = 10.0 ** math.floor(math.log10(least))
    factor = next(each for each in _STEPS if each * power >= least * (1 - 1e-9))
    return float(f"{factor * power:.12g}")


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values in a range, at most one more than `most`.

    >>> ticks(-0.23, 0.31, 5)
    [-0.2, 0.0, 0.2]
    """
    if high <= low:
        return [low]
    by = step(high - low, most)
    first, last = math.ceil(low / by - 1e-9), math.floor(high / by + 1e-9)
    return [float(f"{n * by:.12g}") for n in range(first, last + 1)]


def number(value: float) -> str:
    """A value beside a tick, with a true minus.

    >>> number(-0.25), number(1500.0), number(-0.0)
    ('−0.25', '1,500', '0')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value + 0.0:.4g}".replace("-", "−")


def signed(value: float) -> str:
    """The same of a difference, with its sign.

    >>> signed(0.2), signed(0.0), signed(-1.5)
    ('+0.2', '0', '−1.5')
    """
    return f"+{number(value)}" if value > 0 else number(value)


def text(x: float, y: float, says: str, kind: str = "", anchor: str = "middle") -> str:
    """A label; `says` is plain text, which may be anybody's."""
    css = f' class="{kind}"' if kind else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{css}{place}>{theme.safe(says, 80)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str, inside: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {place} class="{kind}"' + (f">{inside}</rect>" if inside else "/>")


def path(points: Iterable[tuple[float, float]], kind: str) -> str:
    """A line through places."""
    drawn = "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return f'<path d="M{drawn}" class="{kind}"/>' if drawn else ""


def across_axis(scale: AxisScale, label: str, at: Sequence[float] | None = None, sign: bool = False) -> str:
    """The axis at the foot: lines through the chart, numbers, and what they are of."""
    out = []
    for value in ticks(scale.low, scale.high) if at is None else at:
        x = scale.position(value)
        out.append(line(x, TOP, x, HIGH - BOTTOM, "zero" if sign and value == 0 else "grid"))
        out.append(text(x, HIGH - BOTTOM + 16, (signed if sign else number)(value), "tick"))
    out.append(text((scale.start + scale.end) / 2, HIGH - 7, label, "axis"))
    return "".join(out)


def up_axis(scale: AxisScale, label: str, sign: bool = False) -> str:
    """The axis at the left."""
    out = []
    for value in ticks(scale.low, scale.high, 5):
        y = scale.position(value)
        out.append(line(LEFT, y, WIDE - RIGHT, y, "zero" if sign and value == 0 else "grid"))
        out.append(text(LEFT - 6, y + 4, (signed if sign else number)(value), "tick", "end"))
    out.append(
        f'<text class="axis" text-anchor="middle" transform="translate(13 {(TOP + HIGH - BOTTOM) / 2:.0f}) '
        f'rotate(-90)">{theme.safe(label, 40)}</text>'
    )
    return "".join(out)


def opens(event: str, says: str, inside: str) -> str:
    """Part of a chart that leads somewhere by a click and by Enter: it sends the `event`, as "NAME:VALUE"; `says` is
    what it is."""
    label = theme.safe(says, 200)
    return (
        f'<g class="opens" role="button" tabindex="0" data-tell="{theme.safe(event, 400)}" aria-label="{label}">'
        f"<title>{label}</title>{inside}</g>"
    )


def chart(
    name: str, title: str, subtitle: str, inside: str, under: str = "", points: bool = False, high: float = HIGH
) -> str:
    """A chart with what it says as its title, what it is of below that, and `under` it what may be done. With `points`
    there is room for dots on the part that is plotted; `high` is how high the drawing is. `title` and `subtitle` are
    plain texts, `under` is markup."""
    label, dots = theme.safe(title, 300), _dots(title) if points else ""
    return (
        f'<figure class="chart" data-chart="{name}"><figcaption><b>{label}</b>'
        f'<span>{theme.safe(subtitle, 300)}</span></figcaption><div class="plot">'
        f'<svg viewBox="0 0 {WIDE} {high:g}" role="group" aria-label="{label}">{inside}</svg>{dots}</div>'
        f'<div class="under">{under}</div></figure>'
    )


def still(drawn: str) -> str:
    """A chart as it stands where nothing opens: without what says so, and without dots."""
    drawn = re.sub(r'<g class="opens"[^<>]*><title>([^<>]*)', lambda g: f"<g><title>{g[1].removesuffix(OPENS)}", drawn)
    return re.sub(r'<div class="(?:dots|under)"(?:.*?</div>|.*)', "", drawn)


def _dots(title: str) -> str:
    left_inset, right = 100 * LEFT / WIDE, 100 * RIGHT / WIDE
    top, bottom = 100 * TOP / HIGH, 100 * BOTTOM / HIGH
    return (
        f'<div class="dots" tabindex="0" role="application" style="inset:{top:.3f}% {right:.3f}% {bottom:.3f}% '
        f'{left_inset:.3f}%" aria-label="{theme.safe(title, 300)}: arrow keys walk the points, Enter opens a segment">'
        "<canvas></canvas></div>"
    )
