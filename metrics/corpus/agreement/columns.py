"""Builds the columns of scores that are compared with people: metrics, external scores, chance, and a single judge."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np

from ...text import printable
from ...text.formats.sheets import join_names
from ...text.judgements import JudgementRecord
from ...text.judgements.parts import normal_column_name
from ...types import Metric, MetricDescription, Settings
from ...types.columns import ratio
from ..resampling import single_core_products
from ..table import Array, StatisticsTable
from . import correlation

#: The seed of the random draws for chance and for the single judge.
SEED = 12345
#: Number of permutations of the scores that the row of chance averages over.
ORDERS = 200


class AgreementColumnKind(Enum):
    """The origin of the scores of a column: a metric, another program, permuted scores, or one of the human judges."""

    METRIC = "metric"
    EXTERNAL = "external scores"
    CHANCE = "chance"
    JUDGE = "one judge"


@dataclass(frozen=True, slots=True, eq=False)
class AgreementColumn:
    """A column of scores, one for each output, that are compared with human judgements.

    Higher is better; NaN where there is no score. A draw is one resample of the segments.

    Attributes:
        key: unique key of the column.
        label: name that is shown.
        kind: where the scores come from.
        scores: the scores, systems × segments.
        of_counts: function from how often each draw has each segment, draws × segments, to the scores of the systems,
            draws × systems. None where the score of a system is the mean of its segment scores.
        systems: fixed scores of the systems, which cannot be resampled; None if they follow from the segments.
        people: the human scores that this column is compared with; None for the mean over all judges."""

    key: str
    label: str
    kind: AgreementColumnKind
    scores: Array
    score_systems: Callable[[Array], Array] | None = None
    fixed_system_scores: Array | None = None
    people: Array | None = None

    def resampled_scores(self, counts: Array) -> Array | None:
        """Return this column's scores of the systems in each resample, draws × systems, NaN where a system has none.

        `counts` says how often each resample has each segment, draws × segments. Returns None if the scores of the
        systems were given as fixed numbers, which cannot be resampled."""
        if self.score_systems:
            return self.score_systems(counts)
        return None if self.fixed_system_scores is not None else mean_scores(self.scores, counts)

    def system_scores(self, segments: Array) -> Array:
        """Return this column's score of each system over the segments where `segments` is 1 (0 skips a segment)."""
        if self.fixed_system_scores is not None:
            return self.fixed_system_scores
        if self.score_systems:
            scores: Array = self.score_systems(segments[None])[0]
            return scores
        return correlation.system_scores(self.scores, np.broadcast_to(segments > 0, self.scores.shape))


def mean_scores(scores: Array, counts: Array) -> Array:
    """Return the mean score of each system in each resample, draws × systems; NaN if a resample has no score of it.

    `scores` is systems × segments; `counts` says how often each resample has each segment, draws × segments."""
    valid = ~np.isnan(scores)
    with single_core_products():
        sums, number = counts @ np.where(valid, scores, 0.0).T, counts @ valid.T.astype(np.float64)
    return ratio(sums, number, np.nan)


def metric_column(table: StatisticsTable) -> AgreementColumn:
    """Return the column of a metric from its statistics: the score of a system is its corpus score.

    Error rates are negated, so that higher is better.

    >>> from metrics import METRICS, settings
    >>> from metrics.corpus.table import score_table
    >>> from metrics.types import Segment
    >>> found = metric_column(score_table(METRICS["wer"], settings("wer"), [[Segment(("a", "c"), (("a", "b"),))]]))
    >>> found.scores.tolist(), found.system_scores(np.ones(1)).tolist()
    ([[-0.5]], [-0.5])
    """
    # A partial of a module-level function can be pickled for other processes; a nested function cannot.
    of_counts = partial(_corpus_scores, table)
    return AgreementColumn(
        table.metric.key, table.metric.label, AgreementColumnKind.METRIC, table.oriented_scores, of_counts
    )


def _corpus_scores(table: StatisticsTable, counts: Array) -> Array:
    """Return the corpus scores of the systems in each resample, draws × systems; higher is better.

    `counts` says how often each resample has each segment, draws × segments."""
    summed = table.summed_columns
    flat = summed.transpose(1, 0, 2).reshape(table.size, -1)
    with single_core_products():
        sums = (counts @ flat).reshape(len(counts), *summed.shape[::2])
    if table.metric.pooling == "mean":
        means: Array = table.metric.sign * sums[..., 0] / counts.sum(axis=1)[:, None]
        return means
    return table.metric.sign * table.scores_of_sums(sums)


def external_column(
    key: str, scores: Array, higher_is_better: bool = True, label: str = "", fixed_system_scores: Array | None = None
) -> AgreementColumn:
    """Return the column of scores that another program gave: `scores` is systems × segments.

    `fixed_system_scores` are the scores that the program gave to whole systems, if it did. Without them a system scores
    the mean of its segments. All numbers are negated unless `higher_is_better`."""
    sign = 1.0 if higher_is_better else -1.0
    return AgreementColumn(
        key,
        label or key,
        AgreementColumnKind.EXTERNAL,
        sign * scores,
        fixed_system_scores=None if fixed_system_scores is None else sign * fixed_system_scores,
    )


#: Other programs' scores by name and system: for each segment a number, or None.
Others: TypeAlias = Mapping[str, Mapping[str, Sequence[float | None]]]

#: Names of scores where lower is better.
_LOWER = re.compile(r"(?i)(?:^|[^a-z])(?:metricx|ter|hter|wer|per|cder|cter|charac_?ter)(?:$|[^a-z])")
#: Keys of the rows that every table adds to those of metrics and external scores.
_ADDED_KEYS = ("chance", "judge")


class ScoreDirection(NamedTuple):
    """The direction of the external scores called `name`: whether higher is better, and why that is assumed."""

    name: str
    higher_is_better: bool
    why: str


def score_directions(scores: Others, directions: Mapping[str, bool] = {}) -> list[ScoreDirection]:
    """Return for each name in `scores` whether higher or lower is better, with the reason.

    `directions` decides for the names that it has (True: higher is better). Otherwise lower is better for names of
    error rates and for MetricX, unless all their numbers are at or below 0 and some are below: these scores are already
    negated. Names without any score are left out.

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
            way = stated, "as specified"
        elif not _LOWER.search(name):
            way = True, "as for most scores"
        elif max(numbers := [first, *given]) <= 0 and any(numbers):
            way = True, "whose numbers are not above 0"
        else:
            way = False, "by its name"
        out.append(ScoreDirection(name, *way))
    return out


def describe_directions(ways: Sequence[ScoreDirection]) -> Iterator[str]:
    """Yield one sentence on the external scores of which higher is better, and lower; nothing for none.

    >>> ter = ScoreDirection("TER", False, "by its name")
    >>> [*describe_directions([ScoreDirection("COMET", True, "as for most scores"), ter])]
    ["Other programs' scores: higher is better for COMET, as for most scores; lower is better for TER, by its name."]
    """
    names: dict[tuple[bool, str], list[str]] = {}
    for name, higher, why in ways:
        names.setdefault((higher, why), []).append(name)
    if names:
        each = [
            f"{'higher' if higher else 'lower'} is better for {join_names(of, 12)}, {why}"
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
    """Return one column for each name of external scores, for `systems` with `size` segments each.

    Scores for which lower is better, by `directions` or by the name, are negated. A name that is in `used_names` or is
    the key of chance or of the judge, ignoring case, gets "(given)" appended. Names without any score are left out.

    >>> of = {"COMET": {"A": [0.5, None]}, "MetricX-24": {"B": [2.0, 1.0]}, "bleu": {"B": [0.1, 0.3]}}
    >>> found = external_columns(of, ["A", "B"], 2, used_names=["BLEU"])
    >>> [(each.key, each.scores.tolist()) for each in found][:2], found[2].key
    ([('COMET', [[0.5, nan], [nan, nan]]), ('MetricX-24', [[nan, nan], [-2.0, -1.0]])], 'bleu (given)')
    """
    others = {name.casefold() for name in (*used_names, *_ADDED_KEYS)}
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
        out.append(external_column(key, given, higher))
    return out


#: What is said in place of the causes of a difference.
NO_CAUSES = "These numbers came with the files, without an alignment, so no causes of the difference are known"


class GivenSettings(Settings):
    """The settings of numbers that another program gave: it has none, and says so in signatures."""

    def signature(self) -> str:
        return "given|"


def given_metric(key: str, name: str, higher_is_better: bool) -> Metric:
    """Return the record of a metric whose numbers another program gave, so that nothing but their means is known."""
    return Metric(
        key,
        printable(name),
        printable(name),
        MetricDescription("Numbers that came with the files."),
        "given",
        "",
        higher_is_better,
        "mean",
        GivenSettings,
        *(_is_given,) * 4,
        most=math.inf,
    )


def _is_given(*given: object) -> NoReturn:
    """Raise ValueError, because the numbers of another program cannot be computed here."""
    raise ValueError("these numbers came with the files and are not computed here")


def given_tables(
    scores: Others, keys: Mapping[str, str], systems: Sequence[str], directions: Mapping[str, bool] = {}
) -> dict[str, StatisticsTable]:
    """Return, by key, a table of the numbers of each other program that gave one for each segment of each system.

    `keys` are the names in `scores` by key. The score of a system is the mean of its segments. Lower is better where
    `score_directions` says so.

    >>> of = {"COMET": {"A": [0.5, 0.7], "B": [0.5, 0.8]}, "MQM": {"A": [1.0, None], "B": [0.0, 1.0]}}
    >>> found = given_tables(of, {"comet": "COMET", "mqm": "MQM"}, ["A", "B"])
    >>> {key: table.corpus_scores().tolist() for key, table in found.items()}
    {'comet': [0.6, 0.65]}
    """
    higher = {way.name: way.higher_is_better for way in score_directions(scores, directions)}
    out = {}
    for key, name in keys.items():
        rows = [scores[name].get(system) or [None] for system in systems]
        if name in higher and not any(score is None for row in rows for score in row):
            values = np.array(rows, dtype=np.float64)
            metric = given_metric(key, name, higher[name])
            out[key] = StatisticsTable(metric, GivenSettings(), (), np.empty((*values.shape, 0)), values)
    return out


def chance_column(column: AgreementColumn, seed: int = SEED) -> AgreementColumn:
    """Return the column of chance: the scores of `column`, permuted at random over all systems and segments.

    >>> chance_column(external_column("x", np.array([[1.0, 2.0], [3.0, np.nan]]))).scores.shape
    (2, 2)
    """
    return AgreementColumn(
        "chance", f"Chance ({column.label} permuted)", AgreementColumnKind.CHANCE, _permute_numbers(column.scores, seed)
    )


def permuted_columns(column: AgreementColumn, count: int = ORDERS, seed: int = SEED) -> Iterator[AgreementColumn]:
    """Yield `count` copies of the column: the first as it is, the others with their scores permuted at random.

    A single permutation is not enough, because the scores of few systems may agree with people by chance."""
    yield column
    for n in range(1, count):
        yield replace(column, scores=_permute_numbers(column.scores, seed + n))


def _permute_numbers(values: Array, seed: int) -> Array:
    """Return a copy of `values` in which the numbers change places at random, while each NaN stays where it is."""
    permuted = values.copy()
    valid = ~np.isnan(permuted)
    permuted[valid] = np.random.default_rng(seed).permutation(permuted[valid])
    return permuted


def one_judge_column(judged: JudgementRecord, scale: str, seed: int = SEED) -> AgreementColumn | None:
    """Return the column of a single judge: for each segment, the ratings of one judge drawn at random.

    It is compared with the mean of the other judges. Only outputs that the drawn judge and another judge rated have a
    value. Returns None if no output has two ratings.

    >>> from metrics.text.judgements import RatingScale
    >>> ratings = np.array([[[1.0, 2.0]], [[3.0, 5.0]]])
    >>> judged = JudgementRecord(("A", "B"), 1, ("x", "y"), (RatingScale("esa"),), {"esa": ratings})
    >>> found = one_judge_column(judged, "esa")
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
    return AgreementColumn(
        "judge",
        "One judge against the others",
        AgreementColumnKind.JUDGE,
        np.where(shared, judged.scale(scale).sign * one, np.nan),
        people=np.where(shared, rest, np.nan),
    )


def add_chance_and_judge(
    columns: Sequence[AgreementColumn], judged: JudgementRecord, scale: str
) -> list[AgreementColumn]:
    """Return `columns`, then a column of chance, and then one judge against the others if there are several judges.

    Chance permutes the scores of the first column, or the human scores if there are no columns."""
    permuted = columns[0] if columns else external_column("people", judged.oriented_means(scale), label="people")
    judge = one_judge_column(judged, scale)
    return [*columns, chance_column(permuted), *([judge] if judge else [])]
