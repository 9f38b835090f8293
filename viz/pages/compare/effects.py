"""Search for what every change of one word does to a score, and which words cost most together.

All sessions share the searches; each search continues where it stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Generic, TypeVar

import metrics
from metrics.analysis import edit_sentence, worth
from metrics.analysis.difference import matched_cells
from metrics.analysis.worth import Effect, JointDeletion
from metrics.types import Metric, Segment, Settings

from ...state.cache import Problem, bounded, score
from ...state.memory import remembered

SECONDS_MOST = 2.5  # for trying changes, until the visitor asks for more
TOGETHER_SECONDS_MOST = 1.0  # for the search for the words that cost most together
EFFECT_BYTES = 450  # memory of one change that was tried, including what the joint search keeps of it
EFFECT_WORK = 400_000  # most steps of scoring one change

T = TypeVar("T")


class _Shared(Generic[T]):
    """A search that all sessions share, continued by one of them at a time until it is done or its time is over.

    `problem` says why the metric could not score a changed output; the results before it remain valid."""

    def __init__(self, metric: Metric, rest: Iterator[T], seconds: float) -> None:
        self.metric = metric
        self.done = False
        self.problem: Problem | None = None
        self.seconds_left = seconds
        self._rest = rest
        self._lock = threading.Lock()

    def _take(self, finding: T) -> None:
        """Store one result of the search."""
        raise NotImplementedError

    @property
    def waits(self) -> bool:
        """Whether the search is not done and has time left."""
        return not self.done and self.seconds_left > 0

    def go_on(self, seconds: float) -> None:
        """Continue the search for about this many seconds, for one result at least."""
        with self._lock:
            start, took = perf_counter(), False
            while not self.done and (not took or perf_counter() - start < seconds):
                finding = bounded(self.metric.label, lambda: next(self._rest, None), EFFECT_WORK)
                if finding is None or isinstance(finding, Problem):
                    self.done, self.problem = True, finding
                else:
                    self._take(finding)
                    took = True
            self.seconds_left -= perf_counter() - start


class EffectSearch(_Shared[Effect]):
    """The search for the effects of all one-word changes of an output, with the effects known so far."""

    def __init__(self, metric: Metric, segment: Segment, settings: Settings) -> None:
        super().__init__(metric, worth.effects(metric, segment, settings), SECONDS_MOST)
        self.total = worth.effect_count(segment)
        self.effects: list[Effect] = []
        self._segment, self._settings = segment, settings
        self._joint_search: JointSearch | None = None

    def _take(self, finding: Effect) -> None:
        self.effects.append(finding)

    @property
    def joint_search(self) -> JointSearch:
        """The search for the words that cost most together; to be used once all effects are known."""
        with self._lock:
            if self._joint_search is None:
                self._joint_search = JointSearch(self.metric, self._segment, self._settings, self.effects)
            return self._joint_search

    def weight(self) -> int:
        """Return the memory of all effects in bytes."""
        return EFFECT_BYTES * self.total

    def more_time(self) -> None:
        """Allow the search more time, in a callback."""
        self.seconds_left = SECONDS_MOST


class JointSearch(_Shared[JointDeletion]):
    """The search for the words of an output that cost most together.

    `joint` is the best set of words so far, None while no set costs anything."""

    def __init__(self, metric: Metric, segment: Segment, settings: Settings, effects: Sequence[Effect]) -> None:
        used = used_words(metric, segment, settings)
        removal_scores = worth.scores_without(metric, segment, settings)
        super().__init__(metric, worth.joint_deletions(effects, metric, used, removal_scores), TOGETHER_SECONDS_MOST)
        self.joint: JointDeletion | None = None

    def _take(self, finding: JointDeletion) -> None:
        self.joint = finding


def used_words(metric: Metric, segment: Segment, settings: Settings) -> frozenset[int]:
    """Return the positions of the candidate's words that the metric matches; empty if that is too hard to compute."""
    result = score(metric.key, segment, settings)
    if isinstance(result, Problem):
        return frozenset()
    cells = bounded(metric.label, lambda: matched_cells(result))
    return frozenset() if isinstance(cells, Problem) else frozenset([cell.i for cell in cells])


@remembered
def search(key: str, segment: Segment, settings: Settings) -> EffectSearch:
    """Return the shared search for a metric's effects on a segment."""
    return EffectSearch(metrics.METRICS[key], segment, settings)


@remembered
def why_effect(key: str, segment: Segment, settings: Settings, effect: Effect) -> str:
    """Return a sentence that says why a change has its effect, "" if that is too hard to compute."""
    metric = metrics.METRICS[key]
    sentence = bounded(
        metric.label, lambda: edit_sentence.explain_word_change(metric, segment, settings, effect), EFFECT_WORK
    )
    return "" if isinstance(sentence, Problem) else sentence
