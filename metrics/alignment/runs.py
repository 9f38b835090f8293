"""Runs of a grid, the longest first, found for all cells at once.

A grid is given by rows: for each word of the one sentence the places of the same word in the other, as the bits of a
number. Shifted by a place for every row that it is away, a row meets the runs that go on there, so that one operation
looks at a whole row of cells. What it costs depends on the lengths of the sentences and of the runs, not on how many
runs there are: two texts of 2,000 words made of two words have millions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..types.work import spend

#: Runs, each as its length, its row and its column.
Found: TypeAlias = list[tuple[int, int, int]]


def doubled(rows: list[int]) -> list[list[int]]:
    """Where runs of at least 1, 2, 4, 8 … cells begin, as far as there are any.

    >>> doubled([0b011, 0b110])  # a run of two begins in the first place, another in the second
    [[3, 6], [3]]
    """
    out = [rows]
    length = 1
    while True:
        last = out[-1]
        longer = [row and row & row_below >> length for row, row_below in zip(last, last[length:], strict=False)]
        if not any(longer):
            return out
        out.append(longer)
        length *= 2


def longest(begin: Sequence[int], planes: list[list[int]]) -> tuple[int, list[int]]:
    """The length of the longest runs from the cells `begin`, which are hits, and where these begin; by row.

    `planes` are the `doubled` rows of the grid. Rows at the end without any may be left out.

    >>> longest([0b1, 0b0], doubled([0b011, 0b110]))
    (2, [1])
    """
    # Rows of up to some thousand places take a tenth of a step each; here, and when the planes were made.
    spend(len(planes) * len(begin) * (1 + max(planes[0]).bit_length() // 8_000) // 5)
    length, step = 1, 1 << len(planes)
    for plane in reversed(planes):
        step //= 2
        further = [row and row & row_below >> length for row, row_below in zip(begin, plane[length:], strict=False)]
        if any(further):
            begin, length = further, length + step
    return length, [*begin]


class Greedy:
    """The longest free run, taken again and again: those of two and more cells in `found`, single cells on demand.

    Of equally long runs the last row comes first, then the last column. What is left of a run is a run again. No row
    and no column is used twice.

    >>> words = Greedy([0b001, 0b010, 0b001], 3)
    >>> words.found, words.singles()
    ([(2, 0, 0)], [])
    """

    def __init__(self, rows: Sequence[int], columns: int) -> None:
        self.rows = [*rows]
        self.free_columns = (1 << columns) - 1
        self.found: Found = []
        while any(self.rows):
            planes = doubled(self.rows)
            if len(planes) == 1:
                break
            self._take(*longest(self.rows, planes))

    def _take(self, length: int, begin: list[int]) -> None:
        """Take all runs of this length that fit; `begin` has for each row where they begin."""
        full = (1 << length) - 1
        blocked = 0  # where no run can begin any more
        i = len(begin) - 1
        while i >= 0:
            open_columns = begin[i] & ~blocked if blocked else begin[i]
            if not open_columns:
                i -= 1
                continue
            column = open_columns.bit_length() - 1
            self.use(i, column, length)
            self.found.append((length, i, column))
            blocked |= full << column | (full << column) >> length - 1
            i -= length
        free = self.free_columns
        self.rows = [row and row & free for row in self.rows]

    def use(self, row: int, column: int, length: int) -> None:
        """Use the words of a run. The columns of other rows are not looked at."""
        self.free_columns &= ~((1 << length) - 1 << column)
        self.rows[row : row + length] = [0] * length

    def singles(self) -> Found:
        """The cells that are taken when no longer run is left: the last free row with its last free column."""
        free, out = self.free_columns, []
        for i in range(len(self.rows) - 1, -1, -1):
            row = self.rows[i] & free
            if row:
                column = row.bit_length() - 1
                free ^= 1 << column
                out.append((1, i, column))
        return out
