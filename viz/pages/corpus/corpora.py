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
from functools import cached_property
from threading import Lock, Thread
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

import metrics
from metrics.corpus import resampling
from metrics.corpus.checked import Checked, Offered, checked, put_right
from metrics.corpus.jobs import Corpus, Job, Progress
from metrics.corpus.ledger import CorpusLedger, by_roles, corpus_ledger
from metrics.corpus.missing import missing
from metrics.corpus.pairs import Pair, pairs
from metrics.corpus.patterns import Pattern, patterns
from metrics.corpus.processes import Processes, elsewhere
from metrics.corpus.standings import Standings, ranks, standings
from metrics.corpus.table import Array, Table
from metrics.corpus.texts import corpus
from metrics.text import TextSettings
from metrics.text.formats import File, Material
from metrics.types import Settings

from .checks import Check

#: Seconds for which a job goes on after its page was last heard of.
PATIENCE = 60.0
#: Orders, filters and searched words of a corpus that are kept: with 100,000 segments one has a megabyte or ten.
REMEMBERED_MOST = 24

T = TypeVar("T")

_known: WeakValueDictionary[str, Scoring] = WeakValueDictionary()


#: What is found behind a page: what it is, of which metric, of which systems.
Asked = tuple[str, str, int, int]


class Scoring:
    """A corpus and what is known of its scores so far, which grows while it is scored.

    `material` has the texts as they were given, `texts` their words, and `tables` what is scored by the metric's key;
    `settings` are those of all metrics, of which the `first` is scored first. Of texts as they `stand` some systems may
    be repaired: `made` says which, and what was done. `check` finds what looks wrong. `given` are the files, and the
    roles that their columns were said to have, to begin from again.
    """

    def __init__(
        self,
        stands: Material,
        text: TextSettings,
        settings: Mapping[str, Settings],
        first: str,
        made: Mapping[str, Offered] = {},
        check: Check[Checked] | None = None,
    ) -> None:
        self.name = secrets.token_urlsafe(18)
        self.stands, self.made = stands, made
        self.given: tuple[Sequence[File], Mapping[str, str]] = (), {}
        self.material = material = put_right(stands, made)
        self.text, self.settings, self.first = text, settings, first
        self.check = check or Check(checked, material, text, first, settings[first], made)
        self.names = tuple(material.systems)
        self.tables: dict[str, Table] = {}
        self.progress: Progress | None = None
        self.problem = ""
        self.ended = False
        self.heard = self.begun = time.monotonic()
        self._asked = [(first, settings[first]), *[(key, settings[key]) for key in settings if key != first]]
        self._found: dict[Asked, Any] = {}
        self._wanted: list[Asked] = []  # the last one is found first
        self._finder: Thread | None = None
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
    def texts(self) -> Corpus:
        """The words."""
        return corpus(self.material, self.text)

    def line(self, system: int, segment: int) -> str:
        """A segment of a system as it was given."""
        return self.material.systems[self.names[system]].lines[segment]

    def source(self, segment: int) -> str:
        """The source of a segment, "" where none is known."""
        return self.material.source.lines[segment] if self.material.source else ""

    def document(self, segment: int) -> str:
        """The document of a segment, "" where none is known."""
        return self.material.documents[segment] if self.material.documents else ""

    def remembered(self, asked: Hashable, make: Callable[[], T]) -> T:
        """What was made of the corpus for what is asked, of which the last few are kept."""
        with self._lock:
            if asked in self._remembered:
                self._remembered.move_to_end(asked)
                return self._remembered[asked]  # type: ignore[no-any-return]
        made = make()
        with self._lock:
            self._remembered[asked] = made
            while len(self._remembered) > REMEMBERED_MOST:
                self._remembered.popitem(last=False)
        return made

    # ------------------------------------------------------------ scoring

    def start(self) -> None:
        self._thread.start()
        self.check.start()

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
            self._job = Job(self._asked, self.texts, tell=self._tell, workers=Processes(os.cpu_count() or 1))
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

    def pairs(self, key: str, a: int) -> list[Pair] | None:
        """System `a` against each other one by a metric; None while it is not scored, and while it is looked for."""
        found = self._look("pairs", key, a, a)
        return found if isinstance(found, list) else None

    def ledger(self, key: str, a: int, b: int) -> CorpusLedger | str | None:
        """Why B's score is another than A's, a sentence where that is too hard to find. At first, None or what is known
        without looking at the texts; it is looked for elsewhere meanwhile."""
        found: CorpusLedger | str | None = self._look("ledger", key, a, b)
        table = self.tables.get(key)
        if found is None and table is not None and table.metric.pooling == "sum":
            found = self._found.setdefault(("roles", key, a, b), by_roles(table.of((a, b))))
        return found

    def known_ledger(self, key: str, a: int, b: int) -> CorpusLedger | None:
        """The ledger if it is known, with the texts or without; nothing is looked for."""
        found = self._found.get(("ledger", key, a, b)) or self._found.get(("roles", key, a, b))
        return found if isinstance(found, CorpusLedger) else None

    def patterns(self, a: int, b: int) -> list[Pattern] | None:
        """The n-grams that one of two systems has right more often; None while they are looked for."""
        found: list[Pattern] | None = self._look("patterns", next(iter(self.tables), ""), a, b)
        return found

    def standings(self, key: str) -> Standings | None:
        """All systems by a metric; None while it is not scored, and while they are looked for."""
        found: Standings | None = self._look("standings", key, 0, 0)
        return found

    def ranks(self, key: str) -> tuple[int, ...]:
        """The ranks of the systems by a metric that is scored."""
        found: tuple[int, ...] | None = self._found.get(("ranks", key, 0, 0))
        return found or self._found.setdefault(("ranks", key, 0, 0), ranks(self.tables[key]))

    @property
    def busy(self) -> bool:
        """Whether something is looked for."""
        return self.looks or not self.check.ended

    @property
    def looks(self) -> bool:
        """Whether causes or chance are looked for."""
        return bool(self._wanted)

    def known(self) -> int:
        """How much is known: it grows when there is more to show."""
        return len(self._found) + self.check.ended

    def _look(self, what: str, key: str, a: int, b: int) -> Any:
        """What is known of something; where it is not, it is found before all that was wanted earlier."""
        asked = (what, key, a, b)
        with self._lock:
            if asked in self._found or key not in self.tables:
                return self._found.get(asked)
            if asked in self._wanted:
                return None
            self._wanted.append(asked)
            if self._finder is None:
                self._finder = Thread(target=self._find, name="finder", daemon=True)
                self._finder.start()
        return None

    def _find(self) -> None:
        """Find what is wanted until nothing is."""
        while True:
            with self._lock:
                if not self._wanted:
                    self._finder = None
                    return
                asked = self._wanted[-1]
            try:
                found: Any = self._find_one(*asked)
            except Exception as error:  # too hard, or its process died: the page says it, and goes on
                found = str(error) or type(error).__name__
            with self._lock:
                self._found[asked] = found
                self._wanted.remove(asked)

    def _find_one(self, what: str, key: str, a: int, b: int) -> Any:
        table = self.tables[key]
        if what == "pairs":
            return pairs(self.names, [table], resampling.resampled([table]), a)
        if what == "standings":
            return elsewhere(os.cpu_count() or 1, standings, table)
        if what == "patterns":
            return elsewhere(
                os.cpu_count() or 1, patterns, self.texts.systems[a], self.texts.systems[b], self.texts.references
            )
        texts = [self.texts.segments(n) for n in (a, b)]
        return elsewhere(os.cpu_count() or 1, _ledger, key, self.settings[key], *texts, table.of((a, b)))


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
