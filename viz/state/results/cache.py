"""Compute results and tokens with a limit on the work, and cache them across reruns and sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import metrics
from metrics import text
from metrics.alignment import bitext
from metrics.analysis.changes import LedgerChange
from metrics.analysis.difference import MatchDifference, match_difference
from metrics.types import Hit, Result, Segment, Settings, Ties, TooHard
from metrics.types.work import limited

from ...draw.evidence import columns
from ...draw.pen import marks
from ...draw.pen.grid import Window
from .memory import remembered

#: Steps of work that one answer may take, of about a microsecond each; other visitors wait meanwhile.
WORK = 2_000_000

T = TypeVar("T")


class Glance(NamedTuple):
    """The part of a result that a tile of the score strip shows.

    Attributes:
        score: the score.
        parts: the parts of the score by name.
        summary: the metric's one-line summary of the result; None if the metric has none."""

    score: float
    parts: Mapping[str, float]
    summary: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why something could not be computed; it is returned in place of the answer and shown to the user.

    Attributes:
        name: what could not be computed, such as the label of a metric.
        reason: why, worded as the end of a sentence."""

    name: str
    reason: str

    def __str__(self) -> str:
        """Return one sentence for the user: `GTM: this takes more than … steps.`"""
        return f"{self.error()}."

    def error(self) -> ValueError:
        """Return the problem as a ValueError, for callers that raise."""
        return ValueError(f"{self.name}: {self.reason}")


def bounded(name: str, find: Callable[[], T], work: int = WORK) -> T | Problem:
    """Return `find()`, or a `Problem` called `name` if it takes more than `work` steps or raises TooHard."""
    try:
        with limited(work):
            return find()
    except TooHard as error:
        return Problem(name, str(error))


@remembered
def score(key: str, segment: Segment, settings: Settings) -> Result | Problem:
    """Return the result of the metric `key` on a segment, or a `Problem` if it is too hard to compute."""
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: metric.score(segment, settings))


@remembered
def glance(key: str, segment: Segment, settings: Settings) -> Glance | Problem:
    """Return the score and parts of the metric `key` on a segment, or a `Problem`.

    This holds no marks, so it is small and stays in the cache longer than the whole result."""
    result, summary = score(key, segment, settings), metrics.METRICS[key].summary
    if isinstance(result, Problem):
        return result
    return Glance(result.score, result.parts, summary(result) if summary else None)


@remembered
def remark(result: Result) -> str:
    """Return the metric's remark on a result, after what the language lacks for its settings; "" if there is neither.

    A remark that is too hard to compute is left out."""
    metric = metrics.METRICS[result.metric]
    say = metric.remark
    sentence = bounded(metric.label, lambda: say(result) if say else "")
    lost = missing_for_language(result.metric, result.settings)
    return lost if isinstance(sentence, Problem) else f"{lost} {sentence}".strip()


def missing_for_language(key: str, settings: Settings) -> str:
    """Return a sentence on what the settings ask for but the language of the texts lacks, such as synonyms; else ""."""
    say = metrics.METRICS[key].left_out
    return say(settings) if say else ""


def score_alone(result: Result, k: int, decimals: int = 3) -> str:
    """Return the score with reference `k` as the only reference, as text; “–” if it is too hard to compute."""
    segment = result.segment._replace(references=(result.segment.references[k],))
    alone_glance = glance(result.metric, segment, result.settings)
    return "–" if isinstance(alone_glance, Problem) else f"{alone_glance.score:.{decimals}f}"


class ComparedResults(NamedTuple):
    """Two results of one metric, with what changed between them.

    Attributes:
        before: the result on the first segment.
        after: the result on the second segment.
        difference: the cells that were kept, gained, lost or moved.
        steps: the changes of statistics that lead from the first score to the second."""

    before: Result
    after: Result
    difference: MatchDifference
    steps: tuple[LedgerChange, ...]


def compare_segments(key: str, before: Segment, after: Segment, settings: Settings) -> ComparedResults | Problem:
    """Return the results of the metric `key` on two segments and what changed between them, or a `Problem`."""
    a, b = score(key, before, settings), score(key, after, settings)
    if isinstance(a, Problem):
        return a
    if isinstance(b, Problem):
        return b
    difference_and_steps = find_changes(a, b)
    return (
        difference_and_steps
        if isinstance(difference_and_steps, Problem)
        else ComparedResults(a, b, *difference_and_steps)
    )


@remembered
def find_changes(before: Result, after: Result) -> tuple[MatchDifference, tuple[LedgerChange, ...]] | Problem:
    """Return the changed cells and the steps of the ledger between two results of one metric, or a `Problem`."""
    label = metrics.METRICS[before.metric].label
    return bounded(label, lambda: (match_difference(before, after), metrics.ledger(before, after)))


@remembered
def used_cells(result: Result, rounds: int | None) -> Mapping[Hit, int] | Problem:
    """Return the cells that the result uses as matches, or a `Problem` if they are too many.

    Each is mapped to the number of the first round that uses it, 0 where there are no rounds. Only the first
    `rounds` rounds are considered; None takes all."""
    return bounded(result.metric, lambda: marks.matched_cells(result, rounds))


def has_drawable_cells(result: Result, rounds: int | None) -> bool:
    """Return whether the result uses few enough cells for a picture; only its first `rounds` rounds are considered."""
    return not isinstance(used_cells(result, rounds), Problem)


TIES_MOST = 50  # the most equally good alignments that a page can step through


@remembered
def ties(result: Result) -> Ties | None:
    """Return the alignments that are as good as the one of `result`.

    Return None if the metric has no equally good alignments, or if they are too hard to find."""
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


def select_tie(result: Result, tie: int) -> tuple[Result, int]:
    """Return the result with the equally good alignment number `tie`, and `tie` itself.

    Return `result` and 0 if there is no alignment of that number, or if it is too hard to compute."""
    all_ties = ties(result)
    if not tie or not all_ties or tie >= len(all_ties.results):
        return result, 0
    other = bounded(metrics.METRICS[result.metric].label, lambda: all_ties.results[tie])
    return (result, 0) if isinstance(other, Problem) else (other, tie)


@remembered
def hits(segment: Segment) -> tuple[Hit, ...]:
    """Return all hits of a segment; only for texts that are short enough to be drawn whole."""
    return bitext.hits(*segment)


def window_hits(segment: Segment, window: Window) -> list[Hit]:
    """Return the hits of a segment that lie inside `window`, the visible part of a long text's grid."""
    places: dict[str, list[int]] = {}
    for j in range(window.j, min(window.j + window.columns, len(segment.references[window.k]))):
        places.setdefault(segment.references[window.k][j], []).append(j)
    rows = range(window.i, min(window.i + window.rows, len(segment.candidate)))
    return [Hit(i, window.k, j) for i in rows for j in places.get(segment.candidate[i], ())]


@remembered
def hits_per_square(segment: Segment, k: int, step: int) -> Counter[tuple[int, int]]:
    """Return the number of hits in each square of `step` × `step` words, in the grid of reference `k`.

    The keys are the square's row and column. Squares without hits are left out."""
    return columns.count_hits_by_square(segment, k, step)


@remembered
def tokens(raw: str, settings: text.TextSettings) -> tuple[text.Token, ...]:
    """Return the tokens of the text `raw`, processed by `settings`."""
    return text.process(raw, settings)
