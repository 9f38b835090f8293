"""Two rows of the table held against each other, by any of its coefficients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from ..table import Array
from . import between, correlation
from .agree import Agreement, Level, Row, of_people, system_means
from .between import Compared, Williams
from .correlation import Found, Undefined, Value, Why

#: Permutations where a single one takes long: at the level of segments all but Pearson.
FEW = 300

_Coefficient: TypeAlias = Callable[[Array, Array], Found]


class Comparison(NamedTuple):
    """Two rows by a coefficient: PERM-BOTH in so many permutations and, of Pearson at system level, Williams' test in
    both directions, None elsewhere. For PERM-BOTH a system's score is the mean of its segments', since scores change
    places in segments; Williams' test takes the scores that stand in the table."""

    permuted: Compared | Undefined
    trials: int
    williams: tuple[Williams | Undefined, Williams | Undefined] | None


def compare(table: Agreement, one: str, other: str, level: Level, name: str, trials: int | None = None) -> Comparison:
    """Whether the first of two rows, by their keys, agrees better with people than the second, by a coefficient of a
    level (`LEVELS`). The table has its coefficients already. KeyError for a key or a name that is not there.

    >>> from metrics.corpus.agreement import agree, external
    >>> from metrics.text.judgements import Judged, Scale
    >>> truth, noise = np.random.default_rng(0).normal(size=(2, 4, 50))
    >>> judged = Judged(tuple("ABCD"), 50, ("x",), (Scale("esa"),), {"esa": truth[:, :, None]})
    >>> table = agree([external("near", truth + noise), external("noise", noise)], judged, number=50)
    >>> found = compare(table, "near", "noise", "segment", "kendall", 100)
    >>> found.permuted.difference > 0, found.permuted.p[0] < 0.05 < found.permuted.p[1]
    (True, True)
    """
    rows = table.row(one), table.row(other)
    if name not in rows[0].of(level):
        raise KeyError(name)
    williams = _williams(table, rows) if (level, name) == ("system", "pearson") else None
    for row in rows:
        found = row.of(level)[name].found
        if isinstance(found, Undefined):
            return Comparison(found, 0, williams)
    if rows[0].column.people is not rows[1].column.people:
        why = Undefined(Why.FEW, "The two are held against other judgements, so their scores cannot change places.")
        return Comparison(why, 0, None)
    people, scores = of_people(rows[0].column, table.people), (rows[0].column.scores, rows[1].column.scores)
    if name == "pearson":
        tried = trials or between.TRIALS
        found_both = between.perm_both(people, scores, table.group if level == "segment" else None, tried)
        first, second = found_both.values
        return Comparison(Compared((first, second), (found_both.p[0][1], found_both.p[1][0])), tried, williams)
    tried = trials or (FEW if level == "segment" else between.TRIALS)
    of = tuple([_value_of(_coefficient(table, row, level, name, scores, people)) for row in rows])
    return Comparison(between.perm_both_of(of, people, scores, tried), tried, williams)


def _value_of(of: _Coefficient) -> Callable[[Array, Array], float]:
    def value(people: Array, metric: Array) -> float:
        found = of(people, metric)
        return found.value if isinstance(found, Value) else math.nan

    return value


def _coefficient(
    table: Agreement, row: Row, level: Level, name: str, scores: tuple[Array, Array], people: Array
) -> _Coefficient:
    """What makes a coefficient of judgements and of standardised scores; ε is that of the row, standardised too."""
    if level == "segment":
        if name == "spearman":
            return lambda x, y: correlation.spearman(x, y, table.group)
        if name == "kendall":
            return lambda x, y: correlation.kendall(x, y, table.group, table.tau)
        found = row.segment["accuracy"].found
        both = ~(np.isnan(people) | np.isnan(scores[0]) | np.isnan(scores[1]))
        spread = float(row.column.scores[both].std()) or 1.0
        epsilon = (found.epsilon or 0.0) / spread if isinstance(found, Value) else 0.0
        return lambda x, y: correlation.mean(correlation.accuracies(x, y, "item", epsilon))
    if name == "spa":
        return correlation.soft_accuracy
    of_systems: dict[str, _Coefficient] = {
        "spearman": correlation.spearman,
        "kendall": lambda x, y: correlation.kendall(x, y, kind=table.tau),
        "accuracy": correlation.system_accuracy,
    }

    def means(x: Array, y: Array) -> Found:
        there = ~(np.isnan(x) | np.isnan(y))
        return of_systems[name](correlation.system_scores(x, there), correlation.system_scores(y, there))

    return means


def _williams(table: Agreement, rows: tuple[Row, Row]) -> tuple[Williams | Undefined, Williams | Undefined]:
    segments = (~np.isnan(table.people)).sum(axis=0) > 0
    people, one = system_means(rows[0].column, table.people, segments)
    _, other = system_means(rows[1].column, table.people, segments)
    return between.williams(people, one, other), between.williams(people, other, one)
