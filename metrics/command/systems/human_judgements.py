"""People's judgements of the systems of a call, and how well the metrics agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...corpus.agreement import (
    AgreementColumn,
    AgreementTable,
    Overlap,
    agree,
    describe_directions,
    external_columns,
    find_in_segment,
    marks_of,
    metric_column,
    overlaps,
    score_directions,
)
from ...corpus.jobs import ScoringCorpus
from ...corpus.table import StatisticsTable
from ...text import TextSettings, judgements, printable
from ...text.files import BadData
from ...text.formats import Material
from ...text.judgements import JudgementRecord
from ...types import Metric, TooHard
from ..agreement_options import PeopleOptions


class CallJudgements(NamedTuple):
    """The judgements of outputs by people, with what the call asks of them.

    Attributes:
        judged: the judgements.
        options: the options of the call.
        others: the scores of other programs that the files hold.
        says: sentences on the judgements and scores.
        marks: the positions of the words that people marked as wrong, by indices of system and segment; outputs without
            such marks are absent, and it is empty before `with_marks`.
    """

    judged: JudgementRecord
    options: PeopleOptions
    others: Sequence[AgreementColumn]
    says: Sequence[str] = ()
    marks: Mapping[tuple[int, int], frozenset[int]] = {}

    def with_marks(self, material: Material, text: TextSettings) -> CallJudgements:
        """Return a copy with the positions of the marked words, in the outputs after this text processing."""
        lines = [texts.lines for texts in material.systems.values()]
        return self._replace(marks=marks_of(self.judged, lines, text))


class CallAgreement(NamedTuple):
    """The agreement of metrics with people, and how much of what each metric finds wrong lies in people's marks.

    `marked` has the overlaps by the metric's key; it is empty if people marked nothing.
    """

    table: AgreementTable
    marked: Mapping[str, Sequence[Overlap]]


def read(options: PeopleOptions, material: Material, metrics: Sequence[Metric]) -> CallJudgements:
    """Return the judgements of a call, with the scores of programs other than its metrics. Raises BadData."""
    files = [file for name in options.files for file in judgements.files(name)]
    higher = dict(options.higher_is_better)
    judged = judgements.read(files, material, higher, dict(options.reference_origins))
    names = [scale.name for scale in judged.scales]
    if not names:
        raise BadData("the files of --human have marked errors alone; agreement needs ratings")
    if options.scale is not None and options.scale not in names:
        raise BadData(
            f"there is no scale {printable(options.scale)}; the judgements are on {', '.join(map(printable, names))}"
        )
    scores = {name: each for name, each in material.scores.items() if name not in names}
    metric_names = [name for metric in metrics for name in (metric.key, metric.label)]
    others = external_columns(scores, judged.systems, judged.size, higher, metric_names)
    return CallJudgements(
        judged, options, others, [*judged.notices, *describe_directions(score_directions(scores, higher))]
    )


def agreement(
    call_judgements: CallJudgements, tables: Sequence[StatisticsTable], texts: ScoringCorpus
) -> CallAgreement:
    """Return how well the metrics of the tables, and other programs' scores, agree with people. Raises BadData."""
    columns = [*map(metric_column, tables), *call_judgements.others]
    options = call_judgements.options
    table = agree(columns, call_judgements.judged, options.scale, options.group, options.tau)
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
        marked[each.metric.key] = overlaps(faults, call_judgements.marks, call_judgements.judged.size)
    return CallAgreement(table, marked)
