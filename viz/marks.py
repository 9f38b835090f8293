"""How each type of mark is drawn: a result becomes a list of shapes in cell units, which every kind of picture shares.

The Plotly figure, the SVG and the TikZ picture are written from the same shapes, so they show the same evidence.
Cell (i, j) covers rows i to i + 1 and columns j to j + 1 of the panel of its reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from metrics.types import Hit, Layer, Mark, Neighbours, Result, Run, SkipBigram

Point = tuple[float, float]
Kind = Literal["polygon", "line", "dot", "ring", "digit"]
# What a shape means; pictures choose colour and weight by it.
Role = Literal["used", "unused", "block", "area", "path", "link", "round", "selected", "selected block"]


class Shape(NamedTuple):
    """One thing to draw on the panel of reference `k`.

    `points` are (row, column) pairs; `cell` is the hit under a dot, ring or digit; `number` is the round; `dim` shapes
    step back behind a selected term.
    """

    kind: Kind
    role: Role
    k: int
    points: tuple[Point, ...]
    cell: Hit | None = None
    number: int = 0
    dim: bool = False


class Term(NamedTuple):
    """A mark as the ledger names it: its layer's number, its number in the layer, and the mark."""

    layer: int
    t: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen term, or none."""

    layer: int = -1
    index: int = -1

    def of(self, result: Result, rounds: int | None = None) -> Term | None:
        """The term in `result`, None if there is none, for instance after the text has changed, or if its layer is not
        among the first `rounds`."""
        if not 0 <= self.layer < len(result.layers):
            return None
        layer = result.layers[self.layer]
        if not (0 <= self.index < len(layer.marks) and _shown(layer, rounds)):
            return None
        return Term(self.layer, self.index, layer.marks[self.index])


def _shown(layer: Layer, rounds: int | None) -> bool:
    """Whether a layer is shown with the first `rounds` of the numbered ones."""
    return rounds is None or layer.number is None or layer.number <= rounds


def terms(result: Result, rounds: int | None = None) -> Iterator[Term]:
    """All terms of a result in the ledger's order; of its numbered layers only the first `rounds`."""
    for n, layer in enumerate(result.layers):
        if _shown(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def count_terms(result: Result, rounds: int | None = None) -> int:
    """How many terms there are."""
    return sum(len(layer.marks) for layer in result.layers if _shown(layer, rounds))


def term_at(result: Result, cell: Hit, after: Selection | None = None, rounds: int | None = None) -> Selection | None:
    """The term that uses `cell`; where several do, the one after `after`, so that repeated clicks visit all."""
    found = [Selection(t.layer, t.t) for t in terms(result, rounds) if cell in t.mark.cells()]
    if not found:
        return None
    if after in found:
        return found[(found.index(after) + 1) % len(found)]
    return found[0]


def _square(i: float, j: float, size: float, inset: float = 0.0) -> tuple[Point, ...]:
    a, b, c, d = i + inset, i + size - inset, j + inset, j + size - inset
    return ((a, c), (a, d), (b, d), (b, c))


def _centre(cell: Hit) -> Point:
    return (cell.i + 0.5, cell.j + 0.5)


def shapes(
    result: Result, unused: Iterable[Hit] = (), chosen: Selection | None = None, rounds: int | None = None
) -> list[Shape]:
    """Everything to draw for a result, back to front.

    `unused` are the hits of the grid (those that the result uses are left out), `chosen` the selected term, which
    dims the rest, and `rounds` the number of numbered layers to show.
    """
    term = chosen.of(result, rounds) if chosen else None
    dim = term is not None
    out: list[Shape] = []
    for layer in result.layers:
        if _shown(layer, rounds):
            out += _behind(layer, dim)
    used = covered(result, rounds)
    out += [Shape("ring", "unused", c.k, (_centre(c),), c, dim=dim) for c in unused if c not in used]
    for cell, number in sorted(used.items()):
        if number:
            out.append(Shape("polygon", "round", cell.k, _square(cell.i, cell.j, 1, 0.07), cell, number, dim))
            out.append(Shape("digit", "round", cell.k, (_centre(cell),), cell, number, dim))
        else:
            out.append(Shape("dot", "used", cell.k, (_centre(cell),), cell, dim=dim))
    if term is not None:
        out += _selected(term.mark, used)
    return out


def _behind(layer: Layer, dim: bool) -> list[Shape]:
    """What lies under the dots: areas, blocks, links of runs, the path."""
    out: list[Shape] = []
    for mark in () if layer.marks and isinstance(layer.marks[0], SkipBigram) else layer.marks:
        if isinstance(mark, Neighbours):
            out += [Shape("polygon", "area", area.k, area.corners, dim=dim) for area in mark.areas()]
        elif isinstance(mark, Run):
            if layer.area:
                out.append(Shape("polygon", "block", mark.k, _square(mark.i, mark.j, mark.length), dim=dim))
            elif not layer.path and mark.length > 1:
                out.append(Shape("line", "link", mark.k, _diagonal(mark), dim=dim))
    if layer.path:
        for k in sorted({cell.k for mark in layer.marks for cell in mark.cells()}):
            line = tuple(_centre(cell) for mark in layer.marks for cell in mark.cells() if cell.k == k)
            if len(line) > 1:
                out.append(Shape("line", "path", k, line, number=layer.number or 0, dim=dim))
    return out


def _diagonal(run: Run) -> tuple[Point, Point]:
    last = math.ceil(run.length) - 1
    return ((run.i + 0.5, run.j + 0.5), (run.i + last + 0.5, run.j + last + 0.5))


def _selected(mark: Mark, used: Mapping[Hit, int]) -> list[Shape]:
    cells = mark.cells()
    out: list[Shape] = []
    if isinstance(mark, Neighbours):
        out += [Shape("polygon", "selected block", area.k, area.corners) for area in mark.areas()]
    if isinstance(mark, Run) and mark.length > 1:
        out.append(Shape("polygon", "selected block", mark.k, _square(mark.i, mark.j, mark.length)))
    if isinstance(mark, SkipBigram):
        out.append(Shape("line", "selected", mark.first.k, (_centre(mark.first), _centre(mark.second))))
    for cell in cells:
        number = used.get(cell, 0)
        out.append(Shape("polygon", "selected", cell.k, _square(cell.i, cell.j, 1, 0.03), cell, number))
        out.append(Shape("digit" if number else "dot", "selected", cell.k, (_centre(cell),), cell, number))
    return out


@lru_cache(maxsize=8)
def covered(result: Result, rounds: int | None = None) -> Mapping[Hit, int]:
    """The cells that some mark uses, each with the number of its (first) round, 0 where the layer has none."""
    out: dict[Hit, int] = {}
    for layer in result.layers:
        if _shown(layer, rounds):
            number = layer.number or 0
            for mark in layer.marks:
                for cell in mark.cells():
                    out.setdefault(cell, number)
    return out


@lru_cache(maxsize=8)
def neighbours_in_runs(result: Result) -> set[Hit]:
    """Cells after which the same run goes on: words joined in the token strips."""
    return {
        cell for layer in result.layers for mark in layer.marks if isinstance(mark, Run) for cell in mark.cells()[:-1]
    }


def badges(result: Result) -> dict[int, list[str]]:
    """What to write beside the references that decide the score alone: `decides`, or which part each decides."""
    if len(result.segment.references) < 2:
        return {}
    if len(set(result.decides.values())) == 1:
        return {next(iter(result.decides.values())): ["decides"]}
    out: dict[int, list[str]] = {}
    for part, k in result.decides.items():
        out.setdefault(k, []).append(f"decides {part}")
    return out
