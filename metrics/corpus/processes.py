"""Warm processes of this machine, which several jobs share in turn.

The processes are loky's: they start no second copy of a server's script, live on between jobs, and give way to whoever
else wants the cores. One thread hands out the tasks, a part of each job in turn, so that a small job need not wait
until a large one is done.
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
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from ..types.extras import extra_named
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


@dataclass
class Processes:
    """So many processes. All that are asked for in one program are the same ones."""

    number: int

    def run(
        self, plan: Plan, corpus: Corpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[Found]:
        run = _Run(plan, corpus, self.number)
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
                    yield event
        finally:
            _dispatcher.end(run)


def executor(number: int) -> Any:
    """So many warm processes, as loky hands out tasks to them."""
    with extra_named():
        from joblib.externals.loky import get_reusable_executor

    return get_reusable_executor(max_workers=number, timeout=IDLE, initializer=_begin, initargs=(niceness(),))


def niceness() -> int:
    """How much nicer than this program its worker processes are. ValueError where `NICE` says what cannot be."""
    said = os.environ.get(NICE) or "10"
    if not (said.isascii() and said.isdigit() and int(said) <= 19):
        raise ValueError(f"{NICE} must be a whole number from 0 to 19, got {said!r}")
    return int(said)


def elsewhere(number: int, do: Callable[..., T], *given: object) -> T:
    """What a function gives that one of these processes calls, behind the tasks that they have."""
    done: T = executor(number).submit(do, *given).result()
    return done


def each_elsewhere(number: int, do: Callable[..., T], given: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """What a function gives for each of these arguments, in their order, as many at once as there are processes. Who
    stops taking what comes has what has not begun left undone."""
    with ThreadPoolExecutor(number) as threads:
        waiting = [threads.submit(elsewhere, number, do, *arguments) for arguments in given]
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

    with suppress(BrokenExecutor, CancelledError, OSError):
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


def _do(task: Task, corpus: Corpus, wanted: str) -> Found:
    """Do a task while the file `wanted` stands there."""
    stands = Path(wanted)

    def stopped() -> bool:
        return not stands.exists()

    with _looking(stopped):
        return work_on(task, corpus, stopped)


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


@dataclass(eq=False)
class _Run:
    """A job's tasks, and the events that it waits for: what was found, a sentence, an error, None at the end."""

    plan: Plan
    corpus: Corpus
    number: int
    events: SimpleQueue[Found | str | BaseException | None] = field(default_factory=SimpleQueue)
    wanted: str = ""  # the file that stands there until the run has ended
    begun: int = 0  # tasks that are not done
    ended: bool = False


class _Begun(NamedTuple):
    """A task that was handed out."""

    run: _Run
    task: Task

    @property
    def key(self) -> tuple[str, str, int, int, bool]:
        task = self.task
        return self.run.wanted, task.key, task.start, task.end, task.trial


class _Dispatcher:
    """Hands out the tasks of all jobs, in a thread of its own."""

    def __init__(self) -> None:
        self._news: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._runs: deque[_Run] = deque()  # whose turn it is comes first
        self._number = 0
        self._flying: dict[Future[Found], _Begun] = {}
        self._dead: list[_Begun] = []  # what was flying when a process died
        self._tries: Tries[_Begun] = Tries(lambda begun: begun.key)
        self._alone: Future[Found] | None = None
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
            except Exception as error:  # no processes can be started, say
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

    def _landed(self, future: Future[Found]) -> None:
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

    def _done(self, begun: _Begun, found: Found) -> None:
        begun.run.begun -= 1
        begun.run.plan.took(found)
        begun.run.events.put(found)

    def _bury(self) -> None:
        """Know what is to be tried again and what is given up."""
        for run in dict.fromkeys([begun.run for begun in self._dead]):
            run.events.put(DIED)
        for begun in self._tries.died(self._dead):
            task = begun.task
            self._done(begun, Found(task, lost=Lost(task.key, task.start, task.end)))
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
        for _ in range(len(self._runs)):
            run = self._runs[0]
            task = run.plan.take()
            if task is not None:
                self._runs.rotate(-1)
                run.begun += 1
                self._submit(_Begun(run, task))
                return True
            if run.begun:
                self._runs.rotate(-1)
            else:
                self._runs.popleft()
                run.events.put(None)
        return False

    def _submit(self, begun: _Begun) -> Future[Found]:
        run, task = begun
        self._number = max(self._number, run.number)
        part = run.corpus.part(task.start, task.end)
        while True:
            with suppress(BrokenExecutor):  # a process has died while nothing was done
                future: Future[Found] = executor(self._number).submit(_do, task, part, run.wanted)
                break
        self._flying[future] = begun
        future.add_done_callback(lambda future: self._news.put(partial(self._landed, future)))
        return future


_dispatcher = _Dispatcher()
