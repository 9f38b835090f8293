"""What exercises of PER are made of."""

from __future__ import annotations

from ...teach.optimal import of_pairings
from ...teach.plans import ExercisePlan, PartQuestion, Plans, one_more

_COMMON = PartQuestion(
    "How many words have the two bags in common?", "the number of common words", "", one_more, fraction=False
)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2)]),
    "ways to pair up equal words",
    of_pairings,
    part_questions={"common": _COMMON},
)
