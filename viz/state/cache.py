"""Compute results and processed texts within a bound on work, and cache them across reruns and sessions."""

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

#: Steps of work that one answer may take, of about a microsecond each; other visitors wait meanwhile.
WORK = 2_000_000

T = TypeVar("T")


class Glance(NamedTuple):
    """A result as a tile shows it: the score, its parts, and the metric's short summary of it."""

    score: float
    parts: Mapping[str, float]
    summary: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why there is no answer, which is shown in its place.

    Attributes:
        name: the name of what was asked for.
        reason: the end of a sentence."""

    name: str
    reason: str

    def __str__(self) -> str:
        """Return one sentence for the user: `GTM: this takes more than … steps.`"""
        return f"{self.error()}."

    def error(self) -> ValueError:
        """Return the same as an exception, to be raised among other errors."""
        return ValueError(f"{self.name}: {self.reason}")


def bounded(name: str, find: Callable[[], T], work: int = WORK) -> T | Problem:
    """Return `find()`, or the problem if that is too hard or takes more than `work` steps."""
    try:
        with limited(work):
            return find()
    except TooHard as error:
        return Problem(name, str(error))


@remembered
def score(key: str, segment: Segment, settings: Settings) -> Result | Problem:
    """Return the result of a metric on a segment, or the problem."""
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: metric.score(segment, settings))


@remembered
def glance(key: str, segment: Segment, settings: Settings) -> Glance | Problem:
    """Return a result without its marks. It is small, so it is cached longer."""
    result, summary = score(key, segment, settings), metrics.METRICS[key].summary
    if isinstance(result, Problem):
        return result
    return Glance(result.score, result.parts, summary(result) if summary else None)


@remembered
def remark(result: Result) -> str:
    """Return the remark on a result, "" if there is none or if it is too hard to compute."""
    metric = metrics.METRICS[result.metric]
    say = metric.remark
    sentence = bounded(metric.label, lambda: say(result) if say else "")
    lost = missing_for_language(result.metric, result.settings)
    return lost if isinstance(sentence, Problem) else f"{lost} {sentence}".strip()


def missing_for_language(key: str, settings: Settings) -> str:
    """Return a sentence on what the settings ask for but the language of the texts does not have, or ""."""
    say = metrics.METRICS[key].left_out
    return say(settings) if say else ""


def score_alone(result: Result, k: int, decimals: int = 3) -> str:
    """Return the score with reference `k` alone, formatted; a dash if the metric cannot compute it."""
    segment = result.segment._replace(references=(result.segment.references[k],))
    alone_glance = glance(result.metric, segment, result.settings)
    return "–" if isinstance(alone_glance, Problem) else f"{alone_glance.score:.{decimals}f}"


class ComparedResults(NamedTuple):
    """Two results of one metric, with what changed between them: the cells, and the steps of the score."""

    before: Result
    after: Result
    difference: MatchDifference
    steps: tuple[LedgerChange, ...]


def compared(key: str, before: Segment, after: Segment, settings: Settings) -> ComparedResults | Problem:
    """Return what changed between a metric's results on two segments, or the problem."""
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
    """Return what changed between two results of one metric: the cells, and the steps of the score."""
    label = metrics.METRICS[before.metric].label
    return bounded(label, lambda: (difference(before, after), metrics.ledger(before, after)))


@remembered
def used_cells(result: Result, rounds: int | None) -> Mapping[Hit, int] | Problem:
    """Return the cells that the first `rounds` of a result use as matches, or the problem of too many."""
    return bounded(result.metric, lambda: marks.matched_cells(result, rounds))


def drawable(result: Result, rounds: int | None) -> bool:
    """Return whether the cells that the first `rounds` of a result use are few enough for a picture."""
    return not isinstance(used_cells(result, rounds), Problem)


TIES_MOST = 50  # the most equally good alignments that a page can step through


@remembered
def ties(result: Result) -> Ties | None:
    """Return the alignments as good as that of `result`; None if there is only one or they are too hard to count."""
    metric = metrics.METRICS[result.metric]
    if not metric.ties:
        return None
    find = metric.ties

    def search() -> Ties:
        counted_ties = find(result, TIES_MOST)
        if counted_ties.depends:  # compute all of them, to know by how much
            tuple(counted_ties.results)
        return counted_ties

    ties_or_problem = bounded(metric.label, search)
    return None if isinstance(ties_or_problem, Problem) else ties_or_problem


def tied(result: Result, tie: int) -> tuple[Result, int]:
    """Return the result with the alignment number `tie` among equally good ones, and that number.

    Return `result` and 0 if there is none of that number, or if it is too hard to compute."""
    all_ties = ties(result)
    if not tie or not all_ties or tie >= len(all_ties.results):
        return result, 0
    other = bounded(metrics.METRICS[result.metric].label, lambda: all_ties.results[tie])
    return (result, 0) if isinstance(other, Problem) else (other, tie)


@remembered
def hits(segment: Segment) -> tuple[Hit, ...]:
    """Return the hits of a segment's grid; for texts that are drawn whole."""
    return bitext.hits(*segment)


def window_hits(segment: Segment, window: Window) -> list[Hit]:
    """Return the hits inside a window of a long text."""
    places: dict[str, list[int]] = {}
    for j in range(window.j, min(window.j + window.columns, len(segment.references[window.k]))):
        places.setdefault(segment.references[window.k][j], []).append(j)
    rows = range(window.i, min(window.i + window.rows, len(segment.candidate)))
    return [Hit(i, window.k, j) for i in rows for j in places.get(segment.candidate[i], ())]


@remembered
def density(segment: Segment, k: int, step: int) -> Counter[tuple[int, int]]:
    """Return `columns.density`, cached."""
    return columns.density(segment, k, step)


@remembered
def tokens(raw: str, settings: text.TextSettings) -> tuple[text.Token, ...]:
    """Return the tokens of a text."""
    return text.process(raw, settings)
