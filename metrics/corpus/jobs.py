"""The scoring of a corpus by several metrics, in parts: in this process, in other processes or on a cluster.

The scores are the same wherever they are computed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .processes import Processes
from .table import StatisticsTable, join_chunks
from .tasks import (
    FIRST,
    LocalWorker,
    LostSegments,
    ScoringPlan,
    ScoringTask,
    TaskResult,
    TooHardSegment,
    Workers,
    do_task,
)
from .tasks import MetricRequest as MetricRequest
from .tasks import ScoringCorpus as ScoringCorpus

#: The seconds of work below which starting other processes would cost more time than it saves.
ALONE = 4.0


class JobProgress(NamedTuple):
    """The progress of the scoring of a corpus.

    Attributes:
        segments_done: for each metric's key, the number of segments that are scored.
        size: the number of segments of the corpus.
        seconds_left: for each metric's key, the seconds until all segments are scored, the quickest metric first; empty
            while that is not known.
    """

    segments_done: dict[str, int]
    size: int
    seconds_left: dict[str, float]

    @property
    def seconds(self) -> float | None:
        """Return the seconds until all metrics have scored all segments; None while that is not known."""
        return max(self.seconds_left.values(), default=None)


@dataclass
class Job:
    """The scoring of a corpus by several metrics; it yields the statistics table of each metric when it is ready.

    The job runs in the thread that iterates over `tables`. Any other thread may watch and cancel it; finished parts are
    kept in `parts`. Another job that is given them goes on from there: it scores only what they lack, and its tables
    are those of a job that was never cancelled.

    Attributes:
        requests: the metrics and their settings.
        corpus: the texts.
        jobs: how many processes of this machine may score, if there are no `workers`. This process begins, and the
            others take over if the whole would take long.
        tell: a callback for the progress, called after each part.
        say: a callback for a sentence on each problem that was solved.
        workers: an object that scores instead; a server passes it so that nothing is scored in the server's own
            process.
        most: the number of steps (`types.work`) above which a segment is too hard.
        is_needed: a function that says whether the job is still needed. It is called now and then, also within a
            segment; if it returns False, the job is cancelled.
        cancelled: whether the job is cancelled.
        hard: the segments that were too hard.
        lost: the ranges of segments over which processes died.
        parts: for each metric's key, the finished parts of a table that is not ready yet; those of a cancelled job for
            the same corpus and settings may be given.
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
    parts: dict[str, list[TaskResult]] = field(default_factory=dict, repr=False)

    def tables(self) -> Iterator[StatisticsTable]:
        """Yield the statistics table of each metric, in the order in which they are ready.

        A metric gets no table if segments are too hard for it, which are then in `hard`, or if processes died while
        scoring by it; those segments are in `lost`.
        """
        size = len(self.corpus.references)
        earlier = [part for key, _ in self.requests for part in self.parts.setdefault(key, [])]
        plan = ScoringPlan(self.requests, self.corpus, self.most, earlier)
        self.hard += [segment for part in earlier for segment in part.hard]
        self.lost += [part.lost for part in earlier if part.lost]
        segments_done = {key: _segment_count(self.parts[key]) for key, _ in self.requests}
        pace = _TimeEstimate(self.workers.number if self.workers else self.jobs)
        for result in self._run_tasks(plan):
            pace.update(plan)
            key = result.task.key
            self.hard += result.hard
            self.lost += [result.lost] if result.lost else []
            if not result.task.trial or result.lost:
                self.parts[key].append(result)
                segments_done[key] = _segment_count(self.parts[key])
            self.tell(JobProgress(dict(segments_done), size, pace.seconds_left(plan) if plan.is_timed else {}))
            if segments_done[key] == size and (ready := self.partial_table(key)):
                del self.parts[key]  # so that the numbers are in memory only once
                yield ready
            if self.cancelled:
                break
        self.hard.sort()

    def partial_table(self, key: str) -> StatisticsTable | None:
        """Return the statistics table of the segments that a metric, given by its key, has scored so far.

        All systems have the same segments in it, in order. Return None if no segment is scored yet, if the whole table
        was already yielded, or if the metric will have no score.
        """
        from ..catalogue import METRICS

        parts = sorted(self.parts.get(key, ()), key=lambda each: each.task.start)
        if not parts or not all(each.rows for each in parts):
            return None
        systems = [[each.rows[n] for each in parts] for n in range(len(self.corpus.systems))]
        return join_chunks(METRICS[key], parts[0].task.settings, systems)

    def _run_tasks(self, plan: ScoringPlan) -> Iterator[TaskResult]:
        """Yield the results of the plan's tasks, in any order.

        Without `workers` this process begins; other processes take over if the rest would take longer than `ALONE`
        seconds.
        """
        if self.workers is None:
            for result in self._run_with(LocalWorker(), plan):
                yield result
                if self.jobs > 1 and plan.is_timed and math.fsum(plan.seconds_left().values()) > ALONE:
                    break
            else:
                return
        yield from self._run_with(self.workers or Processes(self.jobs, exclusive=True), plan)

    def _run_with(self, workers: Workers, plan: ScoringPlan) -> Iterator[TaskResult]:
        """Return an iterator over the results of the tasks that these workers do."""
        return workers.run(plan, self.corpus, self._stopped, self.say)

    def _stopped(self) -> bool:
        """Return whether the job is cancelled; cancel it if it is not needed any more."""
        self.cancelled = self.cancelled or not self.is_needed()
        return self.cancelled


def _segment_count(parts: Iterable[TaskResult]) -> int:
    """Return the number of segments that these parts of a table have together."""
    return sum([part.task.end - part.task.start for part in parts if not part.task.trial])


class _TimeEstimate:
    """An estimate of a job's remaining time, from how long its tasks took so far with all processes."""

    def __init__(self, number: int) -> None:
        self._begun: tuple[float, float] | None = None
        self._per = 1 / number

    def update(self, plan: ScoringPlan) -> None:
        """Update the estimate after a task's result."""
        now = time.perf_counter(), plan.seconds_worked
        if not plan.is_timed or self._begun is None:
            self._begun = now
        elif now[1] > self._begun[1]:
            self._per = (now[0] - self._begun[0]) / (now[1] - self._begun[1])

    def seconds_left(self, plan: ScoringPlan) -> dict[str, float]:
        """Return, for each metric's key, the seconds until the metric is finished; the quickest metric comes first."""
        out, until = {}, 0.0
        for key, seconds in plan.seconds_left().items():
            until += seconds * self._per
            out[key] = until
        return out


def expected_seconds(
    requests: Sequence[MetricRequest], sample: ScoringCorpus, size: int, most: float = math.inf
) -> dict[str, float]:
    """Return, for each metric's key, about how many seconds one process needs for a corpus of `size` segments.

    It is measured on `sample`, some segments of the corpus. The time for loading a metric does not count.
    """
    found = {}
    for key, settings in requests:
        do_task(ScoringTask(key, settings, 0, FIRST, True, most), sample.select_range(0, FIRST))
        task = ScoringTask(key, settings, 0, len(sample.references), True, most)
        found[key] = do_task(task, sample).seconds / max(1, len(sample.references)) * size
    return found
