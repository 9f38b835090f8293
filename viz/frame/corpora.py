"""Hold a corpus that a visitor has scored or is scoring, with the results that are known so far.

Scoring stops once the page has given no sign of life for a minute."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus import resampling
from metrics.corpus.characters import find_character_patterns
from metrics.corpus.errors import ErrorCount, error_counts
from metrics.corpus.explanations.two_systems import OutputPatterns, TwoSystems
from metrics.corpus.file_checks import FilesCheck, PossibleRepair, apply_repairs, check_material
from metrics.corpus.jobs import ScoringCorpus
from metrics.corpus.ledger import CorpusLedger, corpus_ledger, ledger_from_roles
from metrics.corpus.pairs import SystemPair, compare_with_others
from metrics.corpus.patterns import Pattern, find_word_patterns
from metrics.corpus.processes import run_in_process
from metrics.corpus.standings import Standings, compute_standings, rank_systems
from metrics.corpus.table import Array
from metrics.corpus.tasks import Stopped
from metrics.corpus.texts import split_corpus
from metrics.text import TextSettings, languages
from metrics.text.formats import File, Material
from metrics.text.judgements import JudgementRecord
from metrics.types import Settings

from .background import Finder, SupersededError
from .checks import PATIENCE as PATIENCE
from .checks import Check, is_page_closed
from .corpus_scoring import CorpusScoring
from .corpus_scoring import expected_seconds as expected_seconds

#: Cached orders, filters and word searches of a corpus; with 100,000 segments each takes one to ten megabytes.
REMEMBERED_MOST = 24
#: Cached results of subsets of the segments: about those of the last two filters.
SOME_MOST = 40
#: Number of references from which the language is recognised.
RECOGNISED_FROM = 400

T = TypeVar("T")

_readers = ThreadPoolExecutor(1, "words")


def tokenise_in_background(material: Material, text: TextSettings) -> Future[ScoringCorpus]:
    """Tokenise a corpus in the background before its words are needed, and return the future of the tokenised corpus.

    The corpora of other visitors that came earlier are tokenised first."""
    return _readers.submit(split_corpus, material, text)


class SegmentSubset(NamedTuple):
    """A non-empty subset of a corpus's segments.

    Attributes:
        bits: one bit for each segment of the corpus, packed by `np.packbits`: whether it is in the subset.
        fair: whether the subset was selected without looking at outputs or scores; only then can a test tell a
            difference from chance."""

    bits: bytes
    fair: bool

    @property
    def segment_indices(self) -> NDArray[np.intp]:
        """The indices of the segments in the subset, in ascending order."""
        return np.flatnonzero(np.unpackbits(np.frombuffer(self.bits, dtype=np.uint8)))


#: A request for a background result: its kind, the key of the metric, the indices of two systems, and the segments
#: (None for all of them).
ResultRequest = tuple[str, str, int, int, SegmentSubset | None]


class CorpusJob(CorpusScoring):
    """A visitor's corpus with the results that are known so far; they grow while it is scored in the background.

    `key` is always the key of a metric.

    Attributes:
        stands: the texts before any repair of misaligned lines.
        repairs: the repairs that are applied to `stands`, by system name.
        check: the search for problems in the files.
        given: the visitor's files and the roles assigned to their columns, from which the form for files is filled
            again.
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
        wanted: Collection[str] | None = None,
        sentence_scores: bool = True,
    ) -> None:
        super().__init__(apply_repairs(stands, repairs), text, settings, first, words, wanted, sentence_scores)
        self.unrepaired_material, self.repairs = stands, repairs
        self.given: tuple[Sequence[File], Mapping[str, str]] = (), {}
        self.judged: JudgementRecord | None = None
        self.check = check or Check(check_material, self.material, text, first, settings[first], repairs)
        self._finder = Finder("finder")
        self._by_roles: dict[tuple[str, int, int], CorpusLedger] = {}
        self._turned: dict[tuple[str, int, int], tuple[CorpusLedger, CorpusLedger]] = {}  # original, turned
        self._sums: dict[str, Array] = {}
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()

    def start(self) -> None:
        """Start scoring this corpus and checking its files, both in the background."""
        super().start()
        self.check.start()

    def keep_alive(self) -> None:
        """Record that the page is still open."""
        super().keep_alive()
        self.check.keep_alive()

    def prepare_first(self, key: str) -> None:
        if len(self.names) > 1:
            self.ledger(key, 0, 1)
            self.system_comparisons(key, 0)

    @cached_property
    def lengths(self) -> Array:
        """The number of words in each segment's first reference."""
        return np.array([len(references[0]) for references in self.texts.references], dtype=np.float64)

    def turn_given(self, key: str) -> None:
        """Take lower for better, or higher again, of scores that came with the files."""
        table = self.given_tables[key]
        metric = replace(table.metric, higher_is_better=not table.metric.higher_is_better)
        self.given_tables = {**self.given_tables, key: replace(table, metric=metric)}
        self._finder.forget_old_results(lambda request: isinstance(request, tuple) and key in request, 0)
        for each in (self._by_roles, self._turned):
            for entry in [entry for entry in each if entry[0] == key]:
                del each[entry]
        with self._lock:
            self._remembered.clear()

    def applicable_judgements(self, systems: Sequence[int], segment: int) -> JudgementRecord | None:
        """Return the corpus's judgements if they apply to these systems' outputs for a segment, else None.

        They do not apply if a repair has moved the lines of a system since they were judged."""
        materials = self.material, self.unrepaired_material
        now, before = ([m.systems[self.names[n]].lines[segment : segment + 1] for n in systems] for m in materials)
        return self.judged if now == before else None

    def two_systems(self, a: int, b: int) -> TwoSystems:
        """Return the names and outputs of systems `a` and `b`."""
        return TwoSystems((self.names[a], self.names[b]), self.texts.segments(a), self.texts.segments(b))

    def cached(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """Return the value cached under `cache_key`; where it is missing, call `make` for it.

        Only the last REMEMBERED_MOST values are kept."""
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

    # ------------------------------------------------------------ two systems

    def corpus_scores(self, key: str) -> Array:
        """Return the corpus score of each system by a metric that is scored already."""
        return self._sums[key] if key in self._sums else self._sums.setdefault(key, self.table(key).corpus_scores())

    def subset_scores(self, key: str, a: int, b: int, subset: SegmentSubset) -> tuple[float, float]:
        """Return the scores of systems `a` and `b` on the segments of `subset` alone, by a scored metric."""
        scores_by_metric: dict[str, tuple[float, float]] = self.cached(("scores", a, b, subset), dict)
        if key not in scores_by_metric:
            table, numbers = self.table(key), subset.segment_indices
            sums = np.stack([table.summed_columns[n][numbers].sum(axis=0) for n in (a, b)])
            before, after = table.scores_of_sums(sums, len(numbers)).tolist()
            scores_by_metric[key] = before, after
        return scores_by_metric[key]

    def system_comparisons(self, key: str, a: int, subset: SegmentSubset | None = None) -> list[SystemPair] | None:
        """Return the statistical comparisons of system `a` with each other system by a metric.

        None while the metric is not scored yet, or while the comparisons are being computed, which this call starts."""
        result = self._request_result("pairs", key, a, a, subset)
        return result if isinstance(result, list) else None

    def known_system_comparisons(
        self, key: str, a: int, subset: SegmentSubset | None = None
    ) -> list[SystemPair] | None:
        """Return the comparisons of system `a` with each other system if they are known, else None.

        No computation is started."""
        result = self._finder.results.get(("pairs", key, a, a, subset))
        return result if isinstance(result, list) else None

    def order_worse_first(self, key: str, a: int, b: int) -> tuple[int, int]:
        """Return systems `a` and `b` in the order worse, better by their corpus scores.

        If the scores are equal, the order stays (`a`, `b`). The metric must be scored."""
        before, after = (float(self.corpus_scores(key)[n]) for n in (a, b))
        return (b, a) if before != after and (after > before) != self.metric(key).higher_is_better else (a, b)

    def ledger(self, key: str, a: int, b: int) -> CorpusLedger | str | None:
        """Return the ledger that explains the difference of two systems' scores, from the worse to the better one.

        Returns a sentence if the ledger is too hard to compute. While its causes are computed in the background,
        returns None, or a ledger without causes that has only the worth of each segment, because that needs no texts;
        `ledger_has_causes` tells the two apart."""
        if key in self.given_tables:
            return self._worth_alone(key, *self.order_worse_first(key, a, b))
        ledger: CorpusLedger | str | None = self._request_result("ledger", key, a, b)
        table = self.tables.get(key)
        if ledger is None and table is not None and table.metric.pooling == "sum":
            ledgers = self._by_roles
            first = ledgers.get((key, a, b)) or replace(
                ledger_from_roles(table.select_systems((a, b))), steps=(), parts={}, edits={}
            )
            ledger = ledgers.setdefault((key, a, b), first)
        if isinstance(ledger, CorpusLedger) and self.order_worse_first(key, a, b) != (a, b):
            turned_entry = self._turned.get((key, a, b))
            # Cache the turned ledger, so that callers that compare ledgers by identity get the same object.
            if turned_entry is None or turned_entry[0] is not ledger:
                turned_entry = self._turned[key, a, b] = ledger, ledger.swapped
            return turned_entry[1]
        return ledger

    def _worth_alone(self, key: str, a: int, b: int) -> CorpusLedger:
        """Return the ledger from `a` to `b` by scores that came with the files: the worth of segments, no causes."""
        if (key, a, b) not in self._by_roles:
            table, scores = self.table(key), self.corpus_scores(key)
            worth = (table.scores[b] - table.scores[a]) / table.size
            before, after = float(scores[a]), float(scores[b])
            delta = after - before
            self._by_roles[key, a, b] = CorpusLedger(
                key, table.settings, (before, after), delta, (), tuple(worth.tolist()), {}, {}, delta, delta
            )
        return self._by_roles[key, a, b]

    def known_ledger(self, key: str, a: int, b: int) -> CorpusLedger | None:
        """Return the ledger from `a` to `b`, in this order, if it is known with its causes, else None.

        No computation is started."""
        ledger = self._finder.results.get(("ledger", key, a, b, None))
        return ledger if isinstance(ledger, CorpusLedger) else None

    def ledger_has_causes(self, key: str, a: int, b: int) -> bool:
        """Return whether the ledger of `a` and `b` has its causes, because it was computed from the texts.

        A ledger that was computed from the statistics alone has none: it counts longer runs, for example, as more
        words."""
        return key in self.given_tables or ("ledger", key, a, b, None) in self._finder.results

    def _any_key(self) -> str:
        """Return the key of any scores, because results on words need none; "" if there are no scores yet."""
        return next(iter(self.scored_keys()), "")

    def word_patterns(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """Return the n-grams of words that one of two systems has right more often than the other.

        None while they are computed. The segments of a pattern are indices into the whole corpus, also where only those
        of `subset` were searched."""
        result: list[Pattern] | None = self._request_result("patterns", self._any_key(), a, b, subset)
        return result

    def word_part_patterns(self, a: int, b: int, subset: SegmentSubset | None = None) -> list[Pattern] | None:
        """Return the parts of words that one of two systems has right more often than the other.

        None while they are computed. `subset` restricts the search to some segments."""
        result: list[Pattern] | None = self._request_result("characters", self._any_key(), a, b, subset)
        return result

    def error_counts_by_kind(
        self, a: int, b: int, subset: SegmentSubset | None = None
    ) -> list[ErrorCount] | str | None:
        """Return how many errors of each kind systems `a` and `b` make.

        None while they are counted; a sentence if counting is too hard."""
        result: list[ErrorCount] | str | None = self._request_result("errors", self._any_key(), a, b, subset)
        return result

    def known_output_patterns(self, a: int, b: int) -> OutputPatterns | None:
        """Return the n-grams and errors in which two systems differ if all of them are known, else None.

        No computation is started."""
        kinds, key = ("patterns", "characters", "errors"), self._any_key()
        words, parts, errors = (self._finder.results.get((kind, key, a, b, None)) for kind in kinds)
        if not isinstance(words, list) or not isinstance(parts, list) or errors is None:
            return None
        return OutputPatterns(words, parts, errors)

    def standings(self, key: str, subset: SegmentSubset | None = None) -> Standings | None:
        """Return the comparison of all systems with each other by a metric.

        None while the metric is not scored yet, or while the comparison is being computed, which this call starts."""
        result: Standings | None = self._request_result("standings", key, 0, 0, subset)
        return result

    def system_ranks(self, key: str, subset: SegmentSubset | None = None) -> tuple[int, ...]:
        """Return the rank of each system by a metric that is scored already, on all segments or those of `subset`."""

        def compute_ranks() -> tuple[int, ...]:
            return rank_systems(
                self.table(key) if subset is None else self.table(key).select_segments(subset.segment_indices)
            )

        ranks_by_metric: dict[str, tuple[int, ...]] = self.cached(("ranks", subset), dict)
        return ranks_by_metric.get(key) or ranks_by_metric.setdefault(key, compute_ranks())

    @property
    def is_busy(self) -> bool:
        """Whether a result of this corpus is being computed or its files are being checked."""
        return self.is_searching or not self.check.ended

    @property
    def is_searching(self) -> bool:
        """Whether a background result, such as a ledger or a test, is being computed."""
        return self._finder.busy

    def revision(self) -> int:
        """Return a number that grows when more results of this corpus are known."""
        return self._finder.revision + self.check.ended

    def _request_result(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None = None) -> Any:
        """Return a background result if it is known; else put its request at the front of the queue and return None.

        `what` is the kind of the result, such as "ledger" or "pairs". Requests in the queue for other subsets than
        `subset` are dropped, because the visitor has changed the filter."""
        request = (what, key, a, b, subset)
        self.keep_alive()
        if not self.is_scored(key):
            return None
        if subset is not None:
            self._finder.drop_pending(lambda pending_request: _subset_of_request(pending_request) not in (None, subset))
        self._finder.forget_old_results(
            lambda finished_request: _subset_of_request(finished_request) is not None, SOME_MOST
        )
        if self._finder.is_pending(request):  # keep the order: each run of a page repeats all its requests
            return None
        return self._finder.request_result(request, lambda look: self._compute_result(*request))

    def _metrics_to_test_with(self, key: str, a: int) -> list[str]:
        """Return the keys of the other metrics whose queued tests can be made together with that of `key`.

        One joint test is cheaper than separate ones. All tables together must have at most TOGETHER statistics."""
        out, room = [], TOGETHER - self.table(key).summed_columns.size
        for other in self.scored_keys():
            if other == key or not self._finder.is_pending(("pairs", other, a, a, None)):
                continue
            size = self.table(other).summed_columns.size
            if size <= room:
                out.append(other)
                room -= size
        return out

    def _search_arguments(self, what: str, a: int, b: int) -> Sequence[Sequence[Any]]:
        """Return the texts of systems `a` and `b` as the arguments of the function for results of kind `what`."""
        if what == "errors":
            return [self.texts.segments(n) for n in (a, b)]
        return self.texts.systems[a], self.texts.systems[b], self.texts.references

    def stemmer_and_language(self) -> tuple[str, str]:
        """Return the name of the stemmer, and its language, by which two words count as inflections of each other.

        They are those of the text settings if these use a stemmer, else those of the language recognised from the
        references. ("none", "english") if that language has no stemmer."""
        if self.text.stemmer != "none":
            return self.text.stemmer, self.text.language
        first = self.texts.references[:: max(1, self.segment_count // RECOGNISED_FROM)]
        language = languages.language_for_stems(
            languages.recognise_language([" ".join(line) for each in first for line in each])
        )
        return languages.stemmer(language) or ("none", "english")

    def _compute_result(self, what: str, key: str, a: int, b: int, subset: SegmentSubset | None) -> Any:
        """Compute a background result; the parameters are the parts of its ResultRequest.

        This runs in the background thread."""
        table = self.table(key)
        numbers = None if subset is None else subset.segment_indices
        if numbers is not None:
            table = table.select_segments(numbers)
        if what == "pairs":
            keys = [key, *(self._metrics_to_test_with(key, a) if subset is None else [])]
            tables = [table, *[self.table(each) for each in keys[1:]]]
            tested = compare_with_others(self.names, tables, resampling.scores_of_resamples(tables), a)
            of = {each: [pair for pair in tested if pair.metric.key == each] for each in keys}
            for each in keys[1:]:
                self._finder.store_result(("pairs", each, a, a, None), of[each])
            return of[key]
        if what == "standings":
            return self._run_in_worker(compute_standings, table)
        if what in _LOOKED_FOR:
            at = range(self.segment_count) if numbers is None else numbers.tolist()
            given: list[Any] = [[each[n] for n in at] for each in self._search_arguments(what, a, b)]
            results: list[Any] = self._run_in_worker(
                _LOOKED_FOR[what], *given, *(self.stemmer_and_language() if what == "errors" else ())
            )
            return [each._replace(segments=tuple([at[n] for n in each.segments])) for each in results]
        segment_lists = [self.texts.segments(n) for n in (a, b)]
        return self._run_in_worker(
            _ledger_by_key, key, self.settings[key], *segment_lists, table.select_systems((a, b))
        )

    def _run_in_worker(self, do: Callable[..., T], *given: object) -> T:
        """Return `do(*given)`, computed in another process.

        Raises SupersededError if the page gives no sign of life."""
        try:
            return run_in_process(os.cpu_count() or 1, do, *given, stopped=lambda: is_page_closed(self.last_heard))
        except Stopped:
            raise SupersededError from None


#: Most statistics, in numbers, that the tables of one joint test have together.
TOGETHER = 1_000_000


def _subset_of_request(request: Any) -> SegmentSubset | None:
    """Return the subset of segments that a request is about, None for all segments."""
    segments: SegmentSubset | None = request[-1]
    return segments


#: The functions that find patterns and errors, by the kind of result.
_LOOKED_FOR: Mapping[str, Callable[..., Any]] = {
    "patterns": find_word_patterns,
    "characters": find_character_patterns,
    "errors": error_counts,
}


def _ledger_by_key(key: str, *rest: Any) -> CorpusLedger:
    """Return the corpus ledger of the metric with this key; `rest` are the further arguments of `corpus_ledger`.

    It is a function of the module, so that another process can run it."""
    return corpus_ledger(metrics.METRICS[key], *rest)
