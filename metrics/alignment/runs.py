"""Runs of a grid, the longest first, found for all cells at once.

A grid is given by rows: for each word of one sentence, a bit mask of the positions of the same word in the other one. A
row is shifted by one bit for each row of distance and intersected with an earlier row, so that one operation extends
all runs of a row. The cost depends on the lengths of the sentences and of the runs, not on the number of runs: two
texts of 2,000 words with only two word types have millions of runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..types.work import spend

#: Runs as triples of length, row and column.
RunTriples: TypeAlias = list[tuple[int, int, int]]


def run_starts_by_length(rows: list[int]) -> list[list[int]]:
    """Return the cells where runs of at least 1, 2, 4, 8 … cells begin, up to the longest that exist.

    There is one entry for each of these lengths: a list with a bit mask of columns for each row. `rows` is the grid in
    the same form.

    >>> run_starts_by_length([0b011, 0b110])  # a run of two begins in the first place, another in the second
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


def longest_runs_from(begin: Sequence[int], planes: list[list[int]]) -> tuple[int, list[int]]:
    """Return the length of the longest runs that begin at cells in `begin`, and the cells where these runs begin.

    Cells are given as a bit mask of columns for each row. The cells `begin` must be hits. `planes` is the
    `run_starts_by_length` of the grid. Trailing rows without runs may be missing from the result.

    >>> longest_runs_from([0b1, 0b0], run_starts_by_length([0b011, 0b110]))
    (2, [1])
    """
    # A row of up to some thousand columns takes a tenth of a step here, and another tenth when the planes were made.
    spend(len(planes) * len(begin) * (1 + max(planes[0]).bit_length() // 8_000) // 5)
    length, step = 1, 1 << len(planes)
    for plane in reversed(planes):
        step //= 2
        further = [row and row & row_below >> length for row, row_below in zip(begin, plane[length:], strict=False)]
        if any(further):
            begin, length = further, length + step
    return length, [*begin]


class GreedyRuns:
    """The greedy choice of runs: the longest free run is taken repeatedly, and no row or column is used twice.

    Of equally long runs, the one in the last row comes first, then the one in the last column. What remains of a partly
    used run is a run as well. `long_runs` has the runs of at least two cells as (length, row, column);
    `take_single_cells` returns the single cells.

    >>> words = GreedyRuns([0b001, 0b010, 0b001], 3)
    >>> words.long_runs, words.take_single_cells()
    ([(2, 0, 0)], [])
    """

    def __init__(self, rows: Sequence[int], columns: int) -> None:
        """Take all runs of at least two cells.

        `rows` has a bit mask of columns for each row; `columns` is the number of columns.
        """
        self.rows = [*rows]
        self.free_columns = (1 << columns) - 1
        self.long_runs: RunTriples = []
        while any(self.rows):
            planes = run_starts_by_length(self.rows)
            if len(planes) == 1:
                break
            self._take_runs_of_length(*longest_runs_from(self.rows, planes))

    def _take_runs_of_length(self, length: int, begin: list[int]) -> None:
        """Take all free runs of this length.

        `begin` has, for each row, a bit mask of the columns where such runs begin.
        """
        full = (1 << length) - 1
        blocked = 0  # the columns where no run can begin any more
        i = len(begin) - 1
        while i >= 0:
            open_columns = begin[i] & ~blocked if blocked else begin[i]
            if not open_columns:
                i -= 1
                continue
            column = open_columns.bit_length() - 1
            self.mark_words_used(i, column, length)
            self.long_runs.append((length, i, column))
            blocked |= full << column | (full << column) >> length - 1
            i -= length
        free = self.free_columns
        self.rows = [row and row & free for row in self.rows]

    def mark_words_used(self, row: int, column: int, length: int) -> None:
        """Mark the words of a run, in its rows and columns, as used.

        `row` and `column` are those of the first cell of the run. Cells in these columns of other rows are not removed
        here.
        """
        self.free_columns &= ~((1 << length) - 1 << column)
        self.rows[row : row + length] = [0] * length

    def take_single_cells(self) -> RunTriples:
        """Return the single cells to take when no longer run is left, as (1, row, column).

        The last free row is taken with its last free column, repeatedly.
        """
        free, out = self.free_columns, []
        for i in range(len(self.rows) - 1, -1, -1):
            row = self.rows[i] & free
            if row:
                column = row.bit_length() - 1
                free ^= 1 << column
                out.append((1, i, column))
        return out
