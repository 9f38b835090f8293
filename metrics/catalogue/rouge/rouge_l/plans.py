"""What exercises of ROUGE-L are made of."""

from __future__ import annotations

from ....teach.mistakes import in_common
from ....teach.plans import PRECISION_AND_RECALL, Part, Plan, Plans, one_more
from ....types import Result
from ..plans import apart


def _shows(result: Result) -> bool:
    """Whether some common word stands in another order, so that the longest common subsequence leaves it out."""
    candidate, references = result.segment
    return all(result.parts["lcs"] < in_common(candidate, reference) for reference in references)


_LCS = Part(
    "How many words has the longest common subsequence?",
    "the length of the LCS",
    slips=one_more,
    fraction=False,
    apart=apart("the length of LCS{}"),
)

PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"beta": 2.0})]),
    "longest common subsequences",
    shows=_shows,
    asked={**PRECISION_AND_RECALL, "lcs": _LCS},
)
