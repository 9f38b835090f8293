"""Define the exercises on GTM."""

from __future__ import annotations

from ...teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans

_SIZE = PartQuestion(
    "How large is the matching?",
    "the size of the matching",
    "match size",
    lambda result, value: [(result.stats["match_power"], "Forgot the root.")],
    fraction=False,
)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"exponent": 3.0})]),
    "matchings",
    part_questions={**PRECISION_AND_RECALL, "match_size": _SIZE},
    searching={"solver": "exact"},
)
