"""The records of what a metric finds in a segment or a corpus: marks in layers, statistics, scores and ties."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Sized
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
    """The note that GTM's cap shortened a run, so that only the beginning of the run counts.

    Attributes:
        t: the index of the run among the marks of its layer.
        length: the length of the whole run in words.
        why: the reason, for the reader.
    """

    t: int
    length: int
    why: str


class Layer(NamedTuple):
    """Marks of one kind that entered the score together, such as "2-grams" or "round 1".

    The weighted credits of all layers that name a statistic sum to that statistic. No code parses `name`: whatever code
    needs to know is a field of its own.

    Attributes:
        name: the title of the layer.
        marks: the marks of the layer.
        credits: `credits[t]` is what `marks[t]` contributed.
        weight: the factor that multiplies the sum of the credits.
        statistics: the names of the statistics that the layer adds to.
        path: whether the marks rise in order and form one path.
        area: whether a run is credited for the square around it.
        number: the number of the layer, if it is a numbered round.
        relation: the relation between the two words of each cell; "different" for substitutions.
        k: the index of the reference in which all the marks lie, where the metric fixes it.
        kind: the common name of all layers of this sort, such as "rounds" for "round 2".
        noun: the name of one mark, such as "2-gram", or of the layer itself where it is numbered, such as "round".
        cut: the run that was shortened, if there is one.
        pooled: whether a mark counts once whichever reference has it; the drawing then chooses a reference.
        unit: whether marks lie on words or on the letters of words; with letters, the words of a cell need not be
            equal.
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
        """Return what this layer adds to its statistics: the sum of the credits times the weight."""
        return self.weight * math.fsum(self.credits)

    def cells(self) -> Iterable[Hit]:
        """Yield the cells of all marks of this layer, mark by mark; a cell may occur more than once."""
        if isinstance(self.marks, Deferred):
            return self.marks.cells()
        return chain.from_iterable([mark.cells() for mark in self.marks])


class Alignment(NamedTuple):
    """The output of a metric's `align` for one segment.

    Attributes:
        stats: the statistics by name.
        layers: the marks behind the statistics; empty if only the statistics were requested.
        decides: for each part that comes from one reference, the index of that reference.
    """

    stats: Mapping[str, float]
    layers: tuple[Layer, ...]
    decides: Mapping[str, int]


class Score(NamedTuple, Generic[Amount]):
    """A score and its named parts, in the order in which they are shown: single numbers, or columns of numbers."""

    score: Amount
    parts: dict[str, Amount]


@dataclass(frozen=True, slots=True)
class Result:
    """The score of one segment by one metric, with all its evidence.

    Attributes:
        metric: the key of the metric.
        settings: the settings of the metric.
        segment: the candidate and its references.
        score: the value of the metric.
        parts: the named values next to the score, such as precision and recall.
        stats: the statistics that the formula uses.
        layers: the marks behind the statistics.
        decides: for each part that comes from one reference only, the index of that reference.
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
        """Return the cells of the grid that at least one mark of this result covers."""
        return {cell for layer in self.layers for cell in layer.cells()}

    def __hash__(self) -> int:
        """Return the hash of metric, settings and segment, from which everything else in a result follows."""
        return hash((self.metric, self.settings, self.segment))

    def adds_up(self) -> bool:
        """Return whether the credits of all marks of this result are parts of one sum.

        That is so if all layers add to the same statistics. It is not so for a metric whose layers are, for example,
        matches and chunks.
        """
        return len({layer.statistics for layer in self.layers if layer.marks}) == 1

    def contributions(self) -> tuple[float, ...]:
        """Return, for each reference, the sum of the weighted credits of the marks that lie in it."""
        out = [0.0] * len(self.segment.references)
        for layer in self.layers:
            if isinstance(layer.marks, Deferred):
                if layer.marks:
                    out[_reference_of(layer.marks[0])] += layer.total()
                continue
            for mark, credit in zip(layer.marks, layer.credits, strict=True):
                out[_reference_of(mark)] += layer.weight * credit
        return tuple(out)

    def layer_titles(self) -> tuple[str, ...]:
        """Return a title for each layer of this result: its name, and the reference where several share a name."""
        names = [layer.name for layer in self.layers]
        return tuple(
            layer.name if layer.k is None or names.count(layer.name) == 1 else f"{layer.name}, reference {layer.k + 1}"
            for layer in self.layers
        )

    @property
    def unit(self) -> Literal["word", "letter"]:
        """Return whether the metric counts words or letters; its lengths are in the same unit."""
        return "letter" if any(layer.unit == "character" for layer in self.layers) else "word"

    def signature(self, text: str = "") -> str:
        """Return, in one line, what is needed to repeat this score: metric, settings, text, references, version.

        `text` is the signature of the text processing.
        """
        return signature(self.metric, self.settings, text, len(self.segment.references))

    def to_dict(self) -> dict[str, Any]:
        """Return this result as plain values for JSON; a mark becomes a list, and a layer names its marks' type."""
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
                    "marks": _plain_marks(layer.marks),
                    "credits": list(layer.credits),
                }
                for layer in self.layers
            ],
        }


def reference_count(references: Iterable[Sized]) -> int | str:
    """Return how many references each segment has, "var" where the number differs, as signatures have it.

    >>> reference_count([("a", "b"), ("c", "d")]), reference_count([("a", "b"), ("c",)])
    (2, 'var')
    """
    counts = {len(each) for each in references}
    return counts.pop() if len(counts) == 1 else "var"


def signature(metric: str, settings: Settings, text: str, references: int | str) -> str:
    """Return, in one line, what is needed to repeat a metric's scores, in the form of sacreBLEU's signatures.

    `text` is the signature of the text processing. `references` is the number of references of a segment, or "var"
    where it differs.
    """
    middle = f"{text}|" if text else ""
    return f"{metric}|{settings.signature()}{middle}refs:{references}|v:{__version__}"


def _reference_of(mark: Mark) -> int:
    return mark.first.k if isinstance(mark, SkipBigram | Neighbours) else mark.k


def _plain_marks(marks: Any) -> Any:
    return [_plain_marks(m) for m in marks] if isinstance(marks, tuple | Deferred) else marks


class UnusedMatchReason(NamedTuple):
    """The reason why a result does not use a match.

    Attributes:
        says: a clause in words, such as "the word is in the longer run"; the words of `mark` follow it, if there is
            one.
        mark: the mark that excludes the match, such as that run.
    """

    says: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Ties:
    """The alignments of a segment that the metric could have chosen equally well, the chosen one included.

    Attributes:
        count: how many there are, or a lower bound of that.
        exact: whether `count` is exact.
        results: the first few of them as results with their own marks; the chosen one comes first.
        always: the cells that all alignments found so far use; empty where nothing could be searched.
        sometimes: the cells that only some of them use; empty where nothing could be searched.
        depends: whether the score depends on the choice among the alignments that were found.
    """

    count: int
    exact: bool
    results: Sequence[Result]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]
    depends: bool = False


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The score of a corpus by one metric.

    Attributes:
        metric: the key of the metric.
        settings: the settings of the metric.
        size: the number of segments.
        score: the corpus score.
        parts: the named values next to the score.
        stats: the sums of the segments' statistics.
        segments: the statistics of each segment, in order.
    """

    metric: str
    settings: Settings
    size: int
    score: float
    parts: Mapping[str, float]
    stats: Mapping[str, float]
    segments: tuple[Mapping[str, float], ...] = field(default=(), repr=False)
