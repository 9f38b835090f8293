"""Builds the table of how well metrics agree with people, in stages with the quickest numbers first.

Pearson at system level comes at once, then all coefficients, then their intervals. Each stage is a complete table, so a
page can show every stage while a program waits for the last. The human judgement of an output is the mean over its
judges, with the sign turned so that higher is better. The human score of a system is the mean over its judged segments,
and the score of a metric for a system covers the same segments."""

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
from ...types import join_words
from ..patterns import LEVEL
from ..resampling import Interval
from ..table import Array
from . import concordance, correlation, intervals, metric_comparison
from .coefficients import COEFFICIENTS, LEVELS, Level
from .columns import AgreementColumn, AgreementColumnKind, add_chance_and_judge, permuted_columns
from .correlation import Coefficient, CoefficientValue, Group, Tau, UndefinedCoefficient

Stage: TypeAlias = Literal["first", "coefficients", "intervals"]

#: Where ε ties at least this share of the pairs, the accuracy is little more than people's share of ties.
TIES_ALL = 0.95


class AgreementCell(NamedTuple):
    """A coefficient with its 95 % interval; the interval is None if not computed (yet) or if there is none."""

    coefficient: Coefficient
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AgreementRow:
    """A row of the table: a column of scores, and how well it agrees with people, by level and coefficient name.

    `ties` is the share of the pairs of systems within segments that the best ε ties; None before it is known."""

    column: AgreementColumn
    segment: Mapping[str, AgreementCell]
    system: Mapping[str, AgreementCell]
    ties: float | None = None

    def cells_at(self, level: Level) -> Mapping[str, AgreementCell]:
        """Return the cells of the row at segment level or at system level, by the name of the coefficient."""
        return self.segment if level == "segment" else self.system


class RemarkKind(Enum):
    """The kind of a remark about the agreement table."""

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


class AgreementRanking(NamedTuple):
    """The ranking of the rows at one level, best first, by pairwise PERM-BOTH tests of Pearson.

    `clusters` (from 1) group rows that cannot be told apart, `p[a][b]` is the p-value that row `a` agrees better with
    people than row `b`, and `values` are Pearson. A system's score is the mean of its segment scores, since the test
    swaps scores within segments."""

    keys: tuple[str, ...]
    clusters: tuple[int, ...]
    p: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]


class Remark(NamedTuple):
    """A sentence for the reader about the agreement table, with the column keys of the rows that it is about."""

    kind: RemarkKind
    text: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTable:
    """The agreement of all rows with human judgements; coefficients that `stage` does not reach yet are missing.

    Attributes:
        group: whether segment level takes all outputs at once, or averages over segments ("item") or systems ("sys").
        tau: the variant of Kendall's τ.
        people: human scores, systems × segments, higher is better, NaN where nobody judged.
        judged: number of outputs that have a judgement.
        segments: number of segments in which at least one output is judged.
        standings: the ranking of the rows by level; filled at the last stage."""

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
    standings: Mapping[Level, AgreementRanking] = field(default_factory=dict)

    @property
    def judged_systems(self) -> int:
        """Return the number of systems that have at least one judgement."""
        return int((~np.isnan(self.people)).any(axis=1).sum())

    def row(self, key: str) -> AgreementRow:
        """Return the row with the column key `key`; raises KeyError if there is none."""
        for each in self.rows:
            if each.column.key == key:
                return each
        raise KeyError(key)

    def to_dict(self) -> dict[str, object]:
        """Return the table as plain values for JSON.

        Coefficients are nested by level, row key and coefficient name. Each has `value`, `low` and `high`, null where
        there is none, and `why` where the value is undefined."""
        return {
            "scale": self.scale,
            "group": self.group,
            "tau": self.tau,
            "judged": self.judged,
            "segments": self.segments,
            **{
                level: {
                    row.column.key: {name: _cell_to_dict(cell) for name, cell in row.cells_at(level).items()}
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


def _cell_to_dict(cell: AgreementCell) -> dict[str, object]:
    low, high = cell.interval or (None, None)
    if isinstance(cell.coefficient, UndefinedCoefficient):
        return {"value": None, "low": None, "high": None, "why": cell.coefficient.text}
    epsilon = {} if cell.coefficient.epsilon is None else {"epsilon": cell.coefficient.epsilon}
    return {"value": cell.coefficient.value, "low": low, "high": high, **epsilon}


class AgreementProgress(NamedTuple):
    """The progress of one stage of the agreement table: `done_rows` of `total_rows` rows are done."""

    stage: Stage
    done_rows: int
    total_rows: int


#: A function with the signature of `map`: it applies a function to each item and keeps the order.
Each: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def ignore_progress(progress: AgreementProgress) -> None:
    """Ignore progress reports; the default callback."""


def agreement_table_stages(
    columns: Sequence[AgreementColumn],
    judged: JudgementRecord,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[AgreementProgress], None] = ignore_progress,
    resamples: int = intervals.MANY,
    map_rows: Each = map,
) -> Iterator[AgreementTable]:
    """Yield the agreement table after each of its three stages.

    The columns must cover the judged systems and segments, in the same order. The table adds a row for chance and,
    where there are several judges, a row for one judge against the others. `scale` defaults to the first scale.
    `resamples` is the number of resamples for Pearson; the other coefficients use at most 1,000 of them. `tell` is
    called with the progress, and an exception that it raises ends the computation. `map_rows` is `map` or an equivalent
    that runs in several processes. Raises KeyError if the scale does not exist, and ValueError if the shape of a column
    differs from that of the judgements.

    >>> from metrics.corpus.agreement.columns import external_column
    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0], [2.0]], [[3.0], [5.0]], [[4.0], [9.0]]])
    >>> judged = JudgementRecord(("A", "B", "C"), 2, ("x",), (RatingScale("esa"),), {"esa": ratings})
    >>> made = external_column("ours", np.array([[0.1, 0.1], [0.3, 0.5], [0.2, 0.6]]))
    >>> first, second, last = agreement_table_stages([made], judged)
    >>> [*first.row("ours").system], round(first.row("ours").system["pearson"].coefficient.value, 3)
    (['pearson'], 0.866)
    >>> second.row("ours").segment["accuracy"].coefficient
    CoefficientValue(value=0.8333333333333333, n=2, epsilon=0.0)
    >>> [row.column.label for row in last.rows]
    ['ours', 'Chance (ours permuted)']
    """
    scale = scale if scale is not None else judged.scales[0].name
    people = judged.oriented_means(scale)
    valid = ~np.isnan(people)
    segments: NDArray[np.bool_] = valid.sum(axis=0) > 0
    all_columns = add_chance_and_judge(columns, judged, scale)
    for column in all_columns:
        if column.scores.shape != people.shape:
            raise ValueError(f"{column.key} has scores of {column.scores.shape}, judgements are of {people.shape}")
    rows = [AgreementRow(column, {}, {"pearson": _first_pearson(column, people, segments)}) for column in all_columns]
    counts = int(valid.sum()), int(segments.sum())
    table = AgreementTable("first", scale, group, tau, judged.systems, people, *counts, tuple(rows))
    yield table
    measure = partial(_measure_row, people=people, segments=segments, group=group, tau=tau)
    for n, row in enumerate(map_rows(measure, rows)):
        rows[n] = replace(row, column=rows[n].column)  # the original column, not a copy from a worker
        tell(AgreementProgress("coefficients", n + 1, len(rows)))
    table = replace(table, stage="coefficients", rows=tuple(rows))
    table = replace(table, remarks=_collect_remarks(table))
    yield table
    drawn = intervals.draw_resamples(segments, resamples)
    with_intervals = partial(add_intervals, people=people, group=group, tau=tau, resamples=drawn)
    for n, row in enumerate(map_rows(with_intervals, rows)):
        rows[n] = replace(row, column=rows[n].column)
        tell(AgreementProgress("intervals", n + 1, len(rows)))
    of_segments, of_systems = map_rows(partial(rank_rows, rows, people), [group, None])
    standings: dict[Level, AgreementRanking] = {"segment": of_segments, "system": of_systems}
    table = replace(table, stage="intervals", rows=tuple(rows), standings=standings)
    yield replace(table, remarks=_collect_remarks(table))


def agreement_table(
    columns: Sequence[AgreementColumn],
    judged: JudgementRecord,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[AgreementProgress], None] = ignore_progress,
    resamples: int = intervals.MANY,
) -> AgreementTable:
    """Return the complete agreement table, the last that `agreement_table_stages` yields for these arguments."""
    *_, last = agreement_table_stages(columns, judged, scale, group, tau, tell, resamples)
    return last


def human_scores_for(column: AgreementColumn, people: Array) -> Array:
    """Return the human scores that a column is compared with: its own if it has any, else the mean over all judges."""
    return people if column.people is None else column.people


def system_means(column: AgreementColumn, people: Array, segments: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return the human score and the column's score of each system over the segments where `segments` is True.

    Both arrays have one value per system, NaN where a system has none.

    >>> from metrics.corpus.agreement.columns import external_column
    >>> people = np.array([[1.0, np.nan], [3.0, np.nan]])
    >>> column = external_column("x", np.array([[0.1, 0.9], [0.2, 0.8]]))
    >>> theirs, ours = system_means(column, people, ~np.isnan(people[0]))
    >>> theirs.tolist(), ours.tolist()
    ([1.0, 3.0], [0.1, 0.2])
    """
    theirs = correlation.system_scores(human_scores_for(column, people))
    return theirs, column.system_scores(segments.astype(np.float64))


def _first_pearson(column: AgreementColumn, people: Array, segments: NDArray[np.bool_]) -> AgreementCell:
    """Return Pearson at system level, the only coefficient of the first stage."""

    def pearson(column: AgreementColumn) -> Coefficient:
        return correlation.pearson(*system_means(column, people, segments))

    if column.kind is not AgreementColumnKind.CHANCE:
        return AgreementCell(pearson(column))
    return _mean_over_permutations([pearson(each) for each in permuted_columns(column)])


def _measure_row(row: AgreementRow, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau) -> AgreementRow:
    """Return the row with its coefficients; the row of chance stays empty until it gets its intervals too."""
    if row.column.kind is AgreementColumnKind.CHANCE:
        return row
    segment, system, ties = _measure_column(row.column, people, segments, group, tau)
    return AgreementRow(row.column, _cells_without_intervals(segment), _cells_without_intervals(system), ties)


def _chance_row(row: AgreementRow, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau) -> AgreementRow:
    """Return the row of chance with its coefficients and intervals.

    Each coefficient is the mean over many permutations of the scores; its interval is the middle 95 % of them."""
    order_results = [_measure_column(each, people, segments, group, tau) for each in permuted_columns(row.column)]
    segment = {name: _mean_over_permutations([each[0][name] for each in order_results]) for name in order_results[0][0]}
    system = {name: _mean_over_permutations([each[1][name] for each in order_results]) for name in order_results[0][1]}
    for name, each in system.items():
        if COEFFICIENTS[name].of_rows is None:
            system[name] = each._replace(interval=None)  # as in all other rows
    ties = [each[2] for each in order_results if each[2] is not None]
    return AgreementRow(row.column, segment, system, sum(ties) / len(ties) if ties else None)


def _mean_over_permutations(coefficients: Sequence[Coefficient]) -> AgreementCell:
    """Return the mean and the middle 95 % of a coefficient over permuted scores; undefined if it ever is."""
    values = [each for each in coefficients if isinstance(each, CoefficientValue)]
    if len(values) < len(coefficients):
        return AgreementCell(next(each for each in coefficients if isinstance(each, UndefinedCoefficient)))
    drawn = np.array([each.value for each in values])
    return AgreementCell(CoefficientValue(float(drawn.mean()), values[0].n), intervals.sample_interval(drawn))


def _measure_column(
    column: AgreementColumn, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau
) -> tuple[dict[str, Coefficient], dict[str, Coefficient], float | None]:
    """Return the coefficients at segment and at system level by name, and the share of pairs that the best ε ties."""
    theirs, ours = human_scores_for(column, people), column.scores
    people_means, means = system_means(column, people, segments)
    segment: dict[str, Coefficient] = {}
    system: dict[str, Coefficient] = {}
    for name, each in COEFFICIENTS.items():
        if each.over_outputs is not None:
            segment[name] = each.over_outputs(theirs, ours, group, tau)
        if each.over_systems is not None:
            system[name] = each.over_systems(people_means, means, tau)
        elif each.over_system_outputs is not None:
            system[name] = each.over_system_outputs(theirs, ours)
    accuracy = segment["accuracy"]
    ties = None
    if isinstance(accuracy, CoefficientValue) and accuracy.epsilon is not None:
        ties, _ = correlation.tie_shares(theirs, ours, accuracy.epsilon)
    return segment, system, ties


def _cells_without_intervals(coefficients: Mapping[str, Coefficient]) -> dict[str, AgreementCell]:
    return {name: AgreementCell(each) for name, each in coefficients.items()}


def add_intervals(
    row: AgreementRow, people: Array, group: Group, tau: Tau, resamples: intervals.SegmentDraws
) -> AgreementRow:
    """Return the row with 95 % intervals, from resamples of the segments (`resamples`).

    Soft pairwise accuracy has no interval, since it is computed from resamples itself."""
    column = row.column
    if column.kind is AgreementColumnKind.CHANCE:
        judged: NDArray[np.bool_] = (~np.isnan(people)).sum(axis=0) > 0
        return _chance_row(row, people, judged, group, tau)
    theirs = human_scores_for(column, people)
    accuracy = row.segment["accuracy"].coefficient
    epsilon = accuracy.epsilon if isinstance(accuracy, CoefficientValue) else None
    segment = intervals.resample_segment_level(theirs, column.scores, group, tau, epsilon, resamples)
    system = intervals.resample_system_level(theirs, column, tau, resamples)
    return replace(
        row, segment=_cells_with_intervals(row.segment, segment), system=_cells_with_intervals(row.system, system)
    )


def _cells_with_intervals(cells: Mapping[str, AgreementCell], samples: Mapping[str, Array]) -> dict[str, AgreementCell]:
    return {
        name: cell._replace(interval=intervals.sample_interval(samples[name]))
        if name in samples and isinstance(cell.coefficient, CoefficientValue)
        else cell
        for name, cell in cells.items()
    }


def rank_rows(rows: Sequence[AgreementRow], people: Array, group: Group | None) -> AgreementRanking:
    """Return the ranking of the rows, without chance and the single judge.

    `people` are the human scores. A `group` ranks at segment level, None at system level."""
    ranked = [row for row in rows if row.column.people is None and row.column.kind is not AgreementColumnKind.CHANCE]
    result = metric_comparison.perm_both(people, [row.column.scores for row in ranked], group)
    clusters = metric_comparison.cluster_numbers(result)
    order = [n for n in np.argsort([-value for value in result.values], kind="stable") if clusters[n] is not None]
    return AgreementRanking(
        tuple([ranked[n].column.key for n in order]),
        tuple([each for n in order if (each := clusters[n]) is not None]),
        tuple([tuple([result.p[n][m] for m in order]) for n in order]),
        tuple([result.values[n] for n in order]),
    )


# ---------------------------------------------------------------- remarks


def _collect_remarks(table: AgreementTable) -> tuple[Remark, ...]:
    """Return all remarks that apply to the table."""
    return tuple(
        [
            each
            for say in (
                _note_unjudged,
                _note_ties,
                _note_undefined,
                _note_fixed_scores,
                _note_within_segments,
                _note_approximations,
                _note_wide_intervals,
                _note_chance_level,
                _note_cluster_order,
                _note_indistinguishable,
            )
            for each in say(table)
        ]
    )


def _note_unjudged(table: AgreementTable) -> Iterator[Remark]:
    outputs = table.people.size
    if table.judged < outputs:
        yield Remark(
            RemarkKind.SOME,
            f"{table.judged:,} of {outputs:,} outputs are judged; all numbers are for these and their segments.",
        )


def _note_ties(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark on the metrics whose best ε ties nearly all pairs."""
    rows = [row for row in table.rows if row.ties is not None and row.ties >= TIES_ALL]
    if not rows:
        return
    theirs = [row for row in rows if row.column.people is None] or rows
    _, share = correlation.tie_shares(human_scores_for(theirs[0].column, table.people), theirs[0].column.scores, 0.0)
    least = math.floor(1000 * min(row.ties or 0.0 for row in rows)) / 10
    yield Remark(
        RemarkKind.TIED,
        f"For {_list_labels(rows)} the best ε ties at least {least:g} % of the pairs of systems within segments: the"
        f" accuracy is then little more than people's share of ties, {share:.3f}.",
        _column_keys(rows),
    )


def _note_undefined(table: AgreementTable) -> Iterator[Remark]:
    rows_by_text: dict[str, list[AgreementRow]] = {}
    for row in table.rows:
        for level in LEVELS:
            for text in dict.fromkeys(
                [
                    cell.coefficient.text
                    for cell in row.cells_at(level).values()
                    if isinstance(cell.coefficient, UndefinedCoefficient)
                ]
            ):
                rows_by_text.setdefault(f"At {level} level: {text}", []).append(row)
    for text, rows in rows_by_text.items():
        yield Remark(RemarkKind.UNDEFINED, f"{_list_labels(rows)}. {text}", _column_keys(rows))


def _note_fixed_scores(table: AgreementTable) -> Iterator[Remark]:
    rows = [row for row in table.rows if row.column.fixed_system_scores is not None]
    if rows:
        sentence = (
            f"The systems' scores of {_list_labels(rows)} were given and cannot be resampled: they have no interval."
        )
        yield Remark(RemarkKind.FIXED, sentence, _column_keys(rows))


def _note_wide_intervals(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark on how wide the intervals of Pearson at system level are."""
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
        RemarkKind.WIDE,
        f"{table.judged_systems} systems: the intervals of Pearson at system level are ± {half:.2f} (the median of"
        f" {len(ends)}), and with other systems they would be wider.",
    )


def _note_within_segments(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark if a metric agrees with people over all outputs but much less within segments.

    Within a segment only the systems differ. A metric can agree over all outputs because it tells easy segments from
    hard ones, for example short from long, without telling good translations from bad ones."""
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
            RemarkKind.WITHIN,
            f"Within segments, where only the systems differ, Pearson of {row.column.label} is {within_value:.3f}, not"
            f" {value:.3f}{better}: most of the agreement over all outputs is about which segments are translated well,"
            " not about which system translates them better.",
            (row.column.key, best.column.key) if best is not row else (row.column.key,),
        )


def _note_approximations(table: AgreementTable) -> Iterator[Remark]:
    if table.group == "none" and table.stage == "intervals" and table.people.shape[1] > concordance.MOST:
        yield Remark(
            RemarkKind.NEARLY,
            f"With more than {concordance.MOST:,} segments, the intervals of Kendall's τ are approximations: the first"
            " terms of how it changes with the segments that are drawn.",
        )


def _note_chance_level(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark for each level at which no row has a higher Pearson than permuted scores reach by chance."""
    for level in LEVELS:
        reach = chance_upper_end(table, level)
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
                RemarkKind.CHANCE,
                f"At {level} level no Pearson is above what scores in random order reach: one in forty is above"
                f" {reach:.3f}.",
                _column_keys(rows),
            )


def chance_upper_end(table: AgreementTable, level: Level) -> float | None:
    """Return the upper end of the 95 % interval of Pearson for permuted scores; None before it is known."""
    row = next((row for row in table.rows if row.column.kind is AgreementColumnKind.CHANCE), None)
    cell = row.cells_at(level).get("pearson") if row else None
    return cell.interval.high if cell and cell.interval else None


def _note_cluster_order(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark if the clusters of systems order the rows differently from the table's column of Pearson.

    The clusters compare means of segment scores, the column compares corpus scores."""
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
        RemarkKind.MEANS,
        "Clusters of systems compare Pearson of the means of segment scores, which can be exchanged, not of the corpus"
        f" scores in the column: {', '.join(means)}.",
        ranking.keys,
    )


def _note_indistinguishable(table: AgreementTable) -> Iterator[Remark]:
    """Yield a remark for each level at which PERM-BOTH tests cannot tell some rows apart."""
    for level, ranking in table.standings.items():
        clusters: dict[int, list[AgreementRow]] = {}
        for key, cluster in zip(ranking.keys, ranking.clusters, strict=True):
            clusters.setdefault(cluster, []).append(table.row(key))
        several = [rows for rows in clusters.values() if len(rows) > 1]
        if several:
            many = "" if level == "segment" else f" of {table.judged_systems} systems"
            yield Remark(
                RemarkKind.ALIKE,
                f"At {level} level Pearson{many} cannot tell these apart (PERM-BOTH, p ≥ {LEVEL:g}):"
                f" {'; '.join([_list_labels(rows) for rows in several])}.",
                _column_keys([row for rows in several for row in rows]),
            )


def _list_labels(rows: Sequence[AgreementRow]) -> str:
    return join_words([row.column.label for row in rows])


def _column_keys(rows: Sequence[AgreementRow]) -> tuple[str, ...]:
    return tuple([row.column.key for row in rows])
