"""The record of people's judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class RatingScale(NamedTuple):
    """What people rated on, such as adequacy or MQM. `higher_is_better` is false of ranks and of counts of errors,
    which stand as they were given; `low` and `high` bound it, where that is known."""

    name: str
    higher_is_better: bool = True
    low: float | None = None
    high: float | None = None


class ErrorSpan(NamedTuple):
    """An error that a judge marked: letters `start` to `end`, half-open and from 0, of the output of a system, or of
    the source, in a segment; system, segment and judge by their places in the record. `segment` is from 0."""

    system: int
    segment: int
    judge: int
    side: Literal["target", "source"]
    start: int
    end: int
    category: str
    severity: str


@dataclass(frozen=True, slots=True, eq=False)
class JudgementRecord:
    """Judgements of the outputs of some systems, in the systems' order.

    `ratings` are by the scale's name systems × segments × judges, NaN where a judge gave none. `notices` are sentences
    about what was read and left out.
    """

    systems: tuple[str, ...]
    size: int
    judges: tuple[str, ...]
    scales: tuple[RatingScale, ...]
    ratings: Mapping[str, Array]
    spans: tuple[ErrorSpan, ...] = ()
    notices: tuple[str, ...] = ()

    def means(self, scale: str) -> Array:
        """Systems × segments: the mean over the judges who rated, NaN where none did.

        >>> ratings = np.array([[[1.0, 3.0], [np.nan, 2.0], [np.nan, np.nan]]])
        >>> JudgementRecord(("A",), 3, ("x", "y"), (RatingScale("esa"),), {"esa": ratings}).means("esa").tolist()
        [[2.0, 2.0, nan]]
        """
        each = self.ratings[scale]
        is_rated = ~np.isnan(each)
        count = is_rated.sum(axis=2)
        sums = np.where(is_rated, each, 0.0).sum(axis=2)
        means: Array = np.divide(sums, count, out=np.full(count.shape, np.nan), where=count > 0)
        return means

    def better(self, scale: str) -> Array:
        """The same with its sign turned where lower is better, so that higher is better always."""
        chosen_scale = next(each for each in self.scales if each.name == scale)
        return self.means(scale) if chosen_scale.higher_is_better else -self.means(scale)
