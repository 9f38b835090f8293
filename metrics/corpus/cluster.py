"""The workers of a Dask cluster, which may be on other machines.

A worker takes the tasks by their names, so it needs this package in the same version, and the same WordNet: both are
looked at before each task. A task is sent with its part of the texts, so that nothing is lost with a worker but what it
was doing. That Dask gives to another worker by itself; where it had several tasks at once, nobody knows which of them
was to blame, so they are done again one by one.
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
from .retries import Tries
from .tasks import Lost, ScoringCorpus, ScoringPlan, ScoringTask, TaskResult, work_on

#: Seconds to find the scheduler in, and to wait for a worker while there is none.
PATIENCE = 10.0
#: Seconds between two looks at what has come.
LOOK = 0.005


class NoCluster(RuntimeError):  # noqa: N818 - its message is for the user
    """A cluster that cannot be used, as a sentence."""


class OtherVersion(RuntimeError):  # noqa: N818 - it says which
    """A worker has other programs or data than the one that asks."""


class Versions(NamedTuple):
    """What the numbers depend on: the version of this package, and of WordNet, None where there is none."""

    metrics: str
    wordnet: str | None


def _versions() -> Versions:
    return Versions(__version__, wordnet.version())


def _versions_text(versions: Versions) -> str:
    return f"metrics {versions.metrics} with WordNet {versions.wordnet or 'left out'}"


def _do(task: ScoringTask, corpus: ScoringCorpus, versions: Versions) -> TaskResult:
    """Do a task, on a worker."""
    if _versions() != versions:
        raise OtherVersion(_versions_text(_versions()))
    return work_on(task, corpus)


class _Connection(NamedTuple):
    """A client of the scheduler, and what the scheduler has told since."""

    client: Any
    events: SimpleQueue[tuple[float, dict[str, Any]]]


class Cluster:
    """The workers of a scheduler, by its address. Raises NoCluster while it runs."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.number = 1  # threads of all workers, known once they have been asked
        self._connecting: Future[_Connection] | None = None

    def connect(self) -> None:
        """Begin to find the scheduler, which takes a second; nothing waits for it until something runs."""
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
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise NoCluster(
            "a scheduler needs Dask, which is not installed: install it with `pip install distributed`"
        ) from None
    for name in ("distributed", "tornado"):  # they tell the terminal what is told here in a sentence
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
    """The tasks of a plan on the workers of a client."""

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
        self.under_way: dict[str, tuple[ScoringTask, Any]] = {}  # by the key of the future, which stands there as well
        self.coming = as_completed(loop=self.client.loop)
        self.tries: Tries[ScoringTask] = Tries(lambda task: (task.key, task.start, task.end, task.trial))
        self.lone_key = ""
        self.workerless_since = 0.0  # 0 while there are workers

    def run(self, stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        last_count = 0.0
        try:
            while not stopped():
                if time.monotonic() > last_count + 1:
                    self._count()
                    last_count = time.monotonic()
                self._hand_out()
                if not self.under_way and not self.tries.waiting and self.cluster.number:
                    break
                if not self.coming.has_ready():
                    time.sleep(LOOK)
                for future in self.coming.next_batch(block=False):
                    yield from self._landed(future)
                yield from self._lost()
        finally:
            self.client.cancel([future for _, future in self.under_way.values()], force=True)

    def _count(self) -> None:
        """How many tasks can be done at once. NoCluster where there have been no workers for long."""
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
        return NoCluster(f"the Dask scheduler at {printable(self.cluster.address)} was lost")

    def _hand_out(self) -> None:
        """Give each thread of the workers a task, and no more, so that it is known what a worker was doing."""
        if self.lone_key in self.under_way:
            return
        if self.tries.waiting:
            if not self.under_way:
                self.lone_key = self._submit(self.tries.waiting.popleft())
            return
        while len(self.under_way) < self.cluster.number and (task := self.plan.take()):
            self._submit(task)

    def _submit(self, task: ScoringTask) -> str:
        part = self.corpus.part(task.start, task.end)
        future = self.client.submit(_do, task, part, self.versions, pure=False)
        self.under_way[future.key] = task, future
        self.coming.add(future)
        return str(future.key)

    def _landed(self, future: Any) -> Iterator[TaskResult]:
        from distributed import KilledWorker

        if future.key not in self.under_way:  # it was taken back
            return
        if future.status == "cancelled":
            raise self._scheduler_lost()
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return  # the event of the worker's loss says so too
        del self.under_way[future.key]
        if error is None:
            result = future.result()
            self.plan.took(result)
            yield result
            return
        if isinstance(error, ImportError | AttributeError):
            raise NoCluster(f"a Dask worker cannot import what scores; it needs this program on its path: {error}")
        if isinstance(error, OtherVersion):
            raise NoCluster(
                f"a Dask worker has {error}, and here is {_versions_text(self.versions)}: its numbers may differ"
            )
        raise error

    def _lost(self) -> Iterator[TaskResult]:
        """What follows from workers that are gone."""
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
            if lost:  # Dask would give them to another worker at once, whatever they do to it
                self.client.cancel([future for _, future in lost], force=True)
            for task in self.tries.died([task for task, _ in lost]):
                result = TaskResult(task, lost=Lost(task.key, task.start, task.end))
                self.plan.took(result)
                yield result
