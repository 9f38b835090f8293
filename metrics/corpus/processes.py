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
from .missing import DIED_TWICE
from .tasks import LOOK, Corpus, Found, Lost, Plan, Stopped, Task, work_on
from .tries import Tries

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
    """So many processes, but at least `LEAST`. All that are asked for in one program are the same ones. `alone` is who
    scores for nobody else: heavy tasks may have all processes then."""

    number: int
    alone: bool = False

    def run(
        self, plan: Plan, corpus: Corpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[Found]:
        yield from _found(_Scoring(self.number, plan, corpus, self.alone), stopped, say)


def _found(run: _Run, stopped: Callable[[], bool], say: Callable[[str], None] = lambda sentence: None) -> Iterator[Any]:
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
                yield event.found if isinstance(event, _Answer) else event
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
    said = os.environ.get(NICE) or "10"
    if not (said.isascii() and said.isdigit() and int(said) <= 19):
        raise ValueError(f"{NICE} must be a whole number from 0 to 19, got {said!r}")
    return int(said)


def run_in_process(number: int, do: Callable[..., T], *given: object, stopped: Callable[[], bool] = lambda: False) -> T:
    """What a function gives that one of these processes calls, in its turn among the tasks that they have. Where it is
    given more than little, nobody knows how long it takes, so it leaves a process to others. Raises Stopped once it is
    `stopped`, and BrokenExecutor where the process died twice."""
    found: T = _called(_Calling(number, do, given, heavy=not _is_small(given)), stopped)
    return found


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
        self.left = SMALL

    def write(self, data: bytes) -> int:
        size = len(data)
        self.left -= size
        if self.left < 0:
            raise OverflowError
        return size


def _called(run: _Calling, stopped: Callable[[], bool] = lambda: False) -> Any:
    for found in _found(run, stopped):
        return found
    raise Stopped


def run_each_in_process(number: int, do: Callable[..., T], given: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """What a function gives for each of these arguments, in their order, as many at once as there are processes: each
    is a small part of the work. Who stops taking what comes has what has not begun left undone."""
    with ThreadPoolExecutor(number) as threads:
        waiting = [threads.submit(_called, _Calling(number, do, arguments, heavy=False)) for arguments in given]
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
    some = Corpus(("",), (words[:1],), (words[1:],))
    for key in keys:
        work_on(Task(key, METRICS[key].Settings(), 0, 1), some, lambda: False)


def _begin(nice: int) -> None:
    """What a worker does first. It imports what metrics import late, for no import is broken off."""
    for name in ("nltk.data", "nltk.stem", "numpy"):
        import_module(name)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(nice)


def _do(wanted: str, do: Callable[..., T], *given: object) -> T:
    """Do something while the file `wanted` stands there. Another one, `wanted-PID`, says which process does."""
    stands, mark = Path(wanted), Path(f"{wanted}-{os.getpid()}")

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

    found: Any


#: What a run waits for: what was found, a sentence, an error, None at the end.
_Event: TypeAlias = Found | _Answer | str | BaseException | None


class _Task(Protocol):
    """What a process does at once."""

    @property
    def heavy(self) -> bool: ...


class _Run:
    """What somebody wants of the processes: `number` of them. `alone` is who scores for nobody else."""

    def __init__(self, number: int, alone: bool = False) -> None:
        self.number, self.alone = number, alone
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self.wanted = ""  # the file that stands there until the run has ended
        self.begun = 0  # tasks that are not done
        self.held: _Task | None = None  # a heavy one that waits until it leaves a process to others
        self.ended = False

    def take(self) -> Any:
        """The next task, None where there is none now."""
        raise NotImplementedError

    def work(self, task: Any) -> tuple[Any, ...]:
        """What a process calls to do a task, and with what."""
        raise NotImplementedError

    def done(self, task: Any, found: Any) -> None:
        """A task is done."""
        raise NotImplementedError

    def lost(self, task: Any) -> None:
        """A task is given up, for a process died over it twice."""
        raise NotImplementedError


class _Scoring(_Run):
    """The tasks of a job."""

    def __init__(self, number: int, plan: Plan, corpus: Corpus, alone: bool) -> None:
        super().__init__(number, alone)
        self.plan, self.corpus = plan, corpus

    def take(self) -> Task | None:
        return self.plan.take()

    def work(self, task: Task) -> tuple[Any, ...]:
        return work_on, task, self.corpus.part(task.start, task.end)

    def done(self, task: Task, found: Found) -> None:
        self.plan.took(found)
        self.events.put(found)

    def lost(self, task: Task) -> None:
        self.done(task, Found(task, lost=Lost(task.key, task.start, task.end)))


class _Calling(_Run):
    """A function that is called once: its own task."""

    def __init__(self, number: int, do: Callable[..., Any], given: tuple[object, ...], heavy: bool) -> None:
        super().__init__(number)
        self.do, self.given, self.heavy = do, given, heavy
        self._taken = False

    def take(self) -> _Calling | None:
        taken, self._taken = self._taken, True
        return None if taken else self

    def work(self, task: object) -> tuple[Any, ...]:
        return self.do, *self.given

    def done(self, task: object, found: object) -> None:
        self.events.put(_Answer(found))

    def lost(self, task: object) -> None:
        self.events.put(BrokenExecutor(DIED_TWICE))


class _Begun(NamedTuple):
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
        self._flying: dict[Future[Any], _Begun] = {}
        self._dead: list[_Begun] = []  # what was flying when a process died
        self._tries: Tries[_Begun] = Tries(lambda begun: begun.number)
        self._again: deque[_Begun] = deque()  # what was flying when a process was ended for another run's sake
        self._ours = False  # whether the next process that is found dead was ended here
        self._alone: Future[Any] | None = None
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
            run.wanted = f"{self._folder.name}/{next(self._names)}"
            Path(run.wanted).touch()
        self._news.put(partial(self._runs.append, run))

    def end(self, run: _Run) -> None:
        """Do no more of them, and break off what is being done."""
        Path(run.wanted).unlink(missing_ok=True)
        self._news.put(partial(self._end, run))

    def _serve(self) -> None:
        while True:
            news = self._news.get()
            try:
                news()
                self._hand_out()
            except BaseException as error:  # no processes can be started, say; the next job may be luckier
                for run in self._runs:
                    run.events.put(error)
                self._runs.clear()

    def _end(self, run: _Run) -> None:
        run.ended = True
        if run in self._runs:
            self._runs.remove(run)
        for future, begun in self._flying.items():
            if begun.run is run:
                future.cancel()
        if any(begun.run is run for begun in self._flying.values()):
            timer = threading.Timer(GRACE, lambda: self._news.put(partial(self._end_processes, run)))
            timer.daemon = True
            timer.start()

    def _end_processes(self, run: _Run) -> None:
        """End the processes that still do a task of a run that has ended. The others end with them, and what they had
        is done anew."""
        if self._dead or not any(begun.run is run for begun in self._flying.values()):
            return
        wanted = Path(run.wanted)
        ours = {process.pid for process in active_children()}
        for mark in wanted.parent.glob(f"{wanted.name}-*"):
            process = int(mark.name.rpartition("-")[2])
            mark.unlink(missing_ok=True)
            if process in ours:
                self._ours = True
                _warmed.clear()
                with suppress(ProcessLookupError):
                    os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _landed(self, future: Future[Any]) -> None:
        """What a process had is done, or the process died."""
        begun = self._flying.pop(future)
        if future is self._alone:
            self._alone = None
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            self._dead.append(begun)  # so it is with all others that are flying
        elif begun.run.ended:
            pass
        elif error is not None:
            begun.run.events.put(error)
            self._end(begun.run)
        else:
            self._done(begun, future.result())

    def _done(self, begun: _Begun, found: Any) -> None:
        begun.run.begun -= 1
        begun.run.done(begun.task, found)

    def _bury(self) -> None:
        """Know what is to be tried again and what is given up."""
        self._dead = [begun for begun in self._dead if not begun.run.ended]
        if self._ours:  # that is nobody's fault
            self._again += self._dead
            self._dead, self._ours = [], False
        for run in dict.fromkeys([begun.run for begun in self._dead]):
            run.events.put(DIED)
        for begun in self._tries.died(self._dead):
            begun.run.begun -= 1
            begun.run.lost(begun.task)
        self._dead.clear()

    def _hand_out(self) -> None:
        """Give the processes what they can do, and one task more, so that none waits for the next."""
        if self._dead:
            if self._flying:
                return
            self._bury()
        while self._alone is None:
            if self._tries.waiting:
                if self._flying:
                    return
                begun = self._tries.waiting.popleft()
                if not begun.run.ended:
                    self._alone = self._submit(begun)
                continue
            if len(self._flying) > self._number or not self._next():
                return

    def _next(self) -> bool:
        """Hand out a task of the run whose turn it is; False where none has one now."""
        if self._again:
            begun = self._again.popleft()
            if not begun.run.ended:
                self._submit(begun)
            return True
        for _ in range(len(self._runs)):
            run = self._runs[0]
            task = self._task_of(run)
            if task is not None:
                self._runs.rotate(-1)
                run.begun += 1
                self._submit(_Begun(run, task, next(self._names)))
                return True
            if run.begun or run.held:
                self._runs.rotate(-1)
            else:
                self._runs.popleft()
                run.events.put(None)
        return False

    def _task_of(self, run: _Run) -> _Task | None:
        """The next task of a run; None where there is none now, or a heavy one that would leave no process to others:
        nobody knows who comes while it is done."""
        task, run.held = run.held or run.take(), None
        if task is not None and task.heavy and not run.alone:
            heavy = sum(begun.task.heavy for begun in self._flying.values())
            if heavy >= max(self._number, run.number, LEAST) - 1:
                task, run.held = None, task
        return task

    def _submit(self, begun: _Begun) -> Future[Any]:
        run = begun.run
        self._number = max(self._number, run.number, LEAST)
        work = run.work(begun.task)
        while True:
            with suppress(BrokenExecutor):  # a process has died while nothing was done
                future: Future[Any] = executor(self._number).submit(_do, run.wanted, *work)
                break
        self._flying[future] = begun
        future.add_done_callback(lambda future: self._news.put(partial(self._landed, future)))
        return future


_dispatcher = _Dispatcher()
