"""Repeats Turian, Shen and Melamed (2003): how well a metric ranks systems by texts of n sentences, for many n.

A pseudo-document of length n is n sentences drawn at random. Its score by a metric is computed from the sums of their
statistics. Its score by people is the mean over its sentences of one randomly drawn judgement each, after the scores of
each judge are standardised to mean 0 and variance 1. Spearman's ρ over the systems is computed for each of 1,000
pseudo-documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....catalogue import METRICS
from ....text import TextSettings
from ....text.judgements import JudgementRecord
from ....types.columns import ratio
from ...resampling import single_core_products
from ...table import Array
from ...table import StatisticsTable as Scores
from .. import correlation
from ..columns import mean_scores
from .experiment import (
    Chart,
    CurvePoint,
    DataRequirements,
    Experiment,
    ExperimentCurve,
    ExperimentData,
    ExperimentOutcome,
    ExperimentProgress,
    ExperimentRow,
    ExperimentTable,
    ExperimentValue,
    OpenedOutput,
    PaperResults,
    PaperStatement,
    ProgressCallback,
    require,
)
from .levels import describe_unjudged_systems, judged_systems, most_different_places
from .rows import ranks, spearman, wilcoxon
from .scoring import ScoreRequest, output_place, score_request, scored, stemmed

Numbers = NDArray[np.intp]
Flags = NDArray[np.bool_]

#: Number of lengths of pseudo-documents, and number of pseudo-documents of each length.
LENGTHS, DRAWS = 20, 1000
#: A difference is called more than chance if p is below this.
ALPHA = 0.001
#: Number of outputs that a point of a curve opens, and maximum number of pairs of judges in a table.
OPENED, PAIRS = 5, 20
#: Labels of the curves of judges and of chance.
JUDGES, CHANCE = "one judge by another", "chance: systems in any order"
#: The prefix of curve names for a single reference alone, and the text between number and name for several.
_ALONE, _SEVERAL = "alone, ", " references, "


# ---------------------------------------------------------------- pseudo-documents


def document_lengths(size: int, number: int = LENGTHS) -> tuple[int, ...]:
    """Return `number` different document lengths from 1 to `size` on a log scale; all if `size` is smaller.

    >>> document_lengths(529)[:8], document_lengths(529)[-3:], document_lengths(3)
    ((1, 2, 3, 4, 5, 6, 7, 10), (273, 380, 529), (1, 2, 3))
    """
    if size <= number:
        return tuple(range(1, size + 1))
    out: list[int] = []
    for each in np.geomspace(1, size, number).round().astype(int).tolist():
        out.append(max(each, out[-1] + 1 if out else 1))
    return tuple([min(each, size - number + 1 + n) for n, each in enumerate(out)])


class PseudoDocuments(NamedTuple):
    """Pseudo-documents of n segments each, drawn with replacement.

    `segments` has the indices of the drawn segments, documents × n. `counts` says how often each document has each
    segment, documents × all segments."""

    segments: Numbers
    counts: Array

    @property
    def length(self) -> int:
        """Return the number of segments of each document."""
        return int(self.segments.shape[1])


def draw_documents(
    allowed_segments: Numbers, size: int, length: int, number: int, random: np.random.Generator
) -> PseudoDocuments:
    """Return `number` pseudo-documents of `length` segments each, drawn from `allowed_segments` (indices).

    `size` is the number of all segments."""
    drawn = allowed_segments[random.integers(len(allowed_segments), size=(number, length))]
    flat = drawn + size * np.arange(number)[:, None]
    counts = np.bincount(flat.ravel(), minlength=number * size).reshape(number, size).astype(np.float64)
    return PseudoDocuments(drawn, counts)


def score_by_metric(scores: Scores, drawn: PseudoDocuments) -> Array:
    """Return a metric's score of each system in each pseudo-document, documents × systems; higher is better."""
    summed = scores.summed_columns
    systems, size, columns = summed.shape
    sums = drawn.counts @ np.ascontiguousarray(np.moveaxis(summed, 0, 1)).reshape(size, systems * columns)
    return scores.metric.sign * scores.scores_of_sums(sums.reshape(len(drawn.counts), systems, columns), drawn.length)


class OutputRatings(NamedTuple):
    """The judgements of outputs on one scale.

    Attributes:
        each: systems × segments × judgements; the judgements of each output come first, then NaN.
        number: number of judgements of each output, systems × segments.
        judged: indices of the segments in which any output has a judgement.
        twice: indices of the segments in which any output has two judgements."""

    sorted_ratings: Array
    number: Numbers
    judged: Numbers
    twice_judged: Numbers


def read_ratings(judged: JudgementRecord, scale: str, systems: Sequence[int]) -> OutputRatings:
    """Return the judgements of the given systems on the scale, as z-scores of each judge; higher is better."""
    ratings = standardise_by_judge(judged.ratings[scale])[list(systems)] * judged.scale(scale).sign
    each = np.take_along_axis(ratings, np.argsort(np.isnan(ratings), axis=2, kind="stable"), axis=2)
    number = (~np.isnan(each)).sum(axis=2)
    most = number.max(axis=0) if len(systems) else np.zeros(judged.size, dtype=np.intp)
    return OutputRatings(each, number, np.flatnonzero(most >= 1), np.flatnonzero(most >= 2))


def standardise_by_judge(ratings: Array) -> Array:
    """Return the ratings, systems × segments × judges, as z-scores: each judge gets mean 0 and variance 1.

    They are 0 for a judge who gave one value only.

    >>> standardise_by_judge(np.array([[[1.0], [3.0]], [[np.nan], [5.0]]])).round(3).tolist()
    [[[-1.225], [0.0]], [[nan], [1.225]]]
    """
    valid = ~np.isnan(ratings)
    number = np.maximum(valid.sum(axis=(0, 1)), 1)
    means = np.where(valid, ratings, 0.0).sum(axis=(0, 1)) / number
    centred = ratings - means
    spread = np.sqrt(np.where(valid, centred**2, 0.0).sum(axis=(0, 1)) / number)
    z_scores: Array = centred / np.where(spread > 0, spread, 1.0)
    return z_scores


def score_by_people(ratings: OutputRatings, drawn: PseudoDocuments, random: np.random.Generator) -> Array:
    """Return the human score of each system in each pseudo-document, documents × systems.

    A score is the mean of one randomly drawn judgement of each judged sentence. It is NaN if no sentence of the system
    is judged."""
    if ratings.sorted_ratings.shape[2] == 1:
        return mean_scores(ratings.sorted_ratings[:, :, 0], drawn.counts)
    ones = []
    for system, each in enumerate(ratings.sorted_ratings):
        at = (random.random(drawn.segments.shape) * ratings.number[system][drawn.segments]).astype(np.intp)
        ones.append(each[drawn.segments, at])
    return _mean_ratings(ones, ratings.number >= 1, drawn)


def score_by_two_judgements(
    ratings: OutputRatings, drawn: PseudoDocuments, random: np.random.Generator
) -> tuple[Array, Array]:
    """Return two independent human scores of each system in each pseudo-document, each documents × systems.

    They use two different judgements of each sentence that has two."""
    first = [random.random(drawn.segments.shape) for _ in ratings.sorted_ratings]
    one, other = [], []
    for system, draws in enumerate(first):
        # An output with fewer than two judgements is drawn too, to keep the random numbers in step; it does not count.
        number = np.maximum(ratings.number[system], 2)[drawn.segments]
        at = (draws * number).astype(np.intp)
        step = 1 + (random.random(at.shape) * (number - 1)).astype(np.intp)
        one.append(ratings.sorted_ratings[system][drawn.segments, at])
        other.append(ratings.sorted_ratings[system][drawn.segments, (at + step) % number])
    twice = ratings.number >= 2
    return _mean_ratings(one, twice, drawn), _mean_ratings(other, twice, drawn)


def _mean_ratings(each: Sequence[Array], has_rating: Flags, drawn: PseudoDocuments) -> Array:
    """Return the mean drawn rating of each system in each pseudo-document, documents × systems, NaN without any.

    `each` has for every system the drawn ratings, documents × sentences. `has_rating` is systems × segments."""
    sums = [np.where(of[drawn.segments], values, 0.0).sum(axis=1) for values, of in zip(each, has_rating, strict=True)]
    with single_core_products():
        number = drawn.counts @ has_rating.T.astype(np.float64)
    return ratio(np.stack(sums, axis=1), number, np.nan)


def document_coefficients(judged: Array, metric: Array) -> Array:
    """Return Spearman's ρ over the systems for each pseudo-document; both arguments are documents × systems.

    It is NaN where people tie all systems or a system has no score. It is 0 where only the metric ties all systems."""
    rhos = spearman(judged, metric)
    ranked = (np.ptp(ranks(judged), axis=1) > 0) & ~np.isnan(metric).any(axis=1)
    return np.where(np.isnan(rhos) & ranked, 0.0, rhos)


# ---------------------------------------------------------------- curves


class DocumentCorrelations(NamedTuple):
    """Spearman's ρ of one metric with people, for pseudo-documents of each length.

    Attributes:
        values: ρ of each pseudo-document, lengths × documents.
        opens: for each length the outputs that a click on its point opens.
        unjudged: share of pseudo-documents in which people judged no sentence of some system."""

    values: Array
    opens: tuple[tuple[OpenedOutput, ...], ...]
    unjudged: float = 0.0


def draw_correlations(
    tables: Mapping[str, Scores],
    ratings: OutputRatings,
    drawable_segments: Numbers,
    systems: Sequence[int],
    seed: int,
    number: int,
    others: Mapping[str, Array] = {},
) -> tuple[tuple[int, ...], dict[str, DocumentCorrelations]]:
    """Return the document lengths, and Spearman's ρ of all pseudo-documents by name of metric, program or baseline.

    `tables` has the scores of metrics; `others` has scores of programs, systems × segments, which are averaged. Each of
    `number` documents per length draws its segments from `drawable_segments`. All use the same documents and the same
    drawn judgements. ρ is NaN where a system has no judgement, or no score of the program. One judge is compared with
    another if any output has two judgements."""
    size = ratings.sorted_ratings.shape[1]
    random = np.random.default_rng(seed)
    ns = document_lengths(len(drawable_segments))
    tables = {name: table.select_systems(systems) for name, table in tables.items()}
    outer = {name: scores[list(systems)] for name, scores in others.items()}
    by_chance = np.random.default_rng(seed + 1)
    values: dict[str, list[Array]] = {name: [] for name in (*tables, *outer)}
    chance_values: list[Array] = []
    unjudged: list[float] = []
    opens: dict[str, list[tuple[OpenedOutput, ...]]] = {name: [] for name in (*tables, *outer)}
    for n in ns:
        sample = draw_documents(drawable_segments, size, n, number, random)
        judged = score_by_people(ratings, sample, random)
        unjudged.append(float(np.isnan(judged).any(axis=1).mean()))
        each = {name: score_by_metric(table, sample) for name, table in tables.items()}
        each |= {name: mean_scores(scores, sample.counts) for name, scores in outer.items()}
        for name, metric in each.items():
            rhos = document_coefficients(judged, metric)
            values[name].append(rhos)
            worst = _worst_outputs(ratings, sample, judged, metric, rhos)
            opens[name].append(
                tuple(
                    [
                        output_place(tables[name], systems[s], n) if name in tables else OpenedOutput(systems[s], n, "")
                        for s, n in worst
                    ]
                )
            )
        chance_values.append(
            spearman(judged, by_chance.permuted(np.broadcast_to(np.arange(len(systems)), judged.shape), axis=1))
        )
    none: tuple[tuple[OpenedOutput, ...], ...] = ((),) * len(ns)
    out = {name: DocumentCorrelations(np.stack(rhos), tuple(opens[name])) for name, rhos in values.items()}
    out[CHANCE] = DocumentCorrelations(np.stack(chance_values), none, float(np.mean(unjudged)))
    if len(ratings.twice_judged) > 1:
        twice = []
        for n in ns:
            sample = draw_documents(ratings.twice_judged, size, n, number, random)
            twice.append(spearman(*score_by_two_judgements(ratings, sample, random)))
        out[JUDGES] = DocumentCorrelations(np.stack(twice), none)
    return ns, out


def _worst_outputs(
    ratings: OutputRatings, sample: PseudoDocuments, judged: Array, metric: Array, rhos: Array
) -> list[tuple[int, int]]:
    """Return (system, segment) of outputs in the pseudo-document on which the metric agrees least with people.

    They are judged outputs of the system whose rank differs most. `judged` and `metric` are the scores, documents ×
    systems, and `rhos` their correlations."""
    if np.isnan(rhos).all():
        return []
    worst = int(np.nanargmin(rhos))
    system = int(np.abs(ranks(judged[worst]) - ranks(metric[worst])).argmax())
    segments = dict.fromkeys(sample.segments[worst].tolist())
    return [(system, segment) for segment in segments if ratings.number[system, segment]][:OPENED]


def _curve(name: str, ns: Sequence[int], correlations: DocumentCorrelations, pair: str = "") -> ExperimentCurve:
    """Return the curve of mean ρ against document length `ns`; its intervals are ± 1.96 standard errors."""
    points = []
    for n, each, opens in zip(ns, correlations.values, correlations.opens, strict=True):
        defined = each[~np.isnan(each)]
        if len(defined):
            mean, error = float(defined.mean()), float(defined.std() / np.sqrt(len(defined)))
            points.append(CurvePoint(float(n), mean, mean - 1.96 * error, mean + 1.96 * error, opens))
    return ExperimentCurve(name, tuple(points), name in (JUDGES, CHANCE), pair)


def _difference_tables(
    key: str, title: str, ns: Sequence[int], correlations: Mapping[str, DocumentCorrelations]
) -> tuple[list[ExperimentTable], str]:
    """Return the tables of the differences of mean ρ and of Wilcoxon's p, for each pair of metrics and length.

    Also return a sentence on the size above which all differences are significant; "" if there are none."""
    names = [*correlations]
    differences, p_values, sizes = [], [], []
    for a, b in combinations(names, 2):
        mean_differences, ps = [], []
        for one, other in zip(correlations[a].values, correlations[b].values, strict=True):
            each = (one - other)[~np.isnan(one - other)]
            mean_differences.append(float(each.mean()) if len(each) else None)
            ps.append(wilcoxon(each) if len(each) else None)
        differences.append(
            ExperimentRow(f"{a} less {b}", tuple([None if v is None else ExperimentValue(v) for v in mean_differences]))
        )
        p_values.append(ExperimentRow(f"{a} less {b}", tuple([None if v is None else ExperimentValue(v) for v in ps])))
        sizes += [
            (abs(d), p < ALPHA) for d, p in zip(mean_differences, ps, strict=True) if d is not None and p is not None
        ]
    columns = tuple([f"n = {n}" for n in ns])
    tables = [
        ExperimentTable(
            f"{key}-differences", f"{title}: differences of mean ρ", columns, tuple(differences), lower_is_better=None
        ),
        ExperimentTable(
            f"{key}-p",
            f"{title}: p of Wilcoxon's signed ranks",
            columns,
            tuple(p_values),
            lower_is_better=None,
            probabilities=True,
        ),
    ]
    least = max([size for size, beyond in sizes if not beyond], default=0.0)
    if not sizes:
        return [], ""
    sentence = (
        f"All differences of mean ρ above {least:.3f} are more than chance by Wilcoxon's signed ranks (p < {ALPHA:g})."
    )
    return tables, sentence if any(beyond for _, beyond in sizes) else "No difference is more than chance."


# ---------------------------------------------------------------- judges


def compare_judge_pairs(judged: JudgementRecord, scale: str) -> tuple[ExperimentTable, Chart] | None:
    """Return a table of Spearman's ρ between each two judges, lowest first, and a chart of the lowest pair's ratings.

    ρ is over the outputs that both rated. Returns None if no two judges rated the same output."""
    ratings = judged.ratings[scale]
    judge_pairs = []
    for a, b in combinations(range(len(judged.judges)), 2):
        shared = ~np.isnan(ratings[:, :, a] + ratings[:, :, b])
        rho = correlation.spearman(ratings[:, :, a].ravel(), ratings[:, :, b].ravel())
        if isinstance(rho, correlation.CoefficientValue):
            judge_pairs.append((rho.value, a, b, shared))
    if not judge_pairs:
        return None
    judge_pairs.sort(key=lambda each: each[:3])
    rows = [
        ExperimentRow(
            f"{judged.judges[a]} and {judged.judges[b]}",
            (ExperimentValue(value), ExperimentValue(float(shared.sum()))),
            most_different_places(ratings[:, :, a], ratings[:, :, b]),
        )
        for value, a, b, shared in judge_pairs[:PAIRS]
    ]
    title = f"{scale}: pairs of judges"
    if len(judge_pairs) > PAIRS:
        title += f", the {PAIRS} of {len(judge_pairs)} that agree least"
    table = ExperimentTable(f"{scale}-judges", title, ("Spearman", "outputs"), tuple(rows), lower_is_better=None)
    value, a, b, shared = judge_pairs[0]
    points = [
        CurvePoint(float(ratings[s, n, a]), float(ratings[s, n, b]), opens=(OpenedOutput(int(s), int(n), ""),))
        for s, n in zip(*np.nonzero(shared), strict=True)
    ]
    chart = Chart(
        f"{scale}-figure-3",
        f"{scale}: the two judges who agree least",
        judged.judges[a],
        judged.judges[b],
        (ExperimentCurve(f"{len(points):,} outputs", tuple(sorted(points, key=lambda point: point[:2]))),),
        lines=False,
        says=f"For these outputs Spearman's ρ is {value:.3f}.",
    )
    return table, chart


# ---------------------------------------------------------------- the experiment


def _score_requests(
    data: ExperimentData, prefix: str, text: TextSettings, references: tuple[int, ...] | None
) -> list[ScoreRequest]:
    """Return the requests for scores by the paper's metrics and by those that the reader added.

    `prefix` begins the names of the scores."""
    out = [
        score_request(f"{prefix}GTM, e = 1", "gtm", text, references, exponent=1.0),
        score_request(f"{prefix}GTM, e = 2", "gtm", text, references, exponent=2.0),
        score_request(f"{prefix}BLEU", "bleu", text, references),
        score_request(f"{prefix}NIST", "nist", text, references),
    ]
    more = [key for key in data.options.metrics if all(key != each.key for each in out)]
    return out + [score_request(f"{prefix}{METRICS[key].label}", key, text, references) for key in more]


def _missing(data: ExperimentData) -> str:
    """Return a sentence on what the data lack, or ""."""
    missing = require(systems=3, segments=2, judged=True)(data)
    if missing or data.least_references or data.others or (data.judged and _has_double_judgements(data.judged)):
        return missing
    return (
        "There must be a reference of each segment, scores of another program, or outputs that two people judged. "
        "There is none of them."
    )


def _has_double_judgements(judged: JudgementRecord) -> bool:
    """Return whether any output has two judgements."""
    return any(((~np.isnan(each)).sum(axis=2) > 1).any() for each in judged.ratings.values())


def run(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the experiment's curves of metrics for typed and stemmed texts, one and all references, and judges."""
    if missing := _missing(data):
        raise ValueError(missing)
    judged, number = data.judged, data.options.draws or DRAWS
    assert judged is not None
    settings = (("as typed, ", data.text, (0,)), ("stems, ", stemmed(data.text), (0,)))
    requests = [each for one in settings for each in _score_requests(data, *one)]
    most = max(map(len, data.references), default=0)
    if most > 1:
        requests += _score_requests(data, f"stems, {most}{_SEVERAL}", stemmed(data.text), None)
        requests += [
            score_request(f"{_ALONE}reference {k + 1}", "gtm", stemmed(data.text), (k,), exponent=1.0)
            for k in range(most)
        ]
    result = scored(data, requests if data.references else [], tell, (0.0, 0.6))
    tables: list[ExperimentTable] = []
    charts: list[Chart] = []
    notes = [*result.notes, MONTE_CARLO]
    others = data.external_scores((*[name.split(", ", 1)[1] for name in result.scores], CHANCE, JUDGES))
    for n, scale in enumerate(data.scales):
        tell(ExperimentProgress(0.6 + 0.4 * n / len(data.scales), f"Draws pseudo-documents, {scale}"))
        systems = judged_systems(judged, scale)
        notes += describe_unjudged_systems(data, scale, systems)
        ratings = read_ratings(judged, scale, systems)
        if len(systems) < 3 or len(ratings.judged) < 2:
            notes.append(f"{scale}: no two segments are judged, or fewer than three systems, so there are no curves.")
            continue
        if pairs := compare_judge_pairs(judged, scale):
            tables.append(pairs[0])
            charts.append(pairs[1])
        ns, curves = draw_correlations(
            result.scores, ratings, ratings.judged, systems, data.options.seed, number, others
        )
        charts += _charts(scale, ns, curves, [*others])
        so_far = _missing_data_notes(scale, ratings, curves, [*others])
        for key, prefix in (("figure-4", "as typed, "), ("figure-5", "stems, ")):
            prefix_curves = {
                name.removeprefix(prefix): each for name, each in curves.items() if name.startswith(prefix)
            }
            prefix_curves |= {name: curves[name] for name in others} if prefix_curves else {}
            new_tables, sentence = _difference_tables(f"{scale}-{key}", f"{scale}, {prefix[:-2]}", ns, prefix_curves)
            tables += new_tables
            notes += [f"{scale}, {prefix[:-2]}: {sentence}"] if sentence else []
        notes += so_far
    tell(ExperimentProgress(1.0, "Done"))
    return ExperimentOutcome(tuple(tables), tuple(charts), (), tuple(dict.fromkeys(notes)))


def _charts(
    scale: str, ns: Sequence[int], correlations: Mapping[str, DocumentCorrelations], others: Sequence[str]
) -> list[Chart]:
    """Return Figure 4 (texts as typed) and Figure 5 (stems, one and several references), with other programs."""

    def curves(prefix: str) -> tuple[ExperimentCurve, ...]:
        ours = {name.removeprefix(prefix): each for name, each in correlations.items() if name.startswith(prefix)}
        one = {name: name.partition(_SEVERAL)[2] for name in ours}
        out = [_curve(name, ns, each, one[name] if one[name] in ours else "") for name, each in ours.items()]
        extra_names = (JUDGES, CHANCE) if prefix == _ALONE else (*others, JUDGES, CHANCE)
        out += [_curve(name, ns, correlations[name]) for name in extra_names if name in correlations]
        return tuple([curve for curve in out if curve.points])

    charts = [
        Chart(f"{scale}-{key}", f"{scale}, {title}", "sentences n", "mean Spearman's ρ", curves(prefix), True)
        for key, title, prefix in (
            ("figure-4", "words as given, one reference", "as typed, "),
            ("figure-5", "lower-cased stems, one and several references", "stems, "),
            ("alone", "GTM with e = 1, lower-cased stems, each reference alone", _ALONE),
        )
        if any(name.startswith(prefix) for name in correlations)
    ]
    if not charts:
        title = f"{scale}, without a metric of this program" if others else f"{scale}, without a metric"
        charts = [Chart(f"{scale}-judges", title, "sentences n", "mean Spearman's ρ", curves("no"), True)]
    return [chart for chart in charts if chart.curves]


def _missing_data_notes(
    scale: str, ratings: OutputRatings, correlations: Mapping[str, DocumentCorrelations], others: Sequence[str]
) -> list[str]:
    """Return sentences on missing judgements and scores, and on the pseudo-documents that are left out."""
    notes = []
    unjudged = correlations[CHANCE].unjudged
    number = ratings.number[:, ratings.judged]
    if missing := int((number == 0).sum()):
        notes.append(
            f"{scale}: {missing:,} of the {number.size:,} outputs that pseudo-documents are made of are not judged. A "
            "system's score by people is the mean of its judged sentences, and metrics score all. A pseudo-document in "
            f"which a system has none is left out for all: {unjudged:.1%} of them."
        )
    tied_share = float(np.isnan(correlations[CHANCE].values).mean()) - unjudged
    if tied_share > 0:
        notes.append(
            f"{scale}: people gave all systems the same score in {tied_share:.1%} of the pseudo-documents, left out "
            "here."
        )
    for name in others:
        if np.isnan(correlations[name].values).all():
            notes.append(f"{scale}: {name} has no curve, because it scored no output of some system.")
        elif np.isnan(correlations[name].values[~np.isnan(correlations[CHANCE].values)]).any():
            notes.append(
                f"{scale}: pseudo-documents in which {name} scored no sentence of some system are left out for it."
            )
    return notes


MONTE_CARLO = (
    "The intervals around curves say how exactly the drawn pseudo-documents give the mean, not how another set of "
    "systems or sentences would come out."
)

_PAPER = (
    "Joseph P. Turian, Luke Shen and I. Dan Melamed (2003): Evaluation of Machine Translation and its Evaluation. "
    "Proceedings of MT Summit IX"
)

PRINTED = PaperResults(
    facts=(
        PaperStatement(
            "The two judges who agree least both rated 227 sentences for Adequacy: Spearman's ρ is 0.019.", "Figure 3"
        ),
        PaperStatement(
            "10 systems on 878 Chinese sentences, one reference: F with e = 1 ranks the systems best; agreement among "
            "judges is low on short documents. Differences of 0.01 or more are more than chance (α = 0.999).",
            "Figure 4, section 4",
        ),
        PaperStatement(
            "6 systems on 728 Arabic sentences, stemmed and lower-cased, Adequacy: differences of 0.004 or more are "
            "more than chance (α = 0.999); more references help, but BLEU on long documents is worse with three than "
            "with one.",
            "Figure 5, section 4",
        ),
    )
)

EXPERIMENT = Experiment(
    key="turian",
    title="How many sentences a metric needs to rank systems",
    paper=_PAPER,
    about="Spearman's ρ over the systems, the mean over 1,000 pseudo-documents of n random sentences, for 20 n's.",
    needs=DataRequirements(
        "Three systems or more, judged by people, and a reference or scores of another program; for the judges' "
        "own curve, also two judgements of an output.",
        _missing,
    ),
    printed=PRINTED,
    differs=(
        "The paper prints curves without their numbers: what it says about them is next to ours.",
        "Sentences are drawn with replacement; the paper does not say how.",
        "NIST weighs its n-grams by the references of the whole corpus; the paper has “the unweighted NIST score”.",
        "A pseudo-document in which people rate all systems the same is left out, and one in which only the metric "
        "does counts as 0; the paper does not say.",
        "The one reference is the first; each reference alone is in a chart of its own. With several all are used, "
        "while the paper uses three of four.",
    ),
    run=run,
    takes=("metrics",),
)
