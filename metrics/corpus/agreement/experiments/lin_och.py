"""Repeats Table 1 of Lin and Och (2004): corpus scores and human means of systems, with words read in three ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....text import TextSettings
from ...table import StatisticsTable as Scores
from .experiment import (
    DataRequirements,
    Experiment,
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
    Coefficients,
    CorrelationSide,
    chance_coefficients,
    correlate_judges,
    correlate_systems,
    correlation_rows,
    describe_interval_widths,
    describe_unjudged_systems,
    draw_two_judgements,
    judged_systems,
    most_different_places,
    most_disputed_outputs,
    rating_side,
    score_side,
)
from .scoring import ScoreRequest, rescore, score_request, scored, stemmed

#: Number of resamples of the segments.
RESAMPLES = 1000
#: Length of the longest n-grams of BLEU.
ORDERS = 12


def settings_by_version(text: TextSettings) -> dict[str, TextSettings]:
    """Return the settings of the paper's three versions of the texts, by name: as they are, in lower case, as stems."""
    plain = replace(text, lowercase=False, stemmer="none")
    return {"Case": plain, "NoCase": replace(plain, lowercase=True), "Stem": stemmed(plain)}


def score_requests(text: TextSettings, references: tuple[int, ...]) -> list[ScoreRequest]:
    """Return the requests for the metrics of Table 1, scored against the references with the given indices.

    BLEU is asked for with its longest n-grams only, since its other orders follow from the same statistics."""

    def one(name: str, key: str, **settings: object) -> ScoreRequest:
        return score_request(name, key, text, references, **settings)

    return [
        one(f"BLEU{ORDERS}", "bleu", max_order=ORDERS),
        one("NIST", "nist"),
        one("WER", "wer"),
        one("PER", "per"),
        one("ROUGE-L", "rouge_l"),
        one("ROUGE-W", "rouge_w", weight=1.2),
        one("ROUGE-S*", "rouge_s"),
        *[one(f"ROUGE-S{skip}", "rouge_s", max_skip=skip) for skip in (0, 4, 9)],
        *[one(f"GTM{exponent}0", "gtm", exponent=float(exponent)) for exponent in (1, 2, 3)],
    ]


def leave_one_reference_out(number: int) -> list[tuple[int, ...]]:
    """Return for each of `number` references the indices of all others; a single reference is kept.

    >>> leave_one_reference_out(3), leave_one_reference_out(1)
    ([(1, 2), (0, 2), (0, 1)], [(0,)])
    """
    return [tuple([k for k in range(number) if k != out]) for out in range(number)] if number > 1 else [(0,)]


def _split_bleu_orders(name: str, scores: Scores) -> dict[str, Scores]:
    """Return the scores by name, where the BLEU of the longest n-grams becomes the BLEU of every order."""
    if name != f"BLEU{ORDERS}":
        return {name: scores}
    return {f"BLEU{n}": rescore(scores, replace(scores.settings, max_order=n)) for n in range(1, ORDERS + 1)}  # type: ignore[call-arg]


_missing = require(systems=3, segments=2, references=1, judged=True)


def run(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the experiment's correlations over systems: a table for each rating scale, with the paper's columns."""
    if missing := _missing(data):
        raise ValueError(missing)
    assert data.judged is not None
    sets, sized = leave_one_reference_out(max(map(len, data.references))), settings_by_version(data.text)
    seed, resamples = data.options.seed, data.options.draws or RESAMPLES
    notes: list[str] = []
    scores_by_text: dict[str, dict[str, list[Scores]]] = {}
    for n, (name, text) in enumerate(sized.items()):
        each: dict[str, list[Scores]] = {}
        for m, references in enumerate(sets):
            at = [0.9 * (n * len(sets) + m + more) / (len(sized) * len(sets)) for more in (0, 1)]
            result = scored(data, score_requests(text, references), tell, (at[0], at[1]))
            notes += result.notes
            for key, scores in result.scores.items():
                for order, table in _split_bleu_orders(key, scores).items():
                    each.setdefault(order, []).append(table)
        scores_by_text[name] = {key: tables for key, tables in each.items() if len(tables) == len(sets)}
    tables = []
    for n, scale in enumerate(data.scales):
        tell(ExperimentProgress(0.9 + 0.1 * n / len(data.scales), f"Resamples the segments, {scale}"))
        systems = judged_systems(data.judged, scale)
        notes += describe_unjudged_systems(data, scale, systems)
        if len(systems) < 3:
            notes.append(f"{scale}: fewer than three systems are judged, so there is no table.")
            continue
        tables.append(_table(data, scale, systems, scores_by_text, resamples, seed))
    if tables and not any(table.key in _SCALES for table in tables):
        tables[0] = replace(tables[0], paper=_SCALES)
    if data.others:
        names = ", ".join([column.label for column in data.others])
        notes.append(
            f"Scores of other programs ({names}) are the same in all columns, and are the mean of the segments."
        )
    notes += describe_interval_widths(tables)
    tell(ExperimentProgress(1.0, "Done"))
    return ExperimentOutcome(tables=tuple(tables), notes=tuple(dict.fromkeys(notes)))


def _table(
    data: ExperimentData,
    scale: str,
    systems: Sequence[int],
    scores_by_text: Mapping[str, Mapping[str, Sequence[Scores]]],
    resamples: int,
    seed: int,
) -> ExperimentTable:
    """Return the table of correlations with the ratings of one scale: metrics × versions of the texts."""
    assert data.judged is not None
    ratings = data.judged.oriented_means(scale)
    columns: list[str] = []
    values: dict[str, list[ExperimentValue | None]] = {}
    names = list(dict.fromkeys([name for of_text in scores_by_text.values() for name in of_text]))
    others = data.external_scores((*names, CHANCE, JUDGES))
    for text, of_text in scores_by_text.items():
        sides: dict[str, CorrelationSide] = {name: score_side(tables) for name, tables in of_text.items()}
        sides |= {name: rating_side(scores) for name, scores in others.items()}
        coefficients = correlate_systems(rating_side(ratings), sides, systems, resamples, seed)
        if by_chance := of_text.get("ROUGE-L"):
            coefficients[CHANCE], _ = chance_coefficients(by_chance[0].scores, ratings, seed)
        for name in [*names, *others, CHANCE]:
            row_coefficients: Coefficients | None = coefficients.get(name)
            values.setdefault(name, []).extend(row_coefficients or (None, None))
        columns += [f"{text}, Pearson", f"{text}, Spearman"]
    if pair := draw_two_judgements(data.judged, scale, seed):
        values[JUDGES] = [*correlate_judges(pair, systems, resamples, seed)] * len(scores_by_text)
    plain = next(iter(scores_by_text.values()))
    opens = {name: most_disputed_outputs(each[0], ratings) for name, each in plain.items()}
    opens |= {name: most_different_places(scores, ratings) for name, scores in others.items()}
    if pair:
        opens[JUDGES] = most_different_places(*pair)
    title = f"Correlation with {scale} over {len(systems)} systems"
    return ExperimentTable(scale, title, tuple(columns), correlation_rows(values, opens))


# ---------------------------------------------------------------- the paper's own numbers

#: The scales of the paper's two tables. If people used other scales, both are shown next to our first table.
_SCALES = ("adequacy", "fluency")
#: Each line is a metric: for each of the three sets Pearson's r, its interval, Spearman's ρ and its interval.
_ADEQUACY = """
BLEU1     .86 .83 .89 .80 .71 .90  .87 .84 .90 .76 .67 .89  .91 .89 .93 .85 .76 .95
BLEU4     .77 .72 .81 .77 .71 .89  .79 .75 .82 .67 .55 .83  .82 .78 .85 .76 .67 .89
BLEU12    .66 .60 .72 .53 .44 .65  .72 .57 .81 .65 .25 .88  .72 .58 .81 .66 .28 .88
NIST      .89 .86 .92 .78 .71 .89  .87 .85 .90 .80 .74 .92  .90 .88 .93 .88 .83 .97
WER       .47 .41 .53 .56 .45 .74  .43 .37 .49 .66 .60 .82  .48 .42 .54 .66 .60 .81
PER       .67 .62 .72 .56 .48 .75  .63 .58 .68 .67 .60 .83  .72 .68 .76 .69 .62 .86
ROUGE-L   .87 .84 .90 .84 .79 .93  .89 .86 .92 .84 .71 .94  .92 .90 .94 .87 .76 .95
ROUGE-W   .84 .81 .87 .83 .74 .90  .85 .82 .88 .77 .67 .90  .89 .86 .91 .86 .76 .95
ROUGE-S*  .85 .81 .88 .83 .76 .90  .90 .88 .93 .82 .70 .92  .95 .93 .97 .85 .76 .94
ROUGE-S0  .82 .78 .85 .82 .71 .90  .84 .81 .87 .76 .67 .90  .87 .84 .90 .82 .68 .90
ROUGE-S4  .82 .78 .85 .84 .79 .93  .87 .85 .90 .83 .71 .90  .92 .90 .94 .84 .74 .93
ROUGE-S9  .84 .80 .87 .84 .79 .92  .89 .86 .92 .84 .76 .93  .94 .92 .96 .84 .76 .94
GTM10     .82 .79 .85 .79 .74 .83  .91 .89 .94 .84 .79 .93  .94 .92 .96 .84 .79 .92
GTM20     .77 .73 .81 .76 .69 .88  .79 .76 .83 .70 .55 .83  .83 .79 .86 .80 .67 .90
GTM30     .74 .70 .78 .73 .60 .86  .74 .70 .78 .63 .52 .79  .77 .73 .81 .64 .52 .80
"""
_FLUENCY = """
BLEU1     .81 .75 .86 .76 .62 .90  .73 .67 .79 .70 .62 .81  .70 .63 .77 .79 .67 .90
BLEU4     .86 .81 .90 .74 .62 .86  .83 .78 .88 .68 .60 .81  .83 .78 .88 .70 .62 .81
BLEU12    .87 .76 .93 .66 .33 .79  .93 .81 .97 .78 .44 .94  .93 .84 .97 .80 .49 .94
NIST      .81 .75 .87 .74 .62 .86  .70 .64 .77 .68 .60 .79  .68 .61 .75 .77 .67 .88
WER       .69 .62 .75 .68 .57 .85  .59 .51 .66 .70 .57 .82  .60 .52 .68 .69 .57 .81
PER       .79 .74 .85 .67 .57 .82  .68 .60 .73 .69 .60 .81  .70 .63 .76 .65 .57 .79
ROUGE-L   .83 .77 .88 .80 .67 .90  .76 .69 .82 .79 .64 .90  .73 .66 .80 .78 .67 .90
ROUGE-W   .85 .80 .90 .79 .63 .90  .78 .73 .84 .72 .62 .83  .77 .71 .83 .78 .67 .90
ROUGE-S*  .84 .78 .89 .79 .62 .90  .80 .74 .86 .77 .64 .90  .78 .71 .84 .79 .69 .90
ROUGE-S0  .87 .81 .91 .78 .62 .90  .83 .78 .88 .71 .62 .82  .82 .77 .88 .76 .62 .90
ROUGE-S4  .84 .79 .89 .80 .67 .90  .82 .77 .87 .78 .64 .90  .81 .75 .86 .79 .67 .90
ROUGE-S9  .84 .79 .89 .80 .67 .90  .81 .76 .87 .79 .69 .90  .79 .73 .85 .79 .69 .90
GTM10     .73 .66 .79 .76 .60 .87  .71 .64 .78 .80 .67 .90  .66 .58 .74 .80 .64 .90
GTM20     .86 .81 .90 .80 .67 .90  .83 .77 .88 .69 .62 .81  .83 .77 .87 .74 .62 .89
GTM30     .87 .81 .91 .79 .67 .90  .83 .77 .87 .73 .62 .83  .83 .77 .88 .71 .60 .83
"""


def _printed_table(scale: str, lines: str) -> ExperimentTable:
    """Return the paper's own table for a scale, parsed from `lines`."""
    rows = []
    for name, *numbers in (line.split() for line in lines.strip().splitlines()):
        each = [float(number) for number in numbers]
        rows.append(
            ExperimentRow(
                name, tuple([ExperimentValue(*three) for three in zip(each[::3], each[1::3], each[2::3], strict=True)])
            )
        )
    columns = tuple([f"{text}, {name}" for text in ("Case", "NoCase", "Stem") for name in ("Pearson", "Spearman")])
    return ExperimentTable(
        scale, f"Correlation with {scale} over 8 systems", columns, tuple(rows), "Table 1, section 5"
    )


EXPERIMENT = Experiment(
    key="lin_och",
    title="Systems' scores by people and by metrics: with case, without case, and as stems",
    paper=(
        "Chin-Yew Lin and Franz Josef Och (2004): Automatic Evaluation of Machine Translation Quality Using Longest "
        "Common Subsequence and Skip-Bigram Statistics. Proceedings of ACL, 605–612"
    ),
    about="Pearson's r and Spearman's ρ of corpus scores with people's means over the systems, and 95 % intervals.",
    needs=DataRequirements("Three systems or more with a reference, judged by people.", _missing),
    printed=PaperResults(
        tuple([_printed_table(*each) for each in zip(_SCALES, (_ADEQUACY, _FLUENCY), strict=True)]),
        (
            PaperStatement(
                "Eight systems of the Chinese task of 2003, 919 segments with several references.", "Section 5"
            ),
            PaperStatement(
                "Stems bring higher correlation with adequacy; case brings higher correlation with fluency.",
                "Section 5",
            ),
        ),
    ),
    differs=(
        "The data: the paper's eight systems and its judgements are not available.",
        "As in the paper each reference is left out in turn and the scores are averaged; with one reference it is used "
        "alone.",
        "BLEU, NIST, WER, PER and GTM are corpus scores, ROUGE is the mean of the segments; the paper says “average”.",
        "Metrics score all segments, and people's means are over those that were judged.",
        "Error rates are negated, so that higher is better for all metrics.",
        "1,000 resamples of the segments; the paper does not say how many it has.",
    ),
    run=run,
)
