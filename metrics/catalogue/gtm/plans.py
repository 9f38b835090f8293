"""What exercises of GTM are made of."""

from __future__ import annotations

from ...teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans
from ...types import Result


def _unrooted(result: Result, value: float) -> list[tuple[float, str]]:
    return [(result.stats["match_power"], "Forgot the root.")]


_SIZE = PartQuestion("How large is the matching?", "the size of the matching", "match size", _unrooted, fraction=False)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"exponent": 3.0})]),
    "matchings",
    part_questions={**PRECISION_AND_RECALL, "match_size": _SIZE},
    searching={"solver": "exact"},
)
