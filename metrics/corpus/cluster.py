"""Scoring on the workers of a Dask cluster, which may be on other machines.

A worker imports this package by name, so it needs the same version and the same WordNet. Both are checked before each
task. Each task is sent with its part of the texts, so that the loss of a worker loses only its current task. Dask
itself would give that task to another worker. Where the lost worker had several tasks at once, any of them may have
killed it, so they are done again one by one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from ..text import printable, wordnet
from ..types import __version__
from .retries import RetryQueue
from .tasks import LostSegments, ScoringCorpus, ScoringPlan, ScoringTask, TaskResult, work_on

#: Seconds to wait for the scheduler, and to wait for a worker while there is none.
PATIENCE = 10.0
#: Seconds between two checks for finished tasks.
LOOK = 0.005


class NoCluster(RuntimeError):  # noqa: N818 - its message is for the user
    """The error for a cluster that cannot be used; its message is a sentence."""


class OtherVersion(RuntimeError):  # noqa: N818 - it says which
    """The error of a worker that has another version of this package or of its data."""


class Versions(NamedTuple):
    """The versions on which scores depend: of this package, and of WordNet, None if WordNet is not installed."""

    metrics: str
    wordnet: str | None


def _versions() -> Versions:
    """Return the versions of this process."""
    return Versions(__version__, wordnet.version())


def _versions_text(versions: Versions) -> str:
    """Return the versions in words."""
    return f"metrics {versions.metrics} with WordNet {versions.wordnet or 'left out'}"


def _do_task(task: ScoringTask, corpus: ScoringCorpus, versions: Versions) -> TaskResult:
    """Do a task on a worker; raise OtherVersion if the worker's versions differ."""
    if _versions() != versions:
        raise OtherVersion(_versions_text(_versions()))
    return work_on(task, corpus)


class _Connection(NamedTuple):
    """A client of the scheduler, and the queue of events that the scheduler has sent since."""

    client: Any
    events: SimpleQueue[tuple[float, dict[str, Any]]]


class Cluster:
    """The workers of the scheduler at an address; `run` raises NoCluster if they cannot be used."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.number = 1  # the threads of all workers, updated when the scheduler is asked
        self._connecting: Future[_Connection] | None = None

    def connect(self) -> None:
        """Start to connect to the scheduler in the background, which takes a second; only `run` waits for it."""
        connecting = self._connecting = Future[_Connection]()

        def connect() -> None:
            try:
                connecting.set_result(_connected(self.address))
            except BaseException as error:
                connecting.set_exception(error)

        threading.Thread(target=connect, daemon=True, name="cluster").start()

    def run(
        self, plan: ScoringPlan, corpus: ScoringCorpus, stopped: Callable[[], bool], say: Callable[[str], None]
    ) -> Iterator[TaskResult]:
        if self._connecting is None:
            self.connect()
        assert self._connecting
        connecting, self._connecting = self._connecting, None
        connection = connecting.result()
        try:
            yield from _Session(self, connection, plan, corpus, say).run(stopped)
        finally:
            connection.client.close()


def _connected(address: str) -> _Connection:
    """Return a connection to the scheduler at this address.

    Raises NoCluster if there is no scheduler or Dask is not installed.
    """
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise NoCluster(
            "a scheduler needs Dask, which is not installed: install it with `pip install distributed`"
        ) from None
    for name in ("distributed", "tornado"):  # they log to the terminal what is reported here in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NoCluster(f"there is no Dask scheduler at {printable(address)}: {printable(reason)}") from None
    events: SimpleQueue[tuple[float, dict[str, Any]]] = SimpleQueue()
    client.subscribe_topic("all", events.put)
    return _Connection(client, events)


class _Session:
    """The run of a plan's tasks on the workers of a client."""

    def __init__(
        self,
        cluster: Cluster,
        connection: _Connection,
        plan: ScoringPlan,
        corpus: ScoringCorpus,
        say: Callable[[str], None],
    ) -> None:
        from distributed import as_completed

        self.cluster, self.plan, self.corpus, self.say = cluster, plan, corpus, say
        self.client, self.events = connection
        self.versions = _versions()
        self.under_way: dict[str, tuple[ScoringTask, Any]] = {}  # the task and its future, by the future's key
        self.coming = as_completed(loop=self.client.loop)
        self.tries: RetryQueue[ScoringTask] = RetryQueue(lambda task: (task.key, task.start, task.end, task.trial))
        self.lone_key = ""
        self.workerless_since = 0.0  # 0 while there are workers

    def run(self, stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        """Yield the results of the tasks as they arrive, until all are done or `stopped` returns True."""
        last_count = 0.0
        try:
            while not stopped():
                if time.monotonic() > last_count + 1:
                    self._count_workers()
                    last_count = time.monotonic()
                self._hand_out()
                if not self.under_way and not self.tries.waiting and self.cluster.number:
                    break
                if not self.coming.has_ready():
                    time.sleep(LOOK)
                for future in self.coming.next_batch(block=False):
                    yield from self._handle_done(future)
                yield from self._handle_lost_workers()
        finally:
            self.client.cancel([future for _, future in self.under_way.values()], force=True)

    def _count_workers(self) -> None:
        """Update how many tasks can be done at once; raise NoCluster after `PATIENCE` seconds without workers."""
        try:
            self.cluster.number = sum(self.client.nthreads().values())
        except (OSError, RuntimeError):
            raise self._scheduler_lost() from None
        now = time.monotonic()
        self.workerless_since = 0.0 if self.cluster.number else self.workerless_since or now
        if self.workerless_since and now - self.workerless_since > PATIENCE:
            raise NoCluster(
                f"the Dask scheduler at {printable(self.cluster.address)} has had no worker for {PATIENCE:.0f} seconds"
            )

    def _scheduler_lost(self) -> NoCluster:
        """Return the error for a lost scheduler."""
        return NoCluster(f"the Dask scheduler at {printable(self.cluster.address)} was lost")

    def _hand_out(self) -> None:
        """Submit at most one task for each thread of the workers.

        So it is known what a worker was doing when it is lost.
        """
        if self.lone_key in self.under_way:
            return
        if self.tries.waiting:
            if not self.under_way:
                self.lone_key = self._submit(self.tries.waiting.popleft())
            return
        while len(self.under_way) < self.cluster.number and (task := self.plan.take()):
            self._submit(task)

    def _submit(self, task: ScoringTask) -> str:
        """Submit a task with its part of the corpus, and return the key of its future."""
        part = self.corpus.part(task.start, task.end)
        future = self.client.submit(_do_task, task, part, self.versions, pure=False)
        self.under_way[future.key] = task, future
        self.coming.add(future)
        return str(future.key)

    def _handle_done(self, future: Any) -> Iterator[TaskResult]:
        """Yield the result of a finished future, if it is still wanted; raise an error that ends the run."""
        from distributed import KilledWorker

        if future.key not in self.under_way:  # the task was cancelled after its worker was lost
            return
        if future.status == "cancelled":
            raise self._scheduler_lost()
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return  # the event of the lost worker reports it too
        del self.under_way[future.key]
        if error is None:
            result = future.result()
            self.plan.record_result(result)
            yield result
            return
        if isinstance(error, ImportError | AttributeError):
            raise NoCluster(f"a Dask worker cannot import what scores; it needs this program on its path: {error}")
        if isinstance(error, OtherVersion):
            raise NoCluster(
                f"a Dask worker has {error}, and here is {_versions_text(self.versions)}: its numbers may differ"
            )
        raise error

    def _handle_lost_workers(self) -> Iterator[TaskResult]:
        """Handle lost workers: queue their tasks for another try, and yield the results of tasks that are given up."""
        while True:
            try:
                _, event = self.events.get_nowait()
            except Empty:
                return
            if event.get("action") != "remove-worker" or event.get("expected"):
                continue
            had = [key for key in event["processing-tasks"] if key in self.under_way]
            consequence = "what it had is scored again" if had else "it had nothing to do"
            self.say(f"worker {printable(event['worker'])} was lost; {consequence}")
            lost = [self.under_way.pop(key) for key in had]
            if lost:  # Dask would give them to another worker at once, even if they kill it too
                self.client.cancel([future for _, future in lost], force=True)
            for task in self.tries.record_death([task for task, _ in lost]):
                result = TaskResult(task, lost=LostSegments(task.key, task.start, task.end))
                self.plan.record_result(result)
                yield result
