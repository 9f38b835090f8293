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

from ...text.judgements import Judged
from ..patterns import LEVEL
from ..resampling import Interval
from ..table import Array
from . import between, concordance, correlation, intervals
from .columns import Column, Kind, named, orders, with_chance
from .correlation import Found, Group, Tau, Undefined, Value

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


class Cell(NamedTuple):
    """A coefficient and its 95 % interval, None where that is not computed (yet), or is of nothing."""

    found: Found
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """What is held against people, and its coefficients by their names, at the level of segments and of systems. `ties`
    is which part of the pairs of systems within segments the best ε ties, None before it is known."""

    column: Column
    segment: Mapping[str, Cell]
    system: Mapping[str, Cell]
    ties: float | None = None

    def of(self, level: Level) -> Mapping[str, Cell]:
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


class Standing(NamedTuple):
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
class Agreement:
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
    rows: tuple[Row, ...]
    remarks: tuple[Remark, ...] = ()
    standings: Mapping[Level, Standing] = field(default_factory=dict)

    @property
    def judged_systems(self) -> int:
        """How many systems have a judgement."""
        return int((~np.isnan(self.people)).any(axis=1).sum())

    def row(self, key: str) -> Row:
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
                    row.column.key: {name: _plain(cell) for name, cell in row.of(level).items()} for row in self.rows
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


def _plain(cell: Cell) -> dict[str, object]:
    low, high = cell.interval or (None, None)
    if isinstance(cell.found, Undefined):
        return {"value": None, "low": None, "high": None, "why": cell.found.text}
    epsilon = {} if cell.found.epsilon is None else {"epsilon": cell.found.epsilon}
    return {"value": cell.found.value, "low": low, "high": high, **epsilon}


class Progress(NamedTuple):
    """How far the table is: of the steps of a stage, rows, so many are done."""

    stage: Stage
    done: int
    of: int


#: What makes something of each of some things, in their order, as `map` does.
Each: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def nobody(progress: Progress) -> None:
    """Who is told nothing."""


def stages(
    columns: Sequence[Column],
    judged: Judged,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[Progress], None] = nobody,
    number: int = intervals.MANY,
    each: Each = map,
) -> Iterator[Agreement]:
    """The table after each stage. The columns are of the judged systems and segments, in their order; beside them stand
    chance, and one judge where there are several. `scale` is the first where it is not named. `number` is how many
    resamples Pearson has; the others have no more than 1,000 of them. What `tell` raises ends it. `each` is `map`, or
    what gives the same from several processes. KeyError for a scale that is not there.

    >>> from metrics.corpus.agreement.columns import external
    >>> from metrics.text.judgements import Scale
    >>> ratings = np.array([[[1.0], [2.0]], [[3.0], [5.0]], [[4.0], [9.0]]])
    >>> judged = Judged(("A", "B", "C"), 2, ("x",), (Scale("esa"),), {"esa": ratings})
    >>> made = external("ours", np.array([[0.1, 0.1], [0.3, 0.5], [0.2, 0.6]]))
    >>> first, second, last = stages([made], judged)
    >>> [*first.row("ours").system], round(first.row("ours").system["pearson"].found.value, 3)
    (['pearson'], 0.866)
    >>> second.row("ours").segment["accuracy"].found
    Value(value=0.8333333333333333, n=2, epsilon=0.0)
    >>> [row.column.label for row in last.rows]
    ['ours', 'Chance (ours permuted)']
    """
    scale = scale if scale is not None else judged.scales[0].name
    named(judged, scale)
    people = judged.better(scale)
    there = ~np.isnan(people)
    segments: NDArray[np.bool_] = there.sum(axis=0) > 0
    every = with_chance(columns, judged, scale)
    for column in every:
        if column.scores.shape != people.shape:
            raise ValueError(f"{column.key} has scores of {column.scores.shape}, judgements are of {people.shape}")
    rows = [Row(column, {}, {"pearson": _first(column, people, segments)}) for column in every]
    table = Agreement(
        "first", scale, group, tau, judged.systems, people, int(there.sum()), int(segments.sum()), tuple(rows)
    )
    yield table
    for n, row in enumerate(each(partial(_coefficients, people=people, segments=segments, group=group, tau=tau), rows)):
        rows[n] = replace(row, column=rows[n].column)  # the column itself, wherever its numbers are from
        tell(Progress("coefficients", n + 1, len(rows)))
    table = replace(table, stage="coefficients", rows=tuple(rows))
    table = replace(table, remarks=_remarks(table))
    yield table
    drawn = intervals.draws(segments, number)
    for n, row in enumerate(each(partial(with_intervals, people=people, group=group, tau=tau, drawn=drawn), rows)):
        rows[n] = replace(row, column=rows[n].column)
        tell(Progress("intervals", n + 1, len(rows)))
    of_segments, of_systems = each(partial(standing, rows, people), [group, None])
    standings: dict[Level, Standing] = {"segment": of_segments, "system": of_systems}
    table = replace(table, stage="intervals", rows=tuple(rows), standings=standings)
    yield replace(table, remarks=_remarks(table))


def agree(
    columns: Sequence[Column],
    judged: Judged,
    scale: str | None = None,
    group: Group = "none",
    tau: Tau = "b",
    tell: Callable[[Progress], None] = nobody,
    number: int = intervals.MANY,
) -> Agreement:
    """The last of the `stages`."""
    *_, last = stages(columns, judged, scale, group, tau, tell, number)
    return last


def of_people(column: Column, people: Array) -> Array:
    """What a column is held against: the mean of all judges, or its own."""
    return people if column.people is None else column.people


def system_means(column: Column, people: Array, segments: NDArray[np.bool_]) -> tuple[Array, Array]:
    """People's score of each system and the column's, over the judged segments: what system level correlates.

    >>> from metrics.corpus.agreement.columns import external
    >>> people = np.array([[1.0, np.nan], [3.0, np.nan]])
    >>> theirs, ours = system_means(external("x", np.array([[0.1, 0.9], [0.2, 0.8]])), people, ~np.isnan(people[0]))
    >>> theirs.tolist(), ours.tolist()
    ([1.0, 3.0], [0.1, 0.2])
    """
    return correlation.system_scores(of_people(column, people)), column.system_scores(segments.astype(np.float64))


def _first(column: Column, people: Array, segments: NDArray[np.bool_]) -> Cell:
    def pearson(column: Column) -> Found:
        return correlation.pearson(*system_means(column, people, segments))

    if column.kind is not Kind.CHANCE:
        return Cell(pearson(column))
    return _of_orders([pearson(each) for each in orders(column)])


def _coefficients(row: Row, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau) -> Row:
    """A row with its coefficients; chance waits for its intervals, with which it comes."""
    if row.column.kind is Kind.CHANCE:
        return row
    segment, system, ties = _found(row.column, people, segments, group, tau)
    return Row(row.column, _cells(segment), _cells(system), ties)


def _of_chance(row: Row, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau) -> Row:
    """The row of chance: the mean of each coefficient over many orders of the scores, and the middle 95 % of them."""
    found = [_found(each, people, segments, group, tau) for each in orders(row.column)]
    segment = {name: _of_orders([each[0][name] for each in found]) for name in found[0][0]}
    system = {name: _of_orders([each[1][name] for each in found]) for name in found[0][1]}
    system["spa"] = system["spa"]._replace(interval=None)  # as of all rows
    ties = [each[2] for each in found if each[2] is not None]
    return Row(row.column, segment, system, sum(ties) / len(ties) if ties else None)


def _of_orders(found: Sequence[Found]) -> Cell:
    """The mean of a coefficient over orders of the scores, and the middle 95 % of them."""
    values = [each for each in found if isinstance(each, Value)]
    if len(values) < len(found):
        return Cell(next(each for each in found if isinstance(each, Undefined)))
    drawn = np.array([each.value for each in values])
    return Cell(Value(float(drawn.mean()), values[0].n), intervals.of_samples(drawn))


def _found(
    column: Column, people: Array, segments: NDArray[np.bool_], group: Group, tau: Tau
) -> tuple[dict[str, Found], dict[str, Found], float | None]:
    """The coefficients of both levels, and which part of the pairs the best ε ties."""
    theirs, ours = of_people(column, people), column.scores
    people_means, means = system_means(column, people, segments)
    accuracy = correlation.calibrated_accuracy(theirs, ours)
    segment: dict[str, Found] = {
        "pearson": correlation.pearson(theirs, ours, group),
        "spearman": correlation.spearman(theirs, ours, group),
        "kendall": correlation.kendall(theirs, ours, group, tau),
        "accuracy": accuracy,
    }
    system: dict[str, Found] = {
        "pearson": correlation.pearson(people_means, means),
        "spearman": correlation.spearman(people_means, means),
        "kendall": correlation.kendall(people_means, means, kind=tau),
        "accuracy": correlation.system_accuracy(people_means, means),
        "spa": correlation.soft_accuracy(theirs, ours),
    }
    ties = None
    if isinstance(accuracy, Value) and accuracy.epsilon is not None:
        ties, _ = correlation.share_tied(theirs, ours, accuracy.epsilon)
    return segment, system, ties


def _cells(found: Mapping[str, Found]) -> dict[str, Cell]:
    return {name: Cell(each) for name, each in found.items()}


def with_intervals(row: Row, people: Array, group: Group, tau: Tau, drawn: intervals.Draws) -> Row:
    """A row with its intervals; soft pairwise accuracy has none, as it is made of resamples itself."""
    column = row.column
    if column.kind is Kind.CHANCE:
        judged: NDArray[np.bool_] = (~np.isnan(people)).sum(axis=0) > 0
        return _of_chance(row, people, judged, group, tau)
    theirs = of_people(column, people)
    found = row.segment["accuracy"].found
    epsilon = found.epsilon if isinstance(found, Value) else None
    segment = intervals.segment_samples(theirs, column.scores, group, tau, epsilon, drawn)
    system = intervals.system_samples(theirs, column, tau, drawn)
    return replace(row, segment=_between(row.segment, segment), system=_between(row.system, system))


def _between(cells: Mapping[str, Cell], samples: Mapping[str, Array]) -> dict[str, Cell]:
    return {
        name: cell._replace(interval=intervals.of_samples(samples[name]))
        if name in samples and isinstance(cell.found, Value)
        else cell
        for name, cell in cells.items()
    }


def standing(rows: Sequence[Row], people: Array, group: Group | None) -> Standing:
    """The rows that are held against all judges, without chance, at the level of segments with a group, of systems
    without."""
    some = [row for row in rows if row.column.people is None and row.column.kind is not Kind.CHANCE]
    found = between.perm_both(people, [row.column.scores for row in some], group)
    clusters = between.clusters(found)
    order = [n for n in np.argsort([-value for value in found.values], kind="stable") if clusters[n] is not None]
    return Standing(
        tuple([some[n].column.key for n in order]),
        tuple([each for n in order if (each := clusters[n]) is not None]),
        tuple([tuple([found.p[n][m] for m in order]) for n in order]),
        tuple([found.values[n] for n in order]),
    )


# ---------------------------------------------------------------- what is said of it


def _remarks(table: Agreement) -> tuple[Remark, ...]:
    return tuple(
        [
            each
            for say in (_some, _tied, _undefined, _fixed, _within, _nearly, _wide, _above, _means, _alike)
            for each in say(table)
        ]
    )


def _some(table: Agreement) -> Iterator[Remark]:
    outputs = table.people.size
    if table.judged < outputs:
        yield Remark(
            Note.SOME,
            f"Of {outputs:,} outputs {table.judged:,} are judged: all numbers are of these segments and outputs.",
        )


def _tied(table: Agreement) -> Iterator[Remark]:
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


def _undefined(table: Agreement) -> Iterator[Remark]:
    said: dict[str, list[Row]] = {}
    for row in table.rows:
        for level in LEVELS:
            for text in dict.fromkeys(
                [cell.found.text for cell in row.of(level).values() if isinstance(cell.found, Undefined)]
            ):
                said.setdefault(f"At {level} level: {text}", []).append(row)
    for text, rows in said.items():
        yield Remark(Note.UNDEFINED, f"{_listed(rows)}. {text}", _keys(rows))


def _fixed(table: Agreement) -> Iterator[Remark]:
    rows = [row for row in table.rows if row.column.systems is not None]
    if rows:
        said = f"The systems' scores of {_listed(rows)} were given and cannot be resampled: they have no interval."
        yield Remark(Note.FIXED, said, _keys(rows))


def _wide(table: Agreement) -> Iterator[Remark]:
    """How wide the intervals of systems are."""
    rows = [row for row in table.rows if row.column.kind in (Kind.METRIC, Kind.EXTERNAL)]
    with_one = [(row, row.system["pearson"]) for row in rows]
    ends = [
        (row, cell.found, cell.interval) for row, cell in with_one if cell.interval and isinstance(cell.found, Value)
    ]
    if not ends:
        return
    half = float(np.median([(each.high - each.low) / 2 for _, _, each in ends]))
    yield Remark(
        Note.WIDE,
        f"{table.judged_systems} systems: the intervals of Pearson at system level are ± {half:.2f} (the median of"
        f" {len(ends)}), and other systems would add to that.",
    )


def _within(table: Agreement) -> Iterator[Remark]:
    """That a metric which agrees with people over all outputs at once does so much less within segments, where nothing
    but the systems differs: easy and hard segments, such as short and long ones, agree then, not translations."""
    if table.group != "none" or table.stage != "intervals":
        return
    found = []
    for row in table.rows:
        cell = row.segment["pearson"].found
        if row.column.kind in (Kind.METRIC, Kind.EXTERNAL) and isinstance(cell, Value):
            inside = correlation.pearson(table.people, row.column.scores, "item")
            found += [(cell.value, inside.value, row)] if isinstance(inside, Value) else []
    if not found:
        return
    value, own, row = max(found, key=lambda each: each[0])
    _, most, best = max(found, key=lambda each: each[1])
    if value > 0 and own < value / 2:
        better = "" if best is row else f", and that of {best.column.label} is {most:.3f}"
        yield Remark(
            Note.WITHIN,
            f"Within segments, where only the systems differ, Pearson of {row.column.label} is {own:.3f}, not"
            f" {value:.3f}{better}: most of the agreement over all outputs is about which segments are translated well,"
            " not about which system translates them better.",
            (row.column.key, best.column.key) if best is not row else (row.column.key,),
        )


def _nearly(table: Agreement) -> Iterator[Remark]:
    if table.group == "none" and table.stage == "intervals" and table.people.shape[1] > concordance.MOST:
        yield Remark(
            Note.NEARLY,
            f"Of more than {concordance.MOST:,} segments the intervals of Kendall's τ are approximations: the first"
            " terms of how it changes with the segments that are drawn.",
        )


def _above(table: Agreement) -> Iterator[Remark]:
    """That no row is above nearly all orders of a metric's scores."""
    for level in LEVELS:
        reach = chance_reaches(table, level)
        rows = [row for row in table.rows if row.column.kind in (Kind.METRIC, Kind.EXTERNAL)]
        values = [found.value for row in rows if isinstance(found := row.of(level)["pearson"].found, Value)]
        if reach is not None and values and max(values) <= reach:
            yield Remark(
                Note.CHANCE,
                f"At {level} level no Pearson is above what scores in any order reach: one in forty orders is above"
                f" {reach:.3f}.",
                _keys(rows),
            )


def chance_reaches(table: Agreement, level: Level) -> float | None:
    """The upper end of what Pearson of the same scores in any order is, None before it is known."""
    row = next((row for row in table.rows if row.column.kind is Kind.CHANCE), None)
    cell = row.of(level).get("pearson") if row else None
    return cell.interval.high if cell and cell.interval else None


def _means(table: Agreement) -> Iterator[Remark]:
    """That clusters of systems are of the means of segments, where those rank rows otherwise than the column does."""
    found = table.standings.get("system")
    if found is None:
        return
    values = [
        cell.found.value for key in found.keys if isinstance((cell := table.row(key).system["pearson"]).found, Value)
    ]
    if values == sorted(values, reverse=True):
        return
    means = [f"{table.row(key).column.label} {value:.3f}" for key, value in zip(found.keys, found.values, strict=True)]
    yield Remark(
        Note.MEANS,
        "Clusters of systems are of Pearson of the means of segment scores, which can change places, not of the corpus"
        f" scores in the column: {', '.join(means)}.",
        found.keys,
    )


def _alike(table: Agreement) -> Iterator[Remark]:
    """Which rows of a level cannot be told apart."""
    for level, found in table.standings.items():
        clusters: dict[int, list[Row]] = {}
        for key, cluster in zip(found.keys, found.clusters, strict=True):
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


def _listed(rows: Sequence[Row]) -> str:
    labels = [row.column.label for row in rows]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def _keys(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple([row.column.key for row in rows])
