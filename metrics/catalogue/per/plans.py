"""Define the exercises on PER."""

from __future__ import annotations

from ...teach.optimal import count_pairings
from ...teach.plans import ExercisePlan, PartQuestion, Plans, missed_one_slip

_COMMON = PartQuestion(
    "How many words have the two bags in common?", "the number of common words", "", missed_one_slip, fraction=False
)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2)]),
    "ways to pair up equal words",
    count_pairings,
    part_questions={"common": _COMMON},
)
