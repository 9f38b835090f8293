"""Scoring a corpus in parts, by this process, others of this machine or a cluster, with the same numbers by any."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .processes import Processes
from .table import StatisticsTable, joined
from .tasks import Asked, Hard, LocalWorker, Lost, ScoringPlan, TaskResult, Workers
from .tasks import ScoringCorpus as ScoringCorpus

#: Seconds of work below which other processes would take longer to start than they save.
ALONE = 4.0


class JobProgress(NamedTuple):
    """How far a job is: of each metric that is asked for the segments that are scored, of so many, and the seconds
    until it has all, those that are done first coming first; empty where that is not known yet."""

    segments_done: dict[str, int]
    size: int
    seconds_left: dict[str, float]

    @property
    def seconds(self) -> float | None:
        """The seconds until all is scored, None where they are not known yet."""
        return max(self.seconds_left.values(), default=None)


@dataclass
class Job:
    """The scoring of a corpus by several metrics, which gives their tables as they get ready.

    It runs in the thread that asks for the `tables`, and may be watched and `cancelled` by any other; what is ready
    then stays. `workers` do it; without them this process begins and, where the whole takes long, hands the rest to
    `jobs` processes of this machine. A server names its workers, so that nothing is scored in its own process. `tell`
    is told how far it is after each part, `say` of what went wrong and was mended. A segment that takes more than
    `most` steps (`types.work`) is too hard. Whether the job is still needed is asked now and then (`is_needed`), in the
    middle of a segment too; one that is not is cancelled.
    """

    requests: Sequence[Asked]
    corpus: ScoringCorpus
    jobs: int = 1
    tell: Callable[[JobProgress], None] = lambda progress: None
    say: Callable[[str], None] = lambda sentence: None
    workers: Workers | None = None
    most: float = math.inf
    is_needed: Callable[[], bool] = lambda: True
    cancelled: bool = False
    hard: list[Hard] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    _parts: dict[str, list[TaskResult]] = field(default_factory=dict, repr=False)

    def tables(self) -> Iterator[StatisticsTable]:
        """The table of each metric, in the order in which they get ready. A metric has none where segments are too hard
        for it, all of which stand in `hard` then, or where processes died over it, as `lost` says."""
        size = len(self.corpus.references)
        plan = ScoringPlan(self.requests, self.corpus, self.most)
        self._parts = {key: [] for key, _ in self.requests}
        segments_done = dict.fromkeys(self._parts, 0)
        pace = _Pace(self.workers.number if self.workers else self.jobs)
        for result in self._run_tasks(plan):
            pace.came(plan)
            key = result.task.key
            self.hard += result.hard
            self.lost += [result.lost] if result.lost else []
            if not result.task.trial:
                self._parts[key].append(result)
                segments_done[key] += result.task.end - result.task.start
            self.tell(JobProgress(dict(segments_done), size, pace.seconds_left(plan) if plan.is_timed else {}))
            if segments_done[key] == size and (ready := self.so_far(key)):
                del self._parts[key]  # the numbers stand in memory once
                yield ready
            if self.cancelled:
                break
        self.hard.sort()

    def so_far(self, key: str) -> StatisticsTable | None:
        """The table of the segments that are scored so far by a metric, the same ones of all systems, in their order;
        None where there are none, where all are and the table was given, and where there will be no score."""
        from ..catalogue import METRICS

        parts = sorted(self._parts.get(key, ()), key=lambda each: each.task.start)
        if not parts or not all(each.rows for each in parts):
            return None
        systems = [[each.rows[n] for each in parts] for n in range(len(self.corpus.systems))]
        return joined(METRICS[key], parts[0].task.settings, systems)

    def _run_tasks(self, plan: ScoringPlan) -> Iterator[TaskResult]:
        """What comes of the tasks, in whatever order."""
        if self.workers is None:
            for result in self._run_with(LocalWorker(), plan):
                yield result
                if self.jobs > 1 and plan.is_timed and math.fsum(plan.seconds_left().values()) > ALONE:
                    break
            else:
                return
        yield from self._run_with(self.workers or Processes(self.jobs, exclusive=True), plan)

    def _run_with(self, workers: Workers, plan: ScoringPlan) -> Iterator[TaskResult]:
        return workers.run(plan, self.corpus, self._stopped, self.say)

    def _stopped(self) -> bool:
        self.cancelled = self.cancelled or not self.is_needed()
        return self.cancelled


class _Pace:
    """How long the rest takes, by the clock: as long as what has come so far did, for as much work."""

    def __init__(self, number: int) -> None:
        self._begun: tuple[float, float] | None = None
        self._per = 1 / number

    def came(self, plan: ScoringPlan) -> None:
        now = time.perf_counter(), plan.worked
        if not plan.is_timed or self._begun is None:
            self._begun = now
        elif now[1] > self._begun[1]:
            self._per = (now[0] - self._begun[0]) / (now[1] - self._begun[1])

    def seconds_left(self, plan: ScoringPlan) -> dict[str, float]:
        out, until = {}, 0.0
        for key, seconds in plan.seconds_left().items():
            until += seconds * self._per
            out[key] = until
        return out
