"""What exercises of ROUGE-L are made of."""

from __future__ import annotations

from ....teach.mistakes import in_common
from ....teach.plans import Plan, Plans
from ....types import Result


def _shows(result: Result) -> bool:
    """Whether some common word stands in another order, so that the longest common subsequence leaves it out."""
    candidate, references = result.segment
    return all(result.parts["lcs"] < in_common(candidate, reference) for reference in references)


PLANS = Plans(
    ([Plan({})], [Plan({})], [Plan({}, 2), Plan({"beta": 2.0})]),
    "longest common subsequences",
    shows=_shows,
)
