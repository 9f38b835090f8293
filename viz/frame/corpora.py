"""Hold the corpora that visitors have scored or are scoring, in the server's memory and nowhere else.

Each corpus has a name that nobody can guess, which the browser's tab keeps for a reload. A corpus stays as long as a
session holds it. Scoring stops once the page has given no sign of life for a minute."""

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
from metrics.corpus.file_checks import FilesCheck, PossibleRepair, apply_repairs, check_material
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

#: Seconds between two polls for the first score.
POLL_SECONDS = 0.01
#: Cached orders, filters and word searches of a corpus; with 100,000 segments each takes one to ten megabytes.
REMEMBERED_MOST = 24
#: Cached results of subsets of the segments: about those of the last two filters.
SOME_MOST = 40
#: Number of references from which the language is recognised.
RECOGNISED_FROM = 400

T = TypeVar("T")

_by_name: WeakValueDictionary[str, CorpusJob] = WeakValueDictionary()
_readers = ThreadPoolExecutor(1, "words")


def read_words(material: Material, text: TextSettings) -> Future[ScoringCorpus]:
    """Tokenise the corpus in the background before the words are needed, after the corpora of other visitors."""
    return _readers.submit(corpus, material, text)


class SegmentSubset(NamedTuple):
    """A non-empty subset of a corpus's segments, as one bit for each segment.

    `fair` says whether the subset was selected without looking at outputs or scores. Only for a fair subset can a test
    tell a difference from chance."""

    bits: bytes
    fair: bool

    @property
    def numbers(self) -> NDArray[np.intp]:
        """The indices of the segments in the subset, in ascending order."""
        return np.flatnonzero(np.unpackbits(np.frombuffer(self.bits, dtype=np.uint8)))


#: A request for a background result: its kind, the key of the metric, the indices of two systems, and the segments
#: (None for all of them).
ResultRequest = tuple[str, str, int, int, SegmentSubset | None]


class CorpusJob:
    """A corpus and the results that are known so far; they grow while it is scored in the background.

    Attributes:
        stands: the texts before any repair of misaligned lines.
        repairs: the repairs that are applied to `stands`, by system name.
        material: the texts with the repairs applied.
        texts: the words of `material`.
        tables: the statistics of each scored metric, by its key.
        settings: the settings of all metrics that are to be scored, by key.
        first: the key of the metric that is scored first.
        check: the search for problems in the files.
        given: the visitor's files and the roles assigned to their columns, to begin again from.
        judged: people's judgements of the texts in `stands`; None if there are none."""

    def __init__(
        self,
        stands: Material,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        repairs: Mapping[str, PossibleRepair] = {},
        check: Check[FilesCheck] | None = None,
        words: Future[ScoringCorpus] | None = None,
    ) -> None:
        self.name = secrets.token_urlsafe(18)
        self.stands, self.repairs = stands, repairs
        self.given: tuple[Sequence[File], Mapping[str, str]] = (), {}
        self.judged: JudgementRecord | None = None
        self.material = material = apply_repairs(stands, repairs)
        self.text, self.settings, self.first = text, settings, first
        self.check = check or Check(check_material, material, text, first, settings[first], repairs)
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
        self._turned: dict[tuple[str, int, int], tuple[CorpusLedger, CorpusLedger]] = {}  # original, turned
        self._sums: dict[str, Array] = {}
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()
        self._job: Job | None = None
        self._thread = Thread(target=self._run, name="corpus", daemon=True)

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.material)

    @cached_property
    def lengths(self) -> Array:
        """The number of words in each segment's first reference."""
        return np.array([len(references[0]) for references in self.texts.references], dtype=np.float64)

    @cached_property
    def texts(self) -> ScoringCorpus:
        """The words of the texts, which may have been tokenised in advance."""
        words = self._words
        # If reading has not begun, it is queued behind other visitors' corpora: read the words here at once.
        return corpus(self.material, self.text) if words is None or words.cancel() else words.result()

    def line(self, system: int, segment: int) -> str:
        """Return the output of `system` for `segment`, as it was given."""
        return self.material.systems[self.names[system]].lines[segment]

    def source(self, segment: int) -> str:
        """Return the source of `segment`, "" if there is none."""
        return outputs.source(self.material, segment)

    def document(self, segment: int) -> str:
        """Return the document of `segment`, "" if there is none."""
        return outputs.document(self.material, segment)

    def remembered(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value of `cache_key`, computed by `make` if it is missing; only the last few are kept."""
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
        """Start scoring the corpus and checking its files."""
        self._thread.start()
        self.check.start()

    def wait_for_a_score(self, seconds: float) -> None:
        """Wait until the first metric is scored, but at most until `seconds` after the start.

        Other visitors' runs may go on meanwhile."""
        while not self.tables and not self.ended and time.monotonic() < self.start_time + seconds:
            RUN_QUEUE.pause(POLL_SECONDS)

    def stop(self) -> None:
        """Stop scoring; the results so far are kept."""
        if self._job:
            self._job.cancelled = True

    def keep_alive(self) -> None:
        """Record that the page is still open."""
        self.last_heard = time.monotonic()
        self.check.keep_alive()

    @property
    def stopped(self) -> bool:
        """Whether scoring ended without an error before all metrics were scored."""
        return self.ended and not self.problem and len(self.tables) < len(self._metrics_to_score)

    def unscored_reasons(self) -> list[str]:
        """Return, for each metric that could not be scored, a sentence without its full stop that says why.

        Metrics that are missing only because scoring was stopped are not named."""
        if not self._job:
            return []
        files = [texts.file for texts in self.material.systems.values()]

        def number(system: int, segment: int) -> int:
            return self.material.systems[self.names[system]].numbers[segment]

        return [each.says(files, number) for each in missing(self._job.hard, self._job.lost)]

    def _run(self) -> None:
        """Score all metrics, the first one first; the body of the thread."""
        try:
            # Score in other processes only: work in this one would keep its visitors waiting.
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
                if key == self.first and len(self.names) > 1:  # request in advance what a page shows first
                    self.ledger(key, 0, 1)
                    self.pairs(key, 0)
        except Exception as error:  # any error: the page shows it and continues with the results so far
            self.problem = str(error) or type(error).__name__
        finally:
            self.ended = True

    def _tell(self, progress: JobProgress) -> None:
        """Store the progress of scoring."""
        self.progress = progress

    # ------------------------------------------------------------ two systems

    def scores(self, key: str) -> Array:
        """Return the corpus score of each system by the scored metric `key`."""
        return self._sums[key] if key in self._sums else self._sums.setdefault(key, self.tables[key].corpus_scores())

    def scores_of(self, key: str, a: int, b: int, subset: SegmentSubset) -> tuple[float, float]:
        """Return the scores of systems `a` and `b` on the segments of `subset`, by the scored metric `key`."""
        scores_by_metric: dict[str, tuple[float, float]] = self.remembered(("scores", a, b, subset), dict)
        if key not in scores_by_metric:
            table, numbers = self.tables[key], subset.numbers
            sums = np.stack([table.summed[n][numbers].sum(axis=0) for n in (a, b)])
            before, after = table.scores_of_sums(sums, len(numbers)).tolist()
            scores_by_metric[key] = before, after
        return scores_by_metric[key]

    def pairs(self, key: str, a: int, subset: SegmentSubset | None = None) -> list[SystemPair] | None:
        """Return the comparison of system `a` with each other system by the metric `key`.

        None while the metric is not scored yet, or while the comparison is still being computed."""
        result = self._look("pairs", key, a, a, subset)
        return result if isinstance(result, list) else None

    def known_pairs(self, key: str, a: int, subset: SegmentSubset | None = None) -> list[SystemPair] | None:
        """Return the result of `pairs` if it is known, else None; start no computation."""
        result = self._finder.results.get(("pairs", key, a, a, subset))
        return result if isinstance(result, list) else None

    def sides(self, key: str, a: int, b: int) -> tuple[int, int]:
        """Return systems `a` and `b` ordered so that the one with the better score by the scored metric `key` is last.

        If the scores are equal, the order stays (`a`, `b`)."""
        before, after = (float(self.scores(key)[n]) for n in (a, b))
        return (b, a) if before != after and (after > before) != metrics.METRICS[key].higher_is_better else (a, b)

    def ledger(self, key: str, a: int, b: int) -> CorpusLedger | str | None:
        """Return the ledger from the worse to the better of two systems, which explains the difference of their scores.

        The order is that of `sides`. Returns a sentence if the ledger is too hard to compute. While the causes are
        computed in the background, returns None, or a ledger that has only the worth of each segment, which needs no
        texts; `has_causes` tells them apart."""
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
            # Cache the turned ledger, so that callers that compare ledgers by identity get the same object.
            if turned_entry is None or turned_entry[0] is not ledger:
                turned_entry = self._turned[key, a, b] = ledger, ledger.turned
            return turned_entry[1]
        return ledger

    def known_ledger(self, key: str, a: int, b: int) -> CorpusLedger | None:
        """Return the ledger from `a` to `b`, in this order, if it is known with its causes, else None.

        No computation is started."""
        ledger = self._finder.results.get(("ledger", key, a, b, None))
        return ledger if isinstance(ledger, CorpusLedger) else None

    def has_causes(self, key: str, a: int, b: int) -> bool:
        """Return whether the ledger of `a` and `b` was computed from the texts, and so has causes.

        Without the texts longer runs, for example, are counted as more words."""
        return ("ledger", key, a, b, None) in self._finder.results

    def patterns(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """Return the n-grams that one of two systems has right more often than the other; None while they are computed.

        Their segments are indices into all segments of the corpus, also for a `subset`."""
        result: list[Pattern] | None = self._look("patterns", next(iter(self.tables), ""), a, b, subset)
        return result

    def characters(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """Return the parts of words that one of two systems has right more often than the other.

        None while they are computed."""
        result: list[Pattern] | None = self._look("characters", next(iter(self.tables), ""), a, b, subset)
        return result

    def errors(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[ErrorCount] | str | None:
        """Return how many errors of each kind two systems make.

        None while they are counted, a sentence if that is too hard."""
        result: list[ErrorCount] | str | None = self._look("errors", next(iter(self.tables), ""), a, b, subset)
        return result

    def standings(self, key: str, subset: SegmentSubset | None = None) -> Standings | None:
        """Return the comparison of all systems by the metric `key`.

        None while the metric is not scored yet, or while the comparison is still being computed."""
        result: Standings | None = self._look("standings", key, 0, 0, subset)
        return result

    def ranks(self, key: str, subset: SegmentSubset | None = None) -> tuple[int, ...]:
        """Return the rank of each system by the scored metric `key`."""

        def compute_ranks() -> tuple[int, ...]:
            return ranks(self.tables[key] if subset is None else self.tables[key].select_segments(subset.numbers))

        ranks_by_metric: dict[str, tuple[int, ...]] = self.remembered(("ranks", subset), dict)
        return ranks_by_metric.get(key) or ranks_by_metric.setdefault(key, compute_ranks())

    @property
    def busy(self) -> bool:
        """Whether a result is being computed or the files are being checked."""
        return self.is_searching or not self.check.ended

    @property
    def is_searching(self) -> bool:
        """Whether causes or tests are being computed."""
        return self._finder.busy

    def revision(self) -> int:
        """Return a number that grows when there is more to show."""
        return self._finder.revision + self.check.ended

    def _look(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None = None) -> Any:
        """Return the result of kind `what`, or None after putting its request at the front of the queue.

        Pending requests of other subsets than `subset` are dropped."""
        request = (what, key, a, b, subset)
        self.keep_alive()
        if key not in self.tables:
            return None
        if subset is not None:
            self._finder.drop(lambda pending_request: _segments_of(pending_request) not in (None, subset))
        self._finder.forget(lambda finished_request: _segments_of(finished_request) is not None, SOME_MOST)
        if self._finder.is_pending(request):  # keep the order: each run of a page repeats all its requests
            return None
        return self._finder.look(request, lambda look: self._find_one(*request))

    def _tested_with(self, key: str, a: int) -> list[str]:
        """Return the keys of other metrics that wait for the same test as `key`.

        One joint test is cheaper than separate ones."""
        out, room = [], TOGETHER - self.tables[key].summed.size
        for other in self.tables.copy():
            if other == key or not self._finder.is_pending(("pairs", other, a, a, None)):
                continue
            size = self.tables[other].summed.size
            if size <= room:
                out.append(other)
                room -= size
        return out

    def _texts_of(self, what: str, a: int, b: int) -> Sequence[Sequence[Any]]:
        """Return the texts of systems `a` and `b` in the form that the function for `what` takes."""
        if what == "errors":
            return [self.texts.segments(n) for n in (a, b)]
        return self.texts.systems[a], self.texts.systems[b], self.texts.references

    def stems(self) -> tuple[str, str]:
        """Return the stemmer, and its language, by which two words count as forms of each other.

        They are those of the text settings if these use a stemmer, else those of the language recognised from the
        references."""
        if self.text.stemmer != "none":
            return self.text.stemmer, self.text.language
        first = self.texts.references[:: max(1, self.size // RECOGNISED_FROM)]
        language = languages.language_for_stems(
            languages.recognise_language([" ".join(line) for each in first for line in each])
        )
        return languages.stemmer(language) or ("none", "english")

    def _find_one(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None) -> Any:
        """Compute the result of kind `what`; runs in the background thread."""
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
        """Return the result of `do` on `given`, computed in another process.

        Raises SupersededError if the page gives no sign of life."""
        try:
            return run_in_process(os.cpu_count() or 1, do, *given, stopped=lambda: is_abandoned(self.last_heard))
        except Stopped:
            raise SupersededError from None


#: Most statistics, in numbers, that the tables of one joint test have together.
TOGETHER = 1_000_000


def _segments_of(request: Any) -> SegmentSubset | None:
    """Return the segments of a request, None for all."""
    segments: SegmentSubset | None = request[-1]
    return segments


#: The functions that find patterns and errors, by the kind of result.
_LOOKED_FOR: Mapping[str, Callable[..., Any]] = {
    "patterns": patterns,
    "characters": character_patterns,
    "errors": error_counts,
}


def _ledger(key: str, *rest: Any) -> CorpusLedger:
    """Return the ledger of a metric given by its key; a function of the module, so that another process can run it."""
    return corpus_ledger(metrics.METRICS[key], *rest)


# ---------------------------------------------------------------- registry of corpora by name


def add(scoring: CorpusJob) -> CorpusJob:
    """Register the corpus under its name, and return it."""
    _by_name[scoring.name] = scoring
    return scoring


def find_by_name(name: object) -> CorpusJob | None:
    """Return the corpus called `name`, None if the server no longer has it."""
    return _by_name.get(name) if isinstance(name, str) else None
