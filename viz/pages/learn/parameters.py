"""Read the sentences that a reader typed for a curve over a parameter of a metric, and compute the curve."""

from __future__ import annotations

from collections.abc import Sequence

import metrics
from metrics.analysis import curves
from metrics.analysis.curves import ParameterCurve
from metrics.text import TextSettings
from metrics.types import Segment, Settings

from ...draw.texts import ProcessedTexts
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.results.memory import remembered
from ...state.texts import inputs
from ...state.texts.inputs import MissingKind, MissingText, TextLimits

#: The size limits of a curve's texts; a curve takes a few hundred scores.
ROOM = TextLimits(
    words=40,
    ask="A curve needs two candidates and a reference.",
    advice="",
    fit="fit a curve",
    shorten="Shorten it to see the curve.",
)


def read_texts(a: str, b: str, reference: str) -> tuple[ProcessedTexts, ProcessedTexts] | MissingText:
    """Return the processed texts of the candidates `a` and `b` over one reference.

    Return a message if one of them is missing or too long."""
    systems = (("Candidate A", a), ("Candidate B", b))
    texts = inputs.read_systems(systems, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, MissingText):
        return texts
    first, second = texts
    return (first, second) if first.candidate and second.candidate else ROOM.ask_for(MissingKind.CANDIDATE, "")


@remembered
def compute_curve(
    key: str, segments: tuple[Segment, ...], settings: Settings, parameter: str
) -> ParameterCurve | Problem:
    """Return the curve of the segments' scores over a parameter of the metric `key`, or a `Problem`."""
    metric = metrics.METRICS[key]
    return cache.bounded(
        metric.label, lambda: curves.parameter_curve(metric, segments, settings, parameter), 10 * cache.WORK
    )


def segments_of(texts: Sequence[ProcessedTexts]) -> tuple[Segment, ...]:
    """Return the segment of each of the processed texts."""
    return tuple([each.segment for each in texts])
