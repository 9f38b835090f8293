"""What exercises of METEOR are made of: without WordNet, which a machine may lack."""

from __future__ import annotations

from typing import Any

from ...teach.plans import Plan, Plans
from ...types import Result

_EXACT: dict[str, Any] = {"stages": ("exact",)}
_STEMS: dict[str, Any] = {"stages": ("exact", "stem")}


def _joined(result: Result) -> set[int]:
    return {cell.i for cell in result.cells()}


PLANS = Plans(
    ([Plan(_EXACT)], [Plan(_EXACT)], [Plan(_STEMS, 2), Plan({**_STEMS, "gamma": 0.25})]),
    "matchings",
    shows=lambda result: result.stats["chunks"] > 1,
    seldom_tied=True,
    joined=_joined,
)
