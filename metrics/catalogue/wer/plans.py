"""Define the exercises on WER."""

from __future__ import annotations

from ...teach.plans import EDITS, ExercisePlan, Plans
from ...types import Result


def _parts(result: Result) -> dict[str, float]:
    """Return the number of edits alone, as its division into kinds of edits depends on the script."""
    return {"edits": sum([result.parts[name] for name in ("substitutions", "insertions", "deletions")])}


PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2)]),
    "shortest scripts",
    parts=_parts,
    part_questions=EDITS,
)
