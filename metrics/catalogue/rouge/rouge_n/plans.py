"""What exercises of ROUGE-N are made of."""

from __future__ import annotations

from ....teach.optimal import of_pairings
from ....teach.plans import PRECISION_AND_RECALL, Plan, Plans
from ....types import Result
from ..plans import matches


def _parts(result: Result) -> dict[str, float]:
    """The matches too, where P and R take them from one reference each."""
    matching = result.stats.get("precision_match")
    return dict(result.parts) if matching is None else {"matches": matching, **result.parts}


PLANS = Plans(
    ([Plan({})], [Plan({}), Plan({"order": 2})], [Plan({}, 2), Plan({"order": 2}, 2), Plan({"beta": 2.0})]),
    "ways to pair up equal n-grams",
    of_pairings,
    parts=_parts,
    asked={"matches": matches("n-grams", "matches"), **PRECISION_AND_RECALL},
)
