"""Scoring a corpus in parts, on the cores of this machine, with the same numbers on any number of them.

A part is a metric over a range of segments of all systems, so that what it finds of a reference is found once. Metrics
whose segments depend on each other (`Metric.corpus`) have one part with all segments. The first part of each metric is
scored here and its time taken: quick metrics come first, and where what is left is quick no process is started.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ..types import Metric, Segment, Settings, Tokens, TooHard
from .table import Rows, Table, joined, rows

#: Segments of a part, with all systems.
PART = 100
#: Seconds of work below which other processes would take longer to start than they save.
ALONE = 4.0
#: What a worker process is nicer than the one that asks.
NICE = 10


class Corpus(NamedTuple):
    """The outputs of the systems by their names, and of each segment the references, at least one."""

    names: tuple[str, ...]
    systems: tuple[tuple[Tokens, ...], ...]
    references: tuple[tuple[Tokens, ...], ...]

    def part(self, start: int, end: int) -> Corpus:
        """The segments from `start` up to `end`."""
        return Corpus(self.names, tuple([each[start:end] for each in self.systems]), self.references[start:end])

    def segments(self, system: int) -> list[Segment]:
        """The segments of one system."""
        return [*map(Segment, self.systems[system], self.references)]


#: A metric, by its key, and its settings.
Asked = tuple[str, Settings]


class Hard(NamedTuple):
    """A segment that is too hard for a metric: the number of the system, of the segment from 0, and why."""

    metric: str
    system: int
    segment: int
    why: str


class Task(NamedTuple):
    """A metric over the segments from `start` up to `end`."""

    key: str
    settings: Settings
    start: int
    end: int


class Found(NamedTuple):
    """What comes of a task: the rows of each system, or what was too hard."""

    task: Task
    rows: tuple[Rows, ...]
    hard: Hard | None = None


def work(task: Task, corpus: Corpus) -> Found:
    """Do a task on the part of the corpus that it names, in whatever process."""
    from ..catalogue import METRICS

    metric, out = METRICS[task.key], []
    for system in range(len(corpus.systems)):
        segments = corpus.segments(system)
        try:
            out.append(rows(metric, task.settings, segments))
        except TooHard as error:
            return Found(task, (), _hard(metric, task.settings, segments, system, task.start, error))
    return Found(task, tuple(out))


def _hard(
    metric: Metric, settings: Settings, segments: Sequence[Segment], system: int, start: int, error: TooHard
) -> Hard:
    """Which segment it was."""
    for number, segment in enumerate(segments):
        try:
            metric.statistics(segment, settings)
        except TooHard as found:
            return Hard(metric.key, system, start + number, str(found))
    return Hard(metric.key, system, start, str(error))


class Workers(Protocol):
    """What does tasks somewhere else: gives what it finds in whatever order."""

    def run(self, tasks: Sequence[Task], corpus: Corpus) -> Iterator[Found]: ...


@dataclass
class Here:
    """This process, one task after the other."""

    def run(self, tasks: Sequence[Task], corpus: Corpus) -> Iterator[Found]:
        for task in tasks:
            yield work(task, corpus.part(task.start, task.end))


@dataclass
class Processes:
    """Warm processes of this machine (loky), `number` of them, that give way to whoever else wants the cores."""

    number: int

    def run(self, tasks: Sequence[Task], corpus: Corpus) -> Iterator[Found]:
        from concurrent.futures import FIRST_COMPLETED, Future, wait

        from joblib.externals.loky import get_reusable_executor

        executor = get_reusable_executor(max_workers=self.number, timeout=300, initializer=_nicer)
        left = iter(tasks)
        running: set[Future[Found]] = set()
        try:
            while True:
                # A few more than there are processes: none waits for the next, and little is to be cancelled.
                while len(running) < 2 * self.number and (task := next(left, None)):
                    running.add(executor.submit(work, task, corpus.part(task.start, task.end)))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in running:
                future.cancel()


def _nicer() -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(NICE)


class Progress(NamedTuple):
    """How far a job is: of each metric that is asked for the segments that are scored, of so many, and the seconds that
    the rest will take, None where that is not known yet."""

    done: dict[str, int]
    size: int
    seconds: float | None


@dataclass
class Job:
    """The scoring of a corpus by several metrics, which gives their tables as they get ready.

    `cancelled` may be set at any time: what is ready then stays.
    """

    asked: Sequence[Asked]
    corpus: Corpus
    jobs: int = 1
    tell: Callable[[Progress], None] = lambda progress: None
    cancelled: bool = False
    hard: list[Hard] = field(default_factory=list)

    def tables(self) -> Iterator[Table]:
        """The table of each metric, in the order in which they get ready; none of one for which a segment is too hard,
        which stands in `hard` then."""
        from ..catalogue import METRICS

        size = len(self.corpus.references)
        ends = min(PART, size)
        whole = [each for each in self.asked if METRICS[each[0]].corpus]
        apart = [each for each in self.asked if not METRICS[each[0]].corpus]
        found: dict[str, list[Found]] = {key: [] for key, _ in self.asked}
        took: dict[str, float] = {}
        for each in apart:
            if self.cancelled:
                return
            start = time.perf_counter()
            found[each[0]].append(work(Task(*each, 0, ends), self.corpus.part(0, ends)))
            took[each[0]] = (time.perf_counter() - start) / ends
            self._say(found, size)
        apart.sort(key=lambda each: took[each[0]])
        tasks = [Task(*each, 0, size) for each in whole]
        for each in apart:
            step = _step(took[each[0]])
            tasks += [Task(*each, at, min(at + step, size)) for at in range(ends, size, step)]
        expected = math.fsum(took.values()) * (size - ends)
        workers: Workers = Processes(self.jobs) if self.jobs > 1 and expected > ALONE else Here()
        yield from self._ready(found, size)
        for result in workers.run(tasks, self.corpus):
            found[result.task.key].append(result)
            self._say(found, size, took)
            yield from self._ready(found, size)
            if self.cancelled:
                return

    def _ready(self, found: dict[str, list[Found]], size: int) -> Iterator[Table]:
        """The tables of the metrics of which all has come, once."""
        from ..catalogue import METRICS

        for key, settings in self.asked:
            parts = found.get(key)
            if parts is None or sum(each.task.end - each.task.start for each in parts) < size:
                continue
            del found[key]
            hard = min([each.hard for each in parts if each.hard], key=lambda each: each[1:3], default=None)
            if hard:
                self.hard.append(hard)
                continue
            parts.sort(key=lambda each: each.task.start)
            systems = [[each.rows[n] for each in parts] for n in range(len(self.corpus.systems))]
            yield joined(METRICS[key], settings, systems)

    def _say(self, found: dict[str, list[Found]], size: int, took: Mapping[str, float] | None = None) -> None:
        """Tell how far it is; where it is known what a segment `took` of each metric, what is left takes as much."""
        done = {key: size for key, _ in self.asked}
        done |= {key: sum(each.task.end - each.task.start for each in parts) for key, parts in found.items()}
        left = [(size - done[key]) * seconds / self.jobs for key, seconds in took.items()] if took else None
        self.tell(Progress(done, size, None if left is None else math.fsum(left)))


def _step(seconds: float) -> int:
    """Segments of a task that takes about half a second, so that a job can be cancelled in no more."""
    return max(10, min(1000, int(0.5 / max(seconds, 1e-6))))
