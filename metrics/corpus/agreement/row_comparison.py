"""Compares two rows of the agreement table by any of its coefficients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from ..table import Array
from . import correlation, metric_comparison
from .agreement_table import AgreementRow, AgreementTable, human_scores_for, system_means
from .coefficients import COEFFICIENTS, Level
from .correlation import Coefficient, CoefficientValue, UndefinedCoefficient, UndefinedReason
from .metric_comparison import PermBothPair, Williams

#: Number of permutations where each is slow: at segment level for all coefficients but Pearson.
FEW = 300

_Coefficient: TypeAlias = Callable[[Array, Array], Coefficient]


class AgreementComparison(NamedTuple):
    """The tests of which of two rows of the agreement table agrees better with people, by one coefficient.

    For PERM-BOTH the score of a system is the mean of its segment scores, since it swaps scores within segments.
    Williams' test uses the scores in the table.

    Attributes:
        permuted: the PERM-BOTH test; Undefined if a coefficient is, or if the two rows have different human scores.
        trials: number of its permutations.
        williams: Williams' test of the first row against the second, and of the second against the first; None unless
            the coefficient is Pearson at system level."""

    permuted: PermBothPair | UndefinedCoefficient
    trials: int
    williams: tuple[Williams | UndefinedCoefficient, Williams | UndefinedCoefficient] | None


def compare_rows(
    table: AgreementTable, one: str, other: str, level: Level, coefficient_name: str, trials: int | None = None
) -> AgreementComparison:
    """Return the tests of whether the row with the key `one` agrees better with people than the row `other`.

    `coefficient_name` is a coefficient in `LEVELS[level]`. The table must have its coefficients already. `trials` is
    the number of permutations, None for the default. Raises KeyError for an unknown key or name.

    >>> from metrics.corpus.agreement import agreement_table, external_column
    >>> from metrics.text.judgements import JudgementRecord, RatingScale
    >>> truth, noise = np.random.default_rng(0).normal(size=(2, 4, 50))
    >>> judged = JudgementRecord(tuple("ABCD"), 50, ("x",), (RatingScale("esa"),), {"esa": truth[:, :, None]})
    >>> columns = [external_column("near", truth + noise), external_column("noise", noise)]
    >>> table = agreement_table(columns, judged, resamples=50)
    >>> found = compare_rows(table, "near", "noise", "segment", "kendall", 100)
    >>> found.permuted.difference > 0, found.permuted.p[0] < 0.05 < found.permuted.p[1]
    (True, True)
    """
    rows = table.row(one), table.row(other)
    if coefficient_name not in rows[0].cells_at(level):
        raise KeyError(coefficient_name)
    williams = _williams(table, rows) if (level, coefficient_name) == ("system", "pearson") else None
    for row in rows:
        coefficient = row.cells_at(level)[coefficient_name].coefficient
        if isinstance(coefficient, UndefinedCoefficient):
            return AgreementComparison(coefficient, 0, williams)
    if rows[0].column.people is not rows[1].column.people:
        why = UndefinedCoefficient(
            UndefinedReason.FEW, "The two are compared with different judgements, so their scores cannot be exchanged."
        )
        return AgreementComparison(why, 0, None)
    people, scores = human_scores_for(rows[0].column, table.people), (rows[0].column.scores, rows[1].column.scores)
    if coefficient_name == "pearson":
        tried = trials or metric_comparison.TRIALS
        result = metric_comparison.perm_both(people, scores, table.group if level == "segment" else None, tried)
        first, second = result.values
        return AgreementComparison(PermBothPair((first, second), (result.p[0][1], result.p[1][0])), tried, williams)
    tried = trials or (FEW if level == "segment" else metric_comparison.TRIALS)
    of = tuple(
        [_as_float_function(_coefficient_function(table, row, level, coefficient_name, scores, people)) for row in rows]
    )
    return AgreementComparison(metric_comparison.perm_both_of_coefficient(of, people, scores, tried), tried, williams)


def _as_float_function(of: _Coefficient) -> Callable[[Array, Array], float]:
    """Return `of` changed so that it returns the value of its coefficient as a float, NaN if undefined."""

    def value(people: Array, metric: Array) -> float:
        coefficient = of(people, metric)
        return coefficient.value if isinstance(coefficient, CoefficientValue) else math.nan

    return value


def _coefficient_function(
    table: AgreementTable, row: AgreementRow, level: Level, name: str, scores: tuple[Array, Array], people: Array
) -> _Coefficient:
    """Return the function from human and standardised metric scores to the coefficient called `name`.

    The ε of accuracy is that of the row, scaled in the same way as the scores."""
    coefficient = COEFFICIENTS[name]
    if level == "segment" and coefficient.has_epsilon and coefficient.by_group is not None:
        by_group, its = coefficient.by_group, row.segment[name].coefficient
        shared = ~(np.isnan(people) | np.isnan(scores[0]) | np.isnan(scores[1]))
        spread = float(row.column.scores[shared].std()) or 1.0
        epsilon = (its.epsilon or 0.0) / spread if isinstance(its, CoefficientValue) else 0.0
        return lambda x, y: correlation.mean_over_groups(by_group(x, y, "item", table.tau, epsilon))
    if level == "segment" and coefficient.over_outputs is not None:
        over_outputs = coefficient.over_outputs
        return lambda x, y: over_outputs(x, y, table.group, table.tau)
    if level == "system" and coefficient.over_system_outputs is not None:
        return coefficient.over_system_outputs
    of_systems = coefficient.over_systems
    if level == "segment" or of_systems is None:
        raise KeyError(name)

    def means(x: Array, y: Array) -> Coefficient:
        valid = ~(np.isnan(x) | np.isnan(y))
        return of_systems(correlation.system_scores(x, valid), correlation.system_scores(y, valid), table.tau)

    return means


def _williams(
    table: AgreementTable, rows: tuple[AgreementRow, AgreementRow]
) -> tuple[Williams | UndefinedCoefficient, Williams | UndefinedCoefficient]:
    """Return Williams' test of the first row against the second, and of the second against the first."""
    segments = (~np.isnan(table.people)).sum(axis=0) > 0
    people, one = system_means(rows[0].column, table.people, segments)
    _, other = system_means(rows[1].column, table.people, segments)
    return metric_comparison.williams(people, one, other), metric_comparison.williams(people, other, one)
