"""Define the exercises on ROUGE-S, and count the ways in which its pairs can be chosen."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ....teach.optimal import choices, deciding
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ....types import Result, Tokens
from ..plans import matches_question


def _count_pair_choices(result: Result) -> tuple[int, bool]:
    """Return the number of ways to choose the pairs, and True as all have the same score."""
    settings: Any = result.settings

    def pairs(words: Tokens) -> list[tuple[str, str]]:
        reach = len(words) if settings.max_skip is None else settings.max_skip + 1
        return [(words[a], words[b]) for a, b in combinations(range(len(words)), 2) if b - a <= reach]

    candidate, count = result.segment.candidate, 1
    for reference in deciding(result):
        count *= choices(pairs(candidate), [pairs(reference)])
        if settings.unigrams:
            count *= choices(candidate, [reference])
    return count, True


PLANS = Plans(
    (
        [ExercisePlan({})],
        [ExercisePlan({})],
        [ExercisePlan({}, 2), ExercisePlan({"max_skip": 2}), ExercisePlan({"unigrams": True})],
    ),
    "ways to choose the pairs that count",
    _count_pair_choices,
    part_questions={"skip2": matches_question("pairs", "SKIP2"), **PRECISION_AND_RECALL},
)
