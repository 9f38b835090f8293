"""Define the exercises on ROUGE-S, and count in how many ways equal pairs of words can be matched."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ....teach.optimal import count_choices, deciding_references
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ....types import Result, Tokens
from ..plans import matches_question


def _count_pair_choices(result: Result) -> tuple[int, bool]:
    """Return the number of ways to match equal pairs of words of candidate and reference, and True.

    The second value says that all ways have the same score; here this always holds, because only counts enter it."""
    settings: Any = result.settings

    def pairs(words: Tokens) -> list[tuple[str, str]]:
        reach = len(words) if settings.max_skip is None else settings.max_skip + 1
        return [(words[a], words[b]) for a, b in combinations(range(len(words)), 2) if b - a <= reach]

    candidate, count = result.segment.candidate, 1
    for reference in deciding_references(result):
        count *= count_choices(pairs(candidate), [pairs(reference)])
        if settings.unigrams:
            count *= count_choices(candidate, [reference])
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
