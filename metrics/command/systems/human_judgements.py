"""The reading of people's judgements for a call, and the computation of how well the metrics agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...corpus.agreement import (
    AgreementColumn,
    AgreementTable,
    Overlap,
    agreement_table,
    describe_directions,
    external_columns,
    find_in_segment,
    marked_words_by_output,
    metric_column,
    overlap_by_fault,
    score_directions,
)
from ...corpus.jobs import ScoringCorpus
from ...corpus.table import StatisticsTable
from ...text import TextSettings, judgements, printable
from ...text.files import BadData
from ...text.formats import Material
from ...text.judgements import JudgementRecord
from ...types import Metric, TooHard
from ..agreement_options import JudgementOptions


class CallJudgements(NamedTuple):
    """People's judgements of the systems' outputs, with the options of the call.

    Attributes:
        judged: the judgements.
        options: the options of the call.
        others: the scores of other programs, which are compared with people like the metrics.
        says: sentences on how the judgements and scores were read.
        marks: for each (system index, segment index) the positions of the words that people marked as wrong. Outputs
            without marked words are absent. It is empty before `with_marked_words`.
    """

    judged: JudgementRecord
    options: JudgementOptions
    others: Sequence[AgreementColumn]
    says: Sequence[str] = ()
    marks: Mapping[tuple[int, int], frozenset[int]] = {}

    def with_marked_words(self, material: Material, text: TextSettings) -> CallJudgements:
        """Return a copy of these judgements with the positions of the marked words in `marks`.

        The positions are those of the words after the text processing `text`.
        """
        lines = [texts.lines for texts in material.systems.values()]
        return self._replace(marks=marked_words_by_output(self.judged, lines, text))


class CallAgreement(NamedTuple):
    """The agreement of the metrics of a call with people's judgements.

    Attributes:
        table: the coefficients of each metric.
        marked: for each metric's key, how much of what the metric finds wrong overlaps with the words that people
            marked; empty if people marked nothing.
    """

    table: AgreementTable
    marked: Mapping[str, Sequence[Overlap]]


def read_judgements(options: JudgementOptions, material: Material, metrics: Sequence[Metric]) -> CallJudgements:
    """Return the judgements that the options name, and the scores by other programs in the files.

    Scores by one of `metrics` are left out, because that metric is computed. Raises BadData for wrong files.
    """
    files = [file for name in options.files for file in judgements.files(name)]
    higher = dict(options.higher_is_better)
    judged = judgements.read(files, material, higher, dict(options.reference_origins))
    names = [scale.name for scale in judged.scales]
    if not names:
        raise BadData("the files of --human have only marked errors; agreement needs ratings")
    if options.scale is not None and options.scale not in names:
        raise BadData(
            f"there is no scale {printable(options.scale)}; the scales are {', '.join(map(printable, names))}"
        )
    scores = {name: each for name, each in material.scores.items() if name not in names}
    metric_names = [name for metric in metrics for name in (metric.key, metric.label)]
    others = external_columns(scores, judged.systems, judged.size, higher, metric_names)
    return CallJudgements(
        judged, options, others, [*judged.notices, *describe_directions(score_directions(scores, higher))]
    )


def measure_agreement(
    call_judgements: CallJudgements, tables: Sequence[StatisticsTable], texts: ScoringCorpus
) -> CallAgreement:
    """Return how well the metrics of `tables`, and other programs' scores, agree with people. Raises BadData.

    `texts` are the scored words, in which what a metric finds wrong is compared with what people marked.
    """
    columns = [*map(metric_column, tables), *call_judgements.others]
    options = call_judgements.options
    table = agreement_table(columns, call_judgements.judged, options.scale, options.group, options.tau)
    rated = [(int(n), int(segment)) for n, segment in np.argwhere(~np.isnan(table.people))]
    outputs = [texts.segments(n) for n in range(len(texts.systems))] if call_judgements.marks else []
    marked: dict[str, Sequence[Overlap]] = {}
    for each in tables if call_judgements.marks else ():
        try:
            faults = {
                (n, segment): find_in_segment(each.metric, each.settings, outputs[n][segment]) for n, segment in rated
            }
        except TooHard as error:
            raise BadData(f"what {each.metric.key} finds wrong: {error}") from None
        marked[each.metric.key] = overlap_by_fault(faults, call_judgements.marks, call_judgements.judged.size)
    return CallAgreement(table, marked)
