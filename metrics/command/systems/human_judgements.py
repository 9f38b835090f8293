"""People's judgements of the systems of a call, and how well its metrics agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...corpus.agreement import (
    AgreementColumn,
    AgreementTable,
    Overlap,
    agree,
    marks_of,
    of_scores,
    of_table,
    overlaps,
    see,
    told_ways,
    ways_of,
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
    """What people said of the outputs, what is asked of it, and the scores of other programs that the files hold, with
    what is said of them; `marks` are the places of the words that people marked as wrong, of the outputs that have
    such, once they are known."""

    judged: JudgementRecord
    options: PeopleOptions
    others: Sequence[AgreementColumn]
    says: Sequence[str] = ()
    marks: Mapping[tuple[int, int], frozenset[int]] = {}

    def with_marks(self, material: Material, text: TextSettings) -> CallJudgements:
        """The same with the marked words of texts that are processed so."""
        lines = [texts.lines for texts in material.systems.values()]
        return self._replace(marks=marks_of(self.judged, lines, text))


class Agreed(NamedTuple):
    """How well metrics agree with people, and by the metric's key how much of what it finds wrong lies in what people
    marked, nothing where they marked nothing."""

    table: AgreementTable
    marked: Mapping[str, Sequence[Overlap]]


def read(options: PeopleOptions, material: Material, metrics: Sequence[Metric]) -> CallJudgements:
    """The judgements of a call, and the scores of other programs beside those of its metrics. Raises BadData."""
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
    others = of_scores(scores, judged.systems, judged.size, higher, metric_names)
    return CallJudgements(judged, options, others, [*judged.notices, *told_ways(ways_of(scores, higher))])


def agreement(call_judgements: CallJudgements, tables: Sequence[StatisticsTable], texts: ScoringCorpus) -> Agreed:
    """How well the metrics of the tables, and the scores of other programs, agree with people. Raises BadData."""
    columns = [*map(of_table, tables), *call_judgements.others]
    options = call_judgements.options
    table = agree(columns, call_judgements.judged, options.scale, options.group, options.tau)
    rated = [(int(n), int(segment)) for n, segment in np.argwhere(~np.isnan(table.people))]
    outputs = [texts.segments(n) for n in range(len(texts.systems))] if call_judgements.marks else []
    marked: dict[str, Sequence[Overlap]] = {}
    for each in tables if call_judgements.marks else ():
        try:
            faults = {(n, segment): see(each.metric, each.settings, outputs[n][segment]) for n, segment in rated}
        except TooHard as error:
            raise BadData(f"what {each.metric.key} finds wrong: {error}") from None
        marked[each.metric.key] = overlaps(faults, call_judgements.marks, call_judgements.judged.size)
    return Agreed(table, marked)
