"""What exercises of PER are made of."""

from __future__ import annotations

from ...teach.optimal import of_pairings
from ...teach.plans import Plan, Plans

PLANS = Plans(([Plan({})], [Plan({})], [Plan({}, 2)]), "ways to pair up equal words", of_pairings)
