"""Define the exercises on SIA."""

from __future__ import annotations

from ...teach.plans import ExercisePlan, PartQuestion, Plans, missed_penalty_slip

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"decay": 0.8})]),
    "choices of chains",
    shows=lambda result: len(result.layers) > 1,
    part_questions={
        "round_1": PartQuestion("What is the first round worth, before its decay?", "the first round", "round 1"),
        "length_penalty": PartQuestion(
            "What is the length penalty?", "the length penalty", "length penalty", missed_penalty_slip
        ),
    },
)
