"""What exercises of PER are made of."""

from __future__ import annotations

from ...teach.optimal import of_pairings
from ...teach.plans import Part, Plan, Plans, one_more

_COMMON = Part(
    "How many words have the two bags in common?", "the number of common words", "", one_more, fraction=False
)

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2)]), "ways to pair up equal words", of_pairings, asked={"common": _COMMON}
)
