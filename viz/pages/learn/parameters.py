"""The texts of a curve over a parameter, as they are typed, and the curve."""

from __future__ import annotations

from collections.abc import Sequence

import metrics
from metrics.analysis import curves
from metrics.analysis.curves import Curve
from metrics.text import TextSettings
from metrics.types import Segment, Settings

from ...draw.texts import Texts
from ...state import cache, inputs
from ...state.cache import Problem
from ...state.inputs import Kind, Missing, Room
from ...state.memory import remembered

#: What a curve, which takes some hundred scores, has room for.
ROOM = Room(
    words=40,
    ask="A curve needs two candidates and a reference.",
    then="",
    fit="fit a curve",
    shorten="Shorten it to see the curve.",
)


def read(a: str, b: str, reference: str) -> tuple[Texts, Texts] | Missing:
    """The texts of two candidates and one reference, or what is missing or too long."""
    systems = (("Candidate A", a), ("Candidate B", b))
    found = inputs.read_systems(systems, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(found, Missing):
        return found
    first, second = found
    return (first, second) if first.candidate and second.candidate else ROOM.asked(Kind.CANDIDATE, "")


@remembered
def curve(key: str, segments: tuple[Segment, ...], settings: Settings, parameter: str) -> Curve | Problem:
    """The curve of a metric's parameter, or why there is none."""
    metric = metrics.METRICS[key]
    return cache.bounded(metric.label, lambda: curves.curve(metric, segments, settings, parameter), 10 * cache.WORK)


def segments_of(texts: Sequence[Texts]) -> tuple[Segment, ...]:
    return tuple([each.segment for each in texts])
