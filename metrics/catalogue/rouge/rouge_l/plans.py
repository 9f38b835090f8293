"""Define the exercises on ROUGE-L."""

from __future__ import annotations

from ....teach.mistakes import count_common
from ....teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans, missed_one_slip
from ....types import Result
from ..plans import count_per_reference


def _leaves_words_out(result: Result) -> bool:
    """Return whether some common word is not in the longest common subsequence, because its order differs."""
    candidate, references = result.segment
    return all(result.parts["lcs"] < count_common(candidate, reference) for reference in references)


_LCS = PartQuestion(
    "How many words does the longest common subsequence have?",
    "the length of the LCS",
    slips=missed_one_slip,
    fraction=False,
    separate_count=count_per_reference("the length of LCS{}"),
)

PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"beta": 2.0})]),
    "longest common subsequences",
    shows=_leaves_words_out,
    part_questions={**PRECISION_AND_RECALL, "lcs": _LCS},
)
