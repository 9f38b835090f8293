"""What exercises of RIBES are made of."""

from __future__ import annotations

from ...teach.plans import Plan, Plans

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"alpha": 0.5})]),
    "alignments",
    lambda result: (1, True),
    shows=lambda result: result.stats["discordant"] > 0,
    seldom_tied=True,
)
