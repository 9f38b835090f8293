"""Define the exercises on ROUGE-N."""

from __future__ import annotations

from ....teach.optimal import count_pairings
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ....types import Result
from ..plans import matches_question


def _parts_to_ask_for(result: Result) -> dict[str, float]:
    """Return the parts of the score that an exercise asks for.

    The number of matches is one of them if P comes from a single reference."""
    matching = result.stats.get("precision_match")
    return dict(result.parts) if matching is None else {"matches": matching, **result.parts}


PLANS = Plans(
    (
        [ExercisePlan({})],
        [ExercisePlan({}), ExercisePlan({"order": 2})],
        [ExercisePlan({}, 2), ExercisePlan({"order": 2}, 2), ExercisePlan({"beta": 2.0})],
    ),
    "ways to pair up equal n-grams",
    count_pairings,
    parts=_parts_to_ask_for,
    part_questions={"matches": matches_question("n-grams", "matches"), **PRECISION_AND_RECALL},
)
