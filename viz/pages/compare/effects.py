"""What every change of one word does to a score, and which words cost most together: searches that all sessions share,
each going on where it stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Generic, TypeVar

import metrics
from metrics.analysis import edit_sentence, worth
from metrics.analysis.difference import matched
from metrics.analysis.worth import Effect, Joint
from metrics.types import Metric, Segment, Settings

from ...state.cache import Problem, bounded, score
from ...state.memory import remembered

SECONDS_MOST = 2.5  # for trying changes, until the user asks for more
TOGETHER_SECONDS_MOST = 1.0  # for finding the words that cost most together
EFFECT_BYTES = 450  # of a change that was tried, and of what the search of several keeps of it
EFFECT_WORK = 400_000  # steps that one change may take

T = TypeVar("T")


class _Shared(Generic[T]):
    """A search that all sessions share; one at a time goes on with it, until it is done or its time is over.

    `problem` says where the metric could not score a changed output; what was found before it stands.
    """

    def __init__(self, metric: Metric, rest: Iterator[T], seconds: float) -> None:
        self.metric = metric
        self.done = False
        self.problem: Problem | None = None
        self.seconds_left = seconds
        self._rest = rest
        self._lock = threading.Lock()

    def _take(self, finding: T) -> None:
        """Keep what was found."""
        raise NotImplementedError

    @property
    def waits(self) -> bool:
        """Whether it may go on without being asked."""
        return not self.done and self.seconds_left > 0

    def go_on(self, seconds: float) -> None:
        """Find more, for about so long and one at least."""
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
    """The effects of one output, as far as they were found."""

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
        """The search of the words that cost most together; once all effects are found."""
        with self._lock:
            if self._joint_search is None:
                self._joint_search = JointSearch(self.metric, self._segment, self._settings, self.effects)
            return self._joint_search

    def weight(self) -> int:
        """The bytes of all effects, once they are found."""
        return EFFECT_BYTES * self.total

    def more_time(self) -> None:
        self.seconds_left = SECONDS_MOST


class JointSearch(_Shared[Joint]):
    """The words of an output that cost most together, the best that were found so far: None where no word costs."""

    def __init__(self, metric: Metric, segment: Segment, settings: Settings, effects: Sequence[Effect]) -> None:
        used = used_words(metric, segment, settings)
        removal_scores = worth.scores_without(metric, segment, settings)
        super().__init__(metric, worth.joint_deletions(effects, metric, used, removal_scores), TOGETHER_SECONDS_MOST)
        self.joint: Joint | None = None

    def _take(self, finding: Joint) -> None:
        self.joint = finding


def used_words(metric: Metric, segment: Segment, settings: Settings) -> frozenset[int]:
    """The words of an output that the metric uses in a match; none where that is too hard to find."""
    result = score(metric.key, segment, settings)
    if isinstance(result, Problem):
        return frozenset()
    cells = bounded(metric.label, lambda: matched(result))
    return frozenset() if isinstance(cells, Problem) else frozenset([cell.i for cell in cells])


@remembered
def search(key: str, segment: Segment, settings: Settings) -> EffectSearch:
    """The search of a metric's effects on a segment."""
    return EffectSearch(metrics.METRICS[key], segment, settings)


@remembered
def why(key: str, segment: Segment, settings: Settings, effect: Effect) -> str:
    """Why a change would do what it does, as a sentence; "" where that is too hard to find."""
    metric = metrics.METRICS[key]
    sentence = bounded(metric.label, lambda: edit_sentence.would(metric, segment, settings, effect), EFFECT_WORK)
    return "" if isinstance(sentence, Problem) else sentence
