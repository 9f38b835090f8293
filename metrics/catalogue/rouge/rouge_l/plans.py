"""What exercises of ROUGE-L are made of."""

from __future__ import annotations

from ....teach.mistakes import in_common
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans, one_more
from ....types import Result
from ..plans import count_apart


def _shows(result: Result) -> bool:
    """Whether some common word stands in another order, so that the longest common subsequence leaves it out."""
    candidate, references = result.segment
    return all(result.parts["lcs"] < in_common(candidate, reference) for reference in references)


_LCS = PartQuestion(
    "How many words has the longest common subsequence?",
    "the length of the LCS",
    slips=one_more,
    fraction=False,
    separate_count=count_apart("the length of LCS{}"),
)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"beta": 2.0})]),
    "longest common subsequences",
    shows=_shows,
    part_questions={**PRECISION_AND_RECALL, "lcs": _LCS},
)
