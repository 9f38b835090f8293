"""Search for what every change of one word of an output does to its score, and which words cost most together.

All sessions share the searches, and each search continues where it stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Generic, TypeVar

import metrics
from metrics.analysis import edit_sentence, worth
from metrics.analysis.difference import matched_cells
from metrics.analysis.worth import JointDeletion, WordChangeEffect
from metrics.types import Metric, Segment, Settings

from ...state.results.cache import Problem, bounded, score
from ...state.results.memory import remembered

SECONDS_MOST = 2.5  # for trying changes, until the visitor asks for more
TOGETHER_SECONDS_MOST = 1.0  # for the search for the words that cost most together
EFFECT_BYTES = 450  # memory of one change that was tried, including what the joint search keeps of it
EFFECT_WORK = 400_000  # most steps of scoring one change

T = TypeVar("T")


class _SharedSearch(Generic[T]):
    """A search that all sessions share; one of them at a time continues it until it is done or its time is over.

    Attributes:
        problem: why the metric could not score a changed output, else None; the results before it remain valid.
        seconds_left: the time that the search may still take."""

    def __init__(self, metric: Metric, found_later: Iterator[T], seconds: float) -> None:
        self.metric = metric
        self.done = False
        self.problem: Problem | None = None
        self.seconds_left = seconds
        self._rest = found_later
        self._lock = threading.Lock()

    def _store_result(self, finding: T) -> None:
        """Store one result of the search."""
        raise NotImplementedError

    @property
    def can_continue(self) -> bool:
        """Whether this search is not done and has time left."""
        return not self.done and self.seconds_left > 0

    def continue_for(self, seconds: float) -> None:
        """Continue this search for about this many seconds, and at least until the next result."""
        with self._lock:
            start, took = perf_counter(), False
            while not self.done and (not took or perf_counter() - start < seconds):
                finding = bounded(self.metric.label, lambda: next(self._rest, None), EFFECT_WORK)
                if finding is None or isinstance(finding, Problem):
                    self.done, self.problem = True, finding
                else:
                    self._store_result(finding)
                    took = True
            self.seconds_left -= perf_counter() - start


class EffectSearch(_SharedSearch[WordChangeEffect]):
    """The search for the effects that all one-word changes of an output have on its score.

    Attributes:
        total: the number of changes.
        effects: the effects known so far."""

    def __init__(self, metric: Metric, segment: Segment, settings: Settings) -> None:
        super().__init__(metric, worth.word_change_effects(metric, segment, settings), SECONDS_MOST)
        self.total = worth.count_word_changes(segment)
        self.effects: list[WordChangeEffect] = []
        self._segment, self._settings = segment, settings
        self._joint_search: JointSearch | None = None

    def _store_result(self, finding: WordChangeEffect) -> None:
        self.effects.append(finding)

    @property
    def joint_search(self) -> JointSearch:
        """The search for the words that cost most together; it can begin when the effects of all changes are known."""
        with self._lock:
            if self._joint_search is None:
                self._joint_search = JointSearch(self.metric, self._segment, self._settings, self.effects)
            return self._joint_search

    def weight(self) -> int:
        """Return the number of bytes of memory that the effects of all changes take, by which the cache is bounded."""
        return EFFECT_BYTES * self.total

    def allow_more_time(self) -> None:
        """Give this search SECONDS_MOST more seconds; a callback."""
        self.seconds_left = SECONDS_MOST


class JointSearch(_SharedSearch[JointDeletion]):
    """The search for the words of an output that cost most together: those whose deletion improves the score most.

    Attributes:
        joint: the best set of words so far, None while no set improves the score."""

    def __init__(
        self, metric: Metric, segment: Segment, settings: Settings, effects: Sequence[WordChangeEffect]
    ) -> None:
        used = matched_word_positions(metric, segment, settings)
        removal_scores = worth.scores_without(metric, segment, settings)
        super().__init__(metric, worth.joint_deletions(effects, metric, used, removal_scores), TOGETHER_SECONDS_MOST)
        self.joint: JointDeletion | None = None

    def _store_result(self, finding: JointDeletion) -> None:
        self.joint = finding


def matched_word_positions(metric: Metric, segment: Segment, settings: Settings) -> frozenset[int]:
    """Return the positions of the candidate's words that the metric matches; empty if that is too hard to compute."""
    result = score(metric.key, segment, settings)
    if isinstance(result, Problem):
        return frozenset()
    cells = bounded(metric.label, lambda: matched_cells(result))
    return frozenset() if isinstance(cells, Problem) else frozenset([cell.i for cell in cells])


@remembered
def shared_effect_search(key: str, segment: Segment, settings: Settings) -> EffectSearch:
    """Return the search, shared by all sessions, for what one-word changes of a candidate do to its score."""
    return EffectSearch(metrics.METRICS[key], segment, settings)


@remembered
def explain_effect(key: str, segment: Segment, settings: Settings, effect: WordChangeEffect) -> str:
    """Return a sentence that says why a change has its effect on the score, "" if that is too hard to compute."""
    metric = metrics.METRICS[key]
    sentence = bounded(
        metric.label, lambda: edit_sentence.explain_word_change(metric, segment, settings, effect), EFFECT_WORK
    )
    return "" if isinstance(sentence, Problem) else sentence
