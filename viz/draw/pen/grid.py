"""Constants and windows for pictures of a grid: the longest label, and the part of a long text's grid that is drawn."""

from __future__ import annotations

from typing import NamedTuple

from metrics.types import Hit

from .shapes import Shape

LABEL = 16  # longest label, in letters
DIRECT = 130  # a grid with at most this many words on each side is drawn as a whole


class Window(NamedTuple):
    """A rectangular part of one reference's grid.

    Attributes:
        k: the index of the reference.
        i: the first row (a word of the candidate).
        j: the first column (a word of the reference).
        rows: the number of rows.
        columns: the number of columns."""

    k: int
    i: int
    j: int
    rows: int
    columns: int

    def holds(self, cell: Hit) -> bool:
        """Return whether a cell is in this window."""
        return cell.k == self.k and 0 <= cell.i - self.i < self.rows and 0 <= cell.j - self.j < self.columns

    def touches(self, shape: Shape) -> bool:
        """Return whether the bounding box of a shape overlaps this window.

        A flat shape, such as a horizontal line, also counts if it is on the window's border."""
        rows, columns = [r for r, _ in shape.points], [c for _, c in shape.points]
        return (
            shape.k == self.k
            and _overlap(min(rows), max(rows), self.i, self.i + self.rows)
            and _overlap(min(columns), max(columns), self.j, self.j + self.columns)
        )


def _overlap(low: float, high: float, start: int, end: int) -> bool:
    """Return whether the intervals from `low` to `high` and from `start` to `end` overlap.

    A single point counts even on the border."""
    return (high > start and low < end) or (low == high and start <= low <= end)
