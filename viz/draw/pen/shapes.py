"""What is drawn, in cell units: shapes of one look each, which every kind of picture shares.

Cell (i, j) covers rows i to i + 1 and columns j to j + 1 of the panel of its reference.
"""

from __future__ import annotations

from typing import NamedTuple

from metrics.types import Hit, Mark, Relation

from .theme import Kind, Role

Point = tuple[float, float]


class Term(NamedTuple):
    """A mark as the ledger names it: its layer's number, its number in the layer, and the mark."""

    layer: int
    t: int
    mark: Mark


class Shape(NamedTuple):
    """One thing to draw on the panel of reference `k`.

    `points` are (row, column) pairs; `cell` is the cell under a marker or a digit, and `term` the one term that a shape
    without a cell stands for: an insertion, a deletion, a block, an area or an arrow; `number` is the round; `dim`
    shapes step back behind a selected term. `level` says how strong a shape of its role is, and `says` how it is called
    where its role has no name for it, or what the words of a changed cell are. `why` is what stands against a match
    that is not used, why two words match that are not the same, or who uses a shared one. `lead` names what the shape
    leads to where that is no term of one result, such as a step between two. `text` is what a digit says that is no
    number of a round. `words` are the names of the words that a shape joins which stands for no cell, where a page has
    no row that says so.
    """

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
    """The corners of a square of cells."""
    a, b, c, d = i + inset, i + size - inset, j + inset, j + size - inset
    return ((a, c), (a, d), (b, d), (b, c))


def hexagon(cell: Hit) -> tuple[Point, ...]:
    """A hexagon as broad as the square of a round's cell."""
    i, _, j = cell
    return tuple([(i + row, j + column) for row, column in _CORNERS])


_CORNERS = ((0.07, 0.28), (0.07, 0.72), (0.5, 0.97), (0.93, 0.72), (0.93, 0.28), (0.5, 0.03))


def centre(cell: Hit) -> Point:
    """The middle of a cell."""
    return (cell.i + 0.5, cell.j + 0.5)


MARKERS: dict[Relation, Kind] = {
    "equal": "dot",
    "stem": "diamond",
    "synonym": "triangle",
    "similar": "hexagon",
    "different": "cross",
}


_HEAD, _HALF = 0.4, 0.24  # length and half the breadth of an arrow's head, in cells


def arrow(look: Shape, start: float, place: float, across: tuple[float, float]) -> list[Shape]:
    """A line with a head from a row to a bar across some columns; `look` is how its lines look."""
    (left_edge, right), way = across, -1 if place <= start else 1
    middle, length = (left_edge + right) / 2, min(_HEAD, abs(place - start))
    neck = place - way * length
    out = [look._replace(points=((place, left_edge), (place, right)))]
    if length:
        out.append(look._replace(points=((start, middle), (neck, middle))))
        head = ((place, middle), (neck, middle - _HALF), (neck, middle + _HALF))
        out.append(look._replace(kind="polygon", points=head))
    return out
