"""The beam search of METEOR 1.5, which finds a matching: it processes the columns and keeps the best partial paths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import TypeAlias

from ..types.work import spend
from .edits import linked_list_items
from .meteor_cells import Cell

#: The number of paths that the beam search keeps, as in METEOR 1.5.
BEAM = 40


#: The matches of a path as a linked list, the last one first.
_Chain: TypeAlias = "tuple[Cell, _Chain] | None"
_Path: TypeAlias = tuple[int, int, bytearray, _Chain]

_FIRST = itemgetter(0)

#: The cost of a chunk and of a weight of 1, in units of distance. A chunk costs more than the distance of any path, and
#: a weight of 1 more than all chunks.
_CHUNK, _WEIGHT = 1 << 50, 1 << 80


def beam_search_matching(choices: Sequence[Sequence[tuple[int, int]]], length: int) -> tuple[Cell, ...]:
    """Return the cells of the matching that METEOR 1.5 finds.

    `choices[j]` are the possible matches of reference position j, as pairs (weight, candidate position); `length` is
    the number of candidate words. The search goes through the reference positions and keeps the best `BEAM` partial
    paths by weight, then chunks, then distance. It follows the authors' program in every detail, since its scores
    depend on them: words that have no choice are matched beforehand; a chunk counts when it ends; and the distance of a
    match is added not to the path that takes it, but to the paths tried after it at the same position.
    """
    covered = Counter([i for column in choices for _, i in column])
    # Each path: its cost, the row after its last match if a chunk is open (else −1), its used rows, its cells.
    paths: list[_Path] = [(0, -1, bytearray(length), None)]
    for j, column in enumerate(choices):
        spend(3 + len(paths) // 4)
        if len(column) == 1 and covered[column[0][1]] == 1:
            weight, i = column[0]
            added = abs(i - j) - weight * _WEIGHT
            paths = [
                (worth + added + (_CHUNK if last not in (-1, i) else 0), i + 1, used, ((i, j), cells))
                for worth, last, used, cells in paths
            ]
        else:
            longer = _best_extensions(paths, column, j)
            paths = [_extend_path(worth, i, j, path) for worth, i, path in longer]
        paths.sort(key=_FIRST)
    ended_paths = [(worth + (_CHUNK if last != -1 else 0), cells) for worth, last, _, cells in paths]
    return tuple(sorted(linked_list_items(min(ended_paths, key=_FIRST)[1])))


def _best_extensions(paths: Sequence[_Path], column: Sequence[tuple[int, int]], j: int) -> list[tuple[int, int, _Path]]:
    """Return the best `BEAM` extensions of the partial paths at column `j`, as (cost, row, path).

    `column` has the possible matches of the column as (weight, row), sorted by descending weight. The row of an
    extension is −1 if the column stays unmatched. On ties, extensions of earlier paths come first.

    Building all extensions of all paths would take too long. The extensions of one path have ascending cost, except
    those that continue its chunk. So once `BEAM` extensions are known that are no worse than the next one, only those
    that continue a chunk are still looked for.
    """
    longer: list[tuple[int, int, _Path]] = []
    bound = math.inf  # at least BEAM of the extensions found so far cost no more than this
    places: dict[int, list[int]] = {}
    for t, (_, i) in enumerate(column):
        places.setdefault(i, []).append(t)
    ways_scanned = 0
    for path in paths:
        worth, last, used, _ = path
        ended = _CHUNK if last != -1 else 0
        end = len(column)
        for t, (weight, i) in enumerate(column):
            if used[i]:
                continue
            way_worth = worth - weight * _WEIGHT
            if i == last:
                longer.append((way_worth, i, path))
            elif way_worth + ended < bound:
                longer.append((way_worth + ended, i, path))
            else:
                end = t
                break
            worth += abs(i - j)
        ways_scanned += end
        if end == len(column):
            longer.append((worth + ended, -1, path))
        elif last in places and not used[last]:
            for place in places[last]:
                if place > end:
                    ways_scanned += place - end
                    worth += sum([abs(i - j) for _, i in column[end:place] if not used[i]])
                    longer.append((worth - column[place][0] * _WEIGHT, last, path))
                    end = place
        if len(longer) > 2 * BEAM:
            longer.sort(key=_FIRST)
            del longer[BEAM:]
            bound = longer[-1][0]
    spend(90 + ways_scanned // 12)
    longer.sort(key=_FIRST)
    return longer[:BEAM]


def _extend_path(new_cost: int, i: int, j: int, path: _Path) -> _Path:
    """Return the path extended at column `j` by row `i`, or by no match if `i` is −1.

    `new_cost` is the cost of the new path.
    """
    _, _, used, cells = path
    if i < 0:
        return new_cost, -1, used, cells
    used = used.copy()
    used[i] = 1
    return new_cost, i + 1, used, ((i, j), cells)
