"""What exercises of BLEU are made of: short n-grams, since their sentences are short."""

from __future__ import annotations

from ...teach.optimal import of_clipping
from ...teach.plans import Plan, Plans

PLANS = Plans(
    (
        [Plan({"max_order": 2})],
        [Plan({"max_order": 2}), Plan({"max_order": 3})],
        [Plan({"max_order": 2}, 2), Plan({"max_order": 3}, 2), Plan({"max_order": 3, "smoothing": "add_k"})],
    ),
    "ways to choose the n-grams that count",
    of_clipping,
)
