"""What pictures of the bitext grid have in common: how long a label is, and windows on long texts."""

from __future__ import annotations

from typing import NamedTuple

from metrics.types import Hit

from .shapes import Shape

LABEL = 16  # longest label, in letters
DIRECT = 130  # words a side up to which a grid is drawn whole


class Window(NamedTuple):
    """A part of one reference's grid: from row `i` and column `j` on, so many rows and columns."""

    k: int
    i: int
    j: int
    rows: int
    columns: int

    def holds(self, cell: Hit) -> bool:
        return cell.k == self.k and 0 <= cell.i - self.i < self.rows and 0 <= cell.j - self.j < self.columns

    def touches(self, shape: Shape) -> bool:
        """Whether some part of a shape's bounding box lies in the window; for what is flat, on its border too."""
        rows, columns = [r for r, _ in shape.points], [c for _, c in shape.points]
        return (
            shape.k == self.k
            and _overlap(min(rows), max(rows), self.i, self.i + self.rows)
            and _overlap(min(columns), max(columns), self.j, self.j + self.columns)
        )


def _overlap(low: float, high: float, start: int, end: int) -> bool:
    return (high > start and low < end) or (low == high and start <= low <= end)
