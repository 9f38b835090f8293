"""Corpora that visitors have scored or are scoring: in the server's memory and nowhere else.

Each has a name that nobody can guess, which the tab keeps for a reload. A corpus stays as long as a session has it; one
that is being scored is given up once its page was not heard of for a minute.
"""

from __future__ import annotations

import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus import resampling
from metrics.corpus.characters import character_patterns
from metrics.corpus.errors import ErrorCount, error_counts
from metrics.corpus.file_checks import FilesCheck, Offered, checked, put_right
from metrics.corpus.jobs import Job, JobProgress, ScoringCorpus
from metrics.corpus.ledger import CorpusLedger, by_roles, corpus_ledger
from metrics.corpus.pairs import SystemPair, pairs
from metrics.corpus.patterns import Pattern, patterns
from metrics.corpus.processes import Processes, run_in_process
from metrics.corpus.standings import Standings, ranks, standings
from metrics.corpus.table import Array, StatisticsTable
from metrics.corpus.tasks import Stopped
from metrics.corpus.texts import corpus
from metrics.corpus.unavailable_metrics import missing
from metrics.text import TextSettings, languages
from metrics.text.formats import File, Material
from metrics.text.judgements import JudgementRecord
from metrics.types import Settings

from ..state.cache import WORK
from ..state.run_queue import RUN_QUEUE
from . import outputs
from .background import Finder, SupersededError
from .checks import PATIENCE as PATIENCE
from .checks import Check, is_abandoned

#: Seconds between two looks for a first score.
LOOK = 0.01
#: Orders, filters and searched words of a corpus that are kept: with 100,000 segments one has a megabyte or ten.
REMEMBERED_MOST = 24
#: What is found of some segments alone that is kept: of the last two filters.
SOME_MOST = 40
#: References that the language is recognised from.
RECOGNISED_FROM = 400

T = TypeVar("T")

_by_name: WeakValueDictionary[str, CorpusJob] = WeakValueDictionary()
_readers = ThreadPoolExecutor(1, "words")


def read_words(material: Material, text: TextSettings) -> Future[ScoringCorpus]:
    """Have the words of a corpus read before they are needed, behind those of other visitors."""
    return _readers.submit(corpus, material, text)


class SegmentSubset(NamedTuple):
    """Some of a corpus's segments, at least one, a bit for each. `fair` are those that were selected without a look at
    what the systems wrote or scored: of no others does a test say what is chance."""

    bits: bytes
    fair: bool

    @property
    def numbers(self) -> NDArray[np.intp]:
        """Their numbers, in order."""
        return np.flatnonzero(np.unpackbits(np.frombuffer(self.bits, dtype=np.uint8)))


#: What is found behind a page: what it is, of which metric, of which systems, of which segments (None: of all).
ResultRequest = tuple[str, str, int, int, SegmentSubset | None]


class CorpusJob:
    """A corpus and what is known of its scores so far, which grows while it is scored.

    `material` has the texts as they were given, `texts` their words, and `tables` what is scored by the metric's key;
    `settings` are those of all metrics, of which the `first` is scored first. Of the texts as `stands` has them some
    systems may be repaired: `repairs` says which, and how. `check` finds what looks wrong. `words` are those of the
    texts, where they are read already. `given` are the files, and the roles that their columns were said to have, to
    begin from again; `judged` is what people said of the texts as they stand, where they said something.
    """

    def __init__(
        self,
        stands: Material,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        repairs: Mapping[str, Offered] = {},
        check: Check[FilesCheck] | None = None,
        words: Future[ScoringCorpus] | None = None,
    ) -> None:
        self.name = secrets.token_urlsafe(18)
        self.stands, self.repairs = stands, repairs
        self.given: tuple[Sequence[File], Mapping[str, str]] = (), {}
        self.judged: JudgementRecord | None = None
        self.material = material = put_right(stands, repairs)
        self.text, self.settings, self.first = text, settings, first
        self.check = check or Check(checked, material, text, first, settings[first], repairs)
        self.names = tuple(material.systems)
        self.tables: dict[str, StatisticsTable] = {}
        self.progress: JobProgress | None = None
        self.problem = ""
        self.ended = False
        self.last_heard = self.start_time = time.monotonic()
        self._words = words
        self._metrics_to_score = [(first, settings[first]), *[(key, settings[key]) for key in settings if key != first]]
        self._finder = Finder("finder")
        self._by_roles: dict[tuple[str, int, int], CorpusLedger] = {}
        self._turned: dict[tuple[str, int, int], tuple[CorpusLedger, CorpusLedger]] = {}  # as found, and turned
        self._sums: dict[str, Array] = {}
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()
        self._job: Job | None = None
        self._thread = Thread(target=self._run, name="corpus", daemon=True)

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.material)

    @cached_property
    def lengths(self) -> Array:
        """The words of each segment's first reference."""
        return np.array([len(references[0]) for references in self.texts.references], dtype=np.float64)

    @cached_property
    def texts(self) -> ScoringCorpus:
        """The words, which may have been read already."""
        words = self._words
        # What has not begun stands behind other visitors' words, and is read here at once.
        return corpus(self.material, self.text) if words is None or words.cancel() else words.result()

    def line(self, system: int, segment: int) -> str:
        """A segment of a system as it was given."""
        return self.material.systems[self.names[system]].lines[segment]

    def source(self, segment: int) -> str:
        """The source of a segment, "" where none is known."""
        return outputs.source(self.material, segment)

    def document(self, segment: int) -> str:
        """The document of a segment, "" where none is known."""
        return outputs.document(self.material, segment)

    def remembered(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """What was made of the corpus for what is asked, of which the last few are kept."""
        with self._lock:
            if cache_key in self._remembered:
                self._remembered.move_to_end(cache_key)
                return self._remembered[cache_key]  # type: ignore[no-any-return]
        value = make()
        with self._lock:
            self._remembered[cache_key] = value
            while len(self._remembered) > REMEMBERED_MOST:
                self._remembered.popitem(last=False)
        return value

    # ------------------------------------------------------------ scoring

    def start(self) -> None:
        self._thread.start()
        self.check.start()

    def wait_for_a_score(self, seconds: float) -> None:
        """Wait until there is a first score, so many seconds after the start at most; others may run meanwhile."""
        while not self.tables and not self.ended and time.monotonic() < self.start_time + seconds:
            RUN_QUEUE.pause(LOOK)

    def stop(self) -> None:
        """Score no more; what is there stays."""
        if self._job:
            self._job.cancelled = True

    def hear(self) -> None:
        """The page is there."""
        self.last_heard = time.monotonic()
        self.check.hear()

    @property
    def stopped(self) -> bool:
        """Whether it was given up before all was scored."""
        return self.ended and not self.problem and len(self.tables) < len(self._metrics_to_score)

    def without_score(self) -> list[str]:
        """Of each metric that has no score, though it was not stopped, why, as a sentence without its end."""
        if not self._job:
            return []
        files = [texts.file for texts in self.material.systems.values()]

        def number(system: int, segment: int) -> int:
            return self.material.systems[self.names[system]].numbers[segment]

        return [each.says(files, number) for each in missing(self._job.hard, self._job.lost)]

    def _run(self) -> None:
        try:
            # By other processes alone: what is scored in this one, its visitors would wait for.
            self._job = Job(
                self._metrics_to_score,
                self.texts,
                tell=self._tell,
                workers=Processes(os.cpu_count() or 1),
                most=WORK,
                is_needed=lambda: not is_abandoned(self.last_heard),
            )
            for table in self._job.tables():
                self.tables[key := table.metric.key] = table
                if key == self.first and len(self.names) > 1:  # what a page shows first, before it asks for it
                    self.ledger(key, 0, 1)
                    self.pairs(key, 0)
        except Exception as error:  # whatever it is: the page says it, and goes on with what is there
            self.problem = str(error) or type(error).__name__
        finally:
            self.ended = True

    def _tell(self, progress: JobProgress) -> None:
        self.progress = progress

    # ------------------------------------------------------------ two systems

    def scores(self, key: str) -> Array:
        """The corpus score of each system by a metric that is scored."""
        return self._sums[key] if key in self._sums else self._sums.setdefault(key, self.tables[key].corpus_scores())

    def scores_of(self, key: str, a: int, b: int, subset: SegmentSubset) -> tuple[float, float]:
        """The scores of two systems on some segments by a metric that is scored."""
        scores_by_metric: dict[str, tuple[float, float]] = self.remembered(("scores", a, b, subset), dict)
        if key not in scores_by_metric:
            table, numbers = self.tables[key], subset.numbers
            sums = np.stack([table.summed[n][numbers].sum(axis=0) for n in (a, b)])
            before, after = table.of_sums(sums, len(numbers)).tolist()
            scores_by_metric[key] = before, after
        return scores_by_metric[key]

    def pairs(self, key: str, a: int, subset: SegmentSubset | None = None) -> list[SystemPair] | None:
        """System `a` against each other one by a metric; None while it is not scored, and while it is looked for."""
        result = self._look("pairs", key, a, a, subset)
        return result if isinstance(result, list) else None

    def known_pairs(self, key: str, a: int, subset: SegmentSubset | None = None) -> list[SystemPair] | None:
        """What is known of `pairs`; nothing is looked for."""
        result = self._finder.results.get(("pairs", key, a, a, subset))
        return result if isinstance(result, list) else None

    def sides(self, key: str, a: int, b: int) -> tuple[int, int]:
        """Two systems, that with the better score by a scored metric last; as they are where both have the same."""
        before, after = (float(self.scores(key)[n]) for n in (a, b))
        return (b, a) if before != after and (after > before) != metrics.METRICS[key].higher_is_better else (a, b)

    def ledger(self, key: str, a: int, b: int) -> CorpusLedger | str | None:
        """Why the better of two systems has another score than the other one: the ledger between their `sides`; a
        sentence where that is too hard to find. At first, None or what segments are worth alone, which is known without
        the texts (`has_causes`); the causes are looked for elsewhere meanwhile."""
        ledger: CorpusLedger | str | None = self._look("ledger", key, a, b)
        table = self.tables.get(key)
        if ledger is None and table is not None and table.metric.pooling == "sum":
            ledgers = self._by_roles
            first = ledgers.get((key, a, b)) or replace(
                by_roles(table.select_systems((a, b))), steps=(), parts={}, edits={}
            )
            ledger = ledgers.setdefault((key, a, b), first)
        if isinstance(ledger, CorpusLedger) and self.sides(key, a, b) != (a, b):
            turned_entry = self._turned.get((key, a, b))
            # A ledger is known by what it is: turned once, it stays one.
            if turned_entry is None or turned_entry[0] is not ledger:
                turned_entry = self._turned[key, a, b] = ledger, ledger.turned
            return turned_entry[1]
        return ledger

    def known_ledger(self, key: str, a: int, b: int) -> CorpusLedger | None:
        """The ledger from `a` to `b`, whichever is better, if it is known with its causes; nothing is looked for."""
        ledger = self._finder.results.get(("ledger", key, a, b, None))
        return ledger if isinstance(ledger, CorpusLedger) else None

    def has_causes(self, key: str, a: int, b: int) -> bool:
        """Whether a ledger was found with the texts: without them longer runs, say, count as more words."""
        return ("ledger", key, a, b, None) in self._finder.results

    def patterns(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """The n-grams that one of two systems has right more often; None while they are looked for. Their segments are
        counted among all."""
        result: list[Pattern] | None = self._look("patterns", next(iter(self.tables), ""), a, b, subset)
        return result

    def characters(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """The same of parts of words."""
        result: list[Pattern] | None = self._look("characters", next(iter(self.tables), ""), a, b, subset)
        return result

    def errors(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[ErrorCount] | str | None:
        """How many errors of each kind two systems have; None while they are counted, a sentence where that is too
        hard."""
        result: list[ErrorCount] | str | None = self._look("errors", next(iter(self.tables), ""), a, b, subset)
        return result

    def standings(self, key: str, subset: SegmentSubset | None = None) -> Standings | None:
        """All systems by a metric; None while it is not scored, and while they are looked for."""
        result: Standings | None = self._look("standings", key, 0, 0, subset)
        return result

    def ranks(self, key: str, subset: SegmentSubset | None = None) -> tuple[int, ...]:
        """The ranks of the systems by a metric that is scored."""

        def compute_ranks() -> tuple[int, ...]:
            return ranks(self.tables[key] if subset is None else self.tables[key].select_segments(subset.numbers))

        ranks_by_metric: dict[str, tuple[int, ...]] = self.remembered(("ranks", subset), dict)
        return ranks_by_metric.get(key) or ranks_by_metric.setdefault(key, compute_ranks())

    @property
    def busy(self) -> bool:
        """Whether something is looked for."""
        return self.looks or not self.check.ended

    @property
    def looks(self) -> bool:
        """Whether causes or chance are looked for."""
        return self._finder.busy

    def revision(self) -> int:
        """How much is known: it grows when there is more to show."""
        return self._finder.revision + self.check.ended

    def _look(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None = None) -> Any:
        """What is known of something; where it is not, it is found before all that was wanted earlier. Of other
        segments than those that are asked for now nothing more is looked for."""
        request = (what, key, a, b, subset)
        self.hear()
        if key not in self.tables:
            return None
        if subset is not None:
            self._finder.drop(lambda pending_request: _segments_of(pending_request) not in (None, subset))
        self._finder.forget(lambda finished_request: _segments_of(finished_request) is not None, SOME_MOST)
        if self._finder.wants(request):  # a page asks in every run for all that it shows, the chosen metric's last
            return None
        return self._finder.look(request, lambda look: self._find_one(*request))

    def _tested_with(self, key: str, a: int) -> list[str]:
        """Metrics that wait for the same test as one of them: together they need less than each for itself."""
        out, room = [], TOGETHER - self.tables[key].summed.size
        for other in self.tables.copy():
            if other == key or not self._finder.wants(("pairs", other, a, a, None)):
                continue
            size = self.tables[other].summed.size
            if size <= room:
                out.append(other)
                room -= size
        return out

    def _texts_of(self, what: str, a: int, b: int) -> Sequence[Sequence[Any]]:
        if what == "errors":
            return [self.texts.segments(n) for n in (a, b)]
        return self.texts.systems[a], self.texts.systems[b], self.texts.references

    def stems(self) -> tuple[str, str]:
        """By which stems, of which language, words are forms of each other: those of the texts, or of their
        language."""
        if self.text.stemmer != "none":
            return self.text.stemmer, self.text.language
        first = self.texts.references[:: max(1, self.size // RECOGNISED_FROM)]
        language = languages.treated_as(languages.recognised([" ".join(line) for each in first for line in each]))
        return languages.stemmer(language) or ("none", "english")

    def _find_one(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None) -> Any:
        table = self.tables[key]
        numbers = None if subset is None else subset.numbers
        if numbers is not None:
            table = table.select_segments(numbers)
        if what == "pairs":
            keys = [key, *(self._tested_with(key, a) if subset is None else [])]
            tables = [table, *[self.tables[each] for each in keys[1:]]]
            tested = pairs(self.names, tables, resampling.resampled(tables), a)
            of = {each: [pair for pair in tested if pair.metric.key == each] for each in keys}
            for each in keys[1:]:
                self._finder.store_result(("pairs", each, a, a, None), of[each])
            return of[key]
        if what == "standings":
            return self._run_in_worker(standings, table)
        if what in _LOOKED_FOR:
            at = range(self.size) if numbers is None else numbers.tolist()
            given: list[Any] = [[each[n] for n in at] for each in self._texts_of(what, a, b)]
            results: list[Any] = self._run_in_worker(
                _LOOKED_FOR[what], *given, *(self.stems() if what == "errors" else ())
            )
            return [each._replace(segments=tuple([at[n] for n in each.segments])) for each in results]
        segment_lists = [self.texts.segments(n) for n in (a, b)]
        return self._run_in_worker(_ledger, key, self.settings[key], *segment_lists, table.select_systems((a, b)))

    def _run_in_worker(self, do: Callable[..., T], *given: object) -> T:
        """What a function gives in another process, for as long as the page is heard of."""
        try:
            return run_in_process(os.cpu_count() or 1, do, *given, stopped=lambda: is_abandoned(self.last_heard))
        except Stopped:
            raise SupersededError from None


#: Numbers of tables that are tested together.
TOGETHER = 1_000_000


def _segments_of(request: Any) -> SegmentSubset | None:
    """The segments of something that is looked for, None where it is of all."""
    segments: SegmentSubset | None = request[-1]
    return segments


#: What finds patterns and errors.
_LOOKED_FOR: Mapping[str, Callable[..., Any]] = {
    "patterns": patterns,
    "characters": character_patterns,
    "errors": error_counts,
}


def _ledger(key: str, *rest: Any) -> CorpusLedger:
    return corpus_ledger(metrics.METRICS[key], *rest)


# ---------------------------------------------------------------- who has them


def add(scoring: CorpusJob) -> CorpusJob:
    """Have a corpus found by its name."""
    _by_name[scoring.name] = scoring
    return scoring


def find_by_name(name: object) -> CorpusJob | None:
    """The corpus of a name, None where the server has it no longer."""
    return _by_name.get(name) if isinstance(name, str) else None
