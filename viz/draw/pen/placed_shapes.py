"""Shapes in pixels and how they are coloured, so that a writer knows only lines, circles, polygons, texts."""

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
    """How a shape is coloured: the opacity of its filling (0: none) and the width of its line (0: none).

    `strength` is the opacity of each line for itself, so that lines which cross are darker there.
    """

    colour: str
    fill: float
    line: float
    dashed: bool = False
    dotted: bool = False
    strength: float = 1

    @property
    def gap(self) -> float:
        """From dot to dot of a dotted line, in pixels."""
        return 2.2 * self.line + 0.6


class PlacedShape(NamedTuple):
    """A shape in pixels: a line, a text, a circle (one point), a polygon or a curve.

    `size` is a radius or a type size, `text` what a digit says, `name` its classes; `sign` is written on a circle. The
    points of a curve are those of a cubic Bézier curve: its start, two control points, its end. `term` is the term that
    the shape stands for, by the numbers of its layer and in it, and `cell` the cell, whose row is a word of `side`.
    `says` is what is said of it when it is pointed at, where that is not what its group says. `lead` and `words` are as
    in `Shape`.
    """

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
    """How a shape is coloured, by the table of looks."""
    look = LOOKS[shape.role, shape.kind]
    if shape.kind == "digit":
        pale = shape.role == "shared" and shape.level < theme.LEVELS
        on_paper = shape.dim or pale or look.colour == theme.INK
        return Ink(theme.INK if on_paper else theme.PAPER, 1, 0)
    colour, fill, line = theme.colour_of(look, shape.number), look.fill, look.line
    if shape.kind == "curve":
        return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted", 0.28 if shape.dim else 1)
    if shape.kind == "line":
        line += 1.5 * max(0, shape.level - 1)  # one of the next level is half as thick again
    elif shape.role == "shared":
        fill = theme.tint_alpha(shape.level, theme.LEVELS)
    elif shape.role == "selected" and shape.number:
        fill, line = 1, 0  # so that its digit is read on vermilion and not on the round's faint colour
    return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted")


def marker(kind: Kind, points: tuple[Point, ...], size: float, name: str, number: str = "") -> PlacedShape:
    """A shape with a marker's outline, by which a writer need know circles, polygons, lines and texts only."""
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
    """A curve from (start, y) up and down to (end, y), `high` pixels at its top."""
    control = y - high * 4 / 3
    return ((start, y), (start, control), (end, control), (end, y))


def _turned(points: Iterable[Point]) -> tuple[Point, ...]:
    """By 45 degrees."""
    return tuple([((x - y) * math.sqrt(0.5), (x + y) * math.sqrt(0.5)) for x, y in points])


_S, _L = 0.17, 0.62  # half the breadth and half the length of a sign's strokes, in radii
_MINUS = ((-_L, -_S), (_L, -_S), (_L, _S), (-_L, _S))
_PLUS: tuple[Point, ...] = ((-_S, -_L), (_S, -_L), (_S, -_S), (_L, -_S), (_L, _S), (_S, _S))
_PLUS += ((_S, _L), (-_S, _L), (-_S, _S), (-_L, _S), (-_L, -_S), (-_S, -_S))
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "hollow": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "triangle": ((0, -1.25), (1.2, 0.85), (-1.2, 0.85)),
    "hexagon": tuple([(1.1 * math.sin(n * math.pi / 3), 1.1 * math.cos(n * math.pi / 3)) for n in range(6)]),
    "cross": _turned([(x * 1.75, y * 1.75) for x, y in _PLUS]),
}


@lru_cache(maxsize=1 << 14)  # a picture has some thousand coordinates, most of them several times
def px(value: float) -> str:
    """A coordinate, at most two decimals.

    >>> px(-1.7999999999999998), px(3.0), px(-0.001)
    ('-1.8', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def ems(text: str) -> float:
    """The breadth of a text in type sizes, rather too large than too small."""
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
