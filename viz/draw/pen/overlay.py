"""Draw several results on one grid: two results as the halves of discs, more as tints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import metrics
from metrics.types import Hit, Result

from .marks import matched_cells
from .shapes import Point, Shape, centre, square
from .theme import tint_level


def overlay(a: Result, b: Result, unused: Iterable[Hit] = (), names: tuple[str, str] | None = None) -> list[Shape]:
    """Return the shapes that show which cells two results on the same words use.

    A cell that `a` uses has a left half disc, one that `b` uses a right half disc, and one that both use a whole disc
    with a ring around it. `names` are the names of the results in the legend, by default those of their metrics.
    `unused` are the hits of the grid; those that neither result uses are drawn as unused."""
    first, second = names or (metrics.METRICS[a.metric].label, metrics.METRICS[b.metric].label)
    of_a, of_b = matched_cells(a), matched_cells(b)
    out = [Shape("ring", "unused", c.k, (centre(c),), c) for c in unused if c not in of_a and c not in of_b]
    for cell in sorted({*of_a, *of_b}):
        is_shared = cell in of_a and cell in of_b
        if cell in of_a:
            out.append(Shape("polygon", "first", cell.k, _half_disc(cell, -1), cell, says=f"used by {first}"))
        if cell in of_b:
            out.append(Shape("polygon", "second", cell.k, _half_disc(cell, 1), cell, says=f"used by {second}"))
        if is_shared:
            out.append(Shape("ring", "both", cell.k, (centre(cell),), cell, says="used by both"))
    return out


_ARC = tuple([(-math.cos(math.pi * n / 12), math.sin(math.pi * n / 12)) for n in range(13)])


def _half_disc(cell: Hit, side: int) -> tuple[Point, ...]:
    """Return the outline of half a disc in a cell: the left half for `side` −1, the right half for 1.

    There is a small gap between the two halves."""
    i, j = centre(cell)
    return tuple([(i + 0.3 * row, j + side * (0.03 + 0.3 * column)) for row, column in _ARC])


def overlay_many(
    counts: Mapping[Hit, int], total: int, unused: Iterable[Hit] = (), names: Mapping[Hit, str] | None = None
) -> list[Shape]:
    """Return the shapes that show how many of `total` results use each cell: a tint and the number.

    Args:
        counts: how many results use each cell.
        total: the number of results.
        unused: the hits of the grid; those that no result uses are drawn as unused.
        names: for each cell, the names of the results that use it.

    All numbers come after all cells. Shapes with the same look are drawn together, so a cell would otherwise cover the
    number of another."""
    out = [Shape("ring", "unused", c.k, (centre(c),), c) for c in unused if c not in counts]
    used = [(cell, count, tint_level(count, total)) for cell, count in sorted(counts.items())]
    for cell, count, level in used:
        says = f"used by {count} of {total}"
        corners, who = square(cell.i, cell.j, 1, 0.04), (names or {}).get(cell, "")
        out.append(Shape("polygon", "shared", cell.k, corners, cell, count, level=level, says=says, why=who))
    return [*out, *[Shape("digit", "shared", cell.k, (centre(cell),), cell, n, level=level) for cell, n, level in used]]
