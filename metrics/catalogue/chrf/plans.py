"""Define the exercises on chrF; they use n-grams of one or two letters, which can be counted by hand."""

from __future__ import annotations

import math

from ...teach.ngrams import ngrams
from ...teach.optimal import count_matchings, deciding_references
from ...teach.plans import PRECISION_AND_RECALL, ExercisePlan, Plans
from ...text.letters import counted_text
from ...types import Result
from .score import ChrFSettings


def _count_pairings(result: Result) -> tuple[int, bool]:
    """Return the number of ways to pair equal letter n-grams of candidate and reference, and True.

    The second value says that all ways have the same score; for chrF this always holds, because only counts enter
    it."""
    settings = result.settings
    assert isinstance(settings, ChrFSettings)
    ours, *theirs = [
        counted_text(words, settings.whitespace) for words in (result.segment.candidate, *deciding_references(result))
    ]
    orders = range(1, settings.char_order + 1)
    return math.prod([count_matchings(ngrams(ours, n), ngrams(line, n)) for line in theirs for n in orders]), True


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
