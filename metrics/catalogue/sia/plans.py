"""What exercises of SIA are made of."""

from __future__ import annotations

from ...teach.plans import Plan, Plans

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"decay": 0.8})]),
    "choices of chains",
    shows=lambda result: len(result.layers) > 1,
)
