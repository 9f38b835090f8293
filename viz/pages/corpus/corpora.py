"""Corpora that visitors have scored or are scoring: in the server's memory and nowhere else.

Each has a name that nobody can guess, which the tab keeps for a reload. A corpus stays as long as a session has it; one
that is being scored is given up once its page was not heard of for a minute.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Lock, Thread
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

import metrics
from metrics.corpus import resampling
from metrics.corpus.jobs import Corpus, Job, Progress
from metrics.corpus.ledger import CorpusLedger, by_roles, corpus_ledger
from metrics.corpus.resampling import Interval
from metrics.corpus.table import Array, Table
from metrics.text import TextSettings
from metrics.types import Settings, TooHard

#: Seconds for which a job goes on after its page was last heard of.
PATIENCE = 60.0

_known: WeakValueDictionary[str, Scoring] = WeakValueDictionary()


class Between(NamedTuple):
    """Two systems by a metric: B's score less A's with its interval, and the p of randomisation and of sacreBLEU's
    paired bootstrap."""

    delta: float
    interval: Interval
    p: float
    p_bootstrap: float


class Scoring:
    """A corpus and what is known of its scores so far, which grows while it is scored.

    `texts` are the words, `lines` the lines of the systems as they were given, and `references` those of each segment's
    references. `tables` has what is scored by the metric's key.
    """

    def __init__(
        self,
        texts: Callable[[], Corpus],
        lines: Sequence[Sequence[str]],
        references: Sequence[Sequence[str]],
        names: Sequence[str],
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        source: Sequence[str] = (),
    ) -> None:
        self.name = secrets.token_urlsafe(18)
        self.names, self.lines, self.references, self.source = tuple(names), lines, references, source
        self.text, self.settings = text, settings
        self.tables: dict[str, Table] = {}
        self.progress: Progress | None = None
        self.problem = ""
        self.ended = False
        self.heard = self.begun = time.monotonic()
        self._texts = texts
        self._asked = [(first, settings[first]), *[(key, settings[key]) for key in settings if key != first]]
        self._between: dict[tuple[str, int, int], Between] = {}
        self._ledgers: dict[tuple[str, int, int], CorpusLedger | str] = {}
        self._finding: set[tuple[str, int, int]] = set()
        self._lock = Lock()
        self._job: Job | None = None
        self._thread = Thread(target=self._run, name="corpus", daemon=True)

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.references)

    @cached_property
    def lengths(self) -> Array:
        """The words of each segment's first reference."""
        return np.array([len(references[0]) for references in self.texts.references], dtype=np.float64)

    @cached_property
    def texts(self) -> Corpus:
        """The words."""
        return self._texts()

    # ------------------------------------------------------------ scoring

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Score no more; what is there stays."""
        if self._job:
            self._job.cancelled = True

    def hear(self) -> None:
        """The page is there."""
        self.heard = time.monotonic()

    @property
    def stopped(self) -> bool:
        """Whether it was given up before all was scored."""
        return self.ended and not self.problem and len(self.tables) < len(self._asked)

    def _run(self) -> None:
        try:
            self._job = Job(self._asked, self.texts, os.cpu_count() or 1, self._tell)
            for table in self._job.tables():
                self.tables[table.metric.key] = table
        except Exception as error:  # whatever it is: the page says it, and goes on with what is there
            self.problem = str(error) or type(error).__name__
        finally:
            self.ended = True

    def _tell(self, progress: Progress) -> None:
        self.progress = progress
        if time.monotonic() - self.heard > PATIENCE:
            self.stop()

    # ------------------------------------------------------------ two systems

    def between(self, key: str, a: int, b: int) -> Between | None:
        """Two systems by a metric; None while it is not scored."""
        table = self.tables.get(key)
        if table is None:
            return None
        with self._lock:
            if (found := self._between.get((key, a, b))) is None:
                found = self._between[key, a, b] = _held_against(table, a, b)
        return found

    def ledger(self, key: str, a: int, b: int) -> CorpusLedger | str | None:
        """Why B's score is another than A's, a sentence where that is too hard to find. At first, None or what is known
        without looking at the texts; it is looked for elsewhere meanwhile."""
        table, asked = self.tables.get(key), (key, a, b)
        if table is None:
            return None
        with self._lock:
            if (found := self._ledgers.get(asked)) is not None:
                return found
            if asked not in self._finding:
                self._finding.add(asked)
                Thread(target=self._find, args=asked, name="ledger", daemon=True).start()
        return by_roles(table.of((a, b))) if table.metric.pooling == "sum" else None

    def finding(self, key: str, a: int, b: int) -> bool:
        """Whether a ledger is being looked for."""
        return (key, a, b) in self._finding and (key, a, b) not in self._ledgers

    def _find(self, key: str, a: int, b: int) -> None:
        found: CorpusLedger | str
        try:
            found = _ledger_elsewhere(
                key, self.settings[key], self.texts.segments(a), self.texts.segments(b), self.tables[key].of((a, b))
            )
        except TooHard as error:
            found = str(error)
        with self._lock:
            self._ledgers[key, a, b] = found


def _held_against(table: Table, a: int, b: int) -> Between:
    (samples,) = resampling.resampled([table.of((a, b))])
    before, after = (float(score) for score in table.of((a, b)).corpus_scores())
    ((p,),) = resampling.randomised([table], [(a, b)])
    bootstrap = resampling.bootstrap(samples[0], samples[1], after - before)
    return Between(after - before, resampling.interval(samples[1] - samples[0]), p, bootstrap)


def _ledger_elsewhere(*asked: Any) -> CorpusLedger:
    """In a process of its own, so that no visitor waits for it."""
    from joblib.externals.loky import get_reusable_executor

    found: CorpusLedger = (
        get_reusable_executor(max_workers=os.cpu_count() or 1, timeout=300).submit(_ledger, *asked).result()
    )
    return found


def _ledger(key: str, *rest: Any) -> CorpusLedger:
    return corpus_ledger(metrics.METRICS[key], *rest)


# ---------------------------------------------------------------- who has them


def add(scoring: Scoring) -> Scoring:
    """Have a corpus found by its name."""
    _known[scoring.name] = scoring
    return scoring


def named(name: object) -> Scoring | None:
    """The corpus of a name, None where the server has it no longer."""
    return _known.get(name) if isinstance(name, str) else None
