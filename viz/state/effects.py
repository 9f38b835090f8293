"""What every change of one word does to a score: a search that all sessions share, each going on where it stopped."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from time import perf_counter

import metrics
from metrics.analysis import changes
from metrics.analysis.changes import Effect
from metrics.types import Metric, Segment, Settings
from viz.draw import worth
from viz.draw.memory import remembered
from viz.draw.worth import Joint
from viz.state.cache import Problem, bounded

SECONDS_MOST = 2.5  # for trying changes, until the user asks for more
EFFECT_BYTES = 250  # of a change that was tried
EFFECT_WORK = 400_000  # steps that one change may take


class Search:
    """The effects of one output, as far as they were found. All sessions share it, and one at a time goes on with it.

    `problem` says where the metric could not score a changed output; the effects before it stand.
    """

    def __init__(self, metric: Metric, segment: Segment, settings: Settings) -> None:
        self._label = metric.label
        self.total = changes.effect_count(segment)
        self.found: list[Effect] = []
        self.done = False
        self.problem: Problem | None = None
        self.seconds_left = SECONDS_MOST
        self._rest = changes.effects(metric, segment, settings)
        self._lock = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether it may go on without being asked."""
        return not self.done and self.seconds_left > 0

    def go_on(self, seconds: float) -> None:
        """Find more effects, for about so long and one at least."""
        with self._lock:
            start, before = perf_counter(), len(self.found)
            while not self.done and (len(self.found) == before or perf_counter() - start < seconds):
                effect = bounded(self._label, lambda: next(self._rest, None), EFFECT_WORK)
                if isinstance(effect, Effect):
                    self.found.append(effect)
                else:
                    self.done, self.problem = True, effect
            self.seconds_left -= perf_counter() - start

    def weight(self) -> int:
        """The bytes of all effects, once they are found."""
        return EFFECT_BYTES * self.total

    def more_time(self) -> None:
        self.seconds_left = SECONDS_MOST


@remembered
def search(key: str, segment: Segment, settings: Settings) -> Search:
    """The search of a metric's effects on a segment."""
    return Search(metrics.METRICS[key], segment, settings)


@remembered
def joint(key: str, segment: Segment, settings: Settings, worst: tuple[int, ...]) -> Joint | None:
    """What the costly words of an output cost together; None where they cannot be scored."""
    metric = metrics.METRICS[key]

    def without(positions: Sequence[int]) -> float:
        gone = frozenset(positions)
        left = tuple([word for i, word in enumerate(segment.candidate) if i not in gone])
        return metric.from_stats(metric.statistics(segment._replace(candidate=left), settings), settings).score

    found = bounded(metric.label, lambda: worth.together(worst, metric, without))
    return None if isinstance(found, Problem) else found
