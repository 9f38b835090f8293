"""The coefficients of agreement with people, each with all that the table, its intervals and its tests need of it.

A coefficient is an entry of `COEFFICIENTS`. Its functions for resamples take many rows of scores at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...types.columns import ratio
from .. import resampling
from ..table import Array
from . import correlation
from .correlation import Coefficient, Group, GroupCoefficients, Tau

Level: TypeAlias = Literal["segment", "system"]


class AgreementCoefficient(NamedTuple):
    """A coefficient of agreement with people.

    Human scores and metric scores are arrays, systems × segments, NaN where there is no value; at system level they
    have one value a system. A function is None where the coefficient has no such value.

    Attributes:
        label: its name within a sentence.
        head: its name at the head of a column; {tau} stands for the variant of Kendall's τ.
        over_outputs: the coefficient at segment level.
        by_group: the coefficient in each group of outputs, given ε; its intervals within segments are made of these.
        has_epsilon: whether the coefficient counts differences below ε as ties.
        over_systems: the coefficient at system level, of the systems' scores.
        over_system_outputs: the coefficient at system level, of the scores of all outputs.
        of_rows: the coefficient of each row of two matrices, resamples × systems; its intervals at system level are
            made of these.
        is_quick: whether it is computed fast enough for all resamples; others use fewer."""

    label: str
    head: str
    over_outputs: Callable[[Array, Array, Group, Tau], Coefficient] | None = None
    by_group: Callable[[Array, Array, Group, Tau, float], GroupCoefficients] | None = None
    has_epsilon: bool = False
    over_systems: Callable[[Array, Array, Tau], Coefficient] | None = None
    over_system_outputs: Callable[[Array, Array], Coefficient] | None = None
    of_rows: Callable[[Array, Array, Tau], Array] | None = None
    is_quick: bool = False

    def has_level(self, level: Level) -> bool:
        """Return whether the table has a column of the coefficient at a level."""
        if level == "segment":
            return self.over_outputs is not None
        return self.over_systems is not None or self.over_system_outputs is not None


def pearson_rows(x: Array, y: Array) -> Array:
    """Return Pearson's r of each row of `x` with the same row of `y`, over the positions where both have a value.

    It is NaN where it is undefined."""
    valid = ~(np.isnan(x) | np.isnan(y))
    n = valid.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y = (
            np.where(valid, v - np.where(valid, v, 0.0).sum(axis=1, keepdims=True) / n[:, None], 0.0) for v in (x, y)
        )
    size_x, size_y = np.sqrt((x * x).sum(axis=1)), np.sqrt((y * y).sum(axis=1))
    varies = (n > 1) & (size_x > 0) & (size_y > 0)
    coefficients: Array = np.divide((x * y).sum(axis=1), size_x * size_y, out=np.full(len(x), np.nan), where=varies)
    return coefficients.clip(-1.0, 1.0)


def spearman_rows(x: Array, y: Array) -> Array:
    """Return Spearman's ρ of each row of `x` with the same row of `y`; NaN where it is undefined."""
    valid = ~(np.isnan(x) | np.isnan(y))
    x, y = (np.where(valid, values, np.nan) for values in (x, y))

    def ranks(values: Array) -> Array:
        a, b = values[:, :, None], values[:, None, :]
        return np.where(valid, (a > b).sum(axis=2) + ((a == b).sum(axis=2) + 1) / 2, np.nan)

    return pearson_rows(ranks(x), ranks(y))


def kendall_rows(x: Array, y: Array, kind: Tau = "b") -> Array:
    """Return Kendall's τ of each row of `x` with the same row of `y`; NaN where it is undefined."""
    a, b, valid = _row_signs(x, y)

    def count(which: NDArray[np.bool_]) -> Array:
        counts: Array = (which & valid).sum(axis=1).astype(np.float64)
        return counts

    return correlation.tau_of_counts(
        count(a * b > 0), count(a * b < 0), count((a != 0) & (b == 0)), count((a == 0) & (b != 0)), kind
    )


def accuracy_rows(x: Array, y: Array) -> Array:
    """Return for each row the share of pairs of columns (systems) that `x` and `y` rank in the same order."""
    a, b, valid = _row_signs(x, y)
    return ratio(((a == b) & valid).sum(axis=1), valid.sum(axis=1), np.nan)


def _row_signs(x: Array, y: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return for each row and pair of columns the signs of the two differences, and whether both differences exist."""
    one, other = np.triu_indices(x.shape[1], 1)
    a, b = x[:, one] - x[:, other], y[:, one] - y[:, other]
    valid = ~(np.isnan(a) | np.isnan(b))
    margins = [resampling.ROUNDING * np.nanmax(np.abs(v), initial=0.0) for v in (x, y)]
    a, b = (np.where(valid & (np.abs(v) > margin), np.sign(v), 0.0) for v, margin in zip((a, b), margins, strict=True))
    return a, b, valid


#: The coefficients by their keys, in the order of the table's columns.
COEFFICIENTS: Mapping[str, AgreementCoefficient] = {
    "pearson": AgreementCoefficient(
        "Pearson",
        "Pearson",
        over_outputs=lambda people, metric, group, _: correlation.pearson(people, metric, group),
        by_group=lambda people, metric, group, *_: correlation.pearson_by_group(people, metric, group),
        over_systems=lambda people, metric, _: correlation.pearson(people, metric),
        of_rows=lambda x, y, _: pearson_rows(x, y),
        is_quick=True,
    ),
    "spearman": AgreementCoefficient(
        "Spearman",
        "Spearman",
        over_outputs=lambda people, metric, group, _: correlation.spearman(people, metric, group),
        by_group=lambda people, metric, group, *_: correlation.spearman_by_group(people, metric, group),
        over_systems=lambda people, metric, _: correlation.spearman(people, metric),
        of_rows=lambda x, y, _: spearman_rows(x, y),
    ),
    "kendall": AgreementCoefficient(
        "Kendall",
        "Kendall τ-{tau}",
        over_outputs=correlation.kendall,
        by_group=lambda people, metric, group, tau, _: correlation.kendall_by_group(people, metric, group, tau),
        over_systems=lambda people, metric, tau: correlation.kendall(people, metric, kind=tau),
        of_rows=kendall_rows,
    ),
    "accuracy": AgreementCoefficient(
        "accuracy of pairs",
        "Accuracy",
        over_outputs=lambda people, metric, *_: correlation.calibrated_accuracy(people, metric),
        by_group=lambda people, metric, group, _, epsilon: correlation.accuracy_by_group(
            people, metric, group, epsilon
        ),
        has_epsilon=True,
        over_systems=lambda people, metric, _: correlation.system_accuracy(people, metric),
        of_rows=lambda x, y, _: accuracy_rows(x, y),
    ),
    "spa": AgreementCoefficient("soft pairwise accuracy", "Soft acc.", over_system_outputs=correlation.soft_accuracy),
}
#: The keys of the coefficients of each level, in the order of the table's columns.
LEVELS: Mapping[Level, tuple[str, ...]] = {
    level: tuple([key for key, each in COEFFICIENTS.items() if each.has_level(level)])
    for level in ("segment", "system")
}
