"""The types for human judgements of a corpus: scales, marked errors, and the record of all judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...types.columns import mean_of_known

Array = NDArray[np.float64]


class RatingScale(NamedTuple):
    """A scale on which people rated outputs, such as adequacy or MQM.

    Attributes:
        name: the name of the scale.
        higher_is_better: False for ranks and counts of errors; the ratings themselves are kept as given.
        low: the lowest possible rating, None if unknown.
        high: the highest possible rating, None if unknown."""

    name: str
    higher_is_better: bool = True
    low: float | None = None
    high: float | None = None

    @property
    def sign(self) -> int:
        """Return what turns ratings so that a higher one is better: 1 or -1."""
        return 1 if self.higher_is_better else -1


class ErrorSpan(NamedTuple):
    """An error that a judge marked in an output or in a source text.

    Attributes:
        system: the index of the system in the record.
        segment: the segment, from 0.
        judge: the index of the judge in the record.
        side: whether the output ("target") or the source is marked.
        start: the first marked letter, from 0.
        end: the position after the last marked letter.
        category: the kind of error, "" if none was given.
        severity: the severity, "" if none was given."""

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
    """Human judgements of the outputs of several systems.

    Attributes:
        systems: the names of the systems, in the order of the texts.
        size: the number of segments.
        judges: the names of the judges, sorted.
        scales: the scales of the ratings; empty if there are only marked errors.
        ratings: for each scale, by name, an array of systems × segments × judges; NaN where a judge gave no rating.
        spans: the marked errors.
        notices: sentences for the user about what was read and what was left out."""

    systems: tuple[str, ...]
    size: int
    judges: tuple[str, ...]
    scales: tuple[RatingScale, ...]
    ratings: Mapping[str, Array]
    spans: tuple[ErrorSpan, ...] = ()
    notices: tuple[str, ...] = ()

    def means(self, scale: str) -> Array:
        """Return each output's mean rating over the judges, as an array of systems × segments; NaN where nobody rated.

        `scale` is the name of a scale of this record.

        >>> ratings = np.array([[[1.0, 3.0], [np.nan, 2.0], [np.nan, np.nan]]])
        >>> JudgementRecord(("A",), 3, ("x", "y"), (RatingScale("esa"),), {"esa": ratings}).means("esa").tolist()
        [[2.0, 2.0, nan]]
        """
        return mean_of_known(self.ratings[scale])

    def oriented_means(self, scale: str) -> Array:
        """Return each output's mean rating, negated if lower is better on the scale, so that higher is always better.

        The array has the shape systems × segments, with NaN where nobody rated. `scale` is the name of a scale."""
        return self.scale(scale).sign * self.means(scale)

    def scale(self, name: str) -> RatingScale:
        """Return the rating scale with this name; raises KeyError if there is none."""
        for each in self.scales:
            if each.name == name:
                return each
        raise KeyError(name)
