"""Define the exercises on METEOR; they do without WordNet, which may not be installed."""

from __future__ import annotations

from typing import Any

from ...teach.plans import PRECISION_AND_RECALL, ExercisePlan, PartQuestion, Plans, missed_one_slip
from ...types import Result

_EXACT: dict[str, Any] = {"stages": ("exact",)}
_STEMS: dict[str, Any] = {"stages": ("exact", "stem")}


def _chunk_slip(result: Result, value: float) -> list[tuple[float, str]]:
    return [
        (value - 1, "That is the number of breaks: there is one chunk more."),
        (result.stats["matches"], "That is the number of matches: those that follow each other are one chunk."),
    ]


PLANS = Plans(
    (
        [ExercisePlan(_EXACT)],
        [ExercisePlan(_EXACT)],
        [ExercisePlan(_STEMS, 2), ExercisePlan({**_STEMS, "gamma": 0.25})],
    ),
    "matchings",
    shows=lambda result: result.stats["chunks"] > 1,
    seldom_tied=True,
    parts=lambda result: {"matches": result.stats["matches"], **result.parts},
    part_questions={
        "matches": PartQuestion(
            "How many words match?", "the number of matches", slips=missed_one_slip, fraction=False
        ),
        **PRECISION_AND_RECALL,
        "chunks": PartQuestion("How many chunks are there?", "the number of chunks", slips=_chunk_slip, fraction=False),
        "fragmentation": PartQuestion("What is the fragmentation?", "the fragmentation"),
        "penalty": PartQuestion("What is the penalty?", "the penalty"),
    },
)
