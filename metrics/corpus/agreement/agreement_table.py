"""The whole table of how metrics agree with people, in stages: what is quick comes first.

Pearson at system level is there at once, then all coefficients, then their intervals. Each stage is a whole table, so
that a page shows what there is and a program waits for the last. People's judgement of an output is the mean of its
judges', turned so that higher is better; a system's is the mean of its judged segments', and a metric's score of a
system is that of the same segments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...text.judgements import JudgementRecord
from ..patterns import LEVEL
from ..resampling import Interval
from ..table import Array
from . import concordance, correlation, intervals, metric_comparison
from .columns import AgreementColumn, AgreementColumnKind, find_scale, orders, with_chance
from .correlation import Coefficient, CoefficientValue, Group, Tau, Undefined

Level: TypeAlias = Literal["segment", "system"]
Stage: TypeAlias = Literal["first", "coefficients", "intervals"]

#: The coefficients of each level, in the order in which they stand.
SEGMENT = ("pearson", "spearman", "kendall", "accuracy")
SYSTEM = ("pearson", "spearman", "kendall", "accuracy", "spa")
LEVELS: Mapping[Level, tuple[str, ...]] = {"segment": SEGMENT, "system": SYSTEM}
#: How they read.
LABELS: Mapping[str, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "accuracy": "accuracy of pairs",
    "spa": "soft pairwise accuracy",
}
#: Where a metric's ε ties so large a part of the pairs, its accuracy is people's part of ties.
TIES_ALL = 0.95


class AgreementCell(NamedTuple):
    """A coefficient and its 95 % interval, None where that is not computed (yet), or is of nothing."""

    coefficient: Coefficient
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AgreementRow:
    """What is held against people, and its coefficients by their names, at the level of segments and of systems. `ties`
    is which part of the pairs of systems within segments the best ε ties, None before it is known."""

    column: AgreementColumn
    segment: Mapping[str, AgreementCell]
    system: Mapping[str, AgreementCell]
    ties: float | None = None

    def cells_at(self, level: Level) -> Mapping[str, AgreementCell]:
        return self.segment if level == "segment" else self.system


class Note(Enum):
    """What a remark is about."""

    SOME = "not every output is judged"
    TIED = "the best epsilon ties nearly every pair"
    UNDEFINED = "a coefficient is undefined"
    WIDE = "intervals are wide"
    ALIKE = "metrics cannot be told apart"
    FIXED = "a fixed score of systems cannot be resampled"
    CHANCE = "no metric is above what chance reaches"
    WITHIN = "agreement over all outputs is mostly between segments"
    NEARLY = "intervals of Kendall are approximations"
    MEANS = "clusters of systems are of other scores than the column"
    UNSCORED = "no metric is scored"


class AgreementStanding(NamedTuple):
    """The rows of a level held against each other by PERM-BOTH of Pearson: their keys, best first, the cluster of each
    from 1, for each two the p of the first being the better one, and Pearson itself. Here a system's score is the mean
    of its segments', since scores can change places in segments only."""

    keys: tuple[str, ...]
    clusters: tuple[int, ...]
    p: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]


class Remark(NamedTuple):
    """A sentence about the table, and the keys of the rows that it is about."""

    kind: Note
    text: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTable:
    """The table at some stage. `people` is systems × segments, higher is better, NaN where nobody judged; `group` is
    over what coefficients of segments are taken, and `tau` which of Kendall's they are. `judged` is how many outputs
    have a judgement, in `segments` segments. `standings` say which rows can be told apart, at the last stage.
    """

    stage: Stage
    scale: str
    group: Group
    tau: Tau
    systems: tuple[str, ...]
    people: Array
    judged: int
    segments: int
    rows: tuple[AgreementRow, ...]
    remarks: tuple[Remark, ...] = ()
    standings: Mapping[Level, AgreementStanding] = field(default_factory=dict)

    @property
    def judged_systems(self) -> int:
        """How many systems have a judgement."""
        return int((~np.isnan(self.people)).any(axis=1).sum())

    def row(self, key: str) -> AgreementRow:
        """The row of a metric; KeyError where there is none."""
        for each in self.rows:
            if each.column.key == key:
                return each
        raise KeyError(key)

    def to_dict(self) -> dict[str, object]:
        """The coefficients as plain values: by level, key and name `value`, `low` and `high`, null where there is none,
        and `why` where a value is undefined."""
        return {
            "scale": self.scale,
            "group": self.group,
            "tau": self.tau,
            "judged": self.judged,
            "segments": self.segments,
            **{
                level: {
                    row.column.key: {name: _plain(cell) for name, cell in row.cells_at(level).items()}
                    for row in self.rows
                }
                for level in LEVELS
            },
            "clusters": {
                level: dict(zip(each.keys, each.clusters, strict=True)) for level, each in self.standings.items()
            },
            "perm_both": {
                level: {one: dict(zip(each.keys, p, strict=True)) for one, p in zip(each.keys, each.p, strict=True)}
                for level, each in self.standings.items()
            },
            "remarks": [
                {"kind": each.kind.name.lower(), "text": each.text, "rows": [*each.rows]} for each in self.remarks
            ],
        }


def _plain(cell: AgreementCell) -> dict[str, object]:
    low, high = cell.interval or (None, None)
    if isinstance(cell.coefficient, Undefined):
        return {"value": None, "low": None, "high": None, "why": cell.coefficient.text}
    epsilon = {} if cell.coefficient.epsilon is None else {"epsilon": cell.coefficient.epsilon}
    return {"value": cell.coefficient.value, "low": low, "high": high, **epsilon}


class AgreementProgress(NamedTuple):
    """How far the table is: of the steps of a stage, rows, so many are done."""

    stage: Stage
    done_rows: int
    of: int


#: What makes something of each of some things, in their order, as `map` does.
Each: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def nobody(progress: AgreementProgress) -> None:
    """Who is told nothing."""


def stages(
    columns: Sequence[AgreementColumn],
    judged: JudgementRecord,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[AgreementProgress], None] = nobody,
    number: int = intervals.MANY,
    each: Each = map,
) -> Iterator[AgreementTable]:
    """The table after each stage. The columns are of the judged systems and segments, in their order; beside them stand
    chance, and one judge where there are several. `scale` is the first where it is not named. `number` is how many
    resamples Pearson has; the others have no more than 1,000 of them. What `tell` raises ends it. `each` is `map`, or
    what gives the same from several processes. KeyError for a scale that is not there.

    >>> from metrics.corpus.agreement.columns import external
    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0], [2.0]], [[3.0], [5.0]], [[4.0], [9.0]]])
    >>> judged = JudgementRecord(("A", "B", "C"), 2, ("x",), (RatingScale("esa"),), {"esa": ratings})
    >>> made = external("ours", np.array([[0.1, 0.1], [0.3, 0.5], [0.2, 0.6]]))
    >>> first, second, last = stages([made], judged)
    >>> [*first.row("ours").system], round(first.row("ours").system["pearson"].coefficient.value, 3)
    (['pearson'], 0.866)
    >>> second.row("ours").segment["accuracy"].coefficient
    CoefficientValue(value=0.8333333333333333, n=2, epsilon=0.0)
    >>> [row.column.label for row in last.rows]
    ['ours', 'Chance (ours permuted)']
    """
    scale = scale if scale is not None else judged.scales[0].name
    find_scale(judged, scale)
    people = judged.better(scale)
    valid = ~np.isnan(people)
    segments: NDArray[np.bool_] = valid.sum(axis=0) > 0
    all_columns = with_chance(columns, judged, scale)
    for column in all_columns:
        if column.scores.shape != people.shape:
            raise ValueError(f"{column.key} has scores of {column.scores.shape}, judgements are of {people.shape}")
    rows = [AgreementRow(column, {}, {"pearson": _first(column, people, segments)}) for column in all_columns]
    table = AgreementTable(
        "first", scale, group, tau, judged.systems, people, int(valid.sum()), int(segments.sum()), tuple(rows)
    )
    yield table
    for n, row in enumerate(each(partial(_coefficients, people=people, segments=segments, group=group, tau=tau), rows)):
        rows[n] = replace(row, column=rows[n].column)  # the column itself, wherever its numbers are from
        tell(AgreementProgress("coefficients", n + 1, len(rows)))
    table = replace(table, stage="coefficients", rows=tuple(rows))
    table = replace(table, remarks=_remarks(table))
    yield table
    drawn = intervals.draws(segments, number)
    for n, row in enumerate(each(partial(with_intervals, people=people, group=group, tau=tau, drawn=drawn), rows)):
        rows[n] = replace(row, column=rows[n].column)
        tell(AgreementProgress("intervals", n + 1, len(rows)))
    of_segments, of_systems = each(partial(standing, rows, people), [group, None])
    standings: dict[Level, AgreementStanding] = {"segment": of_segments, "system": of_systems}
    table = replace(table, stage="intervals", rows=tuple(rows), standings=standings)
    yield replace(table, remarks=_remarks(table))


def agree(
    columns: Sequence[AgreementColumn],
    judged: JudgementRecord,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[AgreementProgress], None] = nobody,
    number: int = intervals.MANY,
) -> AgreementTable:
    """The last of the `stages`."""
    *_, last = stages(columns, judged, scale, group, tau, tell, number)
    return last


def of_people(column: AgreementColumn, people: Array) -> Array:
    """What a column is held against: the mean of all judges, or its own."""
    return people if column.people is None else column.people


def system_means(column: AgreementColumn, people: Array, segments: NDArray[np.bool_]) -> tuple[Array, Array]:
    """People's score of each system and the column's, over the judged segments: what system level correlates.

    >>> from metrics.corpus.agreement.columns import external
    >>> people = np.array([[1.0, np.nan], [3.0, np.nan]])
    >>> theirs, ours = system_means(external("x", np.array([[0.1, 0.9], [0.2, 0.8]])), people, ~np.isnan(people[0]))
    >>> theirs.tolist(), ours.tolist()
    ([1.0, 3.0], [0.1, 0.2])
    """
    return correlation.system_scores(of_people(column, people)), column.system_scores(segments.astype(np.float64))


def _first(column: AgreementColumn, people: Array, segments: NDArray[np.bool_]) -> AgreementCell:
    def pearson(column: AgreementColumn) -> Coefficient:
        return correlation.pearson(*system_means(column, people, segments))

    if column.kind is not AgreementColumnKind.CHANCE:
        return AgreementCell(pearson(column))
    return _of_orders([pearson(each) for each in orders(column)])


def _coefficients(
    row: AgreementRow, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau
) -> AgreementRow:
    """A row with its coefficients; chance waits for its intervals, with which it comes."""
    if row.column.kind is AgreementColumnKind.CHANCE:
        return row
    segment, system, ties = _measure_column(row.column, people, segments, group, tau)
    return AgreementRow(row.column, _cells(segment), _cells(system), ties)


def _of_chance(row: AgreementRow, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau) -> AgreementRow:
    """The row of chance: the mean of each coefficient over many orders of the scores, and the middle 95 % of them."""
    order_results = [_measure_column(each, people, segments, group, tau) for each in orders(row.column)]
    segment = {name: _of_orders([each[0][name] for each in order_results]) for name in order_results[0][0]}
    system = {name: _of_orders([each[1][name] for each in order_results]) for name in order_results[0][1]}
    system["spa"] = system["spa"]._replace(interval=None)  # as of all rows
    ties = [each[2] for each in order_results if each[2] is not None]
    return AgreementRow(row.column, segment, system, sum(ties) / len(ties) if ties else None)


def _of_orders(coefficients: Sequence[Coefficient]) -> AgreementCell:
    """The mean of a coefficient over orders of the scores, and the middle 95 % of them."""
    values = [each for each in coefficients if isinstance(each, CoefficientValue)]
    if len(values) < len(coefficients):
        return AgreementCell(next(each for each in coefficients if isinstance(each, Undefined)))
    drawn = np.array([each.value for each in values])
    return AgreementCell(CoefficientValue(float(drawn.mean()), values[0].n), intervals.of_samples(drawn))


def _measure_column(
    column: AgreementColumn, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau
) -> tuple[dict[str, Coefficient], dict[str, Coefficient], float | None]:
    """The coefficients of both levels, and which part of the pairs the best ε ties."""
    theirs, ours = of_people(column, people), column.scores
    people_means, means = system_means(column, people, segments)
    accuracy = correlation.calibrated_accuracy(theirs, ours)
    segment: dict[str, Coefficient] = {
        "pearson": correlation.pearson(theirs, ours, group),
        "spearman": correlation.spearman(theirs, ours, group),
        "kendall": correlation.kendall(theirs, ours, group, tau),
        "accuracy": accuracy,
    }
    system: dict[str, Coefficient] = {
        "pearson": correlation.pearson(people_means, means),
        "spearman": correlation.spearman(people_means, means),
        "kendall": correlation.kendall(people_means, means, kind=tau),
        "accuracy": correlation.system_accuracy(people_means, means),
        "spa": correlation.soft_accuracy(theirs, ours),
    }
    ties = None
    if isinstance(accuracy, CoefficientValue) and accuracy.epsilon is not None:
        ties, _ = correlation.share_tied(theirs, ours, accuracy.epsilon)
    return segment, system, ties


def _cells(coefficients: Mapping[str, Coefficient]) -> dict[str, AgreementCell]:
    return {name: AgreementCell(each) for name, each in coefficients.items()}


def with_intervals(
    row: AgreementRow, people: Array, group: Group, tau: Tau, drawn: intervals.SegmentDraws
) -> AgreementRow:
    """A row with its intervals; soft pairwise accuracy has none, as it is made of resamples itself."""
    column = row.column
    if column.kind is AgreementColumnKind.CHANCE:
        judged: NDArray[np.bool_] = (~np.isnan(people)).sum(axis=0) > 0
        return _of_chance(row, people, judged, group, tau)
    theirs = of_people(column, people)
    accuracy = row.segment["accuracy"].coefficient
    epsilon = accuracy.epsilon if isinstance(accuracy, CoefficientValue) else None
    segment = intervals.segment_samples(theirs, column.scores, group, tau, epsilon, drawn)
    system = intervals.system_samples(theirs, column, tau, drawn)
    return replace(
        row, segment=_cells_with_intervals(row.segment, segment), system=_cells_with_intervals(row.system, system)
    )


def _cells_with_intervals(cells: Mapping[str, AgreementCell], samples: Mapping[str, Array]) -> dict[str, AgreementCell]:
    return {
        name: cell._replace(interval=intervals.of_samples(samples[name]))
        if name in samples and isinstance(cell.coefficient, CoefficientValue)
        else cell
        for name, cell in cells.items()
    }


def standing(rows: Sequence[AgreementRow], people: Array, group: Group | None) -> AgreementStanding:
    """The rows that are held against all judges, without chance, at the level of segments with a group, of systems
    without."""
    ranked_rows = [
        row for row in rows if row.column.people is None and row.column.kind is not AgreementColumnKind.CHANCE
    ]
    result = metric_comparison.perm_both(people, [row.column.scores for row in ranked_rows], group)
    clusters = metric_comparison.clusters(result)
    order = [n for n in np.argsort([-value for value in result.values], kind="stable") if clusters[n] is not None]
    return AgreementStanding(
        tuple([ranked_rows[n].column.key for n in order]),
        tuple([each for n in order if (each := clusters[n]) is not None]),
        tuple([tuple([result.p[n][m] for m in order]) for n in order]),
        tuple([result.values[n] for n in order]),
    )


# ---------------------------------------------------------------- what is said of it


def _remarks(table: AgreementTable) -> tuple[Remark, ...]:
    return tuple(
        [
            each
            for say in (
                _note_unjudged,
                _tied,
                _undefined,
                _fixed,
                _note_within_segments,
                _nearly,
                _wide,
                _note_chance_level,
                _means,
                _alike,
            )
            for each in say(table)
        ]
    )


def _note_unjudged(table: AgreementTable) -> Iterator[Remark]:
    outputs = table.people.size
    if table.judged < outputs:
        yield Remark(
            Note.SOME,
            f"Of {outputs:,} outputs {table.judged:,} are judged: all numbers are of these segments and outputs.",
        )


def _tied(table: AgreementTable) -> Iterator[Remark]:
    rows = [row for row in table.rows if row.ties is not None and row.ties >= TIES_ALL]
    if not rows:
        return
    theirs = [row for row in rows if row.column.people is None] or rows
    _, share = correlation.share_tied(of_people(theirs[0].column, table.people), theirs[0].column.scores, 0.0)
    least = math.floor(1000 * min(row.ties or 0.0 for row in rows)) / 10
    yield Remark(
        Note.TIED,
        f"For {_listed(rows)} the best ε ties at least {least:g} % of the pairs of systems within segments: the"
        f" accuracy is then little else than people's share of ties, {share:.3f}.",
        _keys(rows),
    )


def _undefined(table: AgreementTable) -> Iterator[Remark]:
    rows_by_text: dict[str, list[AgreementRow]] = {}
    for row in table.rows:
        for level in LEVELS:
            for text in dict.fromkeys(
                [
                    cell.coefficient.text
                    for cell in row.cells_at(level).values()
                    if isinstance(cell.coefficient, Undefined)
                ]
            ):
                rows_by_text.setdefault(f"At {level} level: {text}", []).append(row)
    for text, rows in rows_by_text.items():
        yield Remark(Note.UNDEFINED, f"{_listed(rows)}. {text}", _keys(rows))


def _fixed(table: AgreementTable) -> Iterator[Remark]:
    rows = [row for row in table.rows if row.column.systems is not None]
    if rows:
        sentence = f"The systems' scores of {_listed(rows)} were given and cannot be resampled: they have no interval."
        yield Remark(Note.FIXED, sentence, _keys(rows))


def _wide(table: AgreementTable) -> Iterator[Remark]:
    """How wide the intervals of systems are."""
    rows = [row for row in table.rows if row.column.kind in (AgreementColumnKind.METRIC, AgreementColumnKind.EXTERNAL)]
    with_one = [(row, row.system["pearson"]) for row in rows]
    ends = [
        (row, cell.coefficient, cell.interval)
        for row, cell in with_one
        if cell.interval and isinstance(cell.coefficient, CoefficientValue)
    ]
    if not ends:
        return
    half = float(np.median([(each.high - each.low) / 2 for _, _, each in ends]))
    yield Remark(
        Note.WIDE,
        f"{table.judged_systems} systems: the intervals of Pearson at system level are ± {half:.2f} (the median of"
        f" {len(ends)}), and other systems would add to that.",
    )


def _note_within_segments(table: AgreementTable) -> Iterator[Remark]:
    """That a metric which agrees with people over all outputs at once does so much less within segments, where nothing
    but the systems differs: easy and hard segments, such as short and long ones, agree then, not translations."""
    if table.group != "none" or table.stage != "intervals":
        return
    row_values = []
    for row in table.rows:
        cell = row.segment["pearson"].coefficient
        if row.column.kind in (AgreementColumnKind.METRIC, AgreementColumnKind.EXTERNAL) and isinstance(
            cell, CoefficientValue
        ):
            inside = correlation.pearson(table.people, row.column.scores, "item")
            row_values += [(cell.value, inside.value, row)] if isinstance(inside, CoefficientValue) else []
    if not row_values:
        return
    value, within_value, row = max(row_values, key=lambda each: each[0])
    _, most, best = max(row_values, key=lambda each: each[1])
    if value > 0 and within_value < value / 2:
        better = "" if best is row else f", and that of {best.column.label} is {most:.3f}"
        yield Remark(
            Note.WITHIN,
            f"Within segments, where only the systems differ, Pearson of {row.column.label} is {within_value:.3f}, not"
            f" {value:.3f}{better}: most of the agreement over all outputs is about which segments are translated well,"
            " not about which system translates them better.",
            (row.column.key, best.column.key) if best is not row else (row.column.key,),
        )


def _nearly(table: AgreementTable) -> Iterator[Remark]:
    if table.group == "none" and table.stage == "intervals" and table.people.shape[1] > concordance.MOST:
        yield Remark(
            Note.NEARLY,
            f"Of more than {concordance.MOST:,} segments the intervals of Kendall's τ are approximations: the first"
            " terms of how it changes with the segments that are drawn.",
        )


def _note_chance_level(table: AgreementTable) -> Iterator[Remark]:
    """That no row is above nearly all orders of a metric's scores."""
    for level in LEVELS:
        reach = chance_reaches(table, level)
        rows = [
            row for row in table.rows if row.column.kind in (AgreementColumnKind.METRIC, AgreementColumnKind.EXTERNAL)
        ]
        values = [
            coefficient.value
            for row in rows
            if isinstance(coefficient := row.cells_at(level)["pearson"].coefficient, CoefficientValue)
        ]
        if reach is not None and values and max(values) <= reach:
            yield Remark(
                Note.CHANCE,
                f"At {level} level no Pearson is above what scores in any order reach: one in forty orders is above"
                f" {reach:.3f}.",
                _keys(rows),
            )


def chance_reaches(table: AgreementTable, level: Level) -> float | None:
    """The upper end of what Pearson of the same scores in any order is, None before it is known."""
    row = next((row for row in table.rows if row.column.kind is AgreementColumnKind.CHANCE), None)
    cell = row.cells_at(level).get("pearson") if row else None
    return cell.interval.high if cell and cell.interval else None


def _means(table: AgreementTable) -> Iterator[Remark]:
    """That clusters of systems are of the means of segments, where those rank rows otherwise than the column does."""
    ranking = table.standings.get("system")
    if ranking is None:
        return
    values = [
        cell.coefficient.value
        for key in ranking.keys
        if isinstance((cell := table.row(key).system["pearson"]).coefficient, CoefficientValue)
    ]
    if values == sorted(values, reverse=True):
        return
    means = [
        f"{table.row(key).column.label} {value:.3f}" for key, value in zip(ranking.keys, ranking.values, strict=True)
    ]
    yield Remark(
        Note.MEANS,
        "Clusters of systems are of Pearson of the means of segment scores, which can change places, not of the corpus"
        f" scores in the column: {', '.join(means)}.",
        ranking.keys,
    )


def _alike(table: AgreementTable) -> Iterator[Remark]:
    """Which rows of a level cannot be told apart."""
    for level, ranking in table.standings.items():
        clusters: dict[int, list[AgreementRow]] = {}
        for key, cluster in zip(ranking.keys, ranking.clusters, strict=True):
            clusters.setdefault(cluster, []).append(table.row(key))
        several = [rows for rows in clusters.values() if len(rows) > 1]
        if several:
            many = "" if level == "segment" else f" of {table.judged_systems} systems"
            yield Remark(
                Note.ALIKE,
                f"At {level} level Pearson{many} does not tell apart (PERM-BOTH, p ≥ {LEVEL:g}):"
                f" {'; '.join([_listed(rows) for rows in several])}.",
                _keys([row for rows in several for row in rows]),
            )


def _listed(rows: Sequence[AgreementRow]) -> str:
    labels = [row.column.label for row in rows]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def _keys(rows: Sequence[AgreementRow]) -> tuple[str, ...]:
    return tuple([row.column.key for row in rows])
