"""Shapes in pixels with their colours, made of lines, circles, polygons and texts only.

They are all that a writer for a picture format, such as SVG, needs to know."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from metrics.types import Hit

from . import theme
from .shapes import Point, Shape
from .theme import LOOKS, Kind


class Ink(NamedTuple):
    """The paint of a shape: its colour, filling and line.

    Attributes:
        colour: the colour.
        fill: the opacity of the filling, 0 for none.
        line: the width of the line in pixels, 0 for none.
        dashed: whether the line is dashed.
        dotted: whether the line is dotted.
        strength: the opacity of each single line, so that lines are darker where they cross."""

    colour: str
    fill: float
    line: float
    dashed: bool = False
    dotted: bool = False
    strength: float = 1

    @property
    def gap(self) -> float:
        """Return the distance in pixels between the dots of a dotted line with this ink."""
        return 2.2 * self.line + 0.6


class PlacedShape(NamedTuple):
    """A shape in pixels: a line, a text, a circle (one point), a polygon or a curve.

    Attributes:
        kind: the geometric kind of shape.
        points: its points; for a cubic Bézier curve its start, two control points and its end.
        size: a radius or a font size, in pixels.
        text: the text of a digit.
        name: its CSS classes.
        sign: the outline of a plus or minus on a circle.
        term: the term that the shape represents, as index of its layer and index in the layer.
        cell: the cell that the shape represents.
        says: the text shown when it is pointed at, if it differs from the text of its group.
        side: the side of the text to which the row of `cell` belongs.
        lead: the name of what it leads to, if that is not a term of one result.
        words: the names of the words that a shape without a cell joins."""

    kind: Kind
    points: tuple[Point, ...]
    size: float
    text: str
    name: str
    sign: tuple[Point, ...] = ()
    term: tuple[int, int] | None = None
    cell: Hit | None = None
    says: str = ""
    side: str = ""
    lead: str = ""
    words: str = ""


def ink_of(shape: Shape) -> Ink:
    """Return how a shape is painted, from the table of looks."""
    look = LOOKS[shape.role, shape.kind]
    if shape.kind == "digit":
        pale = shape.role == "shared" and shape.level < theme.LEVELS
        on_paper = shape.dim or pale or look.colour == theme.INK
        return Ink(theme.INK if on_paper else theme.PAPER, 1, 0)
    colour, fill, line = theme.colour_of(look, shape.number), look.fill, look.line
    if shape.kind == "curve":
        return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted", 0.28 if shape.dim else 1)
    if shape.kind == "line":
        line += 1.5 * max(0, shape.level - 1)  # each level adds 1.5 pixels
    elif shape.role == "shared":
        fill = theme.tint_alpha(shape.level, theme.LEVELS)
    elif shape.role == "selected" and shape.number:
        fill, line = 1, 0  # solid vermilion, so that the digit is readable, and not the round's faint colour
    return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted")


def marker_shape(kind: Kind, points: tuple[Point, ...], size: float, name: str, number: str = "") -> PlacedShape:
    """Return a shape in which a marker such as a diamond is a polygon, since picture formats have no such markers.

    `points` and `size` are in pixels, `name` are CSS classes, and `number` is the text of a digit."""
    if kind in _OUTLINES:
        ((x, y),) = points
        outline = tuple([(x + size * a, y + size * b) for a, b in _OUTLINES[kind]])
        return PlacedShape(kind, outline, 0, "", name)
    if kind in ("plus", "minus"):
        ((x, y),) = points
        sign = tuple([(x + size * a, y + size * b) for a, b in (_PLUS if kind == "plus" else _MINUS)])
        return PlacedShape(kind, points, size, "", name, sign)
    return PlacedShape(kind, points, size, number if kind == "digit" else "", name)


def arch(start: float, end: float, y: float, high: float) -> tuple[Point, ...]:
    """Return an arch as the points of a Bézier curve: from (start, y) up and down to (end, y).

    Its top is `high` pixels above `y`."""
    control = y - high * 4 / 3
    return ((start, y), (start, control), (end, control), (end, y))


def _rotate_45_degrees(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return points rotated by 45 degrees around the origin."""
    return tuple([((x - y) * math.sqrt(0.5), (x + y) * math.sqrt(0.5)) for x, y in points])


_S, _L = 0.17, 0.62  # half the width and half the length of the strokes of a sign, in units of the radius
_MINUS = ((-_L, -_S), (_L, -_S), (_L, _S), (-_L, _S))
_PLUS: tuple[Point, ...] = ((-_S, -_L), (_S, -_L), (_S, -_S), (_L, -_S), (_L, _S), (_S, _S))
_PLUS += ((_S, _L), (-_S, _L), (-_S, _S), (-_L, _S), (-_L, -_S), (-_S, -_S))
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "hollow": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "triangle": ((0, -1.25), (1.2, 0.85), (-1.2, 0.85)),
    "hexagon": tuple([(1.1 * math.sin(n * math.pi / 3), 1.1 * math.cos(n * math.pi / 3)) for n in range(6)]),
    "cross": _rotate_45_degrees([(x * 1.75, y * 1.75) for x, y in _PLUS]),
}


@lru_cache(maxsize=1 << 14)  # a picture has thousands of coordinates, most of them several times
def px(value: float) -> str:
    """Format a coordinate in pixels with at most two decimals.

    >>> px(-1.7999999999999998), px(3.0), px(-0.001)
    ('-1.8', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_width(text: str) -> float:
    """Return an upper estimate of the width of a text, in units of the font size."""
    out = 0.0
    for c in text:
        if unicodedata.category(c) in ("Mn", "Me", "Cf"):
            continue
        if unicodedata.east_asian_width(c) in "WF":
            out += 1.25 if unicodedata.category(c) == "So" else 1.0
        elif c in "ijlI.,:;'|![]()ftr ":
            out += 0.36
        else:
            out += 0.92 if c in "mwMW@%…" else 0.7 if c.isupper() else 0.59
    return out
