"""Define the exercises on chrF; they use n-grams of one or two letters, which can be counted by hand."""

from __future__ import annotations

import math

from ...teach.ngrams import ngrams
from ...teach.optimal import deciding, pairings
from ...teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ...text.letters import counted_text
from ...types import Result
from .score import ChrFSettings


def _count_pairings(result: Result) -> tuple[int, bool]:
    """Return the number of ways to pair up equal n-grams of letters in all orders.

    The second value is True: all these ways give the same score."""
    settings = result.settings
    assert isinstance(settings, ChrFSettings)
    ours, *theirs = [
        counted_text(words, settings.whitespace) for words in (result.segment.candidate, *deciding(result))
    ]
    orders = range(1, settings.char_order + 1)
    return math.prod([pairings(ngrams(ours, n), ngrams(line, n)) for line in theirs for n in orders]), True


PLANS = Plans(
    (
        [ExercisePlan({"char_order": 1}), ExercisePlan({"char_order": 2})],
        [ExercisePlan({"char_order": 1}), ExercisePlan({"char_order": 2})],
        [
            ExercisePlan({"char_order": 2}, 2),
            ExercisePlan({"char_order": 2, "beta": 1.0}),
            ExercisePlan({"char_order": 1, "word_order": 1}),
        ],
    ),
    "ways to pair up equal n-grams",
    _count_pairings,
    part_questions=PRECISION_AND_RECALL,
)
