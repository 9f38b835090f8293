"""Define the exercises on NIST; they use short n-grams because their sentences are short."""

from __future__ import annotations

from ...teach.optimal import count_clipped_choices
from ...teach.plans import BREVITY_PENALTY, ExercisePlan, PartQuestion, Plans

_INFORMATION = {
    f"information_{n}": PartQuestion(f"How many bits is I{low}, the information of the {n}-grams?", f"I{low}")
    for n, low in enumerate("₁₂₃₄", 1)
}

PLANS = Plans(
    ([ExercisePlan({"max_order": 1})], [ExercisePlan({"max_order": 2})], [ExercisePlan({"max_order": 2}, 2)]),
    "ways to choose the n-grams that count",
    count_clipped_choices,
    part_questions={**_INFORMATION, **BREVITY_PENALTY},
)
