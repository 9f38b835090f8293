"""Define the exercises on WER."""

from __future__ import annotations

from ...teach.plans import EDITS, ExercisePlan, Plans
from ...types import Result


def _parts_to_ask_for(result: Result) -> dict[str, float]:
    """Return the number of edits as the only part to ask for, since its kinds differ between equally short scripts."""
    return {"edits": sum([result.parts[name] for name in ("substitutions", "insertions", "deletions")])}


PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2)]),
    "shortest scripts",
    parts=_parts_to_ask_for,
    part_questions=EDITS,
)
