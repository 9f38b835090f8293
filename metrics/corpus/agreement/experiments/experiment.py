"""Defines the experiments of papers that can be repeated on a reader's own data: their input and their outcome.

All experiments have outcomes of the same form, tables and charts, so one page can show them all. The paper's own
numbers are tables of the same form, whose rows and columns use the same names as ours where both have them."""

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

# ---------------------------------------------------------------- input


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """The choices of a reader who runs an experiment.

    Attributes:
        metrics: keys of metrics to add to those of the paper, where an experiment allows that.
        scales: names of the rating scales to use; empty for all.
        draws: number of pseudo-documents or resamples; None for the number in the paper.
        seed: seed of all random draws.
        similarity: similarity of words for SIA, such as one trained on a bitext.
        corpus: sentences in the language of the references, to train models of it.
        lists: for each segment other translations of it, such as the n-best list of a system.
        jobs: number of processes that score.
        workers: the processes that score, in place of `jobs`.
        most: number of computation steps above which a segment is skipped as too hard."""

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


#: The default text settings, which split at spaces.
AS_TYPED = TextSettings()


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentData:
    """The texts as typed and the human judgements on which experiments are repeated.

    Attributes:
        systems: names of the systems.
        candidates: outputs, systems × segments.
        references: references of each segment, at least one each; empty if there are none at all.
        source: source of each segment; empty if there is none.
        judged: human judgements of the same systems in the same order.
        text: how texts are split into words, where the experiment does not decide that.
        options: the choices of the reader.
        others: scores of other programs for the same systems and segments.

    >>> ExperimentData(("A",), (("a b",),), (("a c", "b"),)).least_references
    2
    """

    systems: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...] = ()
    source: tuple[str, ...] = ()
    judged: JudgementRecord | None = None
    text: TextSettings = AS_TYPED
    options: ExperimentOptions = ExperimentOptions()
    others: tuple[AgreementColumn, ...] = ()

    @property
    def size(self) -> int:
        """Return the number of segments of the data."""
        return len(self.candidates[0]) if self.candidates else 0

    @property
    def least_references(self) -> int:
        """Return the number of references that every segment has, that is the smallest number of any segment."""
        return min(map(len, self.references), default=0)

    @property
    def scales(self) -> tuple[str, ...]:
        """Return the names of the rating scales to use: the chosen ones that exist, or all if none is chosen."""
        available = tuple([scale.name for scale in self.judged.scales]) if self.judged else ()
        return tuple([name for name in available if name in self.options.scales]) or available

    def external_scores(self, used_names: Iterable[str]) -> dict[str, Array]:
        """Return the scores of other programs by name, each systems × segments.

        Higher is better; NaN where there is no score. A name that is in `used_names` gets ", as given" appended."""
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
    options: ExperimentOptions = ExperimentOptions(),
    others: Sequence[AgreementColumn] = (),
) -> ExperimentData:
    """Return the data for experiments from a corpus that was read from files, with its judgements and options.

    `others` are the scores of other programs. An empty reference line means that the segment lacks this reference."""
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


# ---------------------------------------------------------------- outcome


class ExperimentValue(NamedTuple):
    """A number in a result, with the ends of its 95 % interval if there is one.

    If the number is undefined, it is None, and `why` gives the reason as a sentence."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""


class OpenedOutput(NamedTuple):
    """An output that a page opens when the reader clicks a row or a point, and the metric that shows it.

    Attributes:
        system: index of the system.
        segment: index of the segment.
        metric: key of the metric; "" if the numbers come from no metric of the catalogue.
        settings: names and values of the settings that differ from the defaults."""

    system: int
    segment: int
    metric: str
    settings: tuple[tuple[str, object], ...] = ()


class ExperimentRow(NamedTuple):
    """A row of a table of an experiment.

    Attributes:
        name: label of the row.
        values: values in the order of the columns, None where there is none.
        opens: outputs that a page opens when the reader clicks the row.
        is_baseline: whether the row is no metric but chance, or one judge against another."""

    name: str
    values: tuple[ExperimentValue | None, ...]
    opens: tuple[OpenedOutput, ...] = ()
    is_baseline: bool = False


@dataclass(frozen=True, slots=True)
class ExperimentTable:
    """A table of numbers with named rows and columns, of an experiment or of its paper.

    Attributes:
        key: unique key of the table within its experiment.
        source: where the paper has this table; "" for one of ours.
        lower_is_better: whether lower numbers are better; None if neither direction is.
        paper: keys of the paper's tables to show next to this one; by default the table with the same key.
        probabilities: whether the numbers are p-values of a test."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ExperimentRow, ...]
    source: str = ""
    lower_is_better: bool | None = False
    paper: tuple[str, ...] = ()
    probabilities: bool = False

    def value(self, row: str, column: str) -> ExperimentValue | None:
        """Return the value in a row and a column, None if there is none.

        >>> row = ExperimentRow("bleu", (ExperimentValue(0.5),))
        >>> ExperimentTable("t", "Example", ("A",), (row,)).value("bleu", "A")
        ExperimentValue(value=0.5, low=None, high=None, why='')
        """
        if column not in self.columns:
            return None
        matching_row = next((each for each in self.rows if each.name == row), None)
        return matching_row.values[self.columns.index(column)] if matching_row else None


class CurvePoint(NamedTuple):
    """A point of a curve, with its 95 % interval if there is one, and the outputs that a click on it opens."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    opens: tuple[OpenedOutput, ...] = ()


class ExperimentCurve(NamedTuple):
    """A curve through points that are sorted by x.

    Attributes:
        name: label of the curve.
        points: the points.
        is_baseline: whether the curve is no metric but chance, or one judge against another.
        pair: name of the curve to compare with, such as that of the same metric with a single reference."""

    name: str
    points: tuple[CurvePoint, ...]
    is_baseline: bool = False
    pair: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of curves over the same axes.

    Attributes:
        key: unique key of the chart within its experiment.
        x: label of the x axis.
        y: label of the y axis.
        log: whether x has a logarithmic scale.
        lines: whether the points of a curve are connected.
        says: sentence to show below the chart."""

    key: str
    title: str
    x: str
    y: str
    curves: tuple[ExperimentCurve, ...]
    log: bool = False
    lines: bool = True
    says: str = ""


class ExperimentCell(NamedTuple):
    """A cell of a word grid: the positions of two words, and what the pair adds to a similarity of texts."""

    i: int
    j: int
    weight: float


@dataclass(frozen=True, slots=True)
class ExperimentGrid:
    """A similarity of a candidate and a reference as a word grid.

    The weights of the cells sum to the similarity, `total`; a weight may be negative. `opens` is the output shown."""

    title: str
    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    cells: tuple[ExperimentCell, ...]
    total: float
    opens: OpenedOutput | None = None


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """The results of an experiment: its tables, charts and word grids.

    `notes` are sentences on what was left out and which results are not reliable."""

    tables: tuple[ExperimentTable, ...] = ()
    charts: tuple[Chart, ...] = ()
    grids: tuple[ExperimentGrid, ...] = ()
    notes: tuple[str, ...] = ()


# ---------------------------------------------------------------- the experiment


class ExperimentProgress(NamedTuple):
    """The share of an experiment that is done, from 0 to 1, and a phrase on what is being computed."""

    share_done: float
    what: str


#: A callback for progress; an exception that it raises (`tasks.Stopped`) ends the experiment.
ProgressCallback = Callable[[ExperimentProgress], None]


def ignore_progress(progress: ExperimentProgress) -> None:
    """Ignore progress reports; the default callback."""


class DataRequirements(NamedTuple):
    """The requirements of an experiment on its data, as a sentence and as a check.

    `says` is the sentence. `missing` returns a sentence on what given data lack, or "" if they suffice."""

    says: str
    missing: Callable[[ExperimentData], str]


class PaperStatement(NamedTuple):
    """A statement that a paper makes outside of its tables, in our words, with the place where it stands."""

    says: str
    source: str


class PaperResults(NamedTuple):
    """The numbers and statements that a paper prints, to be shown next to our own results."""

    tables: tuple[ExperimentTable, ...] = ()
    facts: tuple[PaperStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment of a paper that readers can repeat on their own data.

    Attributes:
        key: unique key.
        about: what it measures, as a sentence.
        needs: requirements on the data.
        printed: the paper's own results.
        differs: sentences on what is different here from the paper.
        run: computes the outcome; raises ValueError if the data lack something.
        takes: names of the fields of `ExperimentOptions` that change the outcome, apart from scales, draws and seed."""

    key: str
    title: str
    paper: str
    about: str
    needs: DataRequirements
    printed: PaperResults
    differs: tuple[str, ...]
    run: Callable[[ExperimentData, ProgressCallback], ExperimentOutcome]
    takes: tuple[Literal["metrics", "similarity", "corpus", "lists"], ...] = ()


def require(
    systems: int = 0, segments: int = 0, references: int = 0, judged: bool = False, judges: int = 0
) -> Callable[[ExperimentData], str]:
    """Return a check of the minimum numbers of systems, segments, references per segment, and judges.

    `judged` requires any human judgements. The check returns a sentence on what the data lack, or "".

    >>> require(systems=2, references=1)(ExperimentData(("A",), (("a",),)))
    'There must be at least 2 systems, but there is 1.'
    """

    def missing(data: ExperimentData) -> str:
        for name, least, available in (
            ("system", systems, len(data.systems)),
            ("segment", segments, data.size),
            ("reference of each segment", references, data.least_references),
            ("judge", judges, len(data.judged.judges) if data.judged else 0),
        ):
            if available < least:
                must = f"There must be at least {least} {_plural(name) if least > 1 else name}"
                return f"{must}, but there {'is' if available == 1 else 'are'} {available or 'none'}."
        if judged and not data.scales:
            return "There must be judgements of people, but there are none."
        return ""

    return missing


def _plural(name: str) -> str:
    """Return the name with an s after its first word, such as “references of each segment”."""
    first, *rest = name.split(" ", 1)
    return " ".join([f"{first}s", *rest])
