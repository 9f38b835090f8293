"""What exercises of ROUGE-W are made of, and how many common sequences have the most weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans
from ....types import Result, Run, Tokens
from ....types.work import spend
from ..plans import count_apart


def _of_weighted_sequences(result: Result) -> tuple[int, bool]:
    """The common sequences of the most weight; unknown where the procedure has missed that."""
    settings: Any = result.settings
    count, unique = 1, True
    for k in dict.fromkeys(result.decides.values()):
        marks = next(layer.marks for layer in result.layers if layer.k == k)
        path_weight = math.fsum([mark.length**settings.weight for mark in marks if isinstance(mark, Run)])
        best, often = weighted_sequences(result.segment.candidate, result.segment.references[k], settings.weight)
        count *= often
        unique = unique and abs(best - path_weight) < 1e-9
    return count, unique


def weighted_sequences(candidate: Tokens, reference: Tokens, weight: float) -> tuple[float, int]:
    """The greatest sum of the runs' lengths to the power of the weight, and how many common sequences have it.

    >>> weighted_sequences(tuple("ab"), tuple("abxb"), 2.0)
    (4.0, 1)
    """
    spend(len(candidate) * (len(reference) + 1))
    # What is best in all cells above and left of (i, j), by row and column, and in how many ways; of a run of each
    # length that ends in a cell. Two runs taken as one weigh more, so that what splits a run is never best in the end.
    best = [[(0.0, 1)] * (len(reference) + 1) for _ in range(len(candidate) + 1)]
    before: dict[int, list[tuple[float, int]]] = {}
    for i, ours in enumerate(candidate):
        ends: dict[int, list[tuple[float, int]]] = {}
        for j, theirs in enumerate(reference):
            above, left_way, corner = best[i][j + 1], best[i + 1][j], best[i][j]
            ways = [above, left_way, (corner[0], -corner[1])]  # what is in both is counted once
            if ours == theirs:
                longer = before.get(j - 1, []) if weight > 1 else []
                spend(len(longer))
                ends[j] = [_plus(corner, 1.0)]
                ends[j] += [_plus(way, (k + 1) ** weight - k**weight) for k, way in enumerate(longer, 1)]
                ways += ends[j]
            best[i + 1][j + 1] = _best(ways)
        before = ends
    return best[-1][-1]


def _plus(way: tuple[float, int], worth: float) -> tuple[float, int]:
    return way[0] + worth, way[1]


def _best(ways: Sequence[tuple[float, int]]) -> tuple[float, int]:
    most = max(worth for worth, _ in ways)
    return most, sum([count for worth, count in ways if most - worth <= 1e-12 * most])


_WLCS = PartQuestion(
    "What is WLCS, the sum of the runs' weights?", "WLCS", fraction=False, separate_count=count_apart("WLCS{}")
)

PLANS = Plans(
    (
        [ExercisePlan({"weight": 2.0})],
        [ExercisePlan({})],
        [ExercisePlan({}, 2), ExercisePlan({"weight": 2.0, "beta": 2.0})],
    ),
    "best common sequences",
    _of_weighted_sequences,
    part_questions={**PRECISION_AND_RECALL, "wlcs": _WLCS},
    searching={"variant": "optimal"},
)
