"""Define the exercises on RIBES."""

from __future__ import annotations

from ...teach.plans import BREVITY_PENALTY, PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"alpha": 0.5})]),
    "alignments",
    lambda result: (1, True),
    shows=lambda result: result.stats["discordant"] > 0,
    seldom_tied=True,
    part_questions={
        "kendall": PartQuestion("What is kendall, the share of concordant pairs?", "kendall"),
        "precision": PRECISION_AND_RECALL["precision"]._replace(step="p"),
        **BREVITY_PENALTY,
    },
)
