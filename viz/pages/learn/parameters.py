"""Curves over a parameter to begin with: two candidates of which another is better, or another alignment is, from some
value on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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


class Preset(NamedTuple):
    """Two candidates and their reference, whose scores cross or jump as a parameter of a metric grows."""

    chapter: str
    metric: str
    parameter: str
    a: str
    b: str
    reference: str
    settings: dict[str, Any] = {}


PRESETS = (
    Preset(
        "gtm",
        "gtm",
        "exponent",
        "friday on close will bank the",
        "the bank will",
        "the bank will close on friday",
        {"solver": "exact"},
    ),
    Preset(
        "gtm",
        "gtm",
        "exponent",
        "we said they knew it all",
        "said they knew it",
        "we said they now knew it all but said they knew it",
        {"solver": "exact"},
    ),
    Preset(
        "lcs",
        "rouge_w",
        "weight",
        "on monday night rain may end very soon perhaps then",
        "rain will end on monday",
        "rain will end quite soon then on monday night",
        {"variant": "optimal"},
    ),
    Preset(
        "lcs",
        "rouge_l",
        "beta",
        "police quickly killed the armed gunman",
        "the gunman",
        "police killed the gunman",
    ),
    Preset(
        "skip_bigrams",
        "rouge_s",
        "max_skip",
        "the gunman police killed",
        "police kill the gunman",
        "police killed the gunman",
    ),
    Preset(
        "sia",
        "sia",
        "decay",
        "the press on monday met the minister",
        "the minister met the people in may",
        "the minister met the press on monday",
    ),
    Preset(
        "bleu",
        "bleu",
        "max_order",
        "the committee will vote again on the plan next month",
        "on the plan next week the committee will vote again",
        "the committee will vote again on the plan next week",
    ),
    Preset(
        "ribes",
        "ribes",
        "alpha",
        "he will now sign the contract",
        "he not did sign the contract",
        "he did not sign the contract",
    ),
    Preset(
        "meteor",
        "meteor",
        "alpha",
        "the storm closed two schools and a",
        "the storm closed two schools and a road late on monday night",
        "the storm closed two schools and a road",
        {"stages": ("exact", "stem")},
    ),
    Preset(
        "meteor",
        "meteor",
        "gamma",
        "gunman the killed police",
        "police killed the",
        "police killed the gunman",
        {"stages": ("exact", "stem")},
    ),
)


def presets_of(chapter: str) -> tuple[Preset, ...]:
    """The curves that belong to a chapter, by its key."""
    return tuple([preset for preset in PRESETS if preset.chapter == chapter])


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


def settings_of(preset: Preset) -> Settings:
    return metrics.settings(preset.metric, **preset.settings)


def segments_of(texts: Sequence[Texts]) -> tuple[Segment, ...]:
    return tuple([each.segment for each in texts])
