"""How far people agree with each other, and how a metric scores people's own translations.

Each judge is held against the mean of all others who rated the same output, and each two against each other. Each
reference is held against the rest, as a system's output is: the human level of a metric. So that systems and the
reference have as many references, those of the systems leave out the same one in turn (Lin 2004, the jackknife of
ROUGE-1.5.5, there with the best reference; here the metric takes several references as it does).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...text.judgements import JudgementRecord
from ...types import Segment, Tokens
from .. import resampling
from ..resampling import Interval, interval
from ..table import Array, StatisticsTable
from . import correlation
from .columns import find_scale
from .correlation import Coefficient, CoefficientValue, Undefined, UndefinedReason

#: Outputs that are named, at the most.
NAMED = 200


# ---------------------------------------------------------------- judges


class Judge(NamedTuple):
    """A judge, by the place in the record, who rated so many outputs, `shared` of them with others. `bias` is by how
    much the ratings of these lie above the others' mean, `mean_distance` how far from it in the mean; coefficients are
    over all these outputs at once, and `within_segments` is Pearson within segments. All are turned so that higher is
    better; of a judge who shares none `bias` and `mean_distance` are 0."""

    judge: int
    rated: int
    shared: int
    bias: float
    mean_distance: float
    pearson: Coefficient
    kendall: Coefficient
    within_segments: Coefficient


class TwoJudges(NamedTuple):
    """Two judges, by their places, who both rated `shared` outputs: by how much the first one's ratings lie above, how
    far they are apart in the mean, and how they go together."""

    one: int
    other: int
    shared: int
    bias: float
    mean_distance: float
    pearson: Coefficient
    kendall: Coefficient


class Disputed(NamedTuple):
    """An output, and by how much its highest rating is above its lowest."""

    system: int
    segment: int
    spread: float


class Judges(NamedTuple):
    """Judges in the record's order; each two who share outputs, those who differ most first: of the lowest Pearson,
    undefined ones last; and the outputs on which judges differ most, NAMED at the most."""

    judges: tuple[Judge, ...]
    pairs: tuple[TwoJudges, ...]
    disputed: tuple[Disputed, ...]


def judges(judged: JudgementRecord, scale: str) -> Judges | Undefined:
    """How the judges of a scale agree; KeyError where there is no such scale.

    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0, 2.0, 9.0], [2.0, 3.0, 5.0], [3.0, 4.0, 1.0]]])
    >>> record = JudgementRecord(("A",), 3, ("x", "y", "z"), (RatingScale("esa"),), {"esa": ratings})
    >>> found = judges(record, "esa")
    >>> [(pair.one, pair.other, pair.bias, round(pair.pearson.value, 9)) for pair in found.pairs]
    [(0, 2, -3.0, -1.0), (1, 2, -2.0, -1.0), (0, 1, -1.0, 1.0)]
    >>> found.disputed[0]
    Disputed(system=0, segment=0, spread=8.0)
    """
    sign = 1.0 if find_scale(judged, scale).higher_is_better else -1.0
    ratings = sign * judged.ratings[scale]
    valid = ~np.isnan(ratings)
    if not (valid.sum(axis=2) > 1).any():
        return Undefined(UndefinedReason.FEW, "No output was rated by two judges, so nobody knows how far they agree.")
    each = [_judge(ratings, n) for n in range(ratings.shape[2]) if valid[..., n].any()]
    pairs = [_two(ratings, each[a].judge, each[b].judge) for a, b in combinations(range(len(each)), 2)]
    pairs = [pair for pair in pairs if pair.shared]
    pairs.sort(key=lambda pair: (_undefined_last(pair.pearson), -pair.mean_distance, pair.one, pair.other))
    high, low = (np.where(valid, ratings, end) for end in (-np.inf, np.inf))
    several = valid.sum(axis=2) > 1
    spread = np.where(several, high.max(axis=2) - np.where(several, low.min(axis=2), 0.0), 0.0)
    order = np.argsort(-spread, axis=None, kind="stable")[:NAMED]
    places = [divmod(int(at), spread.shape[1]) for at in order if spread.flat[at] > 0]
    return Judges(tuple(each), tuple(pairs), tuple([Disputed(s, n, float(spread[s, n])) for s, n in places]))


def _undefined_last(coefficient: Coefficient) -> float:
    return coefficient.value if isinstance(coefficient, CoefficientValue) else 2.0


def _judge(ratings: Array, judge: int) -> Judge:
    own_ratings = ratings[..., judge]
    others = np.delete(ratings, judge, axis=2)
    count = (~np.isnan(others)).sum(axis=2)
    sums = np.nansum(others, axis=2)
    rest = np.divide(sums, count, out=np.full(count.shape, np.nan), where=count > 0)
    shared, bias, mean_distance = _compare_ratings(own_ratings, rest)
    return Judge(
        judge,
        int((~np.isnan(own_ratings)).sum()),
        shared,
        bias,
        mean_distance,
        correlation.pearson(rest, own_ratings),
        correlation.kendall(rest, own_ratings),
        correlation.pearson(rest, own_ratings, "item"),
    )


def _two(ratings: Array, one: int, other: int) -> TwoJudges:
    x, y = ratings[..., one], ratings[..., other]
    return TwoJudges(one, other, *_compare_ratings(x, y), correlation.pearson(x, y), correlation.kendall(x, y))


def _compare_ratings(x: Array, y: Array) -> tuple[int, float, float]:
    """How many places both have a value in, by how much the first lies above, and how far they are apart."""
    difference = (x - y)[~np.isnan(x - y)]
    if not len(difference):
        return 0, 0.0, 0.0
    return len(difference), float(difference.mean()), float(np.abs(difference).mean())


# ---------------------------------------------------------------- references


class JackknifeSegments(NamedTuple):
    """What is to be scored so that each reference is held against the rest: for each reference the systems, and last
    the reference itself as a system, in the `segments` that have all references."""

    segments: tuple[int, ...]
    systems: tuple[tuple[tuple[Segment, ...], ...], ...]


def left_out(
    outputs: Sequence[Sequence[Tokens]], references: Sequence[Sequence[Tokens]]
) -> JackknifeSegments | Undefined:
    """The jackknife's segments, of the outputs of each system and of the references of each segment.

    >>> a, b, c = ("a",), ("b",), ("c",)
    >>> found = left_out([[c, c]], [[a, b], [a]])
    >>> found.segments, [[segment.candidate for segment in last] for *_, (*last,) in found.systems]
    ((0,), [[('a',)], [('b',)]])
    """
    number = max([len(each) for each in references], default=0)
    segments = tuple([n for n, each in enumerate(references) if len(each) == number])
    if number < 2:
        return Undefined(
            UndefinedReason.FEW, "No segment has two references, so that none can be held against the rest."
        )
    systems = []
    for k in range(number):
        rest = {n: tuple([each for other, each in enumerate(references[n]) if other != k]) for n in segments}
        theirs = [*[[texts[n] for n in segments] for texts in outputs], [references[n][k] for n in segments]]
        systems.append(
            tuple([tuple([Segment(t, rest[n]) for n, t in zip(segments, each, strict=True)]) for each in theirs])
        )
    return JackknifeSegments(segments, tuple(systems))


class Human(NamedTuple):
    """A metric's human level. `references` are the scores of each reference against the rest, `human` their mean with
    its 95 % interval, and `systems` the same of each system with its references. `ahead` are the intervals of each
    system's score less the human level, above 0 where a system is better: an error rate's sign is turned."""

    segments: int
    references: tuple[float, ...]
    human: float
    interval: Interval
    systems: tuple[float, ...]
    intervals: tuple[Interval, ...]
    ahead: tuple[Interval, ...]


def human_level(tables: Sequence[StatisticsTable], resamples: int = resampling.RESAMPLES) -> Human:
    """The human level from the tables of what `left_out` gives, one for each reference.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import table
    >>> a, b, c = tuple("a b c".split()), tuple("a b d".split()), tuple("a x d".split())
    >>> systems = left_out([[c]], [[a, b]]).systems
    >>> found = human_level([table(METRICS["per"], settings("per"), each) for each in systems])
    >>> [round(each, 3) for each in (*found.references, found.human, *found.systems)]
    [0.333, 0.333, 0.333, 0.5]
    """
    sign = 1.0 if tables[0].metric.higher_is_better else -1.0
    scores = np.stack([table.corpus_scores() for table in tables])
    means = scores.mean(axis=0)
    drawn = np.mean(resampling.resampled(tables, resamples), axis=0)
    return Human(
        tables[0].size,
        tuple(scores[:, -1].tolist()),
        float(means[-1]),
        interval(drawn[-1]),
        tuple(means[:-1].tolist()),
        tuple([interval(each) for each in drawn[:-1]]),
        tuple([interval(sign * (each - drawn[-1])) for each in drawn[:-1]]),
    )
