"""Score a visitor's corpus in the background: by the metrics that are wanted, stopped and gone on with."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Container, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from threading import Lock, Thread

import metrics
from metrics.corpus.agreement.columns import given_tables
from metrics.corpus.filter import RESERVED
from metrics.corpus.jobs import Job, JobProgress, ScoringCorpus
from metrics.corpus.processes import Processes
from metrics.corpus.table import StatisticsTable
from metrics.corpus.tasks import LOOK, MetricRequest, TaskResult
from metrics.corpus.texts import split_corpus
from metrics.corpus.unavailable_metrics import missing_metrics
from metrics.text import TextSettings
from metrics.text.formats import Material
from metrics.types import Metric, Settings

from ..state.results.cache import WORK
from ..state.visit.run_queue import RUN_QUEUE
from .checks import is_page_closed
from .visitor_corpora import VisitorCorpus

#: The names in the filter that no score of a file can have.
TAKEN = {
    *RESERVED,
    *metrics.METRICS,
    *"a b ref reference source document tag tags note number length worth apart".split(),
}
#: Seconds between two polls for the first score.
POLL_SECONDS = 0.01


class CorpusScoring(VisitorCorpus):
    """The scores of a corpus by the metrics that a visitor wants, as far as they are known.

    Attributes:
        texts: the words of `material`.
        tables: the statistics of each scored metric, by its key.
        given_tables: the scores that came with the files for each segment of each system, by key.
        wanted: the keys of the metrics that the visitor wants scored, also those that are scored already.
        costs: the seconds that one process is expected to need for each metric, by key; empty where that was not
            measured."""

    def __init__(
        self,
        material: Material,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        words: Future[ScoringCorpus] | None = None,
        wanted: Collection[str] | None = None,
        sentence_scores: bool = True,
    ) -> None:
        super().__init__(material, text, settings, first)
        self._has_sentence_scores = sentence_scores
        others = [key for key in settings if wanted is None or key in wanted]
        self.wanted = [*dict.fromkeys([first, *others])]
        self.tables: dict[str, StatisticsTable] = {}
        self.given_tables = given_tables(material.scores, self.score_names, self.names)
        self.progress: JobProgress | None = None
        self.costs: Mapping[str, float] = {}
        self.problem = ""
        self.ended = False
        self.start_time = time.monotonic()
        self._words, self._reading_begun = words, False
        self._lock = Lock()
        self._job: Job | None = None
        self._parts: dict[str, list[TaskResult]] = {}  # of the metrics that are not scored yet, by key
        self._stop_wanted = False

    @cached_property
    def texts(self) -> ScoringCorpus:
        """The words of all outputs and references; they may have been tokenised in advance."""
        return self._reading().result()

    def _reading(self) -> Future[ScoringCorpus]:
        """Return the future of the words; if their reading has not begun, it begins now, in a thread of its own."""
        with self._lock:
            # If it has not begun, it is queued behind other visitors' corpora.
            if not self._reading_begun and (self._words is None or self._words.cancel()):
                reader = ThreadPoolExecutor(1, "words")
                self._words = reader.submit(split_corpus, self.material, self.text)
                reader.shutdown(wait=False)
            self._reading_begun = True
        assert self._words
        return self._words

    @cached_property
    def score_names(self) -> Mapping[str, str]:
        """The scores that came with the files: their names in the files by their keys, which filters use too."""
        return score_keys(self.material.scores)

    def is_scored(self, key: str) -> bool:
        """Return whether there are scores by a metric, or scores with this key that came with the files."""
        return key in self.tables or key in self.given_tables

    def table(self, key: str) -> StatisticsTable:
        """Return the scores by a scored metric, or those with this key that came with the files."""
        return self.tables[key] if key in self.tables else self.given_tables[key]

    def segment_settings(self, key: str) -> Settings:
        """Return the settings with which single segments are scored by a metric."""
        settings = self.settings[key]
        return metrics.METRICS[key].settings_of_segment(settings) if self._has_sentence_scores else settings

    def metric(self, key: str) -> Metric:
        """Return the record of a metric, or of scores that came with the files."""
        return self.given_tables[key].metric if key in self.given_tables else metrics.METRICS[key]

    def scored_keys(self) -> list[str]:
        """Return the keys of the scored metrics, in the order of the catalogue, and of the scores in the files."""
        return [*[key for key in metrics.METRICS if key in self.tables], *self.given_tables]

    # ------------------------------------------------------------ scoring

    def start(self) -> None:
        """Start scoring in the background."""
        Thread(target=self._run, name="corpus", daemon=True).start()

    def wait_for_first_score(self, seconds: float) -> None:
        """Wait until the first metric is scored, at most until `seconds` after scoring was started.

        While it waits, runs of other visitors' pages may go on."""
        while not self.tables and not self.ended and time.monotonic() < self.start_time + seconds:
            RUN_QUEUE.pause(POLL_SECONDS)

    def stop(self) -> None:
        """Stop scoring this corpus; the results so far are kept, also the parts of metrics that are not finished."""
        self._stop_wanted = True
        if self._job:
            self._job.cancelled = True

    def go_on(self, keys: Iterable[str] | None = None) -> None:
        """Score the metrics with these keys, by default all that are unfinished; others that were stopped stay so.

        While metrics are being scored, these come after them. Nothing is scored again that is scored already, also
        where scoring was stopped within a metric."""
        self.keep_alive()
        with self._lock:
            asked = self.unfinished() if keys is None else [key for key in keys if key in self.settings]
            kept = [key for key in self.wanted if key in self.tables] if self.ended else self.wanted
            self.wanted = [*dict.fromkeys([*kept, *asked])]
            self._stop_wanted = False
            if not self.ended or not self.unfinished():
                return
            self.ended, self.problem = False, ""
        CorpusScoring.start(self)

    @property
    def stopped(self) -> bool:
        """Whether scoring ended without an error, although some wanted metrics are not scored and could be."""
        return self.ended and not self.problem and bool(self.unfinished())

    def unfinished(self) -> list[str]:
        """Return the keys of the wanted metrics that have no score yet; those that cannot have one are left out."""
        return [key for key in self.wanted if self._can_be_scored(key)]

    def unwanted(self) -> list[str]:
        """Return the keys of the metrics that could be scored too, but that the visitor has not asked for."""
        return [key for key in self.settings if key not in self.wanted and self._can_be_scored(key)]

    def _can_be_scored(self, key: str) -> bool:
        """Return whether a metric has no score yet, and no segment is known for which it cannot have one."""
        return key not in self.tables and not any(part.hard or part.lost for part in self._parts.get(key, ()))

    def seconds_left(self) -> float | None:
        """Return the seconds that the unfinished metrics still need; None where that is not known."""
        left = self.progress.seconds_left if self.progress else {}
        unfinished = self.unfinished()
        if unfinished and all(key in left for key in unfinished):
            return max([left[key] for key in unfinished])
        return self.expected_seconds(unfinished)

    def expected_seconds(self, keys: Iterable[str]) -> float | None:
        """Return the seconds that the metrics with these keys are expected to take; None where that is not known."""
        return expected_seconds(self.costs, keys)

    def done_share(self) -> float:
        """Return the share of the segments of all wanted metrics that is scored, from 0 to 1."""
        done = self.progress.segments_done if self.progress else {}
        shares = [1.0 if key in self.tables else done.get(key, 0) / max(1, self.segment_count) for key in self.wanted]
        return min(1.0, sum(shares) / len(shares))

    def unscored_reasons(self) -> list[str]:
        """Return, for each metric that could not be scored, a sentence that says why, without its full stop.

        Metrics that are missing only because scoring was stopped are not named."""
        parts = [part for of_metric in [*self._parts.values()] for part in of_metric]
        hard, lost = sorted([each for part in parts for each in part.hard]), [part.lost for part in parts if part.lost]
        files = [texts.file for texts in self.material.systems.values()]

        def line_number(system: int, segment: int) -> int:
            return self.material.systems[self.names[system]].numbers[segment]

        return [each.reason_sentence(files, line_number) for each in missing_metrics(hard, lost)]

    def _run(self) -> None:
        """Score the wanted metrics, the first one first; those that are wanted meanwhile come after them.

        This is the body of the scoring thread."""
        tried: set[str] = set()
        try:
            while requests := self._next_requests(tried):
                if not wait([self._reading()], LOOK).done:  # wait a moment at a time, so that a stop need not wait
                    continue
                tried |= {key for key, _ in requests}
                # Score in other processes only: work in this one would keep its visitors waiting.
                self._job = job = Job(
                    requests,
                    self.texts,
                    tell=self._store_progress,
                    workers=Processes(os.cpu_count() or 1),
                    most=WORK,
                    is_needed=lambda: not self._is_stop_wanted(),
                    parts=self._parts,
                )
                for table in job.tables():
                    key = table.metric.key
                    self.tables[key] = table.with_sentence_scores() if self._has_sentence_scores else table
                    if key == self.first:
                        self.prepare_first(key)
                if job.cancelled:
                    tried.clear()
        except Exception as error:  # any error: the page shows it and continues with the results so far
            self.problem = str(error) or type(error).__name__
            self.ended = True

    def _next_requests(self, tried: Container[str]) -> list[MetricRequest]:
        """Return the unfinished metrics that are not in `tried`; if there are none or nobody needs them, end."""
        with self._lock:
            keys = [] if self._is_stop_wanted() else [key for key in self.unfinished() if key not in tried]
            self.ended = not keys
            return [(key, self.settings[key]) for key in keys]

    def _is_stop_wanted(self) -> bool:
        """Return whether the visitor has stopped scoring or has closed the page."""
        return self._stop_wanted or is_page_closed(self.last_heard)

    def prepare_first(self, key: str) -> None:
        """Request what a page shows first, once the first metric is scored; called in the scoring thread."""

    def _store_progress(self, progress: JobProgress) -> None:
        """Store how far scoring has come."""
        self.progress = progress


def score_keys(names: Iterable[str]) -> dict[str, str]:
    """Return the names of scores that came with files by their keys, which are their names in the filter.

    A key is unique, a valid identifier, and no other name of the filter.

    >>> score_keys(["COMET-22", "length", "comet 22"])
    {'comet_22': 'COMET-22', 'given_length': 'length', 'comet_22_': 'comet 22'}
    """
    out: dict[str, str] = {}
    for name in names:
        key = re.sub(r"\W+", "_", name.casefold()).strip("_") or "score"
        key = f"given_{key}" if key in TAKEN or not key[0].isalpha() else key
        while key in out:
            key += "_"
        out[key] = name
    return out


def expected_seconds(costs: Mapping[str, float], keys: Iterable[str]) -> float | None:
    """Return the seconds that metrics with these keys are expected to take with all processes; None if not known.

    `costs` are the seconds that one process needs, by key."""
    wanted = [*keys]
    known = wanted and all(key in costs for key in wanted)
    return sum([costs[key] for key in wanted]) / (os.cpu_count() or 1) if known else None
