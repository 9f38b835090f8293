"""METEOR's matchings as sets of cells: their chunks and crossings, and the largest matchings of smallest distance."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ..types.work import spend

#: A candidate position and a reference position.
Cell: TypeAlias = tuple[int, int]


def count_chunks(cells: Iterable[Cell]) -> int:
    """Return the number of chunks of a matching: stretches of cells that follow each other directly in both sentences.

    >>> count_chunks([(0, 3), (1, 4), (3, 5)])
    2
    """
    matched = set(cells)
    return sum([(i - 1, j - 1) not in matched for i, j in matched])


def count_crossings(cells: Sequence[Cell]) -> int:
    """Return the number of crossing pairs of matches.

    Two matches cross if one is earlier in the candidate and later in the reference.

    >>> count_crossings([(0, 2), (1, 0), (2, 1)])
    2
    """
    earlier_columns: list[int] = []
    count = 0
    for _, j in sorted(cells):
        count += len(earlier_columns) - bisect_right(earlier_columns, j)
        insort(earlier_columns, j)
    return count


def nearest_matching(rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    """Return the largest matching with the smallest distance; any row may be matched with any column.

    The distance is the sum of |i − j|. `rows` are candidate positions and `columns` are reference positions, both
    ascending. Some matching of smallest distance is in order, so only ordered ones are compared: they leave out some
    positions of the longer side. On ties the lower positions are used.

    >>> nearest_matching([3, 9], [0, 4, 5])
    [(3, 4), (9, 5)]
    """
    if len(rows) == len(columns):
        spend(len(rows) // 20)
        return list(zip(rows, columns, strict=True))
    if len(rows) > len(columns):
        return [(i, j) for j, i in nearest_matching(columns, rows)]
    spare = len(columns) - len(rows)
    spend(len(rows) * (1 + spare // 4))
    # least[t][s]: the smallest distance of a matching of the first t rows with the first t + s columns
    least = [[0] * (spare + 1)]
    for t, i in enumerate(rows):
        line: list[int] = []
        for s, before in enumerate(least[t]):
            distance = before + abs(i - columns[t + s])
            line.append(min(distance, line[-1]) if line else distance)
        least.append(line)
    out, s = [], spare
    for t in range(len(rows), 0, -1):
        while s and least[t][s - 1] == least[t][s]:
            s -= 1
        out.append((rows[t - 1], columns[t - 1 + s]))
    out.reverse()
    return out


def nearest_matching_within(rows: Sequence[int], columns: Sequence[int], cells: frozenset[Cell]) -> list[Cell]:
    """Return the largest matching with the smallest distance, the sum of |i − j|, that uses only the given cells.

    `rows` are candidate positions and `columns` are reference positions. The matching grows by the shortest augmenting
    path, whose length is the increase of the distance. So after each step it is the nearest matching of its size.

    >>> nearest_matching_within([0, 1], [0, 1], frozenset({(0, 0), (0, 1), (1, 0)}))
    [(0, 1), (1, 0)]
    """
    spend(len(rows) * len(columns) // 10)
    choices = {i: [j for j in columns if (i, j) in cells] for i in rows}
    row_of: dict[int, int] = {}
    while True:
        matched = set(row_of.values())
        length: dict[int, float] = {i: 0 for i in rows if i not in matched}
        path: dict[int, int] = {}  # column → the row from which the shortest path reaches it
        reached: dict[int, float] = {}
        waiting = list(length)
        while waiting:
            i = waiting.pop(0)
            spend(1 + len(choices[i]) // 3)
            for j in choices[i]:
                far = length[i] + abs(i - j)
                if row_of.get(j) != i and far < reached.get(j, math.inf):
                    reached[j], path[j] = far, i
                    partner = row_of.get(j)
                    if partner is not None and far - abs(partner - j) < length.get(partner, math.inf):
                        length[partner] = far - abs(partner - j)
                        waiting.append(partner)
        ends = [(far, j) for j, far in reached.items() if j not in row_of]
        if not ends:
            return sorted((i, j) for j, i in row_of.items())
        column_of = {i: j for j, i in row_of.items()}
        end: int | None = min(ends)[1]
        while end is not None:
            i = path[end]
            row_of[end] = i
            end = column_of.get(i)


def all_nearest_matchings(
    rows: tuple[int, ...], columns: tuple[int, ...], cells: frozenset[Cell] | None
) -> Iterator[tuple[Cell, ...]]:
    """Return an iterator of all largest matchings with the smallest distance, the sum of |i − j|.

    `rows` are candidate positions, `columns` are reference positions, and `cells` are the cells that may be used; None
    allows all of them.

    >>> list(all_nearest_matchings((0, 1), (5, 7), None))
    [((0, 5), (1, 7)), ((0, 7), (1, 5))]
    """
    worth: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, int]] = {}

    def best_size_and_distance(rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[int, int]:
        """Return the size and the distance of the best matching of these rows and columns."""
        if (rows, columns) not in worth:
            fill = nearest_matching(rows, columns) if cells is None else nearest_matching_within(rows, columns, cells)
            worth[rows, columns] = len(fill), sum([abs(i - j) for i, j in fill])
        return worth[rows, columns]

    def matchings_from(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[tuple[Cell, ...]]:
        """Yield the best matchings of these rows and columns, branching over the partner of the first row."""
        size, distance = best_size_and_distance(rows, columns)
        spend(2 + len(columns))
        if not size:
            yield ()
            return
        i, rest_rows = rows[0], rows[1:]
        for j in columns:
            if cells is None or (i, j) in cells:
                rest_columns = tuple([other for other in columns if other != j])
                if best_size_and_distance(rest_rows, rest_columns) == (size - 1, distance - abs(i - j)):
                    for rest in matchings_from(rest_rows, rest_columns):
                        yield (i, j), *rest
        if best_size_and_distance(rest_rows, columns) == (size, distance):
            yield from matchings_from(rest_rows, columns)

    return matchings_from(rows, columns)
