"""The scoring of a corpus on the workers of a Dask cluster, which may be on other machines.

A worker imports this package itself, so it needs the same version and the same WordNet. Both are checked before each
task. Each task is sent with its part of the texts, so that the loss of a worker loses only its current task. Dask
itself would give that task to another worker. But where the lost worker had several tasks at once, any of them may have
killed it, so this module repeats them one by one.
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
from ..types.extras import missing_package_sentence
from .retries import RetryQueue
from .tasks import LostSegments, ScoringCorpus, ScoringPlan, ScoringTask, TaskResult, do_task

#: Seconds to wait for the scheduler, and to wait for a worker while there is none.
PATIENCE = 10.0
#: Seconds between two checks for finished tasks.
LOOK = 0.005


class ClusterUnavailable(RuntimeError):  # noqa: N818 - its message is for the user
    """The error for a cluster that cannot be used; its message is a sentence."""


class WorkerVersionDiffers(RuntimeError):  # noqa: N818 - it says which
    """The error for a worker with another version of this package or of WordNet; it names the worker's versions."""


class Versions(NamedTuple):
    """The versions on which scores depend.

    Attributes:
        metrics: the version of this package.
        wordnet: the version of WordNet; None if it is not installed.
    """

    metrics: str
    wordnet: str | None


def _own_versions() -> Versions:
    """Return the versions that this process has."""
    return Versions(__version__, wordnet.version())


def _versions_text(versions: Versions) -> str:
    """Return the versions as a phrase."""
    return f"metrics {versions.metrics} with WordNet {versions.wordnet or 'left out'}"


def _do_task_on_worker(task: ScoringTask, corpus: ScoringCorpus, versions: Versions) -> TaskResult:
    """Do a scoring task on a worker and return its result; raise OtherVersion if the worker has other versions."""
    if _own_versions() != versions:
        raise WorkerVersionDiffers(_versions_text(_own_versions()))
    return do_task(task, corpus)


class _Connection(NamedTuple):
    """A connection to a Dask scheduler.

    Attributes:
        client: Dask's client.
        events: the events, such as lost workers, that the scheduler has sent and nobody has read yet.
    """

    client: Any
    events: SimpleQueue[tuple[float, dict[str, Any]]]


class Cluster:
    """The workers of the Dask scheduler at `address`, which do scoring tasks.

    `run` raises NoCluster if they cannot be used.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.number = 1  # the threads of all workers, updated when the scheduler is asked
        self._connecting: Future[_Connection] | None = None

    def connect(self) -> None:
        """Start to connect to the scheduler in the background, because that takes a second; `run` waits for it."""
        connecting = self._connecting = Future[_Connection]()

        def connect() -> None:
            try:
                connecting.set_result(_open_connection(self.address))
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


def _open_connection(address: str) -> _Connection:
    """Connect to the scheduler at `address` and return the connection.

    Raises ClusterUnavailable if there is no scheduler or Dask is not installed.
    """
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        missing = missing_package_sentence(error.name or "")
        raise ClusterUnavailable(missing or f"Dask cannot be imported: {printable(str(error))}") from None
    for name in ("distributed", "tornado"):  # they log to the terminal what is reported here in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterUnavailable(f"there is no Dask scheduler at {printable(address)}: {printable(reason)}") from None
    events: SimpleQueue[tuple[float, dict[str, Any]]] = SimpleQueue()
    client.subscribe_topic("all", events.put)
    return _Connection(client, events)


class _Session:
    """The run of one scoring plan's tasks on a cluster."""

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
        self.versions = _own_versions()
        self.under_way: dict[str, tuple[ScoringTask, Any]] = {}  # the task and its future, by the future's key
        self.coming = as_completed(loop=self.client.loop)
        self.tries: RetryQueue[ScoringTask] = RetryQueue(lambda task: (task.key, task.start, task.end, task.trial))
        self.lone_key = ""
        self.workerless_since = 0.0  # 0 while there are workers

    def run(self, stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        """Yield the results of the plan's tasks as they arrive, until all are done or `stopped()` is True."""
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
        """Update the number of tasks that the cluster can do at once.

        Raises NoCluster if there has been no worker for `PATIENCE` seconds.
        """
        try:
            self.cluster.number = sum(self.client.nthreads().values())
        except (OSError, RuntimeError):
            raise self._scheduler_lost_error() from None
        now = time.monotonic()
        self.workerless_since = 0.0 if self.cluster.number else self.workerless_since or now
        if self.workerless_since and now - self.workerless_since > PATIENCE:
            raise ClusterUnavailable(
                f"the Dask scheduler at {printable(self.cluster.address)} has had no worker for {PATIENCE:.0f} seconds"
            )

    def _scheduler_lost_error(self) -> ClusterUnavailable:
        """Return the error that says that the connection to the scheduler was lost."""
        return ClusterUnavailable(f"the Dask scheduler at {printable(self.cluster.address)} was lost")

    def _hand_out(self) -> None:
        """Submit tasks until each worker thread has one, and no more.

        So it is known which task a worker was doing when it is lost. A task that is tried again is submitted alone.
        """
        if self.lone_key in self.under_way:
            return
        if self.tries.waiting:
            if not self.under_way:
                self.lone_key = self._submit(self.tries.waiting.popleft())
            return
        while len(self.under_way) < self.cluster.number and (task := self.plan.take_task()):
            self._submit(task)

    def _submit(self, task: ScoringTask) -> str:
        """Submit a task with its part of the corpus to the scheduler, and return the key of the task's future."""
        part = self.corpus.select_range(task.start, task.end)
        future = self.client.submit(_do_task_on_worker, task, part, self.versions, pure=False)
        self.under_way[future.key] = task, future
        self.coming.add(future)
        return str(future.key)

    def _handle_done(self, future: Any) -> Iterator[TaskResult]:
        """Yield the result of a finished future, unless its task was cancelled; raise the error of a failed one."""
        from distributed import KilledWorker

        if future.key not in self.under_way:  # the task was cancelled after its worker was lost
            return
        if future.status == "cancelled":
            raise self._scheduler_lost_error()
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
            raise ClusterUnavailable(
                f"a Dask worker cannot import the code that scores; it needs this program on its path: {error}"
            )
        if isinstance(error, WorkerVersionDiffers):
            raise ClusterUnavailable(
                f"a Dask worker has {error}, this program has {_versions_text(self.versions)}: its numbers may differ"
            )
        raise error

    def _handle_lost_workers(self) -> Iterator[TaskResult]:
        """Queue the tasks of lost workers for another try, and yield an empty result for each task that is given up."""
        while True:
            try:
                _, event = self.events.get_nowait()
            except Empty:
                return
            if event.get("action") != "remove-worker" or event.get("expected"):
                continue
            had = [key for key in event["processing-tasks"] if key in self.under_way]
            consequence = "its part is scored again" if had else "it had nothing to do"
            self.say(f"worker {printable(event['worker'])} was lost; {consequence}")
            lost = [self.under_way.pop(key) for key in had]
            if lost:  # Dask would give them to another worker at once, even if they kill it too
                self.client.cancel([future for _, future in lost], force=True)
            for task in self.tries.record_death([task for task, _ in lost]):
                result = TaskResult(task, lost=LostSegments(task.key, task.start, task.end))
                self.plan.record_result(result)
                yield result
