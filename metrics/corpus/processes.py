"""The worker processes of this machine, which several scoring jobs share in turn and which stay loaded between jobs.

The processes are loky's: they do not start a second copy of a server's script, live on between jobs, and have a low
priority. One thread hands out the tasks, a part of each job in turn, so that a small job need not wait for a large one.
Tasks that may take long never occupy all processes. A process that does not stop a task nobody needs any more is
killed.
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

from ..types.extras import extra_named_in_errors
from .retries import RetryQueue
from .tasks import LOOK, LostSegments, ScoringCorpus, ScoringPlan, ScoringTask, Stopped, TaskResult, do_task
from .unavailable_metrics import DIED_TWICE

T = TypeVar("T")

#: The environment variable for the niceness of worker processes relative to the program, 0 to 19; 10 if it is not set.
NICE = "BITEXT_GRID_NICE"
#: The metrics that take seconds to load.
SLOW = ("meteor",)
#: The sentence that is reported when a process dies.
DIED = "a process that scored died, perhaps for lack of memory; its part is scored again"
#: Seconds without a task after which the processes exit.
IDLE = 300
#: Seconds between two looks of a worker process at whether the program that started it still runs.
LOOK_FOR_PARENT = 2.0
#: Seconds after which a process is killed that still does a task nobody needs. Within a segment it reacts only between
#: two steps of Python, and one step can take minutes.
GRACE = 10.0
#: The least number of processes, so that long tasks leave one to others even on a machine with one core.
LEAST = 2
#: A call whose arguments have at most this many bytes is taken to be short.
SMALL = 60_000


@dataclass
class Processes:
    """Workers for scoring that are `number` processes of this machine, or `LEAST` if that is more.

    All instances in a program share the same processes. `exclusive` says that the program scores for nobody else, so
    that tasks that take long may occupy all processes.
    """

    number: int
    exclusive: bool = False

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]:
        """Yield the results of the plan's tasks in any order, until all are done or `stopped` returns True."""
        yield from _run_results(_ScoringRun(self.number, plan, corpus, self.exclusive), stopped, say)


def _run_results(
    run: _Run, stopped: Callable[[], bool], say: Callable[[str], None] = lambda sentence: None
) -> Iterator[Any]:
    """Yield the results of a run's tasks until all are done or `stopped()` is True; `say` gets messages."""
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


def worker_executor(number: int) -> Any:
    """Return loky's executor with `number` worker processes, but at least `LEAST`; running ones are used again."""
    number = max(LEAST, number)
    return _import_loky("joblib.externals.loky").get_reusable_executor(
        max_workers=number, timeout=IDLE, initializer=_initialise_worker, initargs=(worker_niceness(),)
    )


def _import_loky(name: str) -> Any:
    """Import the module `name` of loky and return it, in one thread at a time.

    Its modules import each other in a circle, so two threads that import it at once can fail for want of half of it.
    """
    with _loky_lock, extra_named_in_errors():
        return import_module(name)


_loky_lock = threading.Lock()


def worker_niceness() -> int:
    """Return the niceness of the worker processes, from 0 to 19, relative to this program.

    It comes from the environment variable `NICE`. Raises ValueError if that is invalid.
    """
    value = os.environ.get(NICE) or "10"
    if not (value.isascii() and value.isdigit() and int(value) <= 19):
        raise ValueError(f"{NICE} must be a whole number from 0 to 19, got {value!r}")
    return int(value)


def run_in_process(number: int, do: Callable[..., T], *given: object, stopped: Callable[[], bool] = lambda: False) -> T:
    """Call `do(*given)` in one of the worker processes, in its turn among the other tasks, and return the result.

    A call with large arguments is expected to take long, so it always leaves a process to others. Raises Stopped once
    `stopped()` is True, and BrokenExecutor if the process died twice.
    """
    result: T = _call_result(_CallRun(number, do, given, heavy=not _is_small(given)), stopped)
    return result


def _is_small(given: object) -> bool:
    """Return whether the arguments have at most `SMALL` bytes when pickled; pickling stops beyond that size."""
    reduction = _import_loky("joblib.externals.loky.backend.reduction")
    try:
        reduction.get_loky_pickler()(_SizeLimitedSink()).dump(given)
    except Exception:  # it is larger, or it cannot be pickled, which the later call reports
        return False
    return True


class _SizeLimitedSink:
    """A writable file that discards what is written, and raises OverflowError after `SMALL` bytes."""

    def __init__(self) -> None:
        self.bytes_left = SMALL

    def write(self, data: bytes) -> int:
        size = len(data)
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise OverflowError
        return size


def _call_result(run: _CallRun, stopped: Callable[[], bool] = lambda: False) -> Any:
    """Run a single function call in a worker process and return its result. Raises Stopped if it is stopped before."""
    for result in _run_results(run, stopped):
        return result
    raise Stopped


def run_each_in_process(number: int, do: Callable[..., T], given: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """Yield `do(*arguments)` for each tuple in `given`, in order, with `number` calls at a time in worker processes.

    Each call should take little time. If the caller stops iterating, calls that have not begun are dropped.
    """
    with ThreadPoolExecutor(number) as threads:
        waiting = [threads.submit(_call_result, _CallRun(number, do, arguments, heavy=False)) for arguments in given]
        try:
            for each in waiting:
                yield each.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def start_workers_in_background(number: int) -> None:
    """Start `number` worker processes in the background, and load in each of them what the metrics need.

    Nothing waits for this. It does nothing if this was done a short time ago.
    """
    now = time.monotonic()
    if now - _warmed.get(number, -IDLE) > IDLE / 2:
        _warmed[number] = now
        threading.Thread(target=_start_and_load_workers, args=(number,), name="warm", daemon=True).start()


#: The time of the last warming, by the number of processes.
_warmed: dict[int, float] = {}


def _start_and_load_workers(number: int) -> None:
    """Start the worker processes and let each of them load the metrics."""
    from ..catalogue import METRICS

    # A RuntimeError is raised if the processes die or are replaced meanwhile, or the program ends.
    with suppress(RuntimeError, CancelledError, OSError):
        started = worker_executor(number)
        # Each process gets one task, because a task takes longer than starting the processes. What takes seconds to
        # load comes last, and only if no one waits for scores.
        quick = [started.submit(_load_metrics, [key for key in METRICS if key not in SLOW]) for _ in range(number)]
        for each in quick:
            each.result()
        if not _dispatcher.busy:
            for _ in range(number):
                started.submit(_load_metrics, SLOW)


# ---------------------------------------------------------------- in a worker


def _load_metrics(keys: Sequence[str]) -> None:
    """Score a small sample by the metrics with these keys, so that all modules and data that they need are loaded."""
    from ..catalogue import METRICS

    words = ("the", "cats", "sat", "there"), ("a", "cat", "sits", "there")
    sample = ScoringCorpus(("",), (words[:1],), (words[1:],))
    for key in keys:
        do_task(ScoringTask(key, METRICS[key].Settings(), 0, 1), sample, lambda: False)


def _initialise_worker(nice: int) -> None:
    """Initialise a worker process: import what metrics import late, and lower its priority by `nice`.

    The imports are done here because a task is never interrupted during an import.
    """
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    for name in ("nltk.data", "nltk.stem", "numpy"):
        import_module(name)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(nice)


def _exit_with_parent(parent: int) -> None:
    """Exit soon after the program that started this worker process has ended, whatever ended it.

    A program that a signal ends cannot tell its workers to exit, and they would stay until they are `IDLE`. `parent` is
    the program's process number; Windows keeps it, so that nothing changes there.
    """
    while os.getppid() == parent:
        time.sleep(LOOK_FOR_PARENT)
    os._exit(0)


def _run_while_wanted(wanted_file: str, do: Callable[..., T], *given: object) -> T:
    """Call `do(*given)` in a worker process, and interrupt it with Stopped once the file `wanted_file` is removed.

    During the call a file `WANTED_FILE-PID` shows which process runs it.
    """
    stands, mark = Path(wanted_file), Path(f"{wanted_file}-{os.getpid()}")

    def stopped() -> bool:
        return not stands.exists()

    if stopped():  # it was removed while the task was queued
        raise Stopped
    with _interrupted_when(stopped):
        mark.touch()
        try:
            return do_task(*given, stopped) if do is do_task else do(*given)  # type: ignore[arg-type, return-value]
        finally:
            mark.unlink(missing_ok=True)


@contextmanager
def _interrupted_when(stopped: Callable[[], bool]) -> Iterator[None]:
    """Interrupt the code in this context with Stopped once `stopped()` is True, even in the middle of a segment.

    Where the system has no timers, nothing is interrupted. Imports are never interrupted, because a half-imported
    package would stay broken for the rest of the process.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def look(number: int, frame: FrameType | None) -> None:
        if stopped() and not _is_importing(frame):
            raise Stopped

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether Python is importing a module in this stack frame or in one of its callers."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


# ---------------------------------------------------------------- in the program that asks


class _Answer(NamedTuple):
    """The result of a function call, wrapped to tell it from the other events of a run, since it may have any type."""

    value: Any


#: An event of a run: a result, a sentence to report, an error, or None at the end.
_Event: TypeAlias = TaskResult | _Answer | str | BaseException | None


class _Task(Protocol):
    """A task for one process; `heavy` says that it may take long."""

    @property
    def heavy(self) -> bool: ...


class _Run:
    """A series of tasks that a caller wants done by `number` worker processes.

    `exclusive` says that the program scores for nobody else.
    """

    def __init__(self, number: int, exclusive: bool = False) -> None:
        self.number, self.exclusive = number, exclusive
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self.wanted_file = ""  # the file that exists until the run has ended
        self.tasks_running = 0  # the tasks that were handed out and are not done
        self.held_task: _Task | None = None  # a heavy task that waits until it would leave a process to others
        self.ended = False

    def take(self) -> Any:
        """Return the next task of this run; None if there is none at the moment."""
        raise NotImplementedError

    def call_of(self, task: Any) -> tuple[Any, ...]:
        """Return the function that a worker process calls to do a task of this run, followed by its arguments."""
        raise NotImplementedError

    def finish(self, task: Any, result: Any) -> None:
        """Pass the result of a task to the caller of this run."""
        raise NotImplementedError

    def give_up(self, task: Any) -> None:
        """Report to the caller of this run that a task is given up because a process died over it twice."""
        raise NotImplementedError


class _ScoringRun(_Run):
    """The run that does the scoring tasks of a job."""

    def __init__(self, number: int, plan: ScoringPlan, corpus: ScoringCorpus, exclusive: bool) -> None:
        super().__init__(number, exclusive)
        self.plan, self.corpus = plan, corpus

    def take(self) -> ScoringTask | None:
        return self.plan.take_task()

    def call_of(self, task: ScoringTask) -> tuple[Any, ...]:
        return do_task, task, self.corpus.select_range(task.start, task.end)

    def finish(self, task: ScoringTask, result: TaskResult) -> None:
        self.plan.record_result(result)
        self.events.put(result)

    def give_up(self, task: ScoringTask) -> None:
        self.finish(task, TaskResult(task, lost=LostSegments(task.key, task.start, task.end)))


class _CallRun(_Run):
    """The run of a single function call, which is also its only task."""

    def __init__(self, number: int, do: Callable[..., Any], given: tuple[object, ...], heavy: bool) -> None:
        super().__init__(number)
        self.do, self.given, self.heavy = do, given, heavy
        self._is_taken = False

    def take(self) -> _CallRun | None:
        was_taken, self._is_taken = self._is_taken, True
        return None if was_taken else self

    def call_of(self, task: object) -> tuple[Any, ...]:
        return self.do, *self.given

    def finish(self, task: object, result: object) -> None:
        self.events.put(_Answer(result))

    def give_up(self, task: object) -> None:
        self.events.put(BrokenExecutor(DIED_TWICE))


class _RunningTask(NamedTuple):
    """A task of a run that was handed out to a worker process, with a unique number."""

    run: _Run
    task: Any
    number: int


class _Dispatcher:
    """A dispatcher that hands out the tasks of all runs to the worker processes, in a thread of its own."""

    def __init__(self) -> None:
        self._news: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._runs: deque[_Run] = deque()  # the run whose turn it is comes first
        self._number = 0
        self._handed_out: dict[Future[Any], _RunningTask] = {}
        self._dead: list[_RunningTask] = []  # the tasks that were handed out when a process died
        self._tries: RetryQueue[_RunningTask] = RetryQueue(lambda running_task: running_task.number)
        self._interrupted: deque[_RunningTask] = deque()  # tasks that stopped because a process was killed here
        self._was_killed_here = False  # whether the next process that is found dead was killed here
        self._lone_future: Future[Any] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._names = count()
        self._starting = threading.Lock()

    @property
    def busy(self) -> bool:
        """Return whether a run has tasks left."""
        return bool(self._runs)

    def begin(self, run: _Run) -> None:
        """Start to hand out the tasks of a run."""
        with self._starting:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="corpora-", ignore_cleanup_errors=True)
                threading.Thread(target=self._serve_forever, daemon=True, name="corpora").start()
            run.wanted_file = f"{self._folder.name}/{next(self._names)}"
            Path(run.wanted_file).touch()
        self._news.put(partial(self._runs.append, run))

    def end(self, run: _Run) -> None:
        """Hand out no more tasks of a run, and interrupt those that are being done."""
        Path(run.wanted_file).unlink(missing_ok=True)
        self._news.put(partial(self._remove_run, run))

    def _serve_forever(self) -> None:
        """Carry out the actions that other threads have queued, one by one, and hand out tasks after each."""
        while True:
            action = self._news.get()
            try:
                action()
                self._hand_out()
            except BaseException as error:  # for example, no process can be started; a later job may succeed
                for run in self._runs:
                    run.events.put(error)
                self._runs.clear()

    def _remove_run(self, run: _Run) -> None:
        """Remove a run, and start a timer that kills the worker processes which then still do its tasks."""
        run.ended = True
        if run in self._runs:
            self._runs.remove(run)
        for future, running_task in self._handed_out.items():
            if running_task.run is run:
                future.cancel()
        if any(running_task.run is run for running_task in self._handed_out.values()):
            timer = threading.Timer(GRACE, lambda: self._news.put(partial(self._kill_processes, run)))
            timer.daemon = True
            timer.start()

    def _kill_processes(self, run: _Run) -> None:
        """Kill the worker processes that still do a task of a run that has ended.

        loky then ends all other processes too, so their tasks are done again.
        """
        if self._dead or not any(running_task.run is run for running_task in self._handed_out.values()):
            return
        wanted_file = Path(run.wanted_file)
        ours = {process.pid for process in active_children()}
        for mark in wanted_file.parent.glob(f"{wanted_file.name}-*"):
            process = int(mark.name.rpartition("-")[2])
            mark.unlink(missing_ok=True)
            if process in ours:
                self._was_killed_here = True
                _warmed.clear()
                with suppress(ProcessLookupError):
                    os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _handle_done(self, future: Future[Any]) -> None:
        """Handle a future that is done: pass its result or its error to the run, or note that the process died."""
        running_task = self._handed_out.pop(future)
        if future is self._lone_future:
            self._lone_future = None
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            self._dead.append(running_task)  # all other tasks that were handed out fail in the same way
        elif running_task.run.ended:
            pass
        elif error is not None:
            running_task.run.events.put(error)
            self._remove_run(running_task.run)
        else:
            self._pass_result(running_task, future.result())

    def _pass_result(self, running_task: _RunningTask, result: Any) -> None:
        """Pass the result of a task to its run."""
        running_task.run.tasks_running -= 1
        running_task.run.finish(running_task.task, result)

    def _retry_or_give_up(self) -> None:
        """Decide which tasks of dead processes are tried again and which are given up."""
        self._dead = [running_task for running_task in self._dead if not running_task.run.ended]
        if self._was_killed_here:  # the process was killed here, so no task is to blame
            self._interrupted += self._dead
            self._dead, self._was_killed_here = [], False
        for run in dict.fromkeys([running_task.run for running_task in self._dead]):
            run.events.put(DIED)
        for running_task in self._tries.record_death(self._dead):
            running_task.run.tasks_running -= 1
            running_task.run.give_up(running_task.task)
        self._dead.clear()

    def _hand_out(self) -> None:
        """Submit tasks until each process has one, and one more, so that no process has to wait for the next.

        After a process has died, the tasks that may have killed it are first tried again, one at a time.
        """
        if self._dead:
            if self._handed_out:
                return
            self._retry_or_give_up()
        while self._lone_future is None:
            if self._tries.waiting:
                if self._handed_out:
                    return
                running_task = self._tries.waiting.popleft()
                if not running_task.run.ended:
                    self._lone_future = self._submit(running_task)
                continue
            if len(self._handed_out) > self._number or not self._submit_next():
                return

    def _submit_next(self) -> bool:
        """Submit one task of the run whose turn it is; return False if no run has a task at the moment."""
        if self._interrupted:
            running_task = self._interrupted.popleft()
            if not running_task.run.ended:
                self._submit(running_task)
            return True
        for _ in range(len(self._runs)):
            run = self._runs[0]
            task = self._next_task(run)
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

    def _next_task(self, run: _Run) -> _Task | None:
        """Return the next task of a run, or None.

        It is None if the run has no task at the moment, or if a heavy task would leave no process to others, who may
        come while it runs.
        """
        task, run.held_task = run.held_task or run.take(), None
        if task is not None and task.heavy and not run.exclusive:
            heavy = sum(running_task.task.heavy for running_task in self._handed_out.values())
            if heavy >= max(self._number, run.number, LEAST) - 1:
                task, run.held_task = None, task
        return task

    def _submit(self, running_task: _RunningTask) -> Future[Any]:
        """Submit a task to the worker processes and return its future."""
        run = running_task.run
        self._number = max(self._number, run.number, LEAST)
        work = run.call_of(running_task.task)
        while True:
            with suppress(BrokenExecutor):  # a process has died while it had no task
                future: Future[Any] = worker_executor(self._number).submit(_run_while_wanted, run.wanted_file, *work)
                break
        self._handed_out[future] = running_task
        future.add_done_callback(lambda future: self._news.put(partial(self._handle_done, future)))
        return future


_dispatcher = _Dispatcher()
