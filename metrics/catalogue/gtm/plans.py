"""What exercises of GTM are made of."""

from __future__ import annotations

from ...teach.plans import Plan, Plans

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"exponent": 3.0})]),
    "matchings",
    searching={"solver": "exact"},
)
