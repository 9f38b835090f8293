"""Tests of chance for scores and differences: intervals, the paired bootstrap and approximate randomisation.

A resample of a corpus is the sum of the statistics of its segments, each as often as it was drawn. So a thousand
resamples are one product of two matrices: how often each resample has each segment, times the statistics of each
segment. Their scores are those of columns (`Metric.from_stats`). The draws are those of sacreBLEU (Post 2018, version
2.6), whose p values are reproduced to the last digit where its statistics are equal.

Sources: Efron (1979), the bootstrap and its percentile intervals. Koehn (2004), resampling for machine translation.
Riezler and Maxwell (2005), approximate randomisation, which rejects no more often than it states where two systems are
equal; the paired bootstrap rejects twice as often. Phipson and Smyth (2010), p of drawn trials, which is never 0. Holm
(1979), the correction for several tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
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
    """The ends of the middle 95 % of the resamples."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Return half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def turned(self) -> Interval:
        """Return the interval of the opposite difference: of A's score less B's if this one is of B's less A's."""
        return Interval(-self.high, -self.low)


def interval(scores: Array) -> Interval:
    """Return the 95 % interval of the scores of resamples, as sacreBLEU computes it.

    >>> interval(np.arange(1000.0))
    Interval(low=25.0, high=974.0)
    """
    ordered, outside = np.sort(scores), len(scores) // _TAIL
    return Interval(float(ordered[outside]), float(ordered[len(ordered) - outside - 1]))


def intervals(samples: Array, size: int) -> list[Interval] | None:
    """Return the interval of each row of `samples`, the scores of resamples of `size` segments.

    Return None for a single segment: all its resamples are equal, so they say nothing about chance.
    """
    return [interval(scores) for scores in samples] if size > 1 else None


def counts(size: int, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Array]:
    """Yield how often each resample has each of `size` segments, in parts of an array resamples × segments.

    >>> np.concatenate([*counts(4, 3)]).sum(axis=1)
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


def sums(columns: Sequence[Array], resamples: int = RESAMPLES, seed: int = SEED) -> list[Array]:
    """Return, for each array segments × columns, its sums over each resample: resamples × columns.

    All arrays have the same segments and so the same resamples.
    """
    # One product with many columns takes a third of the time of many products with few columns.
    batches: list[list[Array]] = [[]]
    for each in columns:
        if batches[-1] and sum(other.size for other in batches[-1]) + each.size > PART:
            batches.append([])
        batches[-1].append(each)
    parts = []
    with one_thread():
        for drawn in counts(len(columns[0]), resamples, seed):
            parts.append(np.concatenate([drawn @ np.concatenate(batch, axis=1) for batch in batches], axis=1))
    return np.split(np.concatenate(parts), np.cumsum([each.shape[1] for each in columns])[:-1], axis=1)


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which products of matrices use one core.

    On all cores they would delay other visitors, and products of such narrow matrices take as long.
    """
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> ThreadpoolController:
    """Return the controller of the threads of BLAS, created once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def resampled(tables: Sequence[StatisticsTable], resamples: int = RESAMPLES, seed: int = SEED) -> list[Array]:
    """Return, for each table, the scores of its systems on the same resamples of the corpus: systems × resamples."""
    columns = [each for table in tables for each in table.summed]
    resampled_sums = iter(sums(columns, resamples, seed))
    return [table.scores_of_sums(np.stack([next(resampled_sums) for _ in table.summed])) for table in tables]


def bootstrap(a: Array, b: Array, difference: float) -> float:
    """Return sacreBLEU's p of the paired bootstrap from the scores of two systems on the same resamples.

    It is the rate at which the absolute difference, less its mean, is greater than the real one, with one added to both
    counts.
    """
    differences = np.abs(b - a)
    return _p(_count_above(differences - differences.mean(), abs(difference)), len(differences))


class Randomised(NamedTuple):
    """The rates at which two systems differ by as much as they do when their outputs are exchanged at random.

    Both values are equal where outputs differ nearly everywhere. Where they differ in few segments, many trials tie
    with the real difference, and only `p` measures chance: if one segment differs, or none, sacreBLEU's number is
    0.0001.

    Attributes:
        p: the rate of trials that differ by as much or more: how likely such a difference is between equal systems
            (Phipson and Smyth 2010).
        sacrebleu: the rate of trials that differ by more.
    """

    p: float
    sacrebleu: float


def randomised(
    tables: Sequence[StatisticsTable], pairs: Sequence[tuple[int, int]], trials: int = TRIALS, seed: int = SEED
) -> list[list[Randomised]]:
    """Return, for each table, the p values of approximate randomisation for the difference of each pair of systems.

    In a trial the two outputs of each segment are exchanged or not. It is sacreBLEU's test with its draws, which are
    the same for all pairs. Both counts of a rate have one added.
    """
    summed = [table.summed for table in tables]
    widths = [each.shape[2] for each in summed]
    size = tables[0].size
    at_once = max(1, PART // (size * max(1, sum(widths))))  # the pairs whose differences are in memory together
    out: list[list[Randomised]] = [[] for _ in tables]
    for first in range(0, len(pairs), at_once):
        pair_batch = pairs[first : first + at_once]
        differences = np.concatenate([each[a] - each[b] for a, b in pair_batch for each in summed], axis=1)
        bases = [[each[b].sum(axis=0) for each in summed] for _, b in pair_batch]
        pair_sums = [[(each[a] + each[b]).sum(axis=0) for each in summed] for a, b in pair_batch]
        trial_differences: list[list[list[Array]]] = [[[] for _ in pair_batch] for _ in tables]
        for sides in _sides(size, trials, seed):
            with one_thread():
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
                as_much = _p(int(np.count_nonzero(each >= real - _rounding(real))), len(each))
                out[t].append(Randomised(as_much, _p(_count_above(each, real), len(each))))
    return out


def _sides(size: int, trials: int, seed: int) -> Iterator[Array]:
    """Yield, in parts, whether the outputs stay in place, as 0.0 or 1.0, for each trial and segment."""
    random = np.random.default_rng(seed)
    step = max(WORD, PART // size // WORD * WORD)
    for at in range(0, trials, step):
        yield random.integers(2, size=(min(step, trials - at), size), dtype=bool).astype(np.float64)


def _count_above(values: Array, difference: float) -> int:
    """Return how many values are greater than the difference by more than rounding."""
    return int(np.count_nonzero(values > difference + _rounding(difference)))


def _rounding(difference: float) -> float:
    """Return the rounding error of a difference."""
    return ROUNDING * max(1.0, difference)


def _p(number: int, of: int) -> float:
    """Return the rate of `number` in `of` trials, with one added to both."""
    return (number + 1) / (of + 1)


def holm(p: Sequence[float]) -> list[float]:
    """Return the p values of several tests, corrected for their number (Holm 1979).

    All tests together then err no more often than one.

    >>> [round(each, 3) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values: NDArray[np.float64] = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    corrected[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)).clip(max=1.0)
    return [float(each) for each in corrected]
