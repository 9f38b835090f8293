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
from metrics.corpus.agreement import Agreement, Column, Group, Tau, of_scores, of_table, spans_of, stages, ways_of
from metrics.corpus.agreement.agree import Progress
from metrics.corpus.processes import run_each_in_process
from metrics.corpus.table import Table
from metrics.text import TextSettings
from metrics.text.formats import File, Material
from metrics.text.formats.material import Scores
from metrics.text.judgements import Judged, Span
from metrics.types import Segment, Settings, Tokens

from ...frame import outputs
from ...frame.checks import Check, is_left
from ...frame.corpora import Scoring
from ...frame.finding import Finder, Look, SupersededError

CORES = os.cpu_count() or 1

T = TypeVar("T")


class Given(NamedTuple):
    """What a visitor gave: the files of texts and of judgements, the roles that columns were said to have, which way
    scales and other programs' scores go, and from which system a reference was made."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    roles: Mapping[str, str] = {}
    higher: Mapping[str, bool] = {}
    made_from: Mapping[str, str] = {}


def others_scores(material: Material, judged: Judged) -> Mapping[str, Mapping[str, Scores]]:
    """The scores of other programs, which are none of people's scales."""
    scales = {scale.name for scale in judged.scales}
    return {name: each for name, each in material.scores.items() if name not in scales}


class Asked(NamedTuple):
    """What a table is of."""

    scale: str
    group: Group
    tau: Tau


class Doing(NamedTuple):
    """How much of what a view asks for is done, and what that is."""

    done: float
    says: str


class Agreeing:
    """A judged corpus, and what is known of it so far. `scoring` scores it, None where there is no reference; `others`
    are the scores of other programs, and `ways` which way each goes. `given` is what it was made from, `says` what is
    said of it."""

    def __init__(
        self,
        material: Material,
        judged: Judged,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        given: Given = Given((), ()),
        says: str = "",
    ) -> None:
        self.name = secrets.token_urlsafe(18)
        self.material, self.judged, self.given, self.says = material, judged, given, says
        self.text, self.settings, self.first = text, settings, first
        self.scoring = None
        if material.references:
            unlooked: Check[Any] = Check(lambda: None)  # lines were looked at before they were judged
            self.scoring = Scoring(material, text, settings, first, check=unlooked)
        self.systems = tuple(material.systems)
        scores = others_scores(material, judged)
        taken = [name for key in settings for name in (key, METRICS[key].label)]
        self.others = of_scores(scores, judged.systems, judged.size, given.higher, taken)
        self.ways = ways_of(scores, given.higher)
        self.heard = time.monotonic()
        self.stopped = False
        self.progress: Progress | None = None
        self.doing = Doing(0.0, "Looking.")
        self._tables: dict[Asked, Agreement] = {}
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
    def spans(self) -> Mapping[tuple[int, int], tuple[Span, ...]]:
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
        self.heard = time.monotonic()
        if self.scoring:
            self.scoring.hear()

    @property
    def tables(self) -> Mapping[str, Table]:
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
    def known(self) -> int:
        """A number that grows when there is more to show."""
        return len(self.tables) + self.scored + sum(finder.news for finder in self._finders.values())

    def remembered(self, asked: Hashable, make: Callable[[], T]) -> T:
        """What is made once of what does not change."""
        if asked not in self._remembered:
            self._remembered[asked] = make()
        made: T = self._remembered[asked]
        return made

    def find(self, asked: Hashable, make: Callable[[Look], T], what: str = "view") -> T | str | None:
        """What is found in the background, None while it is looked for; a sentence, where it could not be found. `make`
        is given what raises where it is wanted no longer. `what` is "view", or "experiment" for what may take minutes:
        each has a thread of its own, in which what was asked last comes first."""
        finder = self._finders[what]
        if self.stopped:
            known: T | str | None = finder.found.get(asked)
            return known
        found: T | str | None = finder.look(asked, lambda look: make(self._watched(look)))
        return found

    def now(self, asked: Hashable, make: Callable[[Look], T]) -> T | str:
        """What a view finds in the background, at once where it is not known yet."""
        found: T | str = self._finders["view"].now(asked, make)
        return found

    def known_of(self, asked: Hashable) -> Any:
        """What a view found in the background so far, None where there is nothing yet."""
        return self._finders["view"].found.get(asked)

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Look no longer for some of what a view wanted."""
        self._finders["view"].drop(unwanted)

    def came(self, what: str) -> list[tuple[Hashable, Any]]:
        """What was asked of a kind, with what was found, in the order in which it was."""
        return [(asked, each) for asked, each in self._finders[what].found.items() if not isinstance(each, str)]

    def tell(self, what: str = "view") -> None:
        """Have the page show more, from what is being found."""
        self._finders[what].tell()

    def _watched(self, look: Look) -> Look:
        """Raises also where the page was not heard of for long."""

        def watched() -> None:
            look()
            if self.stopped or is_left(self.heard):
                raise SupersededError

        return watched

    # ------------------------------------------------------------ the table

    @cached_property
    def scales(self) -> tuple[str, ...]:
        """The scales of judgements."""
        return tuple([scale.name for scale in self.judged.scales])

    def asked(self, scale: str, group: Group, tau: Tau) -> Asked:
        """What a table is of; a scale that is not there is the first."""
        return Asked(scale if scale in self.scales else self.scales[0], group, tau)

    def columns(self) -> list[Column]:
        """What is held against people so far: the metrics in the order of the catalogue, and other programs' scores."""
        tables = [self.tables[key] for key in self.settings if key in self.tables]
        ours = [self.remembered(("column", table.metric.key), partial(of_table, table)) for table in tables]
        return [*ours, *self.others]

    def table(self, asked: Asked) -> Agreement:
        """The table as far as it is known; what is missing is looked for, once all metrics are scored."""
        if self.scored and (asked not in self._tables or self._tables[asked].stage != "intervals"):
            self._wants(asked)
        if asked in self._tables:
            return self._tables[asked]
        columns = self.columns()
        key = "first", asked, len(columns)
        return self.remembered(key, lambda: next(stages(columns, self.judged, *asked)))

    def problems(self) -> list[str]:
        """Why tables are not whole, where finding one ended in an error."""
        return [each for each in self._finders["table"].found.values() if isinstance(each, str)]

    def _wants(self, asked: Asked) -> None:
        if not self.stopped:
            self._finders["table"].look(asked, lambda look: self._find_table(asked, self._watched(look)))

    def _find_table(self, asked: Asked, look: Look) -> Agreement:
        def told(progress: Progress) -> None:
            self.progress = progress
            look()

        def each(do: Callable[[Any], Any], given: Iterable[Any]) -> Iterator[Any]:
            return run_each_in_process(CORES, do, [(one,) for one in given])

        look()
        try:
            for table in stages(self.columns(), self.judged, *asked, tell=told, each=each):
                self._tables[asked] = table
                self.tell("table")
        finally:
            self.progress = None
        return self._tables[asked]


# ---------------------------------------------------------------- outputs by number


def number_of(found: Agreeing, system: int, segment: int) -> int:
    """An output as one number, as points and rows have it."""
    return system * found.size + segment


def output_of(found: Agreeing, number: int) -> tuple[int, int]:
    """The system and the segment of an output's number."""
    system, segment = divmod(number, found.size)
    return system, segment


def judged_outputs(table: Agreement) -> Sequence[tuple[int, int]]:
    """The outputs that people judged, by system and segment."""
    return [(int(system), int(segment)) for system, segment in np.argwhere(~np.isnan(table.people))]


# ---------------------------------------------------------------- who has them


_known: WeakValueDictionary[str, Agreeing] = WeakValueDictionary()


def add(found: Agreeing) -> Agreeing:
    """Have a corpus found by its name."""
    _known[found.name] = found
    return found


def named(name: object) -> Agreeing | None:
    """The corpus of a name, None where the server has it no longer."""
    return _known.get(name) if isinstance(name, str) else None
