"""Hold a visitor's judged corpus, with how well metrics agree with people as far as that is known.

Slow results are computed in the background: first scores, then the table stage by stage, then what a view asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from metrics import METRICS
from metrics.corpus.agreement import (
    AgreementColumn,
    AgreementTable,
    Group,
    Tau,
    agreement_table_stages,
    external_columns,
    metric_column,
    score_directions,
    spans_by_output,
)
from metrics.corpus.agreement.agreement_table import AgreementProgress
from metrics.corpus.processes import run_each_in_process
from metrics.corpus.table import StatisticsTable
from metrics.text import TextSettings
from metrics.text.formats import File, Material
from metrics.text.formats.material import Scores
from metrics.text.judgements import ErrorSpan, JudgementRecord
from metrics.types import Segment, Settings, Tokens

from ...frame.background import CheckWanted, Finder, SupersededError
from ...frame.checks import Check, is_page_closed
from ...frame.corpora import CorpusJob
from ...frame.visitor_corpora import VisitorCorpus

CORES = os.cpu_count() or 1

T = TypeVar("T")


class AgreementInput(NamedTuple):
    """The files and corrections from which a visitor's judged corpus was made.

    Attributes:
        texts: the files of texts.
        judgements: the files of judgements.
        roles: the roles that the visitor assigned to columns of the files, by column.
        higher: whether higher is better, by the name of a scale or of another program's score.
        origins: the system whose output a person edited to make a reference, by name of the reference."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    roles: Mapping[str, str] = {}
    higher: Mapping[str, bool] = {}
    origins: Mapping[str, str] = {}


def other_program_scores(material: Material, judged: JudgementRecord) -> Mapping[str, Mapping[str, Scores]]:
    """Return the scores of other programs by name and system.

    They are all scores that came with the files, except those that are scales of people's judgements."""
    scales = {scale.name for scale in judged.scales}
    return {name: each for name, each in material.scores.items() if name not in scales}


class TableRequest(NamedTuple):
    """The choices that determine an agreement table.

    Attributes:
        scale: the scale of judgements that metrics are compared with.
        group: within what coefficients over segments are computed: all outputs, each segment, or each system.
        tau: the variant of Kendall's coefficient."""

    scale: str
    group: Group
    tau: Tau


class ViewProgress(NamedTuple):
    """The progress of what a view has computed in the background.

    Attributes:
        fraction: the part that is done, from 0 to 1.
        says: what is being computed."""

    fraction: float
    says: str


class AgreementJob(VisitorCorpus):
    """A visitor's judged corpus, with the scores and results that are known so far.

    Attributes:
        scoring: the corpus job that scores the metrics, None if the corpus has no reference.
        others: the scores of other programs, as columns of the agreement table.
        ways: whether higher is better for each of these scores.
        given: the files and corrections from which the corpus was made.
        says: a statement about the corpus, shown on the page."""

    def __init__(
        self,
        material: Material,
        judged: JudgementRecord,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        given: AgreementInput = AgreementInput((), ()),
        says: str = "",
    ) -> None:
        super().__init__(material, text, settings, first)
        self.judged, self.given, self.says = judged, given, says
        self.scoring = None
        if material.references:
            no_check: Check[Any] = Check(lambda: None)  # judged files need no search for misaligned lines
            self.scoring = CorpusJob(material, text, settings, first, check=no_check, sentence_scores=False)
        scores = other_program_scores(material, judged)
        used_names = [name for key in settings for name in (key, METRICS[key].label)]
        self.others = external_columns(scores, judged.systems, judged.size, given.higher, used_names)
        self.ways = score_directions(scores, given.higher)
        self.stopped = False
        self.progress: AgreementProgress | None = None
        self.view_progress = ViewProgress(0.0, "Looking.")
        self._tables: dict[TableRequest, AgreementTable] = {}
        self._finders = {name: Finder(name) for name in ("table", "view", "experiment")}
        self._remembered: dict[Hashable, Any] = {}

    def applicable_judgements(self, systems: Sequence[int], segment: int) -> JudgementRecord:
        """Return people's judgements, which apply to all outputs."""
        return self.judged

    @cached_property
    def reference_words(self) -> Sequence[tuple[Tokens, ...]]:
        """The words of each segment's references; empty if the corpus has no reference."""
        return self.scoring.texts.references if self.scoring else ()

    def words_of_output(self, system: int, segment: int) -> Segment:
        """Return the words of a system's output with those of its references.

        Both are empty if the corpus has no reference, because it is not tokenised then."""
        if not self.scoring:
            return Segment((), ((),))
        return Segment(self.scoring.texts.systems[system][segment], self.scoring.texts.references[segment])

    @cached_property
    def marked_errors_by_output(self) -> Mapping[tuple[int, int], tuple[ErrorSpan, ...]]:
        """The errors that people marked, by output (system, segment); outputs without marked errors are left out."""
        return spans_by_output(self.judged)

    # ------------------------------------------------------------ the job

    def start(self) -> None:
        """Start scoring the metrics, if the corpus has a reference."""
        if self.scoring:
            self.scoring.start()

    def stop(self) -> None:
        """Stop all computation; the results so far are kept."""
        self.stopped = True
        if self.scoring:
            self.scoring.stop()
        for finder in self._finders.values():
            finder.clear_queue()

    def resume(self) -> None:
        """Allow computation again after `stop`; the next run of the page starts it."""
        self.stopped = False

    def score_others(self) -> None:
        """Allow computation again, and go on scoring the metrics that are not scored; tables are made anew of all."""
        self.resume()
        if self.scoring:
            self.scoring.go_on()
            self._tables.clear()
            self._finders["table"].forget_old_results(lambda request: True, 0)

    def keep_alive(self) -> None:
        """Record that the page is still open."""
        super().keep_alive()
        if self.scoring:
            self.scoring.keep_alive()

    @property
    def tables(self) -> Mapping[str, StatisticsTable]:
        """The statistics of each scored metric, by its key."""
        return self.scoring.tables if self.scoring else {}

    @property
    def is_scored(self) -> bool:
        """Whether the scoring of metrics has ended."""
        return self.scoring is None or self.scoring.ended

    @property
    def is_busy(self) -> bool:
        """Whether anything of this corpus is being scored or computed."""
        return not self.is_scored or any(finder.busy for finder in self._finders.values())

    @property
    def revision(self) -> int:
        """A number that grows when more results of this corpus are known."""
        return len(self.tables) + self.is_scored + sum(finder.revision for finder in self._finders.values())

    def cached(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """Return the value cached under `cache_key`; where it is missing, call `make` for it."""
        if cache_key not in self._remembered:
            self._remembered[cache_key] = make()
        value: T = self._remembered[cache_key]
        return value

    def find_in_background(
        self, request: Hashable, make: Callable[[CheckWanted], T], what: str = "view"
    ) -> T | str | None:
        """Return the result of `request`; None while it is being computed by `make` in the background.

        If computing fails, the result is the error's message. While the job is stopped, only known results are
        returned.

        Args:
            request: any hashable value that identifies the result.
            make: computes the result. It calls its argument from time to time, which raises SupersededError when the
                result is no longer wanted.
            what: "view", or "experiment" for what may take minutes. Each has a thread of its own, which answers the
                newest request first."""
        finder = self._finders[what]
        if self.stopped:
            earlier_result: T | str | None = finder.results.get(request)
            return earlier_result
        result: T | str | None = finder.request_result(
            request, lambda look: make(self._check_result_and_job_wanted(look))
        )
        return result

    def compute_now(self, request: Hashable, make: Callable[[CheckWanted], T]) -> T | str:
        """Return the result of a view's `request`; if it is not known, call `make` in the calling thread and wait."""
        result: T | str = self._finders["view"].compute_now(request, make)
        return result

    def drop_pending(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Remove the requests of views from the queue for which `unwanted` returns True."""
        self._finders["view"].drop_pending(unwanted)

    def finished_results(self, what: str) -> list[tuple[Hashable, Any]]:
        """Return the known results of one kind, "view" or "experiment", as pairs of request and result.

        They are in the order in which they were computed; requests that failed are left out."""
        return [(request, each) for request, each in self._finders[what].results.items() if not isinstance(each, str)]

    def request_redraw(self, what: str = "view") -> None:
        """Have the page draw again what is known so far, although the result of kind `what` is not complete."""
        self._finders[what].request_redraw()

    def _check_result_and_job_wanted(self, check_wanted: CheckWanted) -> CheckWanted:
        """Return a callable that calls `check_wanted`, and then checks that the whole job is still wanted.

        It raises SupersededError if the job was stopped or its page was closed."""

        def check_both() -> None:
            check_wanted()
            if self.stopped or is_page_closed(self.last_heard):
                raise SupersededError

        return check_both

    # ------------------------------------------------------------ the table

    @cached_property
    def scale_names(self) -> tuple[str, ...]:
        """The names of the scales of judgements."""
        return tuple([scale.name for scale in self.judged.scales])

    def table_request(self, scale: str, group: Group, tau: Tau) -> TableRequest:
        """Return the request of an agreement table; if there is no scale called `scale`, it is for the first scale."""
        return TableRequest(scale if scale in self.scale_names else self.scale_names[0], group, tau)

    def known_columns(self) -> list[AgreementColumn]:
        """Return the columns of the table that are known so far: the scored metrics, then other programs' scores.

        Metrics are in the order of the catalogue."""
        tables = [self.tables[key] for key in self.settings if key in self.tables]
        ours = [self.cached(("column", table.metric.key), partial(metric_column, table)) for table in tables]
        return [*ours, *self.others]

    def table_so_far(self, request: TableRequest) -> AgreementTable:
        """Return an agreement table as far as it is known.

        Once all metrics are scored, this call starts the computation of what is missing in the background."""
        if self.is_scored and (request not in self._tables or self._tables[request].stage != "intervals"):
            self._request_table(request)
        if request in self._tables:
            return self._tables[request]
        columns = self.known_columns()
        key = "first", request, len(columns)
        return self.cached(key, lambda: next(agreement_table_stages(columns, self.judged, *request)))

    def table_errors(self) -> list[str]:
        """Return the error messages of tables that could not be completed."""
        return [each for each in self._finders["table"].results.values() if isinstance(each, str)]

    def _request_table(self, request: TableRequest) -> None:
        """Put the request of a table at the front of the queue, unless the job is stopped."""
        if not self.stopped:
            self._finders["table"].request_result(
                request, lambda look: self._compute_table(request, self._check_result_and_job_wanted(look))
            )

    def _compute_table(self, request: TableRequest, check_wanted: CheckWanted) -> AgreementTable:
        """Compute a table stage by stage, storing each stage so that the page can show it.

        This runs in the background thread."""

        def report_progress(progress: AgreementProgress) -> None:
            self.progress = progress
            check_wanted()

        def run_each(do: Callable[[Any], Any], given: Iterable[Any]) -> Iterator[Any]:
            return run_each_in_process(CORES, do, [(one,) for one in given])

        check_wanted()
        try:
            for table in agreement_table_stages(
                self.known_columns(), self.judged, *request, tell=report_progress, map_rows=run_each
            ):
                self._tables[request] = table
                self.request_redraw("table")
        finally:
            self.progress = None
        return self._tables[request]


# ---------------------------------------------------------------- outputs by number


def output_number(corpus: AgreementJob, system: int, segment: int) -> int:
    """Return the single number that identifies an output in points and rows: system × segments + segment."""
    return system * corpus.segment_count + segment


def output_from_number(corpus: AgreementJob, number: int) -> tuple[int, int]:
    """Return the system and the segment of the output that has this number; the inverse of `output_number`."""
    system, segment = divmod(number, corpus.segment_count)
    return system, segment


def judged_outputs(table: AgreementTable) -> Sequence[tuple[int, int]]:
    """Return the outputs that people judged on the table's scale, as pairs of system and segment."""
    return [(int(system), int(segment)) for system, segment in np.argwhere(~np.isnan(table.people))]
