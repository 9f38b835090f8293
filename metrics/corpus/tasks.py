"""The parts in which a corpus is scored, in which order they come, and what a process does with one.

A part is a metric over a range of segments of all systems, so that what it finds of a reference is found once. Metrics
whose segments depend on each other (`Metric.corpus`) have one part with all segments. A few segments of each metric
come first and tell which is the quickest; that one is scored whole, so that there is a number soon. Some more segments
of the others tell how long they take, by which their order follows.
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
from .table import Rows, of_statistics

#: Segments, of all systems, of the first part of each metric, and of the second: what is loaded when a metric is first
#: used is not to count for the others.
FIRST, SECOND = 4, 16
#: Seconds that the other parts are to take, and the most segments that one has.
SECONDS = 0.25
LARGEST = 1000
#: Cells, which are words of the outputs times words of the references, of which a segment is a part by itself.
HEAVY_CELLS = 1_000_000
#: Words that a task reads of a whole corpus from which on it is heavy.
HEAVY_WORDS = 2_000_000
#: A part has at most so many times the cells that as many segments have where their metric was timed.
UNEVEN = 8
#: A process looks so often, in seconds, whether what it does is still wanted.
LOOK = 0.1


class ScoringCorpus(NamedTuple):
    """The outputs of the systems by their names, and of each segment the references, at least one."""

    names: tuple[str, ...]
    systems: tuple[tuple[Tokens, ...], ...]
    references: tuple[tuple[Tokens, ...], ...]

    def part(self, start: int, end: int) -> ScoringCorpus:
        """The segments from `start` up to `end`."""
        return ScoringCorpus(self.names, tuple([each[start:end] for each in self.systems]), self.references[start:end])

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


class Lost(NamedTuple):
    """Segments of all systems, from `start` up to `end`, over which a process died twice."""

    metric: str
    start: int
    end: int


class ScoringTask(NamedTuple):
    """A metric over the segments from `start` up to `end`. What comes of a trial is not kept, only how long it took; no
    segment may take more than `most` steps (`types.work`). What is `heavy` may take seconds or minutes."""

    key: str
    settings: Settings
    start: int
    end: int
    trial: bool = False
    most: float = math.inf
    heavy: bool = False


class TaskResult(NamedTuple):
    """What comes of a task: the rows of each system and the seconds it took; or none, where segments were too hard, or
    the process died over it twice."""

    task: ScoringTask
    rows: tuple[Rows, ...] = ()
    seconds: float = 0.0
    hard: tuple[Hard, ...] = ()
    lost: Lost | None = None


class Stopped(Exception):  # noqa: N818, it is no error
    """What was being done is not wanted any more."""


class Workers(Protocol):
    """What does the tasks of a plan somewhere, and gives what it finds in whatever order.

    It looks at least every `LOOK` seconds whether it has been `stopped` and gives nothing more then. `say` is told, in
    a sentence, what went wrong and was mended.
    """

    @property
    def number(self) -> int:
        """How many tasks are done at once."""
        ...

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]: ...


# ---------------------------------------------------------------- the order


class _Sizes:
    """How much work the segments of a corpus are beside each other.

    A segment counts as one, and a heavy one, which has more than `HEAVY_CELLS`, for as many as have its cells.

    >>> long, short = ("a",) * 2000, ("a",) * 10
    >>> sizes = _Sizes(ScoringCorpus(("A",), ((long, short, short),), ((long,), (short,), (short,))))
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
        #: The heavy segments, and the cells that one of the others has on average.
        self.heavy: list[int] = np.flatnonzero(heavy).tolist()
        self.usual = float(cells[~heavy].mean()) if not heavy.all() else float(cells.mean()) if len(cells) else 1.0
        self._cells = np.concatenate([[0], np.cumsum(cells)])
        counts = np.where(heavy, np.maximum(np.rint(cells / self.usual), 1), 1).astype(np.int64)
        self._counts = np.concatenate([[0], np.cumsum(counts)])

    def count(self, start: int, end: int) -> int:
        """As how many segments those from `start` up to `end` count."""
        return int(self._counts[end] - self._counts[start])

    def cells(self, start: int, end: int) -> int:
        """The cells that they have."""
        return int(self._cells[end] - self._cells[start])

    def end(self, start: int, segments: int, cells: float) -> int:
        """Where a part ends that begins at `start`: it has so many segments and cells at the most, but at least one
        segment, and a heavy one alone."""
        at = bisect_left(self.heavy, start)
        heavy = self.heavy[at] if at < len(self.heavy) else len(self._cells) - 1
        if heavy == start:
            return start + 1
        most = int(np.searchsorted(self._cells, self._cells[start] + cells, side="right")) - 1
        return min(start + segments, max(most, start + 1), heavy)


class ScoringPlan:
    """Which task comes next, for threads that ask for one and threads that tell what came of another.

    A part is bounded in work before anybody has it, so that whoever waits behind it waits for little; what cannot be
    parted is `heavy`.
    """

    def __init__(self, requests: Sequence[Asked], corpus: ScoringCorpus, most: float = math.inf) -> None:
        from ..catalogue import METRICS

        self.size = len(corpus.references)
        self._sizes = _Sizes(corpus)
        self._steps_most = most
        self._settings = dict(requests)
        self._whole_keys = {key for key in self._settings if METRICS[key].corpus}
        #: Of each metric the segments that are given out, and those of which all has come.
        self._segments_given = dict.fromkeys(self._settings, 0)
        self._segments_done = dict.fromkeys(self._settings, 0)
        self._rate: dict[str, _Rate] = {}
        self._worked = 0.0
        self._order = self._tasks_in_order()
        self._out = 0  # first parts that are given out and have not come
        self._quickest = ""  # the metric that is scored whole first
        self._is_timed = False
        self._lock = threading.Lock()

    def take(self) -> ScoringTask | None:
        """The next task; None where there is none now, since none is left or how long metrics take is not known yet."""
        with self._lock:
            return next(self._order)

    def _tasks_in_order(self) -> Iterator[ScoringTask | None]:
        """The tasks in their order, None whenever there is none yet, and at the end for ever."""
        yield from self._first_parts(self._settings, FIRST, len(self._settings) // 2)  # some may load for seconds
        self._quickest = min([key for key in self._unfinished() if key in self._rate], key=self._per, default="")
        asked_first = next(iter(self._settings), "")
        for key in (self._quickest, asked_first):  # what was asked for first somebody looks at
            while key in self._unfinished():
                yield self._next_part(key)
        yield from self._first_parts(self._unfinished(), SECOND)
        self._is_timed = True
        while unfinished := self._unfinished():
            yield self._next_part(min(unfinished, key=self._per))
        while True:
            yield None

    def _first_parts(self, keys: Iterable[str], size: int, missing: int = 0) -> Iterator[ScoringTask | None]:
        """The next part of each metric, of one size, and None until what came of all, or all but so many, is told."""
        for key in keys:
            if self._segments_given[key] == self.size:
                continue
            self._out += 1
            if key in self._whole_keys and size < self.size:
                yield ScoringTask(key, self._settings[key], 0, size, True, self._steps_most)
            else:
                yield self._give(key, size)
        while self._out > missing:
            yield None

    def _unfinished(self) -> list[str]:
        """The metrics of which some segments are not given out."""
        return [key for key, given in self._segments_given.items() if given < self.size]

    def _next_part(self, key: str) -> ScoringTask:
        """A part that is to take `SECONDS`; a small one where it is not known how long segments take."""
        per = self._per(key)
        return self._give(key, max(1, min(LARGEST, int(SECONDS / per))) if per else SECOND)

    def _give(self, key: str, step: int) -> ScoringTask:
        """The next so many segments of a metric, or fewer where they are more work than others; or all."""
        start, settings = self._segments_given[key], self._settings[key]
        if key in self._whole_keys:
            end, heavy = self.size, self._sizes.words > HEAVY_WORDS
        else:
            rate = self._rate.get(key)
            cells = UNEVEN * step * (rate.cells / rate.size if rate else self._sizes.usual)
            end = self._sizes.end(start, step, cells if rate else min(cells, HEAVY_CELLS))
            heavy = self._sizes.cells(start, end) > HEAVY_CELLS and end == start + 1
        self._segments_given[key] = end
        return ScoringTask(key, settings, start, end, False, self._steps_most, heavy)

    def took(self, result: TaskResult) -> None:
        """Learn what came of a task."""
        task = result.task
        with self._lock:
            # What a metric loads when it is first used does not count: its second part replaces the first.
            replaces_first = task.trial or task.start <= FIRST
            before = _Rate() if replaces_first else self._rate.get(task.key, _Rate())
            size, cells = self._sizes.count(task.start, task.end), self._sizes.cells(task.start, task.end)
            self._rate[task.key] = _Rate(before.seconds + result.seconds, before.size + size, before.cells + cells)
            self._worked += result.seconds
            if self._out and task.key != self._quickest:
                self._out -= 1
            if not task.trial:
                self._segments_done[task.key] += self._sizes.count(task.start, task.end)
            if result.lost:  # there will be no score, and other parts may be as bad
                self._segments_given[task.key] = self.size

    @property
    def worked(self) -> float:
        """The seconds that all tasks took so far, together."""
        return self._worked

    @property
    def is_timed(self) -> bool:
        """Whether it is known how long each metric takes."""
        return self._is_timed

    def seconds_left(self) -> dict[str, float]:
        """For each metric, the quickest first, the seconds that what is left of it takes one process."""
        keys, all_ = sorted(self._settings, key=self._per), self._sizes.count(0, self.size)
        return {key: (all_ - self._segments_done[key]) * self._per(key) for key in keys}

    def _per(self, key: str) -> float:
        """The seconds that a segment takes, of those that are not heavy."""
        rate = self._rate.get(key)
        return rate.seconds / rate.size if rate and rate.size else 0.0


class _Rate(NamedTuple):
    """How long some segments took, as how many they count, and the cells that they have."""

    seconds: float = 0.0
    size: int = 0
    cells: int = 0


# ---------------------------------------------------------------- the work


def work_on(task: ScoringTask, corpus: ScoringCorpus, stopped: Callable[[], bool] = lambda: False) -> TaskResult:
    """Do a task on the part of the corpus that it names, in whatever process. Raises Stopped."""
    from ..catalogue import METRICS

    metric, start_time = METRICS[task.key], time.perf_counter()
    out: list[Rows] = []
    hard: list[Hard] = []
    for system in range(len(corpus.systems)):
        segments = corpus.segments(system)
        each: list[Mapping[str, float]] = []
        if metric.corpus:
            try:
                each = [*metric.corpus(segments, task.settings)]
            except TooHard as error:
                too_hard = _one_by_one(metric, task, segments, system, [], stopped)
                hard += too_hard or [Hard(task.key, system, task.start, str(error))]
        else:
            hard += _one_by_one(metric, task, segments, system, each, stopped)
        if not hard:
            out.append(of_statistics(metric, task.settings, each))
    return TaskResult(task, () if hard else tuple(out), time.perf_counter() - start_time, tuple(hard))


def _one_by_one(
    metric: Metric,
    task: ScoringTask,
    segments: Sequence[Segment],
    system: int,
    each: list[Mapping[str, float]],
    stopped: Callable[[], bool],
) -> list[Hard]:
    """Adds the statistics of each segment, but of those that are too hard, which it gives."""
    hard, look = [], time.perf_counter() + LOOK
    for number, segment in enumerate(segments, task.start):
        try:
            with work.limited(task.most):
                each.append(metric.statistics(segment, task.settings))
        except TooHard as error:
            hard.append(Hard(task.key, system, number, str(error)))
        if time.perf_counter() > look:
            if stopped():
                raise Stopped
            look = time.perf_counter() + LOOK
    return hard


class LocalWorker:
    """This process, one task after the other; a segment that takes long is not broken off."""

    number = 1

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]:
        while not stopped() and (task := plan.take()):
            try:
                result = work_on(task, corpus.part(task.start, task.end), stopped)
            except Stopped:
                return
            plan.took(result)
            yield result
