"""Read the typed texts of a curve over a parameter, and compute the curve."""

from __future__ import annotations

from collections.abc import Sequence

import metrics
from metrics.analysis import curves
from metrics.analysis.curves import ParameterCurve
from metrics.text import TextSettings
from metrics.types import Segment, Settings

from ...draw.texts import ProcessedTexts
from ...state import cache, inputs
from ...state.cache import Problem
from ...state.inputs import MissingKind, MissingText, TextRoom
from ...state.memory import remembered

#: The size limits of a curve's texts; a curve takes a few hundred scores.
ROOM = TextRoom(
    words=40,
    ask="A curve needs two candidates and a reference.",
    advice="",
    fit="fit a curve",
    shorten="Shorten it to see the curve.",
)


def read(a: str, b: str, reference: str) -> tuple[ProcessedTexts, ProcessedTexts] | MissingText:
    """Return the texts of two candidates over one reference, or a message on what is missing or too long."""
    systems = (("Candidate A", a), ("Candidate B", b))
    texts = inputs.read_systems(systems, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, MissingText):
        return texts
    first, second = texts
    return (first, second) if first.candidate and second.candidate else ROOM.ask_for(MissingKind.CANDIDATE, "")


@remembered
def curve(key: str, segments: tuple[Segment, ...], settings: Settings, parameter: str) -> ParameterCurve | Problem:
    """Return the curve of scores over a metric's parameter, or the reason why it cannot be computed."""
    metric = metrics.METRICS[key]
    return cache.bounded(metric.label, lambda: curves.curve(metric, segments, settings, parameter), 10 * cache.WORK)


def segments_of(texts: Sequence[ProcessedTexts]) -> tuple[Segment, ...]:
    """Return the segments of the texts."""
    return tuple([each.segment for each in texts])
