"""What exercises of SIA are made of."""

from __future__ import annotations

from ...teach.plans import Part, Plan, Plans, unpunished

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"decay": 0.8})]),
    "choices of chains",
    shows=lambda result: len(result.layers) > 1,
    asked={
        "round_1": Part("What is the first round worth, before its decay?", "the first round", "round 1"),
        "length_penalty": Part("What is the length penalty?", "the length penalty", "length penalty", unpunished),
    },
)
