"""Repeats Liu and Gildea (2006): human judgements of outputs and of systems with metrics and with parts of SIA."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ....catalogue import METRICS
from ....text import TextSettings
from ....text.similarity import MissingCorpus, Similarity, StemSimilarity, similarity_for, train
from ...table import Array
from ...table import StatisticsTable as Scores
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
    PaperResults,
    PaperStatement,
    ProgressCallback,
    require,
)
from .levels import (
    CHANCE,
    JUDGES,
    CorrelationSide,
    chance_coefficients,
    correlate_judges,
    correlate_outputs,
    correlate_systems,
    correlation_rows,
    describe_interval_widths,
    draw_two_judgements,
    most_different_places,
    most_disputed_outputs,
    rating_side,
    score_side,
)
from .scoring import ScoreRequest, reader, rescore, score_request, scored, settings_of, statistics, stemmed

#: Number of resamples of the outputs, or of the segments.
RESAMPLES = 5000
#: Lengths of BLEU's longest n-grams, and the decays of SIA that are tried, in tenths.
ORDERS, TENTHS = range(1, 7), range(1, 11)
#: The mean of both scales is added under the name “overall”, as in the paper.
_BOTH, _OVERALL = ("adequacy", "fluency"), "overall"

SIA = METRICS["sia"]
#: Names of SIA's statistics: the prefix of the gain of each round, and those that do not depend on rounds.
_GAIN, _LENGTHS = "gain_", ("candidate_length", "mean_reference_length")


# ---------------------------------------------------------------- input


class ScaleJudgements(NamedTuple):
    """The mean human judgements by scale, each systems × segments, with higher being better.

    `first` is the system by which the decay of SIA is chosen, and `others` are the other judged systems."""

    scales: Mapping[str, Array]
    first_system: int
    other_systems: tuple[int, ...]

    def without_first(self, scale: str) -> Array:
        """Return the judgements on a scale with those of the first system, by which SIA is tuned, set to NaN."""
        others = self.scales[scale].copy()
        others[self.first_system] = np.nan
        return others


def mean_judgements(data: ExperimentData) -> ScaleJudgements:
    """Return the mean human judgements by scale, with the mean of adequacy and fluency as “overall”."""
    assert data.judged is not None
    scales = {scale: data.judged.oriented_means(scale) for scale in data.scales}
    if all(name in scales for name in _BOTH) and _OVERALL not in scales:
        scales[_OVERALL] = (scales[_BOTH[0]] + scales[_BOTH[1]]) / 2
    judged = [s for s in range(len(data.systems)) if any(not np.isnan(each[s]).all() for each in scales.values())]
    return ScaleJudgements(scales, judged[0], tuple(judged[1:]))


_missing_texts = require(systems=4, segments=2, references=1, judged=True)


def _missing(data: ExperimentData) -> str:
    if missing := _missing_texts(data):
        return missing
    assert data.judged is not None
    each = [data.judged.means(scale) for scale in data.scales]
    number = sum(any(not np.isnan(means[s]).all() for means in each) for s in range(len(data.systems)))
    return "" if number > 3 else f"Outputs of at least 4 systems must be judged, but only {number} are."


@dataclass(frozen=True, slots=True)
class EitherSimilarity:
    """A similarity of words that asks one similarity first, and another one where the first gives 0."""

    one: Similarity
    other: Similarity

    @property
    def signature(self) -> str:
        return f"{self.one.signature}+{self.other.signature}"

    def __call__(self, a: str, b: str) -> float:
        return self.one(a, b) or self.other(a, b)


def word_similarity(data: ExperimentData, tell: ProgressCallback) -> tuple[Similarity | None, str]:
    """Return the similarity of words for SIA, and a sentence on where it comes from.

    It is that of the options, or one trained on source and references; None if there is neither."""
    if data.options.similarity is not None:
        return data.options.similarity, f"Similar words come from {data.options.similarity.signature}."
    if not any(line.strip() for line in data.source):
        return None, "There is no bitext and no source, so no similarity of words can be trained."
    of_source, of_reference = reader(TextSettings(tokenizer="chinese")), reader(lowercased(data.text))
    pairs = [
        (of_reference(line), of_source(source))
        for source, references in zip(data.source, data.references, strict=True)
        for line in references
    ]

    def report_progress(finished: int, total: int) -> None:
        tell(ExperimentProgress(0.15 * finished / total, "Trains the similarity of words on source and references"))

    trained = train(pairs, progress=report_progress, name="source and references")
    description = (
        f"Similar words come from IBM Model 1, trained on the {len(pairs):,} pairs of source and reference themselves."
    )
    return trained, description


def lowercased(text: TextSettings) -> TextSettings:
    """Return the paper's text settings: lower case, not stemmed."""
    return replace(text, lowercase=True, stemmer="none")


class SiaRoundGains(NamedTuple):
    """The gain of each round of SIA in each output, from which the scores for any decay follow.

    `gains` is systems × segments × rounds; `lengths` are SIA's other statistics by name, systems × segments each."""

    gains: Array
    lengths: Mapping[str, Array]

    def score(self, settings: Any) -> Scores:
        """Return SIA's scores with the decay of `settings`, from all rounds, or from the first if not iterative."""
        number = self.gains.shape[2] if settings.iterative else 1
        weights = np.array([settings.weight(n + 1) for n in range(number)])
        shape = self.gains.shape[:2]
        columns = {name: np.ascontiguousarray(each.ravel()) for name, each in self.lengths.items()}
        columns["weighted_gain"] = (self.gains[:, :, :number] @ weights).ravel()
        scores = np.asarray(SIA.from_stats(columns, settings).score).reshape(shape)
        return Scores(SIA, settings, (), np.empty((*shape, 0)), scores)


def sia_round_gains(
    data: ExperimentData,
    similar: Similarity | None,
    tell: ProgressCallback,
    progress_range: tuple[float, float],
    what: str,
) -> SiaRoundGains:
    """Return the gain of each round of SIA in each output, with the similarity `similar`, computed by system."""
    settings = settings_of("sia", similarity=similar)
    all_stats = statistics(data, SIA, settings, lowercased(data.text), tell, progress_range, f"Aligns words: {what}")
    most = max(len([name for name in each if name.startswith(_GAIN)]) for stats in all_stats for each in stats)
    gains = [[[each.get(f"{_GAIN}{n + 1}", 0.0) for n in range(most)] for each in stats] for stats in all_stats]
    lengths = {name: np.array([[each[name] for each in stats] for stats in all_stats]) for name in _LENGTHS}
    return SiaRoundGains(np.array(gains).reshape(len(all_stats), data.size, most), lengths)


def scores_by_decay(round_gains: SiaRoundGains, similar: Similarity | None) -> dict[float, Scores]:
    """Return the scores of SIA for each decay that the experiment tries, by decay."""
    return {n / 10: round_gains.score(settings_of("sia", decay=n / 10, similarity=similar)) for n in TENTHS}


def choose_decay(tried: Mapping[float, Scores], scale_judgements: ScaleJudgements) -> float:
    """Return the decay for which SIA agrees best with people on the first system, the paper's development set.

    Agreement is Pearson's r on “overall”, or its mean over all scales. Ties: the smallest; 0.5 if undefined."""
    names = [_OVERALL] if _OVERALL in scale_judgements.scales else [*scale_judgements.scales]
    best, decay = -np.inf, 0.5
    for n, scores in tried.items():
        ours = {"": scores.scores[[scale_judgements.first_system]]}
        correlations = [
            correlate_outputs(scale_judgements.scales[name][scale_judgements.first_system][None], ours, 0, 0)[""].value
            for name in names
        ]
        each = [value for value in correlations if value is not None]
        if each and float(np.mean(each)) > best + 1e-12:
            best, decay = float(np.mean(each)), n
    return decay


# ---------------------------------------------------------------- tables of both levels


def correlation_table(
    key: str,
    title: str,
    data: ExperimentData,
    scores_by_name: Mapping[str, Scores],
    people: Mapping[str, Array],
    over_systems: bool,
) -> ExperimentTable:
    """Return the table of Pearson's r, over outputs or systems: metrics, other programs, judges and chance × scales.

    The score of a system is the corpus score of BLEU, and the mean for all other metrics and programs."""
    resamples, seed = data.options.draws or RESAMPLES, data.options.seed
    others = data.external_scores((*scores_by_name, CHANCE, JUDGES))
    metrics = {name: scores.oriented_scores for name, scores in scores_by_name.items()} | others
    sides = {name: _system_side(scores) for name, scores in scores_by_name.items()}
    sides |= {name: rating_side(scores) for name, scores in others.items()}
    any_scores = next(iter(scores_by_name.values())).scores
    *_, of_last_scale = people.values()
    opens = {name: most_disputed_outputs(scores, of_last_scale) for name, scores in scores_by_name.items()}
    opens |= {name: most_different_places(scores, of_last_scale) for name, scores in others.items()}
    values: dict[str, list[ExperimentValue | None]] = {name: [] for name in (*metrics, CHANCE, JUDGES)}
    for scale, ratings in people.items():
        by_chance = chance_coefficients(any_scores, ratings, seed)
        pair = _two_judgements(data, scale, ratings)
        each: dict[str, ExperimentValue]
        if over_systems:
            systems = [s for s in range(len(data.systems)) if not np.isnan(ratings[s]).all()]
            coefficients = correlate_systems(rating_side(ratings), sides, systems, resamples, seed)
            each = {name: of.pearson for name, of in coefficients.items()} | {CHANCE: by_chance[0].pearson}
            if pair:
                each[JUDGES] = correlate_judges(pair, systems, resamples, seed).pearson
        else:
            each = correlate_outputs(ratings, metrics, resamples, seed) | {CHANCE: by_chance[1].pearson}
            if pair:
                each |= correlate_outputs(pair[0], {JUDGES: pair[1]}, resamples, seed)
        if pair:
            opens[JUDGES] = most_different_places(*pair)
        for name, column in values.items():
            column.append(each.get(name))
    return ExperimentTable(key, title, tuple(people), correlation_rows(values, opens))


def _system_side(scores: Scores) -> CorrelationSide:
    """Return a metric's scores of systems: the corpus score for BLEU, the mean for others, as in the paper."""
    return score_side([scores]) if scores.metric.length_penalty else rating_side(scores.oriented_scores)


def _two_judgements(data: ExperimentData, scale: str, ratings: Array) -> tuple[Array, Array] | None:
    """Return two judgements of each output that has two; None for a mean of scales, and where no output has two."""
    assert data.judged is not None
    if scale not in data.judged.ratings or not (pair := draw_two_judgements(data.judged, scale, data.options.seed)):
        return None
    first, second = (np.where(np.isnan(ratings), np.nan, each) for each in pair)
    return first, second


# ---------------------------------------------------------------- Tables 1 to 6


def run(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the experiment's tables over outputs and over systems.

    They compare BLEU with ROUGE-W over all outputs, and BLEU, ROUGE, METEOR and SIA over outputs of all but the first
    system, and over systems."""
    if missing := _missing(data):
        raise ValueError(missing)
    scale_judgements, text = mean_judgements(data), lowercased(data.text)
    similar, sentence = word_similarity(data, tell)
    requests = [
        score_request(f"BLEU-{ORDERS[-1]}", "bleu", text, None, max_order=ORDERS[-1], smoothing="add_k"),
        score_request("ROUGE-W", "rouge_w", text, None, multi_reference="best"),
        score_request("ROUGE-S*, stems", "rouge_s", stemmed(text), None, multi_reference="best"),
        score_request("ROUGE-W, stems", "rouge_w", stemmed(text), None, multi_reference="best"),
        ScoreRequest("METEOR", "meteor", METRICS["meteor"].Settings().of_texts(data.text.language), text),
    ]
    result = scored(data, requests, tell, (0.15, 0.3))
    tried = scores_by_decay(sia_round_gains(data, similar, tell, (0.3, 0.85), "SIA"), similar)
    scores, decay = result.scores, choose_decay(tried, scale_judgements)
    longest = scores[f"BLEU-{ORDERS[-1]}"]
    bleu = {f"BLEU-{n}": rescore(longest, replace(longest.settings, max_order=n)) for n in ORDERS}  # type: ignore[call-arg]
    tell(ExperimentProgress(0.85, "Resamples the outputs"))
    first = correlation_table(
        "table-1",
        "Outputs of all systems: BLEU by its longest n-grams, and ROUGE-W",
        data,
        bleu | _select_scores(scores, "ROUGE-W"),
        scale_judgements.scales,
        over_systems=False,
    )
    tell(ExperimentProgress(0.9, "Resamples the outputs"))
    others = {scale: scale_judgements.without_first(scale) for scale in scale_judgements.scales}
    more = _select_scores(scores, "ROUGE-S*, stems", "ROUGE-W, stems", "METEOR") | {"SIA": tried[decay]}
    second = correlation_table(
        "table-2",
        f"Outputs of all systems but {data.systems[scale_judgements.first_system]}",
        data,
        _select_scores(bleu, "BLEU-3") | more,
        others,
        over_systems=False,
    )
    tell(ExperimentProgress(0.95, "Resamples the segments"))
    third = correlation_table(
        "table-6",
        f"All {len(scale_judgements.other_systems) + 1} systems",
        data,
        _select_scores(bleu, "BLEU-6") | more,
        scale_judgements.scales,
        over_systems=True,
    )
    widths, decay_sentence = describe_interval_widths([first, second]), _decay_sentence(data, scale_judgements, decay)
    notes = (*result.notes, sentence, decay_sentence, *widths)
    tell(ExperimentProgress(1.0, "Done"))
    return ExperimentOutcome((first, second, third), (), (), notes)


def _select_scores(scores_by_name: Mapping[str, Scores], *names: str) -> dict[str, Scores]:
    return {name: scores_by_name[name] for name in names if name in scores_by_name}


def _decay_sentence(data: ExperimentData, scale_judgements: ScaleJudgements, decay: float) -> str:
    name = data.systems[scale_judgements.first_system]
    sentence = f"SIA's decay α = {decay} agrees best with people's judgements of {name}"
    return f"{sentence}, whose outputs are left out where a title says so."


# ---------------------------------------------------------------- Tables 7 and 8


def run_components(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the tables of SIA without some of its parts and with other similarities, and charts by decay."""
    if missing := _missing(data):
        raise ValueError(missing)
    scale_judgements, text = mean_judgements(data), lowercased(data.text)
    similar, sentence = word_similarity(data, tell)
    similarities, missing_notes = _similarities(data, similar)
    each = {}
    for n, (name, one) in enumerate(similarities.items()):
        at = [0.15 + 0.65 * more / len(similarities) for more in (n, n + 1)]
        each[name] = sia_round_gains(data, one, tell, (at[0], at[1]), name or "equal words")
    best = "PROB" if "PROB" in each else ""
    tried = scores_by_decay(each[best], similarities[best])
    decay = choose_decay(tried, scale_judgements)
    lcs = scored(
        data, [score_request("LCS without gaps", "rouge_l", text, None, multi_reference="best")], tell, (0.8, 0.85)
    )
    scores_by_name = dict(lcs.scores)
    for name, aligned in each.items():
        settings = settings_of("sia", decay=decay, similarity=similarities[name])
        suffix = f" {name}" if name else ""
        scores_by_name["WLS PROB INCS" if name == "PROB" else f"WLS INCS{suffix}"] = aligned.score(settings)
        scores_by_name[f"WLS{suffix}"] = aligned.score(replace(settings, iterative=False))
    others = {scale: scale_judgements.without_first(scale) for scale in scale_judgements.scales}
    names = [
        ("table-7", "the parts of SIA", ("LCS without gaps", "WLS", "WLS PROB", "WLS INCS", "WLS PROB INCS")),
        ("table-8", "similar words", ("WLS INCS", "WLS INCS STEM", "WLS INCS WN", "WLS INCS STEM WN")),
    ]
    tables: list[ExperimentTable] = []
    left_out = data.systems[scale_judgements.first_system]
    for n, (key, what, rows) in enumerate(names):
        tell(ExperimentProgress(0.85 + 0.05 * n, f"Resamples the outputs: {what}"))
        selected = _select_scores(scores_by_name, *rows)
        tables += [
            correlation_table(key, f"Outputs of all systems but {left_out}: {what}", data, selected, others, False),
            correlation_table(f"{key}-systems", f"Systems but {left_out}: {what}", data, selected, others, True),
        ]
    tell(ExperimentProgress(0.95, "Resamples the outputs: decay"))
    charts = _decay_charts(data, tried, others, left_out)
    widths, decay_sentence = describe_interval_widths(tables), _decay_sentence(data, scale_judgements, decay)
    notes = (*lcs.notes, sentence, *missing_notes, decay_sentence, *widths)
    tell(ExperimentProgress(1.0, "Done"))
    return ExperimentOutcome(tuple(tables), charts, (), tuple(dict.fromkeys(notes)))


def _similarities(data: ExperimentData, similar: Similarity | None) -> tuple[dict[str, Similarity | None], list[str]]:
    """Return the similarities of words by the paper's names for them, and sentences on those that are missing."""
    out: dict[str, Similarity | None] = {"": None}
    notes = []
    if similar is not None:
        out["PROB"] = similar
    language = data.text.language
    stems = similarity_for("stem", language)
    if isinstance(stems, StemSimilarity):
        out["STEM"] = stems
    try:
        synonyms = similarity_for("wordnet", language)
        if hasattr(synonyms, "says"):
            notes.append(synonyms.says)
        else:
            out["WN"] = synonyms
    except MissingCorpus as error:
        notes.append(f"{error}")
    if "STEM" in out and "WN" in out:
        out["STEM WN"] = EitherSimilarity(stems, out["WN"])  # type: ignore[arg-type]
    return out, notes


def _decay_charts(
    data: ExperimentData, tried: Mapping[float, Scores], people: Mapping[str, Array], left_out: str
) -> tuple[Chart, ...]:
    """Return charts of Pearson's r of SIA against its decay, over outputs and over systems.

    The curves of chance and of one judge against another do not depend on the decay."""
    charts = []
    for key, title, over_systems in (
        ("decay", f"Outputs of all systems but {left_out}: SIA by its decay", False),
        ("decay-systems", f"Systems but {left_out}: SIA by its decay", True),
    ):
        table = correlation_table(
            key, title, data, {f"{n}": scores for n, scores in tried.items()}, people, over_systems
        )
        curves = []
        for scale in people:
            points = []
            for n in tried:
                row = next(row for row in table.rows if row.name == f"{n}")
                value = table.value(row.name, scale)
                if value and value.value is not None:
                    points.append(CurvePoint(n, value.value, value.low, value.high, row.opens))
            curves.append(ExperimentCurve(scale, tuple(points)))
            for name in (CHANCE, JUDGES):
                if (level := table.value(name, scale)) and level.value is not None:
                    opens = next(row.opens for row in table.rows if row.name == name)
                    points = [CurvePoint(n, level.value, level.low, level.high, opens) for n in tried]
                    curves.append(ExperimentCurve(f"{scale}, {name}", tuple(points), is_baseline=True))
        charts.append(Chart(key, title, "decay α", "Pearson's r", tuple(curves)))
    return tuple(charts)


# ---------------------------------------------------------------- the paper's own numbers


def _printed_table(key: str, title: str, source: str, rows: str, intervals: Mapping[str, str] = {}) -> ExperimentTable:
    """Return a table from lines of a name, fluency, adequacy and overall; `intervals` maps names to low-high pairs."""
    out = []
    for line in rows.strip().splitlines():
        name, *numbers = line.rsplit(maxsplit=3)
        values = [ExperimentValue(float(number)) for number in numbers]
        if name in intervals:
            ends = [float(number) for number in intervals[name].split()]
            values = [ExperimentValue(v.value, *ends[2 * n : 2 * n + 2]) for n, v in enumerate(values)]  # type: ignore[arg-type]
        out.append(ExperimentRow(name, tuple(values)))
    return ExperimentTable(key, title, ("fluency", "adequacy", "overall"), tuple(out), source)


PRINTED = PaperResults(
    (
        _printed_table(
            "table-1",
            "6,433 outputs of 7 systems",
            "Table 1, section 4.1",
            """
BLEU-1   .147 .288 .243
BLEU-2   .162 .296 .256
BLEU-3   .166 .291 .255
BLEU-4   .168 .285 .251
BLEU-5   .165 .279 .247
BLEU-6   .164 .274 .244
ROUGE-W  .191 .268 .254
""",
        ),
        _printed_table(
            "table-2",
            "5,514 outputs of 6 systems",
            "Tables 2 to 5, section 4.2",
            """
BLEU-3           .167 .306 .265
ROUGE-S*, stems  .152 .304 .256
ROUGE-W, stems   .192 .287 .266
METEOR           .167 .332 .280
SIA              .202 .322 .292
""",
            {
                "BLEU-3": ".138 .192 .280 .330 .238 .290",
                "ROUGE-S*, stems": ".124 .177 .278 .329 .229 .281",
                "ROUGE-W, stems": ".164 .218 .259 .312 .238 .293",
                "METEOR": ".139 .191 .307 .355 .254 .304",
                "SIA": ".174 .227 .295 .346 .265 .316",
            },
        ),
        _printed_table(
            "table-6",
            "7 systems",
            "Table 6, section 4.2",
            """
BLEU-6           .514 .876 .794
ROUGE-S*, stems  .466 .900 .790
ROUGE-W, stems   .458 .906 .792
METEOR           .378 .875 .741
SIA              .532 .928 .835
""",
        ),
    ),
    (
        PaperStatement("For sentences, n-grams longer than two words add little.", "Section 4.1"),
        PaperStatement(
            "The intervals overlap: for sentences, hardly any metric outperforms another by more than chance.",
            "Section 4.2",
        ),
    ),
)

PRINTED_COMPONENTS = PaperResults(
    (
        _printed_table(
            "table-7",
            "5,514 outputs of 6 systems",
            "Table 7, section 4.3",
            """
WLS            .189 .295 .270
WLS PROB       .202 .310 .285
WLS INCS       .188 .311 .278
WLS PROB INCS  .202 .322 .292
""",
        ),
        _printed_table(
            "table-8",
            "5,514 outputs of 6 systems",
            "Table 8, section 4.3",
            """
WLS INCS          .188 .311 .278
WLS INCS STEM     .188 .313 .280
WLS INCS WN       .187 .310 .277
WLS INCS STEM WN  .191 .317 .284
""",
        ),
    ),
    (
        PaperStatement(
            "Rounds help with adequacy; similar words from a bitext help with both, and more than stems.", "Section 4.3"
        ),
    ),
)

_PAPER = (
    "Ding Liu and Daniel Gildea (2006): Stochastic Iterative Alignment for Machine Translation Evaluation. Proceedings "
    "of COLING/ACL, 539–546"
)
_NEEDS = DataRequirements(
    "Four systems or more with a reference, judged by people; for similar words, also the source or a bitext.",
    _missing,
)
_DIFFERS = (
    "The data: the paper's seven systems, of a Chinese task with four references, are not available.",
    "A judgement is the mean of all judges; the paper draws one of two by chance. Where adequacy and fluency are "
    "judged, “overall” is their mean, as in the paper.",
    "Intervals over outputs come from resampled single outputs, as in the paper. The page's own table of metrics "
    "resamples segments with all their systems, since outputs of one segment depend on each other: its intervals may "
    "be wider.",
    "SIA's decay is chosen on the first system, as the paper does on E09, from 0.1 to 1.0 in tenths.",
    "The paper's similar words come from IBM Model 4 on 700,000 pairs of French and English sentences.",
)

EXPERIMENT = Experiment(
    key="liu_gildea",
    title="Single outputs and systems: n-grams, subsequences, METEOR and SIA",
    paper=_PAPER,
    about="Pearson's r with people over outputs, with 95 % intervals, and over systems (Tables 1 to 6).",
    needs=_NEEDS,
    printed=PRINTED,
    differs=(
        *_DIFFERS,
        "BLEU of an output adds one to matches and totals of n-grams longer than a word; the paper does not say what "
        "it does where nothing matches.",
        "Stems and synonyms of METEOR are those of this program; ROUGE takes the reference with the best F.",
    ),
    run=run,
    takes=("similarity",),
)

COMPONENTS = Experiment(
    key="sia_components",
    title="The parts of SIA: gaps, rounds, decay and similar words",
    paper=_PAPER,
    about="Pearson's r of SIA with and without its parts, over outputs and systems (Tables 7 and 8), and its decay.",
    needs=_NEEDS,
    printed=PRINTED_COMPONENTS,
    differs=(
        *_DIFFERS,
        "The length penalty is used in all rows; the paper does not say.",
        "Words with the same stem, or in the same synset, count as equal; the paper does not say what they count.",
        "The row LCS without gaps is ROUGE-L, which is not in the paper: what WLS adds to it is the weight of gaps.",
    ),
    run=run_components,
    takes=("similarity",),
)
