"""Measures how far people agree with each other, and how a metric scores human translations.

Each judge is compared with the mean of all others who rated the same output, and each judge with each other judge. Each
reference is scored against the other references, as the output of a system is: this is the human level of a metric. To
give systems and references the same number of references, the systems are scored without each reference in turn. This
is the jackknife of ROUGE-1.5.5 (Lin 2004), which takes the best reference; here the metric handles several references
in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...text.judgements import JudgementRecord
from ...types import Segment, Tokens
from ...types.columns import mean_of_known
from .. import resampling
from ..resampling import Interval, interval
from ..table import Array, StatisticsTable
from . import correlation
from .correlation import Coefficient, CoefficientValue, UndefinedCoefficient, UndefinedReason

#: Maximum number of outputs that are listed.
NAMED = 200


# ---------------------------------------------------------------- judges


class JudgeAgreement(NamedTuple):
    """The agreement of one judge with the mean of the other judges, on outputs that another judge rated too.

    All values are oriented so that higher is better. Coefficients are over all shared outputs at once.

    Attributes:
        judge: index of the judge in the record of judgements.
        rated: number of outputs that the judge rated.
        shared: number of these that another judge rated too.
        bias: mean of the judge's ratings minus that of the others; 0 if no output is shared.
        mean_distance: mean absolute difference to the mean of the others; 0 if no output is shared.
        within_segments: Pearson within segments, averaged over them."""

    judge: int
    rated: int
    shared: int
    bias: float
    mean_distance: float
    pearson: Coefficient
    kendall: Coefficient
    within_segments: Coefficient


class JudgePairAgreement(NamedTuple):
    """The agreement of two judges on the outputs that both rated.

    Attributes:
        one: index of the first judge in the record of judgements.
        other: index of the second judge.
        shared: number of outputs that both rated.
        bias: mean of the first judge's ratings minus that of the second's.
        mean_distance: mean absolute difference of their ratings."""

    one: int
    other: int
    shared: int
    bias: float
    mean_distance: float
    pearson: Coefficient
    kendall: Coefficient


class DisputedOutput(NamedTuple):
    """An output that judges rate differently; `spread` is its highest rating minus its lowest."""

    system: int
    segment: int
    spread: float


class ScaleAgreement(NamedTuple):
    """The agreement of all judges who used a rating scale.

    Attributes:
        judges: each judge against the others, in the order of the record of judgements.
        pairs: the pairs of judges who share outputs, from the lowest Pearson; pairs with undefined Pearson come last.
        disputed: the outputs on which judges differ most, at most NAMED."""

    judges: tuple[JudgeAgreement, ...]
    pairs: tuple[JudgePairAgreement, ...]
    disputed: tuple[DisputedOutput, ...]


def agreement_of_judges(judged: JudgementRecord, scale: str) -> ScaleAgreement | UndefinedCoefficient:
    """Return how well the judges who used a rating scale agree, or Undefined if no output has two ratings.

    Raises KeyError if the scale does not exist.

    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0, 2.0, 9.0], [2.0, 3.0, 5.0], [3.0, 4.0, 1.0]]])
    >>> record = JudgementRecord(("A",), 3, ("x", "y", "z"), (RatingScale("esa"),), {"esa": ratings})
    >>> found = agreement_of_judges(record, "esa")
    >>> [(pair.one, pair.other, pair.bias, round(pair.pearson.value, 9)) for pair in found.pairs]
    [(0, 2, -3.0, -1.0), (1, 2, -2.0, -1.0), (0, 1, -1.0, 1.0)]
    >>> found.disputed[0]
    DisputedOutput(system=0, segment=0, spread=8.0)
    """
    ratings = judged.scale(scale).sign * judged.ratings[scale]
    valid = ~np.isnan(ratings)
    if not (valid.sum(axis=2) > 1).any():
        return UndefinedCoefficient(
            UndefinedReason.FEW, "No output was rated by two judges, so their agreement is unknown."
        )
    each = [_judge_agreement(ratings, n) for n in range(ratings.shape[2]) if valid[..., n].any()]
    pairs = [_pair_agreement(ratings, each[a].judge, each[b].judge) for a, b in combinations(range(len(each)), 2)]
    pairs = [pair for pair in pairs if pair.shared]
    pairs.sort(key=lambda pair: (_sort_value(pair.pearson), -pair.mean_distance, pair.one, pair.other))
    high, low = (np.where(valid, ratings, end) for end in (-np.inf, np.inf))
    several = valid.sum(axis=2) > 1
    spread = np.where(several, high.max(axis=2) - np.where(several, low.min(axis=2), 0.0), 0.0)
    order = np.argsort(-spread, axis=None, kind="stable")[:NAMED]
    places = [divmod(int(at), spread.shape[1]) for at in order if spread.flat[at] > 0]
    return ScaleAgreement(
        tuple(each), tuple(pairs), tuple([DisputedOutput(s, n, float(spread[s, n])) for s, n in places])
    )


def _sort_value(coefficient: Coefficient) -> float:
    """Return a number to sort coefficients by, such that undefined ones come last."""
    return coefficient.value if isinstance(coefficient, CoefficientValue) else 2.0


def _judge_agreement(ratings: Array, judge: int) -> JudgeAgreement:
    """Return the agreement of the judge with index `judge` with the mean of the other judges.

    `ratings` is systems × segments × judges."""
    own_ratings = ratings[..., judge]
    rest = mean_of_known(np.delete(ratings, judge, axis=2))
    shared, bias, mean_distance = _compare_ratings(own_ratings, rest)
    return JudgeAgreement(
        judge,
        int((~np.isnan(own_ratings)).sum()),
        shared,
        bias,
        mean_distance,
        correlation.pearson(rest, own_ratings),
        correlation.kendall(rest, own_ratings),
        correlation.pearson(rest, own_ratings, "item"),
    )


def _pair_agreement(ratings: Array, one: int, other: int) -> JudgePairAgreement:
    """Return the agreement of the judges with the indices `one` and `other`.

    `ratings` is systems × segments × judges."""
    x, y = ratings[..., one], ratings[..., other]
    return JudgePairAgreement(one, other, *_compare_ratings(x, y), correlation.pearson(x, y), correlation.kendall(x, y))


def _compare_ratings(x: Array, y: Array) -> tuple[int, float, float]:
    """Return the number of outputs with both ratings, the mean of `x - y`, and the mean absolute difference."""
    difference = (x - y)[~np.isnan(x - y)]
    if not len(difference):
        return 0, 0.0, 0.0
    return len(difference), float(difference.mean()), float(np.abs(difference).mean())


# ---------------------------------------------------------------- references


class JackknifeSegments(NamedTuple):
    """The segments to score so that each reference is scored against the others, like the output of a system.

    The systems are scored without the same reference, so all have the same number of references.

    Attributes:
        segments: indices of the segments that have all references.
        systems: for each reference that is left out, the segments of each system, and last those whose candidate is the
            reference itself."""

    segments: tuple[int, ...]
    systems: tuple[tuple[tuple[Segment, ...], ...], ...]


def jackknife_segments(
    outputs: Sequence[Sequence[Tokens]], references: Sequence[Sequence[Tokens]]
) -> JackknifeSegments | UndefinedCoefficient:
    """Return the segments that compare each reference, and the systems, with the other references.

    `outputs` is systems × segments; `references` has the references of each segment. Returns Undefined if no segment
    has two references.

    >>> a, b, c = ("a",), ("b",), ("c",)
    >>> found = jackknife_segments([[c, c]], [[a, b], [a]])
    >>> found.segments, [[segment.candidate for segment in last] for *_, (*last,) in found.systems]
    ((0,), [[('a',)], [('b',)]])
    """
    number = max([len(each) for each in references], default=0)
    segments = tuple([n for n, each in enumerate(references) if len(each) == number])
    if number < 2:
        return UndefinedCoefficient(
            UndefinedReason.FEW, "No segment has two references, so none can be compared with the rest."
        )
    systems = []
    for k in range(number):
        rest = {n: tuple([each for other, each in enumerate(references[n]) if other != k]) for n in segments}
        theirs = [*[[texts[n] for n in segments] for texts in outputs], [references[n][k] for n in segments]]
        systems.append(
            tuple([tuple([Segment(t, rest[n]) for n, t in zip(segments, each, strict=True)]) for each in theirs])
        )
    return JackknifeSegments(segments, tuple(systems))


class HumanLevel(NamedTuple):
    """The human level of a metric: the mean score of references against the other references.

    Attributes:
        segments: number of segments.
        references: score of each reference against the others.
        human: mean of `references`, the human level.
        interval: its 95 % interval.
        systems: score of each system, the mean over the references that are left out in turn.
        intervals: their 95 % intervals.
        ahead: 95 % interval of the lead of each system over the human level, above 0 where the system is better. Error
            rates are negated for it."""

    segments: int
    references: tuple[float, ...]
    human: float
    interval: Interval
    systems: tuple[float, ...]
    intervals: tuple[Interval, ...]
    ahead: tuple[Interval, ...]


def human_level(tables: Sequence[StatisticsTable], resamples: int = resampling.RESAMPLES) -> HumanLevel:
    """Return the human level of a metric, and the systems' scores next to it, with intervals from resamples.

    `tables` has the statistics of each item of `JackknifeSegments.systems`: one table for each reference left out.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import score_table
    >>> a, b, c = tuple("a b c".split()), tuple("a b d".split()), tuple("a x d".split())
    >>> systems = jackknife_segments([[c]], [[a, b]]).systems
    >>> found = human_level([score_table(METRICS["per"], settings("per"), each) for each in systems])
    >>> [round(each, 3) for each in (*found.references, found.human, *found.systems)]
    [0.333, 0.333, 0.333, 0.5]
    """
    scores = np.stack([table.corpus_scores() for table in tables])
    means = scores.mean(axis=0)
    drawn = np.mean(resampling.scores_of_resamples(tables, resamples), axis=0)
    return HumanLevel(
        tables[0].size,
        tuple(scores[:, -1].tolist()),
        float(means[-1]),
        interval(drawn[-1]),
        tuple(means[:-1].tolist()),
        tuple([interval(each) for each in drawn[:-1]]),
        tuple([interval(tables[0].metric.sign * (each - drawn[-1])) for each in drawn[:-1]]),
    )
