"""The significance tests for scores and differences: intervals, the paired bootstrap and approximate randomisation.

A resample of a corpus is the sum of the statistics of its segments, each as often as it was drawn. So a thousand
resamples are one product of two matrices: how often each resample has each segment, times the statistics of each
segment. `Metric.from_stats` computes the scores of all resamples at once. The random draws are those of sacreBLEU (Post
2018, version 2.6), so that its p values are reproduced to the last digit where its statistics are equal.

Sources: Efron (1979), the bootstrap and its percentile intervals. Koehn (2004), resampling for machine translation.
Riezler and Maxwell (2005), approximate randomisation, which rejects no more often than it states where two systems are
equal; the paired bootstrap rejects twice as often. Phipson and Smyth (2010), p of drawn trials, which is never 0. Holm
(1979), the correction for several tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .table import Array, StatisticsTable

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

#: The seed and the numbers of draws of sacreBLEU's programs.
SEED = 12345
RESAMPLES = 1000
TRIALS = 10_000

#: The most numbers, of 8 bytes each, in one part of the draws, and in an array next to it.
PART = 4_000_000
#: The draws that are counted together: as many as fit into the cache of a core.
NEAR = 32_768
#: Booleans are drawn 32 at a time and the rest of a word is lost, so a part of the trials has a multiple of 32 rows.
WORD = 32
#: Numbers that differ by no more than this are equal: the same sum may have been computed in another order.
ROUNDING = 1e-12

#: One in this many resamples lies outside the interval on each side.
_TAIL = 40


class Interval(NamedTuple):
    """The lower and upper end of a 95 % interval, between which the middle 95 % of the resamples lie."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Return half of this interval's width, for "score ± half"."""
        return (self.high - self.low) / 2

    @property
    def swapped(self) -> Interval:
        """Return the interval of the opposite difference: of A's score less B's if this one is of B's less A's."""
        return Interval(-self.high, -self.low)


def interval(scores: Array) -> Interval:
    """Return the interval that holds the middle 95 % of the scores of resamples, as sacreBLEU computes it.

    >>> interval(np.arange(1000.0))
    Interval(low=25.0, high=974.0)
    """
    ordered, outside = np.sort(scores), len(scores) // _TAIL
    return Interval(float(ordered[outside]), float(ordered[len(ordered) - outside - 1]))


def intervals(samples: Array, size: int) -> list[Interval] | None:
    """Return the 95 % interval of each row of `samples`, which holds the scores of resamples of `size` segments."""
    return [interval(scores) for scores in samples] if size > 1 else None


def resample_counts(size: int, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Array]:
    """Yield how often each resample has each of `size` segments, as arrays resamples × segments.

    The arrays are parts of one array with `resamples` rows, so that it need not be in memory as a whole.

    >>> np.concatenate([*resample_counts(4, 3)]).sum(axis=1)
    array([4., 4., 4.])
    """
    random = np.random.default_rng(seed)
    step, few = max(1, PART // size), max(1, NEAR // size)
    row = np.arange(few)[:, None] * size
    for at in range(0, resamples, step):
        part = np.empty((min(step, resamples - at), size))
        for first in range(0, len(part), few):
            number = min(few, len(part) - first)
            draws = random.choice(size, size=(number, size), replace=True)
            draws += row[:number]
            part[first : first + number] = np.bincount(draws.ravel(), minlength=number * size).reshape(number, size)
        yield part


def resample_sums(columns: Sequence[Array], resamples: int = RESAMPLES, seed: int = SEED) -> list[Array]:
    """Return, for each array (segments × columns), its sums over each resample (resamples × columns).

    All arrays are about the same segments, and all are summed over the same resamples.
    """
    # One product with many columns takes a third of the time of many products with few columns.
    batches: list[list[Array]] = [[]]
    for each in columns:
        if batches[-1] and sum(other.size for other in batches[-1]) + each.size > PART:
            batches.append([])
        batches[-1].append(each)
    parts = []
    with single_core_products():
        for drawn in resample_counts(len(columns[0]), resamples, seed):
            parts.append(np.concatenate([drawn @ np.concatenate(batch, axis=1) for batch in batches], axis=1))
    return np.split(np.concatenate(parts), np.cumsum([each.shape[1] for each in columns])[:-1], axis=1)


def single_core_products() -> AbstractContextManager[Any]:
    """Return a context manager within which products of matrices use only one core.

    Without threadpoolctl they use all cores, which changes nothing but the time."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


@cache
def _controller() -> ThreadpoolController | None:
    """Return the controller of the threads of BLAS, the library that multiplies matrices; it is created once.

    None if threadpoolctl is not installed."""
    try:
        from threadpoolctl import ThreadpoolController
    except ModuleNotFoundError:
        return None
    return ThreadpoolController()


def scores_of_resamples(tables: Sequence[StatisticsTable], resamples: int = RESAMPLES, seed: int = SEED) -> list[Array]:
    """Return, for each table, the scores of its systems on resamples of the corpus (systems × resamples).

    All tables are scored on the same resamples.
    """
    columns = [each for table in tables for each in table.summed_columns]
    resampled_sums = iter(resample_sums(columns, resamples, seed))
    return [table.scores_of_sums(np.stack([next(resampled_sums) for _ in table.summed_columns])) for table in tables]


def paired_bootstrap_p(a: Array, b: Array, difference: float) -> float:
    """Return sacreBLEU's p of the paired bootstrap for a difference of scores.

    `a` and `b` are the scores of two systems on the same resamples. p is the rate of resamples whose absolute
    difference, less the mean of these, is greater than the absolute value of `difference`. One is added to both counts
    of the rate.
    """
    differences = np.abs(b - a)
    return _rate_with_one_added(_count_above(differences - differences.mean(), abs(difference)), len(differences))


class RandomisationP(NamedTuple):
    """The two p values of approximate randomisation for the difference of two systems' scores.

    In each trial the outputs of the two systems are swapped in random segments. Both values are equal where outputs
    differ nearly everywhere. Where they differ in few segments, many trials tie with the real difference, and only `p`
    measures chance: if one segment differs, or none, sacreBLEU's number is 0.0001.

    Attributes:
        p: the rate of trials that differ by as much or more: how likely such a difference is between equal systems
            (Phipson and Smyth 2010).
        sacrebleu: the rate of trials that differ by more.
    """

    p: float
    sacrebleu: float


def randomisation_tests(
    tables: Sequence[StatisticsTable], pairs: Sequence[tuple[int, int]], trials: int = TRIALS, seed: int = SEED
) -> list[list[RandomisationP]]:
    """Return, for each table, the p values of approximate randomisation for each pair of systems.

    `pairs` are pairs of indices of systems. In a trial the two outputs of each segment are swapped or not. It is
    sacreBLEU's test with its random draws, which are the same for all pairs. One is added to both counts of a rate.
    """
    summed = [table.summed_columns for table in tables]
    widths = [each.shape[2] for each in summed]
    size = tables[0].size
    at_once = max(1, PART // (size * max(1, sum(widths))))  # the pairs whose differences are in memory together
    out: list[list[RandomisationP]] = [[] for _ in tables]
    for first in range(0, len(pairs), at_once):
        pair_batch = pairs[first : first + at_once]
        differences = np.concatenate([each[a] - each[b] for a, b in pair_batch for each in summed], axis=1)
        bases = [[each[b].sum(axis=0) for each in summed] for _, b in pair_batch]
        pair_sums = [[(each[a] + each[b]).sum(axis=0) for each in summed] for a, b in pair_batch]
        trial_differences: list[list[list[Array]]] = [[[] for _ in pair_batch] for _ in tables]
        for sides in _kept_outputs(size, trials, seed):
            with single_core_products():
                moved, at = sides @ differences, 0
            for n in range(len(pair_batch)):
                for t, table in enumerate(tables):
                    ours = bases[n][t] + moved[:, at : at + widths[t]]
                    at += widths[t]
                    trial_differences[t][n].append(
                        np.abs(table.scores_of_sums(ours) - table.scores_of_sums(pair_sums[n][t] - ours))
                    )
        for t, table in enumerate(tables):
            scores = table.corpus_scores()
            for n, (a, b) in enumerate(pair_batch):
                real, each = abs(float(scores[a] - scores[b])), np.concatenate(trial_differences[t][n])
                as_much = _rate_with_one_added(int(np.count_nonzero(each >= real - _rounding_error(real))), len(each))
                out[t].append(RandomisationP(as_much, _rate_with_one_added(_count_above(each, real), len(each))))
    return out


def _kept_outputs(size: int, trials: int, seed: int) -> Iterator[Array]:
    """Yield, as arrays trials × segments, 1.0 where two outputs stay in place and 0.0 where they are swapped.

    The arrays are parts of one array with `trials` rows.
    """
    random = np.random.default_rng(seed)
    step = max(WORD, PART // size // WORD * WORD)
    for at in range(0, trials, step):
        yield random.integers(2, size=(min(step, trials - at), size), dtype=bool).astype(np.float64)


def _count_above(values: Array, difference: float) -> int:
    """Return how many values are greater than `difference` by more than the rounding error."""
    return int(np.count_nonzero(values > difference + _rounding_error(difference)))


def _rounding_error(difference: float) -> float:
    """Return how far a computed score difference may be off by rounding."""
    return ROUNDING * max(1.0, difference)


def _rate_with_one_added(number: int, trials: int) -> float:
    """Return the rate of `number` in `trials` trials with one added to both, which is never 0."""
    return (number + 1) / (trials + 1)


def holm_correction(p: Sequence[float]) -> list[float]:
    """Return the p values of several tests, corrected for the number of tests (Holm 1979).

    With them the chance that any of the tests errs is no greater than for a single test.

    >>> [round(each, 3) for each in holm_correction([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values: NDArray[np.float64] = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    corrected[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)).clip(max=1.0)
    return [float(each) for each in corrected]
