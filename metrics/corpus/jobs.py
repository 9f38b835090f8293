"""The scoring of a corpus in parts, by this process, other processes or a cluster; the numbers are the same for all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .processes import Processes
from .table import StatisticsTable, join_rows
from .tasks import LocalWorker, LostSegments, MetricRequest, ScoringPlan, TaskResult, TooHardSegment, Workers
from .tasks import ScoringCorpus as ScoringCorpus

#: The seconds of work below which starting other processes would cost more time than it saves.
ALONE = 4.0


class JobProgress(NamedTuple):
    """The progress of a job.

    Attributes:
        segments_done: the number of scored segments by the key of the metric.
        size: the number of segments.
        seconds_left: the seconds until a metric has all segments, by its key, the quickest metric first; empty while
            that is not known.
    """

    segments_done: dict[str, int]
    size: int
    seconds_left: dict[str, float]

    @property
    def seconds(self) -> float | None:
        """Return the seconds until everything is scored, or None while that is not known."""
        return max(self.seconds_left.values(), default=None)


@dataclass
class Job:
    """The scoring of a corpus by several metrics, which yields the table of each metric when it is ready.

    The job runs in the thread that iterates over `tables`. Any other thread may watch and cancel it; finished parts are
    kept.

    Attributes:
        requests: the metrics and their settings.
        corpus: the texts.
        jobs: how many processes of this machine may score, if there are no `workers`. This process begins, and the
            others take over if the whole takes long.
        tell: called with the progress after each part.
        say: called with a sentence on each problem that was solved.
        workers: what scores instead; a server passes workers so that nothing is scored in its own process.
        most: the steps (`types.work`) above which a segment is too hard.
        is_needed: asked now and then, also within a segment, whether the job is still needed; if not, it is cancelled.
        cancelled: whether the job is cancelled.
        hard: the segments that were too hard.
        lost: the segments over which processes died.
    """

    requests: Sequence[MetricRequest]
    corpus: ScoringCorpus
    jobs: int = 1
    tell: Callable[[JobProgress], None] = lambda progress: None
    say: Callable[[str], None] = lambda sentence: None
    workers: Workers | None = None
    most: float = math.inf
    is_needed: Callable[[], bool] = lambda: True
    cancelled: bool = False
    hard: list[TooHardSegment] = field(default_factory=list)
    lost: list[LostSegments] = field(default_factory=list)
    _parts: dict[str, list[TaskResult]] = field(default_factory=dict, repr=False)

    def tables(self) -> Iterator[StatisticsTable]:
        """Yield the table of each metric, in the order in which they are ready.

        A metric has no table if segments are too hard for it, which are then in `hard`, or if processes died over it
        (`lost`).
        """
        size = len(self.corpus.references)
        plan = ScoringPlan(self.requests, self.corpus, self.most)
        self._parts = {key: [] for key, _ in self.requests}
        segments_done = dict.fromkeys(self._parts, 0)
        pace = _Pace(self.workers.number if self.workers else self.jobs)
        for result in self._run_tasks(plan):
            pace.update(plan)
            key = result.task.key
            self.hard += result.hard
            self.lost += [result.lost] if result.lost else []
            if not result.task.trial:
                self._parts[key].append(result)
                segments_done[key] += result.task.end - result.task.start
            self.tell(JobProgress(dict(segments_done), size, pace.seconds_left(plan) if plan.is_timed else {}))
            if segments_done[key] == size and (ready := self.so_far(key)):
                del self._parts[key]  # so that the numbers are in memory only once
                yield ready
            if self.cancelled:
                break
        self.hard.sort()

    def so_far(self, key: str) -> StatisticsTable | None:
        """Return the table of the segments that a metric has scored so far: the same ones for all systems, in order.

        Return None if no segment is scored, if the whole table was already yielded, or if there will be no score.
        """
        from ..catalogue import METRICS

        parts = sorted(self._parts.get(key, ()), key=lambda each: each.task.start)
        if not parts or not all(each.rows for each in parts):
            return None
        systems = [[each.rows[n] for each in parts] for n in range(len(self.corpus.systems))]
        return join_rows(METRICS[key], parts[0].task.settings, systems)

    def _run_tasks(self, plan: ScoringPlan) -> Iterator[TaskResult]:
        """Yield the results of the tasks, in any order."""
        if self.workers is None:
            for result in self._run_with(LocalWorker(), plan):
                yield result
                if self.jobs > 1 and plan.is_timed and math.fsum(plan.seconds_left().values()) > ALONE:
                    break
            else:
                return
        yield from self._run_with(self.workers or Processes(self.jobs, exclusive=True), plan)

    def _run_with(self, workers: Workers, plan: ScoringPlan) -> Iterator[TaskResult]:
        """Return the results of the tasks as these workers do them."""
        return workers.run(plan, self.corpus, self._stopped, self.say)

    def _stopped(self) -> bool:
        """Return whether the job is cancelled, after asking whether it is still needed."""
        self.cancelled = self.cancelled or not self.is_needed()
        return self.cancelled


class _Pace:
    """An estimate of the time left, from the time that the work so far took."""

    def __init__(self, number: int) -> None:
        self._begun: tuple[float, float] | None = None
        self._per = 1 / number

    def update(self, plan: ScoringPlan) -> None:
        """Update the estimate after a result."""
        now = time.perf_counter(), plan.worked
        if not plan.is_timed or self._begun is None:
            self._begun = now
        elif now[1] > self._begun[1]:
            self._per = (now[0] - self._begun[0]) / (now[1] - self._begun[1])

    def seconds_left(self, plan: ScoringPlan) -> dict[str, float]:
        """Return the seconds until each metric is finished, the quickest metric first."""
        out, until = {}, 0.0
        for key, seconds in plan.seconds_left().items():
            until += seconds * self._per
            out[key] = until
        return out
