"""Define the exercises on BLEU; they use short n-grams because their sentences are short."""

from __future__ import annotations

from ...teach.optimal import count_clipped_choices
from ...teach.plans import BREVITY_PENALTY, ExercisePlan, PartQuestion, Plans

_PRECISIONS = {
    f"precision_{n}": PartQuestion(f"What is p{low}, the precision of the {noun}?", f"p{low}", f"p_{n}")
    for n, (low, noun) in enumerate(zip("₁₂₃₄", ("words", "2-grams", "3-grams", "4-grams"), strict=True), 1)
}

PLANS = Plans(
    (
        [ExercisePlan({"max_order": 2})],
        [ExercisePlan({"max_order": 2}), ExercisePlan({"max_order": 3})],
        [
            ExercisePlan({"max_order": 2}, 2),
            ExercisePlan({"max_order": 3}, 2),
            ExercisePlan({"max_order": 3, "smoothing": "add_k"}),
        ],
    ),
    "ways to choose the n-grams that count",
    count_clipped_choices,
    part_questions={**_PRECISIONS, **BREVITY_PENALTY},
)
