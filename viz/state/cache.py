"""Results and processed texts, found with a bound on work and remembered across reruns and sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import metrics
from metrics import text
from metrics.alignment import bitext
from metrics.analysis.changes import LedgerChange
from metrics.analysis.difference import MatchDifference, difference
from metrics.types import Hit, Result, Segment, Settings, Ties, TooHard
from metrics.types.work import limited

from ..draw.evidence import columns
from ..draw.pen import marks
from ..draw.pen.grid import Window
from .memory import remembered

#: Steps of work that one answer may take, about as many microseconds: a page that others wait for as well.
WORK = 2_000_000

T = TypeVar("T")


class Glance(NamedTuple):
    """What a tile shows of a result: the score, its parts, and the metric's word or two on it."""

    score: float
    parts: Mapping[str, float]
    summary: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no answer, to be shown in its place: the name of what was asked, and the reason, which ends a
    sentence."""

    name: str
    reason: str

    def __str__(self) -> str:
        """One sentence for the user: `GTM: this takes more than … steps.`"""
        return f"{self.error()}."

    def error(self) -> ValueError:
        """The same to be raised, for who says it among other errors."""
        return ValueError(f"{self.name}: {self.reason}")


def bounded(name: str, find: Callable[[], T], work: int = WORK) -> T | Problem:
    """What `find` finds, or the problem if that is too hard for it or takes more than so many steps of work."""
    try:
        with limited(work):
            return find()
    except TooHard as error:
        return Problem(name, str(error))


@remembered
def score(key: str, segment: Segment, settings: Settings) -> Result | Problem:
    """The result of a metric on a segment, or why it has none."""
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: metric.score(segment, settings))


@remembered
def glance(key: str, segment: Segment, settings: Settings) -> Glance | Problem:
    """A result without its marks, which is remembered longer since it is small."""
    result, summary = score(key, segment, settings), metrics.METRICS[key].summary
    if isinstance(result, Problem):
        return result
    return Glance(result.score, result.parts, summary(result) if summary else None)


@remembered
def remark(result: Result) -> str:
    """What is to be said beside a result, "" where there is nothing or where it is too hard to find."""
    metric = metrics.METRICS[result.metric]
    say = metric.remark
    sentence = bounded(metric.label, lambda: say(result) if say else "")
    lost = left_out(result.metric, result.settings)
    return lost if isinstance(sentence, Problem) else f"{lost} {sentence}".strip()


def left_out(key: str, settings: Settings) -> str:
    """What settings of a metric ask for and the language of the texts has not, "" where it has all."""
    say = metrics.METRICS[key].left_out
    return say(settings) if say else ""


def score_alone(result: Result, k: int, decimals: int = 3) -> str:
    """The score with reference `k` alone, as a page prints it; a dash where the metric cannot tell."""
    segment = result.segment._replace(references=(result.segment.references[k],))
    alone_glance = glance(result.metric, segment, result.settings)
    return "–" if isinstance(alone_glance, Problem) else f"{alone_glance.score:.{decimals}f}"


class ComparedResults(NamedTuple):
    """Two results of one metric and what changed between them: the cells, and the steps of the score."""

    before: Result
    after: Result
    difference: MatchDifference
    steps: tuple[LedgerChange, ...]


def compared(key: str, before: Segment, after: Segment, settings: Settings) -> ComparedResults | Problem:
    """What changed between a metric's results on two segments, or why one of them or the change cannot be found."""
    a, b = score(key, before, settings), score(key, after, settings)
    if isinstance(a, Problem):
        return a
    if isinstance(b, Problem):
        return b
    difference_and_steps = changes(a, b)
    return (
        difference_and_steps
        if isinstance(difference_and_steps, Problem)
        else ComparedResults(a, b, *difference_and_steps)
    )


@remembered
def changes(before: Result, after: Result) -> tuple[MatchDifference, tuple[LedgerChange, ...]] | Problem:
    """What changed between two results of one metric: the cells, and the steps of the score."""
    label = metrics.METRICS[before.metric].label
    return bounded(label, lambda: (difference(before, after), metrics.ledger(before, after)))


@remembered
def covered(result: Result, rounds: int | None) -> Mapping[Hit, int] | Problem:
    """The cells that a result's first `rounds` use as matches, or why they are too many for a picture."""
    return bounded(result.metric, lambda: marks.covered(result, rounds))


def drawable(result: Result, rounds: int | None) -> bool:
    """Whether the used cells of a result, of its first `rounds`, are few enough for a picture."""
    return not isinstance(covered(result, rounds), Problem)


TIES_MOST = 50  # equally good alignments that a page can step through


@remembered
def ties(result: Result) -> Ties | None:
    """The alignments that are as good as a result's; None where its metric has only one or they cannot be counted."""
    metric = metrics.METRICS[result.metric]
    if not metric.ties:
        return None
    find = metric.ties

    def search() -> Ties:
        counted_ties = find(result, TIES_MOST)
        if counted_ties.depends:  # by how much, all of them tell
            tuple(counted_ties.results)
        return counted_ties

    ties_or_problem = bounded(metric.label, search)
    return None if isinstance(ties_or_problem, Problem) else ties_or_problem


def tied(result: Result, tie: int) -> tuple[Result, int]:
    """Of the alignments that are as good as a result's the one with a number, and the number; the result itself, which
    is number 0, where there is none or where it is too hard to find."""
    all_ties = ties(result)
    if not tie or not all_ties or tie >= len(all_ties.results):
        return result, 0
    other = bounded(metrics.METRICS[result.metric].label, lambda: all_ties.results[tie])
    return (result, 0) if isinstance(other, Problem) else (other, tie)


@remembered
def hits(segment: Segment) -> tuple[Hit, ...]:
    """The hits of a segment's grid; for texts that are drawn whole."""
    return bitext.hits(*segment)


def window_hits(segment: Segment, window: Window) -> list[Hit]:
    """The hits inside a window of a long text."""
    places: dict[str, list[int]] = {}
    for j in range(window.j, min(window.j + window.columns, len(segment.references[window.k]))):
        places.setdefault(segment.references[window.k][j], []).append(j)
    rows = range(window.i, min(window.i + window.rows, len(segment.candidate)))
    return [Hit(i, window.k, j) for i in rows for j in places.get(segment.candidate[i], ())]


@remembered
def density(segment: Segment, k: int, step: int) -> Counter[tuple[int, int]]:
    """`columns.density`, remembered."""
    return columns.density(segment, k, step)


@remembered
def tokens(raw: str, settings: text.TextSettings) -> tuple[text.Token, ...]:
    """A text's tokens."""
    return text.process(raw, settings)
