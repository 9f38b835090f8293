"""What a metric finds: marks in layers, statistics, the score with all its evidence, and what is as good."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, Literal, NamedTuple

from .arithmetic import Amount
from .marks import Hit, Mark, Neighbours, Relation, SkipBigram
from .segments import Segment
from .sequences import Deferred
from .settings import Settings

__version__ = "0.1.0"


class Cut(NamedTuple):
    """A run of which only the beginning counts: its number among the marks of its layer, its whole length, and why."""

    t: int
    length: int
    why: str


class Layer(NamedTuple):
    """Marks of one kind that entered the score together ("2-grams", "round 1").

    `credits[t]` is what `marks[t]` contributed and `weight` multiplies their sum; the layers that name a statistic
    add up to it. The next three fields say what a picture may claim: `path` that the marks rise in order and are one
    path, `area` that the square around a run is credited, `number` that the layer is a numbered round. `relation` says
    how the words of its cells go together; those of a substitution are "different".

    Nothing is read out of the name: `k` is the reference in which all the marks lie, where the metric says so; `kind`
    is the name of all layers of this sort ("rounds" of "round 2"); `noun` is what one of the marks, or a numbered layer
    itself, is called ("2-gram", "round"); `cut` is the run that was cut, if one was.
    `pooled` says that a mark counts once, whichever of the references has it: in which it lies is the picture's choice.
    `unit` is what marks lie on: words, or the letters of words, where the words of a cell need not be equal.
    """

    name: str
    marks: tuple[Mark, ...] | Deferred
    credits: tuple[float, ...]
    weight: float = 1.0
    statistics: tuple[str, ...] = ()
    path: bool = False
    area: bool = False
    number: int | None = None
    relation: Relation = "equal"
    k: int | None = None
    kind: str = ""
    noun: str = "mark"
    cut: Cut | None = None
    pooled: bool = False
    unit: Literal["word", "character"] = "word"

    def total(self) -> float:
        """The weighted sum of the credits."""
        return self.weight * math.fsum(self.credits)

    def cells(self) -> Iterable[Hit]:
        """The cells of all marks, in their order; a cell may come again."""
        if isinstance(self.marks, Deferred):
            return self.marks.cells()
        return chain.from_iterable([mark.cells() for mark in self.marks])


class Alignment(NamedTuple):
    """What a metric finds in one segment: statistics, the marks behind them, and which reference decided which part.

    `layers` is empty where only the statistics were asked for.
    """

    stats: Mapping[str, float]
    layers: tuple[Layer, ...]
    decides: Mapping[str, int]


class Score(NamedTuple, Generic[Amount]):
    """A score and its named parts, in the order in which they are read: numbers, or columns of them."""

    score: Amount
    parts: dict[str, Amount]


@dataclass(frozen=True, slots=True)
class Result:
    """One score with all its evidence.

    `parts` are the named numbers beside the score. `stats` are the statistics that the formula uses. `decides` names,
    for parts that come from one reference only, the number of that reference.
    """

    metric: str
    settings: Settings
    segment: Segment
    score: float
    parts: Mapping[str, float]
    stats: Mapping[str, float]
    layers: tuple[Layer, ...]
    decides: Mapping[str, int]

    def cells(self) -> set[Hit]:
        """All cells that some mark uses."""
        return {cell for layer in self.layers for cell in layer.cells()}

    def __hash__(self) -> int:
        """A result follows from these three, so it can be remembered by them."""
        return hash((self.metric, self.settings, self.segment))

    def adds_up(self) -> bool:
        """Whether the credits of all marks are parts of one sum: of the same statistics, and not matches and chunks."""
        return len({layer.statistics for layer in self.layers if layer.marks}) == 1

    def contributions(self) -> tuple[float, ...]:
        """For each reference the weighted credit of the marks that lie in it."""
        out = [0.0] * len(self.segment.references)
        for layer in self.layers:
            if isinstance(layer.marks, Deferred):
                if layer.marks:
                    out[_reference(layer.marks[0])] += layer.total()
                continue
            for mark, credit in zip(layer.marks, layer.credits, strict=True):
                out[_reference(mark)] += layer.weight * credit
        return tuple(out)

    def layer_titles(self) -> tuple[str, ...]:
        """What each layer is called among the others: its name, with its reference where several have that name."""
        names = [layer.name for layer in self.layers]
        return tuple(
            layer.name if layer.k is None or names.count(layer.name) == 1 else f"{layer.name}, reference {layer.k + 1}"
            for layer in self.layers
        )

    @property
    def unit(self) -> Literal["word", "letter"]:
        """What the metric counts, and so what a length is."""
        return "letter" if any(layer.unit == "character" for layer in self.layers) else "word"

    def signature(self, text: str = "") -> str:
        """What is needed to repeat the number: metric, settings, text processing, references, version."""
        return signature(self.metric, self.settings, text, len(self.segment.references))

    def to_dict(self) -> dict[str, Any]:
        """The whole result in JSON's types; marks become lists headed by their type."""
        return {
            "metric": self.metric,
            "signature": self.signature(),
            "settings": self.settings.to_dict(),
            "candidate": list(self.segment.candidate),
            "references": [list(r) for r in self.segment.references],
            "score": self.score,
            "parts": dict(self.parts),
            "stats": dict(self.stats),
            "decides": dict(self.decides),
            "layers": [
                {
                    "name": layer.name,
                    "weight": layer.weight,
                    "statistics": list(layer.statistics),
                    "unit": layer.unit,
                    "mark": type(layer.marks[0]).__name__ if layer.marks else None,
                    "marks": _plain(layer.marks),
                    "credits": list(layer.credits),
                }
                for layer in self.layers
            ],
        }


def signature(metric: str, settings: Settings, text: str, references: int | str) -> str:
    """The signature of scores with so many references, "var" where segments differ, as sacreBLEU writes it."""
    middle = f"{text}|" if text else ""
    return f"{metric}|{settings.signature()}{middle}refs:{references}|v:{__version__}"


def _reference(mark: Mark) -> int:
    return mark.first.k if isinstance(mark, SkipBigram | Neighbours) else mark.k


def _plain(marks: Any) -> Any:
    return [_plain(m) for m in marks] if isinstance(marks, tuple | Deferred) else marks


class UnusedMatchReason(NamedTuple):
    """What stands against a match that a result does not use, in words, which those of `mark` follow where it has one:
    "the word is in the longer run" and the run."""

    says: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Ties:
    """The alignments that are as good as the one of a result, itself included.

    There are `count` of them, or at least as many where `exact` is False. `results` are the first few, the result
    itself first, each with its own marks. `always` are the cells that all of them use and `sometimes` those that only
    some use, as far as they were found: neither where nothing could be searched. `depends` says whether the score
    depends on the choice among them, or among those that were found.
    """

    count: int
    exact: bool
    results: Sequence[Result]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]
    depends: bool = False


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The corpus value of a metric over `size` segments.

    `stats` are the sums of the segments' statistics, `segments` the statistics of each segment in turn.
    """

    metric: str
    settings: Settings
    size: int
    score: float
    parts: Mapping[str, float]
    stats: Mapping[str, float]
    segments: tuple[Mapping[str, float], ...] = field(default=(), repr=False)
