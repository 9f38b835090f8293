"""What exercises of ROUGE-N are made of."""

from __future__ import annotations

from ....teach.optimal import of_pairings
from ....teach.plans import PRECISION_AND_RECALL, Plan, Plans

PLANS = Plans(
    ([Plan({})], [Plan({}), Plan({"order": 2})], [Plan({}, 2), Plan({"order": 2}, 2), Plan({"beta": 2.0})]),
    "ways to pair up equal n-grams",
    of_pairings,
    asked=PRECISION_AND_RECALL,
)
