"""The texts of a curve over a parameter, as they are typed, and the curve."""

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

#: What a curve, which takes some hundred scores, has room for.
ROOM = TextRoom(
    words=40,
    ask="A curve needs two candidates and a reference.",
    advice="",
    fit="fit a curve",
    shorten="Shorten it to see the curve.",
)


def read(a: str, b: str, reference: str) -> tuple[ProcessedTexts, ProcessedTexts] | MissingText:
    """The texts of two candidates and one reference, or what is missing or too long."""
    systems = (("Candidate A", a), ("Candidate B", b))
    texts = inputs.read_systems(systems, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, MissingText):
        return texts
    first, second = texts
    return (first, second) if first.candidate and second.candidate else ROOM.ask_for(MissingKind.CANDIDATE, "")


@remembered
def curve(key: str, segments: tuple[Segment, ...], settings: Settings, parameter: str) -> ParameterCurve | Problem:
    """The curve of a metric's parameter, or why there is none."""
    metric = metrics.METRICS[key]
    return cache.bounded(metric.label, lambda: curves.curve(metric, segments, settings, parameter), 10 * cache.WORK)


def segments_of(texts: Sequence[ProcessedTexts]) -> tuple[Segment, ...]:
    return tuple([each.segment for each in texts])
