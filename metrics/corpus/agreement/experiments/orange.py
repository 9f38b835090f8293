"""Repeats ORANGE (Lin and Och 2004), which rates a metric by how high it ranks references among translations.

It needs no judgements. Each reference in turn is put into a list with translations of its segment, which are an n-best
list or the outputs of all systems. All of the list are scored against the other references. The rank of the reference
divided by the length n of the list is 1/n if nothing ranks above it, and 1 if everything does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....catalogue import METRICS
from ....types.columns import mean_of_known
from ...resampling import ROUNDING, interval, resample_sums
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
    OpenedOutput,
    PaperResults,
    PaperStatement,
    ProgressCallback,
    require,
)
from .scoring import ScoreRequest, ScoringResult, output_place, rescore, score_request, scored

Flags = NDArray[np.bool_]

RESAMPLES = 1000
#: Lengths of BLEU's longest n-grams, weights of ROUGE-W in tenths, and skip distances of ROUGE-S.
ORDERS, TENTHS, SKIPS = range(1, 10), range(11, 21), range(10)
#: Number of outputs that a row opens, and the label of the row of chance.
OPENED, CHANCE = 10, "chance: the reference anywhere in the list"


# ---------------------------------------------------------------- lists


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceRanks:
    """The ranks of the references by one metric, each in its list with the translations of its segment.

    Attributes:
        parts: rank of each reference divided by the length of its list, segments × references. NaN where the segment
            lacks this reference, has no other reference, or has no translation.
        first: index of the translation that ranks first in each list, segments × references."""

    rank_shares: Array
    first: Array

    @property
    def segment_means(self) -> Array:
        """Return the mean relative rank of each segment's references, NaN where no reference has a rank."""
        return mean_of_known(self.rank_shares)


def data_of_lists(data: ExperimentData, reference: int) -> tuple[ExperimentData, Flags]:
    """Return data in which reference number `reference` is ranked among the translations of each segment.

    The translations become systems, the reference becomes the last system, and the other references score them. Also
    return flags, systems × segments: whether the entry exists, since lists may differ in length."""
    each = data.options.lists or tuple(zip(*data.candidates, strict=True))
    longest = max(map(len, each))
    in_list = np.zeros((longest + 1, data.size), dtype=np.bool_)
    columns: list[list[str]] = [[] for _ in range(longest + 1)]
    others = []
    for segment, (translations, references) in enumerate(zip(each, data.references, strict=True)):
        fits = reference < len(references) and len(references) > 1 and len(translations) > 0
        for n, column in enumerate(columns[:-1]):
            column.append(translations[n] if n < len(translations) else "")
        columns[-1].append(references[reference] if fits else "")
        in_list[: len(translations), segment] = in_list[-1, segment] = fits
        others.append(tuple([line for k, line in enumerate(references) if k != reference or not fits]))
    names = data.systems if not data.options.lists else tuple([str(n + 1) for n in range(longest)])
    list_data = replace(
        data,
        systems=(*names, "reference"),
        candidates=tuple(map(tuple, columns)),
        references=tuple(others),
        judged=None,
    )
    return list_data, in_list


def rank_references(scores: Array, in_list: Flags) -> tuple[Array, Array]:
    """Return the rank of the reference in each list divided by the list's length, and the best translation's index.

    `scores` is entries × segments, the reference last, and higher is better; `in_list` says which entries exist. Equal
    scores share the mean of their ranks. The rank is NaN where there is no list.

    >>> rank_references(np.array([[0.5, 0.2], [0.1, 0.4], [0.5, 0.3]]), np.full((3, 2), True))[0].round(3).tolist()
    [0.5, 0.667]
    """
    ours, others = scores[-1], np.where(in_list[:-1], scores[:-1], -np.inf)
    margin = ROUNDING * np.maximum(1.0, np.abs(ours))
    above = (others > ours + margin).sum(axis=0)
    equal = (np.abs(others - ours) <= margin).sum(axis=0)
    length = in_list.sum(axis=0)
    relative_ranks: Array = np.divide(
        1 + above + equal / 2, length, out=np.full(len(length), np.nan), where=in_list[-1] & (length > 1)
    )
    return relative_ranks, others.argmax(axis=0)


def reference_ranks(
    scores_by_list: Sequence[Mapping[str, Scores]], in_lists: Sequence[Flags], name: str
) -> ReferenceRanks:
    """Return the ranks of all references by the metric `name`; both arguments have an item for each reference."""
    each = [
        rank_references(scores_by_name[name].oriented_scores, in_list)
        for scores_by_name, in_list in zip(scores_by_list, in_lists, strict=True)
    ]
    return ReferenceRanks(
        np.stack([parts for parts, _ in each], axis=1), np.stack([first for _, first in each], axis=1)
    )


def mean_with_interval(each: Array, resamples: int, seed: int) -> ExperimentValue:
    """Return the mean of the segments' values that are not NaN, with its 95 % interval by resampling."""
    defined = each[~np.isnan(each)]
    if not len(defined):
        return ExperimentValue(None, why="No segment has a translation and two references.")
    (drawn,) = resample_sums([defined[:, None]], resamples, seed)
    return ExperimentValue(float(defined.mean()), *interval(drawn[:, 0] / len(defined)))


# ---------------------------------------------------------------- the experiment


def _score_requests(data: ExperimentData) -> list[ScoreRequest]:
    """Return the requests for scores by the metrics of the paper, and by those that the reader added."""

    def one(name: str, key: str, **settings: object) -> ScoreRequest:
        return score_request(name, key, data.text, None, **settings)

    out = [
        one(f"BLEUS{ORDERS[-1]}", "bleu", max_order=ORDERS[-1], smoothing="add_k"),
        one("NIST", "nist"),
        one("PER", "per"),
        one("WER", "wer"),
        one("ROUGE-L", "rouge_l"),
        *[one(f"ROUGE-W-{tenths / 10}", "rouge_w", weight=tenths / 10) for tenths in TENTHS],
        one("ROUGE-S*", "rouge_s"),
        *[one(f"ROUGE-S{skip}", "rouge_s", max_skip=skip) for skip in SKIPS],
    ]
    more = [key for key in data.options.metrics if all(key != each.key for each in out)]
    return out + [one(METRICS[key].label, key) for key in more]


def _split_bleu_orders(result: ScoringResult) -> dict[str, Scores]:
    """Return the scores by name, where the BLEU of the longest n-grams becomes the BLEU of every order."""
    out: dict[str, Scores] = {}
    for name, scores in result.scores.items():
        if name == f"BLEUS{ORDERS[-1]}":
            out |= {f"BLEUS{n}": rescore(scores, replace(scores.settings, max_order=n)) for n in ORDERS}  # type: ignore[call-arg]
        else:
            out[name] = scores
    return out


_missing_texts = require(segments=2, references=2)


def _missing(data: ExperimentData) -> str:
    """Return a sentence on what the data lack, or ""."""
    if missing := _missing_texts(data):
        return missing
    if data.options.lists and len(data.options.lists) != data.size:
        must = f"There must be a list of translations for each of the {data.size:,} segments"
        return f"{must}, but there are {len(data.options.lists)}."
    if len(data.systems) < 2 and not data.options.lists:
        return "There must be two systems or a list of translations of each segment, but there is neither."
    return ""


def run(data: ExperimentData, tell: ProgressCallback) -> ExperimentOutcome:
    """Return the experiment's average relative ranks of references by metric, and curves over metrics' settings."""
    if missing := _missing(data):
        raise ValueError(missing)
    number = max(map(len, data.references))
    scores_by_list, in_lists = [], []
    notes: list[str] = []
    for k in range(number):
        list_data, in_list = data_of_lists(data, k)
        result = scored(list_data, _score_requests(data), tell, (0.95 * k / number, 0.95 * (k + 1) / number))
        scores_by_list.append(_split_bleu_orders(result))
        in_lists.append(in_list)
        notes += result.notes
    tell(ExperimentProgress(0.95, "Resamples the segments"))
    draws = data.options.draws or RESAMPLES
    names = [name for name in scores_by_list[0] if all(name in other for other in scores_by_list)]
    values: dict[str, ExperimentValue] = {}
    rows = []
    for name in names:
        ranks = reference_ranks(scores_by_list, in_lists, name)
        values[name] = mean_with_interval(ranks.segment_means, draws, data.options.seed)
        rows.append(ExperimentRow(name, (values[name],), _worst_outputs(data, scores_by_list[0][name], ranks)))
    by_chance = np.nanmean([np.where(each[-1], (1 + 1 / each.sum(axis=0).clip(1)) / 2, np.nan) for each in in_lists])
    rows.append(ExperimentRow(CHANCE, (ExperimentValue(float(by_chance)),), is_baseline=True))
    used = int((~np.isnan(ranks.segment_means)).sum()) if names else 0
    length = float(np.mean([each.sum(axis=0)[each[-1]].mean() for each in in_lists if each[-1].any()] or [0.0]))
    title = f"Average rank of a reference by the length of its list; {used} segments, lists of {length:.0f}"
    below = [name for name, value in values.items() if value.low is not None and value.low > by_chance]
    if below:
        notes.append(
            f"{len(below)} of {len(values)} metrics rank the references below the middle of their lists by more than "
            "chance: they prefer what systems wrote to what people wrote."
        )
    if data.options.lists:
        notes.append(
            "A row opens the segments where the references rank lowest. A list's translations have no system: a row "
            f"shows the system with the same output, or else {data.systems[0]}."
        )
    if data.others:
        others = ", ".join([column.label for column in data.others])
        notes.append(f"Without {others}: other programs' scores of the references are not available.")
    notes.append(f"Lower is better. Intervals are of {draws:,} resamples of the segments.")
    tell(ExperimentProgress(1.0, "Done"))
    table = ExperimentTable("orange", title, ("ORANGE",), tuple(rows), lower_is_better=True)
    return ExperimentOutcome(
        (table,), _charts({row.name: row for row in rows}, float(by_chance)), (), tuple(dict.fromkeys(notes))
    )


def _worst_outputs(data: ExperimentData, scores: Scores, ranks: ReferenceRanks) -> tuple[OpenedOutput, ...]:
    """Return the best output of each of the lists in which the references rank lowest, for a page to open.

    For n-best lists it is the output of a system with the same text; if there is none, the output of the first
    system."""
    each = np.where(np.isnan(ranks.segment_means), -1.0, ranks.segment_means)
    order = np.argsort(-each, kind="stable")[: min(OPENED, int((each >= 0).sum()))]
    first = ranks.first[:, 0]
    systems = {int(segment): int(first[segment]) for segment in order}
    if given := data.options.lists:
        for segment, at in systems.items():
            line = given[segment][at]
            matching_systems = [s for s, lines in enumerate(data.candidates) if lines[segment] == line]
            systems[segment] = matching_systems[0] if matching_systems else 0
    return tuple([output_place(scores, system, segment) for segment, system in systems.items()])


def _charts(rows: Mapping[str, ExperimentRow], by_chance: float) -> tuple[Chart, ...]:
    """Return charts of the average rank against the settings of ROUGE-W, ROUGE-S and BLEU.

    `rows` has the table's rows by metric name; `by_chance` is the average rank of a reference placed at random."""

    def curve(name: str, at: Sequence[tuple[float, str]]) -> ExperimentCurve:
        points = []
        for x, row in at:
            value = rows[row].values[0] if row in rows else None
            if value and value.value is not None:
                points.append(CurvePoint(x, value.value, value.low, value.high, rows[row].opens))
        return ExperimentCurve(name, tuple(points))

    def chance_curve(first: float, last: float) -> ExperimentCurve:
        return ExperimentCurve(CHANCE, (CurvePoint(first, by_chance), CurvePoint(last, by_chance)), is_baseline=True)

    y = "average rank by the length of the list"
    weights = [(1.0, "ROUGE-L"), *[(tenths / 10, f"ROUGE-W-{tenths / 10}") for tenths in TENTHS]]
    return (
        Chart(
            "weights",
            "ROUGE-W by its weight",
            "weight",
            y,
            (curve("ROUGE-W", weights), chance_curve(1.0, 2.0)),
            says="With the weight 1 it is ROUGE-L.",
        ),
        Chart(
            "skips",
            "ROUGE-S by how many words it may skip",
            "words between",
            y,
            (curve("ROUGE-S", [(float(skip), f"ROUGE-S{skip}") for skip in SKIPS]), chance_curve(SKIPS[0], SKIPS[-1])),
        ),
        Chart(
            "orders",
            "Smoothed BLEU by its longest n-grams",
            "longest n-grams",
            y,
            (curve("BLEUS", [(float(n), f"BLEUS{n}") for n in ORDERS]), chance_curve(ORDERS[0], ORDERS[-1])),
        ),
    )


EXPERIMENT = Experiment(
    key="orange",
    title="ORANGE: how near to the top a metric ranks references",
    paper=(
        "Chin-Yew Lin and Franz Josef Och (2004): ORANGE: a Method for Evaluating Automatic Evaluation Metrics for "
        "Machine Translation. Proceedings of COLING"
    ),
    about="The average rank of the references among translations of the same source, by the length of the list.",
    needs=DataRequirements(
        "Two references of each segment, and two systems or a list of translations of each segment.", _missing
    ),
    printed=PaperResults(
        facts=(
            PaperStatement("ROUGE-W is tried with weights from 1.1 to 2.0; with 1 it is ROUGE-L.", "Section 3.2"),
            PaperStatement("ROUGE-S is tried with distances from 1 to 9 and without a limit.", "Section 3.3"),
            PaperStatement(
                "The lists are the 1,024 best of one system for 872 Chinese sentences with four references.",
                "Section 4",
            ),
            PaperStatement("BLEUS adds one to the matches and the totals of n-grams longer than a word.", "Section 4"),
        )
    ),
    differs=(
        "Without lists of a system's n best, a reference is ranked among the outputs of all systems, which are few and "
        "differ more than those of one.",
        "A reference is never scored by itself: it and its list are scored by the other references.",
        "Translations with the reference's score share the mean of their ranks.",
        "The paper's table of results is not repeated here: only part of its text is available.",
    ),
    run=run,
    takes=("metrics", "lists"),
)
