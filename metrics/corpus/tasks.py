"""The division of the scoring of a corpus into tasks, their order, and what a worker does with a task.

A task scores a range of segments of all systems by one metric, so that what it finds in a reference is found once. A
metric whose segments depend on each other (`Metric.corpus`) has one task with all segments. First, a few segments are
scored by each metric, which shows the quickest metric; that one is completed, so that there is a score soon. Some more
segments by the other metrics show how long they take, which determines their order.
"""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..types import Metric, Segment, Settings, Tokens, TooHard, work
from .table import Rows, rows_of_statistics

#: The segments, of all systems, in the first task of each metric and in the second one. The time for loading a metric,
#: which falls into the first, should not count for the other segments.
FIRST, SECOND = 4, 16
#: The seconds that each of the other tasks should take, and the most segments of a task.
SECONDS = 0.25
LARGEST = 1000
#: A segment with more cells than this, words of the outputs times words of the references, is a task of its own.
HEAVY_CELLS = 1_000_000
#: A task with a whole corpus is heavy if it reads more words than this.
HEAVY_WORDS = 2_000_000
#: A task has at most this many times the cells of an equal number of the segments that were timed.
UNEVEN = 8
#: The seconds between two checks of a process whether its task is still wanted.
LOOK = 0.1


class ScoringCorpus(NamedTuple):
    """The texts of a corpus, as words.

    Attributes:
        names: the names of the systems.
        systems: the output of each system for each segment.
        references: the references of each segment, at least one.
    """

    names: tuple[str, ...]
    systems: tuple[tuple[Tokens, ...], ...]
    references: tuple[tuple[Tokens, ...], ...]

    def select_range(self, start: int, end: int) -> ScoringCorpus:
        """Return the corpus restricted to the segments from `start` to before `end`."""
        return ScoringCorpus(self.names, tuple([each[start:end] for each in self.systems]), self.references[start:end])

    def segments(self, system: int) -> list[Segment]:
        """Return the segments of this corpus with the outputs of one system, given by its index."""
        return [*map(Segment, self.systems[system], self.references)]


#: The key of a metric and its settings.
MetricRequest = tuple[str, Settings]


class TooHardSegment(NamedTuple):
    """A segment that needs more steps than a metric is allowed, so that the metric has no score.

    Attributes:
        metric: the key of the metric.
        system: the index of the system.
        segment: the index of the segment.
        why: the message of the error.
    """

    metric: str
    system: int
    segment: int
    why: str


class LostSegments(NamedTuple):
    """The range of segments over which a worker process died twice, so that the metric has no score.

    Attributes:
        metric: the key of the metric.
        start: the index of the first segment.
        end: the index after the last segment.
    """

    metric: str
    start: int
    end: int


class ScoringTask(NamedTuple):
    """The task of scoring a range of segments of all systems by one metric.

    Attributes:
        key: the key of the metric.
        settings: its settings.
        start: the index of the first segment.
        end: the index after the last segment.
        trial: whether the task only measures the time that the metric takes, and its scores are not kept.
        most: the most steps that a segment may take (`types.work`).
        heavy: whether the task may take seconds or minutes.
    """

    key: str
    settings: Settings
    start: int
    end: int
    trial: bool = False
    most: float = math.inf
    heavy: bool = False


class TaskResult(NamedTuple):
    """The result of a scoring task.

    Attributes:
        task: the task.
        rows: for each system, the statistics and scores of the segments; empty if segments were too hard or lost.
        seconds: the time that the task took.
        hard: the segments that were too hard.
        lost: the segments of the task, if a process died over them twice; otherwise None.
    """

    task: ScoringTask
    rows: tuple[Rows, ...] = ()
    seconds: float = 0.0
    hard: tuple[TooHardSegment, ...] = ()
    lost: LostSegments | None = None


class Stopped(Exception):  # noqa: N818, it is no error
    """The exception that ends a task which nobody needs any more."""


class Workers(Protocol):
    """An object that does the tasks of a scoring plan: in this process, in other processes or on a cluster.

    `run` yields the results in any order. At least every `LOOK` seconds it checks whether `stopped()` is True, and then
    yields nothing more. It calls `say` with a sentence for each problem that was solved.
    """

    @property
    def number(self) -> int:
        """Return how many tasks these workers do at the same time."""
        ...

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]: ...


# ---------------------------------------------------------------- the order


class _SegmentSizes:
    """The amount of work that each segment of a corpus takes, to divide the corpus into tasks of similar work.

    A cell is a pair of a candidate word and a reference word. A segment with more than `HEAVY_CELLS` cells is heavy: it
    counts as many segments as would have its cells on average. Any other segment counts as one.

    >>> long, short = ("a",) * 2000, ("a",) * 10
    >>> sizes = _SegmentSizes(ScoringCorpus(("A",), ((long, short, short),), ((long,), (short,), (short,))))
    >>> sizes.heavy, sizes.count(1, 3), sizes.count(0, 1)
    ([0], 2, 40000)
    """

    def __init__(self, corpus: ScoringCorpus) -> None:
        outputs = np.zeros(len(corpus.references), dtype=np.int64)
        for each in corpus.systems:
            outputs += np.fromiter(map(len, each), np.int64, len(outputs))
        references = np.array([sum(map(len, each)) for each in corpus.references], dtype=np.int64)
        self.words = int(outputs.sum() + len(corpus.systems) * references.sum())
        cells = np.maximum(outputs * references, 1)
        heavy = cells > HEAVY_CELLS
        #: The heavy segments, and the average cells of the other segments.
        self.heavy: list[int] = np.flatnonzero(heavy).tolist()
        self.usual = float(cells[~heavy].mean()) if not heavy.all() else float(cells.mean()) if len(cells) else 1.0
        self._cells = np.concatenate([[0], np.cumsum(cells)])
        counts = np.where(heavy, np.maximum(np.rint(cells / self.usual), 1), 1).astype(np.int64)
        self._counts = np.concatenate([[0], np.cumsum(counts)])

    def count(self, start: int, end: int) -> int:
        """Return as how many segments of usual size the segments from `start` to before `end` count."""
        return int(self._counts[end] - self._counts[start])

    def cells(self, start: int, end: int) -> int:
        """Return the number of cells of the segments from `start` to before `end`."""
        return int(self._cells[end] - self._cells[start])

    def end(self, start: int, segments: int, cells: float) -> int:
        """Return the index after the last segment of a task that begins at segment `start`.

        The task has at most `segments` segments and `cells` cells, but at least one segment; a heavy segment is a task
        of its own.
        """
        at = bisect_left(self.heavy, start)
        heavy = self.heavy[at] if at < len(self.heavy) else len(self._cells) - 1
        if heavy == start:
            return start + 1
        most = int(np.searchsorted(self._cells, self._cells[start] + cells, side="right")) - 1
        return min(start + segments, max(most, start + 1), heavy)


class ScoringPlan:
    """The tasks of scoring a corpus by several metrics, handed out one by one, the quickest metric first.

    Several threads may take tasks and record results. A task has so few segments that other jobs do not wait long for
    it. A task with one segment that still takes many steps is marked `heavy`. `most` is the limit of steps for a
    segment. `done` are results of an earlier plan for the same corpus; their segments are in no task of this one.
    """

    def __init__(
        self,
        requests: Sequence[MetricRequest],
        corpus: ScoringCorpus,
        most: float = math.inf,
        done: Iterable[TaskResult] = (),
    ) -> None:
        from ..catalogue import METRICS

        self.size = len(corpus.references)
        self._sizes = _SegmentSizes(corpus)
        self._steps_most = most
        self._settings = dict(requests)
        self._whole_keys = {key for key in self._settings if METRICS[key].corpus}
        #: For each metric the ranges of segments that were not handed out, and the number of segments with a result.
        self._ranges_left = {key: [(0, self.size)] if self.size else [] for key in self._settings}
        self._segments_done = dict.fromkeys(self._settings, 0)
        self._rate: dict[str, _MeasuredTime] = {}
        self._worked = 0.0
        self._order = self._tasks_in_order()
        self._out = 0  # the first tasks that were handed out and have no result yet
        self._quickest = ""  # the metric that is completed first
        self._is_timed = False
        self._lock = threading.Lock()
        for result in done:
            self._record(result)
            self._ranges_left[result.task.key] = _ranges_without(
                self._ranges_left[result.task.key], result.task.start, result.task.end
            )

    def take_task(self) -> ScoringTask | None:
        """Return the next task of this plan, or None if there is none at the moment.

        There is none if all are handed out, or while first results must show which metric is quick.
        """
        with self._lock:
            return next(self._order)

    def _tasks_in_order(self) -> Iterator[ScoringTask | None]:
        """Yield the tasks of this plan in order; yield None whenever none is ready, and for ever at the end."""
        untimed = [key for key in self._unfinished_keys() if key not in self._rate]
        yield from self._one_task_each(untimed, FIRST, len(untimed) // 2)  # some may load for seconds
        self._quickest = min(
            [key for key in self._unfinished_keys() if key in self._rate], key=self._seconds_per_segment, default=""
        )
        asked_first = next(iter(self._settings), "")
        for key in (self._quickest, asked_first):  # somebody probably looks at the metric that was requested first
            while key in self._unfinished_keys():
                yield self._task_of_usual_length(key)
        yield from self._one_task_each(self._unfinished_keys(), SECOND)
        self._is_timed = True
        while unfinished := self._unfinished_keys():
            yield self._task_of_usual_length(min(unfinished, key=self._seconds_per_segment))
        while True:
            yield None

    def _one_task_each(self, keys: Iterable[str], size: int, missing: int = 0) -> Iterator[ScoringTask | None]:
        """Yield the next task, with `size` segments, of each metric in `keys`; then None until results are recorded.

        It ends when all results but `missing` of them are recorded.
        """
        for key in keys:
            if not self._ranges_left[key]:
                continue
            self._out += 1
            if key in self._whole_keys and size < self.size:
                yield ScoringTask(key, self._settings[key], 0, size, True, self._steps_most)
            else:
                yield self._give_task(key, size)
        while self._out > missing:
            yield None

    def _unfinished_keys(self) -> list[str]:
        """Return the keys of the metrics by which some segments are not handed out yet."""
        return [key for key, ranges in self._ranges_left.items() if ranges]

    def _task_of_usual_length(self, key: str) -> ScoringTask:
        """Return the next task of a metric, with as many segments as take about `SECONDS`.

        It has only a few segments while the metric's time is not known.
        """
        per = self._seconds_per_segment(key)
        return self._give_task(key, max(1, min(LARGEST, int(SECONDS / per))) if per else SECOND)

    def _give_task(self, key: str, step: int) -> ScoringTask:
        """Return the next task of a metric, with about `step` segments, and note that they are handed out.

        It has fewer segments if they are more work than usual, and all for a metric whose segments depend on each
        other.
        """
        (start, limit), settings = self._ranges_left[key][0], self._settings[key]
        if key in self._whole_keys:
            end, heavy = self.size, self._sizes.words > HEAVY_WORDS
        else:
            rate = self._rate.get(key)
            cells = UNEVEN * step * (rate.cells / rate.size if rate else self._sizes.usual)
            end = min(limit, self._sizes.end(start, step, cells if rate else min(cells, HEAVY_CELLS)))
            heavy = self._sizes.cells(start, end) > HEAVY_CELLS and end == start + 1
        self._ranges_left[key] = _ranges_without(self._ranges_left[key], start, end)
        return ScoringTask(key, settings, start, end, False, self._steps_most, heavy)

    def record_result(self, result: TaskResult) -> None:
        """Record the result of a task: the time that it took and the segments that are done."""
        with self._lock:
            self._record(result)
            self._worked += result.seconds
            if self._out and result.task.key != self._quickest:
                self._out -= 1

    def _record(self, result: TaskResult) -> None:
        """Record the time that a task took, and its segments as done."""
        task = result.task
        # The time for loading a metric on its first use does not count: its second task replaces the first.
        replaces_first = task.trial or task.start <= FIRST
        before = _MeasuredTime() if replaces_first else self._rate.get(task.key, _MeasuredTime())
        size, cells = self._sizes.count(task.start, task.end), self._sizes.cells(task.start, task.end)
        self._rate[task.key] = _MeasuredTime(before.seconds + result.seconds, before.size + size, before.cells + cells)
        if not task.trial:
            self._segments_done[task.key] += size
        if result.lost:  # the metric gets no score, and its other tasks may kill processes too
            self._ranges_left[task.key] = []

    @property
    def seconds_worked(self) -> float:
        """Return the sum of the seconds that all tasks of this plan took so far."""
        return self._worked

    @property
    def is_timed(self) -> bool:
        """Return whether it is known how long each metric takes."""
        return self._is_timed

    def seconds_left(self) -> dict[str, float]:
        """Return, for each metric's key, the seconds that one process needs for the rest, quickest metric first."""
        keys, all_ = sorted(self._settings, key=self._seconds_per_segment), self._sizes.count(0, self.size)
        return {key: (all_ - self._segments_done[key]) * self._seconds_per_segment(key) for key in keys}

    def _seconds_per_segment(self, key: str) -> float:
        """Return the seconds that a metric takes for a segment that is not heavy; 0 if that is not known."""
        rate = self._rate.get(key)
        return rate.seconds / rate.size if rate and rate.size else 0.0


def _ranges_without(ranges: Iterable[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return ranges of segments without the segments from `start` to before `end`.

    >>> _ranges_without([(0, 10), (12, 20)], 4, 14)
    [(0, 4), (14, 20)]
    """
    parts = [part for low, high in ranges for part in ((low, min(high, start)), (max(low, end), high))]
    return [(low, high) for low, high in parts if low < high]


class _MeasuredTime(NamedTuple):
    """The time that a metric took for some segments.

    Attributes:
        seconds: the time.
        size: as how many segments of usual size they count.
        cells: their cells, which are pairs of a candidate word and a reference word.
    """

    seconds: float = 0.0
    size: int = 0
    cells: int = 0


# ---------------------------------------------------------------- the work


def do_task(task: ScoringTask, corpus: ScoringCorpus, stopped: Callable[[], bool] = lambda: False) -> TaskResult:
    """Do a scoring task and return its result; `corpus` holds only the segments of the task.

    Raises Stopped if `stopped()` becomes True.
    """
    from ..catalogue import METRICS

    metric, start_time = METRICS[task.key], time.perf_counter()
    out: list[Rows] = []
    hard: list[TooHardSegment] = []
    for system in range(len(corpus.systems)):
        segments = corpus.segments(system)
        each: list[Mapping[str, float]] = []
        if metric.corpus:
            try:
                each = [*metric.corpus(segments, task.settings)]
            except TooHard as error:
                too_hard = _score_one_by_one(metric, task, segments, system, [], stopped)
                hard += too_hard or [TooHardSegment(task.key, system, task.start, str(error))]
        else:
            hard += _score_one_by_one(metric, task, segments, system, each, stopped)
        if not hard:
            out.append(rows_of_statistics(metric, task.settings, each))
    return TaskResult(task, () if hard else tuple(out), time.perf_counter() - start_time, tuple(hard))


def _score_one_by_one(
    metric: Metric,
    task: ScoringTask,
    segments: Sequence[Segment],
    system: int,
    each: list[Mapping[str, float]],
    stopped: Callable[[], bool],
) -> list[TooHardSegment]:
    """Append the statistics of each segment to `each`, and return the segments that are too hard.

    `system` is the index of the system of these segments. Raises Stopped if `stopped()` becomes True.
    """
    hard, look = [], time.perf_counter() + LOOK
    for number, segment in enumerate(segments, task.start):
        try:
            with work.limited(task.most):
                each.append(metric.statistics(segment, task.settings))
        except TooHard as error:
            hard.append(TooHardSegment(task.key, system, number, str(error)))
        if time.perf_counter() > look:
            if stopped():
                raise Stopped
            look = time.perf_counter() + LOOK
    return hard


class LocalWorker:
    """A worker that does the tasks of a plan in this process, one after the other.

    A segment that takes long is not interrupted.
    """

    number = 1

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]:
        """Yield the results of the plan's tasks until none is left or `stopped` returns True."""
        while not stopped() and (task := plan.take_task()):
            try:
                result = do_task(task, corpus.select_range(task.start, task.end), stopped)
            except Stopped:
                return
            plan.record_result(result)
            yield result
