"""What exercises of ROUGE-N are made of."""

from __future__ import annotations

from ....teach.optimal import of_pairings
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ....types import Result
from ..plans import matches


def _parts(result: Result) -> dict[str, float]:
    """The matches too, where P and R take them from one reference each."""
    matching = result.stats.get("precision_match")
    return dict(result.parts) if matching is None else {"matches": matching, **result.parts}


PLANS = Plans(
    (
        [ExercisePlan({})],
        [ExercisePlan({}), ExercisePlan({"order": 2})],
        [ExercisePlan({}, 2), ExercisePlan({"order": 2}, 2), ExercisePlan({"beta": 2.0})],
    ),
    "ways to pair up equal n-grams",
    of_pairings,
    parts=_parts,
    part_questions={"matches": matches("n-grams", "matches"), **PRECISION_AND_RECALL},
)
