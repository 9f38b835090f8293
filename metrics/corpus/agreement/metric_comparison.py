"""Which of two metrics agrees better with people, and whether that is chance.

PERM-BOTH asks how often a difference as large comes about if it did not matter which metric a score is from: the two
metrics' scores, each standardised, change places in outputs drawn by lot. It assumes nothing of how outputs depend on
each other. Williams' test does: it takes systems as independent items, so it stands at system level only.

Sources: Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods, PERM-BOTH; Williams (1959), with Steiger (1980), equation 7, and Graham and Baldwin (2014); Phipson and Smyth
(2010), p of drawn trials, which is never 0; Freitag and others (2023), ranks in clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..patterns import LEVEL
from ..resampling import PART, ROUNDING, one_thread
from ..table import Array
from . import correlation
from .correlation import CoefficientValue, Group, Undefined, UndefinedReason

#: Permutations, and the seed of the lots.
TRIALS, SEED = 1000, 12345
#: Permutations that stand in memory together, at the most.
TOGETHER = 100


class PermBothResult(NamedTuple):
    """Metrics held against each other. `values` are their coefficients, NaN where one is undefined, and `p` is for each
    two how often the first is ahead of the second by as much as it is, or more, where their scores change places by
    lot: small where the first agrees better with people. A metric beside itself, or beside one without a value, has
    1."""

    values: tuple[float, ...]
    p: tuple[tuple[float, ...], ...]
    trials: int


class PermBothPair(NamedTuple):
    """Two metrics' coefficients, the difference of the first less the second, and p of each being the better one."""

    values: tuple[float, float]
    p: tuple[float, float]

    @property
    def difference(self) -> float:
        return self.values[0] - self.values[1]


# ---------------------------------------------------------------- PERM-BOTH


def perm_both(
    people: Array, metrics: Sequence[Array], group: Group | None, trials: int = TRIALS, seed: int = SEED
) -> PermBothResult:
    """PERM-BOTH of Pearson for each two of several metrics, all of them systems × segments as people's judgements.

    With a group at the level of segments; None stands for systems, whose scores are the means of their segments'. Each
    two are compared on the outputs that both have scored.

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
    # So many pairs at once that neither their scores nor the sums of a part of the trials take much memory.
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
    values = [_value(correlation.pearson(*_at_level(people, each, group))) for each in metrics]
    return PermBothResult(tuple(values), tuple([tuple(row) for row in p.tolist()]), trials)


def _at_level(people: Array, metric: Array, group: Group | None) -> tuple[Array, Array] | tuple[Array, Array, Group]:
    if group is not None:
        return people, metric, group
    valid = ~(np.isnan(people) | np.isnan(metric))
    return correlation.system_scores(people, valid), correlation.system_scores(metric, valid)


def _value(coefficient: correlation.Coefficient) -> float:
    return coefficient.value if isinstance(coefficient, CoefficientValue) else math.nan


def swaps(shape: tuple[int, int], trials: int, seed: int = SEED) -> Iterator[NDArray[np.bool_]]:
    """In which outputs the scores of two metrics change places: parts of trials × systems × segments."""
    random = np.random.default_rng(seed)
    step = _trials_at_once(shape[0] * shape[1], trials)
    for at in range(0, trials, step):
        # Drawn by rows, so that a part's size changes no lot.
        yield np.stack([random.random(shape) < 0.5 for _ in range(min(step, trials - at))])


def _trials_at_once(outputs: int, trials: int) -> int:
    """How many trials stand in memory together."""
    return max(1, min(TOGETHER, trials, PART // max(1, outputs)))


def _pearson_of_pairs(
    people: Array,
    metrics: Sequence[Array],
    pairs: Sequence[tuple[int, int]],
    group: Group | None,
    trials: int,
    seed: int,
) -> Iterator[tuple[float, float]]:
    """The p of each pair of metrics, either being the better one."""
    one, other, h, valid = _standardised(people, metrics, pairs)
    if group is None:
        base, moved = (each.sum(axis=2)[None] for each in (one, other))
        of = _of_systems(h, valid)
    else:
        base, moved = (_sums(each, h, group) for each in (one, other))
        of = _of_groups(h, valid, group)
    base_values = of(base), of(moved)
    differences = []
    for swapped in swaps(people.shape, trials, seed):
        more = _moved(swapped, one, other, h, group)
        differences.append(of(base + more) - of(moved - more))
    drawn = np.concatenate(differences)
    real = (base_values[0] - base_values[1])[0]
    for n in range(len(pairs)):
        yield _p(drawn[:, n], float(real[n])), _p(-drawn[:, n], -float(real[n]))


def _p(drawn: Array, real: float) -> float:
    """How often a difference is as large as the real one, with one more in both numbers; 1 where it is undefined."""
    if math.isnan(real):
        return 1.0
    return (int(np.count_nonzero(drawn >= real - ROUNDING)) + 1) / (len(drawn) + 1)


def _standardised(
    people: Array, metrics: Sequence[Array], pairs: Sequence[tuple[int, int]]
) -> tuple[Array, Array, Array, Array]:
    """For each pair both metrics' scores with mean 0 and deviation 1, people's with mean 0, and 1 where all have one,
    all 0 elsewhere: arrays of pairs × systems × segments."""
    valid = np.stack([~(np.isnan(people) | np.isnan(metrics[a]) | np.isnan(metrics[b])) for a, b in pairs])

    def standard(values: Array, of: NDArray[np.bool_]) -> Array:
        if not of.any():
            return np.zeros_like(values)
        centred = np.where(of, values - values[of].mean(), 0.0)
        spread = centred[of].std()
        constant = spread <= correlation.CONSTANT * max(1e-300, float(np.abs(values[of]).max()))
        scaled: Array = np.zeros_like(centred) if constant else centred / spread
        return scaled

    one, other = (
        np.stack([standard(metrics[pair[side]], each) for pair, each in zip(pairs, valid, strict=True)])
        for side in (0, 1)
    )
    return one, other, np.stack([standard(people, each) for each in valid]), valid.astype(np.float64)


_AXES: dict[Group, tuple[int, ...]] = {"none": (1, 2), "item": (1,), "sys": (2,)}


def _sums(values: Array, h: Array, group: Group) -> Array:
    """Σx, Σxx and Σxh of each pair and group: 1 × pairs × groups × 3."""
    each = np.stack([values, values * values, values * h], axis=-1)
    sums: Array = each.sum(axis=_AXES[group]).reshape(1, len(values), -1, 3)
    return sums


def _moved(swapped: NDArray[np.bool_], one: Array, other: Array, h: Array, group: Group | None) -> Array:
    """What the swapped outputs add to the sums of the first metric, and take from those of the second."""
    lots = swapped.astype(np.float64)
    if group is None:
        each = (other - one)[..., None]
    else:
        each = np.stack([other - one, other * other - one * one, (other - one) * h], axis=-1)
    pairs, systems, segments, columns = each.shape
    with one_thread():
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
    moved_sums: Array = products[..., 0] if group is None else products
    return moved_sums


def _of_groups(h: Array, valid: Array, group: Group) -> Callable[[Array], Array]:
    """What makes coefficients, rows × pairs, of sums: their mean over groups in which they are defined."""
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


def _of_systems(h: Array, valid: Array) -> Callable[[Array], Array]:
    """The same of sums of systems."""
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


def perm_both_of(
    of: Sequence[Callable[[Array, Array], float]],
    people: Array,
    metrics: tuple[Array, Array],
    trials: int = TRIALS,
    seed: int = SEED,
) -> PermBothPair:
    """PERM-BOTH of any coefficient for two metrics, one permutation after the other: `of` makes it for each of both, of
    people's judgements and scores that are standardised, NaN where it is undefined.

    >>> random = np.random.default_rng(0)
    >>> people = random.normal(size=(4, 50))
    >>> tau = lambda x, y: correlation.kendall(x, y).value
    >>> perm_both_of((tau, tau), people, (people, random.normal(size=(4, 50))), 50).p[1]
    1.0
    """
    one, other, _, valid = _standardised(people, metrics, [(0, 1)])
    x, y = (np.where(valid[0] > 0, each[0], np.nan) for each in (one, other))
    values = of[0](people, x), of[1](people, y)
    drawn = []
    for part in swaps(people.shape, trials, seed):
        for swapped in part:
            drawn.append(of[0](people, np.where(swapped, y, x)) - of[1](people, np.where(swapped, x, y)))
    real, differences = values[0] - values[1], np.array(drawn)
    return PermBothPair(values, (_p(differences, real), _p(-differences, -real)))


# ---------------------------------------------------------------- Williams


class Williams(NamedTuple):
    """Williams' t of so many degrees of freedom, and p that the first metric's correlation is no higher, in one
    direction."""

    t: float
    freedom: int
    p: float


def williams(people: Array, one: Array, other: Array) -> Williams | Undefined:
    """Whether the scores of the first of two metrics correlate better with people's than those of the second: three
    arrays with a value a system. It takes systems as independent items, which segments are not.

    >>> people = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> found = williams(people, np.array([1.0, 2.0, 3.0, 5.0, 4.0]), np.array([2.0, 1.0, 5.0, 3.0, 4.0]))
    >>> round(found.t, 3), found.freedom, round(found.p, 3)
    (0.991, 2, 0.213)
    """
    valid = ~(np.isnan(people) | np.isnan(one) | np.isnan(other))
    n = int(valid.sum())
    if n < 4:
        return Undefined(UndefinedReason.FEW, "Williams' test needs four systems at least.")
    people, one, other = people[valid], one[valid], other[valid]
    each = [correlation.pearson(a, b) for a, b in ((people, one), (people, other), (one, other))]
    for coefficient in each:
        if isinstance(coefficient, Undefined):
            return coefficient
    r12, r13, r23 = (_value(coefficient) for coefficient in each)
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= ROUNDING:
        return Undefined(
            UndefinedReason.TIES, "The two metrics score the systems alike, so there is no difference to be tested."
        )
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return Williams(t, n - 3, student_tail(t, n - 3))


def student_tail(t: float, freedom: int) -> float:
    """How likely Student's t of so many degrees of freedom is to be above a value (Abramowitz and Stegun, 26.7.3 and
    26.7.4).

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


def clusters(result: PermBothResult, level: float = LEVEL) -> tuple[int | None, ...]:
    """The cluster of each metric from 1, None without a value. From the best on, each belongs to the cluster before it
    until one of that cluster is better than it by more than chance: so metrics of one cluster may still differ from
    those of the next by no more than chance, one by one.

    >>> clusters(PermBothResult((0.5, 0.4, 0.1), ((1.0, 0.3, 0.01), (0.7, 1.0, 0.04), (1.0, 0.9, 1.0)), 100))
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
