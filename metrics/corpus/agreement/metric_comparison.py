"""Tests which of two metrics agrees better with people, and whether the difference is chance.

PERM-BOTH asks how often so large a difference occurs if it does not matter which metric a score comes from. It
standardises the scores of both metrics and swaps them in randomly drawn outputs. It assumes nothing about how outputs
depend on each other. Williams' test assumes that systems are independent items, so it applies at system level only.

Sources: Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods, PERM-BOTH; Williams (1959), with Steiger (1980), equation 7, and Graham and Baldwin (2014); Phipson and Smyth
(2010), p of drawn trials, which is never 0; Freitag and others (2023), ranks in clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..patterns import LEVEL
from ..resampling import PART, ROUNDING, single_core_products
from ..table import Array
from . import correlation
from .correlation import CoefficientValue, Group, UndefinedCoefficient, UndefinedReason

#: Number of permutations, and the seed of the random swaps.
TRIALS, SEED = 1000, 12345
#: Maximum number of permutations that are kept in memory together.
TOGETHER = 100


class PermBothResult(NamedTuple):
    """The PERM-BOTH tests of which metric agrees better with people, for all pairs of several metrics.

    Attributes:
        values: coefficient of each metric, NaN where it is undefined.
        p: `p[a][b]` is the share of permutations in which `a` leads `b` by at least as much as observed; small where
            `a` agrees better with people. It is 1 for a metric against itself and for undefined coefficients.
        trials: number of permutations."""

    values: tuple[float, ...]
    p: tuple[tuple[float, ...], ...]
    trials: int


class PermBothPair(NamedTuple):
    """The coefficients of two metrics with people, and for each the p-value that it is the better one."""

    values: tuple[float, float]
    p: tuple[float, float]

    @property
    def difference(self) -> float:
        """Return the coefficient of the first metric of the pair minus that of the second."""
        return self.values[0] - self.values[1]


# ---------------------------------------------------------------- PERM-BOTH


def perm_both(
    people: Array, metrics: Sequence[Array], group: Group | None, trials: int = TRIALS, seed: int = SEED
) -> PermBothResult:
    """Return for each pair of metrics the PERM-BOTH test of whose Pearson correlation with people is higher.

    `people` and all metrics are systems × segments. A `group` compares at segment level; None compares systems by the
    means of their segment scores. Each pair is compared on the outputs that both metrics scored.

    >>> random = np.random.default_rng(0)
    >>> people = random.normal(size=(4, 50))
    >>> close, noise = people + 0.1 * random.normal(size=(4, 50)), random.normal(size=(4, 50))
    >>> found = perm_both(people, [close, noise], "none", 200)
    >>> round(found.p[0][1], 3), found.p[1][0]
    (0.005, 1.0)
    """
    number = len(metrics)
    pairs = [(a, b) for a in range(number) for b in range(a + 1, number)]
    p = np.ones((number, number))
    # The batch of pairs is chosen so that neither their scores nor the sums of one batch of trials take much memory.
    groups = 1 if group == "none" else people.shape[1] if group == "item" else people.shape[0]
    width = max(
        1, min(PART // max(1, people.size * 4), PART // max(1, 3 * groups * _trials_at_once(people.size, trials)))
    )
    for first in range(0, len(pairs), width):
        pair_batch = pairs[first : first + width]
        for (a, b), each in zip(
            pair_batch, _pearson_of_pairs(people, metrics, pair_batch, group, trials, seed), strict=True
        ):
            p[a, b], p[b, a] = each
    values = [_value_or_nan(correlation.pearson(*_pearson_arguments(people, each, group))) for each in metrics]
    return PermBothResult(tuple(values), tuple([tuple(row) for row in p.tolist()]), trials)


def _pearson_arguments(
    people: Array, metric: Array, group: Group | None
) -> tuple[Array, Array] | tuple[Array, Array, Group]:
    """Return the arguments of `correlation.pearson`: the arrays with `group`, or the means of systems if it is None."""
    if group is not None:
        return people, metric, group
    valid = ~(np.isnan(people) | np.isnan(metric))
    return correlation.system_scores(people, valid), correlation.system_scores(metric, valid)


def _value_or_nan(coefficient: correlation.Coefficient) -> float:
    """Return the value of a coefficient, NaN if it is undefined."""
    return coefficient.value if isinstance(coefficient, CoefficientValue) else math.nan


def draw_swaps(shape: tuple[int, int], trials: int, seed: int = SEED) -> Iterator[NDArray[np.bool_]]:
    """Yield random swaps of two metrics' scores, as boolean batches of trials × systems × segments.

    `shape` is the number of systems and of segments. True swaps the two scores of an output."""
    random = np.random.default_rng(seed)
    step = _trials_at_once(shape[0] * shape[1], trials)
    for at in range(0, trials, step):
        # Drawn trial by trial, so that the batch size does not change the random numbers.
        yield np.stack([random.random(shape) < 0.5 for _ in range(min(step, trials - at))])


def _trials_at_once(outputs: int, trials: int) -> int:
    """Return how many trials of a test on `outputs` outputs are kept in memory together."""
    return max(1, min(TOGETHER, trials, PART // max(1, outputs)))


def _pearson_of_pairs(
    people: Array,
    metrics: Sequence[Array],
    pairs: Sequence[tuple[int, int]],
    group: Group | None,
    trials: int,
    seed: int,
) -> Iterator[tuple[float, float]]:
    """Yield for each pair of metrics the p-value that the first is better, and the p-value that the second is."""
    one, other, h, valid = _standardise(people, metrics, pairs)
    if group is None:
        base, moved = (each.sum(axis=2)[None] for each in (one, other))
        of = _system_coefficients(h, valid)
    else:
        base, moved = (_pearson_sums(each, h, group) for each in (one, other))
        of = _group_coefficients(h, valid, group)
    base_values = of(base), of(moved)
    differences = []
    for swapped in draw_swaps(people.shape, trials, seed):
        more = _swap_changes(swapped, one, other, h, group)
        differences.append(of(base + more) - of(moved - more))
    drawn = np.concatenate(differences)
    real = (base_values[0] - base_values[1])[0]
    for n in range(len(pairs)):
        yield _p_value(drawn[:, n], float(real[n])), _p_value(-drawn[:, n], -float(real[n]))


def _p_value(drawn: Array, real: float) -> float:
    """Return the share of drawn differences that are at least as large as the real one, 1 where that is NaN.

    The real one is counted among the drawn, so that p is never 0 (Phipson and Smyth 2010)."""
    if math.isnan(real):
        return 1.0
    return (int(np.count_nonzero(drawn >= real - ROUNDING)) + 1) / (len(drawn) + 1)


def _standardise(
    people: Array, metrics: Sequence[Array], pairs: Sequence[tuple[int, int]]
) -> tuple[Array, Array, Array, Array]:
    """Return for each pair of metrics the first scores, the second scores, the human scores, and 1 where all exist.

    All are pairs × systems × segments, and 0 where a value is missing. Scores have mean 0 and standard deviation 1."""
    valid = np.stack([~(np.isnan(people) | np.isnan(metrics[a]) | np.isnan(metrics[b])) for a, b in pairs])

    def standard(values: Array, of: NDArray[np.bool_]) -> Array:
        if not of.any():
            return np.zeros_like(values)
        centred = np.where(of, values - values[of].mean(), 0.0)
        spread = centred[of].std()
        constant = spread <= correlation.CONSTANT * max(1e-300, float(np.abs(values[of]).max()))
        return np.zeros_like(centred) if constant else centred / spread

    one, other = (
        np.stack([standard(metrics[pair[side]], each) for pair, each in zip(pairs, valid, strict=True)])
        for side in (0, 1)
    )
    return one, other, np.stack([standard(people, each) for each in valid]), valid.astype(np.float64)


_AXES: dict[Group, tuple[int, ...]] = {"none": (1, 2), "item": (1,), "sys": (2,)}


def _pearson_sums(values: Array, h: Array, group: Group) -> Array:
    """Return the sums that Pearson needs of each pair of metrics and group, 1 × pairs × groups × 3.

    They are Σx, Σxx and Σxh, where x are the scores `values` and `h` the human scores."""
    each = np.stack([values, values * values, values * h], axis=-1)
    sums: Array = each.sum(axis=_AXES[group]).reshape(1, len(values), -1, 3)
    return sums


def _swap_changes(swapped: NDArray[np.bool_], one: Array, other: Array, h: Array, group: Group | None) -> Array:
    """Return what the swaps add to the Pearson sums of the first metric of each pair; the second loses as much.

    `one` and `other` are the scores of the first and the second metric, `h` the human scores, pairs × systems ×
    segments."""
    lots = swapped.astype(np.float64)
    if group is None:
        each = (other - one)[..., None]
    else:
        each = np.stack([other - one, other * other - one * one, (other - one) * h], axis=-1)
    pairs, systems, segments, columns = each.shape
    with single_core_products():
        if group == "none":
            flat = each.transpose(1, 2, 0, 3).reshape(systems * segments, -1)
            products = (lots.reshape(len(lots), -1) @ flat).reshape(len(lots), pairs, 1, columns)
        elif group == "item":
            by = each.transpose(2, 1, 0, 3).reshape(segments, systems, -1)
            products = np.matmul(lots.transpose(2, 0, 1), by).transpose(1, 2, 0)
            products = products.reshape(len(lots), pairs, columns, segments).transpose(0, 1, 3, 2)
        else:
            by = each.transpose(1, 2, 0, 3).reshape(systems, segments, -1)
            products = np.matmul(lots.transpose(1, 0, 2), by).transpose(1, 2, 0)
            products = products.reshape(len(lots), pairs, columns, systems).transpose(0, 1, 3, 2)
    return products[..., 0] if group is None else products


def _group_coefficients(h: Array, valid: Array, group: Group) -> Callable[[Array], Array]:
    """Return a function from the sums of `_pearson_sums`, trials first, to coefficients, trials × pairs.

    A coefficient is the mean of Pearson over the groups in which it is defined."""
    axes = _AXES[group]
    n, sum_h, sum_hh = (each.sum(axis=axes).reshape(1, len(h), -1) for each in (valid, h, h * h))

    def mean_coefficients(sums: Array) -> Array:
        x, xx, xh = np.moveaxis(sums, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread_x, spread_h = xx - x * x / n, sum_hh - sum_h * sum_h / n
            varies = (n > 1) & (spread_x > 1e-12 * xx) & (spread_h > 1e-12 * sum_hh)
            r = np.where(varies, (xh - x * sum_h / n) / np.sqrt(spread_x * spread_h), 0.0)
            means: Array = r.sum(axis=2) / varies.sum(axis=2)
        return means

    return mean_coefficients


def _system_coefficients(h: Array, valid: Array) -> Callable[[Array], Array]:
    """Return a function from sums of a metric's scores, trials × pairs × systems, to Pearson over systems.

    The coefficients are trials × pairs. `h` are the human scores, pairs × systems × segments."""
    n = valid.sum(axis=2)[None]
    used = n > 0
    count = used.sum(axis=2, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(used, h.sum(axis=2)[None] / n, 0.0)
        means = np.where(used, means - means.sum(axis=2, keepdims=True) / count, 0.0)

    def system_coefficients(sums: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            x = np.where(used, sums / n, 0.0)
            x = np.where(used, x - x.sum(axis=2, keepdims=True) / count, 0.0)
            size = np.sqrt((x * x).sum(axis=2) * (means * means).sum(axis=2))
            coefficients: Array = np.where(size > 0, (x * means).sum(axis=2) / size, np.nan)
        return coefficients

    return system_coefficients


def perm_both_of_coefficient(
    coefficient_functions: Sequence[Callable[[Array, Array], float]],
    people: Array,
    metrics: tuple[Array, Array],
    trials: int = TRIALS,
    seed: int = SEED,
) -> PermBothPair:
    """Return the PERM-BOTH test of two metrics for any coefficient, computed permutation by permutation.

    `coefficient_functions` has one function for each metric. It maps human scores and standardised metric scores to the
    coefficient, NaN where that is undefined.

    >>> random = np.random.default_rng(0)
    >>> people = random.normal(size=(4, 50))
    >>> tau = lambda x, y: correlation.kendall(x, y).value
    >>> perm_both_of_coefficient((tau, tau), people, (people, random.normal(size=(4, 50))), 50).p[1]
    1.0
    """
    one, other, _, valid = _standardise(people, metrics, [(0, 1)])
    x, y = (np.where(valid[0] > 0, each[0], np.nan) for each in (one, other))
    values = coefficient_functions[0](people, x), coefficient_functions[1](people, y)
    drawn = []
    for part in draw_swaps(people.shape, trials, seed):
        for swapped in part:
            drawn.append(
                coefficient_functions[0](people, np.where(swapped, y, x))
                - coefficient_functions[1](people, np.where(swapped, x, y))
            )
    real, differences = values[0] - values[1], np.array(drawn)
    return PermBothPair(values, (_p_value(differences, real), _p_value(-differences, -real)))


# ---------------------------------------------------------------- Williams


class Williams(NamedTuple):
    """The t statistic of Williams' test with its degrees of freedom and its one-sided p-value."""

    t: float
    freedom: int
    p: float


def williams(people: Array, one: Array, other: Array) -> Williams | UndefinedCoefficient:
    """Return Williams' test of whether the metric `one` correlates better with people than the metric `other`.

    The arrays have one value a system. The test assumes independent items, which segments are not. Returns Undefined
    for fewer than four systems, for an undefined correlation, and for metrics that score the systems alike.

    >>> people = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> found = williams(people, np.array([1.0, 2.0, 3.0, 5.0, 4.0]), np.array([2.0, 1.0, 5.0, 3.0, 4.0]))
    >>> round(found.t, 3), found.freedom, round(found.p, 3)
    (0.991, 2, 0.213)
    """
    valid = ~(np.isnan(people) | np.isnan(one) | np.isnan(other))
    n = int(valid.sum())
    if n < 4:
        return UndefinedCoefficient(UndefinedReason.FEW, "Williams' test needs at least four systems.")
    people, one, other = people[valid], one[valid], other[valid]
    each = [correlation.pearson(a, b) for a, b in ((people, one), (people, other), (one, other))]
    for coefficient in each:
        if isinstance(coefficient, UndefinedCoefficient):
            return coefficient
    r12, r13, r23 = (_value_or_nan(coefficient) for coefficient in each)
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= ROUNDING:
        return UndefinedCoefficient(
            UndefinedReason.TIES, "The two metrics score the systems alike, so there is no difference to test."
        )
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return Williams(t, n - 3, student_tail(t, n - 3))


def student_tail(t: float, freedom: int) -> float:
    """Return the probability that Student's t exceeds `t` (Abramowitz and Stegun, 26.7.3 and 26.7.4).

    >>> round(student_tail(0.0, 7), 3), round(student_tail(2.0, 10), 5)
    (0.5, 0.03669)
    """
    angle = math.atan(t / math.sqrt(freedom))
    cos, sin = math.cos(angle), math.sin(angle)
    term, total = (1.0, 1.0) if freedom % 2 == 0 else (cos, cos)
    for n in range(2 if freedom % 2 == 0 else 3, freedom - 1, 2):
        term *= cos * cos * (n - 1) / n
        total += term
    inside = sin * total
    if freedom % 2:
        inside = 2 / math.pi * (angle + (inside if freedom > 1 else 0.0))
    return (1 - inside) / 2


# ---------------------------------------------------------------- clusters


def cluster_numbers(result: PermBothResult, level: float = LEVEL) -> tuple[int | None, ...]:
    """Return for each metric the number of its cluster, from 1 for the best; None if its value is undefined.

    From the best metric on, each joins the current cluster unless a member of it is significantly better. So a metric
    need not differ significantly from each metric in the next cluster.

    >>> cluster_numbers(PermBothResult((0.5, 0.4, 0.1), ((1.0, 0.3, 0.01), (0.7, 1.0, 0.04), (1.0, 0.9, 1.0)), 100))
    (1, 1, 2)
    """
    out: list[int | None] = [None] * len(result.values)
    defined = [n for n, value in enumerate(result.values) if not math.isnan(value)]
    cluster, members = 1, list[int]()
    for n in sorted(defined, key=lambda n: -result.values[n]):
        if any(result.p[member][n] < level for member in members):
            cluster, members = cluster + 1, []
        members.append(n)
        out[n] = cluster
    return tuple(out)
