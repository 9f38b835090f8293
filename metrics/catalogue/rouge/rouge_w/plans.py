"""Define the exercises on ROUGE-W, and count the common subsequences that have the largest weight."""

from __future__ import annotations

import math
from typing import Any

from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans
from ....types import Result, Run, Tokens
from ....types.work import spend
from ..plans import count_per_reference


def _count_best_sequences(result: Result) -> tuple[int, bool]:
    """Return how many common subsequences have the largest weight, and whether the result's are among them.

    They are not if the published procedure misses the maximum."""
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
    """Return the largest sum of length^weight over the runs of a common subsequence, and how many subsequences have it.

    >>> weighted_sequences(tuple("ab"), tuple("abxb"), 2.0)
    (4.0, 1)
    """
    spend(len(candidate) * (len(reference) + 1))
    # `best[i][j]` is the greatest sum for the first i and j words, and in how many ways it is reached. `before` and
    # `ends` have the same for sequences that end at a cell with a run of 1, 2 … words. Two runs taken as one weigh
    # more, so a sequence that splits a run is never best in the end.
    best = [[(0.0, 1)] * (len(reference) + 1) for _ in range(len(candidate) + 1)]
    before: dict[int, list[tuple[float, int]]] = {}
    for i, ours in enumerate(candidate):
        ends: dict[int, list[tuple[float, int]]] = {}
        for j, theirs in enumerate(reference):
            above, left_way, corner = best[i][j + 1], best[i + 1][j], best[i][j]
            ways = [above, left_way, (corner[0], -corner[1])]  # ways counted in both count once
            if ours == theirs:
                longer = before.get(j - 1, []) if weight > 1 else []
                spend(len(longer))
                ends[j] = [(corner[0] + 1.0, corner[1])]
                ends[j] += [
                    (worth + ((k + 1) ** weight - k**weight), count) for k, (worth, count) in enumerate(longer, 1)
                ]
                ways += ends[j]
            most = max(worth for worth, _ in ways)
            best[i + 1][j + 1] = most, sum([count for worth, count in ways if most - worth <= 1e-12 * most])
        before = ends
    return best[-1][-1]


_WLCS = PartQuestion(
    "What is WLCS, the sum of the runs' weights?", "WLCS", fraction=False, separate_count=count_per_reference("WLCS{}")
)

PLANS = Plans(
    (
        [ExercisePlan({"weight": 2.0})],
        [ExercisePlan({})],
        [ExercisePlan({}, 2), ExercisePlan({"weight": 2.0, "beta": 2.0})],
    ),
    "best common sequences",
    _count_best_sequences,
    part_questions={**PRECISION_AND_RECALL, "wlcs": _WLCS},
    searching={"variant": "optimal"},
)
