"""What is held against people: metrics, external scores, chance, and one judge against the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from ...text.formats.sheets import listed
from ...text.judgements import JudgementRecord, RatingScale
from ...text.judgements.parts import plain
from ..resampling import one_thread
from ..table import Array, StatisticsTable
from . import correlation

#: The draws of chance and of judges.
SEED = 12345
#: Orders of the scores from which the row of chance is made.
ORDERS = 200


class AgreementColumnKind(Enum):
    """What a column is."""

    METRIC = "metric"
    EXTERNAL = "external scores"
    CHANCE = "chance"
    JUDGE = "one judge"


@dataclass(frozen=True, slots=True, eq=False)
class AgreementColumn:
    """Scores, systems × segments, in which higher is better, NaN where there are none.

    A system's score is the mean of its segments', if nothing else is given: `of_counts(counts)` gives the systems'
    scores, draws × systems, of resamples that have each segment as often as `counts` says, draws × segments; `systems`
    are scores that nobody can resample. `people` is what this column is held against where that is not the mean of
    all judges.
    """

    key: str
    label: str
    kind: AgreementColumnKind
    scores: Array
    of_counts: Callable[[Array], Array] | None = None
    systems: Array | None = None
    people: Array | None = None

    def resampled_scores(self, counts: Array) -> Array | None:
        """The systems' scores of resamples, draws × systems, NaN where one has no score; None where only fixed scores
        are known."""
        if self.of_counts:
            return self.of_counts(counts)
        return None if self.systems is not None else means_of(self.scores, counts)

    def system_scores(self, segments: Array) -> Array:
        """The systems' scores over the segments that have 1, not 0."""
        if self.systems is not None:
            return self.systems
        if self.of_counts:
            scores: Array = self.of_counts(segments[None])[0]
            return scores
        return correlation.system_scores(self.scores, np.broadcast_to(segments > 0, self.scores.shape))


def means_of(scores: Array, counts: Array) -> Array:
    """The mean of each system's scores in each resample, draws × systems, NaN where none is drawn."""
    valid = ~np.isnan(scores)
    with one_thread():
        sums, number = counts @ np.where(valid, scores, 0.0).T, counts @ valid.T.astype(np.float64)
    means: Array = np.divide(sums, number, out=np.full(sums.shape, np.nan), where=number > 0)
    return means


def of_table(table: StatisticsTable) -> AgreementColumn:
    """A metric's column: an error rate is negated, and a system's score is that of its corpus.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import table
    >>> from metrics.types import Segment
    >>> found = of_table(table(METRICS["wer"], settings("wer"), [[Segment(("a", "c"), (("a", "b"),))]]))
    >>> found.scores.tolist(), found.system_scores(np.ones(1)).tolist()
    ([[-0.5]], [-0.5])
    """
    sign = 1.0 if table.metric.higher_is_better else -1.0
    # No function of its own, which no other process would know by its name.
    of_counts = partial(_corpus_scores, table, sign)
    return AgreementColumn(
        table.metric.key, table.metric.label, AgreementColumnKind.METRIC, sign * table.scores, of_counts
    )


def _corpus_scores(table: StatisticsTable, sign: float, counts: Array) -> Array:
    """The corpus scores of resamples that have each segment as often as `counts` says, draws × systems."""
    summed = table.summed
    flat = summed.transpose(1, 0, 2).reshape(table.size, -1)
    with one_thread():
        sums = (counts @ flat).reshape(len(counts), *summed.shape[::2])
    if table.metric.pooling == "mean":
        means: Array = sign * sums[..., 0] / counts.sum(axis=1)[:, None]
        return means
    return sign * table.of_sums(sums)


def external(
    key: str, scores: Array, higher_is_better: bool = True, label: str = "", systems: Array | None = None
) -> AgreementColumn:
    """The column of another program's scores, systems × segments, and its systems' scores where it has such."""
    sign = 1.0 if higher_is_better else -1.0
    return AgreementColumn(
        key,
        label or key,
        AgreementColumnKind.EXTERNAL,
        sign * scores,
        systems=None if systems is None else sign * systems,
    )


#: Other programs' scores by name and system, a number or None a segment.
Others: TypeAlias = Mapping[str, Mapping[str, Sequence[float | None]]]

#: What scores are called of which lower is better.
_LOWER = re.compile(r"(?i)(?:^|[^a-z])(?:metricx|ter|hter|wer|per|cder|cter|charac_?ter)(?:$|[^a-z])")
#: The keys of what stands in every table beside metrics and other programs' scores.
_BESIDE = ("chance", "judge")


class ScoreDirection(NamedTuple):
    """Which way the scores of a name go, and how that is known."""

    name: str
    higher_is_better: bool
    why: str


def ways_of(scores: Others, directions: Mapping[str, bool] = {}) -> list[ScoreDirection]:
    """Which way each of other programs' scores goes: as `directions` says of it by its name, else lower is better of
    those that are called as error rates are, or MetricX, unless all their numbers are at or below 0 and some below:
    these have been negated. A name without a score is left out.

    >>> of = {"TER": {"A": [0.5, 0.0]}, "negated TER": {"A": [-0.5, 0.0]}, "COMET": {"A": [0.5]}, "none": {"A": [None]}}
    >>> [(way.name, way.higher_is_better) for way in ways_of(of)]
    [('TER', False), ('negated TER', True), ('COMET', True)]
    """
    out = []
    for name, of in scores.items():
        given = (score for each in of.values() for score in each if score is not None)
        first = next(given, None)
        stated = directions.get(name, directions.get(plain(name)))
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


def told_ways(ways: Sequence[ScoreDirection]) -> Iterator[str]:
    """A sentence that says which way scores go, none where there are no scores.

    >>> [*told_ways([ScoreDirection("COMET", True, "as of most scores"), ScoreDirection("TER", False, "by its name")])]
    ["Other programs' scores: higher is better of COMET, as of most scores; lower is better of TER, by its name."]
    """
    names: dict[tuple[bool, str], list[str]] = {}
    for name, higher, why in ways:
        names.setdefault((higher, why), []).append(name)
    if names:
        each = [
            f"{'higher' if higher else 'lower'} is better of {listed(of, 12)}, {why}"
            for (higher, why), of in names.items()
        ]
        yield f"Other programs' scores: {'; '.join(each)}."


def of_scores(
    scores: Others,
    systems: Sequence[str],
    size: int,
    directions: Mapping[str, bool] = {},
    used_names: Collection[str] = (),
) -> list[AgreementColumn]:
    """The columns of other programs' scores as files have them, in which higher is better: where lower is better, as
    `ways_of` says, they are negated. One whose name is one of `used_names`, in capitals or not, those of metrics and
    of other rows of the table, has "(given)" behind it. A name without a score is left out.

    >>> of = {"COMET": {"A": [0.5, None]}, "MetricX-24": {"B": [2.0, 1.0]}, "bleu": {"B": [0.1, 0.3]}}
    >>> found = of_scores(of, ["A", "B"], 2, used_names=["BLEU"])
    >>> [(each.key, each.scores.tolist()) for each in found][:2], found[2].key
    ([('COMET', [[0.5, nan], [nan, nan]]), ('MetricX-24', [[nan, nan], [-2.0, -1.0]])], 'bleu (given)')
    """
    others = {name.casefold() for name in (*used_names, *_BESIDE)}
    out = []
    for name, higher, _ in ways_of(scores, directions):
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
    """The same scores dealt out by lot among all systems and segments: what agrees with nobody.

    >>> chance(external("x", np.array([[1.0, 2.0], [3.0, np.nan]]))).scores.shape
    (2, 2)
    """
    return AgreementColumn(
        "chance", f"Chance ({column.label} permuted)", AgreementColumnKind.CHANCE, _permuted(column.scores, seed)
    )


def orders(column: AgreementColumn, number: int = ORDERS, seed: int = SEED) -> Iterator[AgreementColumn]:
    """The same column with its scores in so many other orders, the first of them its own: one order of few systems may
    agree with people by chance."""
    yield column
    for n in range(1, number):
        yield replace(column, scores=_permuted(column.scores, seed + n))


def _permuted(values: Array, seed: int) -> Array:
    permuted = values.copy()
    valid = ~np.isnan(permuted)
    permuted[valid] = np.random.default_rng(seed).permutation(permuted[valid])
    return permuted


def one_judge(judged: JudgementRecord, scale: str, seed: int = SEED) -> AgreementColumn | None:
    """One judge of each segment, by lot, held against the mean of its other judges, where these rated the same outputs;
    None where no output has two ratings.

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
    rest = JudgementRecord(judged.systems, judged.size, judged.judges, judged.scales, {scale: others}).better(scale)
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
    """The scale of a name; KeyError where there is none."""
    for each in judged.scales:
        if each.name == scale:
            return each
    raise KeyError(scale)


def with_chance(columns: Sequence[AgreementColumn], judged: JudgementRecord, scale: str) -> list[AgreementColumn]:
    """The columns, then chance, the first one or else people's judgements permuted, and one judge where there are
    several."""
    permuted = columns[0] if columns else external("people", judged.better(scale), label="people")
    judge = one_judge(judged, scale)
    return [*columns, chance(permuted), *([judge] if judge else [])]
