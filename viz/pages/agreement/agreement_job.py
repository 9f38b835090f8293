"""Hold the judged corpora of visitors, their scores, and how metrics agree with people, in the server's memory only.

Each corpus has a name that nobody can guess, which the browser's tab keeps for a reload. Slow results are computed in
the background: first scores, then the table stage by stage, then what a view asks for."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from metrics import METRICS
from metrics.corpus.agreement import (
    AgreementColumn,
    AgreementTable,
    Group,
    Tau,
    external_columns,
    metric_column,
    score_directions,
    spans_of,
    stages,
)
from metrics.corpus.agreement.agreement_table import AgreementProgress
from metrics.corpus.processes import run_each_in_process
from metrics.corpus.table import StatisticsTable
from metrics.text import TextSettings
from metrics.text.formats import File, Material
from metrics.text.formats.material import Scores
from metrics.text.judgements import ErrorSpan, JudgementRecord
from metrics.types import Segment, Settings, Tokens

from ...frame import outputs
from ...frame.background import CheckWanted, Finder, SupersededError
from ...frame.checks import Check, is_abandoned
from ...frame.corpora import CorpusJob

CORES = os.cpu_count() or 1

T = TypeVar("T")


class AgreementInput(NamedTuple):
    """The files and corrections from which a visitor's judged corpus was made.

    Attributes:
        texts: the files of texts.
        judgements: the files of judgements.
        roles: the roles that the visitor assigned to columns, by column.
        higher: whether higher is better, by the name of a scale or of another program's score.
        origins: the system from which a reference was made, by the reference."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    roles: Mapping[str, str] = {}
    higher: Mapping[str, bool] = {}
    origins: Mapping[str, str] = {}


def others_scores(material: Material, judged: JudgementRecord) -> Mapping[str, Mapping[str, Scores]]:
    """Return the scores of other programs by name.

    They are all scores of the material that are not scales of people's judgements."""
    scales = {scale.name for scale in judged.scales}
    return {name: each for name, each in material.scores.items() if name not in scales}


class TableRequest(NamedTuple):
    """The choices that determine an agreement table."""

    scale: str
    group: Group
    tau: Tau


class ViewProgress(NamedTuple):
    """The progress of a view's computation: the fraction done, from 0 to 1, and what is being computed."""

    fraction: float
    says: str


class AgreementJob:
    """A judged corpus, and the results that are known so far.

    Attributes:
        scoring: the job that scores the corpus, None if it has no reference.
        others: the scores of other programs, as columns of the table.
        ways: whether higher is better for each of these.
        given: the files and corrections it was made from.
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
        self.name = secrets.token_urlsafe(18)
        self.material, self.judged, self.given, self.says = material, judged, given, says
        self.text, self.settings, self.first = text, settings, first
        self.scoring = None
        if material.references:
            no_check: Check[Any] = Check(lambda: None)  # judged files need no search for misaligned lines
            self.scoring = CorpusJob(material, text, settings, first, check=no_check)
        self.systems = tuple(material.systems)
        scores = others_scores(material, judged)
        used_names = [name for key in settings for name in (key, METRICS[key].label)]
        self.others = external_columns(scores, judged.systems, judged.size, given.higher, used_names)
        self.ways = score_directions(scores, given.higher)
        self.last_heard = time.monotonic()
        self.stopped = False
        self.progress: AgreementProgress | None = None
        self.view_progress = ViewProgress(0.0, "Looking.")
        self._tables: dict[TableRequest, AgreementTable] = {}
        self._finders = {name: Finder(name) for name in ("table", "view", "experiment")}
        self._remembered: dict[Hashable, Any] = {}

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.material)

    def line(self, system: int, segment: int) -> str:
        """Return the output of `system` for `segment`, as it was given."""
        return self.material.systems[self.systems[system]].lines[segment]

    def source(self, segment: int) -> str:
        """Return the source of `segment`, "" if there is none."""
        return outputs.source(self.material, segment)

    def document(self, segment: int) -> str:
        """Return the document of `segment`, "" if there is none."""
        return outputs.document(self.material, segment)

    @cached_property
    def references(self) -> Sequence[tuple[Tokens, ...]]:
        """The words of each segment's references."""
        return self.scoring.texts.references if self.scoring else ()

    def segment(self, system: int, segment: int) -> Segment:
        """Return the words of an output with those of its references; both are empty if the corpus has no reference."""
        texts = self.scoring.texts if self.scoring else None
        return Segment(texts.systems[system][segment], texts.references[segment]) if texts else Segment((), ((),))

    @cached_property
    def spans(self) -> Mapping[tuple[int, int], tuple[ErrorSpan, ...]]:
        """The marked errors by output (system, segment), of the outputs that have some."""
        return spans_of(self.judged)

    # ------------------------------------------------------------ the job

    def start(self) -> None:
        """Start scoring, if the corpus has a reference."""
        if self.scoring:
            self.scoring.start()

    def stop(self) -> None:
        """Stop all computation; the results so far are kept."""
        self.stopped = True
        if self.scoring:
            self.scoring.stop()
        for finder in self._finders.values():
            finder.stop()

    def resume(self) -> None:
        """Allow computation again after `stop`."""
        self.stopped = False

    def keep_alive(self) -> None:
        """Record that the page is still open."""
        self.last_heard = time.monotonic()
        if self.scoring:
            self.scoring.keep_alive()

    @property
    def tables(self) -> Mapping[str, StatisticsTable]:
        """The statistics of each scored metric, by its key."""
        return self.scoring.tables if self.scoring else {}

    @property
    def scored(self) -> bool:
        """Whether scoring has ended."""
        return self.scoring is None or self.scoring.ended

    @property
    def busy(self) -> bool:
        """Whether anything is being scored or computed."""
        return not self.scored or any(finder.busy for finder in self._finders.values())

    @property
    def revision(self) -> int:
        """A number that grows when there is more to show."""
        return len(self.tables) + self.scored + sum(finder.revision for finder in self._finders.values())

    def remembered(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value of `cache_key`, computed by `make` if it is missing."""
        if cache_key not in self._remembered:
            self._remembered[cache_key] = make()
        value: T = self._remembered[cache_key]
        return value

    def find(self, request: Hashable, make: Callable[[CheckWanted], T], what: str = "view") -> T | str | None:
        """Return the result of `request`, computed by `make` in the background; None while it is being computed.

        If computing fails, the result is the error's message. `make` gets a callable that raises SupersededError when
        the result is no longer wanted. `what` is "view", or "experiment" for what may take minutes; each has a thread
        of its own, which answers the newest request first. While the job is stopped, only known results are
        returned."""
        finder = self._finders[what]
        if self.stopped:
            earlier_result: T | str | None = finder.results.get(request)
            return earlier_result
        result: T | str | None = finder.look(request, lambda look: make(self._watched(look)))
        return result

    def find_now(self, request: Hashable, make: Callable[[CheckWanted], T]) -> T | str:
        """Return the result of a view's `request`, computed by `make` in the calling thread if it is not known."""
        result: T | str = self._finders["view"].find_now(request, make)
        return result

    def known_result(self, request: Hashable) -> Any:
        """Return the result of a view's `request` if it is known, else None; start no computation."""
        return self._finders["view"].results.get(request)

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Remove a view's pending requests for which `unwanted` is true."""
        self._finders["view"].drop(unwanted)

    def results_of(self, what: str) -> list[tuple[Hashable, Any]]:
        """Return pairs of request and result of the kind `what`, "view" or "experiment".

        They are in the order of the results; failed requests are left out."""
        return [(request, each) for request, each in self._finders[what].results.items() if not isinstance(each, str)]

    def tell(self, what: str = "view") -> None:
        """Have the page drawn again, with what has been computed so far."""
        self._finders[what].count_up()

    def _watched(self, look: CheckWanted) -> CheckWanted:
        """Return a callable that calls `look`, and raises SupersededError if the job was stopped or its page closed."""

        def watched() -> None:
            look()
            if self.stopped or is_abandoned(self.last_heard):
                raise SupersededError

        return watched

    # ------------------------------------------------------------ the table

    @cached_property
    def scales(self) -> tuple[str, ...]:
        """The names of the scales of judgements."""
        return tuple([scale.name for scale in self.judged.scales])

    def table_request(self, scale: str, group: Group, tau: Tau) -> TableRequest:
        """Return the request of a table; the first scale replaces an unknown one."""
        return TableRequest(scale if scale in self.scales else self.scales[0], group, tau)

    def columns(self) -> list[AgreementColumn]:
        """Return the columns known so far: the scored metrics, then other programs' scores.

        Metrics are in the order of `settings`, which is that of the catalogue."""
        tables = [self.tables[key] for key in self.settings if key in self.tables]
        ours = [self.remembered(("column", table.metric.key), partial(metric_column, table)) for table in tables]
        return [*ours, *self.others]

    def table(self, request: TableRequest) -> AgreementTable:
        """Return the table as far as it is known.

        Once all metrics are scored, the rest is computed in the background."""
        if self.scored and (request not in self._tables or self._tables[request].stage != "intervals"):
            self._request_table(request)
        if request in self._tables:
            return self._tables[request]
        columns = self.columns()
        key = "first", request, len(columns)
        return self.remembered(key, lambda: next(stages(columns, self.judged, *request)))

    def problems(self) -> list[str]:
        """Return the error messages of tables that could not be completed."""
        return [each for each in self._finders["table"].results.values() if isinstance(each, str)]

    def _request_table(self, request: TableRequest) -> None:
        """Request a table in the background, unless the job is stopped."""
        if not self.stopped:
            self._finders["table"].look(request, lambda look: self._find_table(request, self._watched(look)))

    def _find_table(self, request: TableRequest, look: CheckWanted) -> AgreementTable:
        """Compute a table stage by stage, storing each stage; runs in the background thread."""

        def report_progress(progress: AgreementProgress) -> None:
            self.progress = progress
            look()

        def run_each(do: Callable[[Any], Any], given: Iterable[Any]) -> Iterator[Any]:
            return run_each_in_process(CORES, do, [(one,) for one in given])

        look()
        try:
            for table in stages(self.columns(), self.judged, *request, tell=report_progress, each=run_each):
                self._tables[request] = table
                self.tell("table")
        finally:
            self.progress = None
        return self._tables[request]


# ---------------------------------------------------------------- outputs by number


def number_of(corpus: AgreementJob, system: int, segment: int) -> int:
    """Return the one number that identifies an output in points and rows; the inverse of `output_of`."""
    return system * corpus.size + segment


def output_of(corpus: AgreementJob, number: int) -> tuple[int, int]:
    """Return the system and the segment of an output's number."""
    system, segment = divmod(number, corpus.size)
    return system, segment


def judged_outputs(table: AgreementTable) -> Sequence[tuple[int, int]]:
    """Return the outputs that people judged, as pairs of system and segment."""
    return [(int(system), int(segment)) for system, segment in np.argwhere(~np.isnan(table.people))]


# ---------------------------------------------------------------- registry of corpora by name


_by_name: WeakValueDictionary[str, AgreementJob] = WeakValueDictionary()


def add(corpus: AgreementJob) -> AgreementJob:
    """Register the corpus under its name, and return it."""
    _by_name[corpus.name] = corpus
    return corpus


def find_by_name(name: object) -> AgreementJob | None:
    """Return the corpus called `name`, None if the server no longer has it."""
    return _by_name.get(name) if isinstance(name, str) else None
