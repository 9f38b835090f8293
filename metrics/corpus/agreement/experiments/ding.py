"""Repeats Tables 2 to 5 of Ding, Utiyama and Sumita: dcs and its parts with BLEU, RIBES and AM-FM, by words and
characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....catalogue import METRICS
from ....text import TextSettings
from ....types import Tokens
from ...table import Array
from . import amfm
from .experiment import (
    DataRequirements,
    Experiment,
    ExperimentData,
    ExperimentGrid,
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
    judged_systems,
    most_different,
    most_different_places,
    most_disputed_outputs,
    rating_side,
    score_side,
)
from .scoring import (
    corpus_of,
    overall_share,
    reader,
    rescore,
    run_for_each,
    score_request,
    scored,
    settings_of,
    statistics,
)

RESAMPLES = 1000
#: The keys of the paper's tables, which are all shown next to the table of systems.
PRINTED_TABLES = ("table-2", "table-3", "table-4", "table-5")
#: Number of outputs whose cosine is drawn, and number of outputs that are tried for that.
GRIDS, TRIED = 5, 50
DCS = METRICS["dcs"]


def character_settings(text: TextSettings) -> TextSettings:
    """Return the text settings changed so that every character is a token and no word is stemmed."""
    return replace(text, tokenizer="character", stemmer="none")


def dcs_parts(
    data: ExperimentData, text: TextSettings, tell: ProgressCallback, progress_range: tuple[float, float], what: str
) -> dict[str, Array]:
    """Return the dcs score and its parts cs0, cs1 and cs2 of each output, by name, each systems × segments.

    `progress_range` is the range of the experiment's progress (0 to 1) that this covers, and `what` its description;
    both are reported to `tell`."""
    settings = settings_of("dcs")
    all_stats = statistics(data, DCS, settings, text, tell, progress_range, what)
    names = [*all_stats[0][0]]
    columns = {
        name: np.array([[each[name] for each in system_stats] for system_stats in all_stats], dtype=np.float64)
        for name in names
    }
    shape = columns[names[0]].shape
    score = DCS.from_stats({name: np.ascontiguousarray(each.ravel()) for name, each in columns.items()}, settings)
    each = {**{name: score.parts[name] for name in ("cs0", "cs1", "cs2")}, DCS.key: score.score}
    return {name: np.asarray(values, dtype=np.float64).reshape(shape) for name, values in each.items()}


@dataclass(frozen=True, slots=True, eq=False)
class AmFmScores:
    """The AM-FM scores of all outputs.

    Attributes:
        adequacy: AM of each output, systems × segments.
        fluency: FM of each output, systems × segments.
        space: the space of word vectors that AM uses.
        says: sentences on what the scores were trained on."""

    adequacy: Array
    fluency: Array
    space: amfm.WordSpace
    says: str


def am_fm_scores(
    data: ExperimentData, text: TextSettings, tell: ProgressCallback, progress_range: tuple[float, float]
) -> AmFmScores:
    """Return the adequacy of each output by its closest reference, and its fluency.

    The models are trained on the corpus that the reader gave in the options, or on the references if there is none.
    `progress_range` is the range of the experiment's progress (0 to 1) that this covers, reported to `tell`."""
    tell(ExperimentProgress(progress_range[0], "Builds the word space and the language model"))
    corpus, of_line = corpus_of(data, text), reader(text)
    given = [of_line(line) for line in data.options.corpus if line.strip()]
    sentences = given or [each for references in corpus.references for each in references]
    (space, language), *_ = run_for_each(data.options, _train_models, [(sentences,)])
    says = describe_training(len(sentences), bool(given), space)
    adequacy, fluency = [], []
    given_each = [(space, language, outputs, corpus.references) for outputs in corpus.systems]
    for s, (ours, fluent) in enumerate(run_for_each(data.options, _score_outputs, given_each)):
        adequacy.append(ours)
        fluency.append(fluent)
        tell(
            ExperimentProgress(overall_share(progress_range, (s + 2) / (len(data.systems) + 1)), "Adequacy and fluency")
        )
    return AmFmScores(np.array(adequacy), np.array(fluency), space, says)


def describe_training(number: int, given: bool, space: amfm.WordSpace) -> str:
    """Return sentences that say what AM and FM are trained on.

    These are `number` sentences: those that the reader gave if `given`, else the references."""
    says = (
        f"FM comes from the {number:,} sentences that were given."
        if given
        else f"No corpus was given: FM comes from the {number:,} references themselves, which are few."
    )
    which = "the same sentences" if space.sentences == number else f"{space.sentences:,} of them, evenly spaced"
    words = f"their {len(space.words):,} most frequent" if space.is_cut else f"all their {len(space.words):,}"
    return f"{says} AM comes from {which}, and {words} words."


def _train_models(sentences: Sequence[Tokens]) -> tuple[amfm.WordSpace, amfm.NgramModel]:
    """Return the space of word vectors and the n-gram model of some sentences."""
    return amfm.build_word_space(sentences), amfm.train_ngram_model(sentences)


def _score_outputs(
    space: amfm.WordSpace, language: amfm.NgramModel, outputs: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> tuple[list[float], list[float]]:
    """Return the adequacy and the fluency of each output of one system; adequacy is by the closest reference."""
    adequacy = [
        max([space.cosine(words, each) for each in segment_references])
        for words, segment_references in zip(outputs, references, strict=True)
    ]
    return adequacy, [language.fluency(words) for words in outputs]


def cosine_grids(
    data: ExperimentData, text: TextSettings, fluent: AmFmScores, people: Array
) -> tuple[ExperimentGrid, ...]:
    """Return word grids of the cosine, for the outputs on which AM and the human scores `people` differ most.

    There is at most one for each segment. Each shows the closest reference."""
    corpus, out = corpus_of(data, text), []
    first: dict[int, int] = {}
    for system, segment in most_different(fluent.adequacy, people, TRIED):
        first.setdefault(segment, system)
    for segment, system in [*first.items()][:GRIDS]:
        candidate = corpus.systems[system][segment]
        cells = [fluent.space.cosine_contributions(candidate, reference) for reference in corpus.references[segment]]
        k = int(np.argmax([each.sum() for each in cells]))
        out.append(
            ExperimentGrid(
                f"{data.systems[system]}, segment {segment + 1}",
                candidate,
                corpus.references[segment][k],
                amfm.nonzero_cells(cells[k]),
                float(cells[k].sum()),
                OpenedOutput(system, segment, ""),
            )
        )
    return tuple(out)


# ---------------------------------------------------------------- the experiment

_missing = require(systems=3, segments=2, references=1, judged=True)


def run(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the experiment's tables of Pearson's r over systems, as in the paper, and over single outputs."""
    if missing := _missing(data):
        raise ValueError(missing)
    assert data.judged is not None
    text, letters = data.text, character_settings(data.text)
    requests = [
        score_request("BLEU", "bleu", text),
        score_request("RIBES", "ribes", text),
        score_request("TER", "ter", text),
        score_request("BLEU-char-8", "bleu", letters, max_order=8),
    ]
    result = scored(data, requests, tell, (0.0, 0.3))
    scores = dict(result.scores)
    if longest := scores.get("BLEU-char-8"):
        scores["BLEU-char-4"] = rescore(longest, replace(longest.settings, max_order=4))  # type: ignore[call-arg]
    numbers = {name: each.oriented_scores for name, each in scores.items()}
    sides = {name: score_side([each]) for name, each in scores.items()}
    for n, (suffix, of_text) in enumerate((("", text), ("-char", letters))):
        at = (0.3 + 0.2 * n, 0.5 + 0.2 * n)
        for name, each in dcs_parts(data, of_text, tell, at, f"Finds common subsequences{suffix}").items():
            numbers[f"{name}{suffix}"] = each
    fluent = am_fm_scores(data, replace(text, lowercase=True), tell, (0.7, 0.9))
    numbers |= {
        "AMFM": amfm.combine_am_and_fm(fluent.adequacy, fluent.fluency),
        "AM": fluent.adequacy,
        "FM": fluent.fluency,
    }
    numbers |= data.external_scores((*numbers, CHANCE, JUDGES))
    sides |= {name: rating_side(each) for name, each in numbers.items() if name not in sides}
    tell(ExperimentProgress(0.9, "Resamples the segments"))
    people = data.judged.oriented_means(data.scales[0])
    opens = {name: most_disputed_outputs(each, people) for name, each in scores.items()}
    key = dict.fromkeys(("cs0", "cs1", "cs2", DCS.key), DCS.key)
    for name in (name for name in numbers if name not in opens):
        opens[name] = most_different_places(numbers[name], people, key.get(name, ""))
    if pair := draw_two_judgements(data.judged, data.scales[0], data.options.seed):
        opens[JUDGES] = most_different_places(*pair)
    tables = _tables(data, numbers, sides, opens)
    drawn = cosine_grids(data, replace(text, lowercase=True), fluent, people)
    tell(ExperimentProgress(1.0, "Done"))
    return ExperimentOutcome(tables, (), drawn, (*result.notes, fluent.says, *describe_interval_widths(tables[:1])))


def _tables(
    data: ExperimentData,
    numbers: Mapping[str, Array],
    sides: Mapping[str, CorrelationSide],
    opens: Mapping[str, tuple[OpenedOutput, ...]],
) -> tuple[ExperimentTable, ExperimentTable]:
    """Return the tables of Pearson's r over systems and over outputs, in this order.

    `numbers` has the scores of each metric, systems × segments. `sides` has its scores of whole systems, in a form that
    can be resampled. `opens` has the outputs that its row opens."""
    assert data.judged is not None
    resamples, seed = data.options.draws or RESAMPLES, data.options.seed
    of_system: dict[str, list[ExperimentValue | None]] = {name: [] for name in numbers}
    of_output: dict[str, list[ExperimentValue | None]] = {name: [] for name in numbers}
    for scale in data.scales:
        people, systems = data.judged.oriented_means(scale), judged_systems(data.judged, scale)
        by_chance = chance_coefficients(numbers[DCS.key], people, seed)
        each = correlate_systems(rating_side(people), sides, systems, resamples, seed)
        single = correlate_outputs(people, numbers, resamples, seed, by_segment=True)
        pair = draw_two_judgements(data.judged, scale, seed)
        for name in numbers:
            of_system[name].append(each[name].pearson)
            of_output[name].append(single[name])
        of_system.setdefault(CHANCE, []).append(by_chance[0].pearson)
        of_output.setdefault(CHANCE, []).append(by_chance[1].pearson)
        by_judges: list[ExperimentValue | None] = [None, None]
        if pair:
            by_judges[0] = correlate_judges(pair, systems, resamples, seed).pearson
            by_judges[1] = correlate_outputs(pair[0], {JUDGES: pair[1]}, resamples, seed, by_segment=True)[JUDGES]
        for to, value in zip((of_system, of_output), by_judges, strict=True):
            to.setdefault(JUDGES, []).append(value)
    over_systems = f"Pearson's r over {len(data.systems)} systems"
    over_outputs = "Pearson's r over single outputs, which the paper does not have"
    of_systems, of_outputs = (correlation_rows(values, opens) for values in (of_system, of_output))
    return (
        ExperimentTable("systems", over_systems, data.scales, of_systems, paper=PRINTED_TABLES),
        ExperimentTable("outputs", over_outputs, data.scales, of_outputs),
    )


# ---------------------------------------------------------------- the paper's own numbers

#: The values of each printed column, best first; “-” means a coefficient below 0.
_TABLE_2 = """
cs2 .90 RIBES-juman .87 RIBES-mecab .86 cs0 .85 RIBES-kytea .85 dcs .71 BLEU-char-8 .71 cs1 .66 BLEU-char-4 .65
  BLEU-mecab .64 BLEU-kytea .64 BLEU-juman .64 AMFM .63
cs2 .95 RIBES-mecab .95 RIBES-kytea .95 RIBES-juman .95 cs0 .89 dcs .72 BLEU-char-8 .69 cs1 .64 BLEU-kytea .62
  BLEU-juman .62 BLEU-mecab .61 BLEU-char-4 .55 AMFM .19
AMFM .48 BLEU-char-4 .33 cs2 .32 BLEU-char-8 .26 cs0 .20 dcs .15 BLEU-juman .14 cs1 .12 BLEU-mecab .12
  RIBES-juman .10 BLEU-kytea .10 RIBES-mecab .09 RIBES-kytea .08
BLEU-char-8 .97 BLEU-char-4 .96 BLEU-kytea .95 RIBES-mecab .94 RIBES-juman .94 cs1 .94 cs0 .94 dcs .93 BLEU-mecab .93
  BLEU-juman .93 RIBES-kytea .92 cs2 .87 AMFM .69
cs2 .77 RIBES-mecab .67 RIBES-kytea .67 RIBES-juman .66 cs0 .61 BLEU-kytea .61 BLEU-char-4 .60 BLEU-juman .58
  AMFM .58 BLEU-mecab .57 BLEU-char-8 .54 dcs .48 cs1 .42
"""
_TABLE_3 = """
cs0 .94 cs2 .93 dcs .90 BLEU-kytea .90 cs1 .89 BLEU-char-8 .89 BLEU-mecab .89 BLEU-juman .89 BLEU-char-4 .87
  RIBES-mecab .85 RIBES-kytea .85 RIBES-juman .84 AMFM .80
cs2 .94 cs0 .94 BLEU-kytea .94 dcs .93 cs1 .93 BLEU-char-8 .93 BLEU-mecab .93 BLEU-juman .93 BLEU-char-4 .92 AMFM .91
  RIBES-kytea .88 RIBES-mecab .87 RIBES-juman .86
cs2 .96 RIBES-kytea .96 RIBES-mecab .95 RIBES-juman .95 cs0 .94 dcs .91 BLEU-kytea .91 BLEU-char-4 .90 BLEU-mecab .90
  BLEU-juman .90 cs1 .89 BLEU-char-8 .89 AMFM .88
cs1 .93 dcs .93 BLEU-char-8 .93 BLEU-kytea .93 BLEU-juman .93 cs0 .92 BLEU-char-4 .92 BLEU-mecab .92 RIBES-mecab .91
  RIBES-kytea .91 RIBES-juman .91 cs2 .89 AMFM .89
cs1 .98 dcs .98 RIBES-mecab .98 RIBES-kytea .98 BLEU-mecab .98 BLEU-kytea .98 BLEU-juman .98 RIBES-juman .97 cs0 .96
  BLEU-char-8 .96 cs2 .94 BLEU-char-4 .93 AMFM .93
"""
_TABLE_4 = """
cs2 .90 cs0 .89 RIBES .88 dcs .75 BLEU .68 cs1 .63 AMFM .28
cs2 .90 RIBES .88 cs0 .88 dcs .81 BLEU .79 cs1 .74 AMFM .58
cs2 .35 cs0 .35 RIBES .23 dcs .19 cs1 .13 BLEU .07 AMFM -
cs2 .97 cs0 .97 BLEU .97 dcs .96 cs1 .95 RIBES .93 AMFM .29
"""
_TABLE_5 = """
BLEU-char-8 .75 BLEU-char-4 .74 AMFM .74 cs1 .73 dcs .71 BLEU-stdpku .71 BLEU-stdctb .71 BLEU-kytea .70
  RIBES-stdpku .63 RIBES-stdctb .62 RIBES-kytea .62 cs0 .61 cs2 .57
cs2 .51 cs0 - RIBES-kytea - RIBES-mecab - RIBES-juman - AMFM - BLEU-char-4 - BLEU-char-8 - BLEU-kytea - BLEU-mecab -
  BLEU-juman - dcs - cs1 -
"""


#: Metrics that use characters in Chinese and Japanese, where the paper names no tokenizer.
_CHARACTER_METRICS = ("cs0", "cs1", "cs2", "dcs", "AMFM")


def _printed_table(number: int, title: str, columns: str, text: str, letters: bool = True) -> ExperimentTable:
    """Return Table `number` of the paper, parsed from `text`, which has a line for each column of the table.

    If `letters`, "-char" is appended to the names of metrics that use characters."""
    printed_columns: list[dict[str, ExperimentValue]] = []
    for line in text.strip("\n").replace("\n  ", " ").splitlines():
        words = line.split()
        row_names = [f"{name}-char" if letters and name in _CHARACTER_METRICS else name for name in words[::2]]
        printed_columns.append({name: _read_value(value) for name, value in zip(row_names, words[1::2], strict=True)})
    names = dict.fromkeys([name for column in printed_columns for name in column])
    rows = tuple([ExperimentRow(name, tuple([column.get(name) for column in printed_columns])) for name in names])
    return ExperimentTable(f"table-{number}", title, tuple(columns.split()), rows, f"Table {number}, section 4")


def _read_value(text: str) -> ExperimentValue:
    """Return a number as the paper prints it; “-” gives a value that is undefined."""
    return (
        ExperimentValue(None, why="The paper says only that it is below 0.")
        if text == "-"
        else ExperimentValue(float(text))
    )


EXPERIMENT = Experiment(
    key="ding",
    title="Common subsequences twice over: dcs and its parts, by words and by letters",
    paper=(
        "Chenchen Ding, Masao Utiyama and Eiichiro Sumita: Structured Common Subsequences for Automatic Machine "
        "Translation Evaluation"
    ),
    about="Pearson's r over systems of dcs, cs0, cs1, cs2, BLEU, RIBES, TER and AM-FM with people.",
    needs=DataRequirements(
        "Three systems or more with a reference, judged by people; for AM-FM, sentences in the references' language.",
        _missing,
    ),
    printed=PaperResults(
        (
            _printed_table(2, "English to Japanese", "ASPEC-14 ASPEC-15 ASPEC-16 ASPEC-17 JPC-16", _TABLE_2),
            _printed_table(3, "Chinese to Japanese", "ASPEC-14 ASPEC-15 ASPEC-16 JPC-15 JPC-16", _TABLE_3),
            _printed_table(4, "Japanese to English", "ASPEC-14 ASPEC-15 ASPEC-16 ASPEC-17", _TABLE_4, letters=False),
            _printed_table(5, "Japanese to Chinese, and Korean to Japanese", "ASPEC-j2z-14 JPC-k2j-15", _TABLE_5),
        ),
        (
            PaperStatement(
                "In Chinese and Japanese cs0 to dcs and AM-FM use letters: Tables 2, 3 and 5 have them in the rows "
                "whose names end in -char, Table 4 has those of words.",
                "Section 4",
            ),
            PaperStatement(
                "cs2 agrees best with people where much or almost nothing is reordered; dcs is steadier.", "Section 4"
            ),
        ),
    ),
    differs=(
        "The data: the paper has the systems of five years of the Workshop on Asian Translation and its judgements.",
        "The paper's normalisation of digits and punctuation is not done. Metrics score all segments, and people's "
        "means are over those that were judged.",
        "TER is not in the paper's tables, nor are single outputs and intervals, which are of resampled segments with "
        "all their systems.",
        "AM-FM is this program's own: adequacy by latent semantic indexing in 100 dimensions, fluency by a trigram "
        "model, half and half, both on words, trained on a corpus that the reader gives or else on the references; the "
        "paper took its numbers from the workshop.",
    ),
    run=run,
    takes=("corpus",),
)
