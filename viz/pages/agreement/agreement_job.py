"""Judged corpora of visitors: their scores, and what is found of how metrics agree with people, in the server's memory
and nowhere else.

Each has a name that nobody can guess, which the tab keeps for a reload. What takes its time is found in the background:
scores first, then the table stage by stage, then what a view asks for.
"""

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
    of_scores,
    of_table,
    spans_of,
    stages,
    ways_of,
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
from ...frame.background import Finder, Look, SupersededError
from ...frame.checks import Check, is_abandoned
from ...frame.corpora import CorpusJob

CORES = os.cpu_count() or 1

T = TypeVar("T")


class AgreementInput(NamedTuple):
    """What a visitor gave: the files of texts and of judgements, the roles that columns were said to have, which way
    scales and other programs' scores go, and from which system a reference was made."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    roles: Mapping[str, str] = {}
    higher: Mapping[str, bool] = {}
    origins: Mapping[str, str] = {}


def others_scores(material: Material, judged: JudgementRecord) -> Mapping[str, Mapping[str, Scores]]:
    """The scores of other programs, which are none of people's scales."""
    scales = {scale.name for scale in judged.scales}
    return {name: each for name, each in material.scores.items() if name not in scales}


class TableRequest(NamedTuple):
    """What a table is of."""

    scale: str
    group: Group
    tau: Tau


class ViewProgress(NamedTuple):
    """How much of what a view asks for is done, and what that is."""

    fraction: float
    says: str


class AgreementJob:
    """A judged corpus, and what is known of it so far. `scoring` scores it, None where there is no reference; `others`
    are the scores of other programs, and `ways` which way each goes. `given` is what it was made from, `says` what is
    said of it."""

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
            unlooked: Check[Any] = Check(lambda: None)  # lines were looked at before they were judged
            self.scoring = CorpusJob(material, text, settings, first, check=unlooked)
        self.systems = tuple(material.systems)
        scores = others_scores(material, judged)
        used_names = [name for key in settings for name in (key, METRICS[key].label)]
        self.others = of_scores(scores, judged.systems, judged.size, given.higher, used_names)
        self.ways = ways_of(scores, given.higher)
        self.last_heard = time.monotonic()
        self.stopped = False
        self.progress: AgreementProgress | None = None
        self.view_progress = ViewProgress(0.0, "Looking.")
        self._tables: dict[TableRequest, AgreementTable] = {}
        self._finders = {name: Finder(name) for name in ("table", "view", "experiment")}
        self._remembered: dict[Hashable, Any] = {}

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.material)

    def line(self, system: int, segment: int) -> str:
        """An output as it was given."""
        return self.material.systems[self.systems[system]].lines[segment]

    def source(self, segment: int) -> str:
        """The source of a segment, "" where none is known."""
        return outputs.source(self.material, segment)

    def document(self, segment: int) -> str:
        """The document of a segment, "" where none is known."""
        return outputs.document(self.material, segment)

    @cached_property
    def references(self) -> Sequence[tuple[Tokens, ...]]:
        """The words of the references of each segment."""
        return self.scoring.texts.references if self.scoring else ()

    def segment(self, system: int, segment: int) -> Segment:
        """An output's words beside those of its references."""
        texts = self.scoring.texts if self.scoring else None
        return Segment(texts.systems[system][segment], texts.references[segment]) if texts else Segment((), ((),))

    @cached_property
    def spans(self) -> Mapping[tuple[int, int], tuple[ErrorSpan, ...]]:
        """The marked errors of each output that has some."""
        return spans_of(self.judged)

    # ------------------------------------------------------------ the job

    def start(self) -> None:
        if self.scoring:
            self.scoring.start()

    def stop(self) -> None:
        """Look for nothing more; what is there stays."""
        self.stopped = True
        if self.scoring:
            self.scoring.stop()
        for finder in self._finders.values():
            finder.stop()

    def go_on(self) -> None:
        """Look for what is not there, after it was stopped."""
        self.stopped = False

    def hear(self) -> None:
        """The page is there."""
        self.last_heard = time.monotonic()
        if self.scoring:
            self.scoring.hear()

    @property
    def tables(self) -> Mapping[str, StatisticsTable]:
        """What is scored, by the metric's key."""
        return self.scoring.tables if self.scoring else {}

    @property
    def scored(self) -> bool:
        """Whether scoring has ended."""
        return self.scoring is None or self.scoring.ended

    @property
    def busy(self) -> bool:
        """Whether something is scored or looked for."""
        return not self.scored or any(finder.busy for finder in self._finders.values())

    @property
    def revision(self) -> int:
        """A number that grows when there is more to show."""
        return len(self.tables) + self.scored + sum(finder.revision for finder in self._finders.values())

    def remembered(self, cache_key: Hashable, make: Callable[[], T]) -> T:
        """What is made once of what does not change."""
        if cache_key not in self._remembered:
            self._remembered[cache_key] = make()
        value: T = self._remembered[cache_key]
        return value

    def find(self, request: Hashable, make: Callable[[Look], T], what: str = "view") -> T | str | None:
        """What is found in the background, None while it is looked for; a sentence, where it could not be found. `make`
        is given what raises where it is wanted no longer. `what` is "view", or "experiment" for what may take minutes:
        each has a thread of its own, in which what was asked last comes first."""
        finder = self._finders[what]
        if self.stopped:
            earlier_result: T | str | None = finder.results.get(request)
            return earlier_result
        result: T | str | None = finder.look(request, lambda look: make(self._watched(look)))
        return result

    def find_now(self, request: Hashable, make: Callable[[Look], T]) -> T | str:
        """What a view finds in the background, at once where it is not known yet."""
        result: T | str = self._finders["view"].find_now(request, make)
        return result

    def known_result(self, request: Hashable) -> Any:
        """What a view found in the background so far, None where there is nothing yet."""
        return self._finders["view"].results.get(request)

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Look no longer for some of what a view wanted."""
        self._finders["view"].drop(unwanted)

    def came(self, what: str) -> list[tuple[Hashable, Any]]:
        """What was asked of a kind, with what was found, in the order in which it was."""
        return [(request, each) for request, each in self._finders[what].results.items() if not isinstance(each, str)]

    def tell(self, what: str = "view") -> None:
        """Have the page show more, from what is being found."""
        self._finders[what].tell()

    def _watched(self, look: Look) -> Look:
        """Raises also where the page was not heard of for long."""

        def watched() -> None:
            look()
            if self.stopped or is_abandoned(self.last_heard):
                raise SupersededError

        return watched

    # ------------------------------------------------------------ the table

    @cached_property
    def scales(self) -> tuple[str, ...]:
        """The scales of judgements."""
        return tuple([scale.name for scale in self.judged.scales])

    def table_request(self, scale: str, group: Group, tau: Tau) -> TableRequest:
        """What a table is of; a scale that is not there is the first."""
        return TableRequest(scale if scale in self.scales else self.scales[0], group, tau)

    def columns(self) -> list[AgreementColumn]:
        """What is held against people so far: the metrics in the order of the catalogue, and other programs' scores."""
        tables = [self.tables[key] for key in self.settings if key in self.tables]
        ours = [self.remembered(("column", table.metric.key), partial(of_table, table)) for table in tables]
        return [*ours, *self.others]

    def table(self, request: TableRequest) -> AgreementTable:
        """The table as far as it is known; what is missing is looked for, once all metrics are scored."""
        if self.scored and (request not in self._tables or self._tables[request].stage != "intervals"):
            self._wants(request)
        if request in self._tables:
            return self._tables[request]
        columns = self.columns()
        key = "first", request, len(columns)
        return self.remembered(key, lambda: next(stages(columns, self.judged, *request)))

    def problems(self) -> list[str]:
        """Why tables are not whole, where finding one ended in an error."""
        return [each for each in self._finders["table"].results.values() if isinstance(each, str)]

    def _wants(self, request: TableRequest) -> None:
        if not self.stopped:
            self._finders["table"].look(request, lambda look: self._find_table(request, self._watched(look)))

    def _find_table(self, request: TableRequest, look: Look) -> AgreementTable:
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
    """An output as one number, as points and rows have it."""
    return system * corpus.size + segment


def output_of(corpus: AgreementJob, number: int) -> tuple[int, int]:
    """The system and the segment of an output's number."""
    system, segment = divmod(number, corpus.size)
    return system, segment


def judged_outputs(table: AgreementTable) -> Sequence[tuple[int, int]]:
    """The outputs that people judged, by system and segment."""
    return [(int(system), int(segment)) for system, segment in np.argwhere(~np.isnan(table.people))]


# ---------------------------------------------------------------- who has them


_by_name: WeakValueDictionary[str, AgreementJob] = WeakValueDictionary()


def add(corpus: AgreementJob) -> AgreementJob:
    """Have a corpus found by its name."""
    _by_name[corpus.name] = corpus
    return corpus


def find_by_name(name: object) -> AgreementJob | None:
    """The corpus of a name, None where the server has it no longer."""
    return _by_name.get(name) if isinstance(name, str) else None
