"""An experiment of a paper that can be repeated on a reader's own data: what it takes, and what comes of it.

What comes of it is the same for all of them, tables and charts, so that one page shows any; the paper's own numbers are
tables of the same kind, whose rows and columns have the same names where both have them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ....text import TextSettings
from ....text.formats import Material
from ....text.judgements import JudgementRecord
from ....text.similarity import Similarity
from ...resampling import SEED
from ...table import Array
from ...tasks import Workers
from ..columns import AgreementColumn

# ---------------------------------------------------------------- what is given


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader may choose.

    `metrics` are keys of the catalogue that take part beside those of the paper, where an experiment can take any.
    `scales` are names of people's scales; none says all. `draws` is how many pseudo-documents or resamples there are,
    None as many as the paper has. `similarity` is of words, for SIA, such as one trained on a bitext; `corpus` are
    sentences in the language of the references, for models of it; `lists` are for each segment other translations of
    it, such as the n best of a system. `jobs` processes score, or `workers` where they are named; a segment that takes
    more than `most` steps (`types.work`) is too hard.
    """

    metrics: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    draws: int | None = None
    seed: int = SEED
    similarity: Similarity | None = None
    corpus: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    jobs: int = 1
    workers: Workers | None = None
    most: float = math.inf


#: Words as they stand between spaces.
AS_TYPED = TextSettings()


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentData:
    """What experiments are repeated on: texts as they were typed, and what people said of them.

    `candidates` are systems × segments, in the order of `systems`; `references` are segments × references, at least one
    each, or empty where there are none at all; `source` is empty where there is none. `judged` has the same systems in
    the same order. `others` are scores of other programs, of the same systems and segments. `text` says how a text
    becomes words, where the experiment does not.

    >>> ExperimentData(("A",), (("a b",),), (("a c", "b"),)).references_each
    2
    """

    systems: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...] = ()
    source: tuple[str, ...] = ()
    judged: JudgementRecord | None = None
    text: TextSettings = AS_TYPED
    options: Options = Options()
    others: tuple[AgreementColumn, ...] = ()

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.candidates[0]) if self.candidates else 0

    @property
    def references_each(self) -> int:
        """How many references every segment has at least."""
        return min(map(len, self.references), default=0)

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales that are looked at: those chosen that there are, or all."""
        available = tuple([scale.name for scale in self.judged.scales]) if self.judged else ()
        return tuple([name for name in available if name in self.options.scales]) or available

    def external(self, used_names: Iterable[str]) -> dict[str, Array]:
        """The scores of other programs, systems × segments, higher being better and NaN where there are none, by names
        that are none of `used_names`."""
        names, out = {*used_names}, dict[str, Array]()
        for column in self.others:
            name = column.label
            while name in names:
                name += ", as given"
            names.add(name)
            out[name] = column.scores
        return out


def data_from_material(
    material: Material,
    judged: JudgementRecord | None = None,
    text: TextSettings = AS_TYPED,
    options: Options = Options(),
    others: Sequence[AgreementColumn] = (),
) -> ExperimentData:
    """What files hold, and scores of other programs, for experiments. An empty line of references says that the segment
    has no such reference."""
    size = len(material)
    references: tuple[tuple[str, ...], ...] = ()
    if material.references:
        references = tuple([tuple([line for _, line in material.references_of(n)]) for n in range(size)])
    return ExperimentData(
        tuple(material.systems),
        tuple([texts.lines for texts in material.systems.values()]),
        references,
        material.source.lines if material.source else (),
        judged,
        text,
        options,
        tuple(others),
    )


# ---------------------------------------------------------------- what comes of it


class ExperimentValue(NamedTuple):
    """A number and its 95 % interval, where there is one. Where the number is undefined it is None and `why` says in a
    sentence why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""


class ExperimentPlace(NamedTuple):
    """A segment of a system, both from 0, which a row or a point opens, and by which metric, with which settings of it
    (name and value) where they are not the defaults; "" where the numbers are of none of the catalogue."""

    system: int
    segment: int
    metric: str
    settings: tuple[tuple[str, object], ...] = ()


class ExperimentRow(NamedTuple):
    """A line of a table: its values in the order of the columns, None where the table has none, and what it opens. A
    baseline beside the metrics is chance, or one judge by another."""

    name: str
    values: tuple[ExperimentValue | None, ...]
    opens: tuple[ExperimentPlace, ...] = ()
    is_baseline: bool = False


@dataclass(frozen=True, slots=True)
class ExperimentTable:
    """Named numbers. `key` tells tables of an experiment apart. `paper` are the keys of the paper's tables that stand
    beside one of ours, by default the one of its own key. `source` says where a paper's stands; `lower_is_better` says
    how to read the numbers, None where neither is better; `probabilities` says that they are p of a test."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ExperimentRow, ...]
    source: str = ""
    lower_is_better: bool | None = False
    paper: tuple[str, ...] = ()
    probabilities: bool = False

    def value(self, row: str, column: str) -> ExperimentValue | None:
        """What stands in a row and a column, None where nothing does.

        >>> row = ExperimentRow("bleu", (ExperimentValue(0.5),))
        >>> ExperimentTable("t", "Example", ("A",), (row,)).value("bleu", "A")
        ExperimentValue(value=0.5, low=None, high=None, why='')
        """
        if column not in self.columns:
            return None
        matching_row = next((each for each in self.rows if each.name == row), None)
        return matching_row.values[self.columns.index(column)] if matching_row else None


class Point(NamedTuple):
    """A point of a curve, with its 95 % interval where there is one, and what it opens."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    opens: tuple[ExperimentPlace, ...] = ()


class ExperimentCurve(NamedTuple):
    """Points in the order of their x. A baseline beside the metrics is chance, or one judge by another. `pair` names
    the curve of the same metric, such as with one reference where this one has several."""

    name: str
    points: tuple[Point, ...]
    is_baseline: bool = False
    pair: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over the same axes, `x` on a log scale where `log`; without `lines` their points stand alone. `says` is a
    sentence to stand below it."""

    key: str
    title: str
    x: str
    y: str
    curves: tuple[ExperimentCurve, ...]
    log: bool = False
    lines: bool = True
    says: str = ""


class ExperimentCell(NamedTuple):
    """A word of the candidate and one of the reference, from 0, and what the two add to a similarity."""

    i: int
    j: int
    weight: float


@dataclass(frozen=True, slots=True)
class ExperimentGrid:
    """A similarity of two texts as cells whose weights add up to it; a weight may be negative."""

    title: str
    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    cells: tuple[ExperimentCell, ...]
    total: float
    opens: ExperimentPlace | None = None


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """What comes of an experiment. `notes` are sentences: what was left out, and what does not hold up."""

    tables: tuple[ExperimentTable, ...] = ()
    charts: tuple[Chart, ...] = ()
    grids: tuple[ExperimentGrid, ...] = ()
    notes: tuple[str, ...] = ()


# ---------------------------------------------------------------- the experiment


class ExperimentProgress(NamedTuple):
    """How much of an experiment is done, from 0 to 1, and what is being done."""

    share_done: float
    what: str


#: Is told how far it is; what it raises (`tasks.Stopped`) ends the experiment.
Tell = Callable[[ExperimentProgress], None]


def quiet(progress: ExperimentProgress) -> None:
    """Tells nobody."""


class Needs(NamedTuple):
    """What the data must have, in a sentence, and the same as a function: what is `missing`, in a sentence, or ""."""

    says: str
    missing: Callable[[ExperimentData], str]


class Fact(NamedTuple):
    """What a paper says beside its tables, in our words, and where."""

    says: str
    source: str


class PaperResults(NamedTuple):
    """The paper's own numbers."""

    tables: tuple[ExperimentTable, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment of a paper. `differs` are sentences on what is otherwise here than in the paper. `run` is called
    where nothing is missing, else it raises ValueError with what is. `takes` are the options beside scales, draws and
    seed that change what comes of it."""

    key: str
    title: str
    paper: str
    about: str
    needs: Needs
    printed: PaperResults
    differs: tuple[str, ...]
    run: Callable[[ExperimentData, Tell], ExperimentOutcome]
    takes: tuple[Literal["metrics", "similarity", "corpus", "lists"], ...] = ()


def need(
    systems: int = 0, segments: int = 0, references: int = 0, judged: bool = False, judges: int = 0
) -> Callable[[ExperimentData], str]:
    """A function that says what of these is missing, so many of each at least.

    >>> need(systems=2, references=1)(ExperimentData(("A",), (("a",),)))
    'There must be at least 2 systems, here is 1.'
    """

    def missing(data: ExperimentData) -> str:
        for name, least, available in (
            ("system", systems, len(data.systems)),
            ("segment", segments, data.size),
            ("reference of each segment", references, data.references_each),
            ("judge", judges, len(data.judged.judges) if data.judged else 0),
        ):
            if available < least:
                must = f"There must be at least {least} {_plural(name) if least > 1 else name}"
                return f"{must}, here {'is' if available == 1 else 'are'} {available or 'none'}."
        if judged and not data.scales:
            return "There must be judgements of people, here are none."
        return ""

    return missing


def _plural(name: str) -> str:
    first, *rest = name.split(" ", 1)
    return " ".join([f"{first}s", *rest])


def values(numbers: Sequence[float | None]) -> tuple[ExperimentValue | None, ...]:
    """Numbers without intervals, as a row of a table has them."""
    return tuple([None if number is None else ExperimentValue(number) for number in numbers])
