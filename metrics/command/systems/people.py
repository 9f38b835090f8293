"""People's judgements of the systems of a call, and how well its metrics agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...corpus.agreement import (
    Agreement,
    Column,
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
from ...corpus.jobs import Corpus
from ...corpus.table import Table
from ...text import TextSettings, judgements, printable
from ...text.files import BadData
from ...text.formats import Material
from ...text.judgements import Judged
from ...types import Metric, TooHard
from ..people import People


class Judgements(NamedTuple):
    """What people said of the outputs, what is asked of it, and the scores of other programs that the files hold, with
    what is said of them; `marks` are the places of the words that people marked as wrong, of the outputs that have
    such, once they are known."""

    judged: Judged
    asked: People
    others: Sequence[Column]
    says: Sequence[str] = ()
    marks: Mapping[tuple[int, int], frozenset[int]] = {}

    def with_marks(self, material: Material, text: TextSettings) -> Judgements:
        """The same with the marked words of texts that are processed so."""
        lines = [texts.lines for texts in material.systems.values()]
        return self._replace(marks=marks_of(self.judged, lines, text))


class Agreed(NamedTuple):
    """How well metrics agree with people, and by the metric's key how much of what it finds wrong lies in what people
    marked, nothing where they marked nothing."""

    table: Agreement
    marked: Mapping[str, Sequence[Overlap]]


def read(asked: People, material: Material, metrics: Sequence[Metric]) -> Judgements:
    """The judgements of a call, and the scores of other programs beside those of its metrics. Raises BadData."""
    files = [file for name in asked.files for file in judgements.files(name)]
    higher = dict(asked.higher_is_better)
    judged = judgements.read(files, material, higher, dict(asked.made_from))
    names = [scale.name for scale in judged.scales]
    if not names:
        raise BadData("the files of --human have marked errors alone; agreement needs ratings")
    if asked.scale is not None and asked.scale not in names:
        raise BadData(
            f"there is no scale {printable(asked.scale)}; the judgements are on {', '.join(map(printable, names))}"
        )
    scores = {name: each for name, each in material.scores.items() if name not in names}
    taken = [name for metric in metrics for name in (metric.key, metric.label)]
    others = of_scores(scores, judged.systems, judged.size, higher, taken)
    return Judgements(judged, asked, others, [*judged.notices, *told_ways(ways_of(scores, higher))])


def agreement(found: Judgements, tables: Sequence[Table], texts: Corpus) -> Agreed:
    """How well the metrics of the tables, and the scores of other programs, agree with people. Raises BadData."""
    columns = [*map(of_table, tables), *found.others]
    asked = found.asked
    table = agree(columns, found.judged, asked.scale, asked.group, asked.tau)
    rated = [(int(n), int(segment)) for n, segment in np.argwhere(~np.isnan(table.people))]
    outputs = [texts.segments(n) for n in range(len(texts.systems))] if found.marks else []
    marked: dict[str, Sequence[Overlap]] = {}
    for each in tables if found.marks else ():
        try:
            seen = {(n, segment): see(each.metric, each.settings, outputs[n][segment]) for n, segment in rated}
        except TooHard as error:
            raise BadData(f"what {each.metric.key} finds wrong: {error}") from None
        marked[each.metric.key] = overlaps(seen, found.marks, found.judged.size)
    return Agreed(table, marked)
