"""Sort the segments of two systems, and make the rows of their table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.ledger import CorpusLedger

from ...components.segments import SegmentColumn
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen.text import visible
from ...frame.corpora import CorpusJob
from . import columns, filters, marks
from .record import SORTS, CorpusState

Order = NDArray[np.intp]
HEAD_MOST = 9  # letters of a system's name above its column
TAG_MOST = 16  # letters of a tag in a row
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _percent(share: float) -> str:
    """Return a share as a whole percentage with its sign, without the percent sign.

    >>> _percent(-0.004), _percent(-0.06)
    ('0', '−6')
    """
    whole = round(100 * share)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


class SegmentTable:
    """The table of the segments of two systems by the selected metric: their values, order and rows.

    The first system is the worse one by corpus score, the second the better one.

    Attributes:
        sides: the indices of the first and the second system.
        turned: whether the first system is B.
        a, b: the score of each segment by the first and by the second system.
        numbers: the indices of the segments that the filter selects, None for all.
        worth: what each segment gives to the difference of the corpus scores, None while that is not known.
        other_metric: the metric with which the selected one is compared, None if no column of it is shown.
        order: the indices of the shown segments in the order of the table."""

    def __init__(
        self, job: CorpusJob, state: CorpusState, ledger: CorpusLedger | None, numbers: Order | None = None
    ) -> None:
        self.job, self.state = job, state
        self.numbers = numbers
        table = job.table(state.score_key)
        self.sides = job.order_worse_first(state.score_key, state.a, state.b)
        self.turned = self.sides != (state.a, state.b)
        self.a, self.b = (table.scores[n] for n in self.sides)
        self.worth = np.asarray(ledger.worth) if ledger else None
        self.higher = job.metric(state.score_key).higher_is_better
        self.most = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()), 1e-9)
        self.most_change = max(float(np.abs(self.b - self.a).max()), 1e-9)
        self.most_worth = max(float(np.abs(self.worth).max()), 1e-12) if self.worth is not None else 0.0
        beside_key = columns.compared_metric(job, state)
        beside_table = job.table(beside_key) if beside_key else None
        self.other_metric = None if beside_table is None else beside_table.metric
        self.values = columns.CellValues(job, state, filters.filter_facts(job, state), self.turned)
        self.tags = marks.read_marks(state.marks)
        #: The sort key with all that changes the order; another ledger, for example, is another order by worth.
        by_sort = {
            "worth": f"{id(ledger):x}",
            "apart": self.other_metric.key if self.other_metric else "",
            "tag": state.marks,
        }
        self.by = f"{state.sort} {by_sort.get(state.sort, '')}"
        # Cached, because selecting a segment is far more frequent than sorting.
        order_key = state.where, state.marks, state.score_key, state.a, state.b, len(job.tables), ledger
        self.order: Order = job.cached(("order", self.by, state.up, *order_key), self._sorted_segments)

    def _sorted_segments(self) -> Order:
        """Return the indices of the shown segments in the order of the table; ties are in the order of the files."""
        sign = 1 if self.higher else -1
        table = self.job.table(self.state.score_key)
        values = {
            "worth": sign * (self.b - self.a if self.worth is None else self.worth),
            "delta": sign * (self.b - self.a),
            "a": table.scores[self.state.a],
            "b": table.scores[self.state.b],
            "length": self.job.lengths,
            "number": -np.arange(self.job.segment_count),
            "apart": np.abs(self.disagreement) if self.state.sort == "apart" else self.a,
        }.get(self.state.sort)
        if values is None:
            values = self.values.file_score_functions(self.state.sort)
            if values is not None and self.state.sort.startswith("delta."):
                values = (self.values.direction(self.state.sort) or 1) * values
        if values is None:  # a column that does not exist, or is not known yet
            values = -np.arange(self.job.segment_count)
        values = values if self.state.up else -values
        if self.numbers is None:
            return np.argsort(values, kind="stable")
        return self.numbers[np.argsort(values[self.numbers], kind="stable")]

    @cached_property
    def disagreement(self) -> NDArray[np.float64]:
        """How far the other metric and the selected one disagree on each segment (`columns.disagreement`).

        All values are 0 if there is no other metric."""
        apart = columns.disagreement(self.job, self.state)
        return np.zeros(self.job.segment_count) if apart is None else apart

    @property
    def chosen_segment(self) -> int:
        """The index of the selected segment, by default of the first in the order; the filter may exclude it."""
        number = self.state.segment
        return int(self.order[0]) if number is None or number >= self.job.segment_count else number

    @property
    def chosen_row(self) -> int:
        """The row of the selected segment in the table, 0 if the filter excludes it."""
        return self.chosen_row_or_none or 0

    @cached_property
    def chosen_row_or_none(self) -> int | None:
        """The row of the selected segment in the table, None if the filter excludes it."""
        places = np.flatnonzero(self.order == self.chosen_segment)
        return int(places[0]) if len(places) else None

    def column_heads(self) -> list[SegmentColumn]:
        """Return the heads of the table's columns, with names of systems shortened to fit."""
        names = [self.job.names[n] for n in self.sides]
        ours, theirs = short_names(names, HEAD_MOST)
        heads = {"number": "No.", "a": ours, "b": theirs, "delta": "Δ", "worth": self._worth_head}
        sort_labels = {**SORTS, "a": f"the score of {names[0]}", "b": f"the score of {names[1]}"}
        sort_labels["delta"] = f"the score of {names[1]} minus that of {names[0]}"
        sort_labels["worth"] = f"what the segment adds to the lead of {names[1]}"
        if self.other_metric is not None:
            heads["apart"] = "Apart"
        out = [
            SegmentColumn(self._sort_key(name), head, f"Sort by {sort_labels[name]}. {self._in_filter(name)}")
            for name, head in heads.items()
        ]
        given = {"a.": self.job.names[self.state.a], "b.": self.job.names[self.state.b]}
        for name, label in self.extra_columns.items():
            whose = given.get(name[:2], "")
            sort_label = f"Sort by {label}{f', {whose}' if whose else ''}"
            out.append(SegmentColumn(name, label, f"{sort_label}. {self._in_filter(name)}"))
        return [*out, SegmentColumn("words", f"{names[0]} → {names[1]}", "", wide=True)]

    def _in_filter(self, name: str) -> str:
        """Return a sentence on what the filter calls the column `name`."""
        return f"In the filter: {self.filter_expression(name)}."

    def filter_expression(self, name: str) -> str:
        """Return the expression of the filter that has the values of the column `name`.

        It is a name, with a minus before it where the table counts from the winner's side and the filter from A to B.
        Columns of texts have the name of a label."""
        turned = "-" if self.turned else ""
        if name in ("a", "b"):
            return f"{self._sort_key(name)}.{self.state.score_key}"
        if name == "delta":
            return f"{turned}delta.{self.state.score_key}"
        return f"{turned}{name}" if name.startswith("delta.") else name

    def _sort_key(self, name: str) -> str:
        """Return the sort key of the column `name`.

        The first column of scores is that of the worse system, so it is sorted by B's scores if A is the better one."""
        return {"a": "b", "b": "a"}.get(name, name) if self.turned else name

    @cached_property
    def extra_columns(self) -> dict[str, str]:
        """The labels of the optional columns that are shown, by name."""
        return columns.shown_columns(self.job, self.state)

    @cached_property
    def searched_words(self) -> Sequence[str]:
        """The words and parts of words that the filter searches for, which are highlighted."""
        return filters.searched_words(self.job, self.state)

    @property
    def _worth_head(self) -> str:
        """The head of the worth column, with the power of ten by which its values are scaled."""
        power = rows.scale_power(self.most_worth)
        return f"Worth ×10{str(-power).translate(_RAISED)}" if power else "Worth"

    def rows(self, start: int, end: int) -> list[dict[str, Any]]:
        """Return the rows from `start` up to, but without, `end`, as the browser's table takes them."""
        ours, theirs = (self.job.texts.systems[n] for n in self.sides)
        out = []
        for n in self.order[start:end].tolist():
            a, b = float(self.a[n]), float(self.b[n])
            cells = [
                {"text": str(n + 1)},
                rows.score_cell(a, self.most),
                rows.score_cell(b, self.most),
                rows.difference_cell(b - a, self.most_change, self.higher),
            ]
            if self.worth is None:
                cells.append({"text": "…"})
            else:
                cells.append(rows.worth_cell(float(self.worth[n]), self.most_worth, self.higher))
            if self.other_metric is not None:
                cells.append({"text": _percent(float(self.disagreement[n]))})
            cells += [self.values.cell(name, n) for name in self.extra_columns]
            words = rows.diff_pieces(ours[n], theirs[n], self.searched_words)
            tags = [(rows.TAG, visible(tag, TAG_MOST)) for tag in self.tags[n].tags] if n in self.tags else []
            out.append({"segment": n, "cells": cells, "words": [*tags, *words]})
        return out
