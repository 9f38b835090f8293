"""Builds the columns of scores that are compared with people: metrics, external scores, chance, and a single judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from ...text.formats.sheets import join_names
from ...text.judgements import JudgementRecord, RatingScale
from ...text.judgements.parts import normal_column_name
from ..resampling import one_thread
from ..table import Array, StatisticsTable
from . import correlation

#: The seed of the random draws for chance and for the single judge.
SEED = 12345
#: Number of permutations of the scores that the row of chance averages over.
ORDERS = 200


class AgreementColumnKind(Enum):
    """The origin of the scores of a column."""

    METRIC = "metric"
    EXTERNAL = "external scores"
    CHANCE = "chance"
    JUDGE = "one judge"


@dataclass(frozen=True, slots=True, eq=False)
class AgreementColumn:
    """Scores that are compared with people, systems × segments.

    Higher is better; NaN where there is no score.

    Attributes:
        key: unique key of the column.
        label: name that is shown.
        kind: the origin of the scores.
        scores: the scores, systems × segments.
        of_counts: function from the counts of resamples, draws × segments, to the scores of the systems, draws ×
            systems. None where the score of a system is the mean of its segment scores.
        systems: fixed scores of the systems, which cannot be resampled.
        people: the human scores that this column is compared with; None for the mean over all judges."""

    key: str
    label: str
    kind: AgreementColumnKind
    scores: Array
    of_counts: Callable[[Array], Array] | None = None
    systems: Array | None = None
    people: Array | None = None

    def resampled_scores(self, counts: Array) -> Array | None:
        """Return the scores of the systems in each resample, draws × systems, NaN where a system has none.

        `counts` says how often each resample has each segment, draws × segments. Returns None where only fixed scores
        are known."""
        if self.of_counts:
            return self.of_counts(counts)
        return None if self.systems is not None else mean_scores(self.scores, counts)

    def system_scores(self, segments: Array) -> Array:
        """Return the scores of the systems over the segments where `segments` is 1; the others have 0."""
        if self.systems is not None:
            return self.systems
        if self.of_counts:
            scores: Array = self.of_counts(segments[None])[0]
            return scores
        return correlation.system_scores(self.scores, np.broadcast_to(segments > 0, self.scores.shape))


def mean_scores(scores: Array, counts: Array) -> Array:
    """Return the mean score of each system in each resample, draws × systems.

    `scores` is systems × segments, `counts` draws × segments. NaN where a resample has no score of a system."""
    valid = ~np.isnan(scores)
    with one_thread():
        sums, number = counts @ np.where(valid, scores, 0.0).T, counts @ valid.T.astype(np.float64)
    means: Array = np.divide(sums, number, out=np.full(sums.shape, np.nan), where=number > 0)
    return means


def metric_column(table: StatisticsTable) -> AgreementColumn:
    """Return the column of a metric: error rates are negated, and the score of a system is its corpus score.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import table
    >>> from metrics.types import Segment
    >>> found = metric_column(table(METRICS["wer"], settings("wer"), [[Segment(("a", "c"), (("a", "b"),))]]))
    >>> found.scores.tolist(), found.system_scores(np.ones(1)).tolist()
    ([[-0.5]], [-0.5])
    """
    sign = 1.0 if table.metric.higher_is_better else -1.0
    # A partial of a module-level function can be pickled for other processes; a nested function cannot.
    of_counts = partial(_corpus_scores, table, sign)
    return AgreementColumn(
        table.metric.key, table.metric.label, AgreementColumnKind.METRIC, sign * table.scores, of_counts
    )


def _corpus_scores(table: StatisticsTable, sign: float, counts: Array) -> Array:
    """Return the corpus scores of the resamples, draws × systems, from the counts of segments, draws × segments."""
    summed = table.summed
    flat = summed.transpose(1, 0, 2).reshape(table.size, -1)
    with one_thread():
        sums = (counts @ flat).reshape(len(counts), *summed.shape[::2])
    if table.metric.pooling == "mean":
        means: Array = sign * sums[..., 0] / counts.sum(axis=1)[:, None]
        return means
    return sign * table.scores_of_sums(sums)


def external(
    key: str, scores: Array, higher_is_better: bool = True, label: str = "", systems: Array | None = None
) -> AgreementColumn:
    """Return the column of another program's scores, systems × segments, with its scores of the systems if it gives
    any."""
    sign = 1.0 if higher_is_better else -1.0
    return AgreementColumn(
        key,
        label or key,
        AgreementColumnKind.EXTERNAL,
        sign * scores,
        systems=None if systems is None else sign * systems,
    )


#: Other programs' scores by name and system: for each segment a number, or None.
Others: TypeAlias = Mapping[str, Mapping[str, Sequence[float | None]]]

#: Names of scores where lower is better.
_LOWER = re.compile(r"(?i)(?:^|[^a-z])(?:metricx|ter|hter|wer|per|cder|cter|charac_?ter)(?:$|[^a-z])")
#: Keys of the rows that every table adds to those of metrics and external scores.
_BESIDE = ("chance", "judge")


class ScoreDirection(NamedTuple):
    """The direction of the scores with a name, whether higher is better, and the reason for assuming it."""

    name: str
    higher_is_better: bool
    why: str


def score_directions(scores: Others, directions: Mapping[str, bool] = {}) -> list[ScoreDirection]:
    """Return for each name of external scores whether higher or lower is better, with the reason.

    `directions` decides if it has the name. Otherwise lower is better for names of error rates and for MetricX, unless
    all their numbers are at or below 0 and some are below: these scores are already negated. Names without any score
    are left out.

    >>> of = {"TER": {"A": [0.5, 0.0]}, "negated TER": {"A": [-0.5, 0.0]}, "COMET": {"A": [0.5]}, "none": {"A": [None]}}
    >>> [(way.name, way.higher_is_better) for way in score_directions(of)]
    [('TER', False), ('negated TER', True), ('COMET', True)]
    """
    out = []
    for name, of in scores.items():
        given = (score for each in of.values() for score in each if score is not None)
        first = next(given, None)
        stated = directions.get(name, directions.get(normal_column_name(name)))
        if first is None:
            continue
        if stated is not None:
            way = stated, "as it was said"
        elif not _LOWER.search(name):
            way = True, "as of most scores"
        elif max(numbers := [first, *given]) <= 0 and any(numbers):
            way = True, "whose numbers are not above 0"
        else:
            way = False, "by its name"
        out.append(ScoreDirection(name, *way))
    return out


def describe_directions(ways: Sequence[ScoreDirection]) -> Iterator[str]:
    """Yield one sentence that says which direction of the scores is better; nothing if `ways` is empty.

    >>> ter = ScoreDirection("TER", False, "by its name")
    >>> [*describe_directions([ScoreDirection("COMET", True, "as of most scores"), ter])]
    ["Other programs' scores: higher is better of COMET, as of most scores; lower is better of TER, by its name."]
    """
    names: dict[tuple[bool, str], list[str]] = {}
    for name, higher, why in ways:
        names.setdefault((higher, why), []).append(name)
    if names:
        each = [
            f"{'higher' if higher else 'lower'} is better of {join_names(of, 12)}, {why}"
            for (higher, why), of in names.items()
        ]
        yield f"Other programs' scores: {'; '.join(each)}."


def external_columns(
    scores: Others,
    systems: Sequence[str],
    size: int,
    directions: Mapping[str, bool] = {},
    used_names: Collection[str] = (),
) -> list[AgreementColumn]:
    """Return one column for each name of external scores, with higher scores being better.

    Scores where lower is better, as `score_directions` says, are negated. A name that is in `used_names` or is the key
    of chance or of the judge, ignoring case, gets "(given)" appended. Names without any score are left out.

    >>> of = {"COMET": {"A": [0.5, None]}, "MetricX-24": {"B": [2.0, 1.0]}, "bleu": {"B": [0.1, 0.3]}}
    >>> found = external_columns(of, ["A", "B"], 2, used_names=["BLEU"])
    >>> [(each.key, each.scores.tolist()) for each in found][:2], found[2].key
    ([('COMET', [[0.5, nan], [nan, nan]]), ('MetricX-24', [[nan, nan], [-2.0, -1.0]])], 'bleu (given)')
    """
    others = {name.casefold() for name in (*used_names, *_BESIDE)}
    out = []
    for name, higher, _ in score_directions(scores, directions):
        given = np.full((len(systems), size), np.nan)
        for n, system in enumerate(systems):
            if system in scores[name]:
                given[n] = [np.nan if score is None else score for score in scores[name][system]]
        if np.isnan(given).all():
            continue
        key = name
        while key.casefold() in others or (key != name and key in scores):
            key = f"{key} (given)"
        out.append(external(key, given, higher))
    return out


def chance(column: AgreementColumn, seed: int = SEED) -> AgreementColumn:
    """Return the scores of the column permuted at random over all systems and segments.

    >>> chance(external("x", np.array([[1.0, 2.0], [3.0, np.nan]]))).scores.shape
    (2, 2)
    """
    return AgreementColumn(
        "chance", f"Chance ({column.label} permuted)", AgreementColumnKind.CHANCE, _permuted(column.scores, seed)
    )


def permuted_columns(column: AgreementColumn, number: int = ORDERS, seed: int = SEED) -> Iterator[AgreementColumn]:
    """Yield the column with its scores in `number` orders: first as they are, then permuted.

    A single permutation is not enough, because the scores of few systems may agree with people by chance."""
    yield column
    for n in range(1, number):
        yield replace(column, scores=_permuted(column.scores, seed + n))


def _permuted(values: Array, seed: int) -> Array:
    """Return the values that are not NaN permuted at random over their positions."""
    permuted = values.copy()
    valid = ~np.isnan(permuted)
    permuted[valid] = np.random.default_rng(seed).permutation(permuted[valid])
    return permuted


def one_judge(judged: JudgementRecord, scale: str, seed: int = SEED) -> AgreementColumn | None:
    """Return one judge compared with the others: for each segment a judge drawn at random, against the mean of the
    rest.

    Only outputs that the drawn judge and another judge rated have a value. Returns None if no output has two ratings.

    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0, 2.0]], [[3.0, 5.0]]])
    >>> found = one_judge(JudgementRecord(("A", "B"), 1, ("x", "y"), (RatingScale("esa"),), {"esa": ratings}), "esa")
    >>> sorted([found.scores.ravel().tolist(), found.people.ravel().tolist()])
    [[1.0, 3.0], [2.0, 5.0]]
    """
    ratings = judged.ratings[scale]
    valid = ~np.isnan(ratings)
    if not (valid.sum(axis=2) > 1).any():
        return None
    lots = np.where(valid.any(axis=0), np.random.default_rng(seed).random(valid.shape[1:]), -1.0)
    chosen = lots.argmax(axis=1)
    one = np.take_along_axis(ratings, np.broadcast_to(chosen[None, :, None], (*ratings.shape[:2], 1)), axis=2)[..., 0]
    others = ratings.copy()
    np.put_along_axis(others, np.broadcast_to(chosen[None, :, None], (*ratings.shape[:2], 1)), np.nan, axis=2)
    rest = JudgementRecord(judged.systems, judged.size, judged.judges, judged.scales, {scale: others}).oriented_means(
        scale
    )
    shared = ~(np.isnan(one) | np.isnan(rest))
    sign = 1.0 if find_scale(judged, scale).higher_is_better else -1.0
    label = "One judge against the others"
    return AgreementColumn(
        "judge",
        label,
        AgreementColumnKind.JUDGE,
        np.where(shared, sign * one, np.nan),
        people=np.where(shared, rest, np.nan),
    )


def find_scale(judged: JudgementRecord, scale: str) -> RatingScale:
    """Return the rating scale with the name `scale`; raises KeyError if there is none."""
    for each in judged.scales:
        if each.name == scale:
            return each
    raise KeyError(scale)


def with_chance(columns: Sequence[AgreementColumn], judged: JudgementRecord, scale: str) -> list[AgreementColumn]:
    """Return the columns, then chance, and then one judge against the others if there are several judges.

    Chance permutes the scores of the first column, or the human scores if there are no columns."""
    permuted = columns[0] if columns else external("people", judged.oriented_means(scale), label="people")
    judge = one_judge(judged, scale)
    return [*columns, chance(permuted), *([judge] if judge else [])]
