"""Shapes to draw on a grid, measured in cells; all kinds of pictures are made of them.

Cell (i, j) covers rows i to i + 1 and columns j to j + 1 of its reference's grid."""

from __future__ import annotations

from typing import NamedTuple

from metrics.types import Hit, Mark, Relation

from .theme import Kind, Role

Point = tuple[float, float]


class Term(NamedTuple):
    """A term of the formula.

    Attributes:
        layer: the index of its layer in the result.
        t: the index of its mark in the layer.
        mark: the mark."""

    layer: int
    t: int
    mark: Mark


class Shape(NamedTuple):
    """A shape to draw on the grid of a reference, measured in cells.

    Attributes:
        kind: the geometric kind.
        role: the meaning.
        k: the index of the reference.
        points: its points as (row, column).
        cell: the cell under a marker or a digit.
        number: the number of the round (or, of a tinted cell, of the results that use it), 0 for none.
        dim: whether it is dimmed because a term is selected.
        level: its strength among shapes of the same role, such as the thickness of a line.
        says: its name in the legend, if its role has none, or the words of a changed cell.
        term: the only term that a shape without a cell represents, such as an insertion, a block or an arrow.
        lead: the name of what it leads to, if that is not a term of one result, such as a step between two results.
        why: why a match is not used, why two different words match, or which results use a shared cell.
        text: the text of a digit, if that is not the number of a round.
        words: the names of the words that a shape without a cell joins, where these are not known from its row."""

    kind: Kind
    role: Role
    k: int
    points: tuple[Point, ...]
    cell: Hit | None = None
    number: int = 0
    dim: bool = False
    level: int = 0
    says: str = ""
    term: Term | None = None
    lead: str = ""
    why: str = ""
    text: str = ""
    words: str = ""


def square(i: float, j: float, size: float, inset: float = 0.0) -> tuple[Point, ...]:
    """Return the corners of a square of `size` × `size` cells, whose first cell is (i, j).

    `inset` is by how much it is made smaller on each side, in cells."""
    a, b, c, d = i + inset, i + size - inset, j + inset, j + size - inset
    return ((a, c), (a, d), (b, d), (b, c))


def hexagon(cell: Hit) -> tuple[Point, ...]:
    """Return the corners of the hexagon that fills a cell if a round of SIA uses it for similar words."""
    i, _, j = cell
    return tuple([(i + row, j + column) for row, column in _CORNERS])


_CORNERS = ((0.07, 0.28), (0.07, 0.72), (0.5, 0.97), (0.93, 0.72), (0.93, 0.28), (0.5, 0.03))


def centre(cell: Hit) -> Point:
    """Return the centre of a cell as (row, column)."""
    return (cell.i + 0.5, cell.j + 0.5)


MARKERS: dict[Relation, Kind] = {
    "equal": "dot",
    "stem": "diamond",
    "synonym": "triangle",
    "similar": "hexagon",
    "different": "cross",
}


_HEAD, _HALF = 0.4, 0.24  # the length and half the width of an arrow's head, in cells


def arrow(look: Shape, start: float, place: float, across: tuple[float, float]) -> list[Shape]:
    """Return the shapes of a vertical arrow that ends at a bar: the bar, the shaft and the head.

    The arrow goes from the row `start` to the bar at the row `place`, which crosses the columns `across`. `look` is a
    shape from which all parts take their look."""
    (left_edge, right), way = across, -1 if place <= start else 1
    middle, length = (left_edge + right) / 2, min(_HEAD, abs(place - start))
    neck = place - way * length
    out = [look._replace(points=((place, left_edge), (place, right)))]
    if length:
        out.append(look._replace(points=((start, middle), (neck, middle))))
        head = ((place, middle), (neck, middle - _HALF), (neck, middle + _HALF))
        out.append(look._replace(kind="polygon", points=head))
    return out
