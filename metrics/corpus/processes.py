"""Warm processes of this machine, which several jobs share in turn.

The processes are loky's: they start no second copy of a server's script, live on between jobs, and give way to whoever
else wants the cores. One thread hands out the tasks, a part of each job in turn, so that a small job need not wait
until a large one is done. What may take long never has all processes, and one that does not let go of what nobody waits
for any more is ended.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from ..types.extras import extra_named
from .retries import Tries
from .tasks import LOOK, Lost, ScoringCorpus, ScoringPlan, ScoringTask, Stopped, TaskResult, work_on
from .unavailable_metrics import DIED_TWICE

T = TypeVar("T")

#: The environment variable that says how much nicer than the program a worker process is, 0 to 19; 10 without it.
NICE = "BITEXT_GRID_NICE"
#: The metrics that load for seconds.
SLOW = ("meteor",)
#: What is said where one ends that should not.
DIED = "a process that scored died, perhaps for want of memory; what it had is scored again"
#: Seconds without a task after which the processes end.
IDLE = 300
#: Seconds after which a process is ended that still does what nobody waits for: in the middle of a segment it listens
#: only between two steps of Python, and one of them can take minutes.
GRACE = 10.0
#: Processes that there are at least, so that what takes long leaves one to others on a machine with one core too.
LEAST = 2
#: Bytes that are sent to a process with a function of which it is known that it does not take long.
SMALL = 60_000


@dataclass
class Processes:
    """So many processes, but at least `LEAST`. All that are asked for in one program are the same ones. An
    `exclusive` program scores for nobody else: heavy tasks may have all processes then."""

    number: int
    exclusive: bool = False

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]:
        yield from _run_results(_Scoring(self.number, plan, corpus, self.exclusive), stopped, say)


def _run_results(
    run: _Run, stopped: Callable[[], bool], say: Callable[[str], None] = lambda sentence: None
) -> Iterator[Any]:
    """What comes of the tasks of a run, until it has ended or is stopped."""
    _dispatcher.begin(run)
    try:
        while not stopped():
            try:
                event = run.events.get(timeout=LOOK)
            except Empty:
                continue
            if event is None:
                return
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, str):
                say(event)
            else:
                yield event.value if isinstance(event, _Answer) else event
    finally:
        _dispatcher.end(run)


def executor(number: int) -> Any:
    """So many warm processes, as loky hands out tasks to them."""
    with extra_named():
        from joblib.externals.loky import get_reusable_executor

    number = max(LEAST, number)
    return get_reusable_executor(max_workers=number, timeout=IDLE, initializer=_begin, initargs=(niceness(),))


def niceness() -> int:
    """How much nicer than this program its worker processes are. ValueError where `NICE` says what cannot be."""
    value = os.environ.get(NICE) or "10"
    if not (value.isascii() and value.isdigit() and int(value) <= 19):
        raise ValueError(f"{NICE} must be a whole number from 0 to 19, got {value!r}")
    return int(value)


def run_in_process(number: int, do: Callable[..., T], *given: object, stopped: Callable[[], bool] = lambda: False) -> T:
    """What a function gives that one of these processes calls, in its turn among the tasks that they have. Where it is
    given more than little, nobody knows how long it takes, so it leaves a process to others. Raises Stopped once it is
    `stopped`, and BrokenExecutor where the process died twice."""
    result: T = _call_result(_Calling(number, do, given, heavy=not _is_small(given)), stopped)
    return result


def _is_small(given: object) -> bool:
    """Whether something has at most `SMALL` bytes when it is sent; it is looked at no further than that."""
    with extra_named():
        from joblib.externals.loky.backend.reduction import get_loky_pickler

    try:
        get_loky_pickler()(_Counted()).dump(given)
    except Exception:  # it is larger, or cannot be sent, which whoever sends it will say
        return False
    return True


class _Counted:
    """A file that takes `SMALL` bytes and keeps none."""

    def __init__(self) -> None:
        self.bytes_left = SMALL

    def write(self, data: bytes) -> int:
        size = len(data)
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise OverflowError
        return size


def _call_result(run: _Calling, stopped: Callable[[], bool] = lambda: False) -> Any:
    for result in _run_results(run, stopped):
        return result
    raise Stopped


def run_each_in_process(number: int, do: Callable[..., T], given: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """What a function gives for each of these arguments, in their order, as many at once as there are processes: each
    is a small part of the work. Who stops taking what comes has what has not begun left undone."""
    with ThreadPoolExecutor(number) as threads:
        waiting = [threads.submit(_call_result, _Calling(number, do, arguments, heavy=False)) for arguments in given]
        try:
            for each in waiting:
                yield each.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def warm(number: int) -> None:
    """Start so many processes, each of which loads what metrics need, before there is anything to score; it is waited
    for by nobody. Those that were asked for lately are warm."""
    now = time.monotonic()
    if now - _warmed.get(number, -IDLE) > IDLE / 2:
        _warmed[number] = now
        threading.Thread(target=_warm, args=(number,), name="warm", daemon=True).start()


#: When so many processes were last warmed.
_warmed: dict[int, float] = {}


def _warm(number: int) -> None:
    from ..catalogue import METRICS

    # A RuntimeError where the processes die or are replaced meanwhile, or the program ends.
    with suppress(RuntimeError, CancelledError, OSError):
        started = executor(number)
        # Each of the processes takes one, as one takes longer than it is to start them. What takes seconds comes last,
        # and not where somebody waits for scores.
        quick = [started.submit(_load, [key for key in METRICS if key not in SLOW]) for _ in range(number)]
        for each in quick:
            each.result()
        if not _dispatcher.busy:
            for _ in range(number):
                started.submit(_load, SLOW)


# ---------------------------------------------------------------- in a worker


def _load(keys: Sequence[str]) -> None:
    """Score something by some metrics, with which all is loaded that they import and read late."""
    from ..catalogue import METRICS

    words = ("the", "cats", "sat", "there"), ("a", "cat", "sits", "there")
    sample = ScoringCorpus(("",), (words[:1],), (words[1:],))
    for key in keys:
        work_on(ScoringTask(key, METRICS[key].Settings(), 0, 1), sample, lambda: False)


def _begin(nice: int) -> None:
    """What a worker does first. It imports what metrics import late, for no import is broken off."""
    for name in ("nltk.data", "nltk.stem", "numpy"):
        import_module(name)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(nice)


def _do(wanted_file: str, do: Callable[..., T], *given: object) -> T:
    """Does something while the file `wanted_file` stands there. Another, `WANTED_FILE-PID`, says which process does."""
    stands, mark = Path(wanted_file), Path(f"{wanted_file}-{os.getpid()}")

    def stopped() -> bool:
        return not stands.exists()

    if stopped():  # while it waited
        raise Stopped
    with _looking(stopped):
        mark.touch()
        try:
            return work_on(*given, stopped) if do is work_on else do(*given)  # type: ignore[arg-type, return-value]
        finally:
            mark.unlink(missing_ok=True)


@contextmanager
def _looking(stopped: Callable[[], bool]) -> Iterator[None]:
    """Breaks off what is done inside, also in the middle of a segment where the system has timers, but not in that of
    an import: a package that is half there would be so for all that the process does later."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def look(number: int, frame: FrameType | None) -> None:
        if stopped() and not _imports(frame):
            raise Stopped

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _imports(frame: FrameType | None) -> bool:
    """Whether something is being imported there."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


# ---------------------------------------------------------------- in the program that asks


class _Answer(NamedTuple):
    """What a function gave, whatever that is."""

    value: Any


#: What a run waits for: what was found, a sentence, an error, None at the end.
_Event: TypeAlias = TaskResult | _Answer | str | BaseException | None


class _Task(Protocol):
    """What a process does at once."""

    @property
    def heavy(self) -> bool: ...


class _Run:
    """What somebody wants of the processes: `number` of them. An `exclusive` program scores for nobody else."""

    def __init__(self, number: int, exclusive: bool = False) -> None:
        self.number, self.exclusive = number, exclusive
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self.wanted_file = ""  # the file that stands there until the run has ended
        self.tasks_running = 0  # tasks that are not done
        self.held_task: _Task | None = None  # a heavy one that waits until it leaves a process to others
        self.ended = False

    def take(self) -> Any:
        """The next task, None where there is none now."""
        raise NotImplementedError

    def work(self, task: Any) -> tuple[Any, ...]:
        """What a process calls to do a task, and with what."""
        raise NotImplementedError

    def finish(self, task: Any, result: Any) -> None:
        """A task is done."""
        raise NotImplementedError

    def lost(self, task: Any) -> None:
        """A task is given up, for a process died over it twice."""
        raise NotImplementedError


class _Scoring(_Run):
    """The tasks of a job."""

    def __init__(self, number: int, plan: ScoringPlan, corpus: ScoringCorpus, exclusive: bool) -> None:
        super().__init__(number, exclusive)
        self.plan, self.corpus = plan, corpus

    def take(self) -> ScoringTask | None:
        return self.plan.take()

    def work(self, task: ScoringTask) -> tuple[Any, ...]:
        return work_on, task, self.corpus.part(task.start, task.end)

    def finish(self, task: ScoringTask, result: TaskResult) -> None:
        self.plan.took(result)
        self.events.put(result)

    def lost(self, task: ScoringTask) -> None:
        self.finish(task, TaskResult(task, lost=Lost(task.key, task.start, task.end)))


class _Calling(_Run):
    """A function that is called once: its own task."""

    def __init__(self, number: int, do: Callable[..., Any], given: tuple[object, ...], heavy: bool) -> None:
        super().__init__(number)
        self.do, self.given, self.heavy = do, given, heavy
        self._is_taken = False

    def take(self) -> _Calling | None:
        was_taken, self._is_taken = self._is_taken, True
        return None if was_taken else self

    def work(self, task: object) -> tuple[Any, ...]:
        return self.do, *self.given

    def finish(self, task: object, result: object) -> None:
        self.events.put(_Answer(result))

    def lost(self, task: object) -> None:
        self.events.put(BrokenExecutor(DIED_TWICE))


class _RunningTask(NamedTuple):
    """A task that was handed out, with a number that no other has."""

    run: _Run
    task: Any
    number: int


class _Dispatcher:
    """Hands out the tasks of all jobs, in a thread of its own."""

    def __init__(self) -> None:
        self._news: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._runs: deque[_Run] = deque()  # whose turn it is comes first
        self._number = 0
        self._flying: dict[Future[Any], _RunningTask] = {}
        self._dead: list[_RunningTask] = []  # what was flying when a process died
        self._tries: Tries[_RunningTask] = Tries(lambda running_task: running_task.number)
        self._interrupted: deque[_RunningTask] = deque()  # of processes that were ended for another run's sake
        self._ours = False  # whether the next process that is found dead was ended here
        self._lone_future: Future[Any] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._names = count()
        self._starting = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether there is a run whose tasks are done."""
        return bool(self._runs)

    def begin(self, run: _Run) -> None:
        """Do the tasks of a run."""
        with self._starting:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="corpora-", ignore_cleanup_errors=True)
                threading.Thread(target=self._serve, daemon=True, name="corpora").start()
            run.wanted_file = f"{self._folder.name}/{next(self._names)}"
            Path(run.wanted_file).touch()
        self._news.put(partial(self._runs.append, run))

    def end(self, run: _Run) -> None:
        """Do no more of them, and break off what is being done."""
        Path(run.wanted_file).unlink(missing_ok=True)
        self._news.put(partial(self._end, run))

    def _serve(self) -> None:
        while True:
            action = self._news.get()
            try:
                action()
                self._hand_out()
            except BaseException as error:  # no processes can be started, say; the next job may be luckier
                for run in self._runs:
                    run.events.put(error)
                self._runs.clear()

    def _end(self, run: _Run) -> None:
        run.ended = True
        if run in self._runs:
            self._runs.remove(run)
        for future, running_task in self._flying.items():
            if running_task.run is run:
                future.cancel()
        if any(running_task.run is run for running_task in self._flying.values()):
            timer = threading.Timer(GRACE, lambda: self._news.put(partial(self._end_processes, run)))
            timer.daemon = True
            timer.start()

    def _end_processes(self, run: _Run) -> None:
        """End the processes that still do a task of a run that has ended. The others end with them, and what they had
        is done anew."""
        if self._dead or not any(running_task.run is run for running_task in self._flying.values()):
            return
        wanted_file = Path(run.wanted_file)
        ours = {process.pid for process in active_children()}
        for mark in wanted_file.parent.glob(f"{wanted_file.name}-*"):
            process = int(mark.name.rpartition("-")[2])
            mark.unlink(missing_ok=True)
            if process in ours:
                self._ours = True
                _warmed.clear()
                with suppress(ProcessLookupError):
                    os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _landed(self, future: Future[Any]) -> None:
        """What a process had is done, or the process died."""
        running_task = self._flying.pop(future)
        if future is self._lone_future:
            self._lone_future = None
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            self._dead.append(running_task)  # so it is with all others that are flying
        elif running_task.run.ended:
            pass
        elif error is not None:
            running_task.run.events.put(error)
            self._end(running_task.run)
        else:
            self._finish(running_task, future.result())

    def _finish(self, running_task: _RunningTask, result: Any) -> None:
        running_task.run.tasks_running -= 1
        running_task.run.finish(running_task.task, result)

    def _bury(self) -> None:
        """Know what is to be tried again and what is given up."""
        self._dead = [running_task for running_task in self._dead if not running_task.run.ended]
        if self._ours:  # that is nobody's fault
            self._interrupted += self._dead
            self._dead, self._ours = [], False
        for run in dict.fromkeys([running_task.run for running_task in self._dead]):
            run.events.put(DIED)
        for running_task in self._tries.died(self._dead):
            running_task.run.tasks_running -= 1
            running_task.run.lost(running_task.task)
        self._dead.clear()

    def _hand_out(self) -> None:
        """Give the processes what they can do, and one task more, so that none waits for the next."""
        if self._dead:
            if self._flying:
                return
            self._bury()
        while self._lone_future is None:
            if self._tries.waiting:
                if self._flying:
                    return
                running_task = self._tries.waiting.popleft()
                if not running_task.run.ended:
                    self._lone_future = self._submit(running_task)
                continue
            if len(self._flying) > self._number or not self._next():
                return

    def _next(self) -> bool:
        """Hand out a task of the run whose turn it is; False where none has one now."""
        if self._interrupted:
            running_task = self._interrupted.popleft()
            if not running_task.run.ended:
                self._submit(running_task)
            return True
        for _ in range(len(self._runs)):
            run = self._runs[0]
            task = self._task_of(run)
            if task is not None:
                self._runs.rotate(-1)
                run.tasks_running += 1
                self._submit(_RunningTask(run, task, next(self._names)))
                return True
            if run.tasks_running or run.held_task:
                self._runs.rotate(-1)
            else:
                self._runs.popleft()
                run.events.put(None)
        return False

    def _task_of(self, run: _Run) -> _Task | None:
        """The next task of a run; None where there is none now, or a heavy one that would leave no process to others:
        nobody knows who comes while it is done."""
        task, run.held_task = run.held_task or run.take(), None
        if task is not None and task.heavy and not run.exclusive:
            heavy = sum(running_task.task.heavy for running_task in self._flying.values())
            if heavy >= max(self._number, run.number, LEAST) - 1:
                task, run.held_task = None, task
        return task

    def _submit(self, running_task: _RunningTask) -> Future[Any]:
        run = running_task.run
        self._number = max(self._number, run.number, LEAST)
        work = run.work(running_task.task)
        while True:
            with suppress(BrokenExecutor):  # a process has died while nothing was done
                future: Future[Any] = executor(self._number).submit(_do, run.wanted_file, *work)
                break
        self._flying[future] = running_task
        future.add_done_callback(lambda future: self._news.put(partial(self._landed, future)))
        return future


_dispatcher = _Dispatcher()
